//! How often it goes wrong, over the first parameter.

use super::canvas::{Ink, Margins, WRITES, chart, fitting, foot, line, mark, names, rows, worded};
use super::scale::{Rates, Scale, axis_name, shown_rate};
use super::{Chart, Colours, Counted, Mark, Size};
use plotters::prelude::*;

/// Beside the plot is room for names.
const WIDE: u32 = 480;

/// The rate of runs in which something judged broke, per design, with bands of 95 %.
pub fn rates(counted: Counted, size: Size, colours: Colours) -> Chart {
    let along = counted.line();
    let scale = if counted.is_numeric() {
        Scale::of(along.iter().map(|p| p.1))
    } else {
        Scale { log: false, low: -0.3, high: along.len() as f64 - 0.7 }
    };
    let runs = counted.tallies.iter().flatten().map(|t| t.runs).max().unwrap_or(0);
    let rates = Rates::of(runs);
    let room = (scale.high - scale.low) * 0.03;
    let x = (scale.low - room, scale.high + room);
    let y = (rates.none() - 0.15, 0.0);
    let named = size.width >= WIDE;
    let margins = Margins { left: 58, right: if named { 158 } else { 12 }, top: 12, bottom: 48 };
    chart(size, colours, &margins, x, y, |plot, area| {
        let mut ticks: Vec<(f64, String)> = rates.ticks().collect();
        ticks.push((rates.none(), shown_rate(0.0)));
        rows(plot, area, &ticks, x);
        let mut marks: Vec<Mark> = Vec::new();
        let mut ends = Vec::new();
        for (design, name) in counted.designs.iter().enumerate() {
            let known: Vec<(usize, f64)> =
                along.iter().copied().filter(|(p, _)| counted.tally(*p, design).runs > 0).collect();
            let places: Vec<(f64, f64)> =
                known.iter().map(|(p, v)| (scale.place(*v), rates.place(counted.tally(*p, design).rate().0))).collect();
            let edge = |high: bool| {
                let known = known.iter().map(move |(p, v)| {
                    let interval = counted.tally(*p, design).rate().1;
                    (scale.place(*v), rates.place(if high { interval.high } else { interval.low }))
                });
                known.collect::<Vec<_>>()
            };
            let band: Vec<(f64, f64)> = edge(true).into_iter().chain(edge(false).into_iter().rev()).collect();
            let ink = Ink::Series(design);
            if band.len() > 2 {
                plot.draw_series(std::iter::once(Polygon::new(band, ink.colour().mix(0.16).filled()))).expect(WRITES);
            }
            if let (Some((last, _)), Some(end)) = (known.last(), places.last()) {
                let tally = counted.tally(*last, design);
                let more = match tally.broken {
                    0 => format!("0 of {}", tally.runs),
                    _ => match counted.axes.first() {
                        Some((_, values)) => format!("{} at {}", shown_rate(tally.rate().0), values[values.len() - 1]),
                        None => shown_rate(tally.rate().0),
                    },
                };
                ends.push((plot.backend_coord(end).1, design, fitting(name), more));
            }
            line(plot, places.clone(), ink, 2);
            marks.extend(known.iter().zip(&places).map(|((p, _), at)| mark(plot, area, *at, *p, design)));
        }
        let of = counted.axes.first().map_or(String::new(), |axis| axis_name(&axis.0, &axis.1, counted.is_numeric()));
        let below = if counted.is_numeric() {
            worded(scale, if named { 12 } else { 6 })
        } else {
            let values = counted.axes.first().map_or(&[][..], |axis| &axis.1);
            values.iter().enumerate().map(|(i, v)| (i as f64, v.clone())).collect()
        };
        foot(plot, area, &below, &of, y.0, x);
        if named {
            let left = plot.backend_coord(&(x.1, 0.0)).0 + 12;
            names(area, left, ends, (20, size.height as i32 - 48));
        }
        marks
    })
}
