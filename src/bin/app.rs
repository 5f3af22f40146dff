//! The page: what it opens with, and the start.

use fencepost::app::history::Snapshot;
use fencepost::app::job::Brought;
use fencepost::app::state::FIRST_STORY;
use fencepost::app::text::{self, share};
use fencepost::app::{Action, AppState, Frame, Room, Texts, Theme, link, update::update};
use fencepost::scenario::preset;
use fencepost::ui::app::{App, AppProps, measure};
use fencepost::ui::{carry, texts};
use fencepost::web::{crash, dom, store, url};
use std::rc::Rc;

fn main() {
    yew::set_custom_panic_hook(Box::new(crash::hook));
    match link::read(&url::fragment()) {
        // The page says that a story is opened, and shows no other one meanwhile.
        link::Link::Story(id) if preset::by_id(id).is_none() => texts::fetch(Box::new(open)),
        _ => open(Texts::Away),
    }
}

fn open(texts: Texts) {
    let Some(root) = dom::find("#app") else { return };
    let mut start = Rc::new(start(texts));
    if link::read(&url::fragment()) == link::Link::More {
        start = update(start, Action::Bring(Brought::Link, url::fragment().into()));
    }
    dom::opened();
    yew::Renderer::<App>::with_root_and_props(root.into(), AppProps { start, live: true }).render();
}

/// The link decides, then what was being worked on, then the first story. A draft that a link covers is one undo away.
fn start(texts: Texts) -> AppState {
    let theme = store::get("theme").and_then(|w| Theme::from_word(&w)).unwrap_or_default();
    // The static picture stands already, so the room can be measured before anything is drawn.
    let frame = dom::find("main").and_then(|m| measure(&m)).unwrap_or(Frame {
        room: Room::Wide,
        width: 1160,
        window_height: 900,
    });
    let draft = store::get("text").filter(|t| !t.is_empty()).map(|t| {
        let origin = store::get("origin").and_then(|id| preset::known(&id));
        Snapshot { text: t.into(), origin }
    });
    let crashed = crash::happened();
    let options = link::options(&url::query());
    let (asked, notice) = match link::read(&url::fragment()) {
        link::Link::Story(id) => (Some(id), None),
        // What it carries is read by the second program, and opened when it is there.
        link::Link::More => (crashed.then_some(FIRST_STORY), Some(share::OPENING_LINK.to_string())),
        link::Link::Plain if crashed => (Some(FIRST_STORY), Some(text::RESTORED_AFTER_CRASH.to_string())),
        link::Link::Plain => (None, None),
    };
    let mut state = match (asked.and_then(preset::by_id), draft) {
        (Some(p), draft) => AppState::new(p.text.into(), Some(p.id), draft, theme, frame),
        (None, Some(d)) => AppState::new(d.text, d.origin, None, theme, frame),
        (None, None) => AppState::first(theme, frame),
    };
    carry::begin(&mut state);
    if let Some(theme) = options.theme {
        Rc::make_mut(&mut state.doc).theme = theme;
    }
    if link::read(&url::fragment()) == link::Link::More {
        Rc::make_mut(&mut state.doc).opening = Some(Rc::new(options));
    } else {
        fencepost::app::share::show(&mut state, &options);
    }
    if let Some(notice) = notice {
        Rc::make_mut(&mut state.doc).notice = Some(notice.into());
    }
    let desk = Rc::make_mut(&mut state.desk);
    desk.wanted = asked.filter(|id| preset::by_id(id).is_none());
    desk.texts = texts;
    state
}
