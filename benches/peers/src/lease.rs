//! The question about a lease, as a model for `stateright`. It knows nothing of Fencepost.

use stateright::{Model, Property, Representative};

/// So many workers and rounds; guard 0: none, 1: a fence, 2: a fence that every new owner activates.
#[derive(Clone, Copy)]
pub struct Lease {
    pub workers: usize,
    pub rounds: u8,
    pub guard: u8,
}

/// Where a worker stands in its round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum At {
    #[default]
    Acquire,
    Activate,
    Read,
    Write,
    Release,
    Done,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Worker {
    at: At,
    rounds: u8,
    token: u8,
    base: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    held: Option<u8>,
    granted: u8,
    mark: u8,
    newest: u8,
    version: u8,
    stale: bool,
    lost: bool,
    workers: Vec<Worker>,
}

/// The lease ends, or a worker does what comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Expire,
    Step(usize),
}

impl Representative for State {
    /// Workers have no names: the lock knows a token.
    fn representative(&self) -> State {
        let mut state = self.clone();
        state.workers.sort();
        state
    }
}

impl Model for Lease {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            held: None,
            granted: 0,
            mark: 0,
            newest: 0,
            version: 0,
            stale: false,
            lost: false,
            workers: vec![Worker::default(); self.workers],
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.held.is_some() {
            actions.push(Action::Expire);
        }
        for (i, worker) in state.workers.iter().enumerate() {
            let can = match worker.at {
                At::Acquire => state.held.is_none(),
                At::Done => false,
                _ => true,
            };
            if can {
                actions.push(Action::Step(i));
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        let Action::Step(i) = action else {
            next.held = None;
            return Some(next);
        };
        let worker = &mut next.workers[i];
        match worker.at {
            At::Acquire => {
                next.granted += 1;
                worker.token = next.granted;
                next.held = Some(next.granted);
                worker.at = if self.guard == 2 { At::Activate } else { At::Read };
            }
            At::Activate => {
                if worker.token >= next.mark {
                    next.mark = worker.token;
                    worker.at = At::Read;
                } else {
                    worker.at = At::Release;
                }
            }
            At::Read => {
                worker.base = next.version;
                worker.at = At::Write;
            }
            At::Write => {
                if self.guard == 0 || worker.token >= next.mark {
                    next.stale |= worker.token < next.newest;
                    next.lost |= worker.base != next.version;
                    next.newest = next.newest.max(worker.token);
                    next.version += 1;
                    if self.guard != 0 {
                        next.mark = next.mark.max(worker.token);
                    }
                }
                worker.base = 0;
                worker.at = At::Release;
            }
            At::Release => {
                if next.held == Some(worker.token) {
                    next.held = None;
                }
                let rounds = worker.rounds + 1;
                let at = if rounds == self.rounds { At::Done } else { At::Acquire };
                *worker = Worker { at, rounds, token: 0, base: 0 };
            }
            At::Done => return None,
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Lease>> {
        vec![
            Property::always("no stale write", |_, state: &State| !state.stale),
            Property::always("no lost update", |_, state: &State| !state.lost),
        ]
    }
}
