//! How much room there is, and what that means for a picture: lane distances, type, bars, which labels are worth drawing.
//!
//! A page computes its geometry from its container and never scales text. Everything here follows from the width, the height, how many
//! lifelines a column has and how many columns stand beside each other. Type shrinks a little on narrow pictures; what gives way first is
//! words, never marks.

use super::arrange::Arrange;
use super::lanes::{Lane, LaneKind};

/// Lanes are never further apart than this. px.
const SP_MAX: f64 = 150.0;
/// Lanes are never closer together than this; more of them scroll sideways. px.
pub const SP_MIN: f64 = 56.0;
/// Two columns side by side need lanes so far apart, up to four lanes. px.
const SP_TWO: f64 = 88.0;
/// With more than four lanes two columns are worth closer lanes: a third worker should not cost the comparison. px.
const SP_TWO_MANY: f64 = 64.0;

/// How many words a picture carries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Words {
    /// None: the marks are all that is seen.
    None,
    /// Only what carries the story: leases, their ends, pauses, outcomes.
    Few,
    All,
}

/// Geometry of one picture. All lengths are px.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// Width of the rail at the left.
    pub rail: f64,
    /// Where the axis line stands in the rail.
    pub axis_x: f64,
    /// Beats carry words, not only times.
    pub captions: bool,
    /// Width of one column.
    pub column: f64,
    /// How many lanes `sp` was computed for.
    pub lanes: usize,
    /// How many columns stand beside each other; with tabs 1, or 2 of more.
    pub columns: usize,
    /// Distance of two lanes.
    pub sp: f64,
    /// Left margin up to the first lane.
    pub x0: f64,
    /// The columns do not fit beside each other: show one with tabs, or the first and one other.
    pub tabs: bool,
    /// The lanes do not fit into the column: it scrolls sideways.
    pub scroll: bool,
    /// Height available for the diagram, without the heads.
    pub height: f64,
    /// Free space above the first and below the last row.
    pub top: f64,
    pub tail: f64,
    /// Size of labels and notes.
    pub font: f64,
    /// Width of lease and belief bars.
    pub bar: f64,
    /// Edge of a token badge.
    pub badge: f64,
    /// What the tint of a zone leaves free at the right of the column.
    pub gutter: f64,
    pub words: Words,
    /// The lowest rank of message label that is drawn; see [`crate::view::sequence::Arrow::rank`].
    pub labels: u8,
    /// Shorter forms of labels and names.
    pub short: bool,
    /// Height of the head.
    pub heads: f64,
    /// Names stand beside their glyphs, workers have none.
    pub tiny: bool,
    /// Messages can be pointed at and focused; off for sheets.
    pub live: bool,
    /// A fixed pitch, while something is dragged; otherwise it follows from the height. px per typical latency.
    pub pitch: Option<f64>,
    /// How much taller than it fits: 1 is as it fits.
    pub zoom: f64,
    /// Rows in order instead of true time.
    pub steps: bool,
    /// The nodes of a group stand apart.
    pub unfolded: bool,
    /// Retries that say nothing new are drawn as well.
    pub tries: bool,
    /// Which lanes, in which order.
    pub arrange: Arrange,
    /// Prefix of all ids in the SVG, so that several pictures can share a page.
    pub prefix: String,
}

impl Layout {
    /// The picture on the page: `avail_width` × `avail_height` px for rail and columns (without the heads), `lanes` lifelines per
    /// column, `columns` runs beside each other.
    pub fn fit(avail_width: f64, avail_height: f64, lanes: usize, columns: usize) -> Layout {
        let gaps = (lanes.max(2) - 1) as f64;
        let columns = columns.max(1);
        if columns > 1 {
            let (rail, left, right) = if columns > 2 {
                (150.0, 54.0, 74.0)
            } else if avail_width >= 1160.0 {
                (164.0, 56.0, 109.0)
            } else {
                (148.0, 54.0, 92.0)
            };
            let room = ((avail_width - rail) / columns as f64).floor();
            // Between the two page widths the columns stay as they are and the picture is centred.
            let room = if columns == 2 && avail_width < 1160.0 { room.min(422.0) } else { room };
            let sp = ((room - left - right) / gaps).floor().min(SP_MAX);
            let least = if lanes <= 4 { SP_TWO } else { SP_TWO_MANY };
            if sp >= least {
                let column = left + right + sp * gaps;
                return Layout {
                    rail,
                    axis_x: rail - 52.0 + f64::from(columns == 2 && rail < 150.0) * 2.0,
                    ..Layout::page(column, left, sp, lanes, columns, avail_height)
                };
            }
        }
        // Of more than two, two at least.
        if columns > 2 {
            let two = Layout::fit(avail_width, avail_height, lanes, 2);
            if !two.tabs {
                return Layout { tabs: true, ..two };
            }
        }
        let one = if avail_width >= 600.0 {
            let (rail, left, right) = if avail_width >= 760.0 { (164.0, 56.0, 109.0) } else { (148.0, 54.0, 92.0) };
            let sp = ((avail_width - rail - left - right) / gaps).floor().clamp(SP_MIN, SP_MAX);
            let column = left + right + sp * gaps;
            let axis_x = if rail > 150.0 { 112.0 } else { 98.0 };
            Layout {
                rail,
                axis_x,
                scroll: rail + column > avail_width,
                ..Layout::page(column, left, sp, lanes, 1, avail_height)
            }
        } else {
            let (rail, left, right) = (56.0, 20.0, 74.0);
            let sp = ((avail_width - rail - left - right) / gaps).floor().clamp(SP_MIN, SP_MAX);
            let column = (left + right + sp * gaps).max(avail_width.min(430.0) - rail);
            Layout {
                rail,
                axis_x: 50.0,
                captions: false,
                scroll: rail + column > avail_width,
                font: 11.0,
                gutter: 0.0,
                labels: 2,
                short: true,
                ..Layout::page(column, left, sp, lanes, 1, avail_height)
            }
        };
        Layout { tabs: columns > 1, ..one }
    }

