//! Changing a drawing where it stands.
//!
//! While somebody types or drags, the next picture is nearly the one before: the same shapes, some of them elsewhere. So what was written
//! down for both is compared, and only what differs is changed in the document. Elements that stay need no new style, lose no paint, and
//! are not read again by the browser.
//!
//! Siblings are taken in order. Two are of one kind if they have the same name and the same first word in their class; one that has no
//! counterpart is put in or taken out until kinds agree again. That finds no least change, but always a right one.

use super::markup::unescape;
use crate::base::pieces::{cut, find, find_any, part, tail};

/// An element or a text that stands in a document.
pub trait Node: Sized {
    fn first(&self) -> Option<Self>;
    fn next(&self) -> Option<Self>;
    /// Gives an element an attribute.
    fn set(&self, name: &str, value: &str);
    fn unset(&self, name: &str);
    /// Has a text say something else.
    fn say(&self, text: &str);
    /// Takes it out.
    fn remove(&self);
    /// Puts markup in before an element.
    fn put_before(&self, markup: &str);
    /// Puts markup into an element, behind all that is in it.
    fn append(&self, markup: &str);
    /// Puts markup into an element, in place of all that is in it.
    fn fill(&self, markup: &str);
}

/// How far a counterpart is sought.
const FAR: usize = 40;

/// An element or a text of some markup.
#[derive(Clone, Copy)]
struct Piece<'a> {
    /// An element's name and attributes; nothing for a text.
    head: &'a str,
    /// The first word of its class.
    class: &'a str,
    /// All of it.
    whole: &'a str,
    /// What is in the element.
    inner: &'a str,
}

impl Piece<'_> {
    fn is_like(&self, other: &Piece) -> bool {
        self.head.is_empty() == other.head.is_empty()
            && self.class == other.class
            && name(self.head) == name(other.head)
    }
}

fn name(head: &str) -> &str {
    part(head, 0, find_any(head, " "))
}

/// Makes the element `node`, which `before` was written for, what `after` says. Both are one element of the same name.
pub fn patch<N: Node>(node: &N, before: &str, after: &str) {
    if let ([before], [after]) = (&*siblings(before), &*siblings(after)) {
        change(node, before, after);
    }
}

/// As [`patch`], but what is in the element is put in anew.
pub fn renew<N: Node>(node: &N, before: &str, after: &str) {
    if let ([before], [after]) = (&*siblings(before), &*siblings(after)) {
        attributes(node, before.head, after.head);
        node.fill(after.inner);
    }
}

fn change<N: Node>(node: &N, before: &Piece, after: &Piece) {
    if before.whole == after.whole {
        return;
    }
    if after.head.is_empty() {
        return node.say(&unescape(after.whole));
    }
    attributes(node, before.head, after.head);
    if before.inner != after.inner {
        children(node, before.inner, after.inner);
    }
}

fn children<N: Node>(parent: &N, before: &str, after: &str) {
    let (olds, news) = (siblings(before), siblings(after));
    let (mut old, mut new) = (0, 0);
    let mut node = parent.first();
    while old < olds.len() || new < news.len() {
        let (go, come) = steps(&olds[old..], &news[new..]);
        // Markup beside a text would run into it.
        let text = |list: &[Piece]| list.iter().any(|piece| piece.head.is_empty());
        if go + come > 0 && (text(&olds) || text(&news)) {
            return parent.fill(after);
        }
        for _ in 0..go {
            let Some(gone) = node else { return parent.fill(after) };
            node = gone.next();
            gone.remove();
        }
        if let [first, .., last] | [first @ last] = &news[new..new + come] {
            let from = first.whole.as_ptr() as usize - after.as_ptr() as usize;
            let to = last.whole.as_ptr() as usize - after.as_ptr() as usize + last.whole.len();
            match &node {
                Some(next) => next.put_before(part(after, from, to)),
                None => parent.append(part(after, from, to)),
            }
        }
        (old, new) = (old + go, new + come);
        if go + come > 0 {
            continue;
        }
        if let (Some(before), Some(now)) = (olds.get(old), news.get(new)) {
            // Something else has changed the document.
            let Some(same) = node else { return parent.fill(after) };
            node = same.next();
            change(&same, before, now);
            (old, new) = (old + 1, new + 1);
        }
    }
}

/// How many go and how many come before the two lists begin with pieces of one kind, or end.
fn steps(olds: &[Piece], news: &[Piece]) -> (usize, usize) {
    let (Some(old), Some(new)) = (olds.first(), news.first()) else { return (olds.len(), news.len()) };
    let go = olds.iter().take(FAR).position(|piece| piece.is_like(new));
    let come = news.iter().take(FAR).position(|piece| piece.is_like(old));
    match (go, come) {
        (Some(go), Some(come)) if come < go => (0, come),
        (Some(go), _) => (go, 0),
        (None, Some(come)) => (0, come),
        // Neither has a counterpart.
        (None, None) => (1, 1),
    }
}

