//! A search in wasm counts what it counts natively.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[path = "explore/pinned.rs"]
mod pinned;

#[wasm_bindgen_test]
fn a_search_counts_in_wasm_what_it_counts_natively() {
    pinned::compare();
}
