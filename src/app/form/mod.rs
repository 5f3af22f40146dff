//! The scenario as fields: which parameters the form shows, what they are, and what an edit of one makes of the text.
//!
//! The form shows what matters in the story at hand, with its default and its unit, under the design that is in front: general yields to
//! particular, so a field says where its value comes from, and an edit goes to where it has an effect (a value that the design sets
//! itself is changed in the design). Every edit writes keys into the text; comments and order survive. A field is valid if the text
//! that it makes can be run.

mod change;

pub use change::{Change, NewFault, attempt, change};

use crate::app::text;
use crate::scenario::registry::{Row, Type, by_path, services::SERVICES};
use crate::scenario::scenario::{End, Fault, Verb, Worker};
use crate::scenario::step::Step;
use crate::scenario::{Layer, Scenario, quantity};

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

/// The fields of a story under one design.
pub fn fields(scenario: &Scenario, design: usize) -> Fields {
    let keyed = |list: &[(&'static str, &'static str)]| -> Vec<Field> {
        list.iter().filter_map(|(path, label)| of_design(scenario, design, path, label)).collect()
    };
    let network = scenario.network;
    let of_story = |path: &str, label: &str, value: String| -> Option<Field> {
        let row = by_path(path)?;
        Some(Field {
            path: path.to_string(),
            label: label.to_string(),
            default: value == row.default,
            value,
            kind: Kind::Line,
            says: row.says,
        })
    };
    let horizon = quantity::write_time(scenario.horizon.since(crate::base::TrueTime::ZERO));
    let mut more = keyed(&MORE);
    more.extend(of_story("network.loss", text::F_LOSS, quantity::write_share(network.loss_ppm)));
    more.extend(of_story("horizon", text::F_HORIZON, horizon));
    more.extend(of_story("seed", text::F_SEED, scenario.seed.to_string()));
    Fields {
        lock: keyed(&ALWAYS),
        network: of_story("network.one_way", text::F_ONE_WAY, quantity::write_draw(network.one_way))
            .into_iter()
            .collect(),
        more,
    }
}

/// A key that designs may set, with the value it has under one of them.
fn of_design(scenario: &Scenario, design: usize, path: &str, label: &str) -> Option<Field> {
    let row = by_path(path)?;
    let (value, layer) = scenario.resolved(design, path)?;
    // A service that does not know the key has nothing to show.
    let service = scenario.resolved(design, "lock.service").map(|(s, _)| s).unwrap_or_default();
    if !row.uses.has(&service) {
        return None;
    }
    let kind = match layer {
        Layer::Protection => Kind::Fixed(text::SET_BY_PROTECTION),
        _ => kind_of(row),
    };
    let path = match layer {
        Layer::Design => format!("design.{design}.{path}"),
        _ => path.to_string(),
    };
    let label = label.to_string();
    Some(Field { path, label, value, kind, default: matches!(layer, Layer::Default | Layer::Profile), says: row.says })
}

fn kind_of(row: &'static Row) -> Kind {
    match row.ty {
        Type::Bool => Kind::Choice(vec![("true", text::YES), ("false", text::NO)]),
        Type::Word if row.key == "service" => {
            Kind::Choice(SERVICES.iter().filter(|s| s.built).map(|s| (s.word, s.label)).collect())
        }
        Type::Word => Kind::Choice(row.words.iter().filter(|w| w.built).map(|w| (w.text, w.text)).collect()),
        _ => Kind::Line,
    }
}

/// The workers.
pub fn workers(scenario: &Scenario) -> Vec<WorkerCard> {
    let several = scenario.workers.len() > 1;
    scenario.workers.iter().enumerate().map(|(i, w)| worker(w, hue(i), several)).collect()
}

fn worker(w: &Worker, hue: &'static str, several: bool) -> WorkerCard {
    let one_of_many = scenario_copy(w);
    let line = |key: &str, label: &str, value: String, kind| Field {
        path: format!("worker.{}.{key}", w.name),
        label: label.to_string(),
        default: by_path(&format!("worker.{key}")).is_some_and(|r| r.default == value),
        value,
        kind: if one_of_many { Kind::Fixed(text::ONE_OF_COUNT) } else { kind },
        says: by_path(&format!("worker.{key}")).map_or("", |r| r.says),
    };
    let (steps, blocks) = steps(&w.steps);
    let own = w.client.iter().filter_map(|(key, node)| {
        let row = by_path(&format!("client.{key}"))?;
        let kind = if one_of_many { Kind::Fixed(text::ONE_OF_COUNT) } else { kind_of(row) };
        let label = text::client_key(row.key);
        Some(Field {
            path: format!("worker.{}.client.{key}", w.name),
            label,
            value: node.to_string(),
            kind,
            default: false,
            says: row.says,
        })
    });
    WorkerCard {
        name: w.name.clone(),
        hue,
        start: line("start", text::F_START, w.start.to_string(), Kind::Line),
        steps: line(
            "steps",
            text::F_STEPS,
            steps,
            if blocks { Kind::Fixed(text::STEPS_WITH_LOOPS) } else { Kind::Lines },
        ),
        own: own.collect(),
        removable: several && !one_of_many,
    }
}

