//! The scenario as a form: what is the same for every card. The cards themselves stand in `cards`.

use super::cards;
use super::editor::findings;
use super::field::{Around, id, is_at, row};
use super::markup::{made, on, put, yes};
use crate::app::form;
use crate::app::{Desk, Doc, text};
use crate::base::pieces::has;
use crate::scenario::registry::Section;
use crate::scenario::{Diagnostic, Scenario};

const FORM: &str = r#"{a}{b}<fieldset key="form" class="root"{c}>{d}</fieldset>{e}"#;

/// What the cards are drawn with.
pub struct Form<'a> {
    pub scenario: &'a Scenario,
    pub doc: &'a Doc,
    pub desk: &'a Desk,
    /// The design in front, which decides which values are shown.
    pub design: usize,
}

pub fn form(out: &mut String, doc: &Doc, desk: &Desk) {
    let Some(scenario) = &doc.good else {
        hint(out, text::NOTHING_YET);
        findings(out, doc);
        return;
    };
    // Without a design in front, the first.
    let design = doc.ticked.get(doc.front).copied().unwrap_or(0).min(scenario.designs.len().saturating_sub(1));
    let form = Form { scenario, doc, desk, design };
    let (mut stale, mut body, mut above, mut help) = Default::default();
    hint(&mut stale, text::FORM_STALE);
    cards::all(&mut body, &form);
    if doc.stale {
        findings(&mut above, doc);
    } else {
        form.elsewhere(&mut above, &body);
        form.help(&mut help);
    }
    put(out, FORM, &[], &[on(doc.stale, &stale), &above, on(doc.stale, " disabled"), &body, &help]);
}

