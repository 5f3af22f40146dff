//! A step as fields: its verb, what it acts on, how long it takes, and the words with an `=`.

use super::{Field, Kind};
use crate::app::text;
use crate::base::pieces::{cut, words};
use crate::scenario::registry::steps::{STEPS, StepRow, step_row};
use crate::scenario::registry::{Section, words_of};

/// A step, taken apart as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts<'a> {
    pub verb: &'a str,
    pub target: &'a str,
    /// Of several words: `exp 2s`, `until 20s`.
    pub time: String,
    /// Words with an `=`.
    pub keys: Vec<(&'a str, &'a str)>,
}

/// Takes a step apart.
pub fn parts(step: &str) -> Parts<'_> {
    let mut parts = Parts::default();
    for (i, word) in words(step).into_iter().enumerate() {
        let time = word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            || ["forever", "until", "exp", "lognormal", "pareto"].contains(&word);
        if i == 0 {
            parts.verb = word;
        } else if let Some((key, value)) = cut(word, "=") {
            parts.keys.push((key, value));
        } else if time || !parts.time.is_empty() {
            if !parts.time.is_empty() {
                parts.time.push(' ');
            }
            parts.time.push_str(word);
        } else {
            parts.target = word;
        }
    }
    parts
}

/// What a verb needs to be a step at all.
pub(super) fn first_text(verb: &str) -> &str {
    match verb {
        "work" => "work 1s",
        "wait" => "wait 1s",
        "reap" => "reap 5s",
        "call" => "call mail",
        other => other,
    }
}

/// The step with another word in one of its parts: `verb`, `target`, `time`, or one with an `=`. Nothing typed takes it out.
pub(super) fn with(step: &str, part: &str, typed: &str) -> String {
    let mut p = parts(step);
    match part {
        "verb" => {
            let old = p.time.clone();
            let first = parts(first_text(typed));
            let row = step_row(typed);
            let takes = |what: &str| row.is_some_and(|r| r.takes(what));
            let until = old.starts_with("until");
            let keeps = p.verb != typed && if until { takes("until <time>") } else { takes("time") };
            p.verb = typed;
            p.time = if keeps && !old.is_empty() { old } else { first.time };
            if !row.is_some_and(|r| {
                r.target().is_some() && r.target() == step_row(parts(step).verb).and_then(StepRow::target)
            }) {
                p.target = first.target;
            }
            p.keys.retain(|(key, _)| row.is_some_and(|r| r.keys().contains(key)));
        }
        "target" => p.target = typed,
        "time" => p.time = typed.to_string(),
        key => {
            p.keys.retain(|(k, _)| *k != key);
            if !typed.is_empty() {
                p.keys.push((key, typed));
            }
        }
    }
    let mut out = p.verb.to_string();
    for word in [p.target, &p.time] {
        if !word.is_empty() {
            out.push(' ');
            out.push_str(word);
        }
    }
    for (key, value) in p.keys {
        out.push_str(&[" ", key, "=", value].concat());
    }
    out
}

/// One sentence about a verb.
pub fn step_says(verb: &str) -> &'static str {
    step_row(verb).map_or("", StepRow::says)
}

/// The fields of a step, its verb first, then what it acts on or how long it takes.
pub fn step_fields(path: &str, step: &str) -> Vec<Field> {
    let p = parts(step);
    let mut verbs = Vec::new();
    for row in STEPS.iter().filter(|row| row.built) {
        verbs.push((row.verb.word(), row.verb.word()));
    }
    let mut out = vec![one(path, "verb", p.verb.to_string(), Kind::Choice(verbs), p.verb)];
    let Some(row) = step_row(p.verb) else { return out };
    for takes in words_of(row.takes) {
        let field = match (takes, cut(takes, "=")) {
            ("time", _) => one(path, "time", p.time.clone(), Kind::Line, p.verb),
            ("until <time>", _) => continue,
            (_, Some((key, only))) => {
                let value = p.keys.iter().find(|(k, _)| *k == key).map_or("", |(_, value)| *value);
                let kind = match key {
                    "mode" => Kind::Choice(vec![("", text::NOT_SET), ("read", "read"), ("write", "write")]),
                    _ if !only.is_empty() => Kind::Choice(vec![("", text::NOT_SET), (only, only)]),
                    _ => Kind::Line,
                };
                one(path, key, value.to_string(), kind, p.verb)
            }
            _ => Field { label: takes.to_string(), ..one(path, "target", p.target.to_string(), Kind::Line, p.verb) },
        };
        out.push(field);
    }
    out
}

fn one(path: &str, part: &str, value: String, kind: Kind, verb: &str) -> Field {
    let default = value.is_empty();
    let path = [path, "#", part].concat();
    Field { path, label: part.to_string(), value, kind, default, says: step_says(verb), section: Section::Worker }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::step::Action;

    #[test]
    fn every_verb_can_be_taken_apart_and_put_together() {
        for row in STEPS {
            let example = row.example();
            let p = parts(example);
            assert_eq!(p.verb, row.verb.word());
            let mut again = first_text(p.verb).to_string();
            for (part, value) in [("target", p.target), ("time", &p.time)] {
                again = with(&again, part, value);
            }
            for (key, value) in &p.keys {
                again = with(&again, key, value);
            }
            assert_eq!(again, example);
            if row.built {
                assert!(Action::parse(first_text(p.verb)).is_ok(), "{}", p.verb);
                for other in STEPS.iter().filter(|o| o.built) {
                    let turned = with(example, "verb", other.verb.word());
                    assert!(Action::parse(&turned).is_ok(), "{example} as {turned}");
                }
            }
        }
    }

    #[test]
    fn a_step_has_a_field_for_each_thing_that_it_takes() {
        let fields = step_fields("worker.0.steps.0", "acquire main ttl=5s");
        let shown: Vec<(&str, &str)> = fields.iter().map(|f| (f.label.as_str(), f.value.as_str())).collect();
        assert_eq!(shown, [("verb", "acquire"), ("lock", "main"), ("mode", ""), ("ttl", "5s"), ("patience", "")]);
        assert_eq!(parts("wait until 20s").time, "until 20s");
        assert_eq!(parts("reap main exp 2s").time, "exp 2s");
    }
}
