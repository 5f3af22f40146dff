//! What led to an event, and what came of it, from the log alone.
//!
//! Back along the causes: the arrival that a node answered, the sending that brought it, what the sender did before; and the pause that
//! held it up. Forth to the next thing that somebody did about it: to the end of the second message, since everything follows from
//! everything sooner or later.

use crate::base::Fact;
use crate::trace::{EventKind, EventSeq, TraceLog};

/// So far back.
const MOST_BACK: usize = 24;
/// So many messages forth.
const MESSAGES: u8 = 2;

/// What led to an event, the latest first.
pub fn causes(log: &TraceLog, seq: EventSeq) -> Vec<EventSeq> {
    let mut out: Vec<EventSeq> = Vec::new();
    let mut here = log.get(seq);
    while let Some(event) = here.filter(|_| out.len() < MOST_BACK) {
        here = match event.kind {
            // A pause that is over: what was held back goes on where its node had come to.
            EventKind::Resumed { .. } => {
                let before = || log.events()[..event.seq.0 as usize].iter().rev().filter(|e| e.node == event.node);
                let paused = before().find(|e| matches!(e.kind, EventKind::Paused { .. }));
                out.extend(paused.map(|e| e.seq));
                before().find(|e| paused.is_some_and(|p| e.seq < p.seq))
            }
            _ => event.cause.and_then(|c| log.get(c)),
        };
        out.extend(here.map(|e| e.seq));
    }
    out
}

/// What came of an event.
pub fn effects(log: &TraceLog, seq: EventSeq) -> Vec<EventSeq> {
    let first = seq.0 as usize;
    let Some(events) = log.events().get(first..) else { return Vec::new() };
    // By event from here on: how many messages lie between, if it follows at all.
    let mut follows: Vec<Option<u8>> = vec![None; events.len()];
    let mut out = Vec::new();
    for (i, e) in events.iter().enumerate() {
        let hops = if i == 0 {
            Some(0)
        } else {
            let cause = e.cause.and_then(|c| (c.0 as usize).checked_sub(first)).and_then(|c| follows[c]);
            let sends = u8::from(matches!(e.kind, EventKind::Sent { .. }));
            cause.map(|hops| hops + sends).filter(|hops| *hops <= MESSAGES)
        };
        follows[i] = hops;
        if hops.is_some() && i > 0 && !matches!(e.kind, EventKind::Did(Fact::Passed { .. })) {
            out.push(e.seq);
        }
    }
    // What a pause begins ends with it.
    if let Some(EventKind::Paused { thread }) = events.first().map(|e| e.kind) {
        let node = events[0].node;
        let over = |e: &&crate::trace::TraceEvent| {
            e.node == node && matches!(e.kind, EventKind::Resumed { thread: t, .. } if t == thread)
        };
        if let Some(over) = events.iter().find(over) {
            out.push(over.seq);
            let held = events.iter().skip_while(|e| e.seq <= over.seq).take_while(|e| e.at == over.at);
            out.extend(held.filter(|e| e.node == node).map(|e| e.seq));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::TrueTime;
    use crate::scenario::{parse, preset};
    use crate::trace::TraceEvent;

    #[test]
    fn a_late_write_comes_of_the_pause_and_of_the_grant_and_leads_to_its_answer() {
        let text = preset::by_id("gc-pause").expect("a story").text;
        let run = crate::run::run(&parse(text).scenario.expect("it runs"), 0);
        let log = &run.log;
        let find = |is: &dyn Fn(&TraceEvent) -> bool| log.events().iter().find(|e| is(e)).expect("it is there").seq;
        let late = find(&|e| e.at == TrueTime::from_ms(15_000) && matches!(e.kind, EventKind::Sent { .. }));
        let pause = find(&|e| matches!(e.kind, EventKind::Paused { .. }));
        let grant = find(&|e| matches!(e.kind, EventKind::Did(Fact::Granted(_))));
        let landed = find(&|e| e.at == TrueTime::from_ms(15_005) && matches!(e.kind, EventKind::Did(Fact::Applied(_))));
        let before = causes(log, late);
        assert!(before.contains(&pause) && before.contains(&grant), "{before:?}");
        assert!(before.iter().all(|s| *s < late));
        assert!(effects(log, late).contains(&landed));
        assert!(effects(log, pause).contains(&late), "what a pause held back comes of it");
        // W2's work has nothing to do with it.
        let other = find(&|e| e.at == TrueTime::from_ms(11_210) && matches!(e.kind, EventKind::Sent { .. }));
        assert!(!before.contains(&other) && !effects(log, late).contains(&other));
    }
}
