//! Draws all hand-written stories at all layouts: tests of the geometry.

use super::samples::{self, Sample};
use super::samples_more as more;
use super::samples_random as random;
use super::{Chip, Layout, Picture, Shown, Sight, picture};
use crate::check::report::Property;

/// All stories, each as the columns of one comparison.
fn stories() -> Vec<(&'static str, Vec<Sample>)> {
    vec![
        ("gc-pause", vec![samples::gc_pause(false), samples::gc_pause(true)]),
        ("redlock", vec![more::redlock(), more::consensus()]),
        ("crash", vec![more::crash(true), more::crash(false)]),
        ("foreign-release", vec![more::foreign_release(false), more::foreign_release(true)]),
        ("faults", vec![more::faults()]),
        ("copy", vec![more::copy()]),
        ("renewals", vec![more::renewals()]),
        ("shards", vec![more::shards()]),
        ("hostile", vec![more::hostile()]),
        ("crowd", vec![random::crowd(12)]),
        ("three", vec![samples::gc_pause(false), samples::gc_pause(true), samples::gc_pause(false)]),
        ("chaos", vec![random::chaos(7)]),
        ("chaos2", vec![random::chaos(22)]),
    ]
}

/// Lanes and columns to a layout.
type Fit = fn(usize, usize) -> Layout;

/// The layouts of the design, by name.
fn layouts() -> Vec<(&'static str, Fit)> {
    vec![
        ("wide", |lanes, cols| Layout::fit(if cols > 2 { 1364.0 } else { 1160.0 }, 573.0, lanes, cols)),
        ("mid", |lanes, cols| Layout::fit(992.0, 557.0, lanes, cols)),
        ("phone", |lanes, cols| Layout::fit(374.0, 478.0, lanes, cols)),
        ("embed", |lanes, cols| Layout::embed(692.0, 280.0, lanes, cols)),
        ("embed-phone", |lanes, cols| Layout::embed(366.0, 281.0, lanes, cols)),
    ]
}

fn draw(samples: &[Sample], fit: Fit) -> Picture {
    let shown: Vec<Shown> = samples.iter().map(Sample::shown).collect();
    let lanes = shown.iter().map(|s| super::lanes::count(s.roster)).max().unwrap_or(2);
    picture(&shown, &Property::JUDGED, &fit(lanes, shown.len()))
}

fn sheet(shown: &[Shown]) -> String {
    super::standalone(
        "A story & its <claim>",
        "A paused holder writes after its lease has ended, whatever the lock service.",
        shown,
        &Property::JUDGED,
    )
}

