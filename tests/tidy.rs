//! The rules of the house that no compiler checks, each as a test that names file and line and says what to do.
//!
//! The tests read the source as text. Comments, strings and `#[cfg(test)]` items are blanked first (see `source`), so a rule
//! speaks about what the product does, and an essay may mention what the code must not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Which module of the library may name which others. A row's absence is an error too: a new module states its place here
/// and in ARCHITECTURE.md.
const ALLOWED: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("trace", &["base"]),
    ("protocol", &["base"]),
    ("sim", &["base", "trace", "protocol"]),
    ("check", &["base", "trace"]),
    ("scenario", &["base", "protocol", "sim"]),
    ("run", &["base", "trace", "protocol", "sim", "check", "scenario"]),
    ("explore", &["base", "trace", "protocol", "sim", "check", "scenario", "run"]),
    ("view", &["base", "trace", "check"]),
    ("why", &["base", "trace", "check", "scenario", "run", "protocol", "view"]),
    ("app", &["base", "trace", "scenario", "run", "view", "check"]),
    ("export", &["base", "trace", "scenario", "run", "view", "check", "app"]),
    ("annex", &["base", "trace", "scenario", "run", "view", "check", "why", "app", "export"]),
    ("ui", &["base", "trace", "scenario", "run", "view", "check", "app", "web"]),
    ("web", &["base"]),
];

/// The modules that may know of a browser. All others are pure: no browser, no clock, no I/O, no hash order.
const SHELLS: &[&str] = &["ui", "web", "bin"];

/// Crates of the browser; `gloo` stands for the whole family.
const BROWSER_CRATES: &[&str] = &["yew", "web_sys", "js_sys", "wasm_bindgen", "gloo"];

#[test]
fn modules_use_only_what_the_table_allows() {
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in tree.library() {
        let module = file.module.as_str();
        let Some(allowed) = allowed(module) else {
            faults.add(
                file,
                1,
                format!("module `{module}` has no row in the table: add one to ALLOWED in tests/tidy.rs and to ARCHITECTURE.md"),
            );
            continue;
        };
        for reference in root_references(file) {
            let (name, line) = (reference.name.as_str(), reference.line);
            if name == module || allowed.contains(&name) {
                continue;
            }
            if tree.modules.contains(name) {
                faults.add(
                    file,
                    line,
                    format!(
                        "`{module}` may not use `{name}` (it may use: {}): move the code, or pass in what it needs",
                        list(allowed)
                    ),
                );
            } else if !reference.is_macro {
                faults.add(
                    file,
                    line,
                    format!(
                        "`crate::{name}` hides where `{name}` lives: name its module, so that the table can be checked"
                    ),
                );
            }
        }
    }
    faults.report();
}

#[test]
fn pure_modules_do_not_name_the_browser() {
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in tree.pure() {
        for word in words(&file.code) {
            let of_browser = BROWSER_CRATES
                .iter()
                .any(|name| word.text == *name || (*name == "gloo" && word.text.starts_with("gloo_")));
            if of_browser {
                faults.add(
                    file,
                    word.line,
                    format!(
                        "`{}` in a pure module: put the browser's part into `web` or `ui`, and pass values",
                        word.text
                    ),
                );
            }
        }
    }
    faults.report();
}

#[test]
fn pure_modules_have_no_clock_and_no_io() {
    const BANNED: &[&str] = &[
        "std::time::Instant",
        "std::time::SystemTime",
        "Instant::now",
        "SystemTime::now",
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "std::thread",
    ];
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in tree.pure() {
        for needle in BANNED {
            for line in lines_with(&file.code, needle) {
                faults.add(
                    file,
                    line,
                    format!(
                        "`{needle}` in a pure module: a run is a function of its inputs, so take this as an argument"
                    ),
                );
            }
        }
    }
    faults.report();
}

#[test]
fn pure_modules_use_ordered_collections() {
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in tree.pure() {
        for word in words(&file.code) {
            if word.text == "HashMap" || word.text == "HashSet" {
                let ordered = word.text.replace("Hash", "BTree");
                faults.add(
                    file,
                    word.line,
                    format!("`{}` has no stable order: use `{ordered}`, or a `Vec` indexed by a small id", word.text),
                );
            }
        }
    }
    faults.report();
}

#[test]
fn every_source_file_opens_with_what_it_is_for() {
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in &tree.files {
        if !file.text.starts_with("//!") {
            faults.add(file, 1, "start the file with `//!` and say what it is for and what is absent".into());
        }
    }
    faults.report();
}

