//! What stands beside the scenario: the claim, the picture, the transport, and below them the verdicts and the events.

use super::columns::{columns, corner, style, tabs};
use super::compare::{comparing, ways};
use super::legend::legend;
use super::markup::{made, on, put, yes};
use super::texts::wanted;
use crate::app::{Desk, Doc, Frame, Panel, Room, Scene, Story, text};
use crate::base::pieces::joined;
use crate::run::ENGINE;
use crate::trace::EndWhy;
use crate::view::Sight;
use crate::view::text::fill;
use std::rc::Rc;

/// The two widths at which the static first picture is drawn: rail and columns on a desk, on a phone.
const STATIC: [(&str, Frame); 2] = [
    ("vw", Frame { room: Room::Wide, width: 1160, window_height: 900 }),
    ("vp", Frame { room: Room::Narrow, width: 366, window_height: 844 }),
];

/// On a small screen the desk's picture is pressed into the places of this one: all boxes stand where they will, and heights are right;
/// only letters are narrower than they will be.
const PRESSED: Frame = Frame { room: Room::Middle, width: 992, window_height: 900 };

/// What stands over the picture: a notice, the title and the claim, and since when the picture is not what the text says.
pub fn over(out: &mut String, doc: &Doc, desk: &Desk) {
    wanted(out, desk);
    if let Some(notice) = &doc.notice {
        let note = r#"<div key="note" class="note" role="status"><p>{A}</p>{b}<button class="lk" data-do="dismiss">{0}</button></div>"#;
        put(out, note, &[text::CLOSE], &[notice, &super::share::offer(doc)]);
    }
    // What is compared may not be this story.
    let all = comparing(doc) == Some(Panel::Table);
    let claim = if all { Some(text::ALL_STORIES_SAY) } else { doc.good.as_ref().and_then(|g| g.claim.as_deref()) };
    let claim = claim.map_or(String::new(), |c| made(r#"<p class="claim">{A}</p>"#, &[], &[c]));
    let mut seg = String::new();
    ways(&mut seg, doc);
    let looks = looks(doc);
    let ways = [on(comparing(doc).is_none(), &looks), &*seg].concat();
    let title = match doc.title() {
        _ if all => text::ALL_STORIES,
        "" => text::UNTITLED,
        title => title,
    };
    put(
        out,
        r#"<div key="hero" class="hero"><div><h1 tabindex="-1">{A}</h1>{b}</div><div class="ways">{c}</div></div>"#,
        &[],
        &[title, &claim, &ways],
    );
    if doc.stale && doc.good.is_some() {
        let line = doc.error_line();
        let go = line.map_or(text::SHOW_WHAT_IS_WRONG.to_string(), text::go_to_line);
        let stale = r#"<div key="stale" class="stl" role="status"><p>{A}</p><button class="lk" data-do="mistake">{B}</button></div>"#;
        put(out, stale, &[], &[&text::stale(line), &go]);
    }
}

/// In time, or in order.
fn looks(doc: &Doc) -> String {
    let (time, order) = (yes(!doc.view.steps), yes(doc.view.steps));
    let seg = r#"<div class="seg look" role="group" aria-label="{0}"><button aria-pressed="{a}" data-do="look time">{1}</button><button aria-pressed="{b}" data-do="look order">{2}</button></div>"#;
    made(seg, &[text::drag::LOOK, text::drag::TIME, text::drag::ORDER], &[time, order])
}

/// In place of the picture, where there is nothing to draw.
pub fn empty(out: &mut String, doc: &Doc) {
    let Some(good) = &doc.good else {
        put(out, r#"<p class="empty">{0}</p>"#, &[text::NOTHING_YET], &[]);
        return;
    };
    // No design is ticked: one sentence with the act in it.
    let first = good.designs.first().map(|d| d.name.as_str()).unwrap_or_default();
    let none = r#"<p class="empty">{0}<button class="lk" data-do="tick">{A}</button> {1}</p>"#;
    put(out, none, &[text::NO_DESIGN, text::NO_DESIGN_TICK], &[&text::tick(first)]);
}

/// The picture without a program: in both static rooms, of which the style sheet shows one.
pub fn still(out: &mut String, story: &Rc<Story>, front: usize) {
    let middle = Scene::of(story.clone(), PRESSED).picture;
    let (layout, column) = (&middle.layout, middle.columns.first().map_or(0.0, |c| c.width));
    let mut places = String::new();
    let template = r#" style="--r:{0}px;--c:{1}px;--p:{2}px;--h:{3}px""#;
    fill(&mut places, template, &[layout.rail, column, corner(layout), middle.axis.height()], &[]);
    for (class, frame) in STATIC {
        let scene = Scene::with_prefix(story.clone(), frame, class);
        let (mut above, mut inner, mut key) = (String::new(), String::new(), String::new());
        tabs(&mut above, &scene, front);
        columns(&mut inner, &scene, front, &|_| Sight::ALL);
        legend(&mut key, &scene);
        let picture = r#"<div class="{a}"{f}>{b}<div {c}>{d}</div>{e}</div>"#;
        let places = on(frame.room == Room::Wide, &places);
        put(out, picture, &[], &[class, &above, &style(&scene, front), &inner, &key, places]);
    }
}

/// What pins the run down: version, seed, digest, and how each run ended.
pub fn footer(out: &mut String, scene: &Scene) {
    let story = &scene.story;
    let (mut endings, mut digests): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for r in &story.runs {
        endings.push(match r.ending.why {
            EndWhy::Quiet => text::ended_quiet(r.ending.at),
            EndWhy::Horizon => text::ended_horizon(r.ending.at),
            EndWhy::Events => text::ended_events(r.log.len()),
        });
        digests.push(r.digest.to_string());
    }
    // What is equal everywhere is said once.
    if endings.iter().all(|e| *e == endings[0]) {
        endings.truncate(1);
    }
    digests.dedup();
    let all = text::footer(ENGINE, story.scenario.seed, &joined(&digests, ", "), &joined(&endings, " · "));
    put(out, "<footer>{A}</footer>", &[], &[&all]);
}

/// The opening of what holds the picture: grey while the picture is not what the text says.
pub fn gray(doc: &Doc) -> &'static str {
    on(doc.stale, "old")
}
