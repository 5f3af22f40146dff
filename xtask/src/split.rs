//! The program in two parts: what the first view runs, and the rest, which is fetched at the first sign that somebody is there.
//!
//! Both parts share one memory and one table. Of a function of the rest that the first part calls, the first part keeps the way to it: a
//! place in the table, which is empty until the rest has filled it. Who comes to an empty place asks the page for the rest and
//! waits (`static/rest.js`). So nothing can go wrong that is not slow: a function may stand in either part, and the program does the same.
//!
//! Which functions are the rest is written in `later.txt`, by module where a whole module is. It was recorded (`record.rs`): what did not
//! run while the first view was opened, played and stepped through. A function that is not named there is in the first part.
//!
//! Binaryen's own `wasm-split` does the same, but is not among the programs of its npm package.

use crate::Result;
use crate::shell::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Both parts, as text.
pub struct Parts {
    pub first: String,
    pub rest: String,
}

/// What the first part asks the page for when it comes to an empty place; from the module from which it takes everything.
pub const ASKED: &str = "fencepost_rest";

/// Which functions are not needed for the first view, by the names that they have in Rust.
pub struct Later {
    names: BTreeSet<String>,
}

impl Later {
    /// As `later.txt` has it.
    pub fn read() -> Result<Self> {
        let file = root().join("xtask/later.txt");
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        Ok(Self::from_text(&text))
    }

    fn from_text(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self { names: lines.map(str::to_owned).collect() }
    }

    /// Whether a function is: it is named, or one of the modules is in which it stands.
    fn has(&self, name: &str) -> bool {
        let name = plain(name);
        self.names.contains(&name) || modules(&name).any(|module| self.names.contains(module))
    }
}

/// The modules (and types) in which a function stands, the outermost first, each with the `::` behind it. What stands in brackets is one
/// word.
pub fn modules(name: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    let bytes = name.as_bytes();
    let ends = (0..bytes.len()).filter(move |at| {
        match bytes[*at] {
            b'<' | b'(' | b'{' => depth += 1,
            // An arrow closes nothing.
            b'>' if *at > 0 && bytes[*at - 1] == b'-' => {}
            b'>' | b')' | b'}' => depth -= 1,
            _ => {}
        }
        depth == 0 && bytes[*at] == b':' && *at > 0 && bytes[*at - 1] == b':'
    });
    ends.map(|end| &name[..=end])
}

/// A function's name without quotes, and without the digits that differ from build to build.
pub fn plain(name: &str) -> String {
    let name = name.trim_matches('"');
    // Of several that are called the same, wasm-opt numbers all but one.
    let numbered = name.rsplit_once('.').filter(|it| !it.1.is_empty() && it.1.bytes().all(|b| b.is_ascii_digit()));
    let name = numbered.map_or(name, |it| it.0);
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let hex = |text: &str, n: usize| text.len() >= n && text.bytes().take(n).all(|b| b.is_ascii_hexdigit());
        let mut taken = c.len_utf8();
        if rest.starts_with("::h") && hex(&rest[3..], 16) {
            rest = &rest[19..];
            continue;
        }
        if c == '[' {
            // The digest of a crate: `core[1f2e…]`.
            let end = rest.find(']').unwrap_or(0);
            if end > 8 && hex(&rest[1..], end - 1) {
                rest = &rest[end + 1..];
                continue;
            }
        }
        if rest.starts_with("\\\"") {
            taken = 2;
        }
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// One function of a program's text.
pub struct Function<'t> {
    /// As the text has it, with its quotes.
    pub name: &'t str,
    /// `(param $0 i32) (result i32)`, and what else stands behind the name.
    head: &'t str,
    /// The lines between the first and the last.
    pub body: Vec<&'t str>,
}

