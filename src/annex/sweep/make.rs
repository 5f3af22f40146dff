//! Changes to a story that the panel of its sweep offers. Each gives the new text: it is an edit like any other, and can be undone.

use super::{Ready, added, plan};
use crate::app::text;
use crate::scenario::edit::{self, row_of, typed_value};
use crate::scenario::tree::{Node, Table, Value};
use crate::scenario::{self, Scenario};
use libm::round;

/// Sweeps that come with the page: title, claim and text of each stand in the file.
pub(super) const READY: [&str; 6] = [
    include_str!("../../../static/sweeps/lease-against-pauses.toml"),
    include_str!("../../../static/sweeps/drift-against-redlock.toml"),
    include_str!("../../../static/sweeps/lag-against-failover.toml"),
    include_str!("../../../static/sweeps/lock-delay.toml"),
    include_str!("../../../static/sweeps/retry-policy.toml"),
    include_str!("../../../static/sweeps/cost-of-duplicates.toml"),
];

/// What is to be done, as words and a value, then the story, the shown designs, and what has been counted. The answer says how the text is to
/// be taken: `edit` (of the story), `open` (as another one), `case` (as another one, to be looked at; with the design's number).
pub(in super::super) fn make(texts: &[&str]) -> Result<Vec<String>, String> {
    let [what, value, story, designs, sum] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
    let number = || rest.parse::<usize>().map_err(|_| text::ANNEX_UNKNOWN.to_string());
    let edited = |text: String| Ok(vec!["edit".to_string(), text]);
    match verb {
        "ready" => {
            let text = READY.get(number()?).ok_or(text::ANNEX_UNKNOWN)?;
            Ok(vec!["open".to_string(), text.to_string()])
        }
        "axis" => edited(with_axis(story, number()?, value)?),
        "values" => edited(with_values(story, number()?, value)?),
        "runs" => edited(edit::set_typed(story, "sweep.runs", value).map_err(|d| d.to_string())?),
        "case" => case(rest, story, designs, sum),
        _ => Err(text::ANNEX_UNKNOWN.into()),
    }
}

fn read(story: &str) -> Result<Scenario, String> {
    scenario::parse(story).scenario.ok_or_else(|| text::ANNEX_UNREADABLE.to_string())
}

fn axes_of(story: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    Ok(read(story)?.sweep().map(|s| s.axes).unwrap_or_default())
}

/// The story with another parameter in this place, over values around the one that it has; an empty path takes the parameter away.
fn with_axis(story: &str, place: usize, path: &str) -> Result<String, String> {
    let mut axes = axes_of(story)?;
    if path.is_empty() {
        if place < axes.len() {
            axes.remove(place);
        }
    } else if !axes.iter().any(|axis| axis.0 == path) {
        let here = read(story)?.axes().into_iter().find(|axis| axis.0 == path).ok_or(text::ANNEX_UNKNOWN)?;
        let axis = (here.0, ladder(&here.1));
        match axes.get_mut(place) {
            Some(old) => *old = axis,
            None => axes.push(axis),
        }
    }
    with_axes(story, &axes)
}

fn with_values(story: &str, place: usize, values: &str) -> Result<String, String> {
    let mut axes = axes_of(story)?;
    let values: Vec<String> = values.split(',').map(str::trim).filter(|v| !v.is_empty()).map(String::from).collect();
    match axes.get_mut(place) {
        Some(axis) if axis.1 == values => return Ok(story.to_string()),
        Some(axis) if !values.is_empty() => axis.1 = values,
        _ => return Err(text::sweep::NO_VALUES.to_string()),
    }
    // A value that the story cannot have is told here, before it stands in the text.
    plan(story, &axes, &[])?;
    with_axes(story, &axes)
}

fn with_axes(story: &str, axes: &[(String, Vec<String>)]) -> Result<String, String> {
    let mut table = Table::default();
    for (path, values) in axes {
        let row = row_of(path);
        table.set(
            path,
            Node::new(Value::List(values.iter().map(|v| Node::new(typed_value(row.as_ref(), v))).collect())),
        );
    }
    edit::set(story, "sweep.axes", &Value::Table(table)).map_err(|d| d.to_string())
}

/// Values around one: every number of it a tenth to ten times as large.
fn ladder(value: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for factor in [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0] {
        let scaled = scaled(value, factor);
        if !out.contains(&scaled) {
            out.push(scaled);
        }
    }
    out
}

/// A value with all its numbers multiplied. Lengths below a unit go to the next smaller one; numbers without a unit stay whole if they were.
fn scaled(value: &str, factor: f64) -> String {
    let mut out = String::new();
    let mut rest = value;
    while !rest.is_empty() {
        let at = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let dots = rest.find("..").unwrap_or(rest.len());
        let end = rest[..dots].find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(dots);
        let Ok(number) = rest[..end].parse::<f64>() else {
            out.push_str(&rest[..end.max(1).min(rest.len())]);
            rest = &rest[end.max(1).min(rest.len())..];
            continue;
        };
        let whole = !rest[..end].contains('.');
        rest = &rest[end..];
        let unit: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
        rest = &rest[unit.len()..];
        let number = number * factor;
        let smaller = match unit.as_str() {
            "min" => Some((60.0, "s")),
            "s" => Some((1_000.0, "ms")),
            "ms" => Some((1_000.0, "us")),
            _ => None,
        };
        match smaller {
            Some((of, small)) if number < 1.0 && number > 0.0 => {
                out.push_str(&format!("{}{small}", round(number * of)));
            }
            _ if unit.is_empty() && whole => out.push_str(&format!("{}", round(number).max(1.0))),
            _ => out.push_str(&format!("{}{unit}", round(number * 1_000.0) / 1_000.0)),
        }
    }
    out
}

