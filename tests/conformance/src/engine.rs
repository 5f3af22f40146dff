//! Our side of a client of Redlock: the same circumstances as a scenario, run by the engine, and read from the log of the run.
//!
//! Nothing here knows what a client does. A case becomes a text of the scenario language with the client's profile, and every prediction is
//! what the run shows. What no value of the language says yet is bridged in [`text`]: see [`crate::ballots::KNOWN`].

use crate::votes::{Case, Client, NAMES, NODES, Outcome, Reach, Record, Request, Seen, Weather};
use fencepost::base::message::Topic;
use fencepost::base::{Fact, LocalTime, NodeId, Span, TrueTime};
use fencepost::run::{Run, run};
use fencepost::scenario;
use fencepost::trace::{EventKind, TraceEvent};
use std::fmt::Write as _;

/// The acquisition begins; who is silent has been so for a while, and answers again long after everything is decided.
const ACQUIRE_S: i64 = 10;
const ANSWER_S: i64 = 200;
const LOSE_S: i64 = 250;
const EXTEND_S: i64 = 310;
const ANSWER_AGAIN_S: i64 = 400;
const RELEASE_S: i64 = 450;
const HORIZON_S: i64 = 600;

/// What the engine says of a case, and how long the lease is that the client believes in.
pub struct Predicted {
    pub seen: Seen,
    pub believed: Option<Span>,
}

/// Runs one case.
pub fn predict(client: Client, weather: &Weather, case: &Case) -> Predicted {
    let text = text(client, weather, case);
    read(&run_text(&text), client, weather)
}

/// The same, where one server loses somebody else's record after so many tries have failed. When that is, a run without it tells.
pub fn predict_freed(client: Client, case: &Case, freed: usize, after_tries: usize) -> Predicted {
    let weather = Weather::fair();
    let mut text = text(client, &weather, case);
    let run = run_text(&text);
    let failed = |e: &&TraceEvent| matches!(e.kind, EventKind::Did(Fact::TryFailed { .. })) && e.at > at(ACQUIRE_S);
    let failed = run.log.events().iter().filter(failed).nth(after_tries - 1).expect("so many tries");
    let freed_us = failed.at.as_us() + 1;
    fault(&mut text, &format!("evict = \"{}\"\nat = \"{freed_us}us\"", NAMES[freed]));
    read(&run_text(&text), client, &weather)
}

fn run_text(text: &str) -> Run {
    let parsed = scenario::parse(text);
    let scenario = parsed.scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", parsed.diagnostics));
    run(&scenario, 0)
}

fn at(s: i64) -> TrueTime {
    TrueTime::from_ms(s * 1_000)
}

/// The scenario of a case.
pub fn text(client: Client, weather: &Weather, case: &Case) -> String {
    let Case { ttl_ms, held, lost, .. } = *case;
    let node_timeout_ms = weather.node_timeout_ms(client);
    let late = client == Client::Rslock && ttl_ms < node_timeout_ms;
    let attempts = if late { 1 } else { case.attempts };
    let profile = client.profile();
    let releases = client == Client::Rslock;
    let mut text = format!(
        "schema = \"fencepost.scenario/1\"\nhorizon = \"{HORIZON_S}s\"\n\
         lock = {{ service = \"{profile}\", ttl = \"{ttl_ms}ms\" }}\n\
         client = {{ node_timeout = \"{node_timeout_ms}ms\", attempts = {attempts}, on_unknown = \"stop\", release_on_stop = {releases} }}\n"
    );
    if held != 0 {
        let _ = writeln!(
            text,
            "[[worker]]\nname = \"X\"\nsteps = [\"acquire ttl=1h\"]\nclient.attempts = 1\nclient.cleanup = \"none\"\n\
             client.release_on_stop = false"
        );
    }
    let _ = writeln!(
        text,
        "[[worker]]\nname = \"W1\"\nstart = \"{ACQUIRE_S}s\"\n\
         steps = [\"acquire\", \"wait until {EXTEND_S}s\", \"renew\", \"wait until {RELEASE_S}s\", \"release\"]"
    );
    if held != 0 && held != 0b11111 {
        fault(&mut text, &format!("cut = \"X\"\nto = {}", names(|node| held & 1 << node == 0)));
    }
    let answer_ms = weather.answers_after_ms.map_or(ANSWER_S * 1_000, |ms| ACQUIRE_S * 1_000 + i64::from(ms));
    for (reach, from_s, until_ms) in
        [(&weather.acquire, ACQUIRE_S - 5, answer_ms), (&weather.extend, EXTEND_S - 10, ANSWER_AGAIN_S * 1_000)]
    {
        if reach.contains(&Reach::Silent) {
            let silent = names(|node| reach[node] == Reach::Silent);
            fault(&mut text, &format!("pause = {silent}\nat = \"{from_s}s\"\nuntil = \"{until_ms}ms\""));
        }
        let gone = |node: usize| {
            let new = from_s < ACQUIRE_S || weather.acquire[node] != Reach::Down;
            reach[node] == Reach::Down && new
        };
        if (0..NODES).any(gone) {
            fault(&mut text, &format!("crash = {}\nat = \"{from_s}s\"\nanswers = \"error\"", names(gone)));
        }
    }
    for (node, name) in NAMES.iter().enumerate() {
        if lost & 1 << node != 0 && weather.acquire[node] != Reach::Down {
            fault(&mut text, &format!("evict = \"{name}\"\nat = \"{LOSE_S}s\""));
        }
    }
    text
}