    /// The picture in an embed: smaller type, fewer words, a height that never depends on the viewport.
    pub fn embed(avail_width: f64, avail_height: f64, lanes: usize, columns: usize) -> Layout {
        let gaps = (lanes.max(2) - 1) as f64;
        let columns = columns.max(1);
        let small = |column: f64, left: f64, sp: f64, columns: usize| Layout {
            captions: false,
            top: 8.0,
            tail: 8.0,
            font: 10.5,
            bar: 8.0,
            badge: 13.0,
            gutter: 14.0,
            words: Words::Few,
            labels: 0,
            short: true,
            heads: 32.0,
            tiny: true,
            ..Layout::page(column, left, sp, lanes, columns, avail_height)
        };
        if columns > 1 {
            let (rail, left, right) = (58.0, 30.0, 77.0);
            let column = ((avail_width - rail) / columns as f64).floor();
            let sp = ((column - left - right) / gaps).floor().min(SP_MAX);
            if sp >= if lanes <= 4 { 70.0 } else { SP_MIN } {
                return Layout { rail, axis_x: 52.0, ..small(column, left, sp, columns) };
            }
        }
        let (rail, left, right) = (56.0, 20.0, 74.0);
        let sp = ((avail_width - rail - left - right) / gaps).floor().clamp(SP_MIN, 110.0);
        let column = left + right + sp * gaps;
        Layout {
            rail,
            axis_x: 50.0,
            gutter: 0.0,
            tabs: columns > 1,
            scroll: rail + column > avail_width,
            ..small(column, left, sp, 1)
        }
    }

    /// What all widths share.
    fn page(column: f64, x0: f64, sp: f64, lanes: usize, columns: usize, height: f64) -> Layout {
        Layout {
            rail: 164.0,
            axis_x: 112.0,
            captions: true,
            column,
            lanes,
            columns,
            sp,
            x0,
            tabs: false,
            scroll: false,
            height,
            top: 14.0,
            tail: 22.0,
            font: 11.5,
            bar: 10.0,
            badge: 15.0,
            gutter: 20.0,
            words: Words::All,
            labels: u8::MAX,
            short: false,
            heads: 46.0,
            tiny: false,
            live: true,
            pitch: None,
            zoom: 1.0,
            steps: false,
            unfolded: false,
            tries: false,
            arrange: Arrange::default(),
            prefix: "v".to_string(),
        }
    }

    /// The same layout with other ids, for a second picture on one page.
    pub fn with_prefix(mut self, prefix: &str) -> Layout {
        self.prefix = prefix.to_string();
        self
    }

    /// Baseline to baseline of two lines of a note. px.
    pub fn line(&self) -> f64 {
        self.font + 2.5
    }

    /// Where the lanes of one run stand. A run with more lanes than the layout was made for gets them closer together, down to
    /// [`SP_MIN`], and then a wider column.
    pub fn place(&self, lanes: &[Lane]) -> Places {
        let extra: Vec<f64> = lanes.iter().map(|l| self.group_extra(l)).collect();
        // What stands right of the last lane is the right margin's business.
        let mut inner_extra: f64 = extra.iter().rev().skip(1).sum();
        if self.unfolded {
            // What stands apart needs a wider column, not closer lanes.
            inner_extra = 0.0;
        }
        let gaps = (lanes.len().max(2) - 1) as f64;
        let right = self.column - self.x0 - self.sp * (self.lanes.max(2) - 1) as f64;
        let sp = ((self.column - self.x0 - right - inner_extra) / gaps).clamp(SP_MIN, SP_MAX);
        let mut x = Vec::with_capacity(lanes.len());
        let mut at = self.x0;
        for e in &extra {
            x.push(at);
            at += sp + e;
        }
        let width = (x.last().copied().unwrap_or(self.x0) + right).max(self.column);
        let vote = self.vote();
        let nodes = lanes
            .iter()
            .zip(&x)
            .map(|(lane, x)| {
                let first = x + self.bar / 2.0 + vote.first;
                let n = if lane.kind == LaneKind::Group { lane.nodes.len() } else { 0 };
                (0..n).map(|i| first + i as f64 * vote.step).collect()
            })
            .collect();
        Places { x, nodes, sp, width }
    }

