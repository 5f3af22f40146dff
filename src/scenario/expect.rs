//! What a file claims about its runs. The claims are data here; whoever runs a scenario compares.
//!
//! A claim keeps the place where it was written, so that the comparison can point at it.

use super::moment::{no_point, nth, nth_text, point};
use super::quantity::{Problem, Read, time, write_time, wrong};
use super::registry::claims::{Unit, measure_row, measure_words};
use super::step::is_name;
use super::tree::Pos;
use crate::base::pieces::{listed, whole, words};
use crate::base::text::{integer, said};
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
    #[inline(never)]
    pub fn parse(text: &str) -> Read<ExpectInstant> {
        let words = words(text);
        let (head, at) = match words.as_slice() {
            [head @ .., "at", t] => (head, Some(TrueTime::from_us(time(t)?.as_us()))),
            [head @ .., "never"] => (head, None),
            _ => return Err(malformed_instant(text)),
        };
        let Some((who, word, n)) = nth(text, head)? else { return Err(malformed_instant(text)) };
        let Some(point) = point(word, Edge::After) else { return Err(no_point(text, word)) };
        if !is_name(who) {
            return Err(malformed_instant(text));
        }
        Ok(ExpectInstant { worker: who.to_string(), point, n, at })
    }
}

#[inline(never)]
fn malformed_instant(text: &str) -> Box<Problem> {
    wrong(
        "\"{0}\" is no instant. Write \"W1 apply at 4.165s\", \"W1 apply 2 at 4.165s\" or \"W2 grant never\".",
        &[text],
    )
}

impl ExpectInstant {
    /// The canonical text, which [`ExpectInstant::parse`] reads back.
    #[inline(never)]
    pub fn text(&self) -> String {
        let (at, when) = match self.at {
            Some(t) => (" at ", write_time(t.since(TrueTime::ZERO))),
            None => (" never", String::new()),
        };
        said("{0} {1}{2}{3}{4}", &[&self.worker, self.point.word(), &nth_text(self.n), at, &when])
    }
}

impl fmt::Display for ExpectInstant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text())
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
    #[inline(never)]
    pub fn parse(text: &str) -> Read<ExpectMeasure> {
        let words = words(text);
        let (word, who, cmp, value) = match words[..] {
            [word, cmp, value] => (word, None, cmp, value),
            [word, who, cmp, value] => (word, Some(who), cmp, value),
            _ => return Err(malformed_measure(text)),
        };
        let Some(row) = measure_row(word) else {
            let known = listed(&measure_words());
            return Err(wrong("\"{0}\": there is no measure \"{1}\". Measures are {2}.", &[text, word, &known]));
        };
        if who.is_some() && !row.of_worker {
            return Err(wrong("\"{0}\": {1} is of the run, not of one worker.", &[text, word]));
        }
        let Some((cmp, _)) = Cmp::ALL.into_iter().find(|(_, w)| *w == cmp) else {
            return Err(malformed_measure(text));
        };
        let value = match row.unit {
            Unit::Time => MeasureValue::Time(time(value)?),
            Unit::Count => match whole(value).and_then(|n| u64::try_from(n).ok()) {
                Some(n) => MeasureValue::Count(n),
                None => return Err(wrong("\"{0}\": {1} is no whole number.", &[text, value])),
            },
            Unit::Worker if cmp != Cmp::Equal => {
                return Err(wrong("\"{0}\": {1} is a worker; compare it with =.", &[text, word]));
            }
            Unit::Worker => MeasureValue::Worker(value.to_string()),
        };
        Ok(ExpectMeasure { measure: row.word, who: who.map(str::to_string), cmp, value })
    }

    /// The canonical text, which [`ExpectMeasure::parse`] reads back.
    #[inline(never)]
    pub fn text(&self) -> String {
        let value = match &self.value {
            MeasureValue::Time(t) => write_time(*t),
            MeasureValue::Count(n) => integer(*n as i64),
            MeasureValue::Worker(w) => w.clone(),
        };
        let (space, who) = self.who.as_deref().map_or(("", ""), |who| (" ", who));
        said("{0}{1}{2} {3} {4}", &[self.measure, space, who, self.cmp.word(), &value])
    }
}

#[inline(never)]
fn malformed_measure(text: &str) -> Box<Problem> {
    wrong(
        "\"{0}\" is no claim about a measure. Write \"wait W2 < 10.1s\", \"messages <= 100\" or \"last-writer = W2\".",
        &[text],
    )
}

impl fmt::Display for ExpectMeasure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text())
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
