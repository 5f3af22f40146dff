//! The reducer: a state and an action in, a state out. Whatever changes nothing returns the very same state, so that nothing is
//! drawn again.

use super::action::Action;
use super::explore;
use super::fetched;
use super::form;
use super::history::{EditKey, Snapshot};
use super::job::{self, Job};
use super::outcomes;
use super::share::{self, Wish};
use super::state::{AppState, Desk, Doc, Draft, Panel, Typing};
use super::sweep;
use crate::scenario::preset;
use std::rc::Rc;

/// What `action` makes of `state`.
pub fn update(state: Rc<AppState>, action: Action) -> Rc<AppState> {
    let mut next = (*state).clone();
    apply(&mut next, action);
    job::settle(&mut next);
    keep_if_equal(&mut next.doc, &state.doc);
    keep_if_equal(&mut next.desk, &state.desk);
    keep_if_equal(&mut next.jobs, &state.jobs);
    keep_if_equal(&mut next.outcomes, &state.outcomes);
    if next == *state { state } else { Rc::new(next) }
}

fn apply(s: &mut AppState, action: Action) {
    match action {
        Action::Type(text) => edit(s, EditKey::Text, Draft { text, parsed: None }),
        Action::Typed { path, unit, raw } => typed(s, path, &unit, raw),
        Action::Left(path) => {
            // What cannot be run stays to be mended; what could be is shown as it is written.
            desk(s).typing.retain(|t| t.path != path || t.error.is_some());
            s.history.commit();
        }
        Action::GiveUp(path) => desk(s).typing.retain(|t| t.path != path),
        Action::Change(change) => {
            let Some(scenario) = s.doc.good.clone() else { return };
            match form::change(&s.doc.text, &scenario, &change) {
                Ok(draft) => {
                    let desk = desk(s);
                    desk.form.follow(&change);
                    // Entries are numbered: what was begun in one of them would come to stand in another.
                    desk.typing.clear();
                    edit(s, change.key(), draft);
                }
                Err(why) => doc(s).notice = Some(why.into()),
            }
        }
        Action::Hand(hand) => super::drag::apply(s, hand),
        Action::Commit => {
            s.history.commit();
        }
        Action::Open(id) => open(s, id),
        Action::Reset => {
            if let Some(id) = s.doc.origin {
                open(s, id);
            }
        }
        Action::Undo => {
            s.history.undo();
            s.read();
        }
        Action::Redo => {
            s.history.redo();
            s.read();
        }

        Action::Tick { design, on } => tick(s, design, on),
        Action::Show(word) => show(s, &word),
        Action::Front(column) => {
            let last = s.doc.ticked.len().saturating_sub(1);
            doc(s).front = column.min(last);
        }
        Action::Mode(mode) => {
            doc(s).mode = mode;
            desk(s).typing.clear();
        }
        Action::View(view) => doc(s).view = view,
        Action::Panel(panel) => open_panel(s, panel),
        Action::Fold(folded) => {
            // What is compared has the room of the scenario, until that is wanted back.
            if !folded && matches!(s.doc.panel, Some(Panel::Nine | Panel::Table | Panel::Sweep | Panel::Explore)) {
                open_panel(s, None);
            }
            doc(s).folded = folded;
            desk(s).typing.clear();
        }
        Action::Theme(theme) => doc(s).theme = theme,
        Action::Frame(frame) => doc(s).frame = frame,
        Action::Notice(notice) => (doc(s).notice, doc(s).offer) = (notice, None),
        Action::OpenText { text, origin } => share::open_text(s, text, origin),
        Action::Bring(kind, what) => share::bring(s, kind, what),
        Action::TakeOffer => share::take(s),
        Action::Recent(list) => doc(s).recent = list,
        Action::Export(word) => {
            let wish = Box::new(Wish::of(s));
            job::ask(s, Job::Export { word, wish });
        }
        Action::Drawn(name, picture) => {
            let text = s.doc.text.clone();
            job::ask(s, Job::Picture { name, picture, text });
        }
        Action::Ways(ways) => desk(s).ways = ways,

        Action::Search(query) => {
            desk(s).query = query;
            desk(s).row = Some(0);
        }
        Action::Group(group) => {
            desk(s).group = group;
            desk(s).row = Some(0);
        }
        Action::Row(row) => desk(s).row = Some(row),
        Action::Said(word) => desk(s).said = Some(word),
        Action::Line(line) => desk(s).line = line,
        Action::Form(action) => {
            // What is said of keys may have to be fetched.
            fetched::ask(s);
            desk(s).form.act(action);
        }
        Action::Texts(texts) => fetched::arrive(s, texts),

        Action::Ask(job) => job::ask(s, job),
        Action::Answered(number, texts) => job::answered(s, number, texts),
        Action::Unanswered(number, why) => job::failed(s, number, why),
        Action::Slow(number) => job::slow(s, number),
        Action::Stop(place) => job::stop(s, place),
        Action::Again(place) => job::again(s, place),
        Action::Sweep(what) => sweep::act(s, what),
        Action::Explore(what) => explore::act(s, what),

        Action::Seek(at) => s.cursor.at = at,
        Action::Hover(mark) => s.cursor.hover = mark,
        Action::Select(selection) => s.cursor.selected = selection,
        Action::Play(on) => s.cursor.playing = on,
        Action::Speed(speed) => s.cursor.speed = speed,
        Action::See(seen) => s.seen = seen,
    }
}

