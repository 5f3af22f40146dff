//! The page rendered natively: what stands on it, without a browser.
#![cfg(feature = "ui_ssr")]

use fencepost::app::{Action, AppState, Frame, Panel, Room, Theme, update::update};
use fencepost::ui::app::{App, AppProps};
use std::future::Future;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

const WIDE: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

/// Runs a future that only ever waits for itself.
fn ready<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..10_000 {
        if let Poll::Ready(out) = future.as_mut().poll(&mut context) {
            return out;
        }
    }
    panic!("rendering waits for something that never comes");
}

fn page(actions: &[Action], live: bool) -> String {
    let start = Rc::new(AppState::first(Theme::Auto, WIDE));
    let start = actions.iter().fold(start, |s, a| update(s, a.clone()));
    let props = AppProps { start, live };
    ready(yew::LocalServerRenderer::<App>::with_props(props).hydratable(false).render())
}

#[test]
fn the_page_shows_both_verdicts_at_once() {
    let html = page(&[], true);
    for word in ["Unsafe", "Safe", "GC pause", "true time", "15.005"] {
        assert!(html.contains(word), "{word}");
    }
}

#[test]
fn the_first_picture_is_current() {
    let html = page(&[], false);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/static/first-picture.html");
    if std::env::var_os("FENCEPOST_BLESS").is_some() {
        std::fs::write(path, &html).expect("static/ can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == html,
        "static/first-picture.html is not what the page draws: run with FENCEPOST_BLESS=1 and look at it"
    );
}

#[test]
fn panels_open() {
    assert!(page(&[Action::Panel(Some(Panel::Stories))], true).contains("role=\"listbox\""));
    assert!(page(&[Action::Panel(Some(Panel::Help))], true).contains("id=\"help\""));
}
