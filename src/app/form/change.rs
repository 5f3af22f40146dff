//! What an edit of the form makes of the text, and whether that can be run.
//!
//! Every edit writes keys; comments and order of the text survive. An edit that would leave a text which cannot be run is not made: its
//! reason is shown where it was tried.

use crate::app::state::{Draft, Reading};
use crate::base::pieces::divide;
use crate::scenario::registry::faults::Victim;
use crate::scenario::registry::{Section, row};
use crate::scenario::scenario::{Fault, path};
use crate::scenario::tree::{Node, Table};
use crate::scenario::{Diagnostic, Scenario, edit};

/// The text with what somebody typed into a field, if that can be run; otherwise what is wrong with it. Nothing typed takes the key out,
/// so that its default holds again.
pub fn attempt(text: &str, path: &str, typed: &str) -> Result<Draft, String> {
    let typed = typed.trim();
    let made = if typed.is_empty() { edit::remove(text, path) } else { edit::set_typed(text, path, typed) };
    runnable(made.map_err(|d| d.message)?)
}

/// A text that can be run, or the first thing that is wrong with it.
fn runnable(text: String) -> Result<Draft, String> {
    let parsed = Reading::of(&text);
    match parsed.diagnostics.iter().find(|d| d.is_error()) {
        Some(d) if parsed.scenario.is_none() => Err(d.message.clone()),
        _ => Ok(Draft { text: text.into(), parsed: Some(parsed) }),
    }
}

/// What the form can add.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewFault {
    Pause,
    Crash,
    DropWrite,
    DelayWrite,
    LoseReply,
    Cut,
    StepClock,
}

impl NewFault {
    pub const ALL: [NewFault; 7] = [
        NewFault::Pause,
        NewFault::Crash,
        NewFault::DropWrite,
        NewFault::DelayWrite,
        NewFault::LoseReply,
        NewFault::Cut,
        NewFault::StepClock,
    ];

    /// Its keys as they would be typed, to be edited from there; `*` is whom it strikes.
    fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            NewFault::Pause => &[("pause", "*"), ("at", "500ms"), ("until", "15s")],
            NewFault::Crash => &[("crash", "*"), ("at", "500ms")],
            NewFault::DropWrite => &[("drop", "write"), ("from", "*"), ("nth", "1")],
            NewFault::DelayWrite => &[("delay", "write"), ("from", "*"), ("nth", "1"), ("takes", "12s")],
            NewFault::LoseReply => &[("drop", "acquire-reply"), ("to", "*"), ("nth", "1")],
            NewFault::Cut => &[("cut", "*"), ("to", "lock"), ("at", "500ms"), ("until", "15s")],
            NewFault::StepClock => &[("step_clock", "lock-node"), ("at", "1s"), ("by", "20s")],
        }
    }
}

/// A change of the scenario that is more than one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    AddWorker,
    /// By name. Faults that strike nobody else go with it.
    RemoveWorker(String),
    AddFault(NewFault),
    /// By its place in the file.
    RemoveFault(usize),
    /// By the word of its protection.
    AddDesign(String),
    /// By its place.
    RemoveDesign(usize),
}

/// The text after a change, if it can be run; otherwise what is in the way.
pub fn change(text: &str, scenario: &Scenario, change: &Change) -> Result<Draft, String> {
    let made = match change {
        Change::AddWorker => add_worker(text),
        Change::RemoveWorker(name) => remove_worker(text, scenario, name),
        Change::AddFault(fault) => add_fault(text, scenario, *fault),
        Change::RemoveFault(entry) => edit::remove_fault(text, &entry.to_string()),
        Change::AddDesign(protection) => edit::add_design(text, None, Some(protection)),
        Change::RemoveDesign(design) => edit::remove_design(text, &design.to_string()),
    };
    runnable(made.map_err(|d| d.message)?)
}

/// The new one starts late enough to come second.
fn add_worker(text: &str) -> Result<String, Diagnostic> {
    let (text, name) = edit::add_worker(text)?;
    edit::set_typed(&text, &["worker.", &name, ".start"].concat(), "2s")
}

