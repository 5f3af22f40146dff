//! Markup as text: how the page is written down, and how the text becomes what Yew reconciles.
//!
//! A part of the page is a function from the state to a string: templates with slots, put together by [`put`], which stands in
//! [`base::markup`](crate::base::markup) so that pure modules can write markup too. One reader, [`nodes`],
//! turns the string into virtual nodes; Yew then changes in the document what differs. So an element costs its letters in a template and
//! no code of its own, and what stands on the page can be tested as text. What a press on an element does is written on it too, as words
//! in `data-do` and `data-set`; [`deeds`](super::deeds) reads them.
//!
//! The language is a small part of HTML:
//!
//! - Every element is closed, but for those that HTML itself never closes. Attributes stand in double quotes; one without a value is on.
//! - `value` and `checked` of a field are set as properties, so that caret and choice stay with the person. A `textarea` has its text in
//!   `value` and is not closed.
//! - `key`, or else `id`, names an element among its siblings, so that it stays the same element wherever it comes to stand. The others
//!   are known by their place among those without a name; so what may come and go in front of them needs one. Where text, an icon or a
//!   part stands between elements, names count for nothing and siblings are counted from the end.
//! - `<svg …>…</svg>` is taken as it is and never looked into; [`drawing`](super::drawing) says what becomes of it when it changes.
//! - `<ic name>` is the icon `#i-name` of `static/icons.html`; what it means stands beside it, or in the label of its button.
//! - `<part n>` is another string, which is only read again when it has changed.
//! - Line breaks and indents between elements are the template's, not the page's.
//!
//! Absent: comments, other quotes, other entities than the five that [`escape`] writes.

use super::drawing::drawing;
pub use crate::base::markup::{escape, made, on, put, yes};
use crate::base::pieces::{self, cut, divide, find_any, part};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Key, VList, VNode, VTag, VText};

/// The reverse of [`escape`].
pub(super) fn unescape(text: &str) -> AttrValue {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = cut(rest, "&") {
        out.push_str(before);
        let (name, after) = divide(after, ";");
        out.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            _ => '"',
        });
        rest = after;
    }
    out.push_str(rest);
    out.into()
}

/// Reads markup. `parts`: what stands for `<part n>`.
pub fn nodes(markup: &str, parts: &[AttrValue]) -> Html {
    let mut reader = Reader { rest: markup, parts };
    let list = reader.list("");
    debug_assert!(reader.rest.is_empty(), "closed more often than opened: {}", reader.rest);
    list
}

struct Reader<'a> {
    rest: &'a str,
    parts: &'a [AttrValue],
}

