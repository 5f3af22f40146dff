//! What many runs come to, as charts: how often it goes wrong at each point of a sweep, and what that costs.
//!
//! Lines, bands and marks are drawn by the crate `plotters` as SVG. What it does not know is put on top: colours by name, so that a chart
//! follows the page's theme, and where each mark stands, so that a press on it can open one run. Rates are drawn on a logarithmic
//! axis whose foot is a place for "none": no run of so many is not a rate of zero, and its band says how much it may be.

mod canvas;
mod cost;
mod heat;
mod rate;
mod scale;

pub use cost::{cost, spread};
pub use heat::heat;
pub use rate::rates;
pub use scale::{number_of, shown_rate};

use crate::explore::Tally;

/// A sweep as far as it has come.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    /// Paths of keys, each with its values; all combinations are points, and the last axis varies fastest.
    pub axes: &'a [(String, Vec<String>)],
    pub designs: &'a [String],
    /// By point, then by design.
    pub tallies: &'a [Vec<Tally>],
}

/// Where the colours of a chart come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// The style sheet of the page.
    Page,
    /// Of its own, on white: for a file.
    Own,
}

/// px.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

/// One chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    pub svg: String,
    pub size: Size,
    pub marks: Vec<Mark>,
}

/// A mark of a chart: one design at one point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// px from the left and from the top.
    pub at: (i32, i32),
    pub point: usize,
    pub design: usize,
}

