//! Every story, in every engine in which it can be told.

use browser_tests::story;
use std::process::ExitCode;

mod first;
mod hands;
mod harness;
mod page;

fn main() -> ExitCode {
    story::tell(&[
        ("harness", harness::STORIES),
        ("first", first::STORIES),
        ("page", page::STORIES),
        ("page", page::TIMED),
        ("hands", hands::STORIES),
    ])
}
