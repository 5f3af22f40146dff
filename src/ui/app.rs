//! The root: it keeps the state, draws the page from it as text, and does to the browser what the state asks for.

use super::compare::{compare, comparing, ways_below};
use super::cursor::{hairline, lit, tip};
use super::deeds::{Deeds, Now, Then};
use super::grips::grips;
use super::listen::{KINDS, hear};
use super::markup::{made, nodes, on};
use super::pointing::Pointer;
use super::{
    carry, columns, events, help, jobs, legend, menu, play, scenario, share, sight, stage, stories, texts, top,
    transport, verdicts, why,
};
use crate::app::drag::Hand;
use crate::app::effect::{Effect, effects};
use crate::app::job::Brought;
use crate::app::seen::Seen;
use crate::app::{Action, AppState, Frame, Mode, Panel, Room, Scene, Story, Texts, link, update};
use crate::web::{annex, crash, dom, frame, store, url};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use yew::html::Scope;
use yew::prelude::*;

#[derive(Properties)]
pub struct AppProps {
    /// What the page opens with.
    pub start: Rc<AppState>,
    /// The engine is there. The static first picture is the same page without one: it stands, and its controls are disabled.
    #[prop_or(true)]
    pub live: bool,
}

/// The page is opened once: what it opens with is the same if it is the same state.
impl PartialEq for AppProps {
    fn eq(&self, other: &AppProps) -> bool {
        Rc::ptr_eq(&self.start, &other.start) && self.live == other.live
    }
}

/// Typing that rests for so long is one change.
const REST_MS: u32 = 900;

/// So long after the page has begun to answer it fetches what it may need next.
const FETCH_MS: u32 = 500;

pub struct App {
    state: Rc<AppState>,
    story: Option<Rc<Story>>,
    scene: Option<Rc<Scene>>,
    /// The page, and the parts of it that change at rates of their own; see [`PAGE`].
    page: String,
    parts: [AttrValue; 14],
    /// The state that the browser has been told of.
    told: Option<Rc<AppState>>,
    /// What is to be done when the page has been drawn.
    then: Vec<Then>,
    pointer: Pointer,
    ticker: Option<frame::Ticker>,
    rest: Option<Timeout>,
    /// What all but the picture was last drawn for, while that is to be caught up with; see [`hurried`].
    owed: Option<Rc<AppState>>,
}

const TOP: usize = 0;
const SCENARIO: usize = 1;
const OVER: usize = 2;
const TABS: usize = 3;
const COLUMNS: usize = 4;
const HAIRLINE: usize = 5;
const KEY: usize = 6;
const TRANSPORT: usize = 7;
const BELOW: usize = 8;
const PANEL: usize = 9;
const LIT: usize = 10;
const GRIPS: usize = 11;
const MENU: usize = 12;
const COMPARED: usize = 13;

/// A fieldset disables all that is in it, for pointer, keyboard and screen reader alike, and makes no box.
const PAGE: &str = r#"<fieldset class="root{a}"{b}>
<part 0>
<div class="lay{c}"><part 1>
<main id="main"><part 2><div class="{d}">{e}</div><part 7><part 8><part 12></main>
</div>
<part 9><part 10>
</fieldset>"#;

const PICTURE: &str = r#"<part 3><div {a}><part 4><part 5><part 11></div>{b}<part 6>"#;

impl Component for App {
    type Message = Deeds;
    type Properties = AppProps;

    fn create(context: &Context<App>) -> App {
        let mut app = App {
            state: context.props().start.clone(),
            story: None,
            scene: None,
            page: String::new(),
            parts: Default::default(),
            told: None,
            then: Vec::new(),
            pointer: Pointer::default(),
            ticker: None,
            rest: None,
            owed: None,
        };
        app.draw_picture(None, context.props().live);
        app.draw_around(None);
        app.draw_rest(None);
        app
    }

