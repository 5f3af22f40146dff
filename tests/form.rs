//! The form reaches everything that the language can say, and makes no text that cannot be read.

use fencepost::app::form::{self, Change, Field, FormAction, Kind, attempt, change};
use fencepost::app::{Action, AppState, Frame, Room, Story, Theme, update::update};
use fencepost::scenario::registry::faults::VERBS;
use fencepost::scenario::registry::services::services;
use fencepost::scenario::registry::steps::STEPS;
use fencepost::scenario::registry::{Row, Section, Type, Uses, rows};
use fencepost::scenario::{Scenario, edit, parse, preset};
use std::rc::Rc;

const BLANK: &str = "schema = \"fencepost.scenario/1\"\n";
const FRAME: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

fn scenario(text: &str) -> Scenario {
    let parsed = parse(text);
    parsed.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

/// All fields of a card with this key, as a search for it finds them.
fn found(s: &Scenario, card: &str, key: &str) -> Vec<Field> {
    let all = form::card(s, 0, card, true, key);
    let last = |f: &Field| f.path.rsplit('.').next() == Some(key);
    all.into_iter().filter(last).collect()
}

/// A story in which a key is set as in its example, under a service that has it.
fn story_of(row: &Row) -> String {
    let text = [BLANK, &row.example(), "\n"].concat();
    let service = match row.uses {
        Uses::Families(list) | Uses::Only(list) => list[0],
        _ => return text,
    };
    edit::set_typed(&text, "lock.service", service).expect("an example can be edited")
}

/// The cards in which a key of this table may stand, in a story.
fn cards(section: Section, s: &Scenario) -> Vec<String> {
    let listed = |list: &str| (0..form::count_at(s, list)).map(|i| format!("{list}.{i}")).collect();
    match section {
        Section::Header => vec!["story".into()],
        Section::Lock | Section::Client => vec!["lock".into()],
        Section::Link | Section::Worker | Section::Fault | Section::Design => listed(section.word()),
        Section::Clock => form::clocks(s).into_iter().map(|c| ["clock.", &c].concat()).collect(),
        other => vec![other.word().into()],
    }
}

#[test]
fn every_key_is_shown_edited_and_put_back() {
    let mut seen = 0;
    for row in rows().filter(|r| r.built && r.key != "schema" && r.key != "steps") {
        if row.ty == Type::Table && matches!(row.section, Section::Worker | Section::Design) {
            continue; // Their keys have fields of their own.
        }
        let text = story_of(row);
        let s = scenario(&text);
        let fields: Vec<Field> = cards(row.section, &s).iter().flat_map(|c| found(&s, c, row.key)).collect();
        let Some(field) = fields.iter().find(|f| !f.default) else {
            panic!("{}: no field shows what is set\n{text}\n{fields:?}", row.path());
        };
        assert!(!field.says.is_empty() && !field.label.is_empty(), "{}", field.path);
        seen += 1;
        // Written as it is shown, it is what it was.
        let again = if field.value.is_empty() { "[]" } else { &field.value };
        let again = attempt(&text, &field.path, again).unwrap_or_else(|e| panic!("{} = {again}: {e}", field.path));
        assert_eq!(scenario(&again.text), s, "{}", field.path);
        // Put back to its default, if it can do without.
        match attempt(&text, &field.path, "") {
            Ok(back) => {
                let s = scenario(&back.text);
                let fields: Vec<Field> = cards(row.section, &s).iter().flat_map(|c| found(&s, c, row.key)).collect();
                assert!(fields.iter().all(|f| f.path != field.path || f.default), "{} is still set", field.path);
                let set = attempt(&back.text, &field.path, &field.value);
                if form::count_at(&s, row.section.word()) > 0 || set.is_ok() {
                    let set = set.unwrap_or_else(|e| panic!("{} = {}: {e}", field.path, field.value));
                    assert_eq!(scenario(&set.text), scenario(&text), "{}", field.path);
                }
            }
            Err(why) => assert!(
                ["needs", "no verb", "changes nothing", "there is no"].iter().any(|w| why.contains(w))
                    || row.key == "name",
                "{}: {why}",
                field.path
            ),
        }
    }
    assert!(seen > 150, "{seen}");
}

#[test]
fn what_a_design_or_a_worker_says_itself_has_fields_too() {
    let text = [BLANK, "worker = { name = \"W1\" }\ndesign = { protection = \"fencing\" }\n"].concat();
    for row in rows().filter(|r| r.built && matches!(r.section, Section::Lock | Section::Client | Section::Resource)) {
        let with = match row.uses {
            Uses::Families(list) | Uses::Only(list) => edit::set_typed(&text, "lock.service", list[0]).expect("a key"),
            _ => text.clone(),
        };
        let s = scenario(&with);
        for card in ["design.0", "worker.0"] {
            if card == "worker.0" && row.section != Section::Client {
                continue;
            }
            let fields = found(&s, card, row.key);
            let of = |f: &&Field| f.section == row.section;
            let field = fields.iter().find(of).unwrap_or_else(|| panic!("{} in {card}", row.path()));
            assert!(field.default, "{}", field.path);
            // A word to choose is set, and taken back.
            if let Kind::Choice(words) = &field.kind
                && let Some((word, _)) = words.iter().find(|(w, _)| *w != field.value && !w.is_empty())
                && row.key != "service"
                && let Ok(made) = attempt(&with, &field.path, word)
            {
                let made_s = scenario(&made.text);
                let now = found(&made_s, card, row.key);
                let now = now.iter().find(of).expect("it is there");
                assert!(!now.default && now.value == *word, "{}", field.path);
                let back = attempt(&made.text, &field.path, "").expect("its default");
                assert_eq!(scenario(&back.text), s, "{}", field.path);
            }
        }
    }
}

#[test]
fn every_verb_of_a_step_can_be_added_and_its_parts_written() {
    let text = [BLANK, "lock.kind = \"read-write\"\nresource.kind = \"issuer\"\n"].concat();
    for row in STEPS.iter().filter(|r| r.built) {
        let verb = row.verb.word();
        let of = if verb == "issue" { text.as_str() } else { BLANK };
        let text = if ["upgrade", "downgrade"].contains(&verb) {
            [BLANK, "lock.kind = \"read-write\"\n"].concat()
        } else {
            of.to_string()
        };
        let add = Change::Add { list: "worker.0.steps".into(), what: verb.into() };
        let made = change(&text, &scenario(&text), &add).unwrap_or_else(|e| panic!("{verb}: {e}"));
        let s = scenario(&made.text);
        let steps = form::steps_of(&s, "worker.0.steps");
        assert_eq!(steps.len(), 6, "{verb}");
        let step = steps[5].as_text().expect("a step is a text");
        let fields = form::step_fields("worker.0.steps.5", step);
        assert_eq!(fields[0].value, verb);
        for field in &fields {
            let written = attempt(&made.text, &field.path, &field.value);
            assert!(written.is_ok() || field.value.is_empty(), "{}: {written:?}", field.path);
        }
    }
}

#[test]
fn every_kind_of_fault_can_be_added_and_taken_out() {
    for v in VERBS.iter().filter(|v| v.built) {
        let service = match v.word {
            "fail_over" => "consensus",
            "expire" | "disconnect" => "zookeeper",
            _ => "redis",
        };
        let text = [BLANK, "lock.service = \"", service, "\"\n"].concat();
        let s = scenario(&text);
        let add = Change::Add { list: "fault".into(), what: v.word.into() };
        let made = change(&text, &s, &add).unwrap_or_else(|e| panic!("{}: {e}", v.word));
        let with = scenario(&made.text);
        assert_eq!(with.faults[0].verb.word, v.word);
        // All its keys are in its card.
        let shown = form::card(&with, 0, "fault.0", true, "");
        for key in [v.keys, ", at, every, name"].concat().split(", ").filter(|k| !k.is_empty()) {
            assert!(shown.iter().any(|f| f.path == format!("fault.0.{key}")), "{}: {key}", v.word);
        }
        let back = change(&made.text, &with, &Change::Remove("fault.0".into())).expect("it is there");
        assert_eq!(scenario(&back.text), s, "{}", v.word);
    }
}

#[test]
fn every_protection_and_every_service_can_be_a_design() {
    let s = scenario(BLANK);
    for p in fencepost::scenario::profile::PROTECTIONS {
        let add = Change::Add { list: "design".into(), what: p.word.into() };
        let made = change(BLANK, &s, &add).unwrap_or_else(|e| panic!("{}: {e}", p.word));
        assert_eq!(scenario(&made.text).designs[0].name, p.label);
    }
    for service in services().iter().filter(|s| s.built) {
        let add = Change::Add { list: "design".into(), what: ["@", service.word].concat() };
        let made = change(BLANK, &s, &add).unwrap_or_else(|e| panic!("{}: {e}", service.word));
        let made_s = scenario(&made.text);
        assert_eq!(made_s.resolved(0, "lock.service").map(|v| v.0).as_deref(), Some(service.word));
        // Combined with a protection, the service stays.
        if service.word != "none" {
            let both = attempt(&made.text, "design.0.protection", "fencing")
                .unwrap_or_else(|e| panic!("{}: {e}", service.word));
            let both = scenario(&both.text);
            assert_eq!(both.resolved(0, "lock.service").map(|v| v.0).as_deref(), Some(service.word));
        }
    }
}

#[test]
fn entries_are_duplicated_moved_and_removed() {
    let text = preset::by_id("gc-pause").expect("a story").text;
    for (list, count) in [("worker", 2), ("fault", 1), ("design", 9), ("worker.0.steps", 5), ("worker.1.steps", 5)] {
        let s = scenario(text);
        let path = |i: usize| format!("{list}.{i}");
        let length = |text: &str| match list.ends_with("steps") {
            true => form::steps_of(&scenario(text), list).len(),
            false => form::count_at(&scenario(text), list),
        };
        let twin = change(text, &s, &Change::Duplicate(path(0))).unwrap_or_else(|e| panic!("{list}: {e}"));
        assert_eq!(length(&twin.text), count + 1, "{list}");
        let twin_s = scenario(&twin.text);
        let moved = change(&twin.text, &twin_s, &Change::Move(path(1), 0)).unwrap_or_else(|e| panic!("{list}: {e}"));
        let back = change(&moved.text, &scenario(&moved.text), &Change::Remove(path(0))).expect("the copy is there");
        if list != "worker" {
            assert_eq!(scenario(&back.text), s, "{list}");
        }
        assert!(back.text.contains("# the default, written out to be read") || list == "worker.0.steps");
    }
    // With a worker goes the fault that strikes nobody else.
    let s = scenario(text);
    let fewer = change(text, &s, &Change::Remove("worker.0".into())).expect("there are two");
    assert_eq!(scenario(&fewer.text).faults.len(), 0);
}

#[test]
fn a_worker_keeps_its_faults_under_another_name() {
    let text = preset::by_id("gc-pause").expect("a story").text;
    let made = attempt(text, "worker.0.name", "Slow").expect("a name");
    let s = scenario(&made.text);
    assert_eq!(s.workers[0].name, "Slow");
    assert_eq!(s.faults[0].whom(), ["Slow"]);
    assert!(attempt(text, "worker.0.name", "W2").is_err(), "it is taken");
}

#[test]
fn every_field_of_every_story_can_be_written_as_it_is() {
    for p in preset::all() {
        let s = scenario(p.text);
        let mut names: Vec<String> = ["story", "lock", "network", "resource", "expect"].map(String::from).to_vec();
        for list in ["worker", "fault", "design", "link"] {
            names.extend((0..form::count_at(&s, list)).map(|i| format!("{list}.{i}")));
        }
        names.extend(form::clocks(&s).iter().map(|c| format!("clock.{c}")));
        for card in names {
            for field in form::card(&s, 0, &card, false, "").iter().filter(|f| !f.default) {
                let typed = if field.value.is_empty() { "[]" } else { &field.value };
                let made = attempt(p.text, &field.path, typed);
                let made = made.unwrap_or_else(|e| panic!("{}: {} = {typed}: {e}", p.id, field.path));
                assert_eq!(scenario(&made.text), s, "{}: {}", p.id, field.path);
            }
        }
    }
}

/// What people do in the form, one after another.
fn after(start: Rc<AppState>, actions: &[Action]) -> Rc<AppState> {
    actions.iter().fold(start, |s, a| {
        let next = update(s, a.clone());
        assert!(next.doc.notice.is_none(), "{a:?}: {:?}", next.doc.notice);
        assert!(next.desk.typing.iter().all(|t| t.error.is_none()), "{a:?}: {:?}", next.desk.typing);
        assert!(!next.doc.stale, "{a:?}");
        next
    })
}

fn typed(path: &str, raw: &str) -> Action {
    Action::Typed { path: path.into(), unit: String::new(), raw: raw.into() }
}

fn add(list: &str, what: &str) -> Action {
    Action::Change(Change::Add { list: list.into(), what: what.into() })
}

/// Verdicts and instants of the first two runs.
fn told(state: &AppState) -> Vec<(String, Vec<String>)> {
    let good = state.doc.good.clone().expect("it runs");
    let story = Story::of(good, &state.doc.ticked);
    story
        .runs
        .iter()
        .map(|run| {
            let verdicts = fencepost::check::Property::ALL
                .into_iter()
                .map(|p| format!("{} {:?}", p.word(), run.report.verdict(p)))
                .collect::<Vec<_>>()
                .join("\n");
            (verdicts, run.log.events().iter().map(|e| format!("{e:?}")).collect())
        })
        .collect()
}

#[test]
fn a_blank_page_becomes_the_gc_pause_by_form_alone() {
    let blank = Rc::new(AppState::new(BLANK.into(), None, None, Theme::Auto, FRAME));
    let built = after(
        blank.clone(),
        &[
            Action::Form(FormAction::Card("story".into())),
            typed("title", "GC pause"),
            typed("claim", "A paused holder writes after its lease has ended, whatever the lock service."),
            add("worker", ""),
            typed("worker.0.client.check_deadline", "false"),
            typed("worker.1.client.check_deadline", "false"),
            typed("worker.1.start", "2s"),
            add("fault", "pause"),
            typed("fault.0.at", "500ms"),
            typed("fault.0.until", "15s"),
            add("design", "safe-release"),
            typed("design.0.name", "No fencing"),
            add("design", "fencing"),
            typed("design.0.expect.violates", "stale-write, non-owner-write, lost-update"),
            typed("design.1.expect.violates", "[]"),
        ],
    );
    let preset = Rc::new(AppState::first(Theme::Auto, FRAME));
    assert_eq!(built.doc.title(), preset.doc.title());
    assert_eq!(built.doc.ticked.len(), 2);
    let (mine, theirs) = (told(&built), told(&preset));
    assert_eq!(mine.len(), 2);
    for (mine, theirs) in mine.iter().zip(&theirs) {
        assert_eq!(mine.0, theirs.0, "verdicts");
        assert_eq!(mine.1, theirs.1, "instants");
    }
    // All of it can be taken back.
    let mut state = built;
    for _ in 0..60 {
        state = update(state, Action::Undo);
    }
    assert_eq!(state.doc.text, blank.doc.text);
}

#[test]
fn a_drag_is_one_change() {
    let start = Rc::new(AppState::first(Theme::Auto, FRAME));
    let step = |from: usize, to| Action::Change(Change::Move(format!("worker.0.steps.{from}"), to));
    let dragged =
        after(start.clone(), &[step(0, 1), step(1, 2), step(2, 3), Action::Commit, step(3, 4), Action::Commit]);
    assert_ne!(dragged.doc.text, start.doc.text);
    let once = update(dragged, Action::Undo);
    let twice = update(once.clone(), Action::Undo);
    assert_ne!(once.doc.text, start.doc.text);
    assert_eq!(twice.doc.text, start.doc.text);
}
