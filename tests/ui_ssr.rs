//! The page rendered natively: what stands on it, without a browser.
#![cfg(feature = "ui_ssr")]

use fencepost::app::explore::Explore;
use fencepost::app::form::Change;
use fencepost::app::job::{Brought, Place};
use fencepost::app::share::{Recent, Ways};
use fencepost::app::{Action, AppState, Frame, Mode, Panel, Room, Scene, Selection, Story, Theme, update::update};
use fencepost::check::Property;
use fencepost::scenario::preset;
use fencepost::trace::EventSeq;
use fencepost::ui::app::{App, AppProps};
use fencepost::ui::deeds::{self, Now};
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

fn state(actions: &[Action]) -> Rc<AppState> {
    let start = Rc::new(AppState::first(Theme::Auto, WIDE));
    actions.iter().fold(start, |s, a| update(s, a.clone()))
}

/// The state when the second program has done what it was asked for.
fn settled(mut state: Rc<AppState>) -> Rc<AppState> {
    for _ in 0..9 {
        let under_way: Vec<(u32, Vec<String>)> =
            state.jobs.working().map(|t| (t.number, t.job.write().iter().map(|t| t.to_string()).collect())).collect();
        for (number, job) in under_way {
            let answer = fencepost::annex::answer(&job).expect("it is a job");
            state = update(state, Action::Answered(number, answer));
        }
    }
    state
}

fn page(actions: &[Action], live: bool) -> String {
    draw(state(actions), live)
}

fn draw(start: Rc<AppState>, live: bool) -> String {
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

/// Attributes that mean nothing where nothing can be pressed, or that say what is there already: a field is called by the words before it.
/// An id is needed where something else names it: see [`NAMED`].
const NEEDLESS: [&str; 24] = [
    "id",
    "data-seq",
    "data-n",
    "data-to",
    "data-col",
    "data-do",
    "data-set",
    "data-drag",
    "title",
    "autocomplete",
    "spellcheck",
    "role",
    "tabindex",
    "aria-roledescription",
    "aria-hidden",
    "aria-invalid",
    "aria-haspopup",
    "aria-expanded",
    "aria-labelledby",
    "aria-describedby",
    "aria-valuemin",
    "aria-valuemax",
    "aria-valuenow",
    "aria-valuetext",
];

/// Elements that are named by others: by the link over the page, by arrows, by pauses.
const NAMED: [&str; 3] = ["<main", "<marker", "<pattern"];

/// Elements that are left out, from what begins them to what ends them: what cannot be seen (what the pointer hits,
/// words that stand over the picture too), and what the picture is understood without for a moment: what takes things away, ticks, and the
/// tears that the axis shows as well. None of them moves anything when it comes.
const LEFT_OUT: [(&str, &str); 6] = [
    ("<button class=\"x\"", "</button>"),
    ("<path class=\"hit\"", ">"),
    ("<path class=\"tick\"", ">"),
    ("<g class=\"tear", "</g>"),
    ("<title", "</title>"),
    ("<desc", "</desc>"),
];

/// What a picture needs to be seen, without what only a running program and its keyboard need: every kilobyte of it stands before the
/// first paint. The events are told by the list below the picture.
fn slim(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let behind = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
        if let Some((_, end)) = LEFT_OUT.iter().find(|(begin, _)| rest.starts_with(begin)) {
            rest = &rest[behind(end)..];
            continue;
        }
        let (tag, after) = rest.split_at(behind(">"));
        rest = after;
        match tag {
            "<details>" => {
                // It is closed: its heading is all that is seen.
                let (heading, folded) = rest.split_once("</summary>").expect("details have a heading");
                out.extend([tag, heading, "</summary>"]);
                rest = &folded[folded.find("</details>").expect("details end")..];
            }
            _ if tag.starts_with("<g class=\"m\"") => out.push_str("<g>"),
            // A picture fills its place also where that is narrower than what was drawn for a desk.
            _ if tag.starts_with("<svg class=\"dg") => {
                out.push_str(&without_attributes(tag).replace("<svg", "<svg preserveAspectRatio=\"none\""));
            }
            _ if tag.starts_with("<select") => {
                let (options, after) = rest.split_once("</select>").expect("a list of choices ends");
                out.extend(["<select>", &choices(options), "</select>"]);
                rest = after;
            }
            _ => out.push_str(&without_attributes(tag)),
        }
    }
    out + rest
}

