//! The written pages against what stands beside them: a file that a page names exists, a preset that it names is one, a link leads somewhere.
//!
//! A list of files that nobody checks is soon a list of files that were. Two things are made and not written, so this test does not ask
//! for them: the reference of the language, which another test holds to the registry, and pictures.

use fencepost::scenario::preset;
use std::fs;
use std::path::{Path, PathBuf};

const MADE: [&str; 2] = ["docs/scenario-format.md", "docs/images/"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Path from the root, and text, of every page.
fn pages() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["", "docs", "docs/protocols"] {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
        paths.extend(entries.map(|e| e.expect("a readable entry").path()));
    }
    paths.retain(|p| p.extension().is_some_and(|e| e == "md"));
    paths.sort();
    assert!(paths.len() > 5, "no pages found: this test looks in the wrong place");
    paths
        .into_iter()
        .map(|p| {
            let shown = p.strip_prefix(root()).expect("below the root").display().to_string();
            (shown, fs::read_to_string(&p).expect("a page is text"))
        })
        .collect()
}

fn is_there(path: &str) -> bool {
    MADE.iter().any(|made| path.starts_with(made)) || root().join(path).exists()
}

/// Words in back-quotes, line by line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn files_that_a_page_names_exist() {
    const FOLDERS: [&str; 7] = ["src/", "tests/", "static/", "docs/", "benches/", "xtask/", "examples/"];
    let mut gone = Vec::new();
    for (page, text) in pages() {
        for (at, line) in text.lines().enumerate() {
            // A pattern, a place-holder in capitals or a sentence is no path.
            let path = |w: &&str| {
                FOLDERS.iter().any(|f| w.starts_with(f))
                    && !w.contains(['*', ' ', '…'])
                    && !w.chars().any(char::is_uppercase)
            };
            gone.extend(quoted(line).filter(path).filter(|w| !is_there(w)).map(|w| format!("{page}:{}: {w}", at + 1)));
        }
    }
    assert!(gone.is_empty(), "these do not stand:\n{}", gone.join("\n"));
}

#[test]
fn files_in_the_tree_of_modules_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    let (mut folder, mut named, mut gone) = ("", 0, Vec::new());
    for line in text.lines() {
        let Some((names, _)) = line.trim_start().split_once("  ") else { continue };
        if line.starts_with("src/") {
            folder = names;
        } else if line.starts_with("  ") && !folder.is_empty() {
            for name in names.split(", ").filter(|n| !n.contains('*')) {
                named += 1;
                if !root().join(folder).join(name).exists() {
                    gone.push(format!("{folder}{name}"));
                }
            }
        } else {
            folder = "";
        }
    }
    assert!(named > 40, "the tree is read in the wrong way");
    assert!(gone.is_empty(), "ARCHITECTURE.md lists what does not stand:\n{}", gone.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let mut gone = Vec::new();
    for (page, text) in pages() {
        let folder = Path::new(&page).parent().unwrap_or(Path::new("")).to_path_buf();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            let inside = !path.is_empty() && !path.contains("://");
            if inside && !is_there(&folder.join(path).display().to_string()) {
                gone.push(format!("{page}: {target}"));
            }
        }
    }
    assert!(gone.is_empty(), "these links lead nowhere:\n{}", gone.join("\n"));
}

#[test]
fn presets_that_an_essay_names_are_presets() {
    let mut named = 0;
    for (page, text) in pages().into_iter().filter(|(p, _)| p.starts_with("docs/protocols/")) {
        let table = text.lines().skip_while(|l| *l != "| what | preset |").skip(2).take_while(|l| l.starts_with('|'));
        for line in table {
            let cell = line.split('|').nth(2).unwrap_or_default();
            for id in quoted(cell).filter(|w| w.contains('-')) {
                named += 1;
                assert!(preset::by_id(id).is_some(), "{page}: there is no preset {id}");
            }
        }
    }
    assert!(named > 15, "the tables are read in the wrong way");
}