/// The document, to be changed: whoever drew it before has it as it was.
pub(super) fn doc(s: &mut AppState) -> &mut Doc {
    Rc::make_mut(&mut s.doc)
}

pub(super) fn desk(s: &mut AppState) -> &mut Desk {
    Rc::make_mut(&mut s.desk)
}

/// What is equal to what it was is what it was, and need not be drawn again.
fn keep_if_equal<T: Eq>(after: &mut Rc<T>, before: &Rc<T>) {
    if after == before {
        *after = before.clone();
    }
}

/// One panel at a time; each opens as if for the first time.
fn open_panel(s: &mut AppState, panel: Option<Panel>) {
    if s.doc.panel != panel {
        doc(s).panel = panel;
        let d = desk(s);
        d.query.clear();
        (d.group, d.row, d.said) = (None, None, None);
        if matches!(panel, Some(Panel::Stories | Panel::Help)) {
            fetched::ask(s);
        }
    }
}

fn typed(s: &mut AppState, path: String, unit: &str, raw: String) {
    let made = form::attempt(&s.doc.text, &path, &form::with_unit(&raw, unit));
    let typing = Typing { path: path.clone(), raw, error: made.as_ref().err().cloned() };
    let all = &mut desk(s).typing;
    all.retain(|t| t.path != typing.path);
    all.push(typing);
    if let Ok(draft) = made {
        edit(s, EditKey::Field(path), draft);
    }
}

pub(super) fn edit(s: &mut AppState, key: EditKey, draft: Draft) {
    let origin = s.doc.origin;
    s.history.edit(key, Snapshot { text: draft.text, origin });
    s.read_as(draft.parsed);
}

pub(super) fn open(s: &mut AppState, id: &str) {
    let Some(p) = preset::by_id(id) else { return fetched::want(s, id) };
    desk(s).wanted = None;
    let other = *s.doc.text != *p.text;
    s.history.edit(EditKey::Once, Snapshot { text: p.text.into(), origin: Some(p.id) });
    s.read();
    (doc(s).notice, doc(s).offer) = (None, None);
    doc(s).opened += u32::from(other);
    desk(s).typing.clear();
    s.cursor.at = None;
    s.cursor.playing = false;
}

fn show(s: &mut AppState, word: &str) {
    let Some(scenario) = s.doc.good.clone() else { return };
    if outcomes::design(&scenario, word).is_none() {
        let added = form::Change::Add { list: "design".to_string(), what: word.to_string() };
        apply(s, Action::Change(added));
    }
    let there = s.doc.good.as_deref().and_then(|good| outcomes::design(good, word));
    if let Some(design) = there {
        tick(s, design, true);
        let front = s.doc.ticked.iter().position(|t| *t == design);
        doc(s).front = front.unwrap_or(0);
    }
}

