//! Steps: what a worker does, one after another.
//!
//! A step is a short line, `verb [target] [time] [key=value …]`, because steps are what people read most; a block
//! `{ loop = 3, steps = […] }` repeats some. This file knows the grammar and its canonical text; whether the names exist is checked where all
//! names are known.

use super::moment::verb_words;
use super::quantity::{Problem, Read, better, draw, time, write_draw, write_time, wrong};
use super::registry::steps::{StepRow, step_row};
use super::registry::words::nearest_of;
use super::tree::{Node, Table, Value};
use crate::base::pieces::{cut, listed, part, split, words};
use crate::base::{Span, Verb};
use crate::protocol::params::Draw;
use std::fmt;

/// A step, or a block of steps that repeats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    One(Action),
    Loop {
        /// `None`: for ever.
        times: Option<u32>,
        /// Turns begin on this grid; a busy turn skips a beat.
        every: Option<Draw>,
        steps: Vec<Step>,
    },
}

/// One line of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub verb: Verb,
    /// Lock, shard, outside effect or worker, as written; `a+b` for several locks.
    pub target: Option<String>,
    pub time: Option<StepTime>,
    pub mode: Option<Mode>,
    /// `Some(None)`: never ends.
    pub ttl: Option<Option<Span>>,
    pub patience: Option<Draw>,
    pub key: Option<String>,
    /// A write without a base.
    pub blind: bool,
    pub takes: Option<Draw>,
    pub older: Option<Span>,
}

/// How long a step takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepTime {
    Length(Draw),
    Forever,
    /// Until the worker's own clock shows this.
    Until(Span),
}

/// Which half of a read-write lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Read,
    Write,
}

impl Action {
    pub fn new(verb: Verb) -> Action {
        Action {
            verb,
            target: None,
            time: None,
            mode: None,
            ttl: None,
            patience: None,
            key: None,
            blind: false,
            takes: None,
            older: None,
        }
    }

    /// Reads one line.
    ///
    /// # Errors
    /// An unknown verb, something that this verb does not take, a time that cannot be read.
    #[inline(never)]
    pub fn parse(text: &str) -> Read<Action> {
        let words = words(text);
        let Some(first) = words.first() else { return Err(wrong("an empty step says nothing. Take it out.", &[])) };
        let Some(row) = step_row(first) else { return Err(unknown_verb(text, first)) };
        let mut action = Action::new(row.verb);
        let mut at = 1;
        while at < words.len() {
            at += action.word(row, text, &words[at..])?;
        }
        action.complete(text)?;
        Ok(action)
    }

    /// Reads what the next word begins, and says how many words that was.
    fn word(&mut self, row: &StepRow, text: &str, words: &[&str]) -> Read<usize> {
        let word = words[0];
        if let Some((key, value)) = cut(word, "=") {
            self.argument(row, text, key, value)?;
            return Ok(1);
        }
        if word == "until" && row.takes("until <time>") {
            let Some(t) = words.get(1) else {
                return Err(wrong("\"{0}\": until when? Write \"wait until 20s\".", &[text]));
            };
            self.set_time(text, StepTime::Until(time(t)?))?;
            return Ok(2);
        }
        if row.takes("time") && (word == "forever" || starts_time(word)) {
            // A draw by name has its times in words of their own.
            let count = match word {
                "exp" => 2,
                "lognormal" | "pareto" => 3,
                _ => 1,
            };
            let count = count.min(words.len());
            let t = match word {
                "forever" => StepTime::Forever,
                _ => StepTime::Length(draw(&words[..count].join(" "))?),
            };
            self.set_time(text, t)?;
            return Ok(count);
        }
        let verb = row.verb.word();
        let Some(what) = row.target() else {
            let takes = if row.takes.is_empty() { "nothing" } else { row.takes };
            return Err(wrong("\"{0}\": {1} takes {2}, so \"{3}\" has no meaning there.", &[text, verb, takes, word]));
        };
        if self.target.is_some() {
            return Err(wrong("\"{0}\": {1} takes one {2}.", &[text, verb, what]));
        }
        let separator = match what {
            "lock" => "+",
            "shard" => ".",
            _ => " ",
        };
        if !split(word, separator).into_iter().all(is_name) {
            return Err(wrong(
                "\"{0}\": \"{1}\" is no name. A name is a letter, then letters, digits, - or _.",
                &[text, word],
            ));
        }
        self.target = Some(word.to_string());
        Ok(1)
    }

