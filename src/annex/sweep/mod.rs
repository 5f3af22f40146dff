//! Sweeps for the page: one unit of runs at a time, so that several workers can share them and any of them can stop; what they have counted as
//! charts; and the changes to a story that its panel offers.
//!
//! A *unit* is one design at one point under a block of seeds. Units are numbered block by block, so that after every round over the
//! grid all points have the same number of runs, and early answers are as good everywhere. What units count adds up exactly, in any order.

mod make;
mod panel;

pub(super) use make::make;
pub(super) use panel::panel;

use crate::app::text;
use crate::explore::{Plan, Tally};
use crate::scenario;
use serde::{Deserialize, Serialize};

/// What a story's sweep asks for.
struct Asked {
    axes: Vec<(String, Vec<String>)>,
    designs: Vec<usize>,
    /// Runs at each point and under each design.
    runs: u64,
    /// Seeds of one unit.
    block: u64,
}

/// A story's sweep with all its points.
struct Ready {
    plan: Plan,
    asked: Asked,
}

/// More points than anybody waits for, and than a chart can show.
const MOST_ARMS: usize = 2_000;

impl Asked {
    /// # Errors
    /// Why it cannot be run, as a sentence.
    fn of(story: &str, designs: &str) -> Result<Asked, String> {
        let Some(scenario) = scenario::parse(story).scenario else { return Err(text::ANNEX_UNREADABLE.into()) };
        let known = |d: &usize| *d < scenario.designs().len();
        let designs: Vec<usize> = designs.split(',').filter_map(|d| d.parse().ok()).filter(known).collect();
        let declared = scenario.sweep();
        let (axes, runs) = declared.map_or((Vec::new(), 10_000), |s| (s.axes, u64::from(s.runs)));
        let block = (runs / 4).clamp(250, 5_000).min(runs.max(1));
        let asked = Asked { axes, designs, runs, block };
        match asked.arms() {
            arms if arms > MOST_ARMS => Err(text::sweep::too_many(arms, MOST_ARMS)),
            _ => Ok(asked),
        }
    }

    fn arms(&self) -> usize {
        self.axes.iter().map(|a| a.1.len()).product::<usize>() * self.designs.len()
    }

    fn units(&self) -> usize {
        self.runs.div_ceil(self.block) as usize * self.arms()
    }
}

/// The story at all combinations of these values, or why not, as a sentence.
fn plan(story: &str, axes: &[(String, Vec<String>)], designs: &[usize]) -> Result<Plan, String> {
    Plan::new(story, axes, designs).map_err(|p| text::sweep::problem(&p.at, &p.diagnostic.to_string()))
}

impl Ready {
    /// # Errors
    /// Why it cannot be run, as a sentence.
    fn of(story: &str, designs: &str) -> Result<Ready, String> {
        let asked = Asked::of(story, designs)?;
        Ok(Ready { plan: plan(story, &asked.axes, &asked.designs)?, asked })
    }
}

/// What some units have counted: by arm (point by point, then by design).
#[derive(Serialize, Deserialize, Default)]
struct Sum {
    arms: Vec<Tally>,
}

/// What one unit has counted.
#[derive(Serialize, Deserialize)]
struct Part {
    arm: usize,
    tally: Tally,
}

/// Does one unit: the story, the designs by number, and the unit's number. The answer is what it has counted.
pub(super) fn unit(texts: &[&str]) -> Result<String, String> {
    let [story, designs, unit] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let asked = Asked::of(story, designs)?;
    let unit: usize = unit.parse().ok().filter(|u| *u < asked.units()).ok_or(text::ANNEX_UNKNOWN)?;
    let (block, arm) = ((unit / asked.arms()) as u64, unit % asked.arms());
    let (mut point, design) = (arm / asked.designs.len(), arm % asked.designs.len());
    // Only this point is read and made ready: the last axis varies fastest.
    let mut axes = asked.axes.clone();
    for (_, values) in axes.iter_mut().rev() {
        let all = values.len();
        *values = vec![values.swap_remove(point % all)];
        point /= all;
    }
    let plan = plan(story, &axes, &asked.designs[design..=design])?;
    let from = block * asked.block;
    let tally = plan.run(0, 0, from..asked.runs.min(from + asked.block));
    serde_json::to_string(&Part { arm, tally }).map_err(|e| e.to_string())
}

/// A sum with parts added to it.
fn added(ready: &Ready, sum: &str, parts: &[&str]) -> Result<Sum, String> {
    let read = |text: &str| serde_json::from_str(text).map_err(|e| e.to_string());
    let mut sum: Sum = if sum.is_empty() { Sum::default() } else { read(sum)? };
    sum.arms.resize_with(ready.asked.arms(), Tally::default);
    for part in parts {
        let part: Part = serde_json::from_str(part).map_err(|e| e.to_string())?;
        sum.arms.get_mut(part.arm).ok_or(text::ANNEX_UNKNOWN)?.merge(&part.tally);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Property;

    const STORY: &str = include_str!("../../../static/sweeps/lease-against-pauses.toml");

    #[test]
    fn units_add_up_to_the_sweep_in_any_order() {
        let story = scenario::edit::set_typed(STORY, "sweep.runs", "600").expect("a number");
        let ready = Ready::of(&story, "0,2").expect("a sweep");
        assert_eq!((ready.asked.arms(), ready.asked.units()), (16, 48));
        let mut parts: Vec<String> =
            (0..ready.asked.units()).map(|u| unit(&[&story, "0,2", &u.to_string()]).expect("a unit")).collect();
        parts.reverse();
        let (early, late) = parts.split_at(17);
        let add = |sum: &str, parts: &[String]| {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            added(&ready, sum, &parts).expect("they fit")
        };
        let half = serde_json::to_string(&add("", early)).expect("JSON");
        let sum = add(&half, late);
        for (arm, tally) in sum.arms.iter().enumerate() {
            assert_eq!(*tally, ready.plan.run(arm / 2, arm % 2, 0..600), "{arm}");
        }
        // A lease of two minutes outlasts nearly every pause, and the fence all of them.
        assert!(sum.arms[0].broken > sum.arms[14].broken);
        assert!(sum.arms.iter().skip(1).step_by(2).all(|t| t.violated(Property::StaleWrite) == 0));
    }

    #[test]
    fn a_unit_is_of_its_own_point_whatever_the_axes() {
        let story = make(&["axis 1", "fault.gc.for", STORY, "0", ""]).expect("it has that key").swap_remove(1);
        let story = scenario::edit::set_typed(&story, "sweep.runs", "20").expect("a number");
        let ready = Ready::of(&story, "0,2").expect("a sweep");
        for arm in (0..ready.asked.arms()).step_by(7) {
            let part: Part =
                serde_json::from_str(&unit(&[&story, "0,2", &arm.to_string()]).expect("a unit")).expect("JSON");
            assert_eq!((part.arm, &part.tally), (arm, &ready.plan.run(arm / 2, arm % 2, 0..20)));
        }
    }

    #[test]
    fn what_cannot_be_swept_is_told() {
        let huge = "schema = \"fencepost.scenario/1\"\n[[worker]]\nname = \"W1\"\n[sweep]\naxes = { \"lock.ttl\" = [\"1s\", \"soon\"] }\n";
        let told = |story: &str| Ready::of(story, "0").err().unwrap_or_default();
        assert_eq!(told("["), text::ANNEX_UNREADABLE);
        assert!(!told(huge).is_empty());
        assert!(unit(&[STORY, "0", "100000"]).is_err() && unit(&[STORY]).is_err());
    }
}
