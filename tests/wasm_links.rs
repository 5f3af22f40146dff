//! The same links in wasm as natively, letter by letter, and the same answers to broken ones.
#![cfg(target_arch = "wasm32")]

use fencepost::export::address::{Asked, read};
use fencepost::export::link::pack;
use fencepost::scenario::{parse, preset};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn links_are_the_same_in_wasm() {
    let mut lines = include_str!("golden/links.txt").lines();
    for p in preset::all() {
        let scenario = parse(p.text).scenario.expect("presets have no errors");
        assert_eq!(lines.next(), Some(format!("{}\t{}", p.id, pack(&scenario)).as_str()));
    }
    assert_eq!(lines.next(), None);
}

#[wasm_bindgen_test]
fn broken_links_are_refused_in_wasm() {
    for line in include_str!("links/broken.txt").lines().filter(|l| !l.starts_with("# ")) {
        let mut row = line.split('\t').skip(1);
        let (Some(link), Some(wanted)) = (row.next(), row.next()) else { panic!("{line}") };
        let Asked::Refused(refusal) = read(link) else { panic!("{line}") };
        assert!(wanted.split('|').any(|w| refusal.why.contains(w)), "{line}: {}", refusal.why);
    }
}
