//! The panel that says why: the one column with its causes beside it, what would have helped, and what that costs.
//!
//! The sentences stand in the rows where they happen, as long as they do not come too close to each other; where there is less room they
//! are a list. Both are one ordered list to who reads it by ear.

use crate::base::flat::FlatSet;
use crate::base::markup::{made, on, put, yes};
use crate::base::pieces::{count, cut};
use crate::base::text::said;
use crate::base::{AcqId, Fact};
use crate::check::Property;
use crate::run::{self, Run};
use crate::scenario::parse;
use crate::trace::names::at;
use crate::trace::{EventKind, EventSeq};
use crate::view::text::fill;
use crate::view::{Layout, Picture, Shown, Sight, lanes, picture, verdict};
use crate::why::{Answer, Assumption, Remedies, Why, remedies, text, why, words};

/// The picture is so wide, and beside it is so much room for sentences. px.
const PICTURE: f64 = 662.0;
const ROOM: f64 = 470.0;
/// Height of one line of a sentence, and what is free below it. px.
const LINE: f64 = 20.0;
const FREE: f64 = 8.0;
/// A letter of the page's type is about so wide. px.
const LETTER: f64 = 6.9;

/// How the panel looks, which the page need not know before it is open.
const STYLE: &str = include_str!("../../static/why.css");

const PANEL: &str = r#"<style>{g}</style><div class="wh"><div><h2 id="why-title">{A}</h2><p>{0}</p></div>{b}</div>
<div class="wg"><div class="wp">{c}</div><div class="wc">{d}</div></div>
<div class="cf">{e}</div>
{f}"#;

/// What a person asks: the story, which of its designs, in which column of the page it stands, which promise (none: the most telling
/// one), and how high the window is. The answer begins with the design, by which the page knows it.
pub(super) fn panel(job: &[&str]) -> Option<Vec<String>> {
    let [story, about, column, property, height] = job else { return None };
    let scenario = parse(story).scenario?;
    let design = count(about).filter(|d| *d < scenario.designs().len())?;
    let run = run::run(&scenario, design);
    let broken = broken(&run);
    let telling = verdict::telling(&shown(&run), &run.judged).map(|v| v.property).or(broken.first().copied())?;
    let property = Property::from_word(property).filter(|p| broken.contains(p)).unwrap_or(telling);
    let why = why(&scenario, design, &run, property)?;
    let help = remedies(&scenario, design, &run, property)?;
    let drawn = draw(&run, (count(height)? as f64 - 300.0).max(420.0));
    let mut out = String::new();
    let args = [
        &text::title(&run.design, property),
        &tabs(&broken, property, column),
        &column_of(&run, &drawn, &why),
        &sentences(&why, &drawn),
        &answers(&help),
        &prices(&help),
        &STYLE.to_string(),
    ];
    put(&mut out, PANEL, &[words::ONE_CHAIN], &args.map(|a| a.as_str()));
    Some(vec![about.to_string(), out])
}

/// The promises that this run broke, those that count first.
fn broken(run: &Run) -> Vec<Property> {
    let mut out = run.violated();
    out.extend(Property::ALL.into_iter().filter(|p| run.report.violated(*p) && !run.judged.contains(p)));
    out
}

/// Which promise; only where there are several.
fn tabs(broken: &[Property], property: Property, column: &str) -> String {
    let mut buttons = String::new();
    for p in broken {
        let tab = r#"<button aria-pressed="{a}" data-do="why {B} {c}">{D}</button>"#;
        put(&mut buttons, tab, &[], &[yes(*p == property), column, p.word(), text::short(*p)]);
    }
    let group = made(r#"<div class="seg" role="group" aria-label="{0}">{a}</div>"#, &[words::WHICH], &[&buttons]);
    on(broken.len() > 1, &group).to_string()
}

/// The run as the view wants it.
fn shown(run: &Run) -> Shown<'_> {
    Shown { name: &run.design, roster: &run.roster, log: &run.log, report: &run.report, ending: run.ending }
}

fn draw(run: &Run, height: f64) -> Picture {
    let layout = Layout::fit(PICTURE, height, lanes::count(&run.roster), 1).with_prefix("why");
    let layout = Layout { live: false, ..layout };
    picture(&[shown(run)], &run.judged, &layout)
}

