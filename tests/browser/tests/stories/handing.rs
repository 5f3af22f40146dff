//! Handing a story on and bringing one in: links, exports, pictures that carry their scenario, links that are broken.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use std::fs;

pub const STORIES: &[Story] = stories![
    a_link_opens_the_same_run_for_a_stranger,
    what_is_exported_is_what_it_says,
    a_picture_brings_its_scenario_back,
    a_text_is_brought_in_by_dropping_it,
    a_broken_link_says_what_is_wrong_and_loses_nothing,
];

fn open(visitor: &Visitor) -> Browser {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page
}

/// Changes the lease, and waits until the page has noticed.
fn edit(page: &Browser) {
    page.fill("#lock-ttl", "12");
    page.wait_for_text("#stories-button small", |t| t == "edited");
}

/// Seed, digest and endings of the runs.
const OUTCOME: &str = "document.querySelector('footer').textContent";

fn outcome(page: &Browser) -> String {
    page.hidden_text("footer")
}

fn share(page: &Browser) {
    page.click("#share-button");
    page.wait_for("#share-link");
}

fn a_link_opens_the_same_run_for_a_stranger(visitor: &Visitor) {
    let page = open(visitor);
    let unedited = outcome(&page);
    edit(&page);
    let here = outcome(&page);
    assert_ne!(here, unedited);
    share(&page);
    let link = page.hidden_text("#share-link");
    let suffix = page.suffix(&link);
    assert!(suffix.contains("#s1d.") && suffix.contains("&o="), "{suffix}");
    // What the panel promises of the outcome is what the page shows of it.
    let promise = page.hidden_text("#share .dig b");
    assert!(promise.len() > 8, "{promise}");
    let stranger = visitor.stranger();
    let there = stranger.open(&suffix, 1440, 900, false);
    there.wait_until("document.querySelector('#lock-ttl')?.value == '12'");
    there.wait_for_value(OUTCOME, here);
    assert_eq!(there.count(".note"), 0, "the outcome is the one that was shared");
    share(&there);
    there.wait_for_value("document.querySelector('#share .dig b').textContent", promise);
}

fn what_is_exported_is_what_it_says(visitor: &Visitor) {
    let page = open(visitor);
    share(&page);
    for (word, begins, holds) in [
        ("svg", "<svg", "still believes"),
        ("mmd", "---", "sequenceDiagram"),
        ("puml", "@startuml", "@enduml"),
        ("md", "# GC pause", "15.005"),
        ("toml", "schema", "until"),
        ("json", "{", "fencepost.scenario/1"),
        ("trace", "{", "fencepost.trace/1"),
    ] {
        page.click(&format!("#share [data-do='export {word}']"));
        // Until it is there, the one before stands.
        page.wait_until(&format!(
            "(text => text.includes('{holds}') && text.trimStart().startsWith('{begins}'))(document.querySelector('#taken')?.value || '')"
        ));
        if word == "svg" {
            let parsed = page.eval(
                "const svg = new DOMParser().parseFromString(document.querySelector('#taken').value, 'image/svg+xml'); \
                 return svg.querySelectorAll('parsererror').length == 0 && svg.querySelectorAll('text').length > 20",
            );
            assert_eq!(parsed, true, "a picture that other programs can read");
        }
    }
}

fn a_picture_brings_its_scenario_back(visitor: &Visitor) {
    let page = open(visitor);
    edit(&page);
    let here = outcome(&page);
    share(&page);
    // What the page would save is looked at instead: a browser that nobody sees asks nobody where to.
    page.run_inside("window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.href) }");
    page.click("#share [data-do='export png']");
    page.wait_until("window.saved.length == 1");
    let address = page.eval("return window.saved[0]");
    let (_, bytes) = address.as_str().and_then(|it| it.split_once(";base64,")).expect("a picture");
    let bytes = BASE64.decode(bytes).expect("base64");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "{} bytes", bytes.len());
    let file = std::env::temp_dir().join(format!("fencepost-{}-{}.png", visitor.engine(), std::process::id()));
    fs::write(&file, bytes).expect("a file");

    let stranger = visitor.stranger();
    let there = stranger.open("#p=delayed-packet", 1440, 900, false);
    there.wait_for("#stories-button:not(:disabled)");
    there.wait_for_text("h1", |t| t != "GC pause");
    share(&there);
    there.click("#share [data-do='panel open']");
    there.choose_file("#file", &file);
    there.wait_for_text("h1", |t| t == "GC pause");
    there.wait_until("!document.querySelector('#open')");
    there.wait_for_value(OUTCOME, here);
    // Brought in is done, and what is done can be undone.
    there.click("[aria-label=Undo]");
    there.wait_for_text("h1", |t| t != "GC pause");
    fs::remove_file(&file).expect("our own file");
}

fn a_text_is_brought_in_by_dropping_it(visitor: &Visitor) {
    let page = open(visitor);
    let drop = |contents: &str| {
        page.run_inside(&format!(
            "{{ const data = new DataTransfer(); data.items.add(new File([{contents:?}], 'a.toml', {{ type: 'text/plain' }})); \
             for (const kind of ['dragenter', 'dragover', 'drop']) {{ \
             const event = new DragEvent(kind, {{ bubbles: true, cancelable: true, dataTransfer: data }}); \
             if (!event.dataTransfer?.files.length) Object.defineProperty(event, 'dataTransfer', {{ value: data }}); \
             document.querySelector('main').dispatchEvent(event) }} }}"
        ));
    };
    drop(
        "schema = \"fencepost.scenario/1\"\ntitle = \"Dropped\"\n[[worker]]\nname = \"W1\"\n[[design]]\nprotection = \"none\"\n",
    );
    page.wait_for_text("h1", |t| t == "Dropped");
    drop("This is a letter to my aunt, and no scenario.");
    page.wait_for(".note");
    page.wait_for_text("h1", |t| t == "Dropped");
    page.click("[aria-label=Undo]");
    page.wait_for_text("h1", |t| t == "GC pause");
}

fn a_broken_link_says_what_is_wrong_and_loses_nothing(visitor: &Visitor) {
    let page = open(visitor);
    edit(&page);
    share(&page);
    let whole = page.suffix(&page.hidden_text("#share-link"));
    let (_, fragment) = whole.split_once('#').expect("a link with a scenario");
    let packed = fragment.split('&').next().unwrap_or_default();
    let cut = &packed[..packed.len() / 2];
    let damaged = format!("{}AAAA{}", &packed[..30], &packed[34..]);
    let kept = page.eval("return localStorage.getItem('fencepost.text')");
    for (fragment, says) in [
        ("p=no-such-story", "no-such-story"),
        ("s1d.", "cut off"),
        ("s1d.%F0%9F%99%82", "letters that do not belong"),
        ("s9d.AAAA", "s9"),
        ("s1q.AAAA", "“q”"),
        (cut, "again"),
        (&damaged, "again"),
        ("gist:<script>alert(1)</script>", "no gist"),
        ("src=javascript:alert(1)", "https://"),
    ] {
        // By way of another page: a mere change of the fragment is another story.
        page.leave();
        page.go(&format!("#{fragment}"));
        let note = page.wait_for_text(".note p", |t| t.contains(says));
        assert!(note.chars().count() > 20, "#{fragment}: {note}");
        let now = page.eval("return localStorage.getItem('fencepost.text')");
        assert_eq!(now, kept, "#{fragment}: what was edited is still there");
    }
}
