//! Both sides together: the same operations, and a report when they differ.
//!
//! The model needs one instant for each operation, and the server tells only between which two milliseconds it was. Nearly always they
//! are the same one. Where they are not, any in between may be the right one, and the first that fits is taken. If none fits and
//! something ended in between, nobody can tell who is right: both sides begin again from nothing, and the operation is not counted.
//! So a busy machine costs operations and never makes a difference.

use crate::model::{Mistake, Model, Setting};
use crate::op::{Kept, Op, State, Step, Wait};
use crate::redis::{Redis, Seen};
use fencepost::base::prng;
use fencepost::protocol::params::Persistence;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, SystemTime};

/// A wait for the end of a record is left out if it would be longer.
const LONGEST_WAIT_MS: i64 = 60;

/// A process that is killed has handed over to the operating system at least what is older. The server writes at once, but holds back for
/// up to two seconds while an earlier write is on its way to the disk.
const HELD_BACK_MS: i64 = 2_000;

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Operations whose answer and whose outcome were compared.
    pub operations: u64,
    /// Of these: in the millisecond of an end, or in the one after it.
    pub at_an_end: u64,
    /// Of these: crashes.
    pub crashes: u64,
    /// Not compared, since an end fell into the operation.
    pub undecided: u64,
}

/// A difference.
#[derive(Debug)]
pub struct Found {
    /// A short sequence that shows it; the last step is where.
    pub steps: Vec<Step>,
    /// The sequence, with what the server did, and the answers and states that differ.
    pub report: String,
}

/// Runs random sequences until so many operations have been compared, or until one sequence shows a difference; the report is about the
/// shortest that was found from there.
pub fn hold(
    redis: Redis,
    setting: Setting,
    mistake: Mistake,
    sequence: &impl Strategy<Value = Vec<Step>>,
    operations: u64,
) -> Result<Tally, Found> {
    let seed = number_from("FENCEPOST_SEED", 1);
    let mut both = Both { redis, setting, mistake, tally: Tally::default() };
    for round in 1.. {
        let steps = random(sequence, seed, round);
        if let Err(difference) = both.run(&steps) {
            let (steps, told) = both.shorten(steps, difference);
            let version = &both.redis.version;
            let head =
                format!("the model and Redis {version} differ ({setting:?}, FENCEPOST_SEED={seed}, sequence {round})");
            return Err(Found { steps, report: format!("{head}:\n{told}") });
        }
        if both.tally.operations >= operations {
            break;
        }
    }
    Ok(both.tally)
}

/// The sequence of this seed and round.
pub fn random<T: std::fmt::Debug>(sequence: &impl Strategy<Value = Vec<T>>, seed: u64, round: u64) -> Vec<T> {
    let words: Vec<u8> = (0..4).flat_map(|place| prng::answer(seed, &[round, place]).to_le_bytes()).collect();
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &words));
    sequence.new_tree(&mut runner).expect("a strategy without conditions").current()
}

/// A number from the environment, for those who want other sequences or more of them.
pub fn number_from(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}: `{text}` is no number")),
        Err(_) => otherwise,
    }
}

struct Both {
    redis: Redis,
    setting: Setting,
    mistake: Mistake,
    tally: Tally,
}

/// Where a sequence showed a difference, and the report about it.
struct Difference {
    at: usize,
    report: String,
}

/// One sequence on its way.
struct Sequence {
    model: Model,
    /// What stood after the last operation.
    states: Vec<State>,
    /// What the server's log of commands was after each operation. The first is the beginning.
    log: Vec<Logged>,
    /// For the report.
    told: Vec<(i64, Op, Seen)>,
}

