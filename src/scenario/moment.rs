//! When something happens: an instant of true time, or a point of somebody's program.
//!
//! `"15s"` is true time from the start. `"after W1 check"`, `"5ms after W1 grant 2"` and `"before W1 write"` follow the program, so that a
//! fault strikes the same place whatever a design does to the timing. A time before a point would need foresight and does not exist.

use super::quantity::{Problem, Read, better, draw, time, write_draw, write_time, wrong};
use crate::base::pieces::{listed, whole, words};
use crate::base::text::{number, said};
use crate::base::{Edge, PointKind, Span, Verb};
use crate::protocol::params::Draw;
use std::fmt;

/// A moment as written: the worker by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// So long after the start of the run.
    At(Draw),
    /// `offset` after `worker` passed `point` for the `n`-th time, counted from 1 over rounds and loops.
    Point { offset: Span, worker: String, point: PointKind, n: u32 },
}

impl When {
    pub const START: When = When::At(Draw::Fixed(Span::ZERO));

    /// Reads `[time] after|before <who> <point> [n]`, or a time or a draw.
    ///
    /// # Errors
    /// A sentence that names the text and says what to write.
    #[inline(never)]
    pub fn parse(text: &str) -> Read<When> {
        let words = words(text);
        let Some(i) = words.iter().position(|w| *w == "after" || *w == "before") else {
            return draw(text).map(When::At);
        };
        let before = words[i] == "before";
        let offset = match words[..i] {
            [] => Span::ZERO,
            _ if before => {
                return Err(wrong(
                    "\"{0}\": time before a point needs foresight. Use an instant, or an earlier point.",
                    &[text],
                ));
            }
            [t] => time(t)?,
            _ => return Err(malformed(text)),
        };
        let Some((who, word, n)) = nth(text, &words[i + 1..])? else { return Err(malformed(text)) };
        if before && is_seam(word) {
            return Err(better(
                "\"{0}\": {1} is an instant and no step, so nothing comes right before it. Write \"{2}\".",
                &[text, word, &said("after {0} {1}", &[who, word])],
            ));
        }
        let edge = if before { Edge::Before } else { Edge::After };
        let point = point(word, edge).ok_or_else(|| no_point(text, word))?;
        Ok(When::Point { offset, worker: who.to_string(), point, n })
    }
}

#[inline(never)]
fn malformed(text: &str) -> Box<Problem> {
    wrong(
        "\"{0}\" is no moment. Write an instant (\"15s\"), or \"after W1 write\", \"5ms after W1 grant 2\", \"before W1 write\".",
        &[text],
    )
}

/// `<who> <point> [n]`, with the first time where no number stands; `None` if it is something else.
///
/// # Errors
/// The number is none.
#[inline(never)]
pub(crate) fn nth<'a>(text: &str, words: &[&'a str]) -> Read<Option<(&'a str, &'a str, u32)>> {
    let (who, word, n) = match *words {
        [who, word] => (who, word, "1"),
        [who, word, n] => (who, word, n),
        _ => return Ok(None),
    };
    match whole(n).and_then(|n| u32::try_from(n).ok()) {
        Some(count) if count >= 1 => Ok(Some((who, word, count))),
        _ => Err(wrong("\"{0}\": {1} is no count. The first time is 1.", &[text, n])),
    }
}

#[inline(never)]
pub(crate) fn no_point(text: &str, word: &str) -> Box<Problem> {
    wrong("\"{0}\": there is no point \"{1}\". Points are {2}.", &[text, word, &listed(&point_words())])
}

fn is_seam(word: &str) -> bool {
    PointKind::SEAMS.iter().any(|p| p.word() == word)
}

/// The point with this word: an edge of a step, or a seam, which has no edge. A seam before which something should happen is none.
#[inline(never)]
pub fn point(word: &str, edge: Edge) -> Option<PointKind> {
    if let Some(verb) = Verb::ALL.into_iter().find(|v| v.word() == word) {
        return Some(PointKind::Step(edge, verb));
    }
    PointKind::SEAMS.into_iter().find(|p| p.word() == word && edge == Edge::After)
}

/// Every word that names a point.
pub fn point_words() -> Vec<&'static str> {
    let mut out = verb_words();
    for seam in PointKind::SEAMS {
        out.push(seam.word());
    }
    out
}

/// Every verb of a step.
#[inline(never)]
pub(crate) fn verb_words() -> Vec<&'static str> {
    let mut out = Vec::new();
    for verb in Verb::ALL {
        out.push(verb.word());
    }
    out
}

impl When {
    /// The canonical text, which [`When::parse`] reads back.
    #[inline(never)]
    pub fn text(&self) -> String {
        let (offset, worker, point, n) = match self {
            When::At(d) => return write_draw(*d),
            When::Point { offset, worker, point, n } => (offset, worker, point, n),
        };
        let offset = if *offset == Span::ZERO { String::new() } else { write_time(*offset) + " " };
        let edge = if matches!(point, PointKind::Step(Edge::Before, _)) { "before" } else { "after" };
        said("{0}{1} {2} {3}{4}", &[&offset, edge, worker, point.word(), &nth_text(*n)])
    }
}

/// The first time goes without saying.
#[inline(never)]
pub(crate) fn nth_text(n: u32) -> String {
    if n > 1 { [" ", &number(n as usize)].concat() } else { String::new() }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_round_trip() {
        for text in
            ["15s", "0s..200ms", "after W1 check", "5ms after W1 grant 2", "before W1 write", "after Pod-1 compare"]
        {
            assert_eq!(When::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(When::parse("0ms after W1 write 1").unwrap().to_string(), "after W1 write");
    }

    #[test]
    fn a_wrong_moment_says_what_to_write() {
        for (text, says) in [
            (
                "3ms before W1 write",
                "\"3ms before W1 write\": time before a point needs foresight. Use an instant, or an earlier point.",
            ),
            (
                "before W1 grant",
                "\"before W1 grant\": grant is an instant and no step, so nothing comes right before it. Write \"after W1 grant\".",
            ),
            ("after W1 write 0", "\"after W1 write 0\": 0 is no count. The first time is 1."),
            ("5 after W1 write", "5 has no unit. Write \"5s\" or \"5ms\"."),
        ] {
            assert_eq!(When::parse(text).unwrap_err().message, says);
        }
        assert!(
            When::parse("after W1 nap")
                .unwrap_err()
                .message
                .starts_with("\"after W1 nap\": there is no point \"nap\". Points are acquire,")
        );
        for bad in ["after", "after W1", "after W1 write 1 2", "1s 2s after W1 write", ""] {
            assert!(When::parse(bad).is_err(), "{bad}");
        }
    }
}