/// The name with which a text begins, with its quotes if it has them.
fn leading_name(text: &str) -> &str {
    let end = if text.starts_with('"') {
        let mut escaped = false;
        let closing = text.char_indices().skip(1).find(|(_, c)| {
            let closes = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            closes
        });
        closing.map_or(text.len(), |(at, _)| at + 1)
    } else {
        text.find([' ', ')', '\n']).unwrap_or(text.len())
    };
    &text[..end]
}

/// A program's text as wasm-dis writes it: its functions, and the lines before and after them.
pub struct Program<'t> {
    pub before: Vec<&'t str>,
    pub functions: Vec<Function<'t>>,
    pub after: Vec<&'t str>,
}

impl<'t> Program<'t> {
    pub fn read(text: &'t str) -> Self {
        let mut program = Self { before: Vec::new(), functions: Vec::new(), after: Vec::new() };
        let mut inside = false;
        for line in text.lines() {
            if inside {
                match (line, program.functions.last_mut()) {
                    // A function ends where its first line began.
                    (" )", _) => inside = false,
                    (_, Some(function)) => function.body.push(line),
                    _ => {}
                }
            } else if let Some(rest) = line.strip_prefix(" (func $") {
                let name = leading_name(rest);
                let head = rest[name.len()..].trim();
                inside = line.matches('(').count() > line.matches(')').count();
                let head = if inside { head } else { head.strip_suffix(')').unwrap_or(head) };
                program.functions.push(Function { name, head, body: Vec::new() });
            } else if program.functions.is_empty() {
                program.before.push(line);
            } else {
                program.after.push(line);
            }
        }
        program
    }

    /// The text of a program with these functions.
    fn write(&self, before: &str, functions: &[String]) -> String {
        let mut text = before.to_owned();
        functions.iter().for_each(|function| text.push_str(function));
        for line in &self.after {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

impl Function<'_> {
    /// The line with which it begins.
    pub fn first_line(&self) -> String {
        format!(" (func ${} {}", self.name, self.head)
    }

    fn text(&self) -> String {
        let mut text = self.first_line() + "\n";
        for line in &self.body {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(" )\n");
        text
    }

    /// What it takes: `$0`, `$1`, …
    fn parameters(&self) -> impl Iterator<Item = &str> {
        self.head.split("(param ").skip(1).filter_map(|it| it.split([' ', ')']).next())
    }

    /// Its type, without names: `(param i32) (param i64) (result i32)`.
    fn kind(&self) -> String {
        let mut kind = String::new();
        for part in self.head.split('(').skip(1) {
            let part = part.trim().trim_end_matches(')');
            match part.split_once(' ') {
                Some(("param", rest)) => {
                    let _ = write!(kind, " (param {})", rest.split_once(' ').map_or(rest, |it| it.1));
                }
                Some(("result", rest)) => {
                    let _ = write!(kind, " (result {rest})");
                }
                _ => {}
            }
        }
        kind
    }

    /// The way to it, by a place of the table.
    fn stub(&self, place: usize) -> String {
        let mut text = format!("{}\n  (call_indirect $0{}\n", self.first_line(), self.kind());
        for parameter in self.parameters() {
            let _ = writeln!(text, "   (local.get {parameter})");
        }
        let _ = writeln!(text, "   (call $fencepost_place (i32.const {place}))\n  )\n )");
        text
    }
}

/// A number that stands there behind some words.
fn declared<'t>(before: &[&'t str], begins: &str) -> Result<&'t str> {
    let line = before.iter().find(|line| line.starts_with(begins));
    line.copied().ok_or_else(|| format!("the program's text has no line `{begins}…`"))
}

