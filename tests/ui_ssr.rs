//! The page rendered natively: what stands on it, without a browser.
#![cfg(feature = "ui_ssr")]

use fencepost::app::{Action, AppState, Frame, Mode, Panel, Room, Theme, update::update};
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

/// What a picture needs to be seen, without what only a running program and its keyboard need: every kilobyte of it stands before the
/// first paint. The events are told by the list below the picture.
fn slim(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        let close = rest[open..].find('>').map_or(rest.len(), |c| open + c + 1);
        out.push_str(&rest[..open]);
        let tag = &rest[open..close];
        rest = &rest[close..];
        if tag.starts_with("<path class=\"hit\"") {
            continue;
        }
        if tag.starts_with("<g class=\"m\"") {
            out.push_str("<g>");
            continue;
        }
        let mut tag = tag.to_string();
        for name in ["data-seq", "data-n", "data-to"] {
            while let Some(from) = tag.find(&format!(" {name}=\"")) {
                let value = from + name.len() + 3;
                let to = tag[value..].find('"').map_or(tag.len(), |q| value + q + 1);
                tag.replace_range(from..to, "");
            }
        }
        out.push_str(&tag);
    }
    out + rest
}

#[test]
fn the_first_picture_is_current() {
    let html = slim(&page(&[], false));
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

/// A page whose scenario is `text`.
fn page_of(text: &str) -> String {
    page(&[Action::Type(text.into())], true)
}

#[test]
fn every_verdict_is_a_word_and_a_glyph() {
    let html = page(&[], true);
    let table = html.split("<table").nth(1).and_then(|t| t.split("</table>").next()).expect("a table of verdicts");
    for word in ["No stale write", "broken", "held", "two for", "One believer at a time"] {
        assert!(table.contains(word), "{word}");
    }
    let cells = table.matches("<td").count();
    assert_eq!(table.matches("#i-").count(), cells, "each cell has a glyph");
}

#[test]
fn the_form_shows_values_with_their_units() {
    let html = page(&[], true);
    for field in
        [r#"id="lock-ttl""#, r#"value="10""#, "<i>s</i>", "acquire, read, work 1s, write, release", "Deadline check"]
    {
        assert!(html.contains(field), "{field}");
    }
}

#[test]
fn what_a_person_wrote_is_never_markup() {
    let nasty = "<img src=x onerror=alert(1)>";
    let html = page_of(&format!(
        "schema = \"fencepost.scenario/1\"\ntitle = '{nasty}'\nclaim = '{nasty}'\n[[design]]\nname = '{nasty}'\n"
    ));
    assert!(html.contains("&lt;img src=x"));
    assert!(!html.contains("<img"));
}

#[test]
fn a_broken_text_says_so_and_keeps_the_picture() {
    let start = AppState::first(Theme::Auto, WIDE).doc.text.replace("\"15s\"", "\"15sec\"");
    let html = page_of(&start);
    assert!(html.contains("Shows the last scenario that ran, from before line"));
    assert!(html.contains("class=\"old\"") && html.contains("Unsafe"));
    let text = page(&[Action::Type(start.into()), Action::Mode(Mode::Text)], true);
    assert!(text.contains("class=\"l er\"") && text.contains("<u>"));
}

#[test]
fn without_a_design_one_sentence_has_the_act_in_it() {
    let none = [Action::Tick { design: 0, on: false }, Action::Tick { design: 1, on: false }];
    let html = page(&none, true);
    assert!(html.contains("No design is ticked.") && html.contains("Tick “No fencing”"));
    assert!(!html.contains("role=\"slider\""));
}

#[test]
fn a_narrow_page_has_tabs_with_verdicts() {
    let narrow = Action::Frame(Frame { room: Room::Narrow, width: 366, window_height: 844 });
    let html = page(&[narrow, Action::Front(1)], true);
    assert_eq!(html.matches("role=\"tab\"").count(), 2);
    assert!(html.contains("The resource refused token") && !html.contains("data-col=\"0\""));
}

#[test]
fn the_first_picture_is_disabled_and_whole() {
    let html = page(&[], false);
    assert!(html.starts_with("<fieldset") && html[..80].contains("disabled"));
    for class in ["vw", "vm", "vp"] {
        assert!(html.contains(&format!("<div class=\"{class}\">")), "{class}");
    }
    // Ids are unique over the three pictures.
    let mut ids: Vec<&str> =
        html.match_indices(" id=\"").map(|(i, m)| html[i + m.len()..].split('"').next().unwrap_or("")).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn panels_open() {
    assert!(page(&[Action::Panel(Some(Panel::Stories))], true).contains("role=\"listbox\""));
    assert!(page(&[Action::Panel(Some(Panel::Help))], true).contains("id=\"help\""));
}
