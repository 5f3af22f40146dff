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
    Problem, draw, margin, no_unit, share, signed_time, write_draw, write_margin, write_share, write_time,
};
use super::registry::words::nearest;
use super::registry::{Row, Type, Word};
use super::step::{Step, is_name};
use super::tree::{Node, Value, read_number};
use crate::base::Span;
use crate::protocol::params::Draw;

/// Why a value is not one of its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub problem: Problem,
    /// It is part of the language, and this version cannot run it.
    pub not_built: bool,
    /// Which element of a list, from 0.
    pub item: Option<usize>,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        Refusal { problem, not_built: false, item: None }
    }
}

fn wrong(message: impl Into<String>) -> Refusal {
    Problem::new(message).into()
}

fn not_built(message: String) -> Refusal {
    Refusal { problem: Problem::new(message), not_built: true, item: None }
}

/// "… is part of the language, but this version cannot run it yet."
#[inline(never)]
pub fn not_yet(what: &str) -> String {
    format!("{what} is part of the language, but this version cannot run it yet.")
}

/// A value from the words in which defaults, profiles and protections are kept.
pub fn from_words(row: &Row, text: &str) -> Node {
    let one = |text: &str| match row.ty {
        Type::Bool => Node::new(Value::Bool(text == "true")),
        Type::Int { .. } | Type::Counts | Type::Votes | Type::Rate => match text.parse::<i64>() {
            Ok(n) => Node::new(Value::Int(n)),
            Err(_) => Node::text(text),
        },
        _ => Node::text(text),
    };
    if row.ty.is_list() {
        let items = text.split(", ").filter(|s| !s.is_empty()).map(one).collect();
        return Node::new(Value::List(items));
    }
    one(text)
}

/// The canonical value.
///
/// # Errors
/// What is wrong with it, in a sentence that begins with the value.
pub fn normalize(row: &Row, node: &Node) -> Result<Node, Refusal> {
    let value = match row.ty {
        // A text is a paragraph: a line break in it is a space.
        Type::Text => Value::Text(text(row, node)?.split_whitespace().collect::<Vec<_>>().join(" ")),
        Type::Bool => boolean(row, node)?,
        Type::Int { min, max } => int(row, node, min, max)?,
        Type::Rate | Type::Votes => rate(row, node)?,
        Type::Time | Type::FixedTime | Type::SignedTime | Type::Period | Type::Draw => length(row, node)?,
        Type::Moment => Value::Text(When::parse(length_text(row, node)?)?.to_string()),
        Type::Share => Value::Text(write_share(share(text_or_number(row, node, "%")?)?)),
        Type::Margin => Value::Text(write_margin(margin(length_text(row, node)?)?)),
        Type::Name => Value::Text(name(row, node)?),
        Type::Word => Value::Text(word(row, text(row, node)?)?),
        Type::Groups => groups(row, node)?,
        Type::Table | Type::Ends => match &node.value {
            Value::Table(t) => Value::Table(t.clone()),
            _ => return Err(kind(row, node)),
        },
        Type::Steps => {
            let steps = steps(node)?;
            return Ok(Node { value: Value::List(steps.iter().map(Step::node).collect()), at: node.at });
        }
        _ => return list(row, node),
    };
    Ok(Node { value, at: node.at })
}

// ------------------------------------------------------------------ kinds of values

/// "a time is wanted here, and this is a list."
#[inline(never)]
fn kind(row: &Row, node: &Node) -> Refusal {
    wrong(format!("{} is wanted here, not {}.", with_article(row.ty.word()), node.kind()))
}

fn with_article(what: &str) -> String {
    if what.starts_with("true") { what.to_string() } else { format!("a {what}") }
}

#[inline(never)]
fn text<'a>(row: &Row, node: &'a Node) -> Result<&'a str, Refusal> {
    node.as_text().ok_or_else(|| kind(row, node))
}

/// A text that holds a length; a bare number is the commonest mistake and gets its own sentence.
#[inline(never)]
fn length_text<'a>(row: &Row, node: &'a Node) -> Result<&'a str, Refusal> {
    match &node.value {
        Value::Int(n) => Err(no_unit(&n.to_string()).into()),
        Value::Decimal(d) => Err(no_unit(&crate::scenario::tree::decimal(*d)).into()),
        _ => text(row, node),
    }
}

