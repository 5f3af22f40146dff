//! Split votes over many seeds: when somebody first holds the lock, by how the clients wait between their tries.
//!
//! The normal suite looks at a few hundred seeds, with wide bounds. `cargo test --release --test split_votes -- --ignored --nocapture` runs
//! ten thousand and prints the distributions.

use fencepost::base::{Fact, TrueTime};
use fencepost::scenario::{Scenario, parse, preset};
use fencepost::sim::{Progress, Seeded, World};
use fencepost::trace::{EventKind, EventSink, TraceEvent};

/// Remembers the first instant at which somebody believes.
#[derive(Default)]
struct FirstHolder(Option<TrueTime>);

impl EventSink for FirstHolder {
    fn on_event(&mut self, event: &TraceEvent) {
        if let EventKind::Did(Fact::Believed { .. }) = event.kind {
            self.0.get_or_insert(event.at);
        }
    }
}

/// The story, with clients that keep what they got between their tries as one more design: node-redlock's way. The node refuses its own
/// key, since each try is the same owner and a key that is there is there.
fn story() -> Scenario {
    let text = preset::by_id("split-votes").expect("it is there").text;
    let keeps = "\n[[design]]\nname = \"Keeps its partial grants\"\nlock.service = \"node-redlock\"\n";
    parse(&format!("{text}{keeps}")).scenario.expect("it can be read")
}

/// The first holder's instants in ms under one design, in order; seeds without any are counted apart.
fn first_holders(story: &Scenario, design: usize, seeds: u64) -> (Vec<f64>, usize) {
    let config = story.config(design);
    let mut world = World::new(&config, Seeded { seed: 0 });
    let mut at = Vec::new();
    for seed in 1..=seeds {
        world.reset(Seeded { seed });
        let mut first = FirstHolder::default();
        while first.0.is_none() && world.step(&mut first) == Progress::Progressed {}
        at.extend(first.0.map(|t| t.as_us() as f64 / 1_000.0));
    }
    at.sort_by(f64::total_cmp);
    let none = seeds as usize - at.len();
    (at, none)
}

/// The instant below which so many of a hundred lie.
fn percentile(at: &[f64], share: usize) -> f64 {
    at[(at.len() * share / 100).min(at.len() - 1)]
}

#[test]
fn a_random_wait_resolves_and_a_fixed_one_never_does() {
    let story = story();
    assert_eq!(first_holders(&story, 0, 20), (Vec::new(), 20), "in step, for ever");
    for (design, median, high) in [(1, 95.0, 179.0), (2, 195.0, 280.0)] {
        let (at, none) = first_holders(&story, design, 300);
        assert_eq!(none, 0, "design {design}");
        let (m, h) = (percentile(&at, 50), percentile(&at, 95));
        assert!((m - median).abs() < 20.0, "design {design}: median {m} ms, not about {median} ms");
        assert!((h - high).abs() < 35.0, "design {design}: 95th percentile {h} ms, not about {high} ms");
    }
}

#[test]
fn who_keeps_its_partial_grants_blocks_itself() {
    let (at, none) = first_holders(&story(), 3, 100);
    assert!(none > 10 && none < 80, "{none} of 100 never resolve");
    assert!(percentile(&at, 50) > 1_000.0, "nobody wins before somebody gives up");
}

#[test]
fn ten_thousand_seeds_have_the_distribution_of_their_waits() {
    let story = story();
    for (design, median, high) in [(1, 95.0, 179.0), (2, 195.0, 279.0)] {
        let (at, none) = first_holders(&story, design, 10_000);
        assert_eq!(none, 0, "design {design}");
        let (m, h) = (percentile(&at, 50), percentile(&at, 95));
        assert!((m - median).abs() < 2.0, "design {design}: median {m} ms, not {median} ms");
        assert!((h - high).abs() < 2.0, "design {design}: 95th percentile {h} ms, not {high} ms");
    }
    // Whoever keeps its partial grants waits for their end first, and may do so for ever.
    let (at, none) = first_holders(&story, 3, 10_000);
    assert!((3_700..4_000).contains(&none), "{none} of 10,000 never resolve");
    assert!((percentile(&at, 50) - 2_290.0).abs() < 10.0);
}