/// Of what can be chosen: what is, and the longest, which makes the field as wide as it will be.
fn choices(options: &str) -> String {
    let all: Vec<(bool, &str)> = options
        .split("</option>")
        .filter_map(|it| it.split_once('>'))
        .map(|(tag, text)| (tag.contains("selected"), text))
        .collect();
    let chosen = all.iter().find(|(chosen, _)| *chosen).map_or("", |(_, text)| text);
    let longest = all.iter().map(|(_, text)| *text).max_by_key(|text| text.chars().count()).unwrap_or("");
    let second = if longest == chosen { String::new() } else { format!("<option>{longest}") };
    format!("<option>{chosen}{second}")
}

/// A tag without what is needless.
fn without_attributes(tag: &str) -> String {
    let mut tag = tag.to_string();
    let named = NAMED.iter().any(|it| tag.starts_with(it));
    let field = ["<input", "<textarea"].iter().any(|it| tag.starts_with(it));
    let needless = NEEDLESS.into_iter().filter(|name| !(named && *name == "id"));
    for name in needless.chain(field.then_some("aria-label")) {
        while let Some(from) = tag.find(&format!(" {name}=\"")) {
            let value = from + name.len() + 3;
            let to = tag[value..].find('"').map_or(tag.len(), |q| value + q + 1);
            tag.replace_range(from..to, "");
        }
    }
    tag
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
    let nasty = "\"></p></svg></style><img src=x onerror=alert(1)>{A}&amp;";
    let text = format!(
        "schema = \"fencepost.scenario/1\"\ntitle = '{nasty}'\nclaim = '{nasty}'\n[[design]]\nname = '{nasty}'\n# {nasty}\n"
    );
    let typed = Action::Typed { path: "lock.ttl".into(), unit: "s".into(), raw: nasty.into() };
    let cases = [
        vec![],
        vec![typed],
        vec![Action::Mode(Mode::Text)],
        vec![Action::Panel(Some(Panel::Stories)), Action::Search(nasty.into())],
        vec![Action::Notice(Some(nasty.into()))],
        vec![Action::Panel(Some(Panel::Share)), Action::Export("md".into())],
        vec![Action::Bring(Brought::Text, nasty.into())],
        vec![Action::Frame(Frame { room: Room::Narrow, width: 366, window_height: 844 })],
    ];
    for case in cases {
        let html = draw(settled(state(&[vec![Action::Type(text.as_str().into())], case].concat())), true);
        assert!(html.contains("&lt;img src=x"));
        assert!(!html.contains("<img") && !html.contains("&amp;lt;img"));
    }
}

#[test]
fn a_field_keeps_what_cannot_be_run() {
    let typed = |raw: &str| Action::Typed { path: "lock.ttl".into(), unit: "s".into(), raw: raw.into() };
    let wrong = state(&[typed("12x")]);
    let html = draw(wrong.clone(), true);
    assert!(html.contains("value=\"12x\"") && html.contains("id=\"lock-ttl-error\""));
    assert!(wrong.doc.pristine, "the text waits until it can be run");
    let left = Action::Left("lock.ttl".into());
    assert!(draw(update(wrong.clone(), left.clone()), true).contains("value=\"12x\""), "it stays to be mended");
    assert!(draw(update(wrong, Action::GiveUp("lock.ttl".into())), true).contains("value=\"10\""));
    let right = state(&[typed("12x"), typed("12s"), left]);
    let html = draw(right.clone(), true);
    assert!(html.contains("value=\"12\"") && !html.contains("lock-ttl-error"));
    assert!(right.doc.text.contains("\"12s\""));
}