/// Splits a program, given as text.
pub fn split(text: &str, later: &Later) -> Result<Parts> {
    let program = Program::read(text);
    // Functions without a name are the tools' own.
    let is_named = |function: &Function| function.name.bytes().any(|b| !b.is_ascii_digit());
    let is_later = |function: &Function| !function.body.is_empty() && is_named(function) && later.has(function.name);
    let of_rest: BTreeMap<&str, &Function> =
        program.functions.iter().filter(|it| is_later(it)).map(|it| (it.name, it)).collect();
    if of_rest.is_empty() {
        return Err("later.txt names no function of the program".into());
    }

    // What each part names of the other.
    let mut wanted_of_rest: BTreeSet<&str> = BTreeSet::new();
    let mut wanted_of_first: BTreeSet<(&str, &str)> = BTreeSet::new();
    for function in &program.functions {
        let from_rest = of_rest.contains_key(function.name);
        for line in &function.body {
            if let Some((word, name)) = named(line) {
                let to_rest = word == "call" && of_rest.contains_key(name);
                match (from_rest, to_rest) {
                    (false, true) => drop(wanted_of_rest.insert(name)),
                    (true, false) => drop(wanted_of_first.insert((kind_of(word)?, name))),
                    _ => {}
                }
            }
        }
    }
    for line in &program.before {
        // By the table, and from outside, anything may be called.
        if line.starts_with(" (elem") || line.starts_with(" (export") {
            let names = line.split(" $").skip(1).map(leading_name);
            wanted_of_rest.extend(names.filter_map(|name| of_rest.get_key_value(name).map(|it| *it.0)));
        }
    }

    // Places behind those that the table has.
    let table = declared(&program.before, " (table $0 ")?;
    let size: usize = table.split(' ').nth(3).and_then(|it| it.parse().ok()).ok_or("the table has no size")?;
    let places: BTreeMap<&str, usize> = wanted_of_rest.iter().enumerate().map(|(i, name)| (*name, size + i)).collect();
    let larger = size + places.len();
    let larger = format!(" (table $0 {larger} {larger} funcref)");

    let offered: Vec<(&str, &str, String)> =
        wanted_of_first.iter().enumerate().map(|(i, (kind, name))| (*kind, *name, format!("{ASKED}{i}"))).collect();
    let before = first_before(&program, &larger, &offered);
    let mut functions: Vec<String> = program
        .functions
        .iter()
        .filter_map(|it| match (of_rest.contains_key(it.name), places.get(it.name)) {
            (false, _) => Some(it.text()),
            (true, Some(place)) => Some(it.stub(*place)),
            (true, None) => None,
        })
        .collect();
    functions.push(PLACE.to_owned());
    let first = program.write(&before, &functions);

    let before = rest_before(&program, &larger, &offered, size, &places)?;
    let functions: Vec<String> = of_rest.values().map(|it| it.text()).collect();
    Ok(Parts { first, rest: program.write(&before, &functions) })
}

/// A place of the table, filled.
const PLACE: &str = " (func $fencepost_place (param $0 i32) (result i32)
  (if (ref.is_null (table.get $0 (local.get $0)))
   (then (call $fencepost_rest))
  )
  (local.get $0)
 )
";

/// What a line names, which has one instruction: the instruction's word and the name.
fn named(line: &str) -> Option<(&str, &str)> {
    const WORDS: &[&str] = &["call", "return_call", "ref.func", "global.get", "global.set", "table.get", "table.set"];
    let (word, rest) = line.trim_start().strip_prefix('(')?.split_once(" $")?;
    WORDS.contains(&word).then(|| (word, leading_name(rest)))
}

/// What a word names. The references of functions would need a place each; Rust's programs have none.
fn kind_of(word: &str) -> Result<&'static str> {
    match word {
        "call" => Ok("func"),
        "global.get" | "global.set" => Ok("global"),
        "table.get" | "table.set" => Ok("table"),
        other => Err(format!("a function of the rest does `{other}`, which is not known here")),
    }
}