fn attributes<N: Node>(node: &N, before: &str, after: &str) {
    if before == after {
        return;
    }
    let (olds, news) = (pairs(before), pairs(after));
    for (name, _) in &olds {
        if !news.iter().any(|new| new.0 == *name) {
            node.unset(name);
        }
    }
    for (i, new) in news.iter().enumerate() {
        // Mostly they stand where they stood.
        if olds.get(i) != Some(new) && !olds.contains(new) {
            node.set(new.0, &unescape(new.1));
        }
    }
}

/// Names and values.
fn pairs(head: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let mut rest = tail(head, name(head).len() + 1);
    while !rest.is_empty() {
        let end = find_any(rest, "= ");
        let name = part(rest, 0, end);
        rest = tail(rest, end);
        let mut value = "";
        if let Some(quoted) = rest.strip_prefix("=\"") {
            (value, rest) = cut(quoted, "\"").unwrap_or((quoted, ""));
        }
        if !name.is_empty() {
            out.push((name, value));
        }
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    out
}

/// What stands beside each other.
fn siblings(markup: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < markup.len() {
        let rest = tail(markup, at);
        let piece = if rest.starts_with('<') { element(rest) } else { text(rest) };
        at += piece.whole.len();
        out.push(piece);
    }
    out
}

fn text(rest: &str) -> Piece<'_> {
    Piece { head: "", class: "", whole: part(rest, 0, find_any(rest, "<")), inner: "" }
}

