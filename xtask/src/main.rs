//! `cargo xtask`: everything the project does besides compiling itself.
fn main() {}