/// What stands before the functions of the first part: as it was, with a larger table, and with what the rest needs offered.
fn first_before(program: &Program, table: &str, offered: &[(&str, &str, String)]) -> String {
    let mut text = String::new();
    let from = program.before.iter().find_map(|line| line.strip_prefix(" (import ")?.split(' ').next());
    for line in &program.before {
        let line = if line.starts_with(" (table $0 ") { table } else { line };
        if line.starts_with(" (import ") && !text.contains("$fencepost_rest") {
            let _ = writeln!(text, " (import {} \"{ASKED}\" (func $fencepost_rest))", from.unwrap_or("\"\""));
        }
        text.push_str(line);
        text.push('\n');
    }
    let _ = writeln!(text, " (export \"{ASKED}_memory\" (memory $0))\n (export \"{ASKED}_table\" (table $0))");
    for (kind, name, offer) in offered {
        let _ = writeln!(text, " (export \"{offer}\" ({kind} ${name}))");
    }
    text
}

/// What stands before the functions of the rest: types, what it takes from the first part, and the places that it fills.
fn rest_before(
    program: &Program,
    table: &str,
    offered: &[(&str, &str, String)],
    size: usize,
    places: &BTreeMap<&str, usize>,
) -> Result<String> {
    let mut text = "(module\n".to_owned();
    for line in program.before.iter().filter(|line| line.starts_with(" (type ")) {
        let _ = writeln!(text, "{line}");
    }
    let mut take = |name: &str, what: &str| {
        let _ = writeln!(text, " (import \"first\" \"{name}\" {what})");
    };
    take(&format!("{ASKED}_memory"), declared(&program.before, " (memory ")?.trim());
    take(&format!("{ASKED}_table"), table.trim());
    for (kind, name, offer) in offered {
        let what = match *kind {
            "func" => {
                let own = program.functions.iter().find(|it| it.name == *name);
                own.map(|it| format!("(func ${name}{})", it.kind())).or_else(|| taken(program, "(func $", name))
            }
            "global" => {
                let line = declared(&program.before, &format!(" (global ${name} "))?;
                let kind = line.trim().trim_start_matches("(global $")[name.len()..].trim();
                let kind = if kind.starts_with('(') { "(mut i32)" } else { kind.split(' ').next().unwrap_or_default() };
                Some(format!("(global ${name} {kind})"))
            }
            _ => Some(declared(&program.before, &format!(" (table ${name} "))?.trim().to_owned()),
        };
        take(offer, &what.ok_or_else(|| format!("nothing says of what type `{name}` is"))?);
    }
    let names: Vec<String> = places.keys().map(|name| format!(" ${name}")).collect();
    let _ = writeln!(text, " (elem (table $0) (i32.const {size}) func{})", names.concat());
    Ok(text)
}