/// One of several workers that a single entry makes cannot be edited by itself.
fn scenario_copy(w: &Worker) -> bool {
    w.copy > 0 || w.name.is_empty()
}

/// Steps in one line, and whether there is a block in them, which a line cannot say.
fn steps(list: &[Step]) -> (String, bool) {
    let mut blocks = false;
    let one = |s: &Step| match s {
        Step::One(action) => action.to_string(),
        Step::Loop { times, steps: inner, .. } => {
            blocks = true;
            text::looped(*times, &steps(inner).0)
        }
    };
    let words: Vec<String> = list.iter().map(one).collect();
    (words.join(", "), blocks)
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
    let mut add = |key: &str, label: &str, value: String| {
        let path = format!("fault.{}.{key}", f.entry);
        let says = by_path(&format!("fault.{key}")).map_or("", |r| r.says);
        let label = label.to_string();
        fields.push(Field { path, label, value, kind: Kind::Line, default: false, says });
    };
    let lasts = !matches!(f.verb, Verb::StepClock { .. } | Verb::Evict { .. } | Verb::FailOver { .. });
    add("at", if lasts { text::F_FROM } else { text::F_AT }, f.start.to_string());
    match &f.end {
        End::Until(when) => add("until", text::F_UNTIL, when.to_string()),
        End::For(length) => add("for", text::F_FOR, quantity::write_draw(*length)),
        // Until the end of the run: an empty field says so, and can be filled.
        End::WithTheRun if lasts && !matches!(f.verb, Verb::Message { .. }) => {
            add("until", text::F_UNTIL, String::new())
        }
        End::WithTheRun => {}
    }
    if let Some(every) = f.every {
        add("every", text::F_EVERY, quantity::write_draw(every));
    }
    match &f.verb {
        Verb::Message { takes, nth, .. } => {
            if let Some(nth) = nth {
                let list: Vec<String> = nth.iter().map(u32::to_string).collect();
                add("nth", text::F_NTH, list.join(", "));
            }
            if let Some(takes) = takes {
                add("takes", text::F_TAKES, quantity::write_draw(*takes));
            }
        }
        Verb::StepClock { by, .. } => add("by", text::F_BY, quantity::write_time(*by)),
        Verb::DriftClock { rate_ppm, .. } => add("rate", text::F_RATE, quantity::shortest(*rate_ppm, 1_000_000)),
        Verb::Crash { loses: Some(loses), .. } => add("loses", text::F_LOSES, quantity::write_time(*loses)),
        _ => {}
    }
    let chip = |name: &String| {
        let base = name.split('.').next().unwrap_or(name);
        let hue = scenario.worker(base).map_or("nd", hue);
        (name.clone(), hue)
    };
    let chips = |names: &[String]| names.iter().map(chip).collect::<Vec<_>>();
    let (whom, what) = match &f.verb {
        Verb::Pause { targets } => (chips(targets), text::PAUSES.to_string()),
        Verb::Crash { targets, .. } => (chips(targets), text::CRASHES.to_string()),
        Verb::Cut { from, to, one_sided } => (chips(from), text::is_cut(to.as_deref(), *one_sided)),
        Verb::Partition { groups } => (Vec::new(), text::parted(groups)),
        Verb::Message { what, kinds, from, to, applied, .. } => {
            (chips(from.as_deref().unwrap_or_default()), text::message_fault(*what, kinds, to.as_deref(), *applied))
        }
        Verb::StepClock { names, .. } => (chips(names), text::CLOCK_STEPS.to_string()),
        Verb::DriftClock { names, .. } => (chips(names), text::CLOCK_DRIFTS.to_string()),
        Verb::FailOver { names, serves } => (chips(names), text::fails_over(*serves).to_string()),
        Verb::Evict { names, lock } => (chips(names), text::forgets(lock.as_deref())),
    };
    FaultCard { whom, what, fields, entry: f.entry }
}

/// The protections that no design of the scenario has yet and that can be run, with their names.
pub fn protections(scenario: &Scenario) -> Vec<&'static str> {
    let Some(row) = by_path("design.protection") else { return Vec::new() };
    let has = |word: &str| scenario.designs.iter().any(|d| d.protection.as_deref() == Some(word));
    row.words.iter().filter(|w| w.built && !has(w.text)).map(|w| w.text).collect()
}

/// A value as people read it in a field: the number, and its unit beside it. What is more than one number has no unit of its own.
pub fn split_unit(value: &str) -> (&str, &str) {
    let at = value.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').unwrap_or(value.len());
    let (number, unit) = value.split_at(at);
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
    if bare { format!("{typed}{unit}") } else { typed.to_string() }
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