/// The values of an attribute on a page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let open = format!(" {attribute}=\"");
    html.match_indices(&open).map(|(i, m)| html[i + m.len()..].split('"').next().unwrap_or("")).collect()
}

/// What must be true of every page: what its elements say that they do is understood, its icons exist, its ids are unique. That its templates are whole is asserted where they are read.
fn examine(name: &str, state: &Rc<AppState>) {
    let html = draw(state.clone(), true);
    let story = state.doc.good.as_ref().map(|g| Rc::new(Story::of(g.clone(), &state.doc.ticked)));
    let scene = story.map(|s| Rc::new(Scene::of(s, state.doc.frame)));
    let now = Now { state, scene: scene.as_ref() };
    for words in values(&html, "data-do") {
        let listened = ["pick", ""].contains(&words);
        assert!(listened || deeds::press(words, now).is_some(), "{name}: nobody knows `{words}`");
    }
    for words in values(&html, "data-set") {
        let value = if words == "design" { "fencing" } else { "0" };
        let words = words.replace("&quot;", "\"");
        let known = deeds::tick(&words, true, now).or_else(|| deeds::set(&words, value.to_string()));
        assert!(known.is_some(), "{name}: nobody knows `{words}`");
    }
    let icons = include_str!("../static/icons.html");
    for icon in values(&html, "href").into_iter().filter_map(|h| h.strip_prefix("#i-")) {
        assert!(icons.contains(&format!("id=\"i-{icon}\"")), "{name}: no icon {icon}");
    }
    let mut ids = values(&html, "id");
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "{name}: ids are not unique");
}

#[test]
fn every_page_is_whole_and_does_what_it_says() {
    let narrow = Action::Frame(Frame { room: Room::Narrow, width: 366, window_height: 844 });
    for p in preset::all() {
        for more in [vec![], vec![narrow.clone(), Action::Front(1)], vec![Action::Mode(Mode::Text)]] {
            let tick = Action::Tick { design: 0, on: true };
            examine(p.id, &state(&[vec![Action::Open(p.id), tick], more].concat()));
        }
    }
    let start = AppState::first(Theme::Auto, WIDE).doc.text.clone();
    let broken: Rc<str> = start.replace("\"15s\"", "\"15sec\"").into();
    let panel = |p| vec![Action::Panel(Some(p))];
    let witnesses = Selection { column: 0, seqs: [EventSeq(12)].into(), verdict: Some(Property::StaleWrite) };
    let cases = [
        ("stories", panel(Panel::Stories)),
        ("help", panel(Panel::Help)),
        ("why", panel(Panel::Why)),
        ("share", panel(Panel::Share)),
        ("theme", panel(Panel::Theme)),
        ("scenario", panel(Panel::Scenario)),
        ("folded", vec![Action::Fold(true)]),
        ("broken", vec![Action::Type(broken.clone())]),
        ("broken text", vec![Action::Type(broken), Action::Mode(Mode::Text)]),
        ("nothing", vec![Action::Type("".into())]),
        ("edited", vec![Action::Change(Change::Add { list: "worker".into(), what: String::new() })]),
        ("verdict", vec![Action::Select(Some(witnesses)), Action::Seek(Some(fencepost::base::TrueTime::from_ms(5)))]),
        ("no design", vec![Action::Tick { design: 0, on: false }, Action::Tick { design: 1, on: false }]),
    ];
    for (name, actions) in cases {
        examine(name, &state(&actions));
    }
    let recent = Recent { when: "today".into(), title: "Mine".into(), origin: String::new(), text: "x".into() };
    let at = Action::Seek(Some(fencepost::base::TrueTime::from_ms(5)));
    let lies: Rc<str> = "https://example.org/a.toml".into();
    for (name, actions) in [
        ("share", vec![Action::Panel(Some(Panel::Share)), at, Action::Theme(Theme::Dark)]),
        (
            "share an edited story",
            vec![
                Action::Change(Change::Add { list: "worker".into(), what: String::new() }),
                Action::Panel(Some(Panel::Share)),
            ],
        ),
        ("share a broken text", vec![Action::Type("x = [".into()), Action::Panel(Some(Panel::Share))]),
        ("a text to be taken", vec![Action::Panel(Some(Panel::Share)), Action::Export("md".into())]),
        ("open", vec![Action::Recent([recent].into()), Action::Panel(Some(Panel::Open))]),
        ("no scenario was brought", vec![Action::Bring(Brought::Text, "Dear all".into())]),
        ("something lies elsewhere", vec![Action::Bring(Brought::Text, lies)]),
    ] {
        examine(name, &settled(state(&actions)));
    }
}