    #[inline(never)]
    fn set_time(&mut self, text: &str, t: StepTime) -> Read<()> {
        match self.time.replace(t) {
            Some(_) => Err(wrong("\"{0}\" has two times. Keep one.", &[text])),
            None => Ok(()),
        }
    }

    fn argument(&mut self, row: &StepRow, text: &str, key: &str, value: &str) -> Read<()> {
        let keys = row.keys();
        if !keys.contains(&key) {
            let known = if keys.is_empty() { "no such words" } else { &(keys.join("=, ") + "=") };
            let message = "\"{0}\": {1} takes {2}; {3}= is not one of them.";
            return Err(wrong(message, &[text, row.verb.word(), known, key]));
        }
        if value.is_empty() {
            return Err(wrong("\"{0}\": nothing stands after {1}=.", &[text, key]));
        }
        let again = match key {
            "mode" => {
                let mode = match value {
                    "read" => Mode::Read,
                    "write" => Mode::Write,
                    _ => {
                        let message = "\"{0}\": mode={1} does not exist. Write mode=read or mode=write.";
                        return Err(wrong(message, &[text, value]));
                    }
                };
                self.mode.replace(mode).is_some()
            }
            "ttl" => self.ttl.replace(if value == "never" { None } else { Some(time(value)?) }).is_some(),
            "patience" => self.patience.replace(draw(value)?).is_some(),
            "key" => self.key.replace(value.to_string()).is_some(),
            "base" => {
                if value != "none" {
                    let message = "\"{0}\": a write's base is its last read, or none. Write {1}.";
                    return Err(better(message, &[text, "base=none"]));
                }
                std::mem::replace(&mut self.blind, true)
            }
            "takes" => self.takes.replace(draw(value)?).is_some(),
            "older" => self.older.replace(time(value)?).is_some(),
            _ => unreachable!("every key of a step's row is read above"),
        };
        if again { Err(wrong("\"{0}\" says {1}= twice. Keep one.", &[text, key])) } else { Ok(()) }
    }

    /// What a verb cannot do without.
    fn complete(&self, text: &str) -> Read<()> {
        let (missing, example) = match self.verb {
            Verb::Work if self.time.is_none() => ("how long? Write \"work 1s\"", "work 1s"),
            Verb::Wait if self.time.is_none() => ("how long? Write \"wait 1s\"", "wait until 20s"),
            Verb::Reap if self.time.is_none() => ("how long? Write \"reap 1s\"", "reap 5min"),
            Verb::Call if self.target.is_none() => ("what? Write \"call mail\"", "call mail key=job-42"),
            Verb::Hand if self.target.is_none() => ("to whom? Write \"hand W2\"", "hand W2"),
            _ => return Ok(()),
        };
        Err(better("\"{0}\": {1}.", &[text, missing, example]))
    }
}

fn starts_time(word: &str) -> bool {
    ["exp", "lognormal", "pareto"].contains(&word) || matches!(word.as_bytes().first(), Some(b'0'..=b'9' | b'.'))
}

