//! The panel in which a story is handed on, as markup of the page: the link and what it costs, what it promises, views of it, pictures and texts.
//!
//! Drawn by the second program, which alone can make the link. What it shows is a function of [`Wish`]; what is pressed in it is done by the page.

use super::link::{self, Promise};
use super::{Format, Source, qr};
use crate::app::share::Wish;
use crate::app::text::{self, share as words};
use crate::base::TrueTime;
use crate::base::markup::{made, on, put, yes};
use crate::run::{self, ENGINE, Run};
use crate::scenario::{self, Scenario, preset};

/// Safe everywhere up to here, and accepted everywhere up to there.
const SAFE: usize = 2_000;
const MOST: usize = 8_000;

const PANEL: &str = r##"<div class="lk0"><div>
<div class="code"><code id="share-link" tabindex="0">{A}</code><button class="btn" aria-label="{0}" title="{0}" data-do="take #share-link"><ic cp></button></div>
<div class="mtr"><div class="b {b}" role="img" aria-label="{C}"><i style="width:{d}%"></i><u style="left:25%"></u></div><b>{E}</b> {F}</div>
</div>{g}</div>
<p class="dig"><b>{H}</b> {1}</p>
<div class="opts">{i}</div>
<h3>{2}</h3>
<div class="code"><code id="share-md" tabindex="0">{J}</code><button class="btn" aria-label="{3}" title="{3}" data-do="take #share-md"><ic cp></button></div>
<h3>{4}</h3>
<div class="exps">{k}</div>
<h3>{5}</h3>
<div class="exps">{l}</div>"##;

