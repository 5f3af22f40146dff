//! Why a promise broke.
//!
//! Everything here is generated: from the log of the run, and from runs of the same story with one thing changed. [`tale`] is the log with an
//! index, [`slice`] says which of its events are causes, [`say`] puts one event into one sentence and [`last`] the violation itself;
//! [`chain`] is all of that in one call. [`variant`] changes the story, [`assumption`] finds what the design relied on in vain, [`answers`] asks what would have stopped it, and
//! [`price`] what that costs.

mod about;
pub mod answers;
pub mod assumption;
pub mod chain;
mod last;
pub mod price;
mod say;
mod settings;
mod slice;
mod tale;
pub mod text;
pub mod variant;
pub mod words;

pub use answers::Answer;
pub use assumption::Assumption;
pub use chain::{Link, chain};
pub use price::Price;

use crate::base::flat::sort;
use crate::check::report::{Property, Violation};
use crate::run::Run;
use crate::scenario::Scenario;
use crate::trace::EventSeq;
use assumption::{Asked, assumptions, struck};
use tale::Tale;
use variant::Variant;

/// Why one promise broke in one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    pub violation: Violation,
    /// All events that count as causes, also those that no sentence tells of.
    pub causes: Vec<EventSeq>,
    pub chain: Vec<Link>,
    /// The most telling first; none where no single change of story or design puts it right.
    pub assumptions: Vec<Assumption>,
}

/// What else could have been done, and what that costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remedies {
    /// Those that would have stopped it first.
    pub answers: Vec<Answer>,
    /// The design at hand first.
    pub prices: Vec<Price>,
}

/// The same story under every protection: which of them keep the promise that this run broke.
pub fn remedies(scenario: &Scenario, design: usize, run: &Run, property: Property) -> Option<Remedies> {
    let base = Variant::of(scenario, design)?;
    let mut tried = answers::tried(scenario, design, &base, run);
    let told = |t| answers::of_check(scenario, property, t, answers::answer(run, property, t));
    let mut answers: Vec<Answer> = tried.iter().map(told).collect();
    if let Some(t) = answers::longer(scenario, design, &base, property) {
        answers.push(answers::of_longer(scenario, &base, property, &t));
    }
    // The price is asked of the standard answers, and of what helps.
    let helps = |name: &str| answers.iter().any(|a| a.name == name && a.stops);
    tried.retain(|t| t.standard || helps(t.name));
    let prices = price::prices(scenario, design, &base, run, &tried);
    let (mut stop, other): (Vec<Answer>, Vec<Answer>) = answers.into_iter().partition(|a| a.stops);
    stop.extend(other);
    Some(Remedies { answers: stop, prices })
}

/// Why this design broke this promise in its run; `None` if it kept it.
pub fn why(scenario: &Scenario, design: usize, run: &Run, property: Property) -> Option<Why> {
    let violation = run.report.verdict(property).violation()?.clone();
    let base = Variant::of(scenario, design)?;
    let asked = Asked { scenario, design, run, property, base };
    let assumptions = assumptions(&asked);
    let tale = Tale::new(&run.roster, &run.log);
    let mut causes = slice::causes(&tale, &violation);
    // A fault without which the promise would have held belongs into the chain, whatever the log made of it.
    for a in &assumptions {
        let Some(fault) = a.fault else { continue };
        let shown = struck(run, scenario, fault);
        if !shown.iter().any(|s| causes.contains(s))
            && let Some(first) = shown.iter().find(|s| tale.event(**s).at <= violation.at)
        {
            causes.push(*first);
        }
    }
    sort(&mut causes);
    let chain = chain::tell(&tale, &violation, &causes);
    Some(Why { violation, causes, chain, assumptions })
}