    /// How the nodes of a folded group are drawn beside its bar.
    pub fn vote(&self) -> Vote {
        let (step, apart, width, dot) = if self.sp >= 100.0 {
            (9.0, 28.0, 6.0, 3.2)
        } else if self.sp >= 80.0 {
            (8.0, 23.0, 5.0, 3.0)
        } else {
            (7.0, 17.0, 5.0, 2.6)
        };
        if self.unfolded {
            // Room for the word over the bar.
            Vote { step: apart, width, dot, first: apart + 11.0 }
        } else {
            Vote { step, width, dot, first: 6.0 + width / 2.0 }
        }
    }

    /// How much wider a column becomes by unfolding a group of so many nodes. px
    pub fn unfolding(&self, nodes: usize) -> f64 {
        let vote = Layout { unfolded: true, ..self.clone() }.vote();
        vote.first + nodes.saturating_sub(1) as f64 * vote.step - 20.0
    }

    /// What a group needs at its right beyond an ordinary lane. px.
    fn group_extra(&self, lane: &Lane) -> f64 {
        if lane.kind != LaneKind::Group {
            return 0.0;
        }
        let vote = self.vote();
        let span = self.bar / 2.0 + vote.first + vote.width / 2.0 + (lane.nodes.len() - 1) as f64 * vote.step;
        (span - 32.0).max(0.0)
    }
}

/// Stripes and discs of a node group. px.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vote {
    /// Pitch of the nodes.
    pub step: f64,
    /// Width of a stripe.
    pub width: f64,
    /// Radius of a disc.
    pub dot: f64,
    /// From the edge of the bar to the first node.
    pub first: f64,
}

/// Where the lanes of one column stand. px.
#[derive(Clone, PartialEq, Debug)]
pub struct Places {
    /// By lane.
    pub x: Vec<f64>,
    /// By lane: its nodes, for a group; empty for others.
    pub nodes: Vec<Vec<f64>>,
    pub sp: f64,
    pub width: f64,
}

impl Places {
    /// Where a lane stands; 0 for one that there is not.
    #[inline(never)]
    pub fn x(&self, lane: usize) -> f64 {
        self.x.get(lane).copied().unwrap_or_default()
    }

    /// Where a node of a group stands; its lane's place for a lane that is none.
    #[inline(never)]
    pub fn node(&self, lane: usize, member: usize) -> f64 {
        self.nodes.get(lane).and_then(|n| n.get(member)).copied().unwrap_or(self.x(lane))
    }

    /// The right edge of a lane's marks: the bar, or the last stripe of a group.
    pub fn right_edge(&self, lane: usize, layout: &Layout) -> f64 {
        match self.nodes[lane].last() {
            Some(x) => x + layout.vote().width / 2.0,
            None => self.x(lane) + layout.bar / 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_lanes_stand_where_the_design_puts_them() {
        // Available width, columns: rail, axis, column, sp, x0, captions, tabs.
        for (width, columns, rail, axis_x, column, sp, x0, captions, tabs) in [
            (1160.0, 2, 164.0, 112.0, 498.0, 111.0, 56.0, true, false),
            (1364.0, 2, 164.0, 112.0, 600.0, 145.0, 56.0, true, false),
            (1000.0, 2, 148.0, 98.0, 422.0, 92.0, 54.0, true, false),
            (992.0, 2, 148.0, 98.0, 422.0, 92.0, 54.0, true, false),
            (1364.0, 3, 150.0, 98.0, 404.0, 92.0, 54.0, true, false),
            (374.0, 2, 56.0, 50.0, 318.0, 74.0, 20.0, false, true),
            (374.0, 1, 56.0, 50.0, 318.0, 74.0, 20.0, false, false),
        ] {
            let l = Layout::fit(width, 600.0, 4, columns);
            let got = (l.rail, l.axis_x, l.column, l.sp, l.x0, l.captions, l.tabs);
            assert_eq!(got, (rail, axis_x, column, sp, x0, captions, tabs), "{width} px, {columns} columns");
            assert!(!l.scroll);
        }
        let e = Layout::embed(692.0, 320.0, 4, 2);
        assert_eq!((e.rail, e.column, e.sp, e.x0, e.tabs), (58.0, 317.0, 70.0, 30.0, false));
        let e = Layout::embed(366.0, 320.0, 4, 2);
        assert_eq!((e.rail, e.column, e.sp, e.x0, e.tabs), (56.0, 310.0, 72.0, 20.0, true));
    }

    #[test]
    fn two_columns_become_tabs_before_they_become_unreadable() {
        assert!(Layout::fit(900.0, 600.0, 4, 2).tabs);
        assert!(!Layout::fit(1160.0, 600.0, 5, 2).tabs);
        assert!(Layout::fit(1160.0, 600.0, 9, 2).tabs);
    }

    #[test]
    fn many_lanes_scroll_sideways() {
        let l = Layout::fit(374.0, 600.0, 12, 1);
        assert!(l.scroll);
        assert_eq!(l.sp, SP_MIN);
        assert!(!Layout::fit(1160.0, 600.0, 12, 1).scroll);
    }
}
