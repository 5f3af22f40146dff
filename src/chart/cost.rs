//! What it costs: safety against a cost over all points, and how a cost is spread at one point.

use super::canvas::{Ink, Margins, Side, chart, fitting, foot, line, mark, names, rows, say, worded};
use super::scale::{Rates, Scale, short, shown_rate};
use super::{Chart, Colours, Counted, Mark, Size};
use crate::explore::{Cost, Histogram};

/// A cost as it is drawn: lengths in seconds.
fn in_units(cost: Cost, value: u64) -> f64 {
    if cost.is_length() { value as f64 / 1e6 } else { value as f64 }
}

fn unit(cost: Cost) -> &'static str {
    if cost.is_length() { ", s" } else { "" }
}

/// The rate of failures against the 95th percentile of a cost: one mark for each value of the first parameter; down and left is better. The
/// lines of designs often meet, so their names stand in a legend beside it.
pub fn cost(counted: Counted, of: Cost, size: Size, colours: Colours) -> Chart {
    let along = counted.line();
    let runs = counted.tallies.iter().flatten().map(|t| t.runs).max().unwrap_or(0);
    let rates = Rates::of(runs);
    let price = |point: usize, design: usize| {
        counted.tally(point, design).cost(of).and_then(|h| h.percentile(95)).map(|v| in_units(of, v))
    };
    let all: Vec<f64> = along
        .iter()
        .flat_map(|(p, _)| (0..counted.designs.len()).filter_map(|d| price(*p, d)).collect::<Vec<_>>())
        .collect();
    let scale = match Scale::of(all.iter().copied()) {
        scale if scale.log => scale,
        _ => Scale::from_zero(all.iter().copied()),
    };
    let room = (scale.high - scale.low) * 0.06;
    let (x, y) = ((rates.none() - 0.2, 0.1), (scale.low - room, scale.high + room));
    let margins = Margins { left: 58, right: 14, top: 34, bottom: 48 };
    chart(size, colours, &margins, x, y, |plot, area| {
        rows(plot, area, &worded(scale, 6), x);
        say(area, &[of.word(), unit(of), ", 95th percentile"].concat(), (12, 12), Side::Right, Ink::Quiet, false);
        let mut marks: Vec<Mark> = Vec::new();
        for design in 0..counted.designs.len() {
            let known: Vec<(usize, (f64, f64))> = along
                .iter()
                .filter(|(p, _)| counted.tally(*p, design).runs > 0)
                .filter_map(|(p, _)| {
                    let rate = counted.tally(*p, design).rate().0;
                    Some((*p, (rates.place(rate), scale.place(price(*p, design)?))))
                })
                .collect();
            line(plot, known.iter().map(|k| k.1).collect(), Ink::Series(design), 2);
            marks.extend(known.iter().map(|(p, at)| mark(plot, area, *at, *p, design)));
        }
        let mut below: Vec<(f64, String)> = vec![(rates.none(), shown_rate(0.0))];
        below.extend(rates.ticks());
        foot(plot, area, &below, "runs that broke a promise", y.0, x);
        marks
    })
}

/// How a cost is spread over the runs at one point: the share of runs that cost at most so much.
pub fn spread(counted: Counted, point: usize, of: Cost, size: Size, colours: Colours) -> Chart {
    let histograms: Vec<(usize, &Histogram)> = (0..counted.designs.len())
        .filter_map(|d| Some((d, counted.tally(point, d).cost(of).filter(|h| h.count() > 0)?)))
        .collect();
    let ends = histograms.iter().flat_map(|(_, h)| [h.least(), h.greatest()]).flatten().map(|v| in_units(of, v));
    let scale = match Scale::of(ends.clone()) {
        scale if scale.log => scale,
        _ => Scale::from_zero(ends),
    };
    let named = size.width >= 480;
    let margins = Margins { left: 58, right: if named { 158 } else { 14 }, top: 12, bottom: 48 };
    let (x, y) = ((scale.low, scale.high), (0.0, 1.0));
    chart(size, colours, &margins, x, y, |plot, area| {
        let ticks: Vec<(f64, String)> =
            (0..=4).map(|i| f64::from(i) / 4.0).map(|v| (v, format!("{} %", short(100.0 * v)))).collect();
        rows(plot, area, &ticks, x);
        let mut labels = Vec::new();
        for (design, histogram) in &histograms {
            let mut seen = 0;
            let mut steps = vec![(x.0, 0.0)];
            for (from, to, n) in histogram.bars() {
                let share = |n: u64| n as f64 / histogram.count() as f64;
                steps.push((scale.place(in_units(of, from)), share(seen)));
                seen += n;
                let to = in_units(of, to.min(histogram.greatest().unwrap_or(to)));
                steps.push((scale.place(to), share(seen)));
            }
            steps.iter_mut().for_each(|s| s.0 = s.0.clamp(x.0, x.1));
            steps.push((x.1, 1.0));
            line(plot, steps, Ink::Series(*design), 2);
            let median = histogram.percentile(50).map_or(0.0, |v| in_units(of, v));
            let said = format!("half within {}{}", short(median), if of.is_length() { " s" } else { "" });
            labels.push((plot.backend_coord(&(x.1, 1.0)).1, *design, fitting(&counted.designs[*design]), said));
        }
        foot(plot, area, &worded(scale, 6), &[of.word(), unit(of)].concat(), y.0, x);
        if named {
            let left = plot.backend_coord(&(x.1, 0.0)).0 + 12;
            names(area, left, labels, (20, size.height as i32 - 48));
        }
        Vec::new()
    })
}
