//! Undo and redo over what a person edits: the scenario's text, and nothing else.
//!
//! A history that also kept selections, panels or runs would undo what nobody thought of as a change. So an entry is a
//! [`Snapshot`]: the text, and which story it was opened as. Loading another story and resetting are edits like any other, because
//! they are the ones that lose most when they cannot be taken back.
//!
//! Typing makes many small edits that are one change to the person who types. Edits therefore carry an [`EditKey`], and successive
//! edits of one key merge into one entry until another key comes or [`History::commit`] ends the change (a field was left, a pause
//! in typing). No clock is needed here: whoever has one, commits.
//!
//! Two limits, both for memory: [`CAP`] entries, and [`CAP_BYTES`] of text in all; the oldest go first.

use std::rc::Rc;

/// How many changes can be undone.
pub const CAP: usize = 100;

/// How much text the history keeps, in bytes: a pasted log file of megabytes must not be kept a hundred times.
pub const CAP_BYTES: usize = 4 * 1024 * 1024;

/// What can be undone: the text of the scenario and the story it was opened as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub text: Rc<str>,
    /// Id of the story that was opened; it stays while the text is edited, so that "reset" knows where to go back to.
    pub origin: Option<&'static str>,
}

/// What an edit is about. Edits of an equal key merge; [`EditKey::Once`] never merges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditKey {
    /// The whole text, typed.
    Text,
    /// One value of the form, by its path.
    Field(String),
    /// A change that is whole by itself: a story opened, a fault added, a reset.
    Once,
}

/// The present snapshot, and the way back and forth from it. Cheap to clone: it is shared until it changes.
#[derive(Clone, Debug)]
pub struct History(Rc<Ways>);

/// A change makes another history, and only a change does.
impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for History {}

#[derive(Clone, Debug)]
struct Ways {
    /// The oldest first.
    past: Vec<Snapshot>,
    present: Snapshot,
    future: Vec<Snapshot>,
    /// The key that the present is still being edited under.
    open: Option<EditKey>,
}

impl History {
    pub fn new(present: Snapshot) -> History {
        History(Rc::new(Ways { past: Vec::new(), present, future: Vec::new(), open: None }))
    }

    pub fn present(&self) -> &Snapshot {
        &self.0.present
    }

    pub fn can_undo(&self) -> bool {
        !self.0.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.0.future.is_empty()
    }

    /// Makes `next` the present. Returns whether anything changed.
    pub fn edit(&mut self, key: EditKey, next: Snapshot) -> bool {
        if next == self.0.present {
            return false;
        }
        let h = Rc::make_mut(&mut self.0);
        let merges = key != EditKey::Once && h.open.as_ref() == Some(&key) && h.future.is_empty();
        let before = std::mem::replace(&mut h.present, next);
        if !merges {
            h.past.push(before);
            h.shorten();
        }
        h.future.clear();
        h.open = (key != EditKey::Once).then_some(key);
        true
    }

    /// Ends the change under way: the next edit is a change of its own, whatever its key.
    pub fn commit(&mut self) -> bool {
        let open = self.0.open.is_some();
        if open {
            Rc::make_mut(&mut self.0).open = None;
        }
        open
    }

    pub fn undo(&mut self) -> bool {
        self.go(false)
    }

    pub fn redo(&mut self) -> bool {
        self.go(true)
    }

    /// One step back or forth.
    fn go(&mut self, forth: bool) -> bool {
        if !(if forth { self.can_redo() } else { self.can_undo() }) {
            return false;
        }
        let h = Rc::make_mut(&mut self.0);
        let (from, to) = if forth { (&mut h.future, &mut h.past) } else { (&mut h.past, &mut h.future) };
        if let Some(snapshot) = from.pop() {
            to.push(std::mem::replace(&mut h.present, snapshot));
        }
        h.open = None;
        true
    }
}

impl Ways {
    fn shorten(&mut self) {
        let mut bytes: usize = self.past.iter().map(|s| s.text.len()).sum();
        // The newest entry stays in any case: the very last change can always be taken back.
        while self.past.len() > CAP || (bytes > CAP_BYTES && self.past.len() > 1) {
            bytes -= self.past.remove(0).text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snap(text: &str) -> Snapshot {
        Snapshot { text: text.into(), origin: None }
    }

    fn typed(h: &mut History, key: EditKey, text: &str) {
        assert!(h.edit(key, snap(text)));
    }

    #[test]
    fn typing_in_one_field_is_one_change() {
        let mut h = History::new(snap("a"));
        for text in ["ab", "abc", "abcd"] {
            typed(&mut h, EditKey::Text, text);
        }
        assert!(h.undo());
        assert_eq!(h.present().text.as_ref(), "a");
        assert!(!h.undo());
        assert!(h.redo());
        assert_eq!(h.present().text.as_ref(), "abcd");
    }

    #[test]
    fn another_field_is_another_change() {
        let mut h = History::new(snap("0"));
        typed(&mut h, EditKey::Field("lock.ttl".into()), "1");
        typed(&mut h, EditKey::Field("lock.ttl".into()), "2");
        typed(&mut h, EditKey::Field("network.one_way".into()), "3");
        h.undo();
        assert_eq!(h.present().text.as_ref(), "2");
        h.undo();
        assert_eq!(h.present().text.as_ref(), "0");
    }

    #[test]
    fn a_commit_ends_a_change() {
        let mut h = History::new(snap("0"));
        typed(&mut h, EditKey::Text, "1");
        assert!(h.commit());
        assert!(!h.commit());
        typed(&mut h, EditKey::Text, "2");
        h.undo();
        assert_eq!(h.present().text.as_ref(), "1");
    }

    #[test]
    fn whole_changes_never_merge() {
        let mut h = History::new(snap("0"));
        typed(&mut h, EditKey::Once, "1");
        typed(&mut h, EditKey::Once, "2");
        h.undo();
        assert_eq!(h.present().text.as_ref(), "1");
    }

    #[test]
    fn typing_after_an_undo_forgets_the_future_and_starts_anew() {
        let mut h = History::new(snap("0"));
        typed(&mut h, EditKey::Text, "1");
        h.undo();
        typed(&mut h, EditKey::Text, "2");
        assert!(!h.can_redo());
        typed(&mut h, EditKey::Text, "3");
        h.undo();
        assert_eq!(h.present().text.as_ref(), "0");
    }

    #[test]
    fn an_edit_that_changes_nothing_is_none() {
        let mut h = History::new(snap("0"));
        assert!(!h.edit(EditKey::Once, snap("0")));
        assert!(!h.can_undo());
    }

    #[test]
    fn the_oldest_changes_go_first() {
        let mut h = History::new(snap("0"));
        for i in 1..=CAP + 5 {
            typed(&mut h, EditKey::Once, &i.to_string());
        }
        let mut steps = 0;
        while h.undo() {
            steps += 1;
        }
        assert_eq!(steps, CAP);
        assert_eq!(h.present().text.as_ref(), "5");
    }

    #[test]
    fn huge_texts_do_not_pile_up_but_the_last_change_can_be_undone() {
        let mut h = History::new(snap("small"));
        for i in 0..4 {
            typed(&mut h, EditKey::Once, &format!("{i}{}", "x".repeat(CAP_BYTES)));
        }
        assert!(h.0.past.len() <= 2);
        assert!(h.undo());
    }
}
