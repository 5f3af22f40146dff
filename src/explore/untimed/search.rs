//! All schedules of the question, breadth first.

use super::{Act, PROPERTIES, Question, State, Step};
use crate::check::Property;
use crate::explore::search::{Limit, Seen};

/// What may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Nothing: only a state that is equal in every respect is taken for one that was seen.
    None,
    /// What goes on like something else, by symmetry, by what matters, and by independence.
    Full,
}

/// What all schedules came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Different states that were looked at.
    pub states: u64,
    /// In the order of [`PROPERTIES`]: what leads to the first state in which it is broken.
    pub broken: [Option<Vec<Act>>; 2],
    /// It ended before everything was looked at, and before everything was broken.
    pub limit: Option<Limit>,
}

impl Checked {
    pub fn holds(&self, p: Property) -> bool {
        self.limit.is_none() && PROPERTIES.iter().zip(&self.broken).any(|(o, b)| *o == p && b.is_none())
    }
}

/// How a state was come to: from which one, and by what.
#[derive(Clone, Copy)]
struct Way {
    from: u32,
    act: Act,
}

impl Question {
    /// Looks at all schedules, in so many bytes, until each property is broken.
    pub fn check(&self, reduction: Reduction, memory: u64) -> Checked {
        let start = self.start();
        let mut seen = Seen::within(u64::MAX);
        let digest = |s: &State| match reduction {
            Reduction::None => self.plain(s),
            Reduction::Full => self.essence(s),
        };
        seen.insert(digest(&start));
        // One layer of states at a time; of those before only the ways are kept.
        let mut ways: Vec<Way> = vec![Way { from: 0, act: Act::Expire }];
        let mut layer: Vec<(u32, State)> = vec![(0, start)];
        let mut checked = Checked { states: 1, broken: [None, None], limit: None };
        let mut acts: Vec<Act> = Vec::new();
        while !layer.is_empty() {
            let mut next: Vec<(u32, State)> = Vec::new();
            for (from, s) in &layer {
                acts.clear();
                match reduction {
                    Reduction::None => acts.extend(self.acts(s)),
                    Reduction::Full => acts.extend(self.needed(s)),
                }
                for act in &acts {
                    let after = self.after_due(s, *act);
                    let fresh = after.broken & !s.broken;
                    let is_new = !seen.insert(digest(&after));
                    if is_new || fresh != 0 {
                        ways.push(Way { from: *from, act: *act });
                    }
                    let at = ways.len() as u32 - 1;
                    for (bit, broken) in checked.broken.iter_mut().enumerate() {
                        if fresh >> bit & 1 == 1 && broken.is_none() {
                            *broken = Some(self.path(&ways, at));
                        }
                    }
                    if is_new {
                        checked.states += 1;
                        next.push((at, after));
                    }
                }
                if checked.broken.iter().all(Option::is_some) {
                    return checked;
                }
                let states = (layer.len() + next.capacity()) * size_of::<(u32, State)>();
                if seen.bytes() + (states + ways.capacity() * size_of::<Way>()) as u64 > memory {
                    checked.limit = Some(Limit::Memory);
                    return checked;
                }
            }
            layer = next;
        }
        checked
    }

    /// After this, and after the end of the lease if it is in the way.
    fn after_due(&self, s: &State, act: Act) -> State {
        if self.is_in_the_way(s, act) { self.after(&self.after(s, Act::Expire), act) } else { self.after(s, act) }
    }

    fn is_in_the_way(&self, s: &State, act: Act) -> bool {
        matches!(act, Act::Go(w) if s.held != 0 && s.workers[usize::from(w)].next == Step::Acquire)
    }

    /// What leads to this state.
    fn path(&self, ways: &[Way], mut at: u32) -> Vec<Act> {
        let mut back = Vec::new();
        while at != 0 {
            back.push(ways[at as usize].act);
            at = ways[at as usize].from;
        }
        let mut path = Vec::new();
        let mut s = self.start();
        for act in back.into_iter().rev() {
            if self.is_in_the_way(&s, act) {
                path.push(Act::Expire);
            }
            s = self.after_due(&s, act);
            path.push(act);
        }
        path
    }
}