impl Both {
    /// A shorter sequence that shows a difference too: parts are left out, large ones first, as long as a difference remains. It need not
    /// be the very same one, and time passes differently, so that the result is short and not always the shortest.
    fn shorten(&mut self, mut steps: Vec<Step>, difference: Difference) -> (Vec<Step>, String) {
        let Difference { at, mut report } = difference;
        steps.truncate(at + 1);
        let mut keep_if_it_differs = |shorter: Vec<Step>, steps: &mut Vec<Step>| {
            let Err(difference) = self.run(&shorter) else { return false };
            *steps = shorter;
            steps.truncate(difference.at + 1);
            report = difference.report;
            true
        };
        // Halves, quarters and so on; in the end twice one by one, since a step may be needed only as long as another is there.
        let halves = std::iter::successors(Some(steps.len()), |part| Some(part / 2));
        for part in halves.take_while(|part| *part > 0).chain([1]) {
            let mut from = 0;
            while from < steps.len() {
                let mut shorter = steps.clone();
                shorter.drain(from..steps.len().min(from + part));
                if !keep_if_it_differs(shorter, &mut steps) {
                    from += part;
                }
            }
            // What needs no wait is shorter too, and differs more reliably.
            let mut hasty = steps.clone();
            hasty.iter_mut().for_each(|step| step.wait = Wait::No);
            keep_if_it_differs(hasty, &mut steps);
        }
        (steps, report)
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), Difference> {
        let has_crash = steps.iter().any(|step| matches!(step.op, Op::Crash(_)));
        let mut sequence = self.begin();
        for (at, step) in steps.iter().enumerate() {
            wait(&self.redis, step.wait, &sequence.states);
            let before = sequence.states.clone();
            let outcome = match step.op {
                Op::Crash(kept) => self.crash(kept, &mut sequence),
                op => self.carry_out(op, &mut sequence),
            };
            if !outcome.map_err(|report| Difference { at, report })? {
                self.tally.undecided += 1;
                sequence = self.begin();
                continue;
            }
            let (at_ms, ..) = *sequence.told.last().expect("an operation has just been told");
            self.tally.operations += 1;
            self.tally.at_an_end += u64::from(ends(&before).any(|last| last == at_ms || last + 1 == at_ms));
            if has_crash {
                let logged = Logged { at_ms, length: self.redis.log_length(), in_one_step: step.op != Op::Evict };
                sequence.log.push(logged);
            }
        }
        Ok(())
    }

    /// From nothing, on both sides.
    fn begin(&mut self) -> Sequence {
        self.redis.clear();
        let log = vec![Logged { at_ms: self.redis.now_ms(), length: self.redis.log_length(), in_one_step: true }];
        let model = Model::new(self.setting, self.mistake);
        Sequence { model, states: Vec::new(), log, told: Vec::new() }
    }

    /// True: the same on both sides. False: nobody can tell.
    fn carry_out(&mut self, op: Op, sequence: &mut Sequence) -> Result<bool, String> {
        let seen = self.redis.carry_out(Some(op));
        let mut ours = None;
        for at_ms in seen.from_ms..=seen.to_ms {
            let mut model = sequence.model.clone();
            let answer = model.carry_out(at_ms, op);
            let states = model.states(at_ms);
            if (answer, &states) == (seen.answer, &seen.states) {
                sequence.model = model;
                sequence.tell(at_ms, op, seen);
                return Ok(true);
            }
            ours.get_or_insert(Seen { answer, states, ..seen.clone() });
        }
        let ours = ours.expect("the clock does not run backwards within one operation");
        if is_undecided(&seen, &[&sequence.states, &seen.states, &ours.states]) {
            return Ok(false);
        }
        Err(sequence.report(op, &seen, &[ours]))
    }

    /// Kills and restarts the server, and lets the model's server crash in the same way.
    fn crash(&mut self, kept: Kept, sequence: &mut Sequence) -> Result<bool, String> {
        self.redis.kill();
        let at_ms = self.redis.now_ms();
        let log = &mut sequence.log;
        // How much of the log the disk keeps, and what the model is told of it; several, where the policy allows several outcomes.
        let persistence = self.setting.persistence;
        let mut outcomes: Vec<Option<i64>> = vec![None];
        let mut cut = None;
        match kept {
            _ if persistence == Persistence::None => {}
            Kept::Process if persistence == Persistence::Always => {}
            Kept::Process => {
                let ages = log.iter().rev().map(|it| at_ms - it.at_ms);
                outcomes = ages.take_while(|age| *age <= HELD_BACK_MS).map(Some).collect();
            }
            Kept::Older { operations, torn } => {
                let last_ms = log[log.len().saturating_sub(1 + usize::from(operations))].at_ms;
                outcomes = vec![Some(at_ms - last_ms)];
                cut = Some(cut_log(log, last_ms, torn));
            }
            Kept::OneSecond => {
                if persistence == Persistence::Always {
                    outcomes = vec![Some(1_000)];
                }
                cut = Some(cut_log(log, at_ms - 1_000, false));
            }
        }
        self.redis.restart(cut.map(|it| it.torn_at));
        self.tally.crashes += 1;
        let op = Op::Crash(kept);
        let seen = self.redis.carry_out(None);
        if let Some(cut) = cut.filter(|it| it.torn_at > it.whole) {
            // A known difference: the server forgets to remove the beginning of a torn transaction. See `docs/protocols/redis.md`.
            self.redis.kill();
            self.redis.restart(Some(cut.whole));
        }
        let mut ours = Vec::new();
        for loses_ms in outcomes {
            let mut model = sequence.model.clone();
            model.crash(at_ms, loses_ms);
            let states = model.states(seen.from_ms);
            if states == seen.states {
                sequence.model = model;
                let after_ms = seen.from_ms;
                sequence.tell(after_ms, op, seen);
                return Ok(true);
            }
            if is_undecided(&seen, &[&seen.states, &states]) {
                return Ok(false);
            }
            ours.push(Seen { states, ..seen.clone() });
        }
        Err(sequence.report(op, &seen, &ours))
    }
}

