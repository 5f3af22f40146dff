//! The causal chain of a violation: sentences in the order of time, from the first cause to what proves it.

use super::last::{last, witness};
use super::say::say;
use super::slice::causes;
use super::tale::Tale;
use super::words::AGAIN;
use crate::base::TrueTime;
use crate::base::text::said;
use crate::check::report::Violation;
use crate::trace::{EventKind, EventSeq, Roster, TraceLog};

/// One sentence of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub at: TrueTime,
    /// The event that it tells of.
    pub seq: EventSeq,
    pub text: String,
    /// Something befell somebody here: a pause, a crash, a cut, a clock, a message that was lost or late.
    pub fault: bool,
}

/// Why this promise broke, as sentences. The last one tells of the violation itself, at its instant; for what did *not* happen it is
/// told of the event since which it was awaited.
pub fn chain(roster: &Roster, log: &TraceLog, violation: &Violation) -> Vec<Link> {
    let tale = Tale::new(roster, log);
    let causes = causes(&tale, violation);
    tell(&tale, violation, &causes)
}

/// The chain over given causes.
pub(super) fn tell(tale: &Tale, violation: &Violation, causes: &[EventSeq]) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let end = witness(violation);
    // The violation is told at the end, and with nothing before it.
    let before: &[EventSeq] = match causes.split_last() {
        Some((last, before)) if Some(*last) == end => before,
        _ => causes,
    };
    for seq in causes {
        let e = tale.event(*seq);
        // What did not happen is told at the end; the asking is a sentence of its own.
        if Some(*seq) == end && e.at == violation.at || e.at > violation.at {
            continue;
        }
        let Some(text) = say(tale, e, before) else { continue };
        let text = once(&links, text);
        if let Some(text) = text {
            links.push(Link { at: e.at, seq: *seq, text, fault: is_fault(tale, *seq) });
        }
    }
    if let Some(seq) = end {
        let text = last(tale, violation);
        links.retain(|l| l.text != text);
        links.push(Link { at: violation.at, seq, text, fault: false });
    }
    links
}

/// A sentence that has been said is said with "again"; more often it is not said.
fn once(links: &[Link], text: String) -> Option<String> {
    let there = |t: &str| links.iter().any(|l| l.text == t);
    if !there(&text) {
        return Some(text);
    }
    let again = said(AGAIN, &[text.trim_end_matches('.')]);
    (!there(&again)).then_some(again)
}

/// Does the event tell of something that befell somebody?
pub fn is_fault(tale: &Tale, seq: EventSeq) -> bool {
    use crate::trace::{Fate, LostWhy};
    let e = tale.event(seq);
    match &e.kind {
        EventKind::Paused { .. }
        | EventKind::Crashed { .. }
        | EventKind::ClockStepped { .. }
        | EventKind::ClockRateSet { .. }
        | EventKind::CutFrom { .. }
        | EventKind::Promoted
        | EventKind::Disconnected => true,
        EventKind::Sent { fate, what, .. } => *fate != Fate::Plain || what.payload == crate::base::Payload::Failed,
        EventKind::Lost { why, .. } => *why != LostWhy::Loss,
        _ => false,
    }
}