fn tick(s: &mut AppState, design: usize, on: bool) {
    let count = s.doc.good.as_ref().map_or(0, |g| g.designs.len());
    if design >= count || s.doc.ticked.contains(&design) == on {
        return;
    }
    let in_front = s.doc.ticked.get(s.doc.front).copied();
    let d = doc(s);
    d.ticked = (0..count).filter(|i| if *i == design { on } else { d.ticked.contains(i) }).collect();
    // The one in front stays in front, wherever it now stands.
    d.front = in_front.and_then(|f| d.ticked.iter().position(|t| *t == f)).unwrap_or(0);
    // Columns are counted anew.
    s.cursor.hover = None;
    s.cursor.selected = None;
}

#[cfg(test)]
mod tests {
    use super::super::state::{Frame, Mode, Panel, Room, Theme};
    use super::*;
    use crate::base::TrueTime;

    const FRAME: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

    fn start() -> Rc<AppState> {
        Rc::new(AppState::first(Theme::Auto, FRAME))
    }

    fn after(state: &Rc<AppState>, actions: &[Action]) -> Rc<AppState> {
        actions.iter().fold(state.clone(), |s, a| update(s, a.clone()))
    }

    fn broken(state: &AppState) -> Action {
        Action::Type(format!("{}\nnonsense = [", state.doc.text).into())
    }

    #[test]
    fn the_page_opens_with_a_story_that_runs() {
        let s = start();
        assert!(s.doc.good.is_some());
        assert!(s.doc.pristine);
        assert!(!s.doc.stale);
        assert!(!s.doc.can_undo);
        assert_eq!(s.doc.ticked.len(), 2);
    }

    #[test]
    fn what_changes_nothing_returns_the_same_state() {
        let s = start();
        let same = [
            Action::Type(s.doc.text.clone()),
            Action::Undo,
            Action::Redo,
            Action::Commit,
            Action::Reset,
            Action::Tick { design: 0, on: true },
            Action::Tick { design: 999, on: true },
            Action::Front(0),
            Action::Front(7).clone(),
            Action::Mode(Mode::Form),
            Action::Panel(None),
            Action::Frame(FRAME),
            Action::Seek(None),
            Action::Hover(None),
        ];
        for action in same {
            let t = update(s.clone(), action.clone());
            if action == Action::Front(7) {
                assert_eq!(t.doc.front, 1, "beyond the last column is the last column");
                continue;
            }
            assert!(Rc::ptr_eq(&s, &t), "{action:?}");
        }
    }

    #[test]
    fn the_cursor_leaves_the_document_alone() {
        let s = start();
        let t = update(s.clone(), Action::Seek(Some(TrueTime::from_ms(10_195))));
        assert!(Rc::ptr_eq(&s.doc, &t.doc));
        assert_eq!(t.cursor.at, Some(TrueTime::from_ms(10_195)));
    }

    #[test]
    fn a_broken_text_keeps_the_last_good_run() {
        let s = start();
        let t = update(s.clone(), broken(&s));
        assert!(t.doc.stale);
        assert!(t.doc.errors().count() > 0);
        assert!(Rc::ptr_eq(s.doc.good.as_ref().unwrap(), t.doc.good.as_ref().unwrap()));
        let u = update(t, Action::Undo);
        assert!(!u.doc.stale);
        assert_eq!(u.doc.text, s.doc.text);
    }

    #[test]
    fn a_comment_does_not_make_another_run() {
        let s = start();
        let t = update(s.clone(), Action::Type(format!("# a remark\n{}", s.doc.text).into()));
        assert!(Rc::ptr_eq(s.doc.good.as_ref().unwrap(), t.doc.good.as_ref().unwrap()));
        assert!(!t.doc.pristine);
    }