fn fault(text: &mut String, lines: &str) {
    let _ = writeln!(text, "[[fault]]\n{lines}");
}

fn names(chosen: impl Fn(usize) -> bool) -> String {
    let names: Vec<String> = (0..NODES).filter(|it| chosen(*it)).map(|it| format!("\"{}\"", NAMES[it])).collect();
    format!("[{}]", names.join(", "))
}

/// Reads a run.
fn read(run: &Run, client: Client, weather: &Weather) -> Predicted {
    let place = |id: NodeId| NAMES.iter().position(|name| run.roster.name(id) == *name);
    let worker = run.roster.ids().find(|id| run.roster.name(*id) == "W1").expect("it is in the scenario");
    let mut requests: [Vec<Request>; NODES] = Default::default();
    let mut records = [[Record::None; NODES]; 3];
    let mut now = [Record::None; NODES];
    let looks = [ANSWER_S + 10, ANSWER_AGAIN_S + 10, HORIZON_S - 10].map(at);
    let (mut look, mut extended, mut believed) = (0, None, None);
    let mut gave_back = false;
    // From when the client counts is what its profile says; the length is told from where it is known to count.
    let mut counts_from = LocalTime::from_us(0);
    for TraceEvent { at, node, local, kind, .. } in run.log.events() {
        while look < looks.len() && *at > looks[look] {
            records[look] = now;
            look += 1;
        }
        match (place(*node), *kind) {
            (Some(place), EventKind::Arrived { from, what, .. }) if from == worker && !what.kind.reply => {
                requests[place].extend(request(what.kind.topic));
            }
            (Some(place), EventKind::Did(Fact::Voted(grant))) => {
                now[place] = if grant.worker == worker { Record::Mine } else { Record::Foreign };
            }
            (Some(place), EventKind::Did(Fact::VoteEnded { .. }) | EventKind::Crashed { .. }) => {
                now[place] = Record::None
            }
            (None, EventKind::Sent { what, .. }) if *node == worker => match what.kind.topic {
                Topic::Acquire if what.nth == 1 || client == Client::Rslock => counts_from = *local,
                Topic::Withdraw => gave_back = true,
                _ => {}
            },
            (None, EventKind::Did(fact)) if *node == worker => match fact {
                Fact::Believed { until, .. } => believed = until.map(|it| it.since(counts_from)),
                Fact::Reckoned { .. } => extended = Some(true),
                Fact::BeliefEnded { .. } if *at < self::at(RELEASE_S) => extended = Some(false),
                _ => {}
            },
            _ => {}
        }
    }
    while look < looks.len() {
        records[look] = now;
        look += 1;
    }
    for (look, records) in records.iter_mut().enumerate() {
        let reach = if look == 0 { &weather.acquire } else { &weather.extend };
        for (record, reach) in records.iter_mut().zip(reach) {
            if *reach == Reach::Down {
                *record = Record::Unseen;
            }
        }
    }
    let outcome = match believed {
        Some(_) => Outcome::Granted,
        None if gave_back => Outcome::Refused,
        // Nothing is given back when the time ran out.
        None => Outcome::Late,
    };
    Predicted { seen: Seen { outcome, extended, records, requests }, believed }
}

fn request(topic: Topic) -> Option<Request> {
    match topic {
        Topic::Acquire => Some(Request::Acquire),
        Topic::Renew => Some(Request::Extend),
        Topic::Release | Topic::Withdraw => Some(Request::Release),
        _ => None,
    }
}
