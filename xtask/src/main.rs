//! `cargo xtask`: everything the project does besides compiling itself.
//!
//! Reading order: `test` (the stages that judge a change), `page` (serve and build the page), `squeeze` (what is taken out of
//! it), `split` and
//! `record` (the program in two parts), `sorted` and `pack` (how programs are packed), `annex` (the second program, put together), `texts` (what the page fetches), `tools`
//! and `browsers` (what they need and where it is kept), `shell` (running commands). Nothing here knows what the product does.

// A tool may look at the clock.
#![allow(clippy::disallowed_methods)]

mod annex;
mod browsers;
mod pack;
mod page;
mod record;
mod shell;
mod sorted;
mod split;
mod squeeze;
mod test;
mod texts;
mod tools;

use std::process::ExitCode;

/// What went wrong, in words for a person at a terminal.
type Result<T = ()> = std::result::Result<T, String>;

const USAGE: &str = "\
usage: cargo xtask <command>

  serve [--port N] [--release]   build the page, serve it on this machine, rebuild when a file changes
  dist                           build the optimised page into dist/ and print what it weighs
  texts                          write the file of texts; Trunk calls it
  record                         record again which functions the first view runs, when its part of the program has grown
  test [--quick] [--only STAGE]  check everything; the last line is `N passed, N failed`
                                 --quick leaves out what needs a server or the optimised page: conformance, dist, size, browser
                                 --only may be given several times

The first run of each installs what is missing, and says so. See CONTRIBUTING.md.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.split_first() {
        Some((&"serve", rest)) => page::serve(rest),
        Some((&"dist", [])) => page::dist_and_sizes(),
        Some((&"texts", [])) => texts::write(),
        Some((&"record", [])) => record::record(),
        Some((&"test", rest)) => test::run(rest),
        Some((&("help" | "--help" | "-h"), _)) => {
            print!("{USAGE}\n{}", test::stage_list());
            Ok(())
        }
        _ => Err(format!("{USAGE}\n{}", test::stage_list())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A failed `test` has said everything on stdout already, and its closing line must stay the last.
            if !message.is_empty() {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}