/// The element that some markup begins with.
fn element(rest: &str) -> Piece<'_> {
    let end = find_any(rest, ">");
    let open = part(rest, 1, end);
    let head = open.strip_suffix('/').unwrap_or(open);
    let class = cut(head, " class=\"").map_or("", |it| part(it.1, 0, find_any(it.1, " \"")));
    let mut at = rest.len().min(end + 1);
    let mut inner_end = at;
    let mut depth = usize::from(head.len() == open.len());
    while depth > 0 {
        let Some(next) = find(tail(rest, at), "<") else {
            // Never closed: all that follows is in it.
            (at, inner_end) = (rest.len(), rest.len());
            break;
        };
        let close = at + next;
        at = rest.len().min(close + find_any(tail(rest, close), ">") + 1);
        match (rest.as_bytes().get(close + 1), rest.as_bytes().get(at.wrapping_sub(2))) {
            (Some(b'/'), _) => depth -= 1,
            (_, Some(b'/')) => {}
            _ => depth += 1,
        }
        inner_end = close;
    }
    Piece { head, class, whole: part(rest, 0, at), inner: part(rest, end + 1, inner_end) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::rc::{Rc, Weak};

    /// A document of its own: elements with their attributes in order of names, and texts.
    struct Tree {
        name: String,
        attributes: RefCell<Vec<(String, String)>>,
        text: RefCell<String>,
        inside: RefCell<Vec<Rc<Tree>>>,
        parent: RefCell<Weak<Tree>>,
        touched: Rc<Cell<usize>>,
    }

    #[derive(Clone)]
    struct Leaf(Rc<Tree>);

    impl Leaf {
        fn read(markup: &str, touched: &Rc<Cell<usize>>) -> Vec<Leaf> {
            let plant = |piece: &Piece| {
                let mut attributes: Vec<(String, String)> =
                    pairs(piece.head).iter().map(|p| (p.0.to_string(), unescape(p.1).to_string())).collect();
                attributes.sort();
                let text = if piece.head.is_empty() { unescape(piece.whole).to_string() } else { String::new() };
                let leaf = Leaf(Rc::new(Tree {
                    name: name(piece.head).to_string(),
                    attributes: RefCell::new(attributes),
                    text: RefCell::new(text),
                    inside: RefCell::default(),
                    parent: RefCell::default(),
                    touched: touched.clone(),
                }));
                leaf.adopt(0, Leaf::read(piece.inner, touched));
                leaf
            };
            siblings(markup).iter().map(plant).collect()
        }

        fn adopt(&self, at: usize, leaves: Vec<Leaf>) {
            for (i, leaf) in leaves.into_iter().enumerate() {
                *leaf.0.parent.borrow_mut() = Rc::downgrade(&self.0);
                self.0.inside.borrow_mut().insert(at + i, leaf.0);
            }
        }

        fn place(&self) -> Option<(Leaf, usize)> {
            let parent = self.0.parent.borrow().upgrade()?;
            let at = parent.inside.borrow().iter().position(|c| Rc::ptr_eq(c, &self.0))?;
            Some((Leaf(parent), at))
        }

        fn touch(&self) {
            self.0.touched.set(self.0.touched.get() + 1);
        }

        fn written(&self) -> String {
            let inside: String = self.0.inside.borrow().iter().map(|c| Leaf(c.clone()).written()).collect();
            let t = &self.0;
            format!("<{} {:?}>{:?}{inside}</>", t.name, t.attributes.borrow(), t.text.borrow())
        }
    }

    impl Node for Leaf {
        fn first(&self) -> Option<Leaf> {
            self.0.inside.borrow().first().cloned().map(Leaf)
        }
        fn next(&self) -> Option<Leaf> {
            let (parent, at) = self.place()?;
            parent.0.inside.borrow().get(at + 1).cloned().map(Leaf)
        }
        fn set(&self, name: &str, value: &str) {
            self.touch();
            self.unset(name);
            let mut list = self.0.attributes.borrow_mut();
            list.push((name.into(), value.into()));
            list.sort();
        }
        fn unset(&self, name: &str) {
            self.0.attributes.borrow_mut().retain(|a| a.0 != name);
        }
        fn say(&self, text: &str) {
            self.touch();
            assert_eq!(self.0.name, "", "only a text says something");
            *self.0.text.borrow_mut() = text.into();
        }
        fn remove(&self) {
            self.touch();
            if let Some((parent, at)) = self.place() {
                parent.0.inside.borrow_mut().remove(at);
            }
        }
        fn put_before(&self, markup: &str) {
            self.touch();
            let (parent, at) = self.place().expect("it stands somewhere");
            parent.adopt(at, Leaf::read(markup, &self.0.touched));
        }
        fn append(&self, markup: &str) {
            self.touch();
            let at = self.0.inside.borrow().len();
            self.adopt(at, Leaf::read(markup, &self.0.touched));
        }
        fn fill(&self, markup: &str) {
            self.touch();
            self.0.inside.borrow_mut().clear();
            self.adopt(0, Leaf::read(markup, &self.0.touched));
        }
    }

    /// Says where two differ first, as whole pictures are long.
    fn same(a: &Leaf, b: &Leaf) {
        let (a, b) = (a.written(), b.written());
        let at = a.bytes().zip(b.bytes()).position(|(a, b)| a != b);
        let near = |t: &str| {
            String::from_utf8_lossy(&t.as_bytes()[at.unwrap_or(0).saturating_sub(60)..])
                .chars()
                .take(200)
                .collect::<String>()
        };
        assert!(a == b, "is\n{}\ninstead of\n{}", near(&a), near(&b));
    }

    /// How often the document was touched on the way from one to the other.
    fn patched(before: &str, after: &str) -> usize {
        let touched = Rc::default();
        let plant = |markup: &str| Leaf::read(markup, &touched).remove(0);
        let (node, wanted) = (plant(before), plant(after));
        touched.set(0);
        patch(&node, before, after);
        let count = touched.get();
        same(&node, &wanted);
        renew(&node, after, before);
        same(&node, &plant(before));
        count
    }

    #[test]
    fn only_what_differs_is_touched() {
        let one = "<svg w=\"1\"><g class=\"m a\"><path d=\"M0\"/><text x=\"1\">a &lt; b</text></g><rect class=\"k\"></rect></svg>";
        assert_eq!(patched(one, one), 0);
        assert_eq!(patched(one, &one.replace("M0", "M1")), 1);
        assert_eq!(patched(one, &one.replace("&lt;", "&gt;")), 1);
        assert_eq!(patched(one, &one.replace("m a", "m b")), 1);
        assert_eq!(patched(one, &one.replace(" w=\"1\"", " h=\"1\" on")), 2);
    }

    #[test]
    fn shapes_come_and_go() {
        let shapes = |list: &[&str]| {
            let one = |c: &&str| format!("<g class=\"{c}\"><path d=\"{c}\"/></g>");
            format!("<svg>{}</svg>", list.iter().map(one).collect::<String>())
        };
        let all = ["", "a", "b", "c"];
        // All lists of up to four shapes of three kinds.
        let lists: Vec<Vec<&str>> = (0..256)
            .map(|n| {
                [n % 4, n / 4 % 4, n / 16 % 4, n / 64].map(|i| all[i]).into_iter().filter(|c| !c.is_empty()).collect()
            })
            .collect();
        for from in &lists {
            for to in &lists {
                patched(&shapes(from), &shapes(to));
            }
        }
        // One more among many is one more.
        assert_eq!(patched(&shapes(&["a", "b"]), &shapes(&["a", "c", "b"])), 1);
        assert_eq!(patched(&shapes(&["a", "c", "b"]), &shapes(&["a", "b"])), 1);
    }

    #[test]
    fn texts_beside_elements_are_put_in_anew() {
        patched("<text>a<tspan>b</tspan>c</text>", "<text>a<tspan>b</tspan><tspan>d</tspan>c</text>");
        patched("<text>a</text>", "<text></text>");
        patched("<text></text>", "<text>a</text>");
        patched("<text>a<tspan>b</tspan></text>", "<text><tspan>b</tspan>a</text>");
    }

    #[test]
    fn every_picture_becomes_every_other() {
        use crate::app::{Frame, Room, Scene, Story};
        use crate::scenario::{self, preset};
        let frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };
        let mut before: Option<String> = None;
        for preset in preset::all().iter().take(24) {
            let parsed = scenario::parse(preset.text);
            let scenario = Rc::new(parsed.scenario.expect("a preset is whole"));
            let scene = Scene::of(Rc::new(Story::of(scenario, &[0])), frame);
            let picture = scene.picture.columns[0].body.svg(&crate::view::Sight::ALL);
            if let Some(before) = before {
                patched(&before, &picture);
            }
            before = Some(picture);
        }
    }
}