impl<'a> Reader<'a> {
    /// What stands up to the next `end`, which is passed.
    fn until(&mut self, end: &str) -> &'a str {
        let (text, rest) = cut(self.rest, end).expect("markup is written by this program, and whole");
        self.rest = rest;
        text
    }

    /// What stands before the first of these signs, which is next.
    fn before(&mut self, signs: &str) -> &'a str {
        let end = find_any(self.rest, signs);
        let text = part(self.rest, 0, end);
        self.rest = pieces::tail(self.rest, end);
        text
    }

    /// Siblings up to the end of the element `name` that they stand in, which is passed; without a name, up to the end.
    fn list(&mut self, name: &str) -> Html {
        let mut list: Vec<VNode> = Vec::new();
        let (mut elements, mut open) = (0, !name.is_empty());
        while !self.rest.is_empty() {
            let Some(after) = self.rest.strip_prefix('<') else {
                let text = self.before("<");
                if pieces::find(text, "\n").is_none() || !text.trim().is_empty() {
                    list.push(VText::new(unescape(text)).into());
                }
                continue;
            };
            if after.starts_with('/') {
                let closed = self.until(">");
                debug_assert_eq!(pieces::tail(closed, 2), name, "closed in another order than opened");
                open = false;
                break;
            }
            if after.starts_with("svg") {
                let whole = self.rest;
                self.until("</svg>");
                list.push(drawing(part(whole, 0, whole.len() - self.rest.len()).to_string().into()));
                continue;
            }
            self.rest = after;
            if after.starts_with("ic ") {
                let name = pieces::tail(self.until(">"), 3);
                let icon = made(r##"<svg class="ic" aria-hidden="true"><use href="#i-{a}"/></svg>"##, &[], &[name]);
                list.push(Html::from_html_unchecked(icon.into()));
            } else if after.starts_with("part ") {
                let number = self.until(">").bytes().skip(5).fold(0, |n, d| n * 10 + usize::from(d - b'0'));
                list.push(html! { <Part markup={self.parts.get(number).cloned().unwrap_or_default()} /> });
            } else {
                list.push(self.element().into());
                elements += 1;
            }
        }
        debug_assert!(!open, "never closed: {name}");
        if elements > 1 && elements == list.len() {
            let mut place = 0_u32;
            for node in &mut list {
                if let VNode::VTag(tag) = node
                    && tag.key.is_none()
                {
                    Rc::make_mut(tag).key = Some(Key::from(place));
                    place += 1;
                }
            }
        }
        VNode::VList(Rc::new(VList::from(list)))
    }

    /// One element, from behind its `<`.
    fn element(&mut self) -> VTag {
        let name = self.before(" >");
        let mut tag = VTag::new(name.to_string());
        let (mut names, mut values): (Vec<&'a str>, Vec<Option<AttributeOrProperty>>) = (Vec::new(), Vec::new());
        while let Some(rest) = self.rest.strip_prefix(' ') {
            self.rest = rest;
            let attribute = self.before("= >");
            let value = match self.rest.strip_prefix("=\"") {
                Some(rest) => {
                    self.rest = rest;
                    unescape(self.until("\""))
                }
                None => attribute.to_string().into(),
            };
            match attribute {
                "key" => tag.key = Some(Key::from(&*value)),
                "value" if matches!(name, "input" | "textarea") => tag.set_value(value),
                "checked" => tag.set_checked(*value == *"true"),
                _ => {
                    if attribute == "id" && tag.key.is_none() {
                        tag.key = Some(Key::from(&*value));
                    }
                    names.push(attribute);
                    values.push(set(attribute, value));
                }
            }
        }
        self.until(">");
        tag.attributes = Attributes::Dynamic { keys: kept(&names), values: values.into() };
        if !matches!(name, "input" | "textarea" | "hr") {
            let inner = self.list(name);
            if let Some(children) = tag.children_mut() {
                *children = inner;
            }
        }
        tag
    }
}

/// An attribute as Yew is to set it. An empty class is none.
fn set(name: &str, value: AttrValue) -> Option<AttributeOrProperty> {
    // Once a person has chosen in a list, the attribute no longer says what is chosen; the property does.
    if name == "selected" && cfg!(target_arch = "wasm32") {
        return Some(AttributeOrProperty::Property(JsValue::TRUE));
    }
    (name != "class" || !value.is_empty()).then_some(AttributeOrProperty::Attribute(value))
}

/// The list of an element's attributes, kept for ever: Yew compares such lists by address, and finds at once what has changed between
/// two elements that share one. There are as many as there are kinds of elements in the templates.
fn kept(names: &[&str]) -> &'static [&'static str] {
    thread_local! {
        static KEPT: RefCell<Vec<&'static [&'static str]>> = const { RefCell::new(Vec::new()) };
    }
    KEPT.with(|kept| {
        let mut kept = kept.borrow_mut();
        if let Some(known) = kept.iter().find(|k| **k == names) {
            return *known;
        }
        let mut list: Vec<&'static str> = Vec::with_capacity(names.len());
        for name in names {
            list.push(String::leak(name.to_string()));
        }
        let list: &'static [&'static str] = Vec::leak(list);
        kept.push(list);
        list
    })
}

#[derive(Properties, PartialEq)]
pub struct PartProps {
    pub markup: AttrValue,
}

