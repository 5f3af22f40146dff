//! Why a promise broke: true of every story that comes with the engine, under every design, for every violation.

use fencepost::check::{Property, Violation};
use fencepost::run::{Run, run};
use fencepost::scenario::{Scenario, parse, preset};
use fencepost::trace::EventSeq;
use fencepost::why::{Link, assumption::struck, chain, remedies, why};
use std::collections::BTreeSet;

fn story(id: &str) -> Scenario {
    parse(preset::by_id(id).expect("a story").text).scenario.expect("without errors")
}

fn each_violation(mut f: impl FnMut(&str, &Run, &Violation)) -> usize {
    let mut n = 0;
    for p in preset::all() {
        let scenario = parse(p.text).scenario.expect("stories have no errors");
        for i in 0..scenario.designs().len() {
            let run = run(&scenario, i);
            for v in run.report.verdicts.iter().filter_map(|(_, verdict)| verdict.violation()) {
                f(p.id, &run, v);
                n += 1;
            }
        }
    }
    n
}

/// What must be true of any chain; `None`: all of it is.
fn wrong(run: &Run, v: &Violation, links: &[Link]) -> Option<String> {
    let Some((last, before)) = links.split_last() else { return Some("no sentence at all".into()) };
    if last.at != v.at || Some(&last.seq) != v.witnesses.last() {
        return Some(format!("does not end in the witness: {last:?}"));
    }
    if before.is_empty() && v.witnesses.len() > 1 {
        return Some("no cause before the witness".into());
    }
    for pair in links.windows(2) {
        if pair[0].at > pair[1].at {
            return Some(format!("not in the order of time: {pair:?}"));
        }
    }
    let mut said = BTreeSet::new();
    for l in links {
        let Some(e) = run.log.get(l.seq) else { return Some(format!("no such event: {l:?}")) };
        if e.at != l.at && l.seq != last.seq {
            return Some(format!("the event is at {}: {l:?}", e.at));
        }
        if !said.insert(&l.text) {
            return Some(format!("said twice: {}", l.text));
        }
        if l.text.split(' ').count() >= 12 {
            return Some(format!("too long for the picture: {}", l.text));
        }
        let (t, begin) = (&l.text, l.text.chars().next().unwrap_or(' '));
        let ends_well = t.ends_with('.') && !t.ends_with("..");
        let holes = t.contains('{') || t.contains('?') || t.contains("  ") || t.contains(" .") || t.contains(" ’s");
        if !begin.is_alphanumeric() || !ends_well || holes {
            return Some(format!("no good sentence: \"{t}\""));
        }
    }
    None
}

#[test]
fn every_violation_of_every_story_has_a_chain() {
    let mut faults = Vec::new();
    let mut properties = BTreeSet::new();
    let n = each_violation(|id, run, v| {
        properties.insert(v.property);
        let links = chain(&run.roster, &run.log, v);
        if let Some(what) = wrong(run, v, &links) {
            faults.push(format!("{id}, \"{}\", {}: {what}", run.design, v.property));
        }
    });
    assert!(faults.is_empty(), "{} of {n}:\n{}", faults.len(), faults.join("\n"));
    assert!(n > 1_000, "only {n} violations");
    let missing: Vec<_> = Property::ALL.into_iter().filter(|p| !properties.contains(p)).collect();
    assert!(missing.is_empty(), "no story breaks {missing:?}");
}

/// Taking a fault away is what shows that it mattered. Then the chain tells of it.
#[test]
fn a_fault_that_matters_is_told_and_an_assumption_is_named() {
    let (mut untold, mut nameless, mut n) = (Vec::new(), Vec::new(), 0);
    for p in preset::all() {
        let scenario = parse(p.text).scenario.expect("stories have no errors");
        let run = run(&scenario, 0);
        // What was done to the data, or else the first.
        let broken = run.violated();
        let Some(property) = broken.iter().find(|p| **p == Property::LostUpdate).or(broken.first()) else { continue };
        let w = why(&scenario, 0, &run, *property).expect("it is broken");
        n += 1;
        if let Some(what) = wrong(&run, &w.violation, &w.chain) {
            untold.push(format!("{}: {what}", p.id));
        }
        for fault in w.assumptions.iter().filter_map(|a| a.fault) {
            let shown = struck(&run, &scenario, fault);
            // Ends of a cut that are told by one sentence, and what comes after the violation, are not told one by one.
            let told = |s: &EventSeq| w.chain.iter().any(|l| l.seq == *s);
            let before = |s: &EventSeq| run.log.get(*s).is_some_and(|e| e.at <= w.violation.at);
            if shown.iter().any(before) && !shown.iter().any(told) {
                untold.push(format!("{}: fault {} is not told", p.id, fault + 1));
            }
        }
        if w.assumptions.is_empty() {
            nameless.push(p.id);
        }
    }
    assert!(untold.is_empty(), "{}", untold.join("\n"));
    assert!(n > 80, "only {n} stories break anything");
    assert!(nameless.is_empty(), "no assumption is named: {nameless:?}");
}

