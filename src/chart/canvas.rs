//! A drawing area with what all charts share: named colours, marks of six shapes, lines to read by, words.

use super::scale::Scale;
use super::{Chart, Colours, Mark, Size};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A colour by what it is for. The file gets the theme's; while it is drawn they are numbers that stand for themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    Text,
    Quiet,
    Line,
    Axis,
    /// Of a design.
    Series(usize),
}

/// Designs that can be told apart; a seventh is drawn like the first.
const SERIES: usize = 6;

/// The page's style sheet; its first theme is the light one.
const SHEET: &str = include_str!("../../static/diagram.css");

/// Colours by their names in it.
const COLOURS: [&str; 4 + SERIES] =
    ["--ink", "--ink2", "--line", "--line2", "--bad", "--w1", "--good", "--w2", "--w3", "--ink3"];

/// What a colour is in the light theme, which a file has.
fn light(name: &str) -> &'static str {
    let after = SHEET.split_once(&format!("{name}:")).map_or("", |it| it.1);
    after.split([';', '}']).next().unwrap_or_default()
}

impl Ink {
    fn number(self) -> usize {
        match self {
            Ink::Text => 0,
            Ink::Quiet => 1,
            Ink::Line => 2,
            Ink::Axis => 3,
            Ink::Series(i) => 4 + i % SERIES,
        }
    }

