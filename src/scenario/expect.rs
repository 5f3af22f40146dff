//! What a file claims about its runs. The claims are data here; whoever runs a scenario compares.
//!
//! A claim keeps the place where it was written, so that the comparison can point at it.

use super::moment::{point, point_words};
use super::quantity::{Problem, time, write_time};
use super::registry::claims::{MEASURES, Unit, measure_row};
use super::step::is_name;
use super::tree::Pos;
use crate::base::{Edge, PointKind, Span, TrueTime};
use std::fmt;

/// The claims about one design: the story's own, with the design's laid over them key by key. `None`: not claimed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// Exactly these of the judged properties are violated, and somebody held the lock at all.
    pub violates: Option<Claim<Vec<String>>>,
    /// At least these other properties are violated.
    pub notes: Option<Claim<Vec<String>>>,
    pub instants: Vec<Claim<ExpectInstant>>,
    pub measures: Vec<Claim<ExpectMeasure>>,
    /// How workers end: name and word.
    pub ends: Vec<Claim<(String, String)>>,
}

impl Expect {
    pub fn is_empty(&self) -> bool {
        *self == Expect::default()
    }
}

/// A claim and where it stands.
#[derive(Clone, Debug)]
pub struct Claim<T> {
    pub value: T,
    pub at: Pos,
}

/// Where a claim stands is no part of what it claims.
impl<T: PartialEq> PartialEq for Claim<T> {
    fn eq(&self, other: &Claim<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Claim<T> {}

/// `W1 apply 2 at 4.165s`, `W2 grant never`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectInstant {
    /// The worker, by name.
    pub worker: String,
    /// A seam, or the end of a step; `stop` is the worker's stopping, whether by a step or by itself.
    pub point: PointKind,
    /// Which one, from 1.
    pub n: u32,
    /// `None`: never.
    pub at: Option<TrueTime>,
}

impl ExpectInstant {
    /// Reads `<who> <point> [n] at <time>`, or `… never`.
    ///
    /// # Errors
    /// A sentence that says what to write.
    pub fn parse(text: &str) -> Result<ExpectInstant, Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (head, at) = match words.as_slice() {
            [head @ .., "at", t] => (head, Some(TrueTime::from_us(time(t)?.as_us()))),
            [head @ .., "never"] => (head, None),
            _ => return Err(malformed_instant(text)),
        };
        let (who, word, n) = match head {
            [who, word] => (*who, *word, 1),
            [who, word, n] => match n.parse::<u32>() {
                Ok(n) if n >= 1 => (*who, *word, n),
                _ => return Err(Problem::new(format!("\"{text}\": {n} is no count. The first time is 1."))),
            },
            _ => return Err(malformed_instant(text)),
        };
        let Some(point) = point(word, Edge::After) else {
            return Err(Problem::new(format!(
                "\"{text}\": there is no point \"{word}\". Points are {}.",
                point_words().join(", ")
            )));
        };
        if !is_name(who) {
            return Err(malformed_instant(text));
        }
        Ok(ExpectInstant { worker: who.to_string(), point, n, at })
    }
}

fn malformed_instant(text: &str) -> Problem {
    Problem::new(format!(
        "\"{text}\" is no instant. Write \"W1 apply at 4.165s\", \"W1 apply 2 at 4.165s\" or \"W2 grant never\"."
    ))
}

/// The canonical text, which [`ExpectInstant::parse`] reads back.
impl fmt::Display for ExpectInstant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.worker, self.point.word())?;
        if self.n > 1 {
            write!(f, " {}", self.n)?;
        }
        match self.at {
            Some(t) => write!(f, " at {}", write_time(t.since(TrueTime::ZERO))),
            None => f.write_str(" never"),
        }
    }
}

/// How a measure is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cmp {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Cmp {
    const ALL: [(Cmp, &'static str); 5] =
        [(Cmp::Less, "<"), (Cmp::AtMost, "<="), (Cmp::Equal, "="), (Cmp::AtLeast, ">="), (Cmp::More, ">")];

    pub fn word(self) -> &'static str {
        Cmp::ALL.iter().find(|(c, _)| *c == self).map_or("=", |(_, w)| w)
    }

    /// Does `found` compare so with `claimed`?
    pub fn holds<T: Ord>(self, found: &T, claimed: &T) -> bool {
        match self {
            Cmp::Less => found < claimed,
            Cmp::AtMost => found <= claimed,
            Cmp::Equal => found == claimed,
            Cmp::AtLeast => found >= claimed,
            Cmp::More => found > claimed,
        }
    }
}