#[test]
fn nothing_is_left_unfinished() {
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in &tree.files {
        for name in ["todo!", "unimplemented!", "dbg!"] {
            for line in lines_with(&file.code, name) {
                faults.add(file, line, format!("`{name}` is for work in progress: finish it or take it out"));
            }
        }
    }
    faults.report();
}

#[test]
fn no_unwrap_outside_tests() {
    let tree = Tree::read();
    let mut faults = Faults::default();
    for file in &tree.files {
        for line in lines_with(&file.code, ".unwrap()") {
            faults.add(
                file,
                line,
                "`.unwrap()` tells nobody what went wrong: return an error, or `expect(\"the invariant that holds here\")`".into(),
            );
        }
    }
    faults.report();
}

#[test]
fn architecture_lists_exactly_what_stands_in_src() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    let listed = listed_in_code_blocks(&text);
    let mut standing = BTreeSet::new();
    for entry in sorted_entries(&root().join("src")) {
        let name = file_name(&entry);
        if entry.is_dir() {
            standing.insert(format!("src/{name}/"));
        } else if name.ends_with(".rs") {
            standing.insert(format!("src/{name}"));
        }
    }
    let mut message = String::new();
    for missing in standing.difference(&listed) {
        let _ = writeln!(
            message,
            "ARCHITECTURE.md: `{missing}` stands but is not listed: add a line with it to the block of modules"
        );
    }
    for gone in listed.difference(&standing) {
        let line = text.lines().position(|line| line.contains(gone.as_str())).map_or(1, |at| at + 1);
        let _ = writeln!(message, "ARCHITECTURE.md:{line}: `{gone}` is listed but does not stand: take the line out");
    }
    assert!(message.is_empty(), "\n{message}");
}

#[test]
fn no_path_of_one_machine() {
    // Written in halves, so that this file does not find itself.
    let needles: Vec<String> = [("/ho", "me/"), ("/ro", "ot/"), ("/Us", "ers/"), ("/wo", "rk/"), ("C:\\", "Users")]
        .iter()
        .map(|(a, b)| format!("{a}{b}"))
        .collect();
    let mut message = String::new();
    for path in project_files() {
        let Ok(text) = fs::read_to_string(&path) else {
            continue; // not text
        };
        for (at, line) in text.lines().enumerate() {
            for needle in &needles {
                // `https://example.org/home/` is not a path of a machine: what stands before it tells.
                let found = line.match_indices(needle.as_str()).any(|(start, _)| {
                    !line[..start].ends_with(|before: char| before.is_alphanumeric() || "._-/$}~".contains(before))
                });
                if found {
                    let _ = writeln!(
                        message,
                        "{}:{}: `{needle}` is a path of one machine: make it relative, or take it from the environment",
                        shown(&path),
                        at + 1
                    );
                }
            }
        }
    }
    assert!(message.is_empty(), "\n{message}");
}

#[test]
fn every_package_is_licensed_alike() {
    const LICENCE: &str = "license = \"MIT OR Apache-2.0\"";
    let mut message = String::new();
    for path in project_files() {
        if file_name(&path) != "Cargo.toml" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a manifest is text");
        if text.contains("[package]") && !text.lines().any(|line| line == LICENCE) {
            let _ = writeln!(message, "{}:1: add `{LICENCE}`", shown(&path));
        }
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        if !root().join(name).is_file() {
            let _ = writeln!(message, "{name}:1: the file is missing, but Cargo.toml names it");
        }
    }
    assert!(message.is_empty(), "\n{message}");
}

// ---------------------------------------------------------------------------------------------------------------------
// The checker, checked: each rule's reader on a small text, so that a rule cannot pass because it sees nothing.
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn blanking_keeps_lines_and_code() {
    let source = "let a = \"crate::sim // \\\" no\"; // crate::sim\n/* x /* y */ z */ let b = 'x'; let c: &'static str = r#\"a\"b\"#;\n";
    let code = blank_comments_and_strings(source);
    assert_eq!(code.lines().count(), 2);
    assert!(!code.contains("sim") && !code.contains('z') && !code.contains("a\"b"));
    assert!(code.contains("let b =") && code.contains("&'static str"));
}

#[test]
fn test_items_are_blanked_and_code_after_them_is_not() {
    let source = "#[cfg(test)]\n#[allow(x)]\nmod tests { fn f() { g().unwrap() } }\nfn h() { k().unwrap() }\n#[cfg(test)]\nuse a::b;\nfn m() {}\n";
    let code = blank_test_items(&blank_comments_and_strings(source));
    assert_eq!(lines_with(&code, ".unwrap()"), [4]);
    assert!(!code.contains("a::b") && code.contains("fn m()"));
}

