//! Records which functions the first view runs, and writes the others into `later.txt` (`split.rs` says what for).
//!
//! The page is built with a note at the start of every function, opened in a browser at several widths, played and stepped through; then the
//! notes are read. It is a person's step, taken when the first part has grown: `cargo xtask record`.

use crate::Result;
use crate::shell::{capture, command, root, say};
use crate::split::{Program, modules, plain};
use crate::squeeze::{FEATURES, read, the_in, write};
use crate::tools::{self, Tools};
use crate::{browsers, shell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const HEAD: &str = "\
# What the first view does not need: functions and modules (with `::` at the end) that did not run while it was opened at several widths,
# played and stepped through. `cargo xtask record` writes this; xtask/src/split.rs says what it is for. A function that is not here comes
# with the first view.
";

pub fn record() -> Result {
    let tools = tools::for_page()?;
    let dist = root().join("target/recorded");
    let mut build = tools.command("trunk", &["build", "--release", "--public-url", "./", "--dist"]);
    shell::run(build.arg(&dist))?;
    let names = note_functions(&tools, &dist)?;
    let mut tell = command("cargo", &["run", "--quiet", "-p", "browser-tests", "--bin", "first_view"]);
    tell.env("FENCEPOST_DIST", &dist).envs(browsers::all()?);
    let said = capture(&mut tell)?;
    let ran: BTreeSet<usize> = said.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let later = later(names.iter().enumerate().map(|(i, name)| (name.as_str(), ran.contains(&i))));
    say(&format!("{} of {} functions ran; xtask/later.txt has {} lines", ran.len(), names.len(), later.len()));
    let lines = later.iter().map(|line| format!("{line}\n")).collect::<String>();
    write(&root().join("xtask/later.txt"), &format!("{HEAD}{lines}"))
}

/// Gives every function of the built program a note that it ran, and says what they are called, in the order of the notes' numbers.
fn note_functions(tools: &Tools, dist: &Path) -> Result<Vec<String>> {
    let (program, glue) = (the_in(dist, "app-", ".wasm")?, the_in(dist, "app-", ".js")?);
    let text = capture(tools.command("wasm-dis", FEATURES).arg(&program))?;
    let (noted, names) = with_notes(&text);
    let noted_file = program.with_extension("wat");
    write(&noted_file, &noted)?;
    capture(tools.command("wasm-as", FEATURES).arg("-g").arg(&noted_file).arg("-o").arg(&program))?;
    let begins = "const import0 = {";
    let note = format!("{begins}\n        noteRan: i => (globalThis.ran ||= new Set()).add(i),");
    write(&glue, &read(&glue)?.replace(begins, &note))?;
    Ok(names)
}

fn with_notes(text: &str) -> (String, Vec<String>) {
    let program = Program::read(text);
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut line = |it: &str| {
        out.push_str(it);
        out.push('\n');
    };
    let mut noted = false;
    for it in &program.before {
        if it.starts_with(" (import ") && !std::mem::replace(&mut noted, true) {
            line(" (import \"./app_bg.js\" \"noteRan\" (func $noteRan (param i32)))");
        }
        line(it);
    }
    for (i, function) in program.functions.iter().enumerate() {
        line(&function.first_line());
        // What is local stands first.
        let locals = function.body.iter().take_while(|it| it.starts_with("  (local $")).count();
        let (locals, rest) = function.body.split_at(locals);
        locals.iter().for_each(|it| line(it));
        line(&format!("  (call $noteRan (i32.const {i}))"));
        rest.iter().for_each(|it| line(it));
        line(" )");
    }
    program.after.iter().for_each(|it| line(it));
    (out, program.functions.iter().map(|it| it.name.to_owned()).collect())
}

/// What is later: modules of which nothing ran, the outermost, and single functions elsewhere. Functions of one name are one.
fn later<'n>(functions: impl Iterator<Item = (&'n str, bool)>) -> Vec<String> {
    let mut ran: BTreeMap<String, bool> = BTreeMap::new();
    for (name, it_ran) in functions.filter(|it| it.0.bytes().any(|b| !b.is_ascii_digit())) {
        *ran.entry(plain(name)).or_default() |= it_ran;
    }
    let mut alive: BTreeSet<&str> = BTreeSet::new();
    for (name, _) in ran.iter().filter(|it| *it.1) {
        alive.extend(modules(name));
    }
    let mut later: BTreeSet<String> = BTreeSet::new();
    for (name, _) in ran.iter().filter(|it| !*it.1) {
        let dead = modules(name).find(|module| !alive.contains(module));
        later.insert(dead.unwrap_or(name).to_owned());
    }
    later.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_run_is_named_by_module_where_nothing_of_it_ran() {
        let functions = [
            ("a::b::c::h0123456789abcdef", false),
            ("a::b::d", false),
            ("a::e::f", true),
            ("a::e::g", false),
            ("a::e::twice::h0000000000000001", false),
            ("a::e::twice::h0000000000000002", true),
            ("main", true),
            ("alone", false),
        ];
        assert_eq!(later(functions.into_iter()), ["a::b::", "a::e::g", "alone"]);
    }

    #[test]
    fn every_function_says_that_it_ran() {
        let text = "(module\n (import \"./app_bg.js\" \"say\" (func $say))\n (func $a (param $0 i32)\n  (local $1 i32)\n  (nop)\n )\n (func $b)\n)\n";
        let (noted, names) = with_notes(text);
        assert_eq!(names, ["a", "b"]);
        assert!(noted.contains("(local $1 i32)\n  (call $noteRan (i32.const 0))\n  (nop)"), "{noted}");
        assert_eq!(noted.matches('(').count(), noted.matches(')').count(), "{noted}");
    }
}
