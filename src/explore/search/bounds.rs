//! What a search may do to a story: which kinds of faults, to whom, how many, and when it has to stop.

use crate::check::Property;
use crate::check::report::PropertySet;
use crate::scenario::Scenario;

/// A kind of fault that a search can add. The order is that of plain to odd: of two equally short counterexamples the plainer one is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A process or node stands still: from a point of its program (a node: from just after something happened), until just after
    /// something happened elsewhere, or for ever.
    Pause,
    /// A message arrives just after something happened, or after a call has run into its time-out, instead of when the link says.
    Delay,
    /// A message is lost.
    Drop,
    /// A process or node loses what it has in memory, and is back at once, just after something happened elsewhere, or never.
    Crash,
    /// A second copy of a message arrives just after something happened.
    Duplicate,
    /// A wall clock jumps by the longest lease, forward or back.
    StepClock,
    /// A clock runs at double or half speed, from the start.
    DriftClock,
    /// Another server answers for the service.
    FailOver,
    /// The records of a lock server vanish.
    Evict,
    /// The service ends a worker's session or lease.
    Expire,
    /// A worker's connections break.
    Disconnect,
    /// Messages between a worker and the lock service are lost, until just after something happened, or for ever.
    Cut,
    /// A request waits in the handler of a resource, until just after something happened, or for ever; others are served meanwhile.
    Stall,
    /// One server, alone or with one worker, cannot reach the others of its service, until just after something happened, or for ever. Who is on
    /// neither side reaches all of them.
    Partition,
    /// A worker gives up the acquisition under way.
    Cancel,
    /// A worker is asked to end, politely.
    ShutDown,
}

impl Kind {
    pub const ALL: [Kind; 16] = [
        Kind::Pause,
        Kind::Delay,
        Kind::Drop,
        Kind::Crash,
        Kind::Duplicate,
        Kind::StepClock,
        Kind::DriftClock,
        Kind::FailOver,
        Kind::Evict,
        Kind::Expire,
        Kind::Disconnect,
        Kind::Cut,
        Kind::Stall,
        Kind::Partition,
        Kind::Cancel,
        Kind::ShutDown,
    ];

    /// The verb of the scenario language.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Pause => "pause",
            Kind::Delay => "delay",
            Kind::Drop => "drop",
            Kind::Crash => "crash",
            Kind::Duplicate => "duplicate",
            Kind::StepClock => "step_clock",
            Kind::DriftClock => "drift_clock",
            Kind::FailOver => "fail_over",
            Kind::Evict => "evict",
            Kind::Expire => "expire",
            Kind::Disconnect => "disconnect",
            Kind::Cut => "cut",
            Kind::Stall => "stall",
            Kind::Partition => "partition",
            Kind::Cancel => "cancel",
            Kind::ShutDown => "shut_down",
        }
    }

    pub fn from_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.word() == word)
    }
}

/// So many faults of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts([u8; Kind::ALL.len()]);

impl Counts {
    pub fn of(self, kind: Kind) -> u8 {
        self.0[kind as usize]
    }

    pub fn set(&mut self, kind: Kind, n: u8) {
        self.0[kind as usize] = n;
    }

    /// One more of this kind.
    pub fn with(mut self, kind: Kind) -> Counts {
        self.0[kind as usize] += 1;
        self
    }

    /// Of no kind more than there may be.
    pub fn within(self, most: Counts) -> bool {
        self.0.iter().zip(&most.0).all(|(n, most)| n <= most)
    }
}

/// The bounds of a search. What it answers is true within them, and says nothing about what lies beyond.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At most so many of each kind.
    pub each: Counts,
    /// At most so many faults in all.
    pub total: u8,
    /// By node id: may faults strike it? Messages have a worker at one end at least; that end counts.
    pub targets: Vec<bool>,
    /// It stops after so many schedules.
    pub schedules: u64,
    /// It stops when what it remembers takes so many bytes.
    pub memory: u64,
    /// What counts as broken.
    pub properties: PropertySet,
    /// Of the messages of one kind on one link, and of a worker's passings of one point: so many from the first, and so many up to the
    /// last, can be struck.
    pub edges: u32,
    /// Leave out what is known to go on like something else. Off only to show that it makes no difference.
    pub reduces: bool,
}

/// What the explorer remembers natively unless it is told otherwise; in a browser it is a quarter.
pub const MEMORY: u64 = if cfg!(target_arch = "wasm32") { 1 << 30 } else { 4 << 30 };

/// How many schedules are looked at natively where the story sets no limit.
const SCHEDULES: u64 = 200_000;

/// Of what repeats itself, so many from the beginning and so many up to the end.
const EDGES: u32 = 2;

impl Bounds {
    /// What the story says of its search, for one of its designs. What it does not say: two faults of any kind, at the workers and the
    /// lock service, against what the story judges.
    ///
    /// # Panics
    /// If there is no such design.
    pub fn of(scenario: &Scenario, design: usize) -> Bounds {
        let said = scenario.explore();
        let total = said.as_ref().map_or(2, |e| e.total.min(u32::from(u8::MAX))) as u8;
        let mut each = Counts::default();
        match said.as_ref().map(|e| &e.faults[..]) {
            None | Some([]) => Kind::ALL.into_iter().for_each(|k| each.set(k, total)),
            Some(faults) => {
                for (kind, n) in faults.iter().filter_map(|(word, n)| Some((Kind::from_word(word)?, *n))) {
                    each.set(kind, n.min(u32::from(total)) as u8);
                }
            }
        }
        let words = match &said {
            None => vec!["workers", "lock"],
            Some(e) => e.targets.iter().map(String::as_str).collect(),
        };
        let properties = match &said {
            None => &scenario.judge,
            Some(e) => &e.properties,
        };
        let mut bounds = Bounds {
            each,
            total,
            targets: Vec::new(),
            schedules: said.as_ref().map_or(SCHEDULES, |e| u64::from(e.schedules)),
            memory: MEMORY,
            properties: properties.iter().filter_map(|w| Property::from_word(w)).collect(),
            edges: EDGES,
            reduces: true,
        };
        bounds.aim(scenario, design, &words);
        bounds
    }

    /// Faults may strike these from now on, and nobody else.
    pub fn aim(&mut self, scenario: &Scenario, design: usize, names: &[&str]) {
        let nodes = scenario.config(design).roster.nodes.len();
        self.targets = vec![false; nodes];
        for id in scenario.nodes(design, names) {
            self.targets[id.index()] = true;
        }
    }
}
