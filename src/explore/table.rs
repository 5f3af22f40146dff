//! Counts as comma-separated values, for spreadsheets and other programs.

use super::tally::{Cost, Tally};
use crate::check::Property;
use std::fmt::Write as _;

/// A row for each point and design, with a head: the values of the axes, how many runs broke a promise, between which rates that lies (95 %),
/// how many broke each property, and how each cost is distributed. Lengths are milliseconds.
pub fn csv(axes: &[(String, Vec<String>)], designs: &[String], points: &[(&[String], &[Tally])]) -> String {
    let mut out = String::new();
    for (path, _) in axes {
        let _ = write!(out, "{},", quoted(path));
    }
    out.push_str("design,runs,broken,low,high,idle");
    for p in Property::ALL {
        let _ = write!(out, ",{p}");
    }
    for cost in Cost::ALL {
        let unit = if cost.is_length() { "_ms" } else { "" };
        for what in ["mean", "p50", "p95", "p99", "max"] {
            let _ = write!(out, ",{}_{what}{unit}", cost.word());
        }
    }
    out.push('\n');
    for (values, tallies) in points {
        for (design, t) in designs.iter().zip(*tallies) {
            for value in *values {
                let _ = write!(out, "{},", quoted(value));
            }
            row(&mut out, design, t);
        }
    }
    out
}

fn row(out: &mut String, design: &str, t: &Tally) {
    let within = t.rate().1;
    let design = quoted(design);
    let _ = write!(out, "{design},{},{},{:.6},{:.6},{}", t.runs, t.broken, within.low, within.high, t.idle);
    for p in Property::ALL {
        let _ = write!(out, ",{}", t.violated(p));
    }
    for cost in Cost::ALL {
        let h = t.cost(cost);
        let unit = if cost.is_length() { 1_000.0 } else { 1.0 };
        let of = |v: Option<f64>| v.map_or(String::new(), |v| format!("{:.3}", v / unit));
        let whole = |v: Option<u64>| of(v.map(|v| v as f64));
        let _ = write!(out, ",{}", of(h.and_then(|h| h.mean())));
        for percent in [50, 95, 99] {
            let _ = write!(out, ",{}", whole(h.and_then(|h| h.percentile(percent))));
        }
        let _ = write!(out, ",{}", whole(h.and_then(|h| h.greatest())));
    }
    out.push('\n');
}

/// A value as it stands between commas.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