/// It strikes the first worker; everything about it can be changed then.
fn add_fault(text: &str, scenario: &Scenario, fault: NewFault) -> Result<String, Diagnostic> {
    let worker = scenario.workers.first().map_or("W1", |w| w.name.as_str());
    let mut entry = Table::default();
    for (key, typed) in fault.keys() {
        let typed = if *typed == "*" { worker } else { typed };
        entry.set(key, Node::new(edit::typed_value(row(Section::Fault, key), typed)));
    }
    edit::add(text, "fault", &entry)
}

fn remove_worker(text: &str, scenario: &Scenario, name: &str) -> Result<String, Diagnostic> {
    let mut out = edit::remove_worker(text, name)?;
    // From the last to the first, so that numbers stay true.
    for f in scenario.faults.iter().rev().filter(|f| strikes_only(f, name)) {
        out = edit::remove_fault(&out, &f.entry.to_string())?;
    }
    // What the file claims about instants and lengths was claimed of a story with that worker.
    for key in ["instants", "measures", "ends"] {
        let key = ["expect.", key].concat();
        out = edit::remove(&out, &key)?;
        for (design, _) in scenario.designs.iter().enumerate().filter(|(_, d)| d.written) {
            out = edit::remove(&out, &path("design", design, &key))?;
        }
    }
    Ok(out)
}

fn strikes_only(f: &Fault, worker: &str) -> bool {
    let named = |list: &[&str]| !list.is_empty() && list.iter().all(|n| divide(n, ".").0 == worker);
    match f.message() {
        Some(_) => ["from", "to"].into_iter().filter_map(|key| f.names(key)).any(|l| named(&l)),
        None => f.verb.victim != Victim::Groups && named(&f.whom()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::protections;
    use super::*;
    use crate::scenario::{parse, preset};

    fn story(id: &str) -> (String, Scenario) {
        let text = preset::by_id(id).expect("a story").text;
        (text.to_string(), parse(text).scenario.expect("it runs"))
    }

    fn scenario(text: &str) -> Scenario {
        parse(text).scenario.expect("it runs")
    }

    #[test]
    fn a_value_that_cannot_be_run_is_refused_with_a_reason() {
        let (text, _) = story("gc-pause");
        let refused = attempt(&text, "lock.ttl", "1o s").expect_err("no length of time");
        assert!(!refused.is_empty());
        let made = attempt(&text, "lock.ttl", "4s").expect("a length of time");
        assert_eq!(scenario(&made.text).resolved(0, "lock.ttl").map(|(v, _)| v), Some("4s".to_string()));
        // Comments survive.
        assert!(made.text.contains("# the default, written out to be read"));
        let back = attempt(&made.text, "lock.ttl", "").expect("a default");
        assert_eq!(scenario(&back.text).resolved(0, "lock.ttl").map(|(v, _)| v), Some("10s".to_string()));
    }

    #[test]
    fn what_the_form_adds_can_be_run_and_taken_out_again() {
        let (text, s) = story("gc-pause");
        let after = |c: Change| change(&text, &s, &c).unwrap_or_else(|e| panic!("{c:?}: {e}"));
        for new in NewFault::ALL {
            let made = after(Change::AddFault(new));
            let with = scenario(&made.text);
            assert_eq!(with.faults.len(), 2, "{new:?}");
            let back = change(&made.text, &with, &Change::RemoveFault(1)).expect("it is there");
            assert_eq!(scenario(&back.text), s, "{new:?}");
        }
        let made = after(Change::AddWorker);
        let three = scenario(&made.text);
        assert_eq!(three.workers.len(), 3);
        let fewer = change(&made.text, &three, &Change::RemoveWorker("W1".into())).expect("one less");
        assert_eq!(scenario(&fewer.text).faults.len(), 0, "its pause has nobody to strike");
        let offered = protections(&s);
        for word in offered {
            assert_eq!(scenario(&after(Change::AddDesign(word.into())).text).designs.len(), s.designs.len() + 1);
        }
        assert_eq!(scenario(&after(Change::RemoveDesign(0)).text).designs.len(), s.designs.len() - 1);
    }
}