impl Counted<'_> {
    /// The points at which all axes but the first have their first value, with the first axis' value as a number (or its place, where it is
    /// none), from left to right.
    fn line(&self) -> Vec<(usize, f64)> {
        let Some((_, values)) = self.axes.first() else { return vec![(0, 0.0)] };
        let step = self.tallies.len() / values.len().max(1);
        let numbers: Option<Vec<f64>> = values.iter().map(|v| number_of(v)).collect();
        let numbers = numbers.filter(|n| n.windows(2).all(|pair| pair[0] < pair[1]));
        (0..values.len()).map(|i| (i * step, numbers.as_ref().map_or(i as f64, |n| n[i]))).collect()
    }

    /// Whether the values of the first axis are numbers in rising order.
    fn is_numeric(&self) -> bool {
        let values = self.axes.first().map_or(&[][..], |axis| &axis.1);
        let numbers: Option<Vec<f64>> = values.iter().map(|v| number_of(v)).collect();
        numbers.is_some_and(|n| n.windows(2).all(|pair| pair[0] < pair[1]))
    }

    fn tally(&self, point: usize, design: usize) -> &Tally {
        &self.tallies[point][design]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Cost, Plan, SAMPLE, Sweep};

    /// A hostile name, and a fence that nothing passes.
    fn story() -> String {
        let text = SAMPLE.replace("\"safe-release\"", "\"safe-release\"\nname = \"Half <safe>\"");
        text.replace("\"fencing\"", "\"activation\"")
    }

    fn swept(axes: &[(&str, &[&str])], runs: u64) -> Sweep {
        let axes: Vec<(String, Vec<String>)> =
            axes.iter().map(|(p, v)| (p.to_string(), v.iter().map(|v| v.to_string()).collect())).collect();
        let mut sweep = Sweep::new(Plan::new(&story(), &axes, &[0, 1]).expect("a plan"), 0..runs);
        while sweep.step() {}
        sweep
    }

    fn counted(sweep: &Sweep) -> Counted<'_> {
        Counted { axes: &sweep.plan.axes, designs: &sweep.plan.designs, tallies: &sweep.tallies }
    }

    fn all(sweep: &Sweep, colours: Colours) -> Vec<Chart> {
        let counted = counted(sweep);
        let size = Size { width: 560, height: 320 };
        vec![
            rates(counted, size, colours),
            cost(counted, Cost::Wait, size, colours),
            spread(counted, 0, Cost::Wait, size, colours),
            heat(counted, 0, size, colours),
        ]
    }

    #[test]
    fn marks_stand_where_the_counts_are() {
        let sweep = swept(&[("lock.ttl", &["2s", "5s", "20s", "60s"])], 500);
        let chart = rates(counted(&sweep), Size { width: 560, height: 320 }, Colours::Page);
        assert_eq!(chart.marks.len(), 8);
        let of = |design: usize| -> Vec<Mark> { chart.marks.iter().copied().filter(|m| m.design == design).collect() };
        // A longer lease is to the right, and rarer is further down.
        for pair in of(0).windows(2) {
            let rate = |m: &Mark| sweep.tallies[m.point][0].broken;
            assert!(pair[0].at.0 < pair[1].at.0, "{pair:?}");
            assert_eq!(rate(&pair[0]).cmp(&rate(&pair[1])), pair[1].at.1.cmp(&pair[0].at.1), "{pair:?}");
        }
        // What never happened stands on the line of "none", below everything that did.
        let fenced = of(1);
        assert!(fenced.iter().all(|m| m.at.1 == fenced[0].at.1 && sweep.tallies[m.point][1].broken == 0));
        assert!(of(0).iter().all(|m| (m.at.1 < fenced[0].at.1) == (sweep.tallies[m.point][0].broken > 0)));
        assert!(sweep.tallies[0][0].broken > 0 && sweep.tallies[3][0].broken < sweep.tallies[0][0].broken);
        assert!(chart.svg.contains("none") && chart.svg.contains("100 %"));
    }

    #[test]
    fn charts_are_svg_in_the_colours_that_are_asked_for() {
        let sweep = swept(&[("lock.ttl", &["2s", "20s"]), ("fault.gc.for", &["exp 1s", "exp 6s"])], 250);
        for chart in all(&sweep, Colours::Page) {
            assert!(chart.svg.starts_with("<svg") && chart.svg.trim_end().ends_with("</svg>"), "{}", chart.svg);
            assert!(chart.svg.contains("var(--") && !chart.svg.contains("=\"#"), "{}", chart.svg);
            assert!(chart.svg.contains("Half &lt;safe&gt;") || !chart.svg.contains("Half"), "{}", chart.svg);
            let inside = |m: &Mark| m.at.0 >= 0 && m.at.0 <= 560 && m.at.1 >= 0 && m.at.1 <= 320;
            assert!(chart.marks.iter().all(inside), "{:?}", chart.marks);
        }
        for chart in all(&sweep, Colours::Own) {
            assert!(!chart.svg.contains("var(") && chart.svg.contains("=\"#"), "{}", chart.svg);
        }
    }

    #[test]
    fn what_is_spread_only_rises() {
        let sweep = swept(&[("lock.ttl", &["2s", "20s"])], 500);
        for of in Cost::ALL {
            let chart = spread(counted(&sweep), 0, of, Size { width: 560, height: 320 }, Colours::Page);
            let lines = chart.svg.lines().filter(|l| l.contains("<polyline") && l.contains("stroke-width=\"2\""));
            for line in lines {
                let points = line.split("points=\"").nth(1).and_then(|it| it.split('"').next()).unwrap_or_default();
                let numbers: Vec<i32> = points.split([' ', ',']).filter_map(|n| n.parse().ok()).collect();
                let places: Vec<(i32, i32)> = numbers.chunks_exact(2).map(|p| (p[0], p[1])).collect();
                assert!(places.len() > 2, "{line}");
                assert!(places.windows(2).all(|p| p[0].0 <= p[1].0 && p[0].1 >= p[1].1), "{of:?}: {places:?}");
            }
        }
    }

    #[test]
    fn nothing_counted_is_drawn_too() {
        let plan = Plan::new(&story(), &[], &[0, 1]).expect("a plan");
        let sweep = Sweep::new(plan, 0..0);
        assert_eq!(all(&sweep, Colours::Page).len(), 4);
    }
}