    fn update(&mut self, context: &Context<App>, deeds: Deeds) -> bool {
        let before = self.state.clone();
        let (hurry, typed) = (hurried(&deeds), deeds.actions.iter().all(is_typing));
        for action in deeds.actions {
            if matches!(action, Action::Type(_)) {
                let scope = context.link().clone();
                self.rest = Some(Timeout::new(REST_MS, move || scope.send_message(Action::Commit)));
            }
            self.state = update::update(self.state.clone(), action);
        }
        // What is drawn anew loses the keyboard, and gets it back where it then is, unless something else is to have it.
        if before.seen != self.state.seen {
            self.then.push(Then::Keep);
        }
        self.then.extend(deeds.then);
        let owed = self.owed.take();
        if Rc::ptr_eq(&before, &self.state) && owed.is_none() {
            return !self.then.is_empty();
        }
        self.draw_picture(Some(&before), true);
        let since = owed.unwrap_or(before);
        // A hand that drags has to see what it holds; one that types is elsewhere.
        if !(hurry && typed) {
            self.draw_around(Some(&since));
        }
        if hurry {
            self.owed = Some(since);
            let scope = context.link().clone();
            frame::after_paint(move || scope.send_message(Deeds::default()));
        } else {
            self.draw_rest(Some(&since));
        }
        true
    }

    fn view(&self, _: &Context<App>) -> Html {
        nodes(&self.page, &self.parts)
    }

    fn rendered(&mut self, context: &Context<App>, first: bool) {
        if first {
            listen(context.link());
            // Once the page is there, so are soon the texts that somebody may want next.
            let scope = context.link().clone();
            Timeout::new(FETCH_MS, move || scope.send_message(Action::Texts(Texts::Coming))).forget();
        }
        if self.owed.is_none() {
            let before = self.told.replace(self.state.clone());
            for effect in effects(before.as_deref(), &self.state) {
                tell(effect, first, context.link());
            }
            self.play(before.as_deref(), context.link());
        }
        for then in std::mem::take(&mut self.then) {
            if let (Then::Verdicts(said), Some(scene)) = (&then, &self.scene) {
                dom::say(&super::pointing::outcome(said, scene));
            }
            match then {
                // Not where it was when this began: a key may have led on before all was drawn.
                Then::Keep => self.pointer.held.borrow().iter().for_each(|held| dom::keep(held)),
                then => finish(then, context.link()),
            }
        }
    }
}

