//! What the marks mean: a reminder under the picture. The full list is in the help panel.

use super::icon::raw;
use crate::app::{Scene, text};
use crate::view::text::num;
use yew::prelude::*;

/// One mark, drawn small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Lease,
    Belief,
    Stale,
    Pause,
    Token,
    Tear,
    Difference,
    Request,
    Reply,
    Write,
    Lost,
    Accepted,
    Refused,
    TwoBelieve,
}

pub const UNDER_THE_PICTURE: [Sign; 7] =
    [Sign::Lease, Sign::Belief, Sign::Stale, Sign::Pause, Sign::Token, Sign::Tear, Sign::Difference];

pub const ALL: [Sign; 14] = [
    Sign::Request,
    Sign::Reply,
    Sign::Write,
    Sign::Token,
    Sign::Lost,
    Sign::Lease,
    Sign::Belief,
    Sign::Stale,
    Sign::TwoBelieve,
    Sign::Pause,
    Sign::Accepted,
    Sign::Refused,
    Sign::Tear,
    Sign::Difference,
];

/// The key under the picture, in line with the columns where these begin beside a rail with words.
pub fn legend(scene: &Scene) -> Html {
    let layout = &scene.picture.layout;
    let left = if layout.captions && layout.columns > 1 && layout.rail > 150.0 { layout.rail } else { 0.0 };
    html! {
        <div class="lgd" role="group" aria-label={text::KEY} style={format!("padding-left:{}px", num(left))}>
            { for UNDER_THE_PICTURE.iter().map(|s| html! { <span>{ sign(*s) }{ text::sign(*s as usize) }</span> }) }
        </div>
    }
}

/// The mark itself, as it is in the picture.
pub fn sign(sign: Sign) -> Html {
    let (w, h, body) = match sign {
        Sign::Lease => (10, 18, r#"<rect class="lease w1" width="10" height="18" rx="1.5"/>"#),
        Sign::Belief => (12, 18, r#"<rect class="belief w1" x="1" y="1" width="10" height="16"/>"#),
        Sign::Stale => (12, 18, r#"<rect class="belief stale" x="1" y="1" width="10" height="16"/>"#),
        // Drawn line by line: a pattern would need an id, and two keys can stand on one page.
        Sign::Pause => (16, 18, r#"<path class="hatch" d="M0 4L4 0M0 11L11 0M0 18L16 2M7 18L16 9M14 18L16 16"/>"#),
        Sign::Token => (
            15,
            15,
            r#"<g class="tok w1"><rect width="15" height="15" rx="3.5"/><text x="7.5" y="11.5" text-anchor="middle">1</text></g>"#,
        ),
        Sign::Tear => (14, 10, r#"<path class="tearl" d="M0 8.5L14 4.5M0 5.5L14 1.5"/>"#),
        Sign::Difference => (12, 12, r#"<path class="dia" d="M6 .5l5.5 5.5-5.5 5.5-5.5-5.5Z"/>"#),
        Sign::Request => (26, 12, r#"<path class="msg" d="M0 6H19"/><path class="head m" d="M26 6l-8 3.5v-7Z"/>"#),
        Sign::Reply => (26, 12, r#"<path class="msg reply" d="M0 6H19"/><path class="head m" d="M26 6l-8 3.5v-7Z"/>"#),
        Sign::Write => {
            (26, 12, r#"<path class="msg key w1" d="M0 6H19"/><path class="head w1" d="M26 6l-8 3.5v-7Z"/>"#)
        }
        Sign::Lost => (22, 12, r#"<path class="msg" d="M0 6H13"/><path class="xx lost" d="M12 2l8 8m0-8l-8 8"/>"#),
        Sign::Accepted => {
            (19, 19, r#"<g class="mark bad"><circle cx="9.5" cy="9.5" r="8.5"/><path d="M6.5 6.5l6 6m0-6l-6 6"/></g>"#)
        }
        Sign::Refused => {
            (19, 19, r#"<g class="mark good"><circle cx="9.5" cy="9.5" r="8.5"/><path d="M5.500 5.500l8 8"/></g>"#)
        }
        Sign::TwoBelieve => {
            (24, 16, r#"<g class="zone"><rect width="24" height="16"/><path d="M0 .5H24M0 15.5H24"/></g>"#)
        }
    };
    raw(format!(r#"<svg class="dg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" aria-hidden="true">{body}</svg>"#))
}
