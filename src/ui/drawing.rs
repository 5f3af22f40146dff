//! A drawing on the page: an `svg` element that is changed where it stands when its markup changes ([`patch`](super::patch)).

use super::markup::PartProps;
use super::patch::{Node, patch, renew};
use crate::web::dom;
use web_sys::Element;
use yew::prelude::*;
use yew::virtual_dom::VNode;

/// Below so many bytes a drawing is put in anew: a mark of the key, an icon.
const SMALL: usize = 1_000;

/// A drawing among the nodes of the page.
pub fn drawing(markup: AttrValue) -> Html {
    if markup.len() < SMALL || cfg!(not(target_arch = "wasm32")) {
        return Html::from_html_unchecked(markup);
    }
    html! { <Drawing {markup} /> }
}

pub struct Drawing {
    /// What stands in the document. Yew is told only of the element, never of what is in it.
    svg: Option<Element>,
}

impl Component for Drawing {
    type Message = ();
    type Properties = PartProps;

    fn create(context: &Context<Drawing>) -> Drawing {
        let made = dom::document().and_then(|d| d.create_element("div").ok());
        let svg = made.and_then(|made| {
            made.set_inner_html(&context.props().markup);
            made.first_element_child()
        });
        Drawing { svg }
    }

    fn changed(&mut self, context: &Context<Drawing>, before: &PartProps) -> bool {
        if let Some(svg) = &self.svg {
            // A shape that has the keyboard would have it as another shape: then all are new, and who had it gets it back.
            let held = dom::document().and_then(|d| d.active_element()).is_some_and(|e| svg.contains(Some(&e)));
            let change = if held { renew::<web_sys::Node> } else { patch };
            change(svg, &before.markup, &context.props().markup);
        }
        false
    }

    fn view(&self, _: &Context<Drawing>) -> Html {
        self.svg.clone().map_or_else(Html::default, |svg| VNode::VRef(svg.into()))
    }
}

/// What can be done to an element only. There are no others where markup has one.
fn element(node: &web_sys::Node) -> &Element {
    wasm_bindgen::JsCast::unchecked_ref(node)
}

impl Node for web_sys::Node {
    fn first(&self) -> Option<Self> {
        self.first_child()
    }

    fn next(&self) -> Option<Self> {
        self.next_sibling()
    }

    fn set(&self, name: &str, value: &str) {
        let _ = element(self).set_attribute(name, value);
    }

    fn unset(&self, name: &str) {
        let _ = element(self).remove_attribute(name);
    }

    fn say(&self, text: &str) {
        self.set_node_value(Some(text));
    }

    fn remove(&self) {
        element(self).remove();
    }

    fn put_before(&self, markup: &str) {
        let _ = element(self).insert_adjacent_html("beforebegin", markup);
    }

    fn append(&self, markup: &str) {
        let _ = element(self).insert_adjacent_html("beforeend", markup);
    }

    fn fill(&self, markup: &str) {
        element(self).set_inner_html(markup);
    }
}
