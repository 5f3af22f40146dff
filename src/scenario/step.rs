//! Steps: what a worker does, one after another.
//!
//! A step is a short line, `verb [target] [time] [key=value …]`, because steps are what people read most; a block
//! `{ loop = 3, steps = […] }` repeats some. This file knows the grammar and its canonical text; whether the names exist is checked where all
//! names are known.

use super::quantity::{Problem, draw, time, write_draw, write_time};
use super::registry::steps::{Arg, StepRow, step_row};
use super::tree::{Node, Table, Value};
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
    pub fn parse(text: &str) -> Result<Action, Problem> {
        let mut words = text.split_whitespace();
        let Some(first) = words.next() else { return Err(Problem::new("an empty step says nothing. Take it out.")) };
        let Some(row) = step_row(first) else { return Err(unknown_verb(text, first)) };
        let mut action = Action::new(row.verb);
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            if let Some((key, value)) = word.split_once('=') {
                action.argument(row, text, key, value)?;
            } else if word == "until" && row.takes.contains(&Arg::Until) {
                let Some(t) = words.next() else {
                    return Err(Problem::new(format!("\"{text}\": until when? Write \"wait until 20s\".")));
                };
                action.set_time(text, StepTime::Until(time(t)?))?;
            } else if row.takes.contains(&Arg::Time) && (word == "forever" || starts_time(word)) {
                let mut length = word.to_string();
                // A draw by name has its times in words of their own.
                let more = if word == "exp" {
                    1
                } else if word == "lognormal" {
                    2
                } else {
                    0
                };
                for _ in 0..more {
                    if let Some(next) = words.next() {
                        length = format!("{length} {next}");
                    }
                }
                let t = if word == "forever" { StepTime::Forever } else { StepTime::Length(draw(&length)?) };
                action.set_time(text, t)?;
            } else if let Some(what) =
                row.takes.iter().find(|a| matches!(a, Arg::Lock | Arg::Shard | Arg::Name | Arg::Worker))
            {
                if action.target.is_some() {
                    return Err(Problem::new(format!("\"{text}\": {first} takes one {}.", what.word())));
                }
                check_target(text, word, *what)?;
                action.target = Some(word.to_string());
            } else {
                let takes = row.takes_words();
                return Err(Problem::new(format!(
                    "\"{text}\": {first} takes {takes}, so \"{word}\" has no meaning there."
                )));
            }
        }
        action.complete(row, text)?;
        Ok(action)
    }

    fn set_time(&mut self, text: &str, t: StepTime) -> Result<(), Problem> {
        match self.time.replace(t) {
            Some(_) => Err(Problem::new(format!("\"{text}\" has two times. Keep one."))),
            None => Ok(()),
        }
    }

    fn argument(&mut self, row: &StepRow, text: &str, key: &str, value: &str) -> Result<(), Problem> {
        if !row.takes.iter().any(|a| a.key() == Some(key)) {
            let known: Vec<String> = row.takes.iter().filter_map(|a| a.key()).map(|k| format!("{k}=")).collect();
            let known = if known.is_empty() { "no such words".to_string() } else { known.join(", ") };
            return Err(Problem::new(format!("\"{text}\": {} takes {known}; {key}= is not one of them.", row.verb)));
        }
        if value.is_empty() {
            return Err(Problem::new(format!("\"{text}\": nothing stands after {key}=.")));
        }
        let again = match key {
            "mode" => {
                let mode = match value {
                    "read" => Mode::Read,
                    "write" => Mode::Write,
                    _ => {
                        return Err(Problem::new(format!(
                            "\"{text}\": mode={value} does not exist. Write mode=read or mode=write."
                        )));
                    }
                };
                self.mode.replace(mode).is_some()
            }
            "ttl" => self.ttl.replace(if value == "never" { None } else { Some(time(value)?) }).is_some(),
            "patience" => self.patience.replace(draw(value)?).is_some(),
            "key" => self.key.replace(value.to_string()).is_some(),
            "base" => {
                if value != "none" {
                    return Err(Problem::with(
                        format!("\"{text}\": a write's base is its last read, or none. Write base=none."),
                        "base=none",
                    ));
                }
                std::mem::replace(&mut self.blind, true)
            }
            "takes" => self.takes.replace(draw(value)?).is_some(),
            "older" => self.older.replace(time(value)?).is_some(),
            _ => unreachable!("every key of a step's row is read above"),
        };
        if again { Err(Problem::new(format!("\"{text}\" says {key}= twice. Keep one."))) } else { Ok(()) }
    }

    /// What a verb cannot do without.
    fn complete(&self, row: &StepRow, text: &str) -> Result<(), Problem> {
        let missing = match self.verb {
            Verb::Work | Verb::Wait | Verb::Reap if self.time.is_none() => {
                Some(format!("how long? Write \"{} 1s\"", self.verb))
            }
            Verb::Call | Verb::Issue if self.target.is_none() => Some(format!("what? Write \"{} mail\"", self.verb)),
            Verb::Hand if self.target.is_none() => Some("to whom? Write \"hand W2\"".to_string()),
            _ => None,
        };
        match missing {
            Some(what) => Err(Problem::with(format!("\"{text}\": {what}."), row.example)),
            None => Ok(()),
        }
    }
}