#[test]
fn references_are_found_in_every_form() {
    let file = SourceFile::new(
        Path::new("src/check/mutex.rs"),
        "use crate::{base::time, sim::{step, world},\n trace};\nfn f() { crate::view::paint(); crate::note!(); }\nuse super::super::app::State;\n",
    );
    let found: Vec<(String, usize)> = root_references(&file).into_iter().map(|it| (it.name, it.line)).collect();
    let expected = [("base", 1), ("sim", 1), ("trace", 2), ("view", 3), ("note", 3), ("app", 4)];
    assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line)));
}

#[test]
fn a_module_file_reaches_the_root_with_one_super() {
    let in_mod = SourceFile::new(Path::new("src/check/mod.rs"), "use super::sim::step;\n");
    assert_eq!(root_references(&in_mod)[0].name, "sim");
    let alone = SourceFile::new(Path::new("src/run.rs"), "use super::view::Axis;\n");
    assert_eq!(root_references(&alone)[0].name, "view");
    let below = SourceFile::new(Path::new("src/check/mutex.rs"), "use super::report::R;\n");
    assert!(root_references(&below).is_empty());
}

#[test]
fn the_table_has_no_cycle() {
    // Rows stand in an order in which each names only modules that stand above it, but for the two shells.
    let mut above = BTreeSet::new();
    for (module, allowed) in ALLOWED {
        for name in *allowed {
            assert!(
                above.contains(name) || SHELLS.contains(name),
                "`{module}` may use `{name}`, which stands below it"
            );
        }
        above.insert(module);
    }
}

#[test]
fn listed_modules_are_read_from_code_blocks_only() {
    let text =
        "`src/no/` is prose\n```text\nsrc/base/     leaf\n  time.rs     detail\nsrc/run.rs    one\n```\nsrc/out/\n";
    let listed: Vec<String> = listed_in_code_blocks(text).into_iter().collect();
    assert_eq!(listed, ["src/base/", "src/run.rs"]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

/// All source files of the package, and the names of its top modules.
struct Tree {
    files: Vec<SourceFile>,
    modules: BTreeSet<String>,
}

struct SourceFile {
    /// Relative to the root, with forward slashes.
    path: String,
    /// First component below `src/`: `sim` for `src/sim/step.rs` and for `src/sim.rs`.
    module: String,
    text: String,
    /// `text` with comments, strings and test items blanked; the same lines.
    code: String,
}

impl Tree {
    fn read() -> Self {
        let mut paths = Vec::new();
        walk(&root().join("src"), &mut paths);
        let mut files: Vec<SourceFile> = paths
            .iter()
            .filter(|path| path.extension().is_some_and(|it| it == "rs"))
            .map(|path| {
                let text = fs::read_to_string(path).expect("source is text");
                SourceFile::new(path.strip_prefix(root()).expect("below the root"), &text)
            })
            .collect();
        assert!(!files.is_empty(), "no source found: this test looks in the wrong place");

        // `#[cfg(test)] mod fixtures;` makes a whole file a test item.
        let for_tests: Vec<String> = files.iter().flat_map(test_only_modules).collect();
        for file in &mut files {
            let test_only = for_tests
                .iter()
                .any(|stem| file.path == format!("{stem}.rs") || file.path.starts_with(&format!("{stem}/")));
            if test_only {
                file.code = "\n".repeat(file.text.lines().count());
            }
        }

        let modules = files
            .iter()
            .map(|file| file.module.clone())
            .filter(|name| !["lib", "bin"].contains(&name.as_str()))
            .collect();
        Self { files, modules }
    }

    /// Modules with a row in the table: everything but the crate's root and the binaries.
    fn library(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().filter(|file| !["lib", "bin"].contains(&file.module.as_str()))
    }

    fn pure(&self) -> impl Iterator<Item = &SourceFile> {
        self.library().filter(|file| !SHELLS.contains(&file.module.as_str()))
    }
}

impl SourceFile {
    fn new(path: &Path, text: &str) -> Self {
        let path = path.to_string_lossy().replace('\\', "/");
        let below = path.strip_prefix("src/").expect("a file of src/");
        let module = below.split('/').next().expect("never empty");
        let module = module.trim_end_matches(".rs").to_owned();
        let code = blank_test_items(&blank_comments_and_strings(text));
        Self { path, module, text: text.to_owned(), code }
    }

    /// How many `super::` lead from this file to the crate's root.
    fn depth(&self) -> usize {
        let components = self.path.split('/').count() - 1; // without `src`
        if self.path.ends_with("/mod.rs") { components - 1 } else { components }
    }
}

struct Word<'a> {
    text: &'a str,
    start: usize,
    line: usize,
}

/// All identifiers and keywords, in order.
fn words(code: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut line = 1;
    let mut start = None;
    for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
        match (start, is_part(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push(Word { text: &code[from..at], start: from, line });
                start = None;
            }
            _ => {}
        }
        if c == '\n' {
            line += 1;
        }
    }
    words
}

