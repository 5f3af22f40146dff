//! The reference, written from the table.

/// The text of `docs/scenario-format.md`.
pub fn reference() -> String {
    String::new()
}
