//! A scenario from somebody who means harm, or who writes from right to left: it is text, everywhere.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use serde_json::json;

pub const STORIES: &[Story] = stories![what_a_scenario_says_is_text_everywhere];

const TITLE: &str = "<img src=x onerror=hacked()>\"&lt;</title><script>hacked()</script>";
const CLAIM: &str = "שלום עולם ${hacked()} {{7*7}} ]]> --> javascript:hacked()";
/// Names of workers have letters, digits and two signs, forty of them at most.
const WORKER: &str = "Donaudampfschifffahrtsgesellschaft-onerr";

fn hostile() -> String {
    let long = "Donaudampfschifffahrtsgesellschaftskapitänsmütze".repeat(3);
    [
        "schema = \"fencepost.scenario/1\"\n",
        &format!("title = '{TITLE}'\nclaim = '{CLAIM}'\n"),
        &format!("story = '</textarea><svg onload=hacked()> {long}'\n"),
        "source = ['javascript:hacked()', 'https://example.com/<script>hacked()</script>']\n",
        &format!("[[worker]]\nname = '{WORKER}'\n[[worker]]\nname = 'W2'\nstart = '2s'\n"),
        &format!("[[fault]]\npause = '{WORKER}'\nat = '500ms'\nuntil = '15s'\n"),
        &format!("[[design]]\nname = '<b onmouseover=hacked()>{long}'\nprotection = 'none'\n"),
        "[[design]]\nname = 'מנעול</svg><script>hacked()</script>'\nprotection = 'fencing'\n",
    ]
    .concat()
}

/// Nothing that was written became a part of the page.
fn is_harmless(page: &Browser, place: &str) {
    assert_eq!(page.eval("return window.wasHacked"), 0, "{place}: a script ran");
    let strangers = page.eval(
        "return [...document.querySelectorAll('body img, body b[onmouseover], svg[onload], [href^=\"javascript:\"], main script')] \
         .map(e => e.outerHTML.slice(0, 200))",
    );
    assert_eq!(strangers, json!([]), "{place}");
    // A window that has just become narrower is drawn anew a frame or two later.
    page.wait_until("document.documentElement.scrollWidth <= innerWidth");
}

fn what_a_scenario_says_is_text_everywhere(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page.run_inside("window.wasHacked = 0; window.hacked = window.alert = () => { window.wasHacked++ }");
    page.click(".scn .seg button:nth-child(2)");
    page.put("#text", &hostile());
    page.wait_until("document.querySelector('h1').textContent.startsWith('<img')");
    assert_eq!(page.hidden_text("h1"), TITLE);
    assert_eq!(page.hidden_text(".claim"), CLAIM);
    assert!(page.eval("return document.title").as_str().unwrap_or_default().starts_with(TITLE));
    is_harmless(&page, "the page as text");
    // A name that would be markup is refused, and quoted as text where it stands and in the list of mistakes.
    page.put("#text", &hostile().replace("'W2'", "'<img src=x onerror=hacked()>'"));
    page.wait_until("document.querySelector('.dgn.er')?.textContent.includes('<img src=x')");
    is_harmless(&page, "a mistake");
    page.put("#text", &hostile());
    page.wait_until("!document.querySelector('.dgn.er')");
    page.click(".scn .seg button:nth-child(1)");
    page.wait_for("#lock-ttl");
    is_harmless(&page, "the page as a form");
    page.hover(".dh");
    page.click(".vt button.c.bad");
    is_harmless(&page, "a verdict");
    page.press("Escape");
    page.click("#share-button");
    page.wait_for("#share-link");
    is_harmless(&page, "the panel");
    for (word, ending) in
        [("svg", "svg"), ("mmd", "mmd"), ("puml", "puml"), ("md", "md"), ("toml", "toml"), ("json", "json")]
    {
        page.click(&format!("#share [data-do='export {word}']"));
        page.wait_until(&format!("(document.querySelector('.take h3')?.textContent || '').includes('.{ending}')"));
        is_harmless(&page, word);
        let text = page.property("#taken", "value");
        let text = text.as_str().unwrap_or_default();
        match word {
            "svg" => {
                let strangers = page.eval(
                    "const svg = new DOMParser().parseFromString(document.querySelector('#taken').value, 'image/svg+xml'); \
                     return svg.querySelectorAll('parsererror, script, img, b, [onload], [onerror], [onmouseover]').length",
                );
                assert_eq!(strangers, 0, "text stays text in the picture");
            }
            // Whoever draws these lets markup through; but for the title of Mermaid's, which is a text in quotes and drawn as one.
            "md" | "mmd" => {
                let body = text.split_once("sequenceDiagram").map_or(text, |(_, body)| body).replace("\\<", "");
                assert!(!body.contains("<script") && !body.contains("<img"), "{word}: {text}");
            }
            _ => assert!(!text.is_empty(), "{word}"),
        }
    }
    page.press("Escape");
    // Looked at in all ways.
    for css in ["[data-do='look order']", "[data-do='look time']", ".vt button.c.bad", ".wit [data-do^=why]"] {
        // Wherever the page is scrolled to.
        page.wait_for(css);
        page.eval(&format!("document.querySelector(`{css}`).click()"));
        is_harmless(&page, css);
    }
    page.wait_for("#why .chn li");
    is_harmless(&page, "why");
    page.press("Escape");
    for width in [1024, 390] {
        page.resize(width, 844, 1);
        is_harmless(&page, "a narrower screen");
    }
}
