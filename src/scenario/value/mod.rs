//! Values of keys: is this one of the kind that the key takes, and how is it written canonically?
//!
//! [`normalize`] is the one place where a value meets its row in the registry. What it returns means the same and is written one way only (times
//! in the largest whole unit, numbers shortest, moments and steps spelled out), so that everything behind it may assume a value of the right
//! kind, and two scenarios that mean the same are equal.

mod lists;
mod steps;

pub use steps::steps;

use lists::{groups, list};

use super::moment::When;
use super::quantity::{
    Problem, Read, better, draw, margin, no_unit, share, signed_time, write_draw, write_margin, write_share,
    write_time, wrong,
};
use super::registry::words::nearest_of;
use super::registry::{Row, Type, Word};
use super::step::{Step, is_name};
use super::tree::{Decimal, Node, Value, read_number};
use crate::base::Span;
use crate::base::pieces::{listed, part, split, times, whole, words};
use crate::base::text::{integer, said};
use crate::protocol::params::Draw;

/// The same problem, of something that is part of the language and that this version cannot run.
fn not_built(mut problem: Box<Problem>) -> Box<Problem> {
    problem.not_built = true;
    problem
}

/// "… is part of the language, but this version cannot run it yet."
#[inline(never)]
pub fn not_yet(what: &str) -> String {
    said("{0} is part of the language, but this version cannot run it yet.", &[what])
}

/// A value from the words in which defaults, profiles and protections are kept.
pub fn from_words(row: &Row, text: &str) -> Node {
    if !row.ty.is_list() {
        return Node::new(from_word(row.ty, text));
    }
    let mut items = Vec::new();
    for word in split(text, ", ") {
        if !word.is_empty() {
            items.push(Node::new(from_word(row.ty, word)));
        }
    }
    Node::new(Value::List(items))
}

fn from_word(ty: Type, text: &str) -> Value {
    let number = match ty {
        Type::Bool => return Value::Bool(text == "true"),
        Type::Int { .. } | Type::Counts | Type::Votes | Type::Rate => whole(text),
        _ => None,
    };
    number.map_or_else(|| Value::Text(text.to_string()), Value::Int)
}

/// The canonical value.
///
/// # Errors
/// What is wrong with it, in a sentence that begins with the value.
#[inline(never)]
pub fn normalize(row: &Row, node: &Node) -> Read<Node> {
    let value = match row.ty {
        Type::Bool => boolean(node)?,
        Type::Int { min, max } => int(row, node, min, max)?,
        Type::Rate | Type::Votes => rate(row, node)?,
        Type::Groups => groups(row, node)?,
        Type::Table | Type::Ends => match &node.value {
            Value::Table(_) => node.value.clone(),
            _ => return Err(kind(row.ty, node)),
        },
        Type::Steps => {
            let mut items = Vec::new();
            for step in steps(node)? {
                items.push(step.node());
            }
            Value::List(items)
        }
        ty if ty.is_list() => list(row, node)?,
        _ => Value::Text(of_text(row, node)?),
    };
    Ok(Node { value, at: node.at })
}

/// The canonical text of what is written as a text.
fn of_text(row: &Row, node: &Node) -> Read<String> {
    // A bare number is the commonest mistake and gets its own sentence.
    let number = matches!(node.value, Value::Int(_) | Value::Decimal(_)).then(|| node.shown());
    if let Some(number) = number
        && !matches!(row.ty, Type::Text | Type::Name | Type::Word)
    {
        if row.ty != Type::Share {
            return Err(no_unit(&number));
        }
        return Err(better("{0} has no unit. Write \"{1}\".", &[&number, &[&number, "%"].concat()]));
    }
    let s = text(row.ty, node)?;
    match row.ty {
        // A text is a paragraph: a line break in it is a space.
        Type::Text => return Ok(words(s).join(" ")),
        Type::Moment => return Ok(When::parse(s)?.text()),
        Type::Share => return Ok(write_share(share(s)?)),
        Type::Margin => return Ok(write_margin(margin(s)?)),
        Type::Name if is_name(s) => {}
        Type::Name => return Err(no_name(s)),
        Type::Word => one_of(row, row.words, s)?,
        _ => return length(row, s),
    }
    Ok(s.to_string())
}