/// A letter, then letters, digits, `-`, `_`.
#[inline(never)]
pub fn is_name(s: &str) -> bool {
    s.len() <= 40
        && s.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// What people write for a verb, behind the verb.
const SYNONYMS: &str = "\
acquire lock
release unlock
wait sleep pause
work compute process
renew extend refresh
write save put set update
read get load
stop exit end";

fn unknown_verb(text: &str, word: &str) -> Box<Problem> {
    let verbs = verb_words();
    let mut meant = nearest_of(word, &verbs);
    for line in split(SYNONYMS, "\n") {
        let line = words(line);
        if line[1..].contains(&word) {
            meant = Some(line[0]);
        }
    }
    let Some(verb) = meant else {
        let verbs = listed(&verbs);
        return wrong("there is no step \"{0}\". Steps begin with {1}.", &[word, &verbs]);
    };
    let text = text.trim_start();
    let better_text = [verb, part(text, word.len(), text.len())].concat();
    better("there is no step \"{0}\". Did you mean \"{1}\"?", &[word, &better_text])
}

impl Action {
    /// The canonical text, which [`Action::parse`] reads back.
    #[inline(never)]
    pub fn text(&self) -> String {
        let mut out = self.verb.word().to_string();
        let mut add = |before: &str, what: &str| {
            out.push_str(before);
            out.push_str(what);
        };
        if let Some(target) = &self.target {
            add(" ", target);
        }
        match self.time {
            Some(StepTime::Length(d)) => add(" ", &write_draw(d)),
            Some(StepTime::Forever) => add(" ", "forever"),
            Some(StepTime::Until(t)) => add(" until ", &write_time(t)),
            None => {}
        }
        if let Some(mode) = self.mode {
            add(" mode=", if mode == Mode::Read { "read" } else { "write" });
        }
        match self.ttl {
            Some(Some(ttl)) => add(" ttl=", &write_time(ttl)),
            Some(None) => add(" ttl=", "never"),
            None => {}
        }
        if let Some(p) = self.patience {
            add(" patience=", &write_draw(p));
        }
        if let Some(key) = &self.key {
            add(" key=", key);
        }
        if self.blind {
            add(" base=", "none");
        }
        if let Some(t) = self.takes {
            add(" takes=", &write_draw(t));
        }
        if let Some(t) = self.older {
            add(" older=", &write_time(t));
        }
        out
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Step {
    /// What stands in a file without `steps`.
    pub fn default_list() -> Vec<Step> {
        let mut out = Vec::new();
        for text in DEFAULT {
            // Each of them is in the grammar.
            out.extend(Action::parse(text).map(Step::One));
        }
        out
    }

    /// The step as a tree: a text or a block.
    pub fn node(&self) -> Node {
        match self {
            Step::One(action) => Node::text(action.text()),
            Step::Loop { times, every, steps } => {
                let mut t = Table::default();
                t.set("loop", times.map_or(Node::text("forever"), |n| Node::new(Value::Int(i64::from(n)))));
                if let Some(every) = every {
                    t.set("every", Node::text(write_draw(*every)));
                }
                t.set("steps", Node::new(Value::List(steps.iter().map(Step::node).collect())));
                Node::new(Value::Table(t))
            }
        }
    }

    /// Every action in it, in order, each once.
    pub fn actions<'a>(&'a self, out: &mut Vec<&'a Action>) {
        match self {
            Step::One(a) => out.push(a),
            Step::Loop { steps, .. } => steps.iter().for_each(|s| s.actions(out)),
        }
    }
}

/// The default steps.
pub const DEFAULT: [&str; 5] = ["acquire", "read", "work 1s", "write", "release"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_round_trip() {
        for text in [
            "acquire",
            "acquire a+b",
            "acquire main mode=read ttl=5s patience=10s",
            "acquire ttl=never",
            "work 1s",
            "work 0s..2s",
            "work exp 2s",
            "work lognormal 50ms 2s",
            "work pareto 1ms 2s",
            "work 5ms|7ms|2s",
            "work forever",
            "wait until 20s",
            "write R.debit key=slot-{round} base=none",
            "call mail key=job-42 takes=1s",
            "reap main 5min",
            "break older=1h",
            "hand W2",
            "stop",
        ] {
            assert_eq!(Action::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Action::parse("  work   1000ms ").unwrap().to_string(), "work 1s");
    }

    #[test]
    fn a_wrong_step_says_what_to_write() {
        for (text, says) in [
            ("", "an empty step says nothing. Take it out."),
            ("sleep 1s", "there is no step \"sleep\". Did you mean \"wait 1s\"?"),
            ("wirte R", "there is no step \"wirte\". Did you mean \"write R\"?"),
            ("work", "\"work\": how long? Write \"work 1s\"."),
            ("work 10", "10 has no unit. Write \"10s\" or \"10ms\"."),
            ("work 1s 2s", "\"work 1s 2s\" has two times. Keep one."),
            ("check now", "\"check now\": check takes nothing, so \"now\" has no meaning there."),
            ("write R base=0", "\"write R base=0\": a write's base is its last read, or none. Write base=none."),
            ("read key=1", "\"read key=1\": read takes no such words; key= is not one of them."),
            ("acquire a b", "\"acquire a b\": acquire takes one lock."),
            ("acquire 1a", "\"acquire 1a\": \"1a\" is no name. A name is a letter, then letters, digits, - or _."),
            ("wait until", "\"wait until\": until when? Write \"wait until 20s\"."),
            ("acquire ttl=", "\"acquire ttl=\": nothing stands after ttl=."),
            ("acquire ttl=1s ttl=2s", "\"acquire ttl=1s ttl=2s\" says ttl= twice. Keep one."),
            ("call", "\"call\": what? Write \"call mail\"."),
        ] {
            assert_eq!(Action::parse(text).unwrap_err().message, says);
        }
    }
}
