//! Handing a story on, and bringing one in: two panels over the page.
//!
//! What the first shows is drawn by the second program (`export::panel`); here is its frame, and the box in which a text that was asked for can
//! be read, copied and saved, also where the browser allows the page neither.

use super::jobs;
use super::markup::{made, on, put, yes};
use crate::app::AppState;
use crate::app::job::{Job, Place, Standing};
use crate::app::share::Recent;
use crate::app::text::{self, share as words};

const SHARE: &str = r#"<div class="scrim" data-do="close"></div>
<section class="pan" id="share" role="dialog" aria-modal="true" aria-label="{0}" tabindex="-1">
<h2>{0} <span class="seg">{a}</span><button class="btn cls" data-do="close">{1}</button></h2>
{b}
{c}
<p class="fine"><button class="lk" data-do="copy text">{2}</button> · <button class="lk" data-do="download">{3}</button> · <button class="lk" data-do="panel open">{4}</button></p>
<p class="fine" role="status">{D}</p>
</section>"#;

pub fn share(out: &mut String, state: &AppState) {
    let (doc, desk) = (&state.doc, &state.desk);
    let named = doc.pristine && doc.origin.is_some();
    let mut ways = String::new();
    let way = r#"<button aria-pressed="{a}"{b} data-do="share {c}">{D}</button>"#;
    let everything = desk.ways.everything || !named;
    put(&mut ways, way, &[], &[yes(!everything), on(!named, " disabled"), "name", words::BY_NAME]);
    put(&mut ways, way, &[], &[yes(everything), "", "everything", words::EVERYTHING]);
    let mut drawn = String::new();
    if let Some(markup) = state.jobs.at(Place::Share).and_then(|t| t.answer.first()) {
        drawn.push_str(markup);
    }
    jobs::standing(&mut drawn, state, Place::Share);
    let args = [ways.as_str(), &drawn, &written(state), desk.said.unwrap_or_default()];
    let words = &[words::SHARE_HEAD, text::CLOSE, words::COPY_AS_WRITTEN, text::DOWNLOAD, words::OPEN_OTHER];
    put(out, SHARE, words, &args);
}

/// The text that was asked for last, to be read, copied and saved.
fn written(state: &AppState) -> String {
    let mut out = String::new();
    let Some(task) = state.jobs.at(Place::Export) else { return out };
    jobs::standing(&mut out, state, Place::Export);
    let Job::Export { word, .. } = &task.job else { return out };
    match &*task.answer {
        [name, _, contents] if task.standing == Standing::Done && **word != *"png" => {
            let area = r#"<div class="take"><h3>{A}<span><button class="btn" data-do="take #taken"><ic cp>{0}</button><button class="btn" data-do="save">{1}</button></span></h3>
<textarea id="taken" readonly spellcheck="false" rows="8" aria-label="{A}" value="{B}"></div>"#;
            put(&mut out, area, &[words::COPY, words::SAVE], &[name, contents]);
        }
        [] if task.standing == Standing::Done => {
            put(&mut out, r#"<p class="fine">{0}</p>"#, &[words::NOT_WRITTEN], &[])
        }
        _ => {}
    }
    out
}

const OPEN: &str = r#"<div class="scrim" data-do="close"></div>
<section class="pan" id="open" role="dialog" aria-modal="true" aria-label="{0}" tabindex="-1">
<h2>{0}<button class="btn cls" data-do="close">{1}</button></h2>
<div class="exps"><button data-do="new">{2}<span>{3}</span></button><label class="file">{4}<span>{5}</span><input type="file" id="file" data-set="file" accept=".toml,.json,.png,.txt,.md"></label></div>
<h3>{6}</h3>
<textarea id="pasted" rows="4" spellcheck="false" aria-label="{6}">
<p><button class="btn main" data-do="bring">{7}</button></p>
<h3>{8}</h3>
{a}
<p class="fine">{9}</p>
</section>"#;

pub fn open(out: &mut String, state: &AppState) {
    let mut recent = String::new();
    for (i, r) in state.doc.recent.iter().enumerate() {
        let title = if r.title.is_empty() { text::UNTITLED } else { &r.title };
        let row = r#"<li><button data-do="recent {a}"><b>{B}</b> <small>{C}</small></button></li>"#;
        put(&mut recent, row, &[], &[&i.to_string(), title, &r.when]);
    }
    let list = match state.doc.recent.len() {
        0 => made(r#"<p class="fine">{0}</p>"#, &[words::NO_RECENT], &[]),
        _ => ["<ul class=\"rec\">", &recent, "</ul>"].concat(),
    };
    let words = &[
        words::OPEN_HEAD,
        text::CLOSE,
        words::BLANK,
        words::BLANK_SAYS,
        words::A_FILE,
        words::FILE_SAYS,
        words::PASTE_LABEL,
        words::OPEN_THIS,
        words::RECENT,
        words::OPENING_UNDONE,
    ];
    put(out, OPEN, words, &[&list]);
}

/// What a notice offers besides being closed.
pub fn offer(state: &crate::app::Doc) -> String {
    use crate::app::share::Offer;
    let word = match &state.offer {
        None => return String::new(),
        Some(Offer::Raw(_)) => words::SHOW_TEXT,
        Some(Offer::Fetch { .. }) => words::LOAD_IT,
    };
    let buttons = r#"<button class="lk" data-do="offer">{A}</button><button class="lk" data-do="new">{0}</button>"#;
    made(buttons, &[words::BLANK_SHORT], &[word])
}

/// The entry of the list with this number.
pub fn recent(state: &AppState, n: usize) -> Option<&Recent> {
    state.doc.recent.get(n)
}
