//! The key under the caret: what it means, and what it is when it is left out.

use crate::app::{reference::key_at, text};
use yew::prelude::*;

pub fn reference(scenario_text: &str, line: u32) -> Html {
    let Some(row) = key_at(scenario_text, line) else { return html! {} };
    html! {
        <p class="ref">
            <code>{ row.path() }</code>{ " " }{ row.says }
            if !row.default.is_empty() { { " " }{ text::default_is(row.default) } }
        </p>
    }
}