    #[test]
    fn opening_and_resetting_can_be_undone() {
        let s = start();
        let remark: Rc<str> = format!("# a remark\n{}", s.doc.text).into();
        let t = after(&s, &[Action::Type(remark.clone()), Action::Reset]);
        assert!(t.doc.pristine);
        let u = update(t, Action::Undo);
        assert_eq!(u.doc.text, remark);
        let other = preset::all().into_iter().find(|p| Some(p.id) != s.doc.origin);
        if let Some(other) = other {
            let v = update(u, Action::Open(other.id));
            assert_eq!(v.doc.origin, Some(other.id));
            let w = update(v, Action::Undo);
            assert_eq!((w.doc.text.clone(), w.doc.origin), (remark, s.doc.origin));
        }
    }

    #[test]
    fn a_text_too_long_is_kept_and_not_read() {
        let s = start();
        let huge: Rc<str> = "x".repeat(10 * 1024 * 1024).into();
        let t = update(s, Action::Type(huge.clone()));
        assert!(t.doc.stale);
        assert_eq!(t.doc.text, huge);
        assert_eq!(t.doc.diagnostics.len(), 1);
    }

    #[test]
    fn the_front_design_stays_in_front() {
        let s = after(&start(), &[Action::Front(1)]);
        let t = update(s, Action::Tick { design: 0, on: false });
        assert_eq!((t.doc.ticked.as_ref(), t.doc.front), ([1].as_slice(), 0));
        let u = update(t, Action::Tick { design: 0, on: true });
        assert_eq!(u.doc.front, 1);
    }

    #[test]
    fn no_design_ticked_is_allowed_and_stays_so() {
        let s = after(&start(), &[Action::Tick { design: 0, on: false }, Action::Tick { design: 1, on: false }]);
        assert!(s.doc.ticked.is_empty());
        let t = update(s.clone(), Action::Type(format!("# a remark\n{}", s.doc.text).into()));
        assert!(t.doc.ticked.is_empty());
    }

    #[test]
    fn a_story_opens_where_it_turns() {
        let s = update(start(), Action::Open("untouched-shard"));
        let names: Vec<&str> =
            s.doc.ticked.iter().map(|i| s.doc.good.as_ref().unwrap().designs[*i].name.as_str()).collect();
        assert_eq!(names, ["Fencing at the resource", "Activation fence"]);
    }

    #[test]
    fn a_standard_design_is_shown_in_front() {
        let s = update(start(), Action::Show("consensus".into()));
        let names = |s: &AppState| {
            s.doc.ticked.iter().map(|i| s.doc.good.as_ref().unwrap().designs[*i].name.clone()).collect::<Vec<_>>()
        };
        assert_eq!((names(&s).len(), s.doc.front, s.doc.can_undo), (3, 2, false));
        assert_eq!(names(&s)[2], "Consensus lease");
        // One that the story does not have is added, and can be taken back.
        let without = s.doc.text.split("[[design]]\nprotection = \"redlock\"").next().unwrap().to_string();
        let t = after(&s, &[Action::Type(without.into()), Action::Show("redlock".into())]);
        assert_eq!((names(&t)[t.doc.front].as_str(), t.doc.can_undo), ("Redlock", true));
        assert!(!names(&update(t, Action::Undo)).contains(&"Redlock".to_string()));
    }

    #[test]
    fn panels_are_one_at_a_time() {
        let s = after(&start(), &[Action::Panel(Some(Panel::Stories)), Action::Panel(Some(Panel::Help))]);
        assert_eq!(s.doc.panel, Some(Panel::Help));
    }

    #[test]
    fn a_draft_from_before_is_one_undo_away() {
        let draft = Snapshot { text: "# mine\n".into(), origin: None };
        let p = preset::by_id("gc-pause").unwrap();
        let s = Rc::new(AppState::new(p.text.into(), Some(p.id), Some(draft.clone()), Theme::Dark, FRAME));
        assert!(s.doc.can_undo);
        let t = update(s, Action::Undo);
        assert_eq!(t.doc.text, draft.text);
    }
}
