//! The root: state, effects, keyboard, contexts.

use super::context::{Document, Send};
use super::cursor::Lit;
use super::help::Help;
use super::scenario::ScenarioPanel;
use super::stage::Stage;
use super::stories::Stories;
use super::top::TopBar;
use super::transport::announce;
use crate::app::effect::{Effect, effects};
use crate::app::{Action, AppState, Cursor, Frame, Mode, Panel, Room, Scene, Story, link, text, update};
use crate::web::keys::{Holder, KeyWatch, holder};
use crate::web::{crash, dom, frame::SizeWatch, store, url};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::KeyboardEvent;
use yew::prelude::*;

impl Reducible for AppState {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        update::update(self, action)
    }
}

#[derive(Properties, PartialEq)]
pub struct AppProps {
    /// What the page opens with.
    pub start: Rc<AppState>,
    /// The engine is there. The static first picture is the same page without one: it stands, and its controls are disabled.
    #[prop_or(true)]
    pub live: bool,
}

#[component]
pub fn App(props: &AppProps) -> Html {
    let start = props.start.clone();
    let state = use_reducer(move || (*start).clone());
    let send = Send(state.dispatcher());
    // Before anything is drawn: drawing may be what breaks.
    crash::remember(&state.doc.text);

    let story = use_memo((state.doc.good.clone(), state.doc.ticked.clone()), |(good, ticked)| {
        good.as_ref().map(|g| Rc::new(Story::of(g.clone(), ticked)))
    });
    let scene = use_memo((ByPointer(story.clone()), state.doc.frame), |(story, frame)| {
        story.0.as_ref().as_ref().map(|s| Rc::new(Scene::of(s.clone(), *frame)))
    });
    let document = Document { doc: state.doc.clone(), scene: (*scene).clone() };

    use_effects(&state);
    use_keyboard(&send, &document, &state.cursor);
    use_size(&send);
    use_address(&send, &state);

    html! {
        <ContextProvider<Send> context={send}>
        <ContextProvider<Document> context={document}>
        <ContextProvider<Cursor> context={state.cursor.clone()}>
            <Page live={props.live} />
        </ContextProvider<Cursor>>
        </ContextProvider<Document>>
        </ContextProvider<Send>>
    }
}

/// Compared by pointer: a story is made anew only when what it depends on has changed.
struct ByPointer<T>(Rc<T>);

impl<T> PartialEq for ByPointer<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
struct PageProps {
    live: bool,
}

#[component]
fn Page(props: &PageProps) -> Html {
    let Document { doc, .. } = super::context::use_document();
    let beside = match (doc.folded, doc.mode) {
        (true, _) => Some("folded"),
        (false, Mode::Text) => Some("text"),
        (false, Mode::Form) => None,
    };
    html! {
        // A fieldset disables all that is in it, for pointer, keyboard and screen reader alike, and makes no box.
        <fieldset class={classes!("root", (!props.live).then_some("shell"))} disabled={!props.live}>
            <TopBar />
            <div class={classes!("lay", beside)}>
                <ScenarioPanel />
                <Stage live={props.live} />
            </div>
            { match doc.panel {
                Some(Panel::Stories) => html! { <Stories origin={doc.origin} title={doc.title().to_string()} /> },
                Some(Panel::Help) => html! { <Help /> },
                _ => html! {},
            } }
            <Lit />
        </fieldset>
    }
}

/// Does to the browser what a change of the state asks for.
#[hook]
fn use_effects(state: &UseReducerHandle<AppState>) {
    let before = use_mut_ref(|| None::<Rc<AppState>>);
    let now = Rc::new((**state).clone());
    use_effect_with(ByPointer(now.clone()), move |_| {
        let old = before.borrow_mut().replace(now.clone());
        for effect in effects(old.as_deref(), &now) {
            match effect {
                Effect::Save { text, origin } => {
                    store::set("text", &text);
                    store::set("origin", origin.unwrap_or_default());
                }
                Effect::Theme(theme) => {
                    dom::set_theme(theme.word());
                    if old.is_some() {
                        store::set("theme", theme.word());
                    }
                }
                Effect::Title(title) => dom::set_title(&title),
                Effect::Address(fragment) => url::set_fragment(&fragment),
            }
        }
    });
}

/// Tells the state how much room there is, now and whenever that changes.
#[hook]
fn use_size(send: &Send) {
    let send = send.clone();
    use_effect_with((), move |_| {
        let watch = dom::find("main").map(|main| {
            let measured = main.clone();
            SizeWatch::new(&main, move || {
                if let Some(frame) = measure(&measured) {
                    send.act(Action::Frame(frame));
                }
            })
        });
        move || drop(watch)
    });
}

