//! The scenario as fields: which parameters the form shows, what they are, and what an edit of one makes of the text.
//!
//! The form shows what matters in the story at hand, with its default and its unit, under the design that is in front: general yields to
//! particular, so a field says where its value comes from, and an edit goes to where it has an effect (a value that the design sets
//! itself is changed in the design). Every edit writes keys into the text; comments and order survive. A field is valid if the text
//! that it makes can be run.

mod change;

pub use change::{Change, NewFault, attempt, change};

use crate::app::text;
use crate::base::pieces::{divide, joined, part, tail};
use crate::scenario::registry::faults::Victim;
use crate::scenario::registry::{Row, Section, Type, by_path, row, services::service};
use crate::scenario::scenario::{self, End, Fault, Worker};
use crate::scenario::step::Step;
use crate::scenario::{Layer, Scenario};

/// One value that can be edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where an edit is written.
    pub path: String,
    pub label: String,
    /// As it would stand in the text, without quotes.
    pub value: String,
    pub kind: Kind,
    /// Nobody has set it.
    pub default: bool,
    /// One sentence about the key.
    pub says: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Typed.
    Line,
    /// Typed, over several lines.
    Lines,
    /// One of these words, each with what people read.
    Choice(Vec<(&'static str, &'static str)>),
    /// Shown, not edited: who sets it, or why not.
    Fixed(&'static str),
}

/// One worker, as the form shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerCard {
    pub name: String,
    /// Class of its hue.
    pub hue: &'static str,
    pub start: Field,
    pub steps: Field,
    /// What it says of its client itself.
    pub own: Vec<Field>,
    /// It can be taken out: it has an entry of its own, and is not the last.
    pub removable: bool,
}

/// One fault, as the form shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultCard {
    /// Whom it strikes, each with the class of its hue.
    pub whom: Vec<(String, &'static str)>,
    pub what: String,
    pub fields: Vec<Field>,
    /// Its place in the file.
    pub entry: usize,
}

/// The fields that are always shown, and those behind "more".
pub struct Fields {
    pub lock: Vec<Field>,
    pub network: Vec<Field>,
    pub more: Vec<Field>,
}

/// Keys of lock and client, with their labels: the first ones always, the others behind "more".
const ALWAYS: [(&str, &str); 3] =
    [("lock.service", text::F_SERVICE), ("lock.ttl", text::F_LEASE), ("client.retry", text::F_RETRY)];
const MORE: [(&str, &str); 5] = [
    ("lock.persistence", text::F_PERSISTENCE),
    ("lock.clock", text::F_LOCK_CLOCK),
    ("client.check_deadline", text::F_CHECK),
    ("client.renew_every", text::F_RENEW),
    ("resource.guard", text::F_GUARD),
];

/// Keys of faults beside their beginning and end, with their labels, in the order in which they are shown.
const OF_FAULTS: [(&str, &str); 7] = [
    ("for", text::F_FOR),
    ("every", text::F_EVERY),
    ("nth", text::F_NTH),
    ("takes", text::F_TAKES),
    ("by", text::F_BY),
    ("rate", text::F_RATE),
    ("loses", text::F_LOSES),
];

/// A field of a key.
#[inline(never)]
fn field(path: String, row: &Row, label: &str, value: String, kind: Kind) -> Field {
    Field { path, label: label.to_string(), value, kind, default: false, says: row.says() }
}

/// The fields of a story under one design.
pub fn fields(scenario: &Scenario, design: usize) -> Fields {
    let mut of = Fields { lock: Vec::new(), network: Vec::new(), more: Vec::new() };
    for (path, label) in ALWAYS {
        of.lock.extend(of_design(scenario, design, path, label));
    }
    of.network.extend(of_story(scenario, "network.one_way", text::F_ONE_WAY));
    for (path, label) in MORE {
        of.more.extend(of_design(scenario, design, path, label));
    }
    for (path, label) in [("network.loss", text::F_LOSS), ("horizon", text::F_HORIZON), ("seed", text::F_SEED)] {
        of.more.extend(of_story(scenario, path, label));
    }
    of
}

/// A key that no design can set.
fn of_story(scenario: &Scenario, path: &str, label: &str) -> Option<Field> {
    let row = by_path(path)?;
    let value = scenario.shown(row);
    let default = value == row.default;
    Some(Field { default, ..field(path.to_string(), row, label, value, Kind::Line) })
}

