//! How often it goes wrong over two parameters, for one design.

use super::canvas::{Ink, Margins, Side, WRITES, chart, foot, say};
use super::scale::{Rates, shown_rate};
use super::{Chart, Colours, Counted, Mark, Size};
use plotters::prelude::*;

/// A square for each pair of values of the first two parameters: the fuller, the more often, in steps of a decade; and the rate in it. With one
/// parameter, a single row.
pub fn heat(counted: Counted, design: usize, size: Size, colours: Colours) -> Chart {
    let none = ("".to_string(), vec![String::new()]);
    let across = counted.axes.first().unwrap_or(&none);
    let down = counted.axes.get(1).unwrap_or(&none);
    let (columns, lines) = (across.1.len(), down.1.len());
    // Further parameters stand at their first value.
    let rest = counted.tallies.len() / (columns * lines).max(1);
    let rates = Rates::of(counted.tallies.iter().flatten().map(|t| t.runs).max().unwrap_or(0));
    let longest = down.1.iter().map(|v| v.chars().count()).max().unwrap_or(0) as u32;
    let margins = Margins { left: 20 + 7 * longest.max(4), right: 12, top: 30, bottom: 48 };
    let (x, y) = ((0.0, columns as f64), (0.0, lines as f64));
    chart(size, colours, &margins, x, y, |plot, area| {
        say(area, &down.0, (12, 12), Side::Right, Ink::Quiet, false);
        let mut marks: Vec<Mark> = Vec::new();
        for column in 0..columns {
            for row in 0..lines {
                let point = (column * lines + row) * rest;
                let tally = counted.tally(point, design);
                let (left, top) = plot.backend_coord(&(column as f64, (row + 1) as f64));
                let (right, bottom) = plot.backend_coord(&((column + 1) as f64, row as f64));
                if tally.runs == 0 {
                    continue;
                }
                let rate = tally.rate().0;
                let full = (rates.place(rate) - rates.none()) / -rates.none();
                let fill = Ink::Series(0).colour().mix(0.75 * full);
                let square = [(left + 1, top + 1), (right - 1, bottom - 1)];
                area.draw(&Rectangle::new(square, fill.filled())).expect(WRITES);
                area.draw(&Rectangle::new(square, Ink::Line.colour().stroke_width(1))).expect(WRITES);
                let middle = ((left + right) / 2, (top + bottom) / 2);
                say(area, &shown_rate(rate), (middle.0, middle.1 - 7), Side::Below, Ink::Text, false);
                marks.push(Mark { at: middle, point, design });
            }
        }
        for (row, value) in down.1.iter().enumerate() {
            let (left, middle) = plot.backend_coord(&(0.0, row as f64 + 0.5));
            say(area, value, (left - 8, middle), Side::Left, Ink::Quiet, false);
        }
        let below: Vec<(f64, String)> = across.1.iter().enumerate().map(|(i, v)| (i as f64 + 0.5, v.clone())).collect();
        foot(plot, area, &below, &across.0, 0.0, x);
        marks
    })
}