struct Reference {
    name: String,
    line: usize,
    is_macro: bool,
}

/// The names that follow `crate::`, or as many `super::` as lead to the root, also inside `{...}` groups.
fn root_references(file: &SourceFile) -> Vec<Reference> {
    let code = &file.code;
    let words = words(code);
    let mut found = Vec::new();
    let mut supers = 0;
    for (at, word) in words.iter().enumerate() {
        let end = word.start + word.text.len();
        let rest = &code[end..];
        match word.text {
            "super" => supers += 1,
            "crate" => {}
            _ => {
                supers = 0;
                continue;
            }
        }
        let Some(after) = rest.trim_start().strip_prefix("::") else {
            supers = 0;
            continue;
        };
        if word.text == "super" && supers != file.depth() {
            continue;
        }
        supers = 0;
        let after = after.trim_start();
        if after.starts_with('{') {
            let open = code.len() - after.len();
            for word in top_level_of_group(code, open, &words[at + 1..]) {
                found.push(Reference { name: word.text.to_owned(), line: word.line, is_macro: false });
            }
        } else if let Some(next) = words.get(at + 1) {
            let behind = &code[next.start + next.text.len()..];
            // `super::item` names a sibling item; only a path through it is a reference to a module.
            if word.text == "super" && !behind.trim_start().starts_with("::") {
                continue;
            }
            found.push(Reference { name: next.text.to_owned(), line: next.line, is_macro: behind.starts_with('!') });
        }
    }
    found
}

/// The first word of each part of a `{a::b, c::{d, e}, f}` group that opens at `open`.
fn top_level_of_group<'w, 'c>(code: &str, open: usize, words: &'w [Word<'c>]) -> Vec<&'w Word<'c>> {
    let mut depth = 0;
    let mut expects_name = false;
    let mut names = Vec::new();
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => {
                depth += 1;
                expects_name = depth == 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ',' if depth == 1 => expects_name = true,
            c if c.is_alphanumeric() || c == '_' => {
                if expects_name && let Some(word) = words.iter().find(|it| it.start == open + at) {
                    names.push(word);
                }
                expects_name = false;
            }
            _ => {}
        }
    }
    names
}

/// Paths without `.rs` of the modules that this file declares under `#[cfg(test)]`.
fn test_only_modules(file: &SourceFile) -> Vec<String> {
    let folder = match file.path.strip_suffix("/mod.rs").or(file.path.strip_suffix("/lib.rs")) {
        Some(folder) => folder,
        None => file.path.trim_end_matches(".rs"),
    };
    let code = blank_comments_and_strings(&file.text);
    let mut stems = Vec::new();
    for (start, end) in test_items(&code) {
        let words = words(&code[start..end]);
        if let Some(at) = words.iter().position(|word| word.text == "mod")
            && code[start..end].trim_end().ends_with(';')
            && let Some(name) = words.get(at + 1)
        {
            stems.push(format!("{folder}/{}", name.text));
        }
    }
    stems
}