#[test]
fn what_is_handed_on_says_what_it_costs() {
    let share = |more: &[Action]| draw(settled(state(&[&[Action::Panel(Some(Panel::Share))], more].concat())), true);
    let html = share(&[]);
    assert!(
        html.contains("#p=gc-pause&amp;o=")
            && html.contains("Fits everywhere")
            && html.contains("With everything in it:")
    );
    assert!(html.contains("Outcome ") && html.contains("the page says so.") && html.contains("QR code"));
    let ways = Ways { everything: true, ..Ways::default() };
    assert!(share(&[Action::Ways(ways)]).contains("#s1d."));
    let there = share(&[Action::Seek(Some(fencepost::base::TrueTime::from_ms(10_195)))]);
    assert!(there.contains("?t=10195#p=gc-pause") && there.contains("opens at 10.195"));
    let edited = share(&[Action::Change(Change::Add { list: "worker".into(), what: String::new() })]);
    assert!(edited.contains("#s1d.") && !edited.contains("#p=gc-pause"));
    for (word, has) in
        [("mmd", "sequenceDiagram"), ("puml", "@startuml"), ("svg", "&lt;svg xmlns"), ("qr", "&lt;svg xmlns")]
    {
        let html = share(&[Action::Export(word.into())]);
        assert!(html.contains("id=\"taken\"") && html.contains(has), "{word}");
    }
}

#[test]
fn what_is_brought_is_opened_and_can_be_undone() {
    let start = state(&[]);
    let text = start.doc.text.replace("10.005 s", "a lease later");
    let brought = |kind, what: &str| settled(update(start.clone(), Action::Bring(kind, what.into())));
    let opened = brought(Brought::Text, &text);
    assert_eq!((&*opened.doc.text, opened.doc.origin), (text.as_str(), None));
    assert_eq!(update(opened, Action::Undo).doc.text, start.doc.text);

    let changed = brought(Brought::Link, "#p=gc-pause&ttl=4s&shine=1");
    assert!(changed.doc.text.contains("\"4s\"") && changed.doc.origin == Some("gc-pause") && !changed.doc.pristine);
    assert!(changed.doc.notice.as_ref().is_some_and(|n| n.contains("“shine” was ignored")));

    let refused = brought(Brought::Text, "Dear all");
    assert_eq!(refused.doc.text, start.doc.text, "nothing is lost");
    let shown = update(refused, Action::TakeOffer);
    assert_eq!((&*shown.doc.text, shown.doc.mode), ("Dear all", Mode::Text));

    let lies = brought(Brought::Link, "#src=https://example.org/a.toml");
    assert_eq!(lies.doc.text, start.doc.text, "nothing is fetched before a person says so");
    let now = Now { state: &lies, scene: None };
    let fetch = deeds::press("offer", now).expect("it is offered").then;
    assert!(
        matches!(fetch.as_slice(), [deeds::Then::Fetch { url, gist: false }] if **url == *"https://example.org/a.toml")
    );
}

