//! Every story, in every engine in which it can be told.

use browser_tests::story::{self, Story};
use std::process::ExitCode;

mod annex;
mod compare;
mod first;
mod hands;
mod harness;
mod page;

fn main() -> ExitCode {
    let stories: &[(&str, &'static [Story])] = &[
        ("harness", harness::STORIES),
        ("first", first::STORIES),
        ("page", page::STORIES),
        ("hands", hands::STORIES),
        ("annex", annex::STORIES),
        ("compare", compare::STORIES),
    ];
    story::tell(stories, &[("page", page::TIMED)])
}