/// Rail and column, with what is no cause set back.
fn column_of(run: &Run, drawn: &Picture, why: &Why) -> String {
    let Some(column) = drawn.columns.first() else { return String::new() };
    let kept = lit(run, &why.causes);
    let picture = r#"<div class="wd" style="grid-template-columns:{0}px {1}px"><span></span>{a}{b}{c}</div>"#;
    let mut out = String::new();
    let body = set_back(&column.body.whole(), &kept);
    fill(&mut out, picture, &[drawn.layout.rail, column.width], &[&column.heads, &drawn.rail(&Sight::ALL), &body]);
    out
}

/// The events that stay as they are: the causes, the messages that carried them, and what was believed of their grants.
fn lit(run: &Run, causes: &[EventSeq]) -> FlatSet<EventSeq> {
    let mut out: FlatSet<EventSeq> = FlatSet::new();
    let mut grants: Vec<AcqId> = Vec::new();
    let mut arrivals: Vec<EventSeq> = Vec::new();
    for seq in causes {
        let Some(e) = run.log.get(*seq) else { continue };
        out.insert(*seq);
        if let EventKind::Did(Fact::Granted(g)) = &e.kind {
            grants.push(g.acq);
        }
        if let (EventKind::Did(_), Some(arrived)) = (&e.kind, e.cause.and_then(|c| run.log.get(c))) {
            arrivals.push(arrived.seq);
            out.insert(arrived.seq);
            arrived.cause.into_iter().for_each(|sent| {
                out.insert(sent);
            });
        }
    }
    for e in run.log.events() {
        let answer = matches!(e.kind, EventKind::Sent { .. })
            && e.cause.is_some_and(|c| arrivals.contains(&c) || causes.contains(&c));
        let belief = matches!(&e.kind, EventKind::Did(Fact::Believed { acq, .. }) if grants.contains(acq));
        if answer || belief {
            out.insert(e.seq);
        }
    }
    out
}