/// As long as a step says.
pub fn wait(redis: &Redis, wait: Wait, states: &[State]) {
    match wait {
        Wait::No => {}
        Wait::Us(us) => wait_until_us(clock_us() + i64::from(us)),
        Wait::NextEnd { plus_ms } => {
            let now = redis.now_ms();
            let next = ends(states).filter(|last| (now..now + LONGEST_WAIT_MS).contains(last)).min();
            if let Some(last) = next {
                redis.wait_until_ms(last + plus_ms);
            }
        }
    }
}

/// The server's log of commands after an operation.
#[derive(Clone, Copy)]
struct Logged {
    at_ms: i64,
    length: u64,
    /// An eviction of several records is not: its part is a part.
    in_one_step: bool,
}

/// How many bytes of a log of commands stay: with the beginning of what was being written, and without it.
#[derive(Clone, Copy)]
struct Cut {
    torn_at: u64,
    whole: u64,
}

/// Cuts what is younger than this instant; `torn`: half of what came next stays.
fn cut_log(log: &mut Vec<Logged>, last_ms: i64, torn: bool) -> Cut {
    // The beginning always stays: what is older than the sequence is none of its business.
    let stay = log.iter().rposition(|it| it.at_ms <= last_ms).map_or(1, |last| last + 1);
    let whole = log[stay - 1].length;
    let next = log.get(stay).filter(|it| torn && it.in_one_step).map_or(whole, |it| it.length);
    log.truncate(stay);
    Cut { torn_at: whole + (next - whole) / 2, whole }
}

/// The last instants of all records that have one.
fn ends(states: &[State]) -> impl Iterator<Item = i64> {
    states.iter().filter_map(|state| state.record?.1)
}

/// Whether the operation took longer than one millisecond of the server's clock, and something ended meanwhile.
pub fn is_undecided(seen: &Seen, states: &[&[State]]) -> bool {
    let mut ends = states.iter().flat_map(|it| ends(it));
    seen.from_ms != seen.to_ms && ends.any(|last| (seen.from_ms - 1..=seen.to_ms).contains(&last))
}

impl Sequence {
    fn tell(&mut self, at_ms: i64, op: Op, seen: Seen) {
        self.states.clone_from(&seen.states);
        self.told.push((at_ms, op, seen));
    }

    /// All that went well, and the first operation that did not.
    fn report(&self, op: Op, seen: &Seen, ours: &[Seen]) -> String {
        let mut text = String::new();
        let mut line = |at: i64, what: &str, seen: &Seen| {
            let states: Vec<String> =
                seen.states.iter().enumerate().map(|(lock, it)| format!("L{lock} {it}")).collect();
            let _ = writeln!(text, "{at:6} ms  {what}: {}   [{}]", seen.answer, states.join(" | "));
        };
        for (at, op, seen) in &self.told {
            line(*at, &op.to_string(), seen);
        }
        line(seen.from_ms, &format!("{op}\n           the server"), seen);
        for it in ours {
            line(seen.from_ms, " the model", it);
        }
        text
    }
}

/// This machine's wall clock, which is the server's too, in microseconds.
pub fn clock_us() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock that is set");
    i64::try_from(since.as_micros()).expect("not that late")
}

/// Sleeps most of the time, and looks at the clock for the rest, so as to be there in the right millisecond.
pub fn wait_until_us(at_us: i64) {
    let early = at_us - clock_us() - 300;
    if early > 0 {
        thread::sleep(Duration::from_micros(early.unsigned_abs()));
    }
    while clock_us() < at_us {
        std::hint::spin_loop();
    }
}