impl App {
    fn now(&self) -> Now<'_> {
        Now { state: &self.state, scene: self.scene.as_ref() }
    }

    /// Writes down what of the picture may look different from how it did in the state `before`. While the cursor plays, that is the
    /// cursor's own.
    fn draw_picture(&mut self, before: Option<&AppState>, live: bool) {
        // A program that runs in a browser is live: what is drawn without one is drawn natively, and costs the page nothing.
        let live = live || cfg!(target_arch = "wasm32");
        let state = self.state.clone();
        let (doc, cursor) = (&state.doc, &state.cursor);
        // Before anything is drawn: drawing may be what breaks.
        crash::remember(&doc.text);
        // What was dragged lies still: everything takes its place again.
        let settled = before.is_some_and(|b| b.desk.drag.is_some() && state.desk.drag.is_none());
        let on_paper = |s: &AppState| s.seen == Seen::ALL;
        let new_doc = settled || before.is_none_or(|b| !Rc::ptr_eq(&b.doc, doc) || on_paper(b) != on_paper(&state));
        if new_doc {
            self.compute(before, settled);
        }
        let seen = state.seen;
        let new_seen = before.is_none_or(|b| b.seen != seen);
        let sight = |column: usize| seen.of(column, cursor.hover);
        let scene = self.scene.clone().filter(|s| !s.story.runs.is_empty());
        let compared = comparing(doc);
        let mut draw = |part: usize, with: &dyn Fn(&mut String)| {
            let mut out = String::new();
            with(&mut out);
            self.parts[part] = out.into();
        };
        if new_doc {
            let picture = match &scene {
                _ if compared.is_some() => "<part 13>".to_string(),
                Some(scene) if live => {
                    draw(TABS, &|out| columns::tabs(out, scene, doc.front));
                    draw(COLUMNS, &|out| columns::columns(out, scene, doc.front, &sight));
                    draw(KEY, &|out| legend::legend(out, scene));
                    let mut behind = String::new();
                    if seen == Seen::ALL {
                        columns::behind_tabs(&mut behind, scene, doc.front);
                    }
                    made(PICTURE, &[], &[&columns::style(scene, doc.front), &behind])
                }
                Some(scene) => {
                    draw(COLUMNS, &|out| stage::still(out, &scene.story, doc.front));
                    "<part 4>".to_string()
                }
                None => {
                    draw(COLUMNS, &|out| stage::empty(out, doc));
                    "<part 4>".to_string()
                }
            };
            let beside = match (doc.folded || compared.is_some(), doc.mode) {
                (true, _) => " folded",
                (false, Mode::Text) => " text",
                (false, Mode::Form) => "",
            };
            let args = [on(!live, " shell"), on(!live, " disabled"), beside, on(doc.stale, "old"), &picture];
            self.page = made(PAGE, &[], &args);
        } else if let Some(scene) = scene.as_ref().filter(|_| new_seen && compared.is_none()) {
            draw(COLUMNS, &|out| columns::columns(out, scene, doc.front, &sight));
        }
    }

    /// Writes down what lies over the picture and belongs to it.
    fn draw_around(&mut self, since: Option<&AppState>) {
        let state = self.state.clone();
        let (doc, desk, cursor, seen) = (&state.doc, &state.desk, &state.cursor, state.seen);
        let sight = |column: usize| seen.of(column, cursor.hover);
        let compared = comparing(doc);
        let scene = self.scene.clone().filter(|s| !s.story.runs.is_empty() && compared.is_none());
        let mut draw = |part: usize, with: &dyn Fn(&mut String, &Scene)| {
            let mut out = String::new();
            if let Some(scene) = &scene {
                with(&mut out, scene);
            }
            self.parts[part] = out.into();
        };
        if since.is_none_or(|b| !Rc::ptr_eq(&b.doc, doc) || b.seen != seen || other_desk(b, &state)) {
            draw(GRIPS, &|out, scene| grips(out, scene, doc.front, desk.drag.as_ref(), &sight));
        }
        draw(HAIRLINE, &|out, scene| {
            hairline(out, scene, cursor);
            tip(out, scene, cursor, doc.front);
        });
        draw(TRANSPORT, &|out, scene| transport::transport(out, doc, scene, cursor));
        draw(LIT, &|out, scene| lit(out, scene, cursor, doc.front));
    }

    /// Writes down what else may look different from how it did in the state `since`.
    fn draw_rest(&mut self, since: Option<&AppState>) {
        let state = self.state.clone();
        let (doc, desk, cursor, seen) = (&state.doc, &state.desk, &state.cursor, state.seen);
        let new_doc = since.is_none_or(|b| !Rc::ptr_eq(&b.doc, doc));
        let new_desk = since.is_none_or(|b| other_desk(b, &state));
        let compared = comparing(doc);
        let scene = self.scene.clone().filter(|s| !s.story.runs.is_empty() && compared.is_none());
        let mut draw = |part: usize, with: &dyn Fn(&mut String)| {
            let mut out = String::new();
            with(&mut out);
            self.parts[part] = out.into();
        };
        if new_doc || new_desk {
            draw(COMPARED, &|out| compared.into_iter().for_each(|panel| compare(out, &state, panel)));
            draw(TOP, &|out| top::top(out, doc));
            draw(SCENARIO, &|out| scenario::scenario(out, doc, desk));
            draw(PANEL, &|out| match doc.panel {
                Some(Panel::Stories) => stories::stories(out, &state),
                Some(Panel::Help) => help::help(out, desk),
                Some(Panel::Why) => why::panel(out, &state),
                Some(Panel::Share) => share::share(out, &state),
                Some(Panel::Open) => share::open(out, &state),
                _ => {}
            });
            draw(MENU, &|out| {
                if let Some(open) = &desk.menu {
                    menu::menu(out, open);
                }
            });
            draw(OVER, &|out| stage::over(out, doc, desk));
        }
        if new_doc || since.is_none_or(|b| b.seen != seen || b.cursor.selected != cursor.selected) {
            draw(BELOW, &|out| {
                let Some(scene) = &scene else { return };
                ways_below(out);
                verdicts::verdicts(out, scene, cursor);
                events::events(out, scene, doc.front, cursor, &seen);
                stage::footer(out, scene);
                share::printed(out, doc);
            });
        }
    }

    /// Runs and draws what has changed. A wider window draws again and runs nothing.
    fn compute(&mut self, before: Option<&AppState>, settled: bool) {
        let doc = &self.state.doc;
        let same_story = before.is_some_and(|b| {
            b.doc.ticked == doc.ticked && b.doc.good.as_ref().map(Rc::as_ptr) == doc.good.as_ref().map(Rc::as_ptr)
        });
        if !same_story {
            self.story = doc.good.as_ref().map(|g| Rc::new(Story::of(g.clone(), &doc.ticked)));
        }
        let other_look = before.is_some_and(|b| b.doc.frame != doc.frame || b.doc.view != doc.view);
        if settled || !same_story || other_look {
            // Rows stay where they are while something is dragged.
            let still = self.scene.take().filter(|_| self.state.desk.drag.is_some());
            let scene = |s: &Rc<Story>| match &still {
                Some(before) => Scene::held(s.clone(), before),
                None => Scene::viewed(s.clone(), doc.frame, &doc.view),
            };
            self.scene = self.story.as_ref().map(|s| Rc::new(scene(s)));
        }
    }

    /// Moves the cursor while it plays.
    fn play(&mut self, before: Option<&AppState>, scope: &Scope<App>) {
        let (doc, cursor) = (&self.state.doc, &self.state.cursor);
        let same = before.is_some_and(|b| {
            b.cursor.playing == cursor.playing && b.cursor.speed == cursor.speed && Rc::ptr_eq(&b.doc, doc)
        });
        if same {
            return;
        }
        self.ticker = None;
        if let Some(scene) = self.scene.clone().filter(|_| cursor.playing) {
            let scope = scope.clone();
            let mut player = play::Player::new(scene, cursor.at, cursor.speed.factor());
            self.ticker = Some(frame::Ticker::new(move |ms| {
                if let Some(deeds) = player.tick(ms) {
                    scope.send_message(deeds);
                }
            }));
        }
    }
}

