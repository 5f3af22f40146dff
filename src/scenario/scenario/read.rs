//! Reading the normalized tree: what stands at a key, as the kind of value that is known to be there.
//!
//! The walk over the file has refused whatever is of another kind, so nothing can fail here: what is not there is `None`, empty or false.

use crate::base::Span;
use crate::protocol::params::Draw;
use crate::scenario::moment::When;
use crate::scenario::quantity::share;
use crate::scenario::tree::{Node, Table};
use crate::scenario::value::{as_bool, as_draw, as_int, as_ppm, as_span};

static EMPTY: Table = Table { entries: Vec::new() };

/// The table at a key; an empty one if there is none.
#[inline(never)]
pub(crate) fn table<'a>(t: &'a Table, key: &str) -> &'a Table {
    t.get(key).map_or(&EMPTY, of)
}

/// A node as a table.
pub(crate) fn of(node: &Node) -> &Table {
    node.as_table().unwrap_or(&EMPTY)
}

/// The entries of a list of tables, or the elements of any list.
#[inline(never)]
pub(crate) fn items<'a>(t: &'a Table, key: &str) -> &'a [Node] {
    t.get(key).map_or(&[], Node::items)
}

#[inline(never)]
pub(crate) fn text<'a>(t: &'a Table, key: &str) -> Option<&'a str> {
    t.get(key).and_then(Node::as_text)
}

/// A text of its own, for who keeps it.
pub(crate) fn owned(t: &Table, key: &str) -> Option<String> {
    text(t, key).map(str::to_string)
}

/// The texts of a list, or of one value that stands for a list of one.
#[inline(never)]
pub(crate) fn words(node: &Node) -> Vec<&str> {
    let mut out = Vec::new();
    for item in node.items() {
        out.extend(item.as_text());
    }
    out
}

/// The texts at a key; none if it is not there.
#[inline(never)]
pub(crate) fn texts<'a>(t: &'a Table, key: &str) -> Vec<&'a str> {
    t.get(key).map_or(Vec::new(), words)
}

pub(crate) fn span(t: &Table, key: &str) -> Option<Span> {
    t.get(key).and_then(as_span)
}

pub(crate) fn draw(t: &Table, key: &str) -> Option<Draw> {
    t.get(key).and_then(as_draw)
}

pub(crate) fn int(t: &Table, key: &str) -> Option<i64> {
    t.get(key).and_then(as_int)
}

pub(crate) fn ppm(t: &Table, key: &str) -> Option<i64> {
    t.get(key).and_then(as_ppm)
}

pub(crate) fn flag(t: &Table, key: &str) -> bool {
    t.get(key).is_some_and(as_bool)
}

/// The share of messages lost, in parts per million.
pub(crate) fn loss(t: &Table) -> Option<u32> {
    text(t, "loss").and_then(|s| share(s).ok())
}

#[inline(never)]
pub(crate) fn when(t: &Table, key: &str) -> Option<When> {
    text(t, key).and_then(|s| When::parse(s).ok())
}

/// Keys in code-point order. Tables are short: each key sinks to its place.
#[inline(never)]
pub(crate) fn sort(t: &mut Table) {
    for i in 1..t.entries.len() {
        let mut at = i;
        while at > 0 && t.entries[at - 1].key > t.entries[at].key {
            t.entries.swap(at - 1, at);
            at -= 1;
        }
    }
}