/// Both neighbours of a named length have been run: at it the promise breaks, a millisecond below it holds.
#[test]
fn the_length_that_is_named_is_where_the_verdict_turns() {
    let text = preset::by_id("gc-pause").expect("the default story").text;
    let scenario = parse(text).scenario.expect("without errors");
    let w = why(&scenario, 0, &run(&scenario, 0), Property::LostUpdate).expect("it is broken");
    let a = &w.assumptions[0];
    assert_eq!(
        (a.name.as_str(), a.needed.as_str(), a.was.as_str()),
        ("a bounded pause", "under 9.701\u{a0}s", "14.5\u{a0}s")
    );
    let lost = |until: &str| {
        let s = parse(&text.replace("until = \"15s\"", &format!("until = \"{until}\""))).scenario.expect("a story");
        run(&s, 0).report.violated(Property::LostUpdate)
    };
    assert!(lost("10201ms"), "500 ms and 9.701 s");
    assert!(!lost("10200ms"), "a millisecond less");
}

#[test]
fn assumptions_of_all_kinds_are_found() {
    let named = |id: &str, property| {
        let scenario = story(id);
        let is = |word| scenario.designs().iter().position(|d| d.protection.as_deref() == Some(word));
        // What a client reckons by its clock matters only to one that looks at it.
        let design = if id == "client-clock-steps-back" { is("safe-release").expect("a design") } else { 0 };
        let run = run(&scenario, design);
        let w = why(&scenario, design, &run, property).unwrap_or_else(|| panic!("{id} keeps {property}"));
        w.assumptions.first().map(|a| a.name.clone()).unwrap_or_default()
    };
    for (id, property, name) in [
        ("delayed-packet", Property::StaleWrite, "a bounded delay"),
        ("client-clock-steps-back", Property::StaleWrite, "a clock without steps"),
        ("drift-beyond-the-margin", Property::StaleWrite, "a bounded clock rate"),
        ("node-restarts-empty", Property::LostUpdate, "a durable record"),
        ("asynchronous-failover", Property::LostUpdate, "synchronous replication"),
        ("no-expiry", Property::NoProgress, "a lease with an end"),
        ("split-votes", Property::NoProgress, "retries that differ"),
        ("lost-ack-and-retry", Property::DuplicateEffect, "a bounded delay"),
        ("check-then-write", Property::StaleWrite, "a bounded time in the handler"),
    ] {
        assert_eq!(named(id, property), name, "{id}");
    }
}

#[test]
fn remedies_have_reasons_of_their_own() {
    let scenario = story("gc-pause");
    let run = run(&scenario, 0);
    let r = remedies(&scenario, 0, &run, Property::LostUpdate).expect("it is broken");
    let reason = |name: &str| {
        let a = r.answers.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("{name} was not tried"));
        (a.stops, a.reason.replace('\u{a0}', " "))
    };
    assert_eq!(
        reason("Fencing at the resource"),
        (true, "the resource refuses W1 at 15.005 s: token 1, and it has seen 2".into())
    );
    assert_eq!(
        reason("Deadline check before each write"),
        (true, "W1 stops at 15.000 s: its deadline has passed; not if it pauses right after the check".into())
    );
    assert_eq!(reason("Redlock"), (false, "W2 is granted the lock at 10.045 s; the same end at 15.005 s".into()));
    assert_eq!(reason("Idempotency key"), (false, "two operations, two keys; the same end at 15.005 s".into()));
    assert_eq!(
        reason("A longer lease"),
        (false, "20 s passes this story; a longer pause breaks it at 40.505 s".into())
    );
    let stops: Vec<bool> = r.answers.iter().map(|a| a.stops).collect();
    assert!(stops.is_sorted_by(|a, b| a >= b), "what stops it comes first");
    assert_eq!(
        r.prices[0].cells().map(|c| c.replace('\u{a0}', " ")),
        ["1 of 2", "none", "1 s", "8.2 s", "10.185 s", "94"]
    );
}
