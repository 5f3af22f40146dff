//! What a search on the page is set to: what the story says of it, and what a person has changed.
//!
//! The page keeps only the changes, as lines `what=value`, so that they stay when another story is opened and the rest is that story's own.

use super::super::nine;
use crate::app::text;
use crate::base::Fingerprint;
use crate::check::Property;
use crate::check::report::PropertySet;
use crate::explore::search::{Base, Bounds, Counts, Kind};
use crate::scenario::profile::PROTECTIONS;
use crate::scenario::{self, Scenario};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What a person finds ticked where the story says nothing of a search: what goes wrong every day.
const USUAL: [Kind; 4] = [Kind::Pause, Kind::Delay, Kind::Drop, Kind::StepClock];

/// What is looked for where the story says nothing of a search, of what it judges.
const COLUMNS: [Property; 4] =
    [Property::StaleWrite, Property::LostUpdate, Property::ForeignRelease, Property::BrokenPromise];

/// MiB, as [`MEMORY`](crate::explore::search::MEMORY) is in a browser.
const MEMORY: u64 = 1 << 10;

/// The memory is shared by at most so many workers. Each may have this part of it, however many there are: so that counts do not depend on
/// the machine.
const WALKS: u64 = 8;

pub(super) struct Setting {
    /// Kinds of faults and the most of each; none of those that are not named.
    pub each: Vec<(Kind, u8)>,
    pub total: u8,
    pub schedules: u64,
    /// MiB.
    pub memory: u64,
    pub edges: u32,
    pub properties: PropertySet,
    /// The story's own faults stay.
    pub own: bool,
}

/// A design that can be searched.
pub(super) struct Offered {
    pub name: String,
    /// What it is called in changes.
    pub what: String,
    /// Its number in the story, if it is chosen.
    pub place: Option<usize>,
}

/// A story made ready for its search.
pub(super) struct Ready {
    /// Without its own faults, unless they stay; with the standard designs that were added.
    pub scenario: Rc<Scenario>,
    pub setting: Setting,
    pub designs: Vec<Offered>,
    /// The story has faults of its own.
    pub has_own: bool,
}

/// What a person has changed, by name.
struct Changes<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Changes<'a> {
    fn read(text: &'a str) -> Changes<'a> {
        Changes(text.lines().filter_map(|line| line.split_once('=')).collect())
    }

    fn get(&self, what: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|c| c.0 == what).map(|c| c.1)
    }

    fn is(&self, what: &str) -> Option<bool> {
        self.get(what).map(|v| v == "true")
    }

    fn number<N: std::str::FromStr>(&self, what: &str) -> Option<N> {
        self.get(what)?.parse().ok()
    }
}

impl Ready {
    /// # Errors
    /// The story cannot be read.
    pub fn of(story: &str, changes: &str) -> Result<Ready, String> {
        let changes = Changes::read(changes);
        let Some(own) = scenario::parse(story).scenario else { return Err(text::ANNEX_UNREADABLE.into()) };
        let (with, mut designs) = with_designs(story, Rc::new(own), &changes);
        let setting = Setting::of(&with, &changes);
        let has_own = !with.config(0).faults.is_empty();
        let scenario = if setting.own { with } else { Rc::new(Base::bare(&with)) };
        // The one design of a story that names none is gone when others are added.
        for d in &mut designs {
            d.place = d.place.and_then(|_| scenario.design(&d.name));
        }
        Ok(Ready { scenario, setting, designs, has_own })
    }

    /// The designs that are searched, by number.
    pub fn chosen(&self) -> Vec<usize> {
        self.designs.iter().filter_map(|d| d.place).collect()
    }

    pub fn bounds(&self, design: usize) -> Bounds {
        let s = &self.setting;
        let mut each = Counts::default();
        s.each.iter().for_each(|(kind, n)| each.set(*kind, *n));
        Bounds {
            each,
            total: s.total,
            schedules: s.schedules,
            memory: (s.memory << 20) / WALKS,
            properties: s.properties,
            edges: s.edges,
            ..Bounds::of(&self.scenario, design)
        }
    }
}

impl Setting {
    fn of(scenario: &Scenario, changes: &Changes) -> Setting {
        let said = scenario.explore();
        let usual = Bounds::of(scenario, 0);
        let total = changes.number("total").unwrap_or(usual.total).clamp(1, 4);
        let declared = said.as_ref().is_some_and(|s| !s.faults.is_empty());
        let each = Kind::ALL.into_iter().filter_map(|kind| {
            let by_story = if declared { usual.each.of(kind) > 0 } else { USUAL.contains(&kind) };
            let ticked = changes.is(&["kind ", kind.word()].concat()).unwrap_or(by_story);
            let most = changes.number(&["most ", kind.word()].concat());
            let most = most.unwrap_or(if declared && by_story { usual.each.of(kind) } else { total });
            ticked.then(|| (kind, most.min(total)))
        });
        let columns: PropertySet = COLUMNS.into_iter().collect();
        let by_story = match usual.properties.and(columns) {
            some if said.is_none() && !some.is_empty() => some,
            _ => usual.properties,
        };
        let wanted = |p: &Property| changes.is(&["property ", p.word()].concat()).unwrap_or(by_story.has(*p));
        Setting {
            each: each.collect(),
            total,
            schedules: changes.number("schedules").unwrap_or(usual.schedules).max(1),
            memory: changes.number("memory").unwrap_or(MEMORY).clamp(1, MEMORY),
            edges: changes.number("edges").unwrap_or(usual.edges).max(1),
            properties: Property::ALL.into_iter().filter(wanted).collect(),
            own: changes.is("own").unwrap_or(false),
        }
    }

    /// The most there may be of a kind; none if it is not ticked.
    pub fn most(&self, kind: Kind) -> Option<u8> {
        self.each.iter().find(|e| e.0 == kind).map(|e| e.1)
    }
}

/// The story with the standard designs that were added to it, and all designs that there are to choose from.
fn with_designs(story: &str, own: Rc<Scenario>, changes: &Changes) -> (Rc<Scenario>, Vec<Offered>) {
    let named = |name: &str| ["design ", &mark(name)].concat();
    let mut designs: Vec<Offered> =
        own.designs().iter().enumerate().map(|(place, d)| offered(d, place, &named, changes)).collect();
    let (mut text, mut scenario): (Rc<str>, _) = (story.into(), own);
    for protection in PROTECTIONS {
        if crate::app::outcomes::design(&scenario, protection.word).is_some() {
            continue;
        }
        let what = ["add ", protection.word].concat();
        let (mut name, mut place) = (protection.label.to_string(), None);
        if changes.is(&what) == Some(true) {
            let Some((more, read, at)) = nine::added(&text, &scenario, protection) else { continue };
            name.clone_from(&read.designs()[at].name);
            (text, scenario, place) = (more, read, Some(at));
        }
        designs.push(Offered { name, what, place });
    }
    (scenario, designs)
}

fn offered(d: &scenario::Design, place: usize, named: &dyn Fn(&str) -> String, changes: &Changes) -> Offered {
    let what = named(&d.name);
    let chosen = changes.is(&what).unwrap_or(true);
    Offered { name: d.name.clone(), place: chosen.then_some(place), what }
}

/// A name as sixteen digits: whatever stands in it, it can stand in a line.
fn mark(name: &str) -> String {
    let mut h = Fingerprint::new();
    name.hash(&mut h);
    format!("{:016x}", h.finish())
}
