//! Remembering things between visits, where that is allowed; otherwise for as long as the page is open.
//!
//! Storage can be absent (a sandboxed frame), forbidden (private windows, policies) or full. None of that is worth a message: the page
//! works the same, it only forgets sooner.

use super::dom;
use std::cell::RefCell;
use web_sys::Storage;

thread_local! {
    static MEMORY: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Names are prefixed: other pages may live on the same origin.
fn key(name: &str) -> String {
    ["fencepost.", name].concat()
}

/// Even to ask for it may throw.
fn storage() -> Option<Storage> {
    dom::window()?.local_storage().ok().flatten()
}

pub fn get(name: &str) -> Option<String> {
    let key = key(name);
    let kept = MEMORY.with(|m| m.borrow().iter().find(|kept| kept.0 == key).map(|kept| kept.1.clone()));
    kept.or_else(|| storage()?.get_item(&key).ok().flatten())
}

/// Remembers; false: only for as long as the page is open.
pub fn set(name: &str, value: &str) -> bool {
    let key = key(name);
    let kept = storage().is_some_and(|s| s.set_item(&key, value).is_ok());
    MEMORY.with(|m| {
        let mut memory = m.borrow_mut();
        memory.retain(|old| old.0 != key);
        // What storage keeps is not kept twice; what it refused is kept here.
        if !kept {
            memory.push((key, value.to_string()));
        }
    });
    kept
}
