//! The icons. Their shapes are symbols in `index.html`, so that each is sent once; here they are only named.

use yew::prelude::*;

/// An icon as decoration: what it means stands beside it, or in the label of its button.
pub fn icon(name: &'static str) -> Html {
    raw(format!(r#"<svg class="ic" aria-hidden="true"><use href="{name}"/></svg>"#))
}

/// Markup that this program wrote itself: cheaper than elements, and never with a text of a person's in it.
pub fn raw(markup: String) -> Html {
    Html::from_html_unchecked(AttrValue::from(markup))
}

pub const CROSS: &str = "#i-x";
pub const CHECK: &str = "#i-ok";
pub const INFO: &str = "#i-inf";
pub const DOTS: &str = "#i-dots";
pub const DOWN: &str = "#i-dn";
pub const UNDO: &str = "#i-un";
pub const REDO: &str = "#i-re";
pub const THEME: &str = "#i-th";
pub const HELP: &str = "#i-hp";
pub const PLAY: &str = "#i-pl";
pub const PAUSE: &str = "#i-pa";
pub const STEP_BACK: &str = "#i-sb";
pub const STEP: &str = "#i-sf";
pub const PLUS: &str = "#i-pls";
pub const SLIDERS: &str = "#i-sld";
pub const SEARCH: &str = "#i-se";
pub const FOLD: &str = "#i-fo";
pub const SHARE: &str = "#i-sh";