/// Marks each shape of an event that is not `kept`.
fn set_back(svg: &str, kept: &FlatSet<EventSeq>) -> String {
    const SEQ: &str = r#" data-seq=""#;
    let mut out = String::with_capacity(svg.len() + 2_048);
    let mut rest = svg;
    while let Some((before, after)) = cut(rest, SEQ) {
        out.push_str(before);
        let seq = cut(after, "\"").and_then(|(n, _)| count(n)).unwrap_or(0);
        if !kept.contains(&EventSeq(seq as u32)) {
            out.push_str(r#" data-back="""#);
        }
        out.push_str(SEQ);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The chain, each sentence as near to its row as those before it allow.
fn sentences(why: &Why, drawn: &Picture) -> String {
    let head = drawn.columns.first().map_or(0.0, |c| c.heads_height);
    let place = text::assumption_at(why);
    let (mut items, mut free) = (String::new(), 0.0_f64);
    let mut item = |class: &str, y: f64, lines: f64, markup: &str| {
        let top = y.max(free);
        free = top + lines * LINE + FREE;
        fill(&mut items, r#"<li{a} style="top:{0}px">{b}</li>"#, &[top.round()], &[class, markup]);
    };
    let lines = |letters: usize, room: f64| (letters as f64 * LETTER / room).ceil().max(1.0);
    let last = why.chain.len().saturating_sub(1);
    for (i, link) in why.chain.iter().enumerate() {
        let time = at(link.at);
        let time = time.trim_end_matches("\u{a0}s");
        let sentence = if i == last { "<time>{A}</time> <b>{B}</b>" } else { "<time>{A}</time> <span>{B}</span>" };
        let markup = made(sentence, &[], &[time, &link.text]);
        // Its first line stands at the row.
        let y = head + drawn.axis.y(link.at) - LINE / 2.0;
        item(on(i == last, r#" class="hot""#), y, lines(link.text.chars().count() + 8, ROOM - 30.0), &markup);
        if let (Some(a), true) = (why.assumptions.first(), Some(i) == place) {
            let said = [said(words::ASSUMPTION, &[&a.name]), a.values()];
            let letters = said[0].chars().count() + said[1].chars().count();
            let box_ = made("<p><b>{A}</b> {B}</p>", &[], &[&said[0], &said[1]]);
            item(r#" class="asm""#, y, lines(letters, ROOM - 50.0) + 1.0, &box_);
        }
    }
    let mut out = String::new();
    fill(&mut out, r#"<ol class="chn" style="min-height:{0}px">{a}</ol>"#, &[free], &[&items]);
    out.push_str(&besides(&why.assumptions));
    out
}

/// What else had to be broken; or that nothing alone would have helped.
fn besides(all: &[Assumption]) -> String {
    let mut out = String::new();
    for a in all.iter().skip(1) {
        put(&mut out, r#"<p class="also">{A} {B}</p>"#, &[], &[&said(words::ALSO, &[&a.name]), &a.values()]);
    }
    if all.is_empty() {
        put(&mut out, r#"<p class="also">{0}</p>"#, &[words::NO_ASSUMPTION], &[]);
    }
    out
}

fn answers(help: &Remedies) -> String {
    let mut out = String::new();
    for (head, stops, icon, class) in [(words::STOPPED, true, "ok", "y"), (words::NOT_STOPPED, false, "x", "n")] {
        let these: Vec<&Answer> = help.answers.iter().filter(|a| a.stops == stops).collect();
        let mut items = String::new();
        for a in &these {
            let row = r#"<li><span class="{a}"><ic {b}></span><b>{C}</b><span>{D}</span></li>"#;
            put(&mut items, row, &[], &[class, icon, a.name, &a.reason]);
        }
        if these.is_empty() {
            put(&mut items, "<li>{0}</li>", &[words::NOTHING_STOPS], &[]);
        }
        put(&mut out, "<section><h3>{0}</h3><ul>{a}</ul></section>", &[head], &[&items]);
    }
    out
}

fn prices(help: &Remedies) -> String {
    let (mut heads, mut rows) = (String::new(), String::new());
    for head in words::HEADS {
        put(&mut heads, r#"<th scope="col">{0}</th>"#, &[head], &[]);
    }
    for p in &help.prices {
        put(&mut rows, r#"<tr><th scope="row">{A}</th>"#, &[], &[&p.name]);
        for (i, (head, cell)) in words::HEADS.iter().zip(p.cells()).enumerate() {
            let lost = on(i == 0 && p.lost.0 > 0, r#" class="r""#);
            put(&mut rows, r#"<td{a} data-p="{B}">{C}</td>"#, &[], &[lost, head, &cell]);
        }
        rows.push_str("</tr>");
    }
    let table = r#"<table class="pt"><caption>{0}</caption><thead><tr><th><span class="vh">{1}</span></th>{a}</tr></thead><tbody>{b}</tbody></table><p class="also">{2}</p>"#;
    made(table, &[words::COSTS, words::DESIGN, words::COSTS_NOTE], &[&heads, &rows])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::preset;

    fn asked(property: &str) -> Option<Vec<String>> {
        let scenario = parse(preset::by_id("gc-pause")?.text).scenario?;
        panel(&[scenario.canonical(), "0", "0", property, "900"])
    }

    #[test]
    fn the_panel_has_chain_assumption_answers_and_price() {
        let answer = asked("lost-update").expect("it is broken");
        assert_eq!(answer[0], "0");
        for part in [
            "Why “No fencing” lost an update",
            "<time>0.005</time> <span>The service grants W1 the lock until 10.005\u{a0}s.</span>",
            "<b>Assumption broken: a bounded pause.</b> Needed: under 9.701\u{a0}s; was: 14.5\u{a0}s.",
            "<time>15.005</time> <b>The resource accepts W1’s write. W2’s update is gone.</b>",
            "<b>Fencing at the resource</b><span>the resource refuses W1 at 15.005\u{a0}s",
            "<b>A longer lease</b>",
            r#"<td class="r" data-p="Updates lost">1 of 2</td>"#,
            r#"aria-pressed="true" data-do="why 0 lost-update""#,
        ] {
            assert!(answer[1].contains(part), "{part}\nin {}", answer[1]);
        }
    }

    #[test]
    fn what_is_no_cause_is_set_back() {
        let answer = asked("stale-write").expect("it is broken");
        let (back, all) = (answer[1].matches("data-back").count(), answer[1].matches("data-seq").count());
        assert!(back > 5 && back < all - 8, "{back} of {all}");
        let pause = answer[1].split("class=\"pause\"").nth(1).expect("the pause is drawn");
        assert!(pause.starts_with(" data-seq"), "the cause itself stays: {}", &pause[..40]);
    }

    #[test]
    fn what_is_asked_of_no_story_or_no_design_has_no_answer() {
        assert_eq!(panel(&["nonsense [", "0", "0", "", "900"]), None);
        assert_eq!(panel(&[]), None);
        assert!(asked("").is_some(), "the most telling one");
        let story = parse(preset::by_id("quiet-handover").expect("a story").text).scenario.expect("without errors");
        assert_eq!(panel(&[story.canonical(), "0", "0", "", "900"]), None, "nothing is broken");
        assert_eq!(panel(&[story.canonical(), "99", "0", "", "900"]), None);
    }
}