/// What does not wait for the rest of the page: while somebody types or drags, the picture comes with the next frame, and what stands
/// around it one frame later. A field shows by itself what is typed.
fn hurried(deeds: &Deeds) -> bool {
    let quick = |a: &Action| is_typing(a) || matches!(a, Action::Hand(Hand::Move(_)));
    !deeds.actions.is_empty() && deeds.then.is_empty() && deeds.actions.iter().all(quick)
}

fn is_typing(action: &Action) -> bool {
    matches!(action, Action::Type(_) | Action::Typed { .. })
}

/// What lies on the desk, or what the second program has said, is not what it was.
fn other_desk(a: &AppState, b: &AppState) -> bool {
    let same = Rc::ptr_eq(&a.desk, &b.desk) && Rc::ptr_eq(&a.jobs, &b.jobs);
    !(same
        && Rc::ptr_eq(&a.outcomes, &b.outcomes)
        && Rc::ptr_eq(&a.sweep, &b.sweep)
        && Rc::ptr_eq(&a.explore, &b.explore))
}

/// Hears everything that happens, for as long as the page is open.
fn listen(scope: &Scope<App>) {
    let (Some(window), Some(document)) = (dom::window(), dom::document()) else { return };
    let here = scope.clone();
    dom::listen(&document, &KINDS, move |event| {
        // What the page does itself while it draws needs no answer.
        let deeds = here.get_component().and_then(|app| hear(&event, app.now(), &app.pointer));
        if let Some(deeds) = deeds.filter(|d| !(d.actions.is_empty() && d.then.is_empty())) {
            here.send_message(deeds);
        }
    });
    let here = scope.clone();
    dom::listen(&window, &["hashchange", "beforeprint", "afterprint"], move |event| {
        let deeds = here.get_component().and_then(|app| match event.type_().as_str() {
            "hashchange" => follow(&app.state).map(Deeds::from),
            print => Some(sight::printing(print == "beforeprint", app.now())),
        });
        if let Some(deeds) = deeds {
            here.send_message(deeds);
        }
    });
    let here = scope.clone();
    frame::on_size("main", move |main| {
        // Paper has a room of its own.
        let known = here.get_component().filter(|app| app.state.seen != Seen::ALL).map(|app| app.state.doc.frame);
        if known.is_none() {
            return;
        }
        if let Some(frame) = measure(main).filter(|f| Some(*f) != known) {
            here.send_message(Action::Frame(frame));
        }
        if let Some(action) = here.get_component().and_then(|app| sight::look(app.now())) {
            here.send_message(action);
        }
    });
}