/// A small check that a text is well-formed XML: tags balance, attributes are quoted, nothing is left unescaped, ids are unique.
fn well_formed(xml: &str) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    let mut rest = xml;
    while let Some(i) = rest.find('<') {
        let text = &rest[..i];
        if text.contains('>') || text.contains('\u{0}') {
            return Err(format!("stray sign in text: {text}"));
        }
        for amp in text.match_indices('&') {
            let entity = &text[amp.0..];
            if !["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().any(|e| entity.starts_with(e)) {
                return Err(format!("stray ampersand: {entity}"));
            }
        }
        let end = rest[i..].find('>').ok_or("an open tag at the end")? + i;
        let tag = &rest[i + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop().as_deref() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        if !tag.matches('"').count().is_multiple_of(2) || tag.contains('<') {
            return Err(format!("broken attributes: {tag}"));
        }
        if let Some(id) = tag.split(" id=\"").nth(1).and_then(|t| t.split('"').next())
            && !ids.insert(id.to_string())
        {
            return Err(format!("id {id} twice"));
        }
        if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or("").to_string());
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

#[test]
fn every_picture_is_well_formed_and_the_same_each_time() {
    for (story, samples) in stories() {
        for (layout, fit) in layouts() {
            let p = draw(&samples, fit);
            let mut page = String::new();
            for c in &p.columns {
                page += &format!("{}{}", c.heads, c.body.whole());
            }
            page += &p.rail(&Sight::ALL);
            well_formed(&page).unwrap_or_else(|e| panic!("{story}, {layout}: {e}"));
            assert!(!page.contains("NaN") && !page.contains("inf"), "{story}, {layout}: a number is none");
            assert_eq!(p, draw(&samples, fit), "{story}, {layout}");
        }
        let shown: Vec<Shown> = samples.iter().map(Sample::shown).collect();
        let sheet = sheet(&shown);
        well_formed(&sheet).unwrap_or_else(|e| panic!("{story}, sheet: {e}"));
        assert!(!sheet.contains("<script") && !sheet.contains("<b>") && !sheet.contains("foreignObject"));
    }
}

/// No two boxes overlap.
fn apart(what: &str, boxes: &[super::PlacedBox]) {
    for (n, a) in boxes.iter().enumerate() {
        for b in &boxes[..n] {
            let apart = a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
            assert!(apart, "{what}: “{}” and “{}” overlap", a.text, b.text);
        }
    }
}

#[test]
fn no_text_stands_on_other_text() {
    for (story, samples) in stories() {
        for (layout, fit) in layouts() {
            for (i, c) in draw(&samples, fit).columns.iter().enumerate() {
                apart(&format!("{story}, {layout}, column {i}"), &c.body.boxes());
            }
        }
    }
}

#[test]
fn the_chips_say_what_the_reports_say() {
    let p = draw(&[samples::gc_pause(false), samples::gc_pause(true)], layouts()[0].1);
    assert_eq!(p.columns[0].chip, Chip::Unsafe);
    assert_eq!(p.columns[0].sentence, "W1’s write, computed under grant\u{a0}1, landed after W2’s, at 15.005\u{a0}s.");
    assert_eq!(p.columns[1].chip, Chip::Safe);
    assert_eq!(p.columns[1].sentence, "The resource refused token\u{a0}1 because it had seen 2.");
}

#[test]
fn the_rail_tells_the_story_of_the_paused_holder() {
    let p = draw(&[samples::gc_pause(false), samples::gc_pause(true)], layouts()[0].1);
    let told: Vec<String> =
        p.beats.iter().map(|b| format!("{} {}", super::text::bare(b.at), b.caption.join(" / "))).collect();
    assert_eq!(
        told,
        [
            "0.000 W1 takes the lock",
            "0.500 W1 pauses",
            "2.000 W2 must wait",
            "10.005 W1’s lease ends",
            "10.195 W2 takes over",
            "11.215 W2 writes",
            "15.005 W1’s late write: / first difference",
        ]
    );
    assert_eq!(p.first_difference, Some(crate::base::TrueTime::from_ms(15_005)));
}

#[test]
fn what_behaves_alike_says_so() {
    let (mut a, mut b) = (samples::gc_pause(false), samples::gc_pause(false));
    (a.name, b.name) = ("No fencing", "Safe release");
    let p = draw(&[a, b], layouts()[0].1);
    assert_eq!(p.first_difference, None);
    assert_eq!(p.columns[1].sentence, "As No fencing, at every instant.");
}

#[test]
fn the_list_tells_the_same_story() {
    let p = draw(&[samples::gc_pause(false)], layouts()[0].1);
    let lines: Vec<String> = p.columns[0]
        .events
        .iter()
        .map(|e| format!("{} {} {}{}", e.n, super::text::bare(e.at), e.text, if e.hot { " !" } else { "" }))
        .collect();
    let some = [
        "1 0.000 W1 → lock  acquire",
        "2 0.005 lock grants W1, grant\u{a0}1, until 10.005 s",
        "6 0.500 W1 pauses",
        "9 2.210 W2 tries 38 more times, refused each time",
        "10 10.005 lock: W1’s lease runs out",
        "17 11.215 resource: W2 writes 1, read 0",
        "20 11.225 lock: W2 releases",
        "24 15.005 resource: W1 writes 1, read 0; W2’s update lost !",
    ];
    for s in some {
        assert!(lines.iter().any(|l| l == s), "no line “{s}” in {lines:#?}");
    }
    assert_eq!(lines.len(), 27);
    // Every message that is drawn has its number.
    for a in p.columns[0].body.whole().split("<g class=\"m\"").skip(1) {
        assert!(a.contains("data-n="), "{a}");
    }
}

#[test]
fn the_track_is_true_to_scale() {
    let p = draw(&[samples::gc_pause(false)], layouts()[0].1);
    let t = &p.columns[0].track;
    assert_eq!(t.total, crate::base::Span::from_ms(16_000));
    assert!((t.leases[0].width - 62.5).abs() < 1e-9 && t.leases[0].label == "W1’s lease");
    assert_eq!(t.pauses.len(), 1);
}

#[test]
fn a_majority_is_one_lease() {
    let s = more::redlock();
    let seq = super::read::read(&s.roster, &s.log, s.ending, &Default::default());
    let leases: Vec<_> = seq.bars.iter().filter(|b| b.kind == super::sequence::BarKind::Lease).collect();
    let ms = crate::base::TrueTime::from_ms;
    assert_eq!(leases.len(), 2);
    assert_eq!(
        (leases[0].from, leases[0].to, leases[0].end),
        (ms(5), Some(ms(1_000)), super::sequence::BarEnd::MajorityLost)
    );
    assert_eq!(
        (leases[1].from, leases[1].to, leases[1].end),
        (ms(1_505), Some(ms(2_575)), super::sequence::BarEnd::Released)
    );
    assert_eq!(seq.ballots.iter().map(|b| b.again.clone()).collect::<Vec<_>>(), [vec![], vec![2], vec![], vec![]]);
    // Sixteen arrows of the single service's story, not sixty.
    assert_eq!(seq.arrows.len(), 16);
}

#[test]
fn any_log_can_be_drawn() {
    for seed in 0..150 {
        let sample = random::chaos(seed);
        for (layout, fit) in layouts() {
            let p = draw(std::slice::from_ref(&sample), fit);
            let c = &p.columns[0];
            well_formed(&format!("{}{}{}", c.heads, c.body.whole(), p.rail(&Sight::ALL)))
                .unwrap_or_else(|e| panic!("{seed}, {layout}: {e}"));
            assert!(
                !c.body.whole().contains("NaN") && !c.body.whole().contains("inf"),
                "{seed}, {layout}: a number is none"
            );
            apart(&format!("chaos {seed}, {layout}"), &c.body.boxes());
        }
    }
}