/// The room that a `main` element leaves for the picture.
pub fn measure(main: &web_sys::HtmlElement) -> Option<Frame> {
    let (width, height) = dom::window_size()?;
    Some(Frame { room: Room::of(width), width: dom::content_width(main), window_height: height })
}

/// Follows the address when a person or another page changes it.
#[hook]
fn use_address(send: &Send, state: &UseReducerHandle<AppState>) {
    let send = send.clone();
    let latest = use_mut_ref(|| state.doc.clone());
    *latest.borrow_mut() = state.doc.clone();
    use_effect_with((), move |_| {
        let watch = url::FragmentWatch::new(move || match link::read(&url::fragment()) {
            // What is asked for is what is there already: our own change of the address, or the same link again.
            link::Link::Story(id) if latest.borrow().origin == Some(id) && latest.borrow().pristine => {}
            link::Link::Story(id) => send.act(Action::Open(id)),
            link::Link::UnknownStory(id) => send.act(Action::Notice(Some(text::unknown_story_here(&id).into()))),
            link::Link::Plain | link::Link::Unknown => {}
        });
        move || drop(watch)
    });
}

/// What the keyboard needs to know, kept for a listener that is installed once.
struct Keyboard {
    document: Document,
    cursor: Cursor,
}

#[hook]
fn use_keyboard(send: &Send, document: &Document, cursor: &Cursor) {
    let known = use_mut_ref(|| Keyboard { document: document.clone(), cursor: cursor.clone() });
    *known.borrow_mut() = Keyboard { document: document.clone(), cursor: cursor.clone() };
    let send = send.clone();
    use_effect_with((), move |_| {
        let watch = KeyWatch::new(move |event| on_key(&event, &known, &send));
        move || drop(watch)
    });
}

fn on_key(event: &KeyboardEvent, known: &RefCell<Keyboard>, send: &Send) {
    if event.default_prevented() {
        return;
    }
    let Ok(known) = known.try_borrow() else { return };
    let Some(action) = key_action(event, &known, holder(event)) else { return };
    event.prevent_default();
    let (document, cursor) = (known.document.clone(), known.cursor.clone());
    // Sending draws, and drawing borrows again.
    drop(known);
    match action {
        KeyAct::Send(action) => send.act(action),
        KeyAct::Go(at) => {
            if cursor.playing {
                send.act(Action::Play(false));
            }
            send.act(Action::Seek(at));
            announce(&document, at);
        }
    }
}

enum KeyAct {
    Send(Action),
    /// Move the cursor, and say what happens there.
    Go(Option<crate::base::TrueTime>),
}

/// What a key means here and now; `None`: nothing to the page.
fn key_action(event: &KeyboardEvent, known: &Keyboard, holder: Holder) -> Option<KeyAct> {
    let Keyboard { document, cursor } = known;
    let doc = &document.doc;
    let key = event.key();
    let command = event.ctrl_key() || event.meta_key();
    if command && !event.alt_key() {
        // In a field the browser's own undo is nearer to what a person means.
        return match (holder, key.as_str(), event.shift_key()) {
            (Holder::Field, ..) => None,
            (_, "z" | "Z", false) => Some(KeyAct::Send(Action::Undo)),
            (_, "z" | "Z", true) | (_, "y" | "Y", _) => Some(KeyAct::Send(Action::Redo)),
            _ => None,
        };
    }
    if command || event.alt_key() {
        return None;
    }
    if key == "Escape" {
        return match (doc.panel, &cursor.selected) {
            (Some(_), _) => Some(KeyAct::Send(Action::Panel(None))),
            (None, Some(_)) => Some(KeyAct::Send(Action::Select(None))),
            (None, None) if cursor.playing => Some(KeyAct::Send(Action::Play(false))),
            _ => None,
        };
    }
    let covered = matches!(doc.panel, Some(p) if p != Panel::Scenario);
    if holder == Holder::Field || covered {
        return None;
    }
    let scene = document.scene.as_ref()?;
    let here = cursor.at.unwrap_or_else(|| scene.end());
    let past = |t: crate::base::TrueTime| (t < scene.end()).then_some(t);
    match key.as_str() {
        " " if holder == Holder::Page => Some(KeyAct::Send(Action::Play(!cursor.playing))),
        "ArrowRight" | "." => Some(KeyAct::Go(scene.step(here, true).and_then(past))),
        "ArrowLeft" | "," => scene.step(here, false).map(|t| KeyAct::Go(Some(t))),
        "Home" => scene.instants().first().map(|t| KeyAct::Go(Some(*t))),
        "End" => Some(KeyAct::Go(None)),
        "]" => scene.story.step_fault(here, true).map(|t| KeyAct::Go(past(t))),
        "[" => scene.story.step_fault(here, false).map(|t| KeyAct::Go(Some(t))),
        "?" => Some(KeyAct::Send(Action::Panel(Some(Panel::Help)))),
        _ => None,
    }
}