fn starts_time(word: &str) -> bool {
    word == "exp" || word == "lognormal" || word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

fn check_target(text: &str, word: &str, what: Arg) -> Result<(), Problem> {
    let separator = match what {
        Arg::Lock => '+',
        Arg::Shard => '.',
        _ => ' ',
    };
    if word.split(separator).all(is_name) {
        return Ok(());
    }
    Err(Problem::new(format!("\"{text}\": \"{word}\" is no name. A name is a letter, then letters, digits, - or _.")))
}

/// A letter, then letters, digits, `-`, `_`.
pub fn is_name(s: &str) -> bool {
    s.len() <= 40
        && s.starts_with(|c: char| c.is_ascii_alphabetic())
        && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn unknown_verb(text: &str, word: &str) -> Problem {
    let verbs: Vec<&str> = Verb::ALL.into_iter().map(Verb::word).collect();
    let synonym = match word {
        "lock" => Some("acquire"),
        "unlock" => Some("release"),
        "sleep" | "pause" => Some("wait"),
        "compute" | "process" => Some("work"),
        "extend" | "refresh" => Some("renew"),
        "save" | "put" | "set" | "update" => Some("write"),
        "get" | "load" => Some("read"),
        "exit" | "end" => Some("stop"),
        _ => super::registry::words::nearest(word, verbs.iter().copied()),
    };
    match synonym {
        Some(v) => {
            let better = format!("{v}{}", &text.trim_start()[word.len()..]);
            Problem::with(format!("there is no step \"{word}\". Did you mean \"{better}\"?"), better)
        }
        None => Problem::new(format!("there is no step \"{word}\". Steps begin with {}.", verbs.join(", "))),
    }
}

/// The canonical text, which [`Action::parse`] reads back.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.verb.word())?;
        if let Some(target) = &self.target {
            write!(f, " {target}")?;
        }
        match self.time {
            Some(StepTime::Length(d)) => write!(f, " {}", write_draw(d))?,
            Some(StepTime::Forever) => f.write_str(" forever")?,
            Some(StepTime::Until(t)) => write!(f, " until {}", write_time(t))?,
            None => {}
        }
        if let Some(mode) = self.mode {
            f.write_str(if mode == Mode::Read { " mode=read" } else { " mode=write" })?;
        }
        if let Some(ttl) = self.ttl {
            write!(f, " ttl={}", ttl.map_or("never".to_string(), write_time))?;
        }
        if let Some(p) = self.patience {
            write!(f, " patience={}", write_draw(p))?;
        }
        if let Some(key) = &self.key {
            write!(f, " key={key}")?;
        }
        if self.blind {
            f.write_str(" base=none")?;
        }
        if let Some(t) = self.takes {
            write!(f, " takes={}", write_draw(t))?;
        }
        if let Some(t) = self.older {
            write!(f, " older={}", write_time(t))?;
        }
        Ok(())
    }
}

impl Step {
    /// What stands in a file without `steps`.
    pub fn default_list() -> Vec<Step> {
        DEFAULT
            .iter()
            .map(|text| Step::One(Action::parse(text).expect("the default steps are in the grammar")))
            .collect()
    }

    /// The step as a tree: a text or a block.
    pub fn node(&self) -> Node {
        match self {
            Step::One(action) => Node::text(action.to_string()),
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