fn text_or_number<'a>(row: &Row, node: &'a Node, unit: &str) -> Result<&'a str, Refusal> {
    match &node.value {
        Value::Int(_) | Value::Decimal(_) => {
            let better = format!("{node}{unit}");
            Err(Problem::with(format!("{node} has no unit. Write \"{better}\"."), better).into())
        }
        _ => text(row, node),
    }
}

fn boolean(row: &Row, node: &Node) -> Result<Value, Refusal> {
    match &node.value {
        Value::Bool(b) => Ok(Value::Bool(*b)),
        Value::Text(s) if s == "true" || s == "false" => {
            Err(Problem::with(format!("\"{s}\" is a text. Write {s}, without quotes."), s.clone()).into())
        }
        _ => Err(kind(row, node)),
    }
}

fn int(row: &Row, node: &Node, min: i64, max: i64) -> Result<Value, Refusal> {
    match &node.value {
        Value::Int(n) if *n < min => Err(wrong(format!("{n} is too small; the least is {min}."))),
        Value::Int(n) if *n > max => Err(wrong(format!("{n} is too large; the most is {max}."))),
        Value::Int(n) => Ok(Value::Int(*n)),
        Value::Decimal(d) if d.fract() == 0.0 && d.abs() < 1e15 => {
            int(row, &Node::new(Value::Int(*d as i64)), min, max)
        }
        Value::Text(s) if s.parse::<i64>().is_ok() => {
            Err(Problem::with(format!("\"{s}\" is a text. Write {s}, without quotes."), s.clone()).into())
        }
        Value::Text(s) if !row.words.is_empty() => word(row, s).map(Value::Text),
        _ => Err(kind(row, node)),
    }
}

/// A number above zero, at most a thousand, with at most six decimals.
fn rate(row: &Row, node: &Node) -> Result<Value, Refusal> {
    if let (Value::Text(s), false) = (&node.value, row.words.is_empty()) {
        return word(row, s).map(Value::Text);
    }
    let ppm = match &node.value {
        Value::Int(n) => n.checked_mul(1_000_000),
        Value::Decimal(d) if d.is_finite() => {
            let ppm = (d * 1e6).round();
            // A seventh decimal would be lost.
            ((ppm / 1e6 - d).abs() < 1e-12 && ppm.abs() < 1e15).then_some(ppm as i64)
        }
        Value::Text(s) if read_number(s).is_some() => {
            return Err(Problem::with(format!("\"{s}\" is a text. Write {s}, without quotes."), s.clone()).into());
        }
        _ => return Err(kind(row, node)),
    };
    match ppm {
        Some(ppm) if (1..=1_000_000_000).contains(&ppm) => Ok(decimal(ppm)),
        _ => Err(wrong(format!("{node} is out of range; above 0 and at most 1000, with six decimals."))),
    }
}

/// A number of millionths, shortest.
fn decimal(ppm: i64) -> Value {
    if ppm % 1_000_000 == 0 {
        return Value::Int(ppm / 1_000_000);
    }
    Value::Decimal(ppm as f64 / 1e6)
}

fn length(row: &Row, node: &Node) -> Result<Value, Refusal> {
    let s = length_text(row, node)?;
    if row.word(s).is_some() {
        return word(row, s).map(Value::Text);
    }
    if row.ty == Type::Period
        && let Some(part) = s.strip_prefix("ttl")
    {
        return period(s, part).map(Value::Text);
    }
    if row.ty == Type::SignedTime {
        return Ok(Value::Text(write_time(signed_time(s)?)));
    }
    let limit = |p: Problem| {
        // A slip in a word such as "nevr" deserves the word; and where words are allowed they are said.
        if row.words.is_empty() || s.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
            return p;
        }
        let words: Vec<String> = row.words.iter().map(|w| format!("\"{}\"", w.text)).collect();
        Problem::new(format!(
            "\"{s}\" is no length of time. Write a number and a unit, such as \"10s\", or {}.",
            words.join(" or ")
        ))
    };
    let d = draw(s).map_err(limit)?;
    match (row.ty, d) {
        (Type::Draw, d) => Ok(Value::Text(write_draw(d))),
        (_, Draw::Fixed(t)) => Ok(Value::Text(write_time(t))),
        (Type::FixedTime, _) => Err(wrong(format!("\"{s}\" is a draw; {} is one length of time.", row.path()))),
        _ => Err(not_built(not_yet(&format!("a draw for {}", row.path())))),
    }
}