// ------------------------------------------------------------------ kinds of values

/// "a time is wanted here, and this is a list."
#[inline(never)]
fn kind(ty: Type, node: &Node) -> Box<Problem> {
    let wanted = ty.word();
    let article = if wanted.starts_with("true") { "" } else { "a " };
    wrong("{0}{1} is wanted here, not {2}.", &[article, wanted, node.kind()])
}

#[inline(never)]
fn text(ty: Type, node: &Node) -> Read<&str> {
    node.as_text().ok_or_else(|| kind(ty, node))
}

#[inline(never)]
fn no_name(s: &str) -> Box<Problem> {
    wrong("\"{0}\" is no name. A name is a letter, then letters, digits, - or _, at most 40 of them.", &[s])
}

/// A text that would be a value without its quotes.
#[inline(never)]
fn quoted(s: &str) -> Box<Problem> {
    better("\"{0}\" is a text. Write {0}, without quotes.", &[s])
}

fn boolean(node: &Node) -> Read<Value> {
    match &node.value {
        Value::Bool(_) => Ok(node.value.clone()),
        Value::Text(s) if s == "true" || s == "false" => Err(quoted(s)),
        _ => Err(kind(Type::Bool, node)),
    }
}

#[inline(never)]
fn int(row: &Row, node: &Node, min: i64, max: i64) -> Read<Value> {
    let n = match &node.value {
        Value::Int(n) => *n,
        Value::Decimal(d) if d.places() == 0 => d.digits(),
        Value::Text(s) if whole(s).is_some() => return Err(quoted(s)),
        Value::Text(s) if !row.words.is_empty() => return word(row, s),
        _ => return Err(kind(row.ty, node)),
    };
    let (message, bound) = if n < min {
        ("{0} is too small; the least is {1}.", min)
    } else if n > max {
        ("{0} is too large; the most is {1}.", max)
    } else {
        return Ok(Value::Int(n));
    };
    Err(wrong(message, &[&integer(n), &integer(bound)]))
}

/// A number above zero, at most a thousand, with at most six decimals.
fn rate(row: &Row, node: &Node) -> Read<Value> {
    match &node.value {
        Value::Text(s) if !row.words.is_empty() => return word(row, s),
        Value::Text(s) if read_number(s).is_some() => return Err(quoted(s)),
        Value::Int(_) | Value::Decimal(_) => {}
        _ => return Err(kind(row.ty, node)),
    }
    match as_ppm(node) {
        Some(ppm) if (1..=1_000_000_000).contains(&ppm) => {
            let rate = Decimal::new(ppm, 6);
            Ok(if rate.places() == 0 { Value::Int(rate.digits()) } else { Value::Decimal(rate) })
        }
        _ => {
            let message = "{0} is out of range; above 0 and at most 1000, with six decimals.";
            Err(wrong(message, &[&node.shown()]))
        }
    }
}

fn length(row: &Row, s: &str) -> Read<String> {
    if row.word(s).is_some() {
        one_of(row, row.words, s)?;
        return Ok(s.to_string());
    }
    if row.ty == Type::SignedTime {
        return Ok(write_time(signed_time(s)?));
    }
    if row.ty == Type::Period && s.starts_with("ttl") {
        return period(s);
    }
    let d = match draw(s) {
        Ok(d) => d,
        // A slip in a word such as "nevr" deserves the word; and where words are allowed they are said.
        Err(_) if !row.words.is_empty() && !matches!(s.as_bytes().first(), Some(b'0'..=b'9' | b'-' | b'.')) => {
            let words: Vec<&str> = row.words.iter().map(|w| w.text).collect();
            let message = "\"{0}\" is no length of time. Write a number and a unit, such as \"10s\", or \"{1}\".";
            return Err(wrong(message, &[s, &words.join("\" or \"")]));
        }
        Err(problem) => return Err(problem),
    };
    let fixed = matches!(d, Draw::Fixed(_));
    match row.ty {
        _ if fixed || row.ty == Type::Draw => Ok(write_draw(d)),
        Type::FixedTime => Err(wrong("\"{0}\" is a draw; {1} is one length of time.", &[s, &row.path()])),
        _ => Err(not_built(wrong(&not_yet("a draw for {0}"), &[&row.path()]))),
    }
}

