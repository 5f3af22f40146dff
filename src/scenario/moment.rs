//! When something happens: an instant of true time, or a point of somebody's program.
//!
//! `"15s"` is true time from the start. `"after W1 check"`, `"5ms after W1 grant 2"` and `"before W1 write"` follow the program, so that a
//! fault strikes the same place whatever a design does to the timing. A time before a point would need foresight and does not exist.

use super::quantity::{Problem, draw, time, write_draw, write_time};
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
    pub fn parse(text: &str) -> Result<When, Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(i) = words.iter().position(|w| *w == "after" || *w == "before") else {
            return draw(text).map(When::At);
        };
        let before = words[i] == "before";
        let offset = match &words[..i] {
            [] => Span::ZERO,
            _ if before => {
                return Err(Problem::new(format!(
                    "\"{text}\": time before a point needs foresight. Use an instant, or an earlier point."
                )));
            }
            [t] => time(t)?,
            _ => return Err(malformed(text)),
        };
        let (who, word, n) = match &words[i + 1..] {
            [who, word] => (who, word, 1),
            [who, word, n] => match n.parse::<u32>() {
                Ok(n) if n >= 1 => (who, word, n),
                _ => return Err(Problem::new(format!("\"{text}\": {n} is no count. The first time is 1."))),
            },
            _ => return Err(malformed(text)),
        };
        let point = match point(word, if before { Edge::Before } else { Edge::After }) {
            Some(PointKind::Step(..)) | None if before && is_seam(word) => {
                return Err(Problem::with(
                    format!(
                        "\"{text}\": {word} is an instant and no step, so nothing comes right before it. Write \"after {who} {word}\"."
                    ),
                    format!("after {who} {word}"),
                ));
            }
            Some(p) => p,
            None => {
                return Err(Problem::new(format!(
                    "\"{text}\": there is no point \"{word}\". Points are {}.",
                    point_words().join(", ")
                )));
            }
        };
        Ok(When::Point { offset, worker: (*who).to_string(), point, n })
    }
}

fn malformed(text: &str) -> Problem {
    Problem::new(format!(
        "\"{text}\" is no moment. Write an instant (\"15s\"), or \"after W1 write\", \"5ms after W1 grant 2\", \"before W1 write\"."
    ))
}

fn is_seam(word: &str) -> bool {
    PointKind::SEAMS.iter().any(|p| p.word() == word)
}

/// The point with this word: an edge of a step, or a seam, which has no edge. A seam before which something should happen is none.
pub fn point(word: &str, edge: Edge) -> Option<PointKind> {
    if let Some(verb) = Verb::ALL.into_iter().find(|v| v.word() == word) {
        return Some(PointKind::Step(edge, verb));
    }
    PointKind::SEAMS.into_iter().find(|p| p.word() == word && edge == Edge::After)
}

/// Every word that names a point.
pub fn point_words() -> Vec<&'static str> {
    Verb::ALL.into_iter().map(Verb::word).chain(PointKind::SEAMS.into_iter().map(PointKind::word)).collect()
}

/// The canonical text, which [`When::parse`] reads back.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            When::At(d) => f.write_str(&write_draw(*d)),
            When::Point { offset, worker, point, n } => {
                if *offset != Span::ZERO {
                    write!(f, "{} ", write_time(*offset))?;
                }
                let edge = if matches!(point, PointKind::Step(Edge::Before, _)) { "before" } else { "after" };
                write!(f, "{edge} {worker} {}", point.word())?;
                if *n > 1 {
                    write!(f, " {n}")?;
                }
                Ok(())
            }
        }
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