/// `ttl`, `ttl/3`.
fn period(s: &str, part: &str) -> Result<String, Refusal> {
    let divisor = match part.strip_prefix('/') {
        None if part.is_empty() => Some(1),
        Some(n) => n.trim().parse::<i64>().ok(),
        None => None,
    };
    match divisor {
        Some(1) => Ok("ttl".to_string()),
        Some(n) if (2..=1_000).contains(&n) => Ok(format!("ttl/{n}")),
        _ => Err(wrong(format!("\"{s}\" is no part of the TTL. Write \"ttl/3\", or a time."))),
    }
}

fn name(row: &Row, node: &Node) -> Result<String, Refusal> {
    let s = text(row, node)?;
    if is_name(s) {
        return Ok(s.to_string());
    }
    Err(wrong(format!("\"{s}\" is no name. A name is a letter, then letters, digits, - or _, at most 40 of them.")))
}

fn word(row: &Row, s: &str) -> Result<String, Refusal> {
    one_of(&row.path(), row.words, s)
}

fn one_of(what: &str, words: &[Word], s: &str) -> Result<String, Refusal> {
    let list = |built: bool| {
        let words: Vec<&str> = words.iter().filter(|w| w.built || !built).map(|w| w.text).collect();
        words.join(", ")
    };
    match words.iter().find(|w| w.text == s) {
        Some(w) if w.built => Ok(s.to_string()),
        Some(_) => {
            let can = list(true);
            let can = if can.is_empty() { String::new() } else { format!(" It can run: {can}.") };
            Err(not_built(format!("{}{can}", not_yet(&format!("\"{s}\"")))))
        }
        None => match nearest(s, words.iter().map(|w| w.text)) {
            Some(near) => Err(Problem::with(format!("there is no \"{s}\". Did you mean \"{near}\"?"), near).into()),
            None => Err(wrong(format!("there is no \"{s}\". {what} can be: {}.", list(false)))),
        },
    }
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
        Value::Int(n) => n.checked_mul(1_000_000),
        Value::Decimal(d) => Some((d * 1e6).round() as i64),
        _ => None,
    }
}

#[inline(never)]
pub(crate) fn as_texts(node: &Node) -> Vec<String> {
    node.items().iter().filter_map(|n| n.as_text().map(str::to_string)).collect()
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
            Err(r) => r.problem.message,
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
            (
                "lock.service",
                "\"etcd\"",
                "\"etcd\" is part of the language, but this version cannot run it yet. It can run: redis, redlock, consensus, none.",
            ),
            ("lock.service", "\"rediss\"", "there is no \"rediss\". Did you mean \"redis\"?"),
            ("lock.clock", "\"sundial\"", "there is no \"sundial\". lock.clock can be: wall, monotonic."),
            (
                "resource.guard",
                "[\"fence\", \"blocklist\"]",
                "\"blocklist\" is part of the language, but this version cannot run it yet. It can run: none, fence, owner, ask, version, absent, idempotency.",
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
            ("judge", "\"leak\"", "\"leak\" is part of the language, but this version cannot judge it yet."),
            ("worker.steps", "[{ loop = 0, steps = [\"read\"] }]", "loop is a number from 1, or \"forever\"."),
            ("worker.steps", "[{ loop = 2 }]", "a block without steps repeats nothing."),
            (
                "worker.steps",
                "[3]",
                "a step is a text (\"work 1s\") or a block ({ loop = 3, steps = […] }), not a whole number.",
            ),
        ] {
            assert_eq!(says(path, toml), expected, "{path} = {toml}");
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
            let norm = normalize(row, &node).unwrap_or_else(|r| panic!("{}: {}", row.path(), r.problem.message));
            assert_eq!(norm.to_string(), normalize(row, &norm).unwrap().to_string(), "{}", row.path());
        }
    }
}