/// A key that designs may set, with the value it has under one of them.
#[inline(never)]
fn of_design(scenario: &Scenario, design: usize, path: &str, label: &str) -> Option<Field> {
    let row = by_path(path)?;
    let (mut value, layer) = scenario.resolved(design, path)?;
    // A service that does not know the key has nothing to show.
    if !row.uses.has(&scenario.resolved(design, "lock.service")?.0) {
        return None;
    }
    let kind = match layer {
        Layer::Protection => Kind::Fixed(text::SET_BY_PROTECTION),
        _ => kind_of(row),
    };
    let path = match layer {
        Layer::Design => scenario::path("design", design, path),
        _ => path.to_string(),
    };
    let mut says = row.says();
    if row.key == "service"
        && let Some(service) = service(&value)
    {
        says = service.text();
        if let Kind::Fixed(_) = kind {
            // What is only shown is shown by its name.
            value = service.label.to_string();
        }
    }
    let default = matches!(layer, Layer::Default | Layer::Profile);
    Some(Field { default, says, ..field(path, row, label, value, kind) })
}

fn kind_of(row: &'static Row) -> Kind {
    let mut choices = Vec::new();
    match row.ty {
        Type::Bool => choices.extend([("true", text::YES), ("false", text::NO)]),
        Type::Word => {
            for w in row.words.iter().filter(|w| w.built) {
                // A service has a name; other words are read as they are written.
                let label = service(w.text).filter(|_| row.key == "service").map(|s| s.label);
                choices.push((w.text, label.unwrap_or(w.text)));
            }
        }
        _ => return Kind::Line,
    }
    Kind::Choice(choices)
}

/// The workers.
pub fn workers(scenario: &Scenario) -> Vec<WorkerCard> {
    let several = scenario.workers.len() > 1;
    scenario.workers.iter().enumerate().map(|(i, w)| worker(w, hue(i), several)).collect()
}

fn worker(w: &Worker, hue: &'static str, several: bool) -> WorkerCard {
    let one_of_many = scenario_copy(w);
    let line = |row: &Row, label: &str, value: String, kind: Kind| {
        let kind = if one_of_many { Kind::Fixed(text::ONE_OF_COUNT) } else { kind };
        let default = row.section == Section::Worker && row.default == value;
        let table = if row.section == Section::Client { ".client." } else { "." };
        Field { default, ..field(["worker.", &w.name, table, row.key].concat(), row, label, value, kind) }
    };
    let of_worker = |key: &str| row(Section::Worker, key).expect("a key of workers");
    let (steps, blocks) = steps(&w.steps);
    let kind = if blocks { Kind::Fixed(text::STEPS_WITH_LOOPS) } else { Kind::Lines };
    let mut own = Vec::new();
    for e in &w.client.entries {
        if let Some(row) = row(Section::Client, &e.key) {
            own.push(line(row, &text::client_key(row.key), e.node.shown(), kind_of(row)));
        }
    }
    WorkerCard {
        name: w.name.clone(),
        hue,
        start: line(of_worker("start"), text::F_START, w.start.text(), Kind::Line),
        steps: line(of_worker("steps"), text::F_STEPS, steps, kind),
        own,
        removable: several && !one_of_many,
    }
}

/// One of several workers that a single entry makes cannot be edited by itself.
fn scenario_copy(w: &Worker) -> bool {
    w.count > 1 || w.name.is_empty()
}

/// Steps in one line, and whether there is a block in them, which a line cannot say.
fn steps(list: &[Step]) -> (String, bool) {
    let mut blocks = false;
    let one = |s: &Step| match s {
        Step::One(action) => action.text(),
        Step::Loop { times, steps: inner, .. } => {
            blocks = true;
            text::looped(*times, &steps(inner).0)
        }
    };
    let words: Vec<String> = list.iter().map(one).collect();
    (joined(&words, ", "), blocks)
}

/// The class of the n-th worker's hue: three hues, then again from the first.
pub fn hue(index: usize) -> &'static str {
    ["w1", "w2", "w3"][index % 3]
}

/// The faults.
pub fn faults(scenario: &Scenario) -> Vec<FaultCard> {
    scenario.faults.iter().map(|f| fault(scenario, f)).collect()
}

fn fault(scenario: &Scenario, f: &Fault) -> FaultCard {
    let mut fields: Vec<Field> = Vec::new();
    let mut add = |key: &str, label: &str, value: Option<String>| {
        if let (Some(value), Some(row)) = (value, row(Section::Fault, key)) {
            fields.push(field(f.path(key), row, label, value, Kind::Line));
        }
    };
    let lasts = f.verb.lasts;
    add("at", if lasts { text::F_FROM } else { text::F_AT }, Some(f.start.text()));
    let endless = f.end == End::WithTheRun && lasts && f.message().is_none();
    // Until the end of the run: an empty field says so, and can be filled.
    add("until", text::F_UNTIL, f.shown("until").or(endless.then(String::new)));
    for (key, label) in OF_FAULTS {
        // "all" is what it would be anyway.
        add(key, label, f.shown(key).filter(|value| value != "all"));
    }
    let whom = match (f.verb.victim, f.message()) {
        (_, Some(_)) => f.names("from").unwrap_or_default(),
        (Victim::Groups, _) => Vec::new(),
        _ => f.whom(),
    };
    let chip = |name: &str| {
        let base = divide(name, ".").0;
        (name.to_string(), scenario.worker(base).map_or("nd", hue))
    };
    FaultCard { whom: whom.into_iter().map(chip).collect(), what: text::fault(f), fields, entry: f.entry }
}