/// `ttl`, `ttl/3`.
fn period(s: &str) -> Read<String> {
    let divisor = match part(s, 3, s.len()).strip_prefix('/') {
        None if s.len() == 3 => Some(1),
        None => None,
        Some(n) => whole(n.trim()),
    };
    match divisor {
        Some(1) => Ok("ttl".to_string()),
        Some(n) if (2..=1_000).contains(&n) => Ok(said("ttl/{0}", &[&integer(n)])),
        _ => Err(wrong("\"{0}\" is no part of the TTL. Write \"ttl/3\", or a time.", &[s])),
    }
}

fn word(row: &Row, s: &str) -> Read<Value> {
    one_of(row, row.words, s)?;
    Ok(Value::Text(s.to_string()))
}

#[inline(never)]
fn one_of(row: &Row, words: &[Word], s: &str) -> Read<()> {
    let (mut all, mut can) = (Vec::new(), Vec::new());
    for w in words {
        all.push(w.text);
        if w.built {
            can.push(w.text);
        }
    }
    if can.contains(&s) {
        return Ok(());
    }
    if all.contains(&s) {
        let can = if can.is_empty() { String::new() } else { said(" It can run: {0}.", &[&listed(&can)]) };
        return Err(not_built(wrong(
            "\"{0}\" is part of the language, but this version cannot run it yet.{1}",
            &[s, &can],
        )));
    }
    if let Some(near) = nearest_of(s, &all) {
        return Err(better("there is no \"{0}\". Did you mean \"{1}\"?", &[s, near]));
    }
    let what = if row.ty == Type::Kinds { "a message kind".to_string() } else { row.path() };
    Err(wrong("there is no \"{0}\". {1} can be: {2}.", &[s, &what, &listed(&all)]))
}

// ------------------------------------------------------------------ typed views of normalized values

/// A normalized value that is known to be a length: `None` for a word that stands for no limit.
#[inline(never)]
pub(crate) fn as_span(node: &Node) -> Option<Span> {
    node.as_text().and_then(|s| signed_time(s).ok())
}

/// A normalized length or draw: `None` for a word.
#[inline(never)]
pub(crate) fn as_draw(node: &Node) -> Option<Draw> {
    node.as_text().and_then(|s| draw(s).ok())
}

pub(crate) fn as_int(node: &Node) -> Option<i64> {
    match node.value {
        Value::Int(n) => Some(n),
        _ => None,
    }
}

pub(crate) fn as_bool(node: &Node) -> bool {
    matches!(node.value, Value::Bool(true))
}

/// Millionths of a number.
pub(crate) fn as_ppm(node: &Node) -> Option<i64> {
    match node.value {
        Value::Int(n) => times(n, 1_000_000, 0),
        Value::Decimal(d) => d.millionths(),
        _ => None,
    }
}

