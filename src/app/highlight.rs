//! The scenario's text, cut into pieces to be shown: table heads, strings, remarks, and what a diagnostic points at.
//!
//! Not a parser: it looks at one line at a time and may be wrong about a string over several lines. It decides about weight and grey,
//! nothing else; what is right and wrong in a text is the reader's business.

use crate::base::pieces::{part, split, tail};
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Plain,
    /// `[table]`, `[[list]]`.
    Head,
    String,
    Remark,
}

/// A part of a line. The pieces of a line, put together, are the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub kind: Kind,
    /// A diagnostic points at it.
    pub marked: bool,
}

/// Cuts one line. `columns`: where diagnostics point, in characters from 1; 0 for the whole line.
pub fn pieces<'a>(line: &'a str, columns: &[u32]) -> Vec<Piece<'a>> {
    let marks: Vec<Range<usize>> = columns.iter().map(|c| word_at(line, *c)).collect();
    let mut out = Vec::new();
    for (range, kind) in kinds(line) {
        let mut cuts: Vec<usize> =
            marks.iter().flat_map(|m| [m.start, m.end]).filter(|c| range.start < *c && *c < range.end).collect();
        crate::base::flat::sort(&mut cuts);
        cuts.dedup();
        cuts.push(range.end);
        let mut start = range.start;
        for to in cuts {
            let marked = marks.iter().any(|m| m.start <= start && to <= m.end && start < to);
            out.push(Piece { text: part(line, start, to), kind, marked });
            start = to;
        }
    }
    out
}

/// The key or value that starts at a column (in characters, from 1), as bytes of the line: a string with its quotes, or what stands up
/// to the next sign. For column 0, or one beyond the end, the line without its margins.
pub fn word_at(line: &str, column: u32) -> Range<usize> {
    let start = match column.checked_sub(1).and_then(|c| line.char_indices().nth(c as usize)) {
        Some((at, _)) => at,
        None => {
            let trimmed = line.trim();
            let from = line.len() - line.trim_start().len();
            return from..from + trimmed.len();
        }
    };
    let rest = tail(line, start);
    let quoted = rest.chars().next().filter(|q| *q == '"' || *q == '\'');
    let length = match quoted {
        Some(quote) => string_length(rest, quote),
        None => {
            rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | ',' | ']' | '}' | '#')).unwrap_or(rest.len())
        }
    };
    // A sign by itself is one character.
    let length = if length == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { length };
    start..start + length
}

/// The text with the word at a line and a column (both from 1) replaced.
pub fn replace(text: &str, line: u32, column: u32, word: &str) -> String {
    let mut out = String::with_capacity(text.len() + word.len());
    for (i, l) in split(text, "\n").into_iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        if i as u32 + 1 == line {
            let range = word_at(l, column);
            let old = part(l, range.start, range.end);
            out.push_str(part(l, 0, range.start));
            // A value that stands in quotes keeps them, whether or not the new one comes with its own.
            match old.chars().next().filter(|q| matches!(q, '"' | '\'') && !word.starts_with(*q)) {
                Some(quote) => out.extend([quote.to_string(), word.to_string(), quote.to_string()]),
                None => out.push_str(word),
            }
            out.push_str(tail(l, range.end));
        } else {
            out.push_str(l);
        }
    }
    out
}

/// The bytes of a string literal with its quotes; to the end of the line if it is not closed there.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn kinds(line: &str) -> Vec<(Range<usize>, Kind)> {
    let mut out: Vec<(Range<usize>, Kind)> = Vec::new();
    let body = line.trim_start();
    let head = body.starts_with('[');
    let (mut at, mut plain_from) = (0, 0);
    let plain = if head { Kind::Head } else { Kind::Plain };
    while let Some(c) = tail(line, at).chars().next() {
        let (kind, length) = match c {
            '"' | '\'' if !head => (Kind::String, string_length(tail(line, at), c)),
            '#' => (Kind::Remark, line.len() - at),
            _ => {
                at += c.len_utf8();
                continue;
            }
        };
        if plain_from < at {
            out.push((plain_from..at, plain));
        }
        out.push((at..at + length, kind));
        at += length;
        plain_from = at;
    }
    if plain_from < line.len() {
        out.push((plain_from..line.len(), plain));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, columns: &[u32]) -> String {
        let wrap = |p: &Piece| {
            let inner = match p.kind {
                Kind::Plain => p.text.to_string(),
                Kind::Head => format!("<b {}>", p.text),
                Kind::String => format!("<s {}>", p.text),
                Kind::Remark => format!("<r {}>", p.text),
            };
            if p.marked { format!("!{inner}!") } else { inner }
        };
        pieces(line, columns).iter().map(wrap).collect()
    }

    #[test]
    fn heads_strings_and_remarks_are_told_apart() {
        assert_eq!(shown("[[worker]] # one", &[]), "<b [[worker]] ><r # one>");
        assert_eq!(shown("ttl = \"10s\"   # long", &[]), "ttl = <s \"10s\">   <r # long>");
        assert_eq!(shown(r#"a = "with \" and # in it""#, &[]), r#"a = <s "with \" and # in it">"#);
        assert_eq!(shown("a = 'open", &[]), "a = <s 'open>");
        assert_eq!(shown("", &[]), "");
    }

    #[test]
    fn a_mark_covers_the_word_it_points_at() {
        assert_eq!(shown("until = \"15sec\"", &[9]), "until = !<s \"15sec\">!");
        assert_eq!(shown("  deadline_check = true", &[3]), "  !deadline_check! = true");
        assert_eq!(shown("  half a line", &[0]), "  !half a line!");
        assert_eq!(shown("x = [1, 2]", &[99]), "!x = [1, 2]!");
    }

    #[test]
    fn a_repair_replaces_one_word() {
        assert_eq!(replace("until = \"15sec\"", 1, 9, "15s"), "until = \"15s\"");
        assert_eq!(replace("a = 1\nuntil = \"15sec\" # x\n", 2, 9, "\"15s\""), "a = 1\nuntil = \"15s\" # x\n");
    }

    #[test]
    fn columns_are_characters_not_bytes() {
        assert_eq!(shown("a = [\"é\", 10]", &[11]), "a = [<s \"é\">, !10!]");
        assert_eq!(&"é = 10"[word_at("é = 10", 5)], "10");
    }
}
