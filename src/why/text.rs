//! All of it as text, for the command line.

use super::words::*;
use super::{Answer, Link, Price, Remedies, Why};
use crate::base::text::said;
use crate::check::report::Property;
use crate::trace::names::at;

/// What a design did that broke this promise, after its name: "lost an update".
pub const fn did(p: Property) -> &'static str {
    match p {
        Property::StaleWrite => "let an old write in",
        Property::NonOwnerWrite => "let somebody write who was not the owner",
        Property::LostUpdate => "lost an update",
        Property::ForeignRelease => "let a release remove another lease",
        Property::ForeignRenewal => "let a renewal extend another lease",
        Property::DuplicateEffect => "did one thing twice",
        Property::BrokenPromise => "broke the promise of a lease",
        Property::NoProgress => "left somebody waiting",
        Property::BeliefOverlap => "let two believe at once",
        Property::GrantOverlap => "granted to two at once",
        Property::LateSend => "let a request go out too late",
        Property::TokenRegress => "gave out a token that is not higher",
        Property::MarkRegress => "let the mark fall",
        Property::SplitShards => "left its shards at odds",
        Property::FalseAcquire => "let somebody believe without a lease",
        Property::IssueRegress => "handed out numbers that fall",
        Property::Leak => "left a lock behind",
        Property::Deadlock => "let workers wait in a ring",
    }
}

/// What a tab for this violation says.
pub const fn short(p: Property) -> &'static str {
    match p {
        Property::StaleWrite => "stale write",
        Property::NonOwnerWrite => "only the owner writes",
        Property::LostUpdate => "lost update",
        Property::ForeignRelease => "foreign release",
        Property::ForeignRenewal => "foreign renewal",
        Property::DuplicateEffect => "effect twice",
        Property::BrokenPromise => "broken promise",
        Property::NoProgress => "no progress",
        Property::BeliefOverlap => "two believers",
        Property::GrantOverlap => "two grants",
        Property::LateSend => "sent too late",
        Property::TokenRegress => "token not higher",
        Property::MarkRegress => "mark falls",
        Property::SplitShards => "split shards",
        Property::FalseAcquire => "false acquire",
        Property::IssueRegress => "numbers fall",
        Property::Leak => "leak",
        Property::Deadlock => "deadlock",
    }
}

/// "Why “No fencing” lost an update".
pub fn title(design: &str, p: Property) -> String {
    said(TITLE, &[design, did(p)])
}

/// The sentences, each with its time; the broken assumption stands before the first sentence after which it has broken.
pub fn chain(w: &Why) -> String {
    let mut out = String::new();
    let place = assumption_at(w);
    for (i, l) in w.chain.iter().enumerate() {
        line(&mut out, l);
        if Some(i) == place {
            w.assumptions.first().into_iter().for_each(|a| {
                indent(&mut out, &[&said(ASSUMPTION, &[&a.name]), " ", &a.values()].concat());
            });
        }
    }
    for a in w.assumptions.iter().skip(1) {
        indent(&mut out, &[&said(ALSO, &[&a.name]), " ", &a.values()].concat());
    }
    if w.assumptions.is_empty() {
        indent(&mut out, NO_ASSUMPTION);
    }
    out
}

/// After which sentence the broken assumption belongs: that of the fault that breaks it, or the first.
pub fn assumption_at(w: &Why) -> Option<usize> {
    let first = w.assumptions.first()?;
    let fault = w.chain.iter().position(|l| Some(l.seq) == first.seq);
    let any = || w.chain.iter().position(|l| l.fault);
    let last = w.chain.len().checked_sub(2)?;
    Some(fault.or_else(any).unwrap_or(0).min(last))
}

fn line(out: &mut String, l: &Link) {
    let time = at(l.at);
    let time = time.trim_end_matches("\u{a0}s");
    for _ in time.chars().count()..12 {
        out.push(' ');
    }
    out.push_str(&[time, "  ", &l.text, "\n"].concat());
}

fn indent(out: &mut String, text: &str) {
    out.push_str(&["              ", text, "\n"].concat());
}

/// What would have stopped it, and what would not have.
pub fn answers(r: &Remedies) -> String {
    let mut out = String::new();
    for (head, stops) in [(STOPPED, true), (NOT_STOPPED, false)] {
        let these: Vec<&Answer> = r.answers.iter().filter(|a| a.stops == stops).collect();
        if these.is_empty() && !stops {
            continue;
        }
        out.push_str(&["  ", head, "\n"].concat());
        for a in &these {
            out.push_str(&["    ", a.name, ": ", &a.reason, "\n"].concat());
        }
        if these.is_empty() {
            out.push_str(&["    ", NOTHING_STOPS, "\n"].concat());
        }
    }
    out
}

/// The table of prices.
pub fn prices(prices: &[Price]) -> String {
    let mut rows: Vec<Vec<String>> = vec![[""].into_iter().chain(HEADS).map(String::from).collect()];
    for p in prices {
        rows.push([p.name.clone()].into_iter().chain(p.cells()).collect());
    }
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=HEADS.len()).map(width).collect();
    let mut out = ["  ", COSTS, "\n"].concat();
    for row in &rows {
        out.push_str("   ");
        for (cell, width) in row.iter().zip(&widths) {
            out.push_str(&[" ", cell].concat());
            for _ in cell.chars().count()..width + 1 {
                out.push(' ');
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out.push_str(&["    ", COSTS_NOTE, "\n"].concat());
    out
}
