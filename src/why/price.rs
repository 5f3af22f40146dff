//! What each design costs in this story, and how long work stands still if a holder dies.

use super::answers::Tried;
use super::variant::Variant;
use super::words::{DASH, NONE, OF};
use crate::base::text::{natural, said};
use crate::base::{Fact, NodeId, Span, TrueTime};
use crate::check::report::Measures;
use crate::run::Run;
use crate::scenario::Scenario;
use crate::scenario::quantity::write_time;
use crate::trace::EventKind;
use crate::trace::names::length;

/// One design's row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Price {
    pub name: String,
    /// Updates that were overwritten from an older base, of all.
    pub lost: (u32, u32),
    pub wasted: Span,
    pub twice: Span,
    /// The longest wait of any worker.
    pub wait: Span,
    /// From the crash of the first holder, right after it holds, to the next grant; `None`: nobody is granted the lock after that.
    pub recovery: Option<Span>,
    pub messages: u32,
}

impl Price {
    fn new(name: &str, m: &Measures, recovery: Option<Span>) -> Price {
        Price {
            name: name.to_string(),
            lost: (m.updates_lost, m.updates),
            wasted: m.work_wasted,
            twice: m.work_twice,
            wait: m.workers.iter().map(|w| w.wait).max().unwrap_or(Span::ZERO),
            recovery,
            messages: m.messages,
        }
    }

    /// The cells in the order of the table's heads.
    pub fn cells(&self) -> [String; 6] {
        let span = |s: Span| if s == Span::ZERO { NONE.to_string() } else { length(s) };
        let (lost, all) = self.lost;
        let lost = match lost {
            0 => NONE.to_string(),
            n => said(OF, &[&natural(n.into()), &natural(all.into())]),
        };
        let recovery = self.recovery.map_or(DASH.to_string(), length);
        [lost, span(self.wasted), span(self.twice), span(self.wait), recovery, grouped(self.messages)]
    }
}

/// "1,388".
fn grouped(n: u32) -> String {
    let digits = natural(n.into());
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// The rows: the design at hand first, then what was tried.
pub fn prices(scenario: &Scenario, design: usize, base: &Variant, run: &Run, tried: &[Tried]) -> Vec<Price> {
    let name = &scenario.designs()[design].name;
    let mut out = vec![Price::new(name, &run.report.measures, recovery(base.clone(), run))];
    for t in tried {
        out.push(Price::new(t.name, &t.run.report.measures, recovery(t.variant.clone(), &t.run)));
    }
    out
}

/// How long nobody has the lock if its first holder dies as soon as it holds it, and nothing else befalls anybody.
fn recovery(v: Variant, run: &Run) -> Option<Span> {
    let (who, when) = first_holder(run)?;
    let name = run.roster.name(who);
    let calm = v.without_faults();
    // A holder dies at the instant of its first belief, told as time, because every design has it elsewhere.
    let died = calm.with_fault(&[("crash", name), ("at", &write_time(when.since(TrueTime::ZERO)))]).run()?;
    died.report.measures.recovery
}

/// Who believes first, and when.
fn first_holder(run: &Run) -> Option<(NodeId, TrueTime)> {
    run.log.events().iter().find_map(|e| match &e.kind {
        EventKind::Did(Fact::Believed { .. }) => Some((e.node, e.at)),
        _ => None,
    })
}
