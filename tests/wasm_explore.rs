//! A search in wasm counts what it counts natively.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[path = "explore/driven.rs"]
mod driven;
#[path = "explore/pinned.rs"]
mod pinned;

#[wasm_bindgen_test]
fn a_search_counts_in_wasm_what_it_counts_natively() {
    pinned::compare();
}

#[wasm_bindgen_test]
fn a_search_on_the_page_counts_in_wasm_what_it_counts_natively() {
    let mut page = driven::Page::open(driven::TWO_WORKERS, 2);
    page.set(&driven::SMALL);
    page.run(true);
    page.work(usize::MAX);
    assert_eq!(page.counts(), pinned::PINNED);
}
