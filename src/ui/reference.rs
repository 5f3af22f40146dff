//! The key under the caret: what it means, and what it is when it is left out.

use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ReferenceProps {
    pub text: Rc<str>,
    /// The line of the caret, from 1; 0: nowhere yet.
    pub line: u32,
}

#[component]
pub fn Reference(_props: &ReferenceProps) -> Html {
    html! {}
}