/// Follows the address when a person or another page has changed it.
fn follow(state: &AppState) -> Option<Action> {
    match link::read(&url::fragment()) {
        // What is asked for is what is there already: our own change of the address, or the same link again.
        link::Link::Story(id) if state.doc.origin == Some(id) && state.doc.pristine => None,
        link::Link::Story(id) => Some(Action::Open(id)),
        link::Link::More => Some(Action::Bring(Brought::Link, url::fragment().into())),
        link::Link::Plain => None,
    }
}

/// The room that a `main` element leaves for the picture.
pub fn measure(main: &web_sys::HtmlElement) -> Option<Frame> {
    let (width, height) = dom::window_size()?;
    let room = Room::of(width);
    // What `static/page.css` leaves free at both sides.
    let padding = if room == Room::Narrow { 12 } else { 16 };
    let width = main.client_width().max(2 * padding) - 2 * padding;
    Some(Frame { room, width: width as u32, window_height: height })
}

/// Of a panel: what closes it, what opens it, what in it has the keyboard first.
const fn keyboard(panel: Panel) -> (&'static str, &'static str, &'static str) {
    match panel {
        Panel::Stories => ("#picker", "#stories-button", "#picker input"),
        Panel::Help => ("#help", "#help-button", "#help"),
        Panel::Share => ("#share", "#share-button", "#share"),
        Panel::Open => ("#open", "#share-button", "#open"),
        Panel::Theme => ("#theme-menu", "#theme-button", "#theme-menu button"),
        Panel::Nine => ("#nine", "#nine-button", "#nine"),
        Panel::Table => ("#table", "#table-button", "#table"),
        Panel::Sweep => ("#sweep", "#sweep-button", "#sweep"),
        Panel::Explore => ("#explore", "#explore-button", "#explore"),
        // Whatever opened it is marked.
        Panel::Why => ("#why", "[data-opener]", "#why"),
        Panel::Scenario => ("", "", ""),
    }
}

/// Does to the browser what a change of the state asks for.
fn tell(effect: Effect, first: bool, scope: &Scope<App>) {
    match effect {
        Effect::Theme(theme) => {
            dom::set_theme(theme.word());
            if !first {
                let _ = store::set("theme", theme.word());
            }
        }
        Effect::Title(title) => dom::set_title(&title),
        Effect::Address(fragment) => url::set_fragment(&fragment),
        Effect::Closed(Panel::Scenario) | Effect::Opened(Panel::Scenario) => {}
        Effect::Closed(panel) => dom::give_back(keyboard(panel).0, keyboard(panel).1),
        Effect::Opened(panel) => {
            if panel == Panel::Why {
                dom::mark_opener();
            }
            dom::focus(keyboard(panel).2);
        }
        Effect::Row => dom::reveal("#picker [aria-selected=true]"),
        Effect::Fetch => {
            let scope = scope.clone();
            texts::fetch(Box::new(move |texts| scope.send_message(Action::Texts(texts))));
        }
        Effect::Stop => annex::stop(0),
        Effect::LetGo => annex::stop(1),
        Effect::Ask { number, job, lane } => jobs::ask(number, &job, lane, scope),
        other => carry::tell(other, scope),
    }
}

fn finish(then: Then, scope: &Scope<App>) {
    match then {
        Then::Say(what) => dom::say(&what),
        Then::Verdicts(_) => {}
        Then::Line(line) => dom::go_to_line(line),
        Then::Reveal(selector) => dom::reveal(&selector),
        Then::Focus(selector) => dom::focus(&selector),
        Then::Keep => {}
        other => carry::finish(other, scope),
    }
}
