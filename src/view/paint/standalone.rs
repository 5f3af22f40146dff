//! One complete SVG document: title, claim, verdicts, rail, columns, participants above and below. For exports and the command line.
//!
//! Light colours only, written out (many viewers know no CSS variables), plain `<text>` only, no script, nothing that can be pointed at. The
//! rules are those of the page, taken from its style sheet, so there is one place to change them.

use crate::base::flat::FlatMap;
use crate::check::report::Property;
use crate::view::layout::Layout;
use crate::view::text::{fill, width, width_bold};
use crate::view::{Chip, Column, Shown, Sight, lanes, picture};

const MARGIN: f64 = 24.0;

/// Draws the runs on one sheet.
pub fn standalone(title: &str, claim: &str, shown: &[Shown], judged: &[Property]) -> String {
    let lanes = shown.iter().map(|s| lanes::count(s.roster)).max().unwrap_or(2);
    let columns = shown.len().max(1);
    // Wide enough for the lanes at their usual distance, whatever a page would have; a fixed pitch, because a sheet has no height.
    let sp = if lanes <= 4 { 111.0 } else { 92.0 };
    let wanted = 164.0 + columns as f64 * (165.0 + sp * (lanes.max(2) - 1) as f64);
    let layout = Layout {
        live: false,
        pitch: Some(17.0),
        prefix: "s".to_string(),
        ..Layout::fit(wanted.max(1160.0 * f64::from(columns == 2)), 0.0, lanes, columns)
    };
    let p = picture(shown, judged, &layout);

    let inner = layout.rail + p.columns.iter().map(|c| c.width).sum::<f64>();
    let full = inner + 2.0 * MARGIN;
    let mut body = String::with_capacity(64 * 1024);
    let mut y = MARGIN + 22.0;
    fill(&mut body, r#"<text class="title" x="{0}" y="{1}">{A}</text>"#, &[MARGIN, y], &[title]);
    for line in wrap(claim, inner, 15.0) {
        y += 24.0;
        fill(&mut body, r#"<text class="claim" x="{0}" y="{1}">{A}</text>"#, &[MARGIN, y], &[&line]);
    }
    y += 20.0;
    let mut lowest = y;
    let mut x = MARGIN + layout.rail;
    for (s, c) in shown.iter().zip(&p.columns) {
        lowest = lowest.max(head(&mut body, s.name, c, x, y));
        x += c.width;
    }
    y = lowest + 12.0;
    let rows = y + layout.heads;
    fill(
        &mut body,
        r#"<text class="skip" x="{0}" y="{1}" text-anchor="end">true time</text>"#,
        &[MARGIN + layout.axis_x - 10.0, rows - 8.0],
        &[],
    );
    at(&mut body, MARGIN, rows, "", &p.rail(&Sight::ALL));
    let mut x = MARGIN + layout.rail;
    for c in &p.columns {
        at(&mut body, x, y, "", &c.heads);
        at(&mut body, x, rows, "", &c.body.whole());
        // The same heads again; a second pattern needs a second name.
        at(&mut body, x, rows + p.height + 6.0, "foot", &c.heads.replace("-hs", "-hf"));
        x += c.width;
    }
    let height = rows + p.height + layout.heads + MARGIN;
    let described = shown
        .iter()
        .zip(&p.columns)
        .map(|(s, c)| format!("{}: {}. {}", s.name, c.chip.word(), c.sentence))
        .collect::<Vec<_>>()
        .join(" ");
    let mut o = String::with_capacity(body.len() + 8 * 1024);
    fill(
        &mut o,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="dg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-labelledby="s-t s-d"><title id="s-t">{A}</title><desc id="s-d">{B} {C}</desc><style>{d}</style><rect class="sheet" width="100%" height="100%"/>"#,
        &[full, height],
        &[title, claim, &described, &style()],
    );
    o.push_str(&body);
    o.push_str("</svg>");
    o
}

/// Name, chip and sentence over a column; returns how far down they reach. px.
fn head(o: &mut String, name: &str, c: &Column, x: f64, y: f64) -> f64 {
    let base = y + 17.0;
    fill(o, r#"<text class="name" x="{0}" y="{1}">{A}</text>"#, &[x, base], &[name]);
    let class = match c.chip {
        Chip::Unsafe => "bad",
        Chip::Safe => "good",
        Chip::Stuck | Chip::CutShort => "info",
    };
    let word = format!("{} {}", c.chip.glyph(), c.chip.word());
    // The widest system fonts are a good deal wider than the table at this weight, and here nothing else gives way.
    let (left, wide) = (x + 1.12 * width_bold(name, 17.0) + 10.0, width_bold(&word, 13.0) + 18.0);
    fill(
        o,
        r#"<g class="chip {a}"><rect x="{0}" y="{1}" width="{2}" height="22" rx="11"/>"#,
        &[left, y, wide],
        &[class],
    );
    fill(o, r#"<text x="{0}" y="{1}" text-anchor="middle">{A}</text></g>"#, &[left + wide / 2.0, y + 15.6], &[&word]);
    let mut base = base + 4.0;
    for line in wrap(&c.sentence, c.width - 24.0, 14.0) {
        base += 20.0;
        fill(o, r#"<text class="sentence" x="{0}" y="{1}">{A}</text>"#, &[x, base], &[&line]);
    }
    base
}

fn at(o: &mut String, x: f64, y: f64, class: &str, svg: &str) {
    fill(o, r#"<g class="{a}" transform="translate({0} {1})">{b}</g>"#, &[x, y], &[class, svg]);
}

/// Breaks a text at blanks into lines of at most `room` px.
fn wrap(text: &str, room: f64, size: f64) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        match out.last_mut() {
            Some(line) if width(line, size) + width(word, size) + 0.31 * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => out.push(word.to_string()),
        }
    }
    out
}

/// The page's rules for pictures with the light colours written out.
fn style() -> String {
    let css = include_str!("../../../static/diagram.css");
    let mut colours: FlatMap<&str, &str> = FlatMap::new();
    let root = css.split('}').next().unwrap_or("");
    for part in root.split([';', '{', '\n']) {
        if let Some((name, value)) = part.trim().split_once(':')
            && name.starts_with("--")
        {
            colours.entry(name).or_insert(value.trim());
        }
    }
    let mut out = String::with_capacity(6 * 1024);
    for rule in css.lines().filter(|l| l.starts_with(".dg") && !l.contains(":hover") && !l.contains(":focus")) {
        out.push_str(rule);
    }
    out.push_str(
        ".dg .title{fill:var(--ink);font-size:22px;font-weight:650}.dg .claim{fill:var(--ink2);font-size:15px}.dg .name{fill:var(--ink);font-size:17px;font-weight:600}\
         .dg .sentence{fill:var(--ink2);font-size:14px}.dg .sheet{fill:var(--paper)}.dg .chip text{fill:var(--on);font-size:13px;font-weight:600}\
         .dg .chip.bad rect{fill:var(--bad)}.dg .chip.good rect{fill:var(--good)}.dg .chip.info rect{fill:none;stroke:var(--line2)}.dg .chip.info text{fill:var(--ink2)}.dg .foot .life{display:none}",
    );
    for (name, value) in &colours {
        out = out.replace(&format!("var({name})"), value);
    }
    // Quotes and brackets in font names are harmless in a style element, but not in every reader of SVG.
    out.replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_needs_no_variables() {
        let s = style();
        assert!(!s.contains("var("), "{s}");
        assert!(!s.contains('<') && !s.contains('&'));
        assert!(s.contains("#2467d1"));
    }

    #[test]
    fn long_claims_wrap() {
        assert_eq!(wrap("a b c", 10.0, 10.0).len(), 3);
        assert_eq!(wrap("", 10.0, 10.0), Vec::<String>::new());
    }
}