pub fn hint(out: &mut String, what: &str) {
    put(out, r#"<p key="hint" class="hint">{A}</p>"#, &[], &[what]);
}

/// The name of a card, and the button that shows all that it can say.
const HEAD: &str = r#"<h3 key="{A}">{B}<span class="hb">{c}{d}</span></h3>"#;
const ALL_OF: &str = r#"<button class="mo" id="all-{A}" aria-expanded="{b}" aria-label="{C}" title="{C}" data-do="card {D}"><ic dn></button>"#;
const SEARCH: &str = r#"<input key="find {A}" class="find" type="search" id="find-{B}" aria-label="{0}" placeholder="{0}" autocomplete="off" spellcheck="false" value="{C}" data-set="find {A}">"#;

impl<'a> Form<'a> {
    pub fn around(&self, card: &str) -> Around<'a> {
        Around { doc: self.doc, desk: self.desk, explained: self.desk.form.is_open(card) }
    }

    /// The button that opens a card.
    pub fn all_of(&self, card: &str, what: &str) -> String {
        let open = yes(self.desk.form.is_open(card));
        made(ALL_OF, &[], &[&id(card), open, &text::all_of(what), card])
    }

    /// A heading, with what stands at its end.
    pub fn head(&self, out: &mut String, title: &str, card: &str, end: &str) {
        let all = if card.is_empty() { String::new() } else { self.all_of(card, title) };
        put(out, HEAD, &[], &[title, title, end, &all]);
    }

    /// The fields of a card, with its search if it is open. `of`: whose they are.
    pub fn fields(&self, out: &mut String, card: &str, of: &str, leave_out: &[&str]) {
        let bench = &self.desk.form;
        let (open, query) = (bench.is_open(card), bench.query(card));
        if open {
            put(out, SEARCH, &[text::FIND], &[card, &id(card), query]);
        }
        let mut last = None;
        let mut none = open;
        for f in form::card(self.scenario, self.design, card, open, query) {
            if leave_out.iter().any(|key| f.path.ends_with(key)) {
                continue;
            }
            none = false;
            if open
                && last.is_some_and(|s| s != f.section)
                && let Some(side) = side(f.section)
            {
                put(out, r#"<h4 key="{A} {B}">{B}</h4>"#, &[], &[card, side]);
            }
            last = Some(f.section);
            row(out, &f, of, self.around(card));
        }
        if none {
            hint(out, text::NONE_FOUND);
        }
    }

    /// The button that opens a list to choose from, for who adds to `list`.
    pub fn plus(&self, list: &str, what: &str) -> String {
        let menu = ["+", list].concat();
        let button = r#"<button class="mo" id="add-{A}" aria-expanded="{b}" aria-label="{C}" title="{C}" data-do="card {D}"><ic pls></button>"#;
        made(button, &[], &[&id(list), yes(self.desk.form.is_open(&menu)), what, &menu])
    }

    /// The button that adds to `list` at once.
    pub fn add(&self, list: &str, what: &str) -> String {
        let button =
            r#"<button class="mo" id="add-{A}" aria-label="{B}" title="{B}" data-do="add {C}"><ic pls></button>"#;
        made(button, &[], &[&id(list), what, list])
    }

    /// The list to choose from, if it is open: groups of words with their names and sentences.
    pub fn menu(&self, out: &mut String, list: &str, what: &str, items: &dyn Fn(&mut String)) {
        if self.desk.form.is_open(&["+", list].concat()) {
            let mut inner = String::new();
            items(&mut inner);
            let menu = r#"<div key="menu {A}" class="menu" role="group" aria-label="{B}">{c}</div>"#;
            put(out, menu, &[], &[list, what, &inner]);
        }
    }

    /// Remarks that stand beside no field that is shown.
    fn elsewhere(&self, out: &mut String, body: &str) {
        let shown = |d: &Diagnostic| {
            let Some(path) = d.path.as_deref() else { return false };
            let field = |path: &str| has(body, &["id=\"", &id(path), "\""].concat());
            let own = scenario_path("design", self.design, path);
            field(path) || (field(&own) && is_at(&own, path))
        };
        let left: Vec<(usize, &Diagnostic)> =
            self.doc.diagnostics.iter().enumerate().filter(|(_, d)| !shown(d)).collect();
        if left.is_empty() {
            return;
        }
        let mut lines = String::new();
        for (i, d) in &left {
            let line = r#"<button class="lk" data-do="goto {a}">{B}</button>"#;
            let told = made("{a}{b}{c}", &[], &[&d.place, on(!d.place.is_empty(), ": "), &d.message]);
            put(&mut lines, line, &[], &[&i.to_string(), &told]);
        }
        let all = r#"<details key="elsewhere" class="els"><summary><ic inf>{A}</summary>{b}</details>"#;
        put(out, all, &[], &[&text::elsewhere(left.len()), &lines]);
    }

    /// About the field that has the keyboard.
    fn help(&self, out: &mut String) {
        let path = self.desk.form.at.as_str();
        let Some(help) = (if path.is_empty() { None } else { form::help(self.scenario, self.design, path) }) else {
            return;
        };
        let mut values = String::new();
        for value in &help.values {
            let button = r#"<button class="val" data-do="put {A} {B}">{B}</button>"#;
            put(&mut values, button, &[], &[path, value]);
        }
        let default = if help.default.is_empty() { String::new() } else { text::default_is(help.default) };
        let pane = r#"<aside key="help" class="pane" aria-label="{A}"><p><code>{A}</code> {B} {C}</p><p class="hint">{D}</p><div>{e}</div></aside>"#;
        put(out, pane, &[], &[&help.key, help.says, &default, help.hint, &values]);
    }
}

/// `design.1.lock.ttl`.
fn scenario_path(list: &str, entry: usize, key: &str) -> String {
    [list, ".", &entry.to_string(), ".", key].concat()
}

/// Where keys of several tables stand in one card: which side they are of.
fn side(section: Section) -> Option<&'static str> {
    Some(match section {
        Section::Lock => text::SERVICE_SIDE,
        Section::Client => text::CLIENT_SIDE,
        Section::Resource => text::RESOURCE_SIDE,
        Section::Expect => text::EXPECTED,
        _ => return None,
    })
}

/// The button that takes an entry out.
pub fn remove(what: &str, path: &str) -> String {
    let button = r#"<button class="x" aria-label="{A}" title="{A}" data-do="remove {B}"><ic x></button>"#;
    made(button, &[], &[&text::remove(what), path])
}

/// One choice of a list to add from.
pub fn choice(out: &mut String, list: &str, word: &str, name: &str, says: &str) {
    let gap = on(!word.is_empty(), " ");
    put(out, r#"<button data-do="add {A}{b}{C}"><b>{D}</b> {E}</button>"#, &[], &[list, gap, word, name, says]);
}

/// What can be done with an entry of a list as a whole.
pub fn tools(out: &mut String, path: &str, at: usize, count: usize, moves: bool) {
    let button = |how: &str, to: Option<usize>, name: &str, arrow: &str| {
        let Some(to) = to.filter(|_| moves) else { return String::new() };
        let button =
            r#"<button class="tl" id="{a}-{B}" aria-label="{C}" title="{C}" data-do="move {D} {e}">{f}</button>"#;
        made(button, &[], &[how, &id(path), name, path, &to.to_string(), arrow])
    };
    let up = button("up", at.checked_sub(1), text::UP, "↑");
    let down = button("dn", Some(at + 1).filter(|to| *to < count), text::DOWN, "↓");
    let all = r#"<div key="{A} tools" class="tools">{b}{c}<button class="tl" data-do="twin {A}">{0}</button></div>"#;
    put(out, all, &[text::DUPLICATE], &[path, &up, &down]);
}
