//! Play, step, scrub: moving the cursor through a run that is already there. Nothing here runs anything.
//!
//! The cursor plays at an even pace down the *picture*, so that bursts of messages can be followed and idle seconds pass quickly. The
//! track below shows the same story *unsqueezed*: leases and pauses in true proportion, so that nobody is misled.

use super::markup::{on, put};
use crate::app::{Cursor, Doc, Scene, text};
use crate::base::{TrueTime, time::seconds};
use crate::view::text::fill;
use crate::view::track::{Stretch, Track};

const TRANSPORT: &str = r#"<div class="tp" role="group" aria-label="{0}">
<button class="btn" aria-label="{A}" title="{A}" data-do="play"><ic {b}></button>
<button class="btn" aria-label="{1}" title="{1}" data-do="back"><ic sb></button>
<button class="btn" aria-label="{2}" title="{2}" data-do="step"><ic sf></button>
<output>{C}</output>
<div class="tk{d}" role="slider" tabindex="0" aria-label="{3}" aria-valuemin="0" aria-valuemax="{e}" aria-valuenow="{f}" aria-valuetext="{C}" data-drag="track">{g}</div>
<button class="btn hid" aria-label="{H}" data-do="speed">{I}</button>
</div>"#;

pub fn transport(out: &mut String, doc: &Doc, scene: &Scene, cursor: &Cursor) {
    let Some(track) = scene.picture.columns.get(doc.front).map(|c| &c.track) else { return };
    let at = cursor.at.unwrap_or_else(|| scene.end());
    let length = TrueTime::ZERO + track.total;
    let mut drawn = String::new();
    bars(&mut drawn, track);
    let percent = 100.0 * at.as_us() as f64 / length.as_us().max(1) as f64;
    fill(&mut drawn, r#"<span key="knob" class="kn" style="left:{0}%"></span>"#, &[percent], &[]);
    let (name, icon) = if cursor.playing { (text::PAUSE, "pa") } else { (text::PLAY, "pl") };
    let args = [
        name,
        icon,
        &at.to_string(),
        on(doc.stale, " old"),
        &seconds(length.as_us()),
        &seconds(at.as_us()),
        &drawn,
        &text::speed_label(cursor.speed),
        text::speed(cursor.speed),
    ];
    put(out, TRANSPORT, &[text::TRANSPORT, text::STEP_BACK, text::STEP, text::TIME], &args);
}

/// Leases and pauses of the design in front. A label that has no room before the next one begins is left out.
fn bars(out: &mut String, track: &Track) {
    let mut bar = |s: &Stretch, class: &str, low: &str| {
        let numbers = [s.left, s.width.max(0.2)];
        fill(out, r#"<i class="{a}" style="left:{0}%;width:{1}%"></i>"#, &numbers, &[class]);
        // Percent of the track that a character takes, about, on a track of 800 px.
        if s.label.chars().count() as f64 * 0.75 <= s.room {
            let label = r#"<span class="lab{a}" style="left:{0}%">{B}</span>"#;
            fill(out, label, &numbers, &[low, &s.label]);
        }
    };
    for s in &track.leases {
        bar(s, s.hue, "");
    }
    for s in &track.pauses {
        bar(s, "pz", " lo");
    }
}

/// What happens in the design in front at one instant, as one sentence: for those who do not see the cursor move.
pub fn sentence(scene: &Scene, front: usize, at: Option<TrueTime>) -> String {
    let at = at.unwrap_or_else(|| scene.end());
    let mut out = at.to_string();
    let mut between = ": ";
    for line in scene.lines(front).iter().filter(|l| l.at == at) {
        out.push_str(between);
        out.push_str(&line.text);
        between = "; ";
    }
    out
}
