//! Searches for the page: a part of one at a time, so that several workers can share them and any of them can stop; what they have
//! counted as a matrix; the smallest cases as scenarios.
//!
//! A *part* is some first decisions of one design with so many faults ([`arm`]). A job goes on with a part for as many schedules as it is told;
//! the walk stays here until the next job ([`walk`]), so that a long part is no long job. That is the only thing that a job leaves behind, and
//! no answer depends on it: who finds no walk begins the part anew, and comes to the same counts.

mod arm;
mod controls;
mod found;
mod panel;
mod setting;
mod walk;

pub(super) use found::open;
pub(super) use walk::{forget, walk};

use crate::app::text;
use arm::{Arm, Part, Walked};
use serde::{Deserialize, Serialize};
use setting::Ready;

/// As many parts as lanes can be busy with until the panel is drawn the next time.
const AHEAD: usize = 64;

/// What has been counted, and what the panel shows besides.
#[derive(Serialize, Deserialize, Default)]
struct Sum {
    arms: Vec<Arm>,
    case: Option<found::Case>,
}

/// The sum with more parts added to it.
fn added(ready: &Ready, sum: &str, parts: &[&str]) -> Result<Sum, String> {
    let mut sum: Sum = match sum {
        "" => Sum::default(),
        sum => serde_json::from_str(sum).map_err(|e| e.to_string())?,
    };
    let designs = ready.chosen();
    if sum.arms.len() != designs.len() {
        sum.arms = designs.iter().map(|d| Arm::of(ready, *d)).collect();
    }
    for part in parts {
        let walked: Walked = serde_json::from_str(part).map_err(|e| e.to_string())?;
        let place = walked.part.arm;
        let (Some(arm), Some(design)) = (sum.arms.get_mut(place), designs.get(place)) else {
            return Err(text::ANNEX_UNKNOWN.into());
        };
        arm.add(walked, &ready.bounds(*design));
    }
    Ok(sum)
}

/// The panel: the story, what was changed of its setting, the case that is looked at (`design property`), the room in px, what has been
/// counted, whether it goes on, and parts to be added. The answer is the sum, the parts that are to be walked next with commas between them,
/// schedules looked at and about how many there are, how far that is as a sentence, and markup: of the setting, and of what was found.
pub(super) fn panel(texts: &[&str]) -> Result<Vec<String>, String> {
    let [story, changes, case, width, sum, running, parts @ ..] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let ready = Ready::of(story, changes)?;
    let mut sum = added(&ready, sum, parts)?;
    let designs = ready.chosen();
    let (mut next, mut done, mut all): (Vec<Part>, u64, u64) = (Vec::new(), 0, 0);
    for (place, arm) in sum.arms.iter().enumerate() {
        let bounds = ready.bounds(designs[place]);
        next.extend(arm.wants(place, &bounds));
        let (of_arm, guess) = arm.schedules(&bounds);
        (done, all) = (done + of_arm, all + guess);
    }
    // First all designs with one fault, then with two.
    next.sort_by_key(|p| (p.faults, p.arm, p.from));
    next.truncate(AHEAD);
    let next: Vec<String> = next.iter().map(Part::write).collect();
    let view = panel::View { ready: &ready, running: *running == "on", room: width.parse().unwrap_or(1_000), case };
    let (far, results) = view.results(&mut sum);
    let controls = controls::controls(&ready);
    let sum = serde_json::to_string(&sum).map_err(|e| e.to_string())?;
    Ok(vec![sum, next.join(","), done.to_string(), all.to_string(), far, controls, results])
}
