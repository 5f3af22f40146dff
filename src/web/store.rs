//! Remembering things between visits, where that is allowed; otherwise for as long as the page is open.
//!
//! Storage can be absent (a sandboxed frame), forbidden (private windows, policies) or full. None of that is worth a message: the page
//! works the same, it only forgets sooner.

use super::dom;
use crate::base::flat::FlatMap;
use std::cell::RefCell;
use web_sys::Storage;

thread_local! {
    static MEMORY: RefCell<FlatMap<String, String>> = const { RefCell::new(FlatMap::new()) };
}

/// Names are prefixed: other pages may live on the same origin.
fn key(name: &str) -> String {
    format!("fencepost.{name}")
}

/// Even to ask for it may throw.
fn storage() -> Option<Storage> {
    dom::window()?.local_storage().ok().flatten()
}

pub fn get(name: &str) -> Option<String> {
    let key = key(name);
    MEMORY.with(|m| m.borrow().get(&key).cloned()).or_else(|| storage()?.get_item(&key).ok().flatten())
}

pub fn set(name: &str, value: &str) {
    let key = key(name);
    let kept = storage().is_some_and(|s| s.set_item(&key, value).is_ok());
    MEMORY.with(|m| {
        // What storage keeps is not kept twice; what it refused is kept here.
        if kept {
            m.borrow_mut().remove(&key)
        } else {
            m.borrow_mut().insert(key, value.to_string())
        };
    });
}
