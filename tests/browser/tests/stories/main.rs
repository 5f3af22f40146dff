//! Every story, in every engine in which it can be told.

use browser_tests::story::{self, Story};
use std::process::ExitCode;

mod access;
mod annex;
mod build;
mod compare;
mod drag;
mod explore;
mod first;
mod handing;
mod hands;
mod harness;
mod hindered;
mod hostile;
mod long;
mod page;
mod paper;
mod rest;
mod sweep;
mod texts;
mod why;

fn main() -> ExitCode {
    let stories: &[(&str, &'static [Story])] = &[
        ("harness", harness::STORIES),
        ("first", first::STORIES),
        ("page", page::STORIES),
        ("hands", hands::STORIES),
        ("handing", handing::STORIES),
        ("hindered", hindered::STORIES),
        ("hostile", hostile::STORIES),
        ("paper", paper::STORIES),
        ("access", access::STORIES),
        ("access", access::ELSEWHERE),
        ("annex", annex::STORIES),
        ("compare", compare::STORIES),
        ("drag", drag::STORIES),
        ("build", build::STORIES),
        ("rest", rest::STORIES),
        ("explore", explore::STORIES),
        ("sweep", sweep::STORIES),
        ("texts", texts::STORIES),
        ("why", why::STORIES),
        ("long", long::STORIES),
    ];
    story::tell(stories, &[("page", page::TIMED)])
}