/// The protections that no design of the scenario has yet and that can be run, with their names.
pub fn protections(scenario: &Scenario) -> Vec<&'static str> {
    let mut free = Vec::new();
    for word in by_path("design.protection").map_or(&[][..], |row| row.words) {
        if word.built && scenario.designs.iter().all(|d| d.protection.as_deref() != Some(word.text)) {
            free.push(word.text);
        }
    }
    free
}

/// A value as people read it in a field: the number, and its unit beside it. What is more than one number has no unit of its own.
pub fn split_unit(value: &str) -> (&str, &str) {
    let at = value.bytes().position(|b| !matches!(b, b'0'..=b'9' | b'.' | b'-')).unwrap_or(value.len());
    let (number, unit) = (part(value, 0, at), tail(value, at));
    if !number.is_empty() && ["us", "ms", "s", "min", "h", "d", "%"].contains(&unit) {
        (number, unit)
    } else {
        (value, "")
    }
}

/// What was typed into a field that shows `unit` beside it: a bare number is in that unit.
pub fn with_unit(typed: &str, unit: &str) -> String {
    let typed = typed.trim();
    let bare = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-');
    if bare { [typed, unit].concat() } else { typed.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{parse, preset};

    fn story(id: &str) -> (String, Scenario) {
        let text = preset::by_id(id).expect("a story").text;
        (text.to_string(), parse(text).scenario.expect("it runs"))
    }

    fn scenario(text: &str) -> Scenario {
        parse(text).scenario.expect("it runs")
    }

    #[test]
    fn a_number_and_its_unit_are_told_apart_and_put_together() {
        for (value, number, unit) in [
            ("10s", "10", "s"),
            ("1.5s", "1.5", "s"),
            ("-8s", "-8", "s"),
            ("1%", "1", "%"),
            ("0ms..200ms", "0ms..200ms", ""),
            ("never", "never", ""),
        ] {
            assert_eq!(split_unit(value), (number, unit), "{value}");
        }
        assert_eq!(with_unit("15", "s"), "15s");
        assert_eq!(with_unit(" 500ms ", "s"), "500ms");
        assert_eq!(with_unit("never", "s"), "never");
    }

    #[test]
    fn the_form_shows_the_story_under_the_design_in_front() {
        let (_, s) = story("gc-pause");
        let f = fields(&s, 0);
        let lease = f.lock.iter().find(|f| f.path == "lock.ttl").expect("a lease");
        assert_eq!((lease.value.as_str(), lease.default), ("10s", true));
        assert_eq!(f.network[0].value, "5ms");
        let cards = workers(&s);
        assert_eq!(cards.iter().map(|c| (c.name.as_str(), c.hue)).collect::<Vec<_>>(), [("W1", "w1"), ("W2", "w2")]);
        assert_eq!(cards[0].steps.value, "acquire, read, work 1s, write, release");
        assert_eq!(cards[1].start.value, "2s");
        let faults = faults(&s);
        assert_eq!(faults[0].whom, [("W1".to_string(), "w1")]);
        let shown: Vec<(&str, &str)> = faults[0].fields.iter().map(|f| (f.path.as_str(), f.value.as_str())).collect();
        assert_eq!(shown, [("fault.0.at", "500ms"), ("fault.0.until", "15s")]);
    }

    #[test]
    fn every_field_of_every_story_can_be_written_as_it_is() {
        for p in preset::all() {
            let s = scenario(p.text);
            for design in 0..s.designs.len() {
                let f = fields(&s, design);
                let cards = workers(&s);
                let all = f.lock.iter().chain(&f.network).chain(&f.more);
                let all = all.chain(cards.iter().flat_map(|c| [&c.start, &c.steps].into_iter().chain(&c.own)));
                for field in all.filter(|f| !matches!(f.kind, Kind::Fixed(_))) {
                    let made = attempt(p.text, &field.path, &field.value);
                    let made = made.unwrap_or_else(|e| panic!("{}: {} = {}: {e}", p.id, field.path, field.value));
                    assert!(parse(&made.text).scenario.is_some());
                }
            }
            for card in faults(&s) {
                for field in card.fields {
                    let made = attempt(p.text, &field.path, &field.value);
                    assert!(made.is_ok(), "{}: {} = {}: {made:?}", p.id, field.path, field.value);
                }
            }
        }
    }
}
