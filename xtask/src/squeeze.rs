//! What a reader does not need is taken out of the built page: names that only the program and its glue use between them, and the
//! spaces, line breaks and comments by which people read.
//!
//! Nothing that a browser shows changes, but for mistakes of ours that have no words of their own. Each step is small: wasm-opt renames,
//! terser shortens the glue, and what stands in `index.html` is read here, which is ours and plain: no `<pre>`, no text in which
//! several spaces count.

use crate::Result;
use crate::shell::{capture, say};
use crate::split::{ASKED, Later, split};
use crate::tools::{Tools, dist};
use std::fs;
use std::path::{Path, PathBuf};

/// What wasm-opt does once more: names of a letter or two between program and glue, and no notes to tools. It may know that memory is
/// empty at the start, and that the first kilobyte, where the stack would end, is never used: the stack has a thousand more above it.
const PASSES: &[&str] = &[
    "-Oz",
    "--low-memory-unused",
    "--zero-filled-memory",
    "--minify-imports-and-exports-and-modules",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Of these, the passes that look at a program as a whole, with its memory.
const OF_A_WHOLE: &[&str] =
    &["--low-memory-unused", "--zero-filled-memory", "--minify-imports-and-exports-and-modules"];

/// What a program from Rust's tools may use beyond the first version of WebAssembly; every browser of the last years has it.
pub const FEATURES: &[&str] = &[
    "--mvp-features",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// How the standard library complains of a mistake that has no words of its own: an index, a number, a missing value. Its sentence
/// and everything that puts it together are left out; the program stops at the same place, and the page says that it did. What our
/// own assertions say is kept.
const WORDLESS: &[&str] = &[
    "::panicking::panic_bounds_check",
    "::panicking::panic_const::",
    "::panicking::assert_failed",
    "::slice::index::slice_index_fail",
    "::str::slice_error_fail",
    "::option::unwrap_failed",
    "::result::unwrap_failed",
    "::cell::panic_already_borrowed",
    "::cell::panic_already_mutably_borrowed",
    "::raw_vec::handle_error",
    "::raw_vec::capacity_overflow",
    "::alloc::handle_alloc_error",
    "::capacity_overflow",
];

/// Squeezes `dist/`, as Trunk has left it. What is around the second program is squeezed when it is put together (`annex.rs`).
pub fn squeeze(tools: &Tools) -> Result {
    let (glue, page) = (the("app-", ".js")?, the("index", ".html")?);
    squeeze_in_parts(tools, &the("app-", ".wasm")?, &glue, &dist().join(REST))?;
    squeeze_program(tools, &the("annex", ".wasm")?, &dist().join("annex.js"))?;
    write(&glue, &begun_in_one_way(&read(&glue)?)?)?;
    shorten(tools, &glue)?;
    write(&page, &page_squeezed(&read(&page)?))?;
    say("Squeezed the page: names, spaces and comments");
    Ok(())
}

/// What the rest of the page's program is called until it is packed.
pub const REST: &str = "rest.wasm";

/// Squeezes a program, and tells its glue the new names.
fn squeeze_program(tools: &Tools, program: &Path, glue: &Path) -> Result {
    let text = without_words(&capture(tools.command("wasm-dis", FEATURES).arg(program))?)?;
    let names = optimised(tools, &text, program, PASSES)?;
    write(glue, &renamed(&read(glue)?, &names)?)
}

/// Splits a program, squeezes both parts, and tells its glue the new names, and whom to ask for the rest.
fn squeeze_in_parts(tools: &Tools, program: &Path, glue: &Path, rest: &Path) -> Result {
    let text = without_words(&capture(tools.command("wasm-dis", FEATURES).arg(program))?)?;
    let parts = split(&text, &Later::read()?)?;
    let names = optimised(tools, &parts.first, program, PASSES)?;
    write(glue, &renamed(&glue_that_asks(&read(glue)?)?, &names)?)?;
    // The rest takes what it needs under the names that wasm-opt gave to it. Memory is not its own.
    let passes: Vec<&str> = PASSES.iter().copied().filter(|pass| !OF_A_WHOLE.contains(pass)).collect();
    optimised(tools, &rest_with_names(&parts.rest, &names), rest, &passes).map(drop)
}

/// Writes a program, given as text, as small as can be, and says what wasm-opt said.
fn optimised(tools: &Tools, text: &str, program: &Path, passes: &[&str]) -> Result<String> {
    let file = program.with_extension("wat");
    let large = program.with_extension("large");
    write(&file, text)?;
    capture(tools.command("wasm-as", FEATURES).arg("-g").arg(&file).arg("-o").arg(&large))?;
    let said = capture(tools.command("wasm-opt", passes).args(FEATURES).arg(&large).arg("-o").arg(program))?;
    for file in [file, large] {
        fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(said)
}

/// The glue, with a function by which the first part asks for the rest; the page has it (`static/rest.js`).
fn glue_that_asks(glue: &str) -> Result<String> {
    let begins = "    const import0 = {\n";
    match glue.matches(begins).count() {
        1 => Ok(glue.replace(begins, &format!("{begins}        {ASKED}: () => joinRest(wasm),\n"))),
        _ => Err("the glue does not give what the program takes in the way that is known here".into()),
    }
}

/// The rest, which takes from the first part under the names that wasm-opt says it gave.
fn rest_with_names(rest: &str, names: &str) -> String {
    let pairs = names.lines().map(quoted);
    let offered = pairs.filter_map(|texts| <[&str; 2]>::try_from(texts).ok()).map(|[old, new]| (old, new));
    let renamed: std::collections::BTreeMap<&str, &str> = offered.collect();
    let mut out = String::with_capacity(rest.len());
    for line in rest.lines() {
        let taken = line.strip_prefix(" (import \"first\" \"").and_then(|it| it.split_once('"'));
        match taken.and_then(|(old, what)| Some((renamed.get(old)?, what))) {
            Some((new, what)) => out.extend([" (import \"first\" \"", new, "\"", what]),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A script with short names, and without what it never comes to.
pub fn shorten(tools: &Tools, script: &Path) -> Result {
    // There are no answers of a server to look at: programs come as bytes.
    let ways = ["--module", "--define", "Response=undefined,Request=undefined", "--compress", "--mangle"];
    write(script, &capture(tools.command("terser", &[]).arg(script).args(ways))?)
}

/// The program's text, in which the functions named above do nothing but stop.
fn without_words(text: &str) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    let (mut found, mut inside) = (0, false);
    for line in text.lines() {
        if inside {
            // A function ends where its first line began.
            inside = line != " )";
            continue;
        }
        out.push_str(line);
        out.push('\n');
        let named = line.strip_prefix(" (func $").is_some_and(|name| WORDLESS.iter().any(|word| name.contains(word)));
        if named && line.matches('(').count() > line.matches(')').count() {
            out.push_str("  (unreachable)\n )\n");
            found += 1;
            inside = true;
        }
    }
    match found {
        0 => Err("the program has no names, or the standard library has others".into()),
        _ => Ok(out),
    }
}

/// The file of `dist/` whose name begins and ends so.
pub fn the(begins: &str, ends: &str) -> Result<PathBuf> {
    the_in(&dist(), begins, ends)
}

/// The file of a folder whose name begins and ends so.
pub fn the_in(folder: &Path, begins: &str, ends: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut found = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let found = found.find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(begins) && name.ends_with(ends)
    });
    found.ok_or_else(|| format!("{} has no {begins}…{ends}", folder.display()))
}

pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

pub fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// What stands in quotes on a line of what wasm-opt says.
fn quoted(line: &str) -> Vec<&str> {
    line.split('"').skip(1).step_by(2).collect()
}

/// The glue with the names that wasm-opt gave to what the program takes from it and offers to it. `names`: what wasm-opt says that it
/// did, a line for each, `["./app_bg.js", "old", "new"]` for what is taken and `["old", "new"]` for what is offered.
fn renamed(glue: &str, names: &str) -> Result<String> {
    let mut glue = glue.to_owned();
    let mut module = None;
    for line in names.lines() {
        match quoted(line).as_slice() {
            [from, old, new] => {
                module = Some(*from);
                let (key, short) = (format!(" {old}: "), format!(" {new}: "));
                if glue.matches(&key).count() != 1 {
                    return Err(format!("the glue does not give `{old}` in the way that is known here"));
                }
                glue = glue.replace(&key, &short);
            }
            // Not all that is offered is used.
            [old, new] => glue = member_renamed(&glue, old, new),
            _ => {}
        }
    }
    let module = module.ok_or("wasm-opt named nothing that the program takes")?;
    let key = format!("\"{module}\": ");
    match glue.matches(&key).count() {
        1 => Ok(glue.replace(&key, "\"a\": ")),
        _ => Err(format!("the glue does not give `{module}` in the way that is known here")),
    }
}

/// The glue with one way to begin: the page does not wait for a program that it has in hand already.
fn begun_in_one_way(glue: &str) -> Result<String> {
    let offered = "export { initSync, __wbg_init as default };";
    match glue.matches(offered).count() {
        1 => Ok(glue.replace(offered, "export default __wbg_init;")),
        _ => Err("the glue does not begin in the ways that are known here".into()),
    }
}

/// `wasm.old` as `wasm.new`, wherever the name ends there.
fn member_renamed(glue: &str, old: &str, new: &str) -> String {
    let member = format!("wasm.{old}");
    let mut parts = glue.split(member.as_str());
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let goes_on = part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        out.push_str("wasm.");
        out.push_str(if goes_on { old } else { new });
        out.push_str(part);
    }
    out
}

/// `index.html` without comments and indentation. Scripts are left alone.
fn page_squeezed(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = ["<style", "<script", "<!--"].iter().filter_map(|it| rest.find(it)).min() {
        let (before, special) = rest.split_at(at);
        markup_squeezed(&mut out, before);
        let end = if special.starts_with("<!--") {
            "-->"
        } else if special.starts_with("<style") {
            "</style>"
        } else {
            "</script>"
        };
        let (whole, after) = special.split_once(end).unwrap_or((special, ""));
        match end {
            "-->" => {}
            "</style>" => {
                let (open, css) = whole.split_once('>').unwrap_or((whole, ""));
                out.extend([open, ">", &css_squeezed(css), end]);
            }
            _ => out.extend([whole, end]),
        }
        rest = after;
    }
    markup_squeezed(&mut out, rest);
    // One sheet is as good as several that follow each other.
    out.replace("</style><style>", "")
}

/// A line break and the indentation after it are nothing between two elements, and a space beside a text.
fn markup_squeezed(out: &mut String, html: &str) {
    let mut lines = html.split('\n');
    out.push_str(lines.next().unwrap_or_default());
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        if !(line.starts_with('<') && out.ends_with('>')) {
            out.push(' ');
        }
        out.push_str(line);
    }
}

/// A style sheet without comments, and without the spaces that mean nothing. What stands in quotes is left alone.
fn css_squeezed(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    let mut space = false;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if rest.starts_with("/*") {
            taken = rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if c.is_ascii_whitespace() {
            space = true;
        } else {
            let binds = |c: char| "{};,".contains(c);
            if space && !out.is_empty() && !binds(c) && !out.ends_with(|it| binds(it) || it == ':') {
                out.push(' ');
            }
            space = false;
            if c == '"' {
                taken = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            } else if c == '}' && out.ends_with(';') {
                out.pop();
            }
            out.push_str(&rest[..taken]);
        }
        rest = &rest[taken..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_words_stops_and_the_rest_stays() {
        let text = "(module\n (func $\"core[1]::panicking::panic_bounds_check\" (param $0 i32)\n  (call $f\n   (local.get $0)\n  )\n )\n (func $f (param $0 i32)\n  (nop)\n )\n)\n";
        let want = "(module\n (func $\"core[1]::panicking::panic_bounds_check\" (param $0 i32)\n  (unreachable)\n )\n (func $f (param $0 i32)\n  (nop)\n )\n)\n";
        assert_eq!(without_words(text).expect("one is there"), want);
        assert!(without_words("(module\n (func $f\n  (nop)\n )\n)\n").is_err());
    }

    #[test]
    fn both_sides_get_the_same_names() {
        let glue = "const i = {\n        focus_1: function() { wasm.free(); wasm.free_all(); },\n};\nreturn { \"./app_bg.js\": i };";
        let names = "{\n \"imports\": [\n  [\"./app_bg.js\", \"focus_1\", \"b\"]\n ],\n\"exports\": [\n  [\"free\", \"c\"]\n ]\n}";
        let short = "const i = {\n        b: function() { wasm.c(); wasm.free_all(); },\n};\nreturn { \"a\": i };";
        assert_eq!(renamed(glue, names).as_deref(), Ok(short));
        assert!(renamed("", names).is_err());
    }

    #[test]
    fn the_rest_takes_what_the_first_part_offers() {
        let rest = "(module\n (import \"first\" \"fencepost_rest1\" (func $f))\n (import \"first\" \"fencepost_rest10\" (func $g))\n)";
        let names = "{\n\"exports\": [\n  [\"fencepost_rest1\", \"c\"],\n  [\"fencepost_rest10\", \"d\"]\n ]\n}";
        let want = "(module\n (import \"first\" \"c\" (func $f))\n (import \"first\" \"d\" (func $g))\n)\n";
        assert_eq!(rest_with_names(rest, names), want);
        let glue = "function imports() {\n    const import0 = {\n        __proto__: null,\n";
        assert!(glue_that_asks(glue).expect("it is known").contains(" fencepost_rest: () => joinRest(wasm),\n"));
        assert!(glue_that_asks("").is_err());
    }

    #[test]
    fn a_style_sheet_keeps_what_counts() {
        let css = "/* Why. */\n.a .b:hover > c , d:not(.e) {\n  margin: 0 -1px ;\n  font: 12px \"A  B\", serif;\n}\n@media screen { .x {top:calc(1px + 2px);} }\n";
        let small =
            ".a .b:hover > c,d:not(.e){margin:0 -1px;font:12px \"A  B\",serif}@media screen{.x{top:calc(1px + 2px)}}";
        assert_eq!(css_squeezed(css), small);
    }

    #[test]
    fn a_page_keeps_the_spaces_between_words() {
        let html = "<!doctype html>\n<body>\n  <!-- Why. -->\n  <style>\na { b: c }\n</style>\n  <style>d{}</style>\n  <p>One\n    two <b>three</b> four</p>\n  <script>\n f( 1 )\n</script>\n  <i> </i>\n</body>\n";
        let small = "<!doctype html><body><style>a{b:c}d{}</style><p>One two <b>three</b> four</p><script>\n f( 1 )\n</script><i> </i></body>";
        assert_eq!(page_squeezed(html), small);
    }
}