/// One run of a sweep as a story of its own: the values of its point, and the first seed that broke a promise there, or the first of all.
fn case(which: &str, story: &str, designs: &str, sum: &str) -> Result<Vec<String>, String> {
    let ready = Ready::of(story, designs)?;
    let sum = added(&ready, sum, &[])?;
    let numbers = which.split_once(' ').and_then(|(p, d)| Some((p.parse::<usize>().ok()?, d.parse::<usize>().ok()?)));
    let many = ready.plan.designs.len();
    let (point, design) =
        numbers.filter(|(p, d)| *p < ready.plan.points.len() && *d < many).ok_or(text::ANNEX_UNKNOWN)?;
    let mut text = story.to_string();
    for ((path, _), value) in ready.plan.axes.iter().zip(&ready.plan.points[point].values) {
        text = edit::set_typed(&text, path, value).map_err(|d| d.to_string())?;
    }
    let n = sum.arms[point * many + design].first_broken.unwrap_or(0);
    let seed = ready.plan.seed.wrapping_add(n);
    let text = edit::set_typed(&text, "seed", &seed.to_string()).map_err(|d| d.to_string())?;
    let place = designs.split(',').nth(design).unwrap_or("0");
    Ok(vec!["case".to_string(), text, place.to_string()])
}

#[cfg(test)]
mod tests {
    use super::super::unit;
    use super::*;
    use crate::run;

    #[test]
    fn every_ready_sweep_can_be_run() {
        for text in READY {
            let parsed = scenario::parse(text);
            let story = parsed.scenario.expect("a story without errors");
            let designs: Vec<String> = (0..story.designs().len()).map(|d| d.to_string()).collect();
            let ready = Ready::of(text, &designs.join(",")).expect("a sweep");
            assert!(
                ready.plan.points.len() >= 5 && !story.designs().is_empty(),
                "{}",
                story.title.as_deref().unwrap_or_default()
            );
        }
    }

    #[test]
    fn a_parameter_gets_values_around_its_own() {
        assert_eq!(ladder("10s"), ["1s", "2s", "5s", "10s", "20s", "50s", "100s"]);
        assert_eq!(ladder("5ms"), ["500us", "1ms", "2.5ms", "5ms", "10ms", "25ms", "50ms"]);
        assert_eq!(ladder("3"), ["1", "2", "3", "6", "15", "30"]);
        assert_eq!(scaled("lognormal 1s 27s", 0.1), "lognormal 100ms 2.7s");
        assert_eq!(scaled("0ms..200ms", 2.0), "0ms..400ms");
        assert_eq!(scaled("never", 2.0), "never");
    }

    #[test]
    fn parameters_and_values_are_edits_of_the_story() {
        let edit = |what: &str, value: &str, story: &str| make(&[what, value, story, "0", ""]).map(|a| a[1].clone());
        let other = edit("axis 0", "fault.gc.for", READY[0]).expect("it has that key");
        assert_eq!(axes_of(&other).expect("axes")[0].0, "fault.gc.for");
        let two = edit("axis 1", "fault.gc.for", READY[0]).expect("it has that key");
        assert_eq!(axes_of(&two).expect("axes").len(), 2);
        let one = edit("axis 1", "", &two).expect("it can go");
        assert_eq!(axes_of(&one).expect("axes"), axes_of(READY[0]).expect("axes"));
        let few = edit("values 0", "1s, 3s", READY[0]).expect("lengths");
        assert_eq!(axes_of(&few).expect("axes")[0].1, ["1s", "3s"]);
        assert!(edit("values 0", "1s, soon", READY[0]).is_err_and(|why| why.contains("soon")));
        assert!(edit("values 0", " , ", READY[0]).is_err());
        let more = edit("runs", "1234", READY[0]).expect("a number");
        assert!(more.contains("1234") && scenario::parse(&more).scenario.is_some());
    }

    #[test]
    fn a_case_is_the_run_that_broke() {
        let story = edit::set_typed(READY[0], "sweep.runs", "250").expect("a number");
        let parts: Vec<String> = (0..16).map(|u| unit(&[&story, "0,2", &u.to_string()]).expect("a unit")).collect();
        let ready = Ready::of(&story, "0,2").expect("a sweep");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let sum = serde_json::to_string(&added(&ready, "", &parts).expect("they fit")).expect("JSON");
        let answer = make(&["case 1 0", "", &story, "0,2", &sum]).expect("a case");
        let [how, text, design] = &answer[..] else { panic!("{answer:?}") };
        assert_eq!((how.as_str(), design.as_str()), ("case", "0"));
        let one = scenario::parse(text).scenario.expect("a story");
        assert!(!run::run(&one, 0).violated().is_empty(), "{text}");
    }
}