/// What the first part takes from the page, as it declares it.
fn taken(program: &Program, begins: &str, name: &str) -> Option<String> {
    let what = format!("{begins}{name}");
    program.before.iter().filter(|line| line.starts_with(" (import ")).find_map(|line| {
        let at = line.find(&what)?;
        let goes_on = line[at + what.len()..].starts_with(|c| c != ' ' && c != ')');
        (!goes_on).then(|| line[at..].strip_suffix(')').unwrap_or_default().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(module
 (type $0 (func (param i32) (result i32)))
 (import \"./app_bg.js\" \"say\" (func $web::say::h0123456789abcdef (param i32)))
 (global $__stack_pointer (mut i32) (i32.const 1024))
 (memory $0 1)
 (table $0 3 3 funcref)
 (elem $0 (table $0) (i32.const 1) func $\"app::edit::{{closure}}::h0123456789abcdef\")
 (export \"memory\" (memory $0))
 (export \"main\" (func $main))
 (func $main (param $0 i32) (result i32)
  (call $app::edit::set::hfedcba9876543210
   (local.get $0)
  )
 )
 (func $app::edit::set::hfedcba9876543210 (param $0 i32) (result i32)
  (local $1 i32)
  (call $web::say::h0123456789abcdef
   (global.get $__stack_pointer)
  )
  (call $app::edit::inner::h0000000000000000
   (call $app::draw::h0000000000000000
    (local.get $0)
   )
  )
 )
 (func $app::edit::inner::h0000000000000000 (param $0 i32) (result i32)
  (local.get $0)
 )
 (func $\"app::edit::{{closure}}::h0123456789abcdef\" (param $0 i32) (param $1 i64)
  (drop
   (local.get $1)
  )
 )
 (func $app::draw::h0000000000000000 (param $0 i32) (result i32)
  (local.get $0)
 )
)
";

    #[test]
    fn each_part_has_its_functions_and_the_way_to_the_others() {
        let parts = split(TEXT, &Later::from_text("# why\napp::edit::\n")).expect("it can be split");
        let Parts { first, rest } = parts;
        // The first part: a way to what is called and to what stands in the table, and nothing of what only the rest calls.
        assert!(first.contains("(table $0 5 5 funcref)"), "{first}");
        assert!(first.contains(
            " (func $app::edit::set::hfedcba9876543210 (param $0 i32) (result i32)\n  (call_indirect $0 (param i32) (result i32)\n   (local.get $0)\n   (call $fencepost_place (i32.const 4))\n  )\n )"
        ), "{first}");
        assert!(
            first.contains("(call_indirect $0 (param i32) (param i64)\n   (local.get $0)\n   (local.get $1)\n"),
            "{first}"
        );
        assert!(!first.contains("inner") && first.contains("$app::draw::h0000000000000000 (param $0 i32)"), "{first}");
        assert!(first.contains(" (import \"./app_bg.js\" \"fencepost_rest\" (func $fencepost_rest))"), "{first}");
        // The rest: its functions as they were, and what it needs of the first, which offers that under the same names.
        assert!(rest.contains("(elem (table $0) (i32.const 3) func $\"app::edit::{{closure}}::h0123456789abcdef\" $app::edit::set::hfedcba9876543210)"), "{rest}");
        for line in [
            "(func $app::draw::h0000000000000000 (param i32) (result i32))",
            "(func $web::say::h0123456789abcdef (param i32))",
            "(global $__stack_pointer (mut i32))",
            "(memory $0 1)",
            "(table $0 5 5 funcref)",
        ] {
            let taken =
                rest.lines().find(|it| it.starts_with(" (import \"first\"") && it.ends_with(&format!("{line})")));
            let name = taken.and_then(|it| it.split('"').nth(3)).unwrap_or_else(|| panic!("{line} in {rest}"));
            assert!(first.contains(&format!("(export \"{name}\" ")), "{name} in {first}");
        }
        assert!(rest.contains("(func $app::edit::inner::h0000000000000000 (param $0 i32)") && !rest.contains("$main"));
        for text in [&first, &rest] {
            assert_eq!(text.matches('(').count(), text.matches(')').count(), "{text}");
        }
        assert!(split(TEXT, &Later::from_text("app::other::")).is_err());
    }

    #[test]
    fn names_stay_when_digests_change() {
        assert_eq!(
            plain("\"dlmalloc[e24a27700634d609]::dlmalloc::Dlmalloc<dlmalloc[e24a27700634d609]::sys>::free\""),
            "dlmalloc::dlmalloc::Dlmalloc<dlmalloc::sys>::free"
        );
        assert_eq!(plain("\"core::slice::<impl [T]>::sort::h0123456789abcdef\""), "core::slice::<impl [T]>::sort");
        let numbered = "\"<str as core::fmt::Write>::write_char::h0123456789abcdef.12\"";
        assert_eq!(plain(numbered), "<str as core::fmt::Write>::write_char");
        let name = "a::<impl b::C<d::E> for fn(f::G)->h::I>::j::{{closure}}";
        assert_eq!(
            modules(name).collect::<Vec<_>>(),
            ["a::", "a::<impl b::C<d::E> for fn(f::G)->h::I>::", "a::<impl b::C<d::E> for fn(f::G)->h::I>::j::"]
        );
    }
}