    pub fn colour(self) -> RGBColor {
        RGBColor(1, 0, self.number() as u8)
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws into a string: writing there does not fail, and a chart has no other way to.
pub(super) const WRITES: &str = "a string takes what is written";

/// px around the plot.
pub(super) struct Margins {
    pub left: u32,
    pub right: u32,
    pub top: u32,
    pub bottom: u32,
}

/// Draws one chart. `draw` gets the plot, whose axes go from `low` to `high` in both directions, and gives the marks.
pub(super) fn chart(
    size: Size,
    colours: Colours,
    margins: &Margins,
    x: (f64, f64),
    y: (f64, f64),
    draw: impl FnOnce(&mut Plot, &Area) -> Vec<Mark>,
) -> Chart {
    let mut svg = String::new();
    let marks;
    {
        let area = SVGBackend::with_string(&mut svg, (size.width, size.height)).into_drawing_area();
        let mut plot = ChartBuilder::on(&area)
            .margin_left(margins.left)
            .margin_right(margins.right)
            .margin_top(margins.top)
            .margin_bottom(margins.bottom)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)
            .expect(WRITES);
        marks = draw(&mut plot, &area);
        area.present().expect(WRITES);
    }
    Chart { svg: coloured(&svg, colours), size, marks }
}

/// The drawing with the colours that its numbers stand for.
fn coloured(svg: &str, colours: Colours) -> String {
    let mut out = svg.to_string();
    for (i, name) in COLOURS.iter().enumerate() {
        let value = if colours == Colours::Page { format!("var({name})") } else { light(name).to_string() };
        out = out.replace(&format!("#0100{i:02X}"), &value);
    }
    out
}

/// Where words stand by the place that they belong to.
#[derive(Clone, Copy)]
pub(super) enum Side {
    /// Left of it, at its height.
    Left,
    Right,
    /// Below it, in its middle.
    Below,
}

const SIZE: f64 = 12.0 * 1.24;

/// Words on the drawing, in px.
pub(super) fn say(area: &Area, text: &str, at: (i32, i32), side: Side, ink: Ink, bold: bool) {
    let pos = match side {
        Side::Left => Pos::new(HPos::Right, VPos::Center),
        Side::Right => Pos::new(HPos::Left, VPos::Center),
        Side::Below => Pos::new(HPos::Center, VPos::Top),
    };
    let font = ("sans-serif", SIZE).into_font().style(if bold { FontStyle::Bold } else { FontStyle::Normal });
    let colour = ink.colour();
    let style = TextStyle::from(font).color(&colour).pos(pos);
    area.draw(&Text::new(text.to_string(), at, style)).expect(WRITES);
}

/// A line on the plot.
pub(super) fn line(plot: &mut Plot, points: Vec<(f64, f64)>, ink: Ink, width: u32) {
    let style = ink.colour().stroke_width(width);
    plot.draw_series(std::iter::once(PathElement::new(points, style))).expect(WRITES);
}

/// The lines to read values by, across the plot, with their values at its left.
pub(super) fn rows(plot: &mut Plot, area: &Area, ticks: &[(f64, String)], x: (f64, f64)) {
    for (at, words) in ticks {
        line(plot, vec![(x.0, *at), (x.1, *at)], Ink::Line, 1);
        let (left, y) = plot.backend_coord(&(x.0, *at));
        say(area, words, (left - 8, y), Side::Left, Ink::Quiet, false);
    }
}

/// The values below the plot, and what they are of.
pub(super) fn foot(plot: &mut Plot, area: &Area, ticks: &[(f64, String)], of: &str, y: f64, x: (f64, f64)) {
    line(plot, vec![(x.0, y), (x.1, y)], Ink::Axis, 1);
    let mut free = i32::MIN;
    for (at, words) in ticks {
        let (left, bottom) = plot.backend_coord(&(*at, y));
        // Words that would touch the ones before are left out.
        let half = 4 * words.chars().count() as i32;
        if left - half > free {
            say(area, words, (left, bottom + 6), Side::Below, Ink::Quiet, false);
            free = left + half + 6;
        }
    }
    let (middle, bottom) = plot.backend_coord(&((x.0 + x.1) / 2.0, y));
    say(area, of, (middle, bottom + 26), Side::Below, Ink::Quiet, false);
}

/// A mark of the shape of its design, and where it stands.
pub(super) fn mark(plot: &Plot, area: &Area, at: (f64, f64), point: usize, design: usize) -> Mark {
    let (x, y) = plot.backend_coord(&at);
    shape(area, (x, y), design);
    Mark { at: (x, y), point, design }
}

/// The shape of a design, in its colour: a circle, a diamond, a square, two triangles, a cross.
pub(super) fn shape(area: &Area, (x, y): (i32, i32), design: usize) {
    let fill = Ink::Series(design).colour();
    let polygon = |corners: &[(i32, i32)]| {
        let corners: Vec<(i32, i32)> = corners.iter().map(|c| (x + c.0, y + c.1)).collect();
        area.draw(&Polygon::new(corners, fill.filled())).expect(WRITES);
    };
    match design % SERIES {
        0 => area.draw(&Circle::new((x, y), 4, fill.filled())).expect(WRITES),
        1 => polygon(&[(0, -5), (5, 0), (0, 5), (-5, 0)]),
        2 => polygon(&[(-4, -4), (4, -4), (4, 4), (-4, 4)]),
        3 => polygon(&[(0, -5), (5, 4), (-5, 4)]),
        4 => polygon(&[(0, 5), (5, -4), (-5, -4)]),
        _ => {
            for (a, b) in [((-4, -4), (4, 4)), ((-4, 4), (4, -4))] {
                let ends = vec![(x + a.0, y + a.1), (x + b.0, y + b.1)];
                area.draw(&PathElement::new(ends, fill.stroke_width(2))).expect(WRITES);
            }
        }
    }
}

/// Names at the right of the plot, each as near to its height as the others let it: a bold line, and a quiet one below it.
pub(super) fn names(area: &Area, left: i32, mut all: Vec<(i32, usize, String, String)>, within: (i32, i32)) {
    const ROOM: i32 = 30;
    all.sort_by_key(|name| name.0);
    let mut from = within.0;
    for name in &mut all {
        name.0 = name.0.max(from);
        from = name.0 + ROOM;
    }
    let mut to = within.1;
    for name in all.iter_mut().rev() {
        name.0 = name.0.min(to);
        to = name.0 - ROOM;
    }
    for (y, design, name, more) in all {
        say(area, &name, (left, y - 7), Side::Right, Ink::Series(design), true);
        say(area, &more, (left, y + 7), Side::Right, Ink::Quiet, false);
    }
}

/// A name that fits beside a chart.
pub(super) fn fitting(name: &str) -> String {
    if name.chars().count() <= 20 { name.to_string() } else { name.chars().take(19).chain(['…']).collect() }
}

/// Ticks of a scale with their words.
pub(super) fn worded(scale: Scale, n: usize) -> Vec<(f64, String)> {
    scale.ticks(n).into_iter().map(|v| (scale.place(v), super::scale::short(v))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_stands_in_the_style_sheet() {
        for name in COLOURS {
            let value = light(name);
            assert!(value.starts_with('#') && (4..=7).contains(&value.len()), "{name}: {value}");
        }
    }
}