/// The panel for a text that can be run; for another one, a sentence.
pub fn panel(wish: &Wish) -> String {
    let Some(scenario) = scenario::parse(&wish.text).scenario else {
        return made(r#"<p class="dig">{0}</p>"#, &[words::SHARE_STALE], &[]);
    };
    let designs: Vec<usize> = wish.designs.iter().copied().filter(|d| *d < scenario.designs().len()).collect();
    let runs: Vec<Run> = designs.iter().map(|d| run::run(&scenario, *d)).collect();
    let links = Links::of(wish, &scenario, &designs, &runs);
    let link = links.shown(wish);
    let length = link.chars().count();
    let (tone, says) = match length {
        0..SAFE => ("", words::FITS_EVERYWHERE),
        SAFE..MOST => ("amber", words::FITS_MOSTLY),
        _ => ("red", words::FITS_NOWHERE),
    };
    let says = match &links.named {
        Some(_) if !wish.everything => [says, " ", &words::with_everything(links.whole.chars().count())].concat(),
        _ => says.to_string(),
    };
    let width = (length * 100 / MOST).clamp(1, 100).to_string();
    let outcome = words::outcome(&link::dotted(&link::digest(&runs)), ENGINE, scenario.seed);
    let code = qr::svg(link).map_or(String::new(), |svg| [r#"<div class="qr">"#, &svg, "</div>"].concat());
    let title = scenario.title.as_deref().unwrap_or(text::UNTITLED);
    let markdown = ["[", &super::markdown::escape(title), "](<", &super::markdown::address(link), ">)"].concat();
    let source = Source { text: &wish.text, scenario: &scenario, runs: &runs, link };
    let words = &[
        words::COPY_LINK,
        words::PAGE_SAYS_SO,
        words::MARKDOWN_LINK,
        words::COPY_MARKDOWN,
        words::PICTURE,
        words::TEXT,
    ];
    let args: [&str; 12] = [
        link,
        tone,
        &words::meter(length),
        &width,
        &words::characters(length),
        &says,
        &code,
        &outcome,
        &options(wish, &scenario),
        &markdown,
        &pictures(&source, !code.is_empty()),
        &texts(&source),
    ];
    made(PANEL, words, &args)
}

/// The link that the panel shows. `None`: the text cannot be run.
pub fn link(wish: &Wish) -> Option<String> {
    let scenario = scenario::parse(&wish.text).scenario?;
    let designs: Vec<usize> = wish.designs.iter().copied().filter(|d| *d < scenario.designs().len()).collect();
    let runs: Vec<Run> = designs.iter().map(|d| run::run(&scenario, *d)).collect();
    Some(Links::of(wish, &scenario, &designs, &runs).shown(wish).to_string())
}

/// Both links to a story.
struct Links {
    /// If the text is exactly a story that comes with the program.
    named: Option<String>,
    whole: String,
}

impl Links {
    fn of(wish: &Wish, scenario: &Scenario, designs: &[usize], runs: &[Run]) -> Links {
        let promise = ["&o=", &Promise::of(designs, runs).written()].concat();
        let front = [&wish.base, query(wish, scenario, designs).as_str(), "#"].concat();
        let preset = preset::by_id(&wish.origin).filter(|p| *p.text == *wish.text);
        let named = preset.map(|p| [&front, "p=", p.id, &promise].concat());
        Links { named, whole: [&front, link::pack(scenario).as_str(), &promise].concat() }
    }

    fn shown(&self, wish: &Wish) -> &str {
        self.named.as_ref().filter(|_| !wish.everything).unwrap_or(&self.whole)
    }
}

/// What of the view is in the link: only what differs from how it opens anyway.
fn query(wish: &Wish, scenario: &Scenario, designs: &[usize]) -> String {
    let mut out = String::new();
    let mut add = |key: &str, value: &str| {
        out.push(if out.is_empty() { '?' } else { '&' });
        [key, "=", value].iter().for_each(|p| out.push_str(p));
    };
    if let Some(at) = wish.at.filter(|_| wish.opens_there) {
        add("t", &(at / 1_000).to_string());
    }
    if wish.these_designs && !designs.is_empty() {
        let numbers: Vec<String> = designs.iter().map(|d| called(scenario, *d)).collect();
        add("compare", &numbers.join(","));
    }
    if wish.this_theme && !wish.theme.is_empty() {
        add("theme", &wish.theme);
    }
    out
}

/// A design in an address: by its protection if no other has it, else by its number from 1.
fn called(scenario: &Scenario, design: usize) -> String {
    let word = scenario.designs()[design].protection.as_deref().unwrap_or_default();
    let plain = |c: char| c.is_ascii_lowercase() || c == '-';
    let alone = scenario.designs().iter().filter(|d| d.protection.as_deref() == Some(word)).count() == 1;
    if alone && !word.is_empty() && word.chars().all(plain) { word.to_string() } else { (design + 1).to_string() }
}

fn options(wish: &Wish, scenario: &Scenario) -> String {
    let mut out = String::new();
    let mut tick = |word: &str, on_now: bool, label: &str| {
        let option = r#"<label class="sw"><input type="checkbox"{a} data-set="tick-share {b}">{C}</label>"#;
        put(&mut out, option, &[], &[on(on_now, " checked"), word, label]);
    };
    if let Some(at) = wish.at {
        tick("at", wish.opens_there, &words::opens_at(&crate::trace::names::at(TrueTime::from_us(at))));
    }
    if scenario.designs().len() > 1 {
        tick("designs", wish.these_designs, words::THESE_DESIGNS);
    }
    if !wish.theme.is_empty() {
        tick("theme", wish.this_theme, words::THIS_THEME);
    }
    out
}

const BUTTON: &str = r#"<button data-do="{a}">{B}<span>{C}</span></button>"#;

fn pictures(source: &Source, has_code: bool) -> String {
    let mut out = String::new();
    let size = Format::Svg.write(source).len().div_ceil(1024);
    put(&mut out, BUTTON, &[], &["export svg", "SVG", &words::svg_size(size)]);
    put(&mut out, BUTTON, &[], &["export png", "PNG", words::PNG_SAYS]);
    if has_code {
        put(&mut out, BUTTON, &[], &["export qr", words::QR, "SVG"]);
    }
    out
}

fn texts(source: &Source) -> String {
    let lines = |format: Format| words::lines(format.write(source).lines().count());
    let events: usize = source.runs.iter().map(|r| r.log.len()).sum();
    let mut out = String::new();
    let all = [
        ("export mmd", "Mermaid", words::LOSES_SLANT.to_string()),
        ("export puml", "PlantUML", words::KEEPS_SLANT.to_string()),
        ("export md", words::NARRATION, "Markdown".to_string()),
        ("export toml", "TOML", lines(Format::Toml)),
        ("export json", "JSON", words::JSON_LOSES.to_string()),
        ("export trace", words::JSON_TRACE, words::events(events)),
    ];
    for (deed, name, says) in &all {
        put(&mut out, BUTTON, &[], &[deed, name, says]);
    }
    out
}

/// By name, or with everything in it: the two buttons in the panel's head. By name only where there is a name.
pub fn ways(everything: bool, named: bool) -> String {
    let way = r#"<button aria-pressed="{a}"{b} data-do="share {c}">{D}</button>"#;
    let mut out = String::new();
    put(&mut out, way, &[], &[yes(named && !everything), on(!named, " disabled"), "name", words::BY_NAME]);
    put(&mut out, way, &[], &[yes(everything || !named), "", "everything", words::EVERYTHING]);
    out
}
