//! More that is allowed and probably not meant: values that stand in each other's way, and designs that do not differ.

use super::{Context, PerDesign, Place, Subject, of_worker, table_at};
use crate::base::Span;
use crate::base::pieces::{divide, whole};
use crate::base::text::{number, said};
use crate::scenario::diagnostic::{Diagnostics, Phase, Severity};
use crate::scenario::layers::Resolver;
use crate::scenario::profile::{pairs, protection_row};
use crate::scenario::quantity::write_time;
use crate::scenario::registry::{Row, Section, by_path, row};
use crate::scenario::scenario::Worker;

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    let mut warnings = PerDesign::new(Severity::Warning, Phase::Lints);
    let mut notes = PerDesign::new(Severity::Note, Phase::Lints);
    for (i, d) in c.scenario.designs.iter().enumerate() {
        let r = Resolver::new(c.scenario, d);
        if r.service(None) != "none" {
            for w in &c.scenario.workers {
                patience(i, &r, w, &mut warnings);
                slack(i, &r, w, &mut notes);
            }
            quorum(i, &r, c.names[i].locks[0].nodes.len(), &mut warnings);
        }
    }
    warnings.finish(c.scenario, found);
    notes.finish(c.scenario, found);
    alike(c, found);
}

/// Who gives up before a second try asks once, whatever `retry` says.
fn patience<'a>(i: usize, r: &Resolver<'a>, w: &'a Worker, warnings: &mut PerDesign) {
    let of = |key| r.draw(Section::Client, key, Some(&w.client));
    let (Some(patience), Some(retry)) = (of("patience"), of("retry")) else { return };
    let (patience, retry) = (patience.least(), retry.least());
    // Once asked is meant by a patience of nothing.
    if patience > Span::ZERO && retry >= patience && r.text(Section::Lock, "wake", None) == "poll" {
        let template = "{0} gives up after {1} and would try again after {2}: it asks once. Make client.retry shorter than client.patience.";
        let message = said(template, &[&w.name, &write_time(patience), &write_time(retry)]);
        warnings.say(i, of_client(r, w, "retry"), message);
    }
}

/// An extension that is lost, where the next one would come too late.
fn slack<'a>(i: usize, r: &Resolver<'a>, w: &'a Worker, notes: &mut PerDesign) {
    let Some(ttl) = r.ttl(None) else { return };
    let Some(every) = r.span(Section::Client, "renew_every", Some(&w.client), Some(ttl)) else { return };
    if every < ttl && every.times(2) > ttl {
        let template = "{0} renews every {1}, ttl is {2}: after one lost extension the next comes too late. Half of the ttl or less leaves room.";
        notes.say(i, of_client(r, w, "renew_every"), said(template, &[&w.name, &write_time(every), &write_time(ttl)]));
    }
}

/// Where a key of `client` stands: at the worker, if it says it itself.
fn of_client<'a>(r: &Resolver<'a>, w: &'a Worker, key: &'static str) -> Place<'a> {
    match w.client.get(key) {
        Some(_) => of_worker(w, if key == "retry" { "client.retry" } else { "client.renew_every" }),
        None => {
            let path = if key == "retry" { "client.retry" } else { "client.renew_every" };
            table_at(r.get(Section::Client, key, None).at(), path)
        }
    }
}

/// More votes than there are nodes.
fn quorum(i: usize, r: &Resolver, nodes: usize, warnings: &mut PerDesign) {
    let votes = r.get(Section::Lock, "quorum", None);
    let text = votes.to_text();
    let (least, more) = divide(&text, ".");
    let Some(least) = whole(least) else { return };
    if least as usize + usize::from(!more.is_empty()) > nodes {
        let template = "lock.quorum is {0}, and there are {1} nodes: nobody is ever granted. Ask for fewer votes, or name more nodes.";
        let place = Place { at: votes.at(), of: Subject::Table("", "lock"), key: "quorum" };
        warnings.say(i, place, said(template, &[&text, &number(nodes)]));
    }
}

/// Designs under which every key has the same value: whatever one of them says is so already.
fn alike(c: &Context, found: &mut Diagnostics) {
    let designs = &c.scenario.designs;
    let mut keys: Vec<&'static Row> = Vec::new();
    let mut add = |row: Option<&'static Row>| {
        if let Some(row) = row
            && !keys.iter().any(|k| k.section == row.section && k.key == row.key)
        {
            keys.push(row);
        }
    };
    for d in designs {
        for (section, settings) in d.own.sections() {
            for e in &settings.entries {
                add(row(section, &e.key));
            }
        }
        for (path, _) in pairs(d.protection.as_deref().and_then(protection_row).map_or("", |p| p.sets)) {
            add(by_path(path));
        }
    }
    let mut seen: Vec<String> = Vec::new();
    for (i, d) in designs.iter().enumerate() {
        let r = Resolver::new(c.scenario, d);
        let mut says = String::new();
        for row in &keys {
            says.push_str(&r.look(row, None).0.to_text());
            says.push('\n');
        }
        if let Some(twin) = seen.iter().position(|s| *s == says) {
            let template = "says the same as {0}: every value is equal, so their runs are. Change one, or remove it.";
            let message = said(template, &[&designs[twin].place()]);
            let place = Place { at: d.at, of: Subject::Design(d, i), key: "name" };
            found.tell(Severity::Note, Phase::Lints, place, message);
        }
        seen.push(says);
    }
}
