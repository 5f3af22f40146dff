//! The question without time: its verdicts and counts, that what is left out makes no difference, and that the engine says the same.

use fencepost::base::prng;
use fencepost::check::Property::{LostUpdate, StaleWrite};
use fencepost::explore::search::Limit;
use fencepost::explore::untimed::{Act, Guard, PROPERTIES, Question, Reduction, State};
use fencepost::{run, scenario};

const MEMORY: u64 = 1 << 30;

/// What each guard keeps: no stale write, no lost update.
const KEEPS: [(Guard, [bool; 2]); 3] =
    [(Guard::Unfenced, [false, false]), (Guard::Fenced, [true, false]), (Guard::Activated, [true, true])];

type Counts = (usize, u8, [(u64, u64); 3]);

/// Workers and rounds, and behind each guard: how many states there are, and how many of them are looked at. Behind a guard that keeps
/// something it is all there are; otherwise those that come before everything is broken.
const COUNTS: [Counts; 4] = [
    (2, 1, [(63, 20), (106, 20), (141, 19)]),
    (2, 2, [(69, 32), (793, 73), (1_091, 62)]),
    (3, 1, [(187, 44), (2_448, 68), (2_992, 44)]),
    (3, 2, [(196, 59), (81_714, 497), (109_786, 252)]),
];

/// The same, where only what is not left out is counted.
const LARGE: [(usize, u8, [u64; 3]); 4] =
    [(4, 1, [60, 207, 85]), (4, 2, [75, 3_013, 843]), (4, 3, [75, 14_654, 3_659]), (5, 2, [81, 17_157, 2_489])];

/// States, after a look at the verdicts.
fn states(workers: usize, rounds: u8, guard: (Guard, [bool; 2]), reduction: Reduction) -> u64 {
    let checked = Question::new(workers, rounds, guard.0).check(reduction, MEMORY);
    let got = [StaleWrite, LostUpdate].map(|p| checked.holds(p));
    assert_eq!(got, guard.1, "{workers} workers, {rounds} rounds, {} ({reduction:?})", guard.0.word());
    checked.states
}

#[test]
fn every_guard_keeps_what_it_promises_and_what_is_left_out_makes_no_difference() {
    let got = COUNTS.map(|(workers, rounds, _)| {
        let counts = KEEPS.map(|guard| [Reduction::None, Reduction::Full].map(|r| states(workers, rounds, guard, r)));
        (workers, rounds, counts.map(|[all, needed]| (all, needed)))
    });
    assert_eq!(got, COUNTS);
}

#[test]
fn larger_questions_have_the_same_answer() {
    let got = LARGE.map(|(workers, rounds, _)| {
        (workers, rounds, KEEPS.map(|guard| states(workers, rounds, guard, Reduction::Full)))
    });
    assert_eq!(got, LARGE);
}

#[test]
fn too_little_memory_is_said_and_nothing_is_said_to_hold() {
    let checked = Question::new(3, 2, Guard::Activated).check(Reduction::None, 100_000);
    assert_eq!(checked.limit, Some(Limit::Memory));
    assert!(!checked.holds(StaleWrite) && !checked.holds(LostUpdate));
}

/// What the engine says of this schedule, and what the question says.
fn compare(question: Question, acts: &[Act]) {
    let broken = acts.iter().fold(question.start(), |s, act| question.after(&s, *act)).broken;
    let expected: Vec<_> =
        PROPERTIES.into_iter().enumerate().filter(|(i, _)| broken >> i & 1 == 1).map(|(_, p)| p).collect();
    let text = question.story(acts);
    let parsed = scenario::parse(&text);
    let story = parsed.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    let run = run::run(&story, 0);
    let got: Vec<_> = PROPERTIES.into_iter().filter(|p| run.report.violated(*p)).collect();
    assert_eq!(got, expected, "{acts:?}\n{text}");
}

/// Every schedule that begins like this, to its end. How many there are.
fn each(question: Question, s: State, acts: &mut Vec<Act>) -> u64 {
    let next: Vec<Act> = question.acts(&s).collect();
    let goes_on = |act: &Act| *act != Act::Expire;
    if !next.iter().any(goes_on) && s.held == 0 {
        compare(question, acts);
        return 1;
    }
    next.into_iter().fold(0, |n, act| {
        acts.push(act);
        let n = n + each(question, question.after(&s, act), acts);
        acts.pop();
        n
    })
}

#[test]
fn the_engine_says_the_same_of_every_schedule_of_two_workers() {
    let got = Guard::ALL.map(|guard| {
        let question = Question::new(2, 1, guard);
        each(question, question.start(), &mut Vec::new())
    });
    assert_eq!(got, [616, 616, 2_630]);
}

#[test]
fn the_engine_says_the_same_of_schedules_of_more_workers_and_rounds() {
    for (workers, rounds) in [(2, 2), (3, 2), (4, 1)] {
        for guard in Guard::ALL {
            let question = Question::new(workers, rounds, guard);
            for seed in 0..60 {
                let (mut s, mut acts) = (question.start(), Vec::new());
                loop {
                    let next: Vec<Act> = question.acts(&s).collect();
                    let Some(last) = next.len().checked_sub(1) else { break };
                    let act = next[prng::up_to(prng::answer(seed, &[acts.len() as u64]), last as u64) as usize];
                    acts.push(act);
                    s = question.after(&s, act);
                }
                compare(question, &acts);
            }
        }
    }
}

#[test]
fn what_breaks_a_guard_is_a_story_that_breaks_it_on_the_engine() {
    for reduction in [Reduction::None, Reduction::Full] {
        for (guard, _) in KEEPS {
            let question = Question::new(3, 1, guard);
            for acts in question.check(reduction, MEMORY).broken.iter().flatten() {
                compare(question, acts);
            }
        }
    }
}