/// Replaces each character of comments, strings and character literals by a space, and keeps line ends.
fn blank_comments_and_strings(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = end_of_comment_or_string(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// Where the comment, string or character literal that starts at `at` ends; `at` itself if none starts there.
fn end_of_comment_or_string(chars: &[char], at: usize) -> usize {
    let get = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let end_of_quoted = |open: usize, quote: char| {
        let mut at = open + 1;
        while at < chars.len() && chars[at] != quote {
            at += if chars[at] == '\\' { 2 } else { 1 };
        }
        (at + 1).min(chars.len())
    };
    match get(at) {
        '/' if get(at + 1) == '/' => {
            let mut end = at;
            while end < chars.len() && chars[end] != '\n' {
                end += 1;
            }
            end
        }
        '/' if get(at + 1) == '*' => {
            let (mut depth, mut end) = (1, at + 2);
            while end < chars.len() && depth > 0 {
                match (chars[end], get(end + 1)) {
                    ('/', '*') => (depth, end) = (depth + 1, end + 2),
                    ('*', '/') => (depth, end) = (depth - 1, end + 2),
                    _ => end += 1,
                }
            }
            end
        }
        '"' => end_of_quoted(at, '"'),
        // A character, or else a lifetime or a label.
        '\'' if get(at + 1) == '\\' || get(at + 2) == '\'' => end_of_quoted(at, '\''),
        // A raw string, unless the `r` ends a longer word.
        'r' => {
            let before = at.checked_sub(1).map_or(' ', get);
            let in_word = (before.is_alphanumeric() && before != 'b' && before != 'c') || before == '_';
            let mut hashes = 0;
            while get(at + 1 + hashes) == '#' {
                hashes += 1;
            }
            if in_word || get(at + 1 + hashes) != '"' {
                return at;
            }
            let mut end = at + 2 + hashes;
            while end < chars.len() {
                if chars[end] == '"' && (0..hashes).all(|n| get(end + 1 + n) == '#') {
                    return end + 1 + hashes;
                }
                end += 1;
            }
            end
        }
        _ => at,
    }
}

/// Replaces items under `#[cfg(test)]` by spaces, and keeps line ends. Expects comments and strings blanked.
fn blank_test_items(code: &str) -> String {
    let mut blanked = code.to_owned();
    for (start, end) in test_items(code) {
        let spaces: String = code[start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        blanked.replace_range(start..end, &spaces);
    }
    blanked
}

/// Byte ranges of the items under `#[cfg(test)]` or `#[cfg(all(test, ...))]`, and of the rest of a file under `#![cfg(test)]`.
fn test_items(code: &str) -> Vec<(usize, usize)> {
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(start) = ["#[cfg(test", "#[cfg(all(test", "#![cfg(test"]
        .iter()
        .filter_map(|needle| code[from..].find(needle))
        .min()
        .map(|at| from + at)
    {
        let end = if code[start..].starts_with("#!") { code.len() } else { end_of_item(code, start) };
        items.push((start, end));
        from = end;
    }
    items
}

/// Where the item whose attributes begin at `start` ends: after its `;` or its block, whichever comes first.
fn end_of_item(code: &str, start: usize) -> usize {
    let (mut brackets, mut braces) = (0, 0);
    for (at, byte) in code[start..].bytes().enumerate() {
        match byte {
            b'[' | b'(' => brackets += 1,
            b']' | b')' => brackets -= 1,
            b'{' => braces += 1,
            b'}' => {
                braces -= 1;
                if braces < 0 {
                    return start + at; // the last field or arm of what surrounds it
                }
                if braces == 0 && brackets == 0 {
                    return start + at + 1;
                }
            }
            b';' if braces == 0 && brackets == 0 => return start + at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Numbers of the lines that hold `needle`, not as a part of a longer word.
fn lines_with(code: &str, needle: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.lines()
        .enumerate()
        .filter(|(_, line)| {
            line.match_indices(needle).any(|(at, _)| {
                let (before, after) = (&line[..at], &line[at + needle.len()..]);
                let begins_inside = needle.starts_with(is_part) && before.ends_with(is_part);
                let ends_inside = needle.ends_with(is_part) && after.starts_with(is_part);
                !begins_inside && !ends_inside
            })
        })
        .map(|(at, _)| at + 1)
        .collect()
}

/// What ARCHITECTURE.md lists: the lines of its code blocks that begin with `src/name/` or `src/name.rs`.
fn listed_in_code_blocks(text: &str) -> BTreeSet<String> {
    let mut listed = BTreeSet::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if in_block
            && let Some(first) = line.split_whitespace().next()
            && line.starts_with("src/")
        {
            listed.insert(first.to_owned());
        }
    }
    listed
}

fn allowed(module: &str) -> Option<&'static [&'static str]> {
    let table: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    table.get(module).copied()
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the project: what is built, installed or kept by git is left out.
fn project_files() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    walk(root(), &mut paths);
    paths
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in sorted_entries(folder) {
        if [".git", "target", "dist", "node_modules"].contains(&file_name(&path).as_str()) {
            continue;
        }
        if path.is_dir() {
            walk(&path, paths);
        } else {
            paths.push(path);
        }
    }
}

fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    entries.sort();
    entries
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Collects everything that is wrong before a test fails, so that one run shows it all.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, file: &SourceFile, line: usize, what: String) {
        self.0.push(format!("{}:{line}: {what}", file.path));
    }

    fn report(self) {
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
    }
}