/// What a measure is compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasureValue {
    Time(Span),
    Count(u64),
    Worker(String),
}

/// `wait W2 < 10.1s`, `messages <= 100`, `last-writer = W2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectMeasure {
    /// The word of the measure.
    pub measure: &'static str,
    /// `None`: of the run.
    pub who: Option<String>,
    pub cmp: Cmp,
    pub value: MeasureValue,
}

impl ExpectMeasure {
    /// Reads `<measure> [who] <comparison> <value>`.
    ///
    /// # Errors
    /// A sentence that says what to write.
    pub fn parse(text: &str) -> Result<ExpectMeasure, Problem> {
        let malformed = || {
            Problem::new(format!(
                "\"{text}\" is no claim about a measure. Write \"wait W2 < 10.1s\", \"messages <= 100\" or \"last-writer = W2\"."
            ))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let (word, who, cmp, value) = match words.as_slice() {
            [word, cmp, value] => (*word, None, *cmp, *value),
            [word, who, cmp, value] => (*word, Some(*who), *cmp, *value),
            _ => return Err(malformed()),
        };
        let Some(row) = measure_row(word) else {
            let words: Vec<&str> = MEASURES.iter().map(|m| m.word).collect();
            return Err(Problem::new(format!(
                "\"{text}\": there is no measure \"{word}\". Measures are {}.",
                words.join(", ")
            )));
        };
        if who.is_some() && !row.of_worker {
            return Err(Problem::new(format!("\"{text}\": {word} is of the run, not of one worker.")));
        }
        let Some((cmp, _)) = Cmp::ALL.into_iter().find(|(_, w)| *w == cmp) else { return Err(malformed()) };
        let value = match row.unit {
            Unit::Time => MeasureValue::Time(time(value)?),
            Unit::Count => MeasureValue::Count(
                value.parse().map_err(|_| Problem::new(format!("\"{text}\": {value} is no whole number.")))?,
            ),
            Unit::Worker if cmp != Cmp::Equal => {
                return Err(Problem::new(format!("\"{text}\": {word} is a worker; compare it with =.")));
            }
            Unit::Worker => MeasureValue::Worker(value.to_string()),
        };
        Ok(ExpectMeasure { measure: row.word, who: who.map(str::to_string), cmp, value })
    }
}

/// The canonical text, which [`ExpectMeasure::parse`] reads back.
impl fmt::Display for ExpectMeasure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.measure)?;
        if let Some(who) = &self.who {
            write!(f, " {who}")?;
        }
        write!(f, " {} ", self.cmp.word())?;
        match &self.value {
            MeasureValue::Time(t) => f.write_str(&write_time(*t)),
            MeasureValue::Count(n) => n.fmt(f),
            MeasureValue::Worker(w) => f.write_str(w),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_round_trip() {
        for text in ["W1 apply 2 at 4165ms", "W2 grant never", "W1 stop at 15s"] {
            assert_eq!(ExpectInstant::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(ExpectInstant::parse("W1 apply 1 at 4.165s").unwrap().to_string(), "W1 apply at 4165ms");
        for text in ["wait W2 < 10100ms", "belief-overlap >= 1s", "messages <= 100", "last-writer = W2", "violated = 0"]
        {
            assert_eq!(ExpectMeasure::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_claim_says_what_to_write() {
        for bad in ["W1 apply", "apply at 1s", "W1 apply 0 at 1s", "W1 nap at 1s", "W1 apply at 1", ""] {
            assert!(ExpectInstant::parse(bad).is_err(), "{bad}");
        }
        for bad in ["wait < 1", "wait W2 ~ 1s", "messages W1 < 3", "messages < 3s", "last-writer < W2", "nap < 1s", ""]
        {
            assert!(ExpectMeasure::parse(bad).is_err(), "{bad}");
        }
    }
}
