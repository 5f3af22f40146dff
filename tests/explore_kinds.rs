//! Kinds of faults that few stories have, in a search: a request that is stalled, servers that are split, an acquisition that is given up, an
//! end that is asked for. What was told by hand elsewhere is found here.

use fencepost::check::Property::{self, *};
use fencepost::explore::search::{Answer, Base, Bounds, Counts, Kind, Search, Verdict};
use fencepost::run;
use fencepost::scenario::{self, Scenario};

fn bare(text: &str) -> Scenario {
    let parsed = scenario::parse(text);
    Base::bare(&parsed.scenario.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics)))
}

/// So many faults of these kinds, at workers, servers and resources.
fn bounds(scenario: &Scenario, design: usize, kinds: &[Kind], total: u8, judged: &[Property]) -> Bounds {
    let mut each = Counts::default();
    kinds.iter().for_each(|kind| each.set(*kind, total));
    let properties = judged.iter().copied().collect();
    let mut bounds = Bounds { each, total, properties, edges: 1, ..Bounds::of(scenario, design) };
    bounds.aim(scenario, design, &["workers", "lock", "resources"]);
    bounds
}

fn answer(scenario: &Scenario, design: usize, bounds: Bounds) -> Answer {
    let mut search = Search::new(scenario, design, bounds);
    while search.run_for(10_000) {}
    assert!(search.answer().is_complete());
    search.into_answer()
}

/// One fault of this kind breaks the one design and not the other. The case is a scenario, which breaks the same and uses the fault's verb.
fn tells_apart(text: &str, kind: Kind, property: Property, broken: usize, clean: usize) {
    let scenario = bare(text);
    let [found, twin] = [broken, clean].map(|d| answer(&scenario, d, bounds(&scenario, d, &[kind], 1, &[property])));
    let Verdict::Broken { faults: 1, by } = found.verdict(property) else { panic!("{kind:?} was not found") };
    assert!(matches!(twin.verdict(property), Verdict::Holds { schedules: 2.., .. }), "{:?}", twin.verdict(property));
    let example = Base::new(&scenario, broken).shrink(&by.faults, property);
    assert_eq!(example.faults[0][0].0, kind.word());
    let parsed = scenario::parse(&example.text);
    let opened = parsed.scenario.unwrap_or_else(|| panic!("{:?}\n{}", parsed.diagnostics, example.text));
    assert!(run::run(&opened, broken).report.violated(property), "{}", example.text);
}

#[test]
fn a_stall_between_check_and_effect_is_found() {
    tells_apart(include_str!("../static/presets/check-then-write.toml"), Kind::Stall, StaleWrite, 0, 1);
}

#[test]
fn an_end_that_releases_first_is_found() {
    tells_apart(include_str!("variants/polite-end.toml"), Kind::ShutDown, LostUpdate, 1, 0);
}

#[test]
fn sides_that_both_serve_are_found() {
    tells_apart(include_str!("variants/sides-of-a-split.toml"), Kind::Partition, GrantOverlap, 0, 3);
}

const REPLICATED: &str = r#"
schema = "fencepost.scenario/1"
horizon = "20s"
lock.ttl = "3s"
client.retry = "1s"
worker = [{ name = "W1" }, { name = "W2", start = "20ms" }]
design = [{ protection = "consensus+activation" }, { protection = "activation", client.on_cancel = "keep" }]
"#;

#[test]
fn the_reductions_change_no_verdict_with_these_kinds_either() {
    let scenario = bare(REPLICATED);
    let kinds = [Kind::Stall, Kind::Partition, Kind::Cancel, Kind::ShutDown];
    for design in [0, 1] {
        for kind in kinds {
            let one = answer(&scenario, design, bounds(&scenario, design, &[kind], 1, &Property::JUDGED));
            let strikes = kind != Kind::Partition || design == 0;
            assert_eq!(one.schedules() > 1, strikes, "{kind:?}: a single server cannot be split");
        }
        let with = bounds(&scenario, design, &[Kind::Cancel, Kind::Stall, Kind::Pause], 2, &Property::JUDGED);
        let without = Bounds { reduces: false, ..with.clone() };
        let (with, without) = (answer(&scenario, design, with), answer(&scenario, design, without));
        for p in Property::JUDGED {
            assert_eq!(with.fewest(p), without.fewest(p), "{p}");
        }
        assert!(with.schedules() < without.schedules(), "something was left out");
    }
}