#[test]
fn a_blank_page_runs() {
    let blank = state(&[Action::OpenText { text: fencepost::app::share::BLANK.into(), origin: None }]);
    assert!(blank.doc.good.is_some() && !blank.doc.stale);
    assert_eq!(blank.doc.errors().count(), 0);
    assert!(blank.doc.can_undo);
}

/// What the second program is asked for is answered, until nothing more is asked.
fn answered(actions: &[Action]) -> Rc<AppState> {
    work_off(state(actions))
}

fn work_off(mut s: Rc<AppState>) -> Rc<AppState> {
    loop {
        let working = s.jobs.working().next().cloned();
        let Some(task) = working else { return s };
        let job: Vec<String> = task.job.write().iter().map(|t| t.to_string()).collect();
        let action = match fencepost::annex::answer(&job) {
            Ok(texts) => Action::Answered(task.number, texts),
            Err(why) => Action::Unanswered(task.number, why.into()),
        };
        s = update(s, action);
    }
}

#[test]
fn what_the_second_program_draws_is_whole_too() {
    let narrow = Action::Frame(Frame { room: Room::Narrow, width: 366, window_height: 844 });
    let nine = |more: &[Action]| answered(&[more, &[Action::Panel(Some(Panel::Nine))]].concat());
    examine("nine", &nine(&[]));
    examine("nine, narrow", &nine(&[narrow]));
    examine("nine of one", &nine(&[Action::Open("split-votes")]));
    examine(
        "nine of an own story",
        &nine(&[Action::Change(Change::Add { list: "worker".into(), what: String::new() })]),
    );
    let table = answered(&[Action::Panel(Some(Panel::Table))]);
    assert_eq!(table.outcomes.known(), preset::all().len());
    examine("all stories", &table);
    examine("stories with their outcomes", &update(table, Action::Panel(Some(Panel::Stories))));
    let stopped = update(state(&[Action::Panel(Some(Panel::Nine))]), Action::Stop(fencepost::app::job::Place::Nine));
    examine("stopped", &stopped);
}

#[test]
fn a_search_is_whole_before_and_after() {
    let narrow = Action::Frame(Frame { room: Room::Narrow, width: 366, window_height: 844 });
    let own = |value: &str| Action::Explore(Explore::Set("total".into(), value.into()));
    for (name, more) in [("search", vec![]), ("search, narrow", vec![narrow])] {
        let open = answered(&[&more[..], &[Action::Panel(Some(Panel::Explore)), own("1")]].concat());
        examine(name, &open);
        let found = work_off(update(open, Action::Explore(Explore::Run(true))));
        examine(&[name, " that found something"].concat(), &found);
        assert!(draw(found, true).contains("Open as scenario"));
    }
}

/// The second program writes markup that the page reads, and words that the page knows.
#[test]
fn the_panel_that_says_why_is_whole() {
    let (first, scene) = (state(&[]), |s: &AppState| {
        let story = Story::of(s.doc.good.clone().expect("a story"), &s.doc.ticked);
        Rc::new(Scene::of(Rc::new(story), s.doc.frame))
    });
    let scene = scene(&first);
    let now = Now { state: &first, scene: Some(&scene) };
    let asked = deeds::press("why 0 lost-update", now).expect("it can be asked").actions;
    let asked = asked.into_iter().fold(first.clone(), update);
    let task = asked.jobs.at(Place::Why).expect("a job");
    let job: Vec<String> = task.job.write().iter().map(|t| t.to_string()).collect();
    let answer = fencepost::annex::answer(&job).expect("an answer");
    let told = update(asked.clone(), Action::Answered(task.number, answer));
    examine("why", &told);
    let html = draw(told, true);
    assert!(html.contains("W2’s update is gone."), "{html}");
    assert!(!draw(asked, true).contains("update is gone"), "before the answer is there");
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
    for class in ["vw", "vp"] {
        assert!(html.contains(&format!("<div class=\"{class}\"")), "{class}");
    }
    // Ids are unique over the pictures.
    let mut ids = values(&html, "id");
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
