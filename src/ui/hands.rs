//! What a person does with the form beyond typing into a field: cards, lists to choose from, entries that come, go and move.
//!
//! Entries are moved by a handle (`data-lift="worker.0.steps 2"`): with the pointer over the entries of its list (`data-list`, each with
//! `data-at`), or with the arrow keys. The keyboard stays with what was moved, or goes to what was added, or to what took the place of
//! what is gone.

use super::deeds::{Deeds, Now, Then};
use super::field::id;
use crate::app::form::{Change, FormAction};
use crate::app::{Action, Mode, text};
use crate::base::pieces::{count, cut, divide, find, has, part, tail};
use crate::base::text::number;

/// What a press on an element with these words does; `None`: it is none of the form's.
pub fn press(verb: &str, rest: &str, now: Now) -> Option<Deeds> {
    let (path, more) = divide(rest, " ");
    let mut deeds = Deeds::default();
    match verb {
        "card" => {
            deeds.actions.push(Action::Form(FormAction::Card(rest.to_string())));
            // A list to choose from takes the keyboard.
            if rest.starts_with('+') && !now.state.desk.form.is_open(rest) {
                deeds.then.push(Then::Focus(".menu button".to_string()));
            }
        }
        "add" => {
            deeds.actions.push(Action::Change(Change::Add { list: path.to_string(), what: more.to_string() }));
            deeds.then.push(Then::Focus(match path {
                "clock" => ["#", &id(&["clock.", more, ".rate"].concat())].concat(),
                list => ["[data-list=\"", list, "\"]>:last-child [data-set]"].concat(),
            }));
        }
        "remove" => {
            let (list, at) = entry(path);
            deeds.actions.push(Action::Change(Change::Remove(path.to_string())));
            // The next one, or else the last, or else what adds another.
            let children = ["[data-list=\"", list, "\"]>"].concat();
            let next = count(at).map_or(1, |i| i + 1);
            deeds.then.push(Then::Focus(["#add-", &id(list)].concat()));
            deeds.then.push(Then::Focus([&children, ":last-child .hb button"].concat()));
            deeds.then.push(Then::Focus([&children, ":nth-child(", &number(next), ") .hb button"].concat()));
        }
        "twin" => {
            let (list, at) = entry(path);
            let place = number(count(at)? + 2);
            deeds.actions.push(Action::Change(Change::Duplicate(path.to_string())));
            deeds.then.push(Then::Focus(["[data-list=\"", list, "\"]>:nth-child(", &place, ") [data-set]"].concat()));
        }
        "move" => {
            let to = count(more)?;
            let (list, at) = entry(path);
            deeds = moved(list, count(at)?, to, false);
            // The button that was pressed, where the entry now stands; at an end of the list there is only the other one.
            let (same, other) = if to < count(at)? { ("#up-", "#dn-") } else { ("#dn-", "#up-") };
            let there = id(&[list, ".", &number(to)].concat());
            deeds.then.push(Then::Focus([other, &there].concat()));
            deeds.then.push(Then::Focus([same, &there].concat()));
        }
        "unset" => deeds = put(path, ""),
        "put" => deeds = put(path, more),
        "goto" => {
            let d = now.state.doc.diagnostics.get(count(path)?)?;
            let field = d.path.as_deref()?;
            deeds.actions.push(Action::Mode(Mode::Form));
            deeds.actions.push(Action::Form(FormAction::Show(card(field))));
            deeds.then.push(Then::Focus(["#", &id(field)].concat()));
        }
        _ => return None,
    }
    Some(deeds)
}

/// What it does that a field with these words now holds `value`.
pub fn set(verb: &str, rest: &str, value: &str) -> Option<Deeds> {
    Some(match verb {
        // A list of words, with one more or one less.
        "flip" => {
            let (path, list) = cut(rest, "|")?;
            Deeds { then: Vec::new(), ..put(path, list) }
        }
        "find" => Action::Form(FormAction::Find(rest.to_string(), value.to_string())).into(),
        _ => return None,
    })
}

/// A value that is whole: it is written, and if it cannot be run, the field says why.
fn put(path: &str, value: &str) -> Deeds {
    let typed = Action::Typed { path: path.to_string(), unit: String::new(), raw: value.to_string() };
    let actions = vec![Action::Commit, typed, Action::Left(path.to_string())];
    Deeds { actions, then: vec![Then::Focus(["#", &id(path)].concat())] }
}

/// The list of an entry, and which of it.
fn entry(path: &str) -> (&str, &str) {
    let (mut list, mut place) = ("", path);
    while let Some(dot) = find(place, ".") {
        let upto = path.len() - place.len() + dot;
        (list, place) = (part(path, 0, upto), tail(path, upto + 1));
    }
    (list, place)
}

/// The card that a key stands in.
fn card(path: &str) -> String {
    let (head, rest) = divide(path, ".");
    match head {
        "worker" | "fault" | "design" | "link" | "clock" => [head, ".", divide(rest, ".").0].concat(),
        "lock" | "client" => "lock".to_string(),
        "network" | "resource" | "expect" | "sweep" | "explore" | "lesson" => head.to_string(),
        _ => "story".to_string(),
    }
}

/// An entry goes to another place of its list. `under_way`: the pointer still has it.
pub fn moved(list: &str, from: usize, to: usize, under_way: bool) -> Deeds {
    let path = [list, ".", &number(from)].concat();
    let mut actions = vec![Action::Change(Change::Move(path, to))];
    let mut then = vec![Then::Say(text::moved_to(to))];
    if !under_way {
        actions.push(Action::Commit);
        let grip = match list {
            "worker" | "design" => ["#lift-", list, "-", &number(to)].concat(),
            list => ["#lift-", &id(list), "-", &number(to)].concat(),
        };
        then.push(Then::Focus(grip));
    }
    Deeds { actions, then }
}

/// A key on a handle; `count`: how many entries its list has.
pub fn key(words: &str, key: &str, entries: usize) -> Option<Deeds> {
    let (list, at) = cut(words, " ")?;
    let at = count(at)?;
    match key {
        "ArrowUp" if at > 0 => Some(moved(list, at, at - 1, false)),
        "ArrowDown" if at + 1 < entries => Some(moved(list, at, at + 1, false)),
        "ArrowUp" | "ArrowDown" => Some(Deeds::default()),
        _ => None,
    }
}

/// The path of the field with these words, if it is a field of the form.
pub fn path(words: &str) -> Option<&str> {
    if has(words, "|") {
        return Some(cut(words.strip_prefix("flip ")?, "|")?.0);
    }
    Some(cut(words.strip_prefix("type ")?, " ")?.1)
}