#[inline(never)]
pub(crate) fn as_texts(node: &Node) -> Vec<String> {
    let mut out = Vec::new();
    for item in node.items() {
        out.extend(item.as_text().map(str::to_string));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::registry::by_path;
    use crate::scenario::tree::read;

    fn says(path: &str, toml: &str) -> String {
        let table = read(&format!("x = {toml}")).unwrap();
        match normalize(by_path(path).unwrap(), table.get("x").unwrap()) {
            Ok(n) => format!("ok {n}"),
            Err(problem) => problem.message,
        }
    }

    #[test]
    fn values_meet_their_rows() {
        for (path, toml, expected) in [
            ("lock.ttl", "\"10000ms\"", "ok 10s"),
            ("lock.ttl", "\"never\"", "ok never"),
            ("lock.ttl", "10", "10 has no unit. Write \"10s\" or \"10ms\"."),
            ("lock.ttl", "true", "a time is wanted here, not true or false."),
            (
                "lock.ttl",
                "\"1s..2s\"",
                "a draw for lock.ttl is part of the language, but this version cannot run it yet.",
            ),
            (
                "lock.ttl",
                "\"nevr\"",
                "\"nevr\" is no length of time. Write a number and a unit, such as \"10s\", or \"never\".",
            ),
            ("horizon", "\"1s..2s\"", "\"1s..2s\" is a draw; horizon is one length of time."),
            ("client.retry", "\"0ms..200ms\"", "ok 0s..200ms"),
            ("client.renew_every", "\"ttl/3\"", "ok ttl/3"),
            ("client.renew_every", "\"ttl/0\"", "\"ttl/0\" is no part of the TTL. Write \"ttl/3\", or a time."),
            ("client.check_deadline", "\"false\"", "\"false\" is a text. Write false, without quotes."),
            ("client.on_lost", "\"exit\"", "\"exit\" is part of the language, but this version cannot run it yet."),
            ("lock.service", "\"rediss\"", "there is no \"rediss\". Did you mean \"redis\"?"),
            ("lock.clock", "\"sundial\"", "there is no \"sundial\". lock.clock can be: wall, monotonic."),
            (
                "resource.guard",
                "[\"fence\", \"blocklist\"]",
                "\"blocklist\" is part of the language, but this version cannot run it yet.",
            ),
            ("resource.guard", "\"fence\"", "ok fence"),
            ("seed", "-1", "-1 is too small; the least is 0."),
            ("seed", "\"1\"", "\"1\" is a text. Write 1, without quotes."),
            ("seed", "2.0", "ok 2"),
            ("clock.rate", "1.10", "ok 1.1"),
            ("clock.rate", "0", "0 is out of range; above 0 and at most 1000, with six decimals."),
            ("clock.rate", "1.0000001", "1.0000001 is out of range; above 0 and at most 1000, with six decimals."),
            ("clock.offset", "\"-250ms\"", "ok -250ms"),
            ("network.loss", "1", "1 has no unit. Write \"1%\"."),
            ("client.margin", "\"2ms + 1%\"", "ok 1% + 2ms"),
            (
                "worker.name",
                "\"9\"",
                "\"9\" is no name. A name is a letter, then letters, digits, - or _, at most 40 of them.",
            ),
            ("fault.nth", "[1, 2]", "ok 1, 2"),
            ("fault.nth", "0", "0 is too small; the least is 1."),
            ("judge", "\"lost-udpate\"", "there is no property \"lost-udpate\". Did you mean \"lost-update\"?"),
            (
                "judge",
                "\"needless-stop\"",
                "\"needless-stop\" is part of the language, but this version cannot judge it yet.",
            ),
            ("worker.steps", "[{ loop = 0, steps = [\"read\"] }]", "loop is a number from 1, or \"forever\"."),
            ("worker.steps", "[{ loop = 2 }]", "a block without steps repeats nothing."),
            (
                "worker.steps",
                "[3]",
                "a step is a text (\"work 1s\") or a block ({ loop = 3, steps = […] }), not a whole number.",
            ),
        ] {
            // What can run grows with every service: of that list only the beginning is compared.
            let said = says(path, toml);
            let said = said.split(" It can run: ").next().unwrap_or(&said);
            assert_eq!(said, expected, "{path} = {toml}");
        }
    }

    #[test]
    fn every_default_in_the_registry_is_a_value_of_its_key() {
        for row in crate::scenario::registry::rows() {
            let described = ["", "W1, W2 …", "own name", "the protection's", "first", "none", "forever", "all"];
            if row.default.is_empty() || (described.contains(&row.default) && row.word(row.default).is_none()) {
                continue;
            }
            let node = from_words(row, row.default);
            let norm = normalize(row, &node).unwrap_or_else(|r| panic!("{}: {}", row.path(), r.message));
            assert_eq!(norm.to_string(), normalize(row, &norm).unwrap().to_string(), "{}", row.path());
        }
    }
}
