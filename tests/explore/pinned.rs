//! Counts of a small search, which are the same natively and in wasm.

use fencepost::check::Property;
use fencepost::explore::search::{Bounds, Counts, Kind, Search};
use fencepost::scenario::parse;

/// Of each design: schedules run, those up to where they go on like another, and how many broke the first three properties.
pub const PINNED: [(u64, u64, [u64; 3]); 9] = [
    (4_471, 266, [1_064, 1_999, 1_217]),
    (3_955, 231, [160, 386, 237]),
    (3_947, 230, [0, 226, 77]),
    (6_180, 416, [0, 150, 0]),
    (3_955, 231, [160, 386, 237]),
    (3_905, 231, [160, 386, 237]),
    (6_849, 487, [292, 626, 442]),
    (3_897, 230, [0, 226, 77]),
    (6_141, 410, [0, 150, 0]),
];

pub fn compare() {
    let scenario = parse(include_str!("two-workers.toml")).scenario.expect("a story");
    let mut got = Vec::new();
    for design in 0..PINNED.len() {
        let mut each = Counts::default();
        [(Kind::Pause, 1), (Kind::Delay, 1)].into_iter().for_each(|(k, n)| each.set(k, n));
        let bounds = Bounds { each, edges: 1, ..Bounds::of(&scenario, design) };
        let mut search = Search::new(&scenario, design, bounds);
        while search.run_for(1_000) {}
        let count = |of: &dyn Fn(&fencepost::explore::search::Count) -> u64| {
            search.answer().levels.iter().map(|l| of(&l.count)).sum::<u64>()
        };
        let broken = [Property::StaleWrite, Property::NonOwnerWrite, Property::LostUpdate];
        got.push((count(&|c| c.schedules), count(&|c| c.merged), broken.map(|p| count(&|c| c.broken(p)))));
    }
    assert_eq!(got, PINNED);
}
