//! The stories: searchable, grouped, one row each. ↑ ↓ move, Enter opens, Esc keeps what there is; the keyboard goes back to where it
//! came from.

use super::jobs;
use super::markup::{made, on, put, yes};
use super::texts::waiting;
use crate::app::job::Place;
use crate::app::{AppState, Desk, Doc, outcomes, text};
use crate::base::pieces::{divide, has, words};
use crate::scenario::preset::{self, Preset};

/// Names of the groups, each with the number of its stories, in the order of the stories.
fn groups(shelf: &[Preset]) -> Vec<(&'static str, usize)> {
    let mut list: Vec<(&'static str, usize)> = Vec::new();
    for p in shelf {
        match list.last_mut() {
            Some(last) if last.0 == p.group => last.1 += 1,
            _ => list.push((p.group, 1)),
        }
    }
    list
}

/// The group of this name.
pub fn group(name: &str) -> Option<&'static str> {
    groups(&preset::all()).into_iter().map(|g| g.0).find(|g| *g == name)
}

/// The stories that have every word of the search somewhere: in name, claim, id or text, where faults and products stand.
pub fn found(shelf: Vec<Preset>, desk: &Desk) -> Vec<Preset> {
    let query = desk.query.to_ascii_lowercase();
    let fits = |p: &Preset| {
        let hay = [p.id, &p.title, &p.claim, p.group, p.text].join("\n").to_ascii_lowercase();
        desk.group.is_none_or(|g| g == p.group) && words(&query).iter().all(|w| has(&hay, w))
    };
    let mut list = shelf;
    list.retain(fits);
    list
}

/// The row that Enter would open.
pub fn row(list: &[Preset], doc: &Doc, desk: &Desk) -> usize {
    let open = || list.iter().position(|p| Some(p.id) == doc.origin).unwrap_or(0);
    desk.row.unwrap_or_else(open).min(list.len().saturating_sub(1))
}

/// More columns would leave no room for claims.
const MOST_SHOWN: usize = 3;

const PICKER: &str = r#"<div class="scrim" data-do="close"></div>
<div class="pan" id="picker" role="dialog" aria-modal="true" aria-label="{0}">
<div class="srch"><ic se><input type="search" role="combobox" aria-expanded="true" aria-controls="story-list"{a} aria-label="{1}" placeholder="{2}" value="{B}" autocomplete="off" data-set="search"><button class="btn cls" data-do="close">{3}</button></div>
<div class="gnav" role="group" aria-label="{4}"><button aria-pressed="{c}" data-do="group">{5}<span>{d}</span></button>{e}</div>
<div class="gl" tabindex="0">{i}{f}<ul role="listbox" id="story-list" aria-label="{0}">{g}</ul></div>
<div class="pf"><span><kbd>↑ ↓</kbd>{6}</span><span><kbd>Enter</kbd>{7}</span><span><kbd>Esc</kbd>{H}</span><span class="r">{8}</span></div>
</div>"#;

const PICKER_WORDS: &[&str] = &[
    text::STORIES,
    text::SEARCH,
    text::SEARCH_HINT,
    text::CLOSE,
    text::GROUPS,
    text::ALL,
    text::PICK_MOVE,
    text::PICK_OPEN,
    text::PICK_UNDO,
];

/// How a story ends under the shown designs, as far as that is known: in places that stand from the start, so that nothing moves.
fn ends(out: &mut String, state: &AppState, shown: &[(usize, &str)], story: usize) {
    for (place, _) in shown {
        let mark = state.outcomes.of(story, *place).map_or(String::new(), |o| o.mark());
        put(out, "<span>{a}</span>", &[], &[&mark]);
    }
}

pub fn stories(out: &mut String, state: &AppState) {
    let (doc, desk) = (&state.doc, &state.desk);
    let shelf = preset::all();
    let order: Vec<&str> = shelf.iter().map(|p| p.id).collect();
    let mut shown = outcomes::shown(doc);
    shown.truncate(MOST_SHOWN);
    let mut names = String::new();
    for (_, name) in &shown {
        put(&mut names, r#"<span title="{A}">{A}</span>"#, &[], &[name]);
    }
    let (all, groups) = (shelf.len().to_string(), groups(&shelf));
    let list = found(shelf, desk);
    let current = row(&list, doc, desk);
    let mut nav = String::new();
    for (name, count) in &groups {
        let button = r#"<button aria-pressed="{a}" data-do="group {B}">{C}<span>{d}</span></button>"#;
        let args = [yes(desk.group == Some(*name)), name, &text::capital(name), &count.to_string()];
        put(&mut nav, button, &[], &args);
    }
    let (mut rows, mut last, mut active) = (String::new(), "", String::new());
    for (i, p) in list.iter().enumerate() {
        if p.group != last {
            last = p.group;
            let count = list.iter().filter(|q| q.group == last).count().to_string();
            let head = r#"<li role="presentation" class="gh" key="{A}">{B}<span>{c}</span>{d}</li>"#;
            // The columns are named once, over the first group.
            let names = made(r#"<span class="ocs">{a}</span>"#, &[], &[&names]);
            put(&mut rows, head, &[], &[last, &text::capital(last), &count, on(i == 0, &names)]);
        }
        if i == current {
            put(&mut active, r#" aria-activedescendant="story-{a}""#, &[], &[p.id]);
        }
        let row = r#"<li role="option" key="{a}" id="story-{a}" aria-selected="{b}" data-do="open {a}"><span class="n">{C}</span><span class="d">{d}{E}</span><span class="ocs">{f}</span></li>"#;
        let mut marks = String::new();
        ends(&mut marks, state, &shown, order.iter().position(|id| *id == p.id).unwrap_or(order.len()));
        // A report carries the name of its issue.
        let name = divide(&p.source, "/").1;
        let name = made(r#"<b>{A}</b> "#, &[], &[if name.is_empty() { &p.source } else { name }]);
        let name = on(p.group == preset::REPORTS, &name);
        put(&mut rows, row, &[], &[p.id, yes(i == current), &p.title, name, &p.claim, &marks]);
    }
    let mut none = String::new();
    if preset::here() {
        put(&mut none, r#"<p class="none">{A}</p>"#, &[], &[&text::no_story(&desk.query)]);
    } else {
        waiting(&mut none, desk, text::STORIES_COMING);
    }
    let mut job = String::new();
    jobs::standing(&mut job, state, Place::Outcomes);
    let args = [
        &active,
        &desk.query,
        yes(desk.group.is_none()),
        &all,
        &nav,
        on(list.is_empty(), &none),
        &rows,
        &text::pick_keep(doc.title()),
        &job,
    ];
    put(out, PICKER, PICKER_WORDS, &args);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_found_somewhere() {
        let names = |q: &str| {
            let desk = Desk { query: q.to_string(), ..Desk::default() };
            found(preset::all(), &desk).iter().map(|p| p.id).collect::<Vec<_>>()
        };
        assert!(names("GC pause").contains(&"gc-pause"));
        assert!(names("").len() == preset::all().len());
        assert!(names("no such words anywhere").is_empty());
        assert_eq!(group("basics"), Some("basics"));
    }
}
