//! Real clients of Redlock beside the engine with their profiles, at five real servers.

use conformance::ballots::{self, Tally};
use conformance::clients::{NodeRedlock, RealClient, Rslock};
use conformance::ensemble::Ensemble;
use conformance::report::say;
use conformance::votes::{Request, Weather};
use std::thread;

fn hold(mut real: Box<dyn RealClient>) {
    let mut ensemble = Ensemble::start();
    let client = real.client();
    let mut sum = Tally::default();
    let mut add = |outcome: Result<Tally, String>| match outcome {
        Ok(tally) => sum.add(&tally),
        Err(report) => panic!("{report}"),
    };
    for (turn, weather) in Weather::all().into_iter().enumerate() {
        let cases = ballots::cases(client, &weather, turn);
        add(ballots::hold(&mut ensemble, &mut *real, &weather, &cases));
    }
    let (weather, cases) = ballots::late_majority();
    add(ballots::hold(&mut ensemble, &mut *real, &weather, &cases));
    add(ballots::freed_in_between(&mut ensemble, &mut *real));
    let known: Vec<&str> = ballots::KNOWN.iter().filter(|it| it.0.contains(&client)).map(|it| it.1).collect();
    let mut of_them = format!("in {} acquisitions, {} of them granted", sum.cases, sum.granted);
    if sum.undecided > 0 {
        of_them += &format!("; {} groups done again, since this machine was too busy", sum.undecided);
    }
    say(&format!("{} at five of Redis {}", real.version(), ensemble.version), sum.operations, &of_them, &known);
}

#[test]
fn real_clients_do_as_their_profiles_say() {
    thread::scope(|scope| {
        scope.spawn(|| hold(Box::new(Rslock::start())));
        scope.spawn(|| hold(Box::new(NodeRedlock::start())));
    });
}

/// Known: an extension that fails is tried again by both, and by one in vain, since it has released everything after the first try.
#[test]
fn a_failed_extension_is_tried_again() {
    use Request::{Acquire, Extend, Release};
    let mut ensemble = Ensemble::start();
    let asked = ballots::extended_in_vain(&mut ensemble, &mut Rslock::start());
    assert_eq!(asked, [const { &[Acquire, Extend, Release, Extend, Release, Extend, Release] }; 5]);
    let asked = ballots::extended_in_vain(&mut ensemble, &mut NodeRedlock::start());
    assert_eq!(asked, [const { &[Acquire, Extend, Extend, Extend] }; 5]);
}

#[test]
fn every_known_difference_stands_on_the_page_of_the_protocol() {
    let page = include_str!("../../../docs/protocols/redlock.md").replace('\n', " ");
    for (_, known) in ballots::KNOWN {
        assert!(page.contains(known), "{known}");
    }
}