/// A part of the page, which is drawn again only when its markup has changed.
pub struct Part;

impl Component for Part {
    type Message = ();
    type Properties = PartProps;

    fn create(_: &Context<Part>) -> Part {
        Part
    }

    fn view(&self, context: &Context<Part>) -> Html {
        nodes(&context.props().markup, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</p><script>alert(1)</script><img src=x onerror=\"alert(2)\"> &amp; {A} </svg>\n'";

    /// The only element of some markup.
    fn element(markup: &str) -> VTag {
        match nodes(markup, &[]) {
            VNode::VList(list) => match list.as_slice() {
                [VNode::VTag(tag)] => (**tag).clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    fn children(tag: &VTag) -> Vec<VNode> {
        match tag.children() {
            Some(VNode::VList(list)) => list.to_vec(),
            other => panic!("{other:?}"),
        }
    }

    fn attributes(tag: &VTag) -> Vec<(&str, &str)> {
        tag.attributes.iter().collect()
    }

    #[test]
    fn hostile_text_stays_text() {
        let p = element(&made("<p title=\"{A}\" data-do=\"open {A}\">{A}</p>", &[], &[HOSTILE]));
        assert_eq!(attributes(&p), [("title", HOSTILE), ("data-do", &["open ", HOSTILE].concat())]);
        match children(&p).as_slice() {
            [VNode::VText(text)] => assert_eq!(&*text.text, HOSTILE),
            other => panic!("{other:?}"),
        }
        let area = element(&made("<textarea rows=\"2\" value=\"{A}\">", &[], &[HOSTILE]));
        assert_eq!(area.value().map(|v| &**v), Some(HOSTILE));
    }

    #[test]
    fn fields_keep_value_and_choice_as_properties() {
        let input = element("<input type=\"checkbox\" checked=\"false\" value=\"7\" disabled>");
        assert_eq!((input.checked(), input.value().map(|v| &**v)), (Some(false), Some("7")));
        assert_eq!(attributes(&input), [("type", "checkbox"), ("disabled", "disabled")]);
        let option = element("<option value=\"\" class=\"\"></option>");
        assert_eq!(attributes(&option), [("value", "")], "only an empty class is none");
    }

    #[test]
    fn elements_are_known_by_name_or_place() {
        let keys = |inner: &str| -> Vec<Option<String>> {
            let list = element(&["<ul>", inner, "</ul>"].concat());
            children(&list).iter().map(|c| c.key().map(|k| k.to_string())).collect()
        };
        let some = |key: &str| Some(key.to_string());
        let named = keys("<li key=\"a\" id=\"no\"></li><li></li>\n  <p></p><p id=\"b\"></p>");
        assert_eq!(named, [some("a"), some("0"), some("1"), some("b")]);
        assert_eq!(keys("<li></li><li></li>"), [some("0"), some("1")]);
        assert_eq!(keys("<li></li>"), [None]);
        assert_eq!(keys("<li></li>and"), [None, None]);
    }

    #[test]
    fn pictures_and_parts_are_not_looked_into() {
        let svg = "<svg viewBox=\"0 0 1 1\"><g><text>&lt;</text></g></svg>";
        let list = children(&element(&["<div>", svg, "<ic x><part 1>\n</div>"].concat()));
        match list.as_slice() {
            [VNode::VRaw(picture), VNode::VRaw(icon), VNode::VComp(_)] => {
                assert_eq!(&*picture.html, svg);
                assert!(icon.html.contains("#i-x"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn elements_of_one_kind_share_the_list_of_their_attributes() {
        let keys = |markup: &str| match element(markup).attributes {
            Attributes::Dynamic { keys, .. } => keys.as_ptr(),
            _ => panic!("made otherwise"),
        };
        assert_eq!(keys("<i id=\"a\" class=\"\"></i>"), keys("<b id=\"b\" class=\"c\"></b>"));
    }
}
