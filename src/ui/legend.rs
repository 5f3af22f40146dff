//! What the marks mean: a reminder under the picture. The full list is in the help panel.

use crate::app::text;
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

#[component]
pub fn Legend() -> Html {
    html! {
        <div class="lgd" role="group" aria-label={text::KEY}>
            { for UNDER_THE_PICTURE.iter().map(|s| html! { <span>{ sign(*s) }{ text::sign(*s as usize) }</span> }) }
        </div>
    }
}

/// The mark itself. Sizes as in the picture.
pub fn sign(sign: Sign) -> Html {
    let (w, h) = match sign {
        Sign::Lease => (10, 18),
        Sign::Belief | Sign::Stale | Sign::Difference => (12, if sign == Sign::Difference { 12 } else { 18 }),
        Sign::Pause => (16, 18),
        Sign::Token => (15, 15),
        Sign::Tear => (14, 10),
        Sign::Request | Sign::Reply | Sign::Write => (26, 12),
        Sign::Lost => (22, 12),
        Sign::Accepted | Sign::Refused => (19, 19),
        Sign::TwoBelieve => (24, 16),
    };
    let body = match sign {
        Sign::Lease => html! { <rect class="lease w1" width="10" height="18" rx="1.5" /> },
        Sign::Belief => html! { <rect class="belief w1" x="1" y="1" width="10" height="16" /> },
        Sign::Stale => html! { <rect class="belief stale" x="1" y="1" width="10" height="16" /> },
        // Drawn line by line: a pattern would need an id, and two keys can stand on one page.
        Sign::Pause => {
            html! { <path class="hatch" fill="none" d="M0 4L4 0M0 11L11 0M0 18L16 2M7 18L16 9M14 18L16 16" /> }
        }
        Sign::Token => {
            html! { <g class="tok w1"><rect width="15" height="15" rx="3.5" /><text x="7.5" y="11.5" text-anchor="middle">{ "1" }</text></g> }
        }
        Sign::Tear => html! { <path class="tearl" d="M0 8.5L14 4.5M0 5.5L14 1.5" /> },
        Sign::Difference => html! { <path class="dia" d="M6 .5l5.5 5.5-5.5 5.5-5.5-5.5Z" /> },
        Sign::Request => html! { <><path class="msg" d="M0 6H19" /><path class="head m" d="M26 6l-8 3.5v-7Z" /></> },
        Sign::Reply => {
            html! { <><path class="msg reply" d="M0 6H19" /><path class="head m" d="M26 6l-8 3.5v-7Z" /></> }
        }
        Sign::Write => {
            html! { <><path class="msg key w1" d="M0 6H19" /><path class="head w1" d="M26 6l-8 3.5v-7Z" /></> }
        }
        Sign::Lost => html! { <><path class="msg" d="M0 6H13" /><path class="xx bad" d="M12 2l8 8m0-8l-8 8" /></> },
        Sign::Accepted => {
            html! { <g class="mark bad"><circle cx="9.5" cy="9.5" r="8.5" /><path d="M6.500 6.500l6 6m0-6l-6 6" /></g> }
        }
        Sign::Refused => {
            html! { <g class="mark good"><circle cx="9.5" cy="9.5" r="8.5" /><path d="M5.500 5.500l8 8" /></g> }
        }
        Sign::TwoBelieve => {
            html! { <g class="zone"><rect width="24" height="16" /><path d="M0 .5H24M0 15.500H24" /></g> }
        }
    };
    html! {
        <svg class="dg" width={w.to_string()} height={h.to_string()} viewBox={format!("0 0 {w} {h}")} aria-hidden="true">{ body }</svg>
    }
}
