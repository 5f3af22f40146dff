//! Words about keeping, handing on and bringing in: links, exports, drafts.

use crate::base::text::said;

// --- exported texts
pub fn sent_arrived(sent: &str, arrived: &str) -> String {
    said("{0} → {1} s", &[sent, arrived])
}

pub fn sent_lost(sent: &str) -> String {
    said("{0} s, never arrives", &[sent])
}

pub fn sent_under_way(sent: &str) -> String {
    said("{0} s, under way at the end", &[sent])
}

pub const MERMAID_LOSES: &str = "Mermaid draws steps, not time: each message says when it was sent and when it arrived. Rows are in order of arrival.";
pub const TRUE_TIME_S: &str = "true time, s";
pub const PUML_LOST: &str = ", never arrives";
pub const PUML_UNDER_WAY: &str = ", under way at the end";
pub const MD_SOURCE: &str = "Source:";
pub const MD_VERDICTS: &str = "Verdicts";
pub const MD_EVENTS: &str = "What happened";
pub const MD_SEEN: &str = "noted";
pub const MD_OPEN: &str = "Open it in Fencepost";

pub fn only_first(name: &str, others: usize) -> String {
    match others {
        0 => said("Design: {0}.", &[name]),
        1 => said("Design: {0}. One other design is not in this diagram.", &[name]),
        n => said("Design: {0}. {1} other designs are not in this diagram.", &[name, &n.to_string()]),
    }
}

pub fn made_by(engine: &str, seed: u64, outcomes: &str) -> String {
    said("Engine {0} · seed {1} · outcome {2}", &[engine, &seed.to_string(), outcomes])
}

// --- links
pub const LINK_UNKNOWN: &str = "The link says something that this version does not understand.";
pub const LINK_EMPTY: &str =
    "The link says that it carries a scenario, and there is none in it. It was cut off when it was copied.";
pub const LINK_LETTERS: &str = "The scenario in the link cannot be decoded: it holds letters that do not belong there, or ends too early. Copy the whole link again.";
pub const LINK_CUT: &str = "The scenario in the link ends too early: the link was cut off. Copy the whole link again.";
pub const LINK_DAMAGED: &str = "The scenario in the link is damaged and cannot be unpacked. Copy the link again.";
pub const LINK_BOMB: &str =
    "What this carries is longer than 64 KiB, which is more than a scenario may have. It was not read.";
pub const LINK_NO_TEXT: &str = "What this carries is no text.";
pub const PROMISE_UNREADABLE: &str =
    "What the link says of its outcome cannot be read, so nobody can tell whether this engine answers the same.";

pub fn link_version(version: &str) -> String {
    said("The link is of a format that this version does not know (s{0}). A newer Fencepost opens it.", &[version])
}

pub fn link_codec(codec: &str) -> String {
    said("The link is packed in a way that this version does not know (“{0}”). A newer Fencepost opens it.", &[codec])
}

pub fn link_long(letters: usize) -> String {
    said(
        "The link has {0} thousand characters, more than any scenario needs. It was not read.",
        &[&(letters / 1_000).to_string()],
    )
}

pub fn link_no_scenario(why: &str) -> String {
    said("What the link carries is no scenario that can be run: {0}", &[why])
}

pub fn link_no_story(id: &str) -> String {
    said("The link names a story “{0}”, which this version does not have.", &[id])
}

pub fn link_no_gist(id: &str) -> String {
    said("“{0}” is no gist: its name is the long number at the end of its address.", &[id])
}

pub fn link_no_address(url: &str) -> String {
    said("“{0}” is no address from which a scenario can be fetched: it must begin with https://.", &[url])
}

pub fn ignored(pair: &str) -> String {
    said("The link also says “{0}”, which this version does not know and ignores.", &[pair])
}

pub fn key_ignored(path: &str) -> String {
    said("The link’s key “{0}” is not known to this version and was left out.", &[path])
}

pub fn not_changed(key: &str, why: &str) -> String {
    said("The link’s “{0}” was ignored: {1}", &[key, why])
}

pub fn outcome_differs(engine: &str, was: &str, now_engine: &str, now: &str) -> String {
    said(
        "This is not what was shared: under engine {0} the outcome was {1}, under this engine, {2}, it is {3}.",
        &[engine, was, now_engine, now],
    )
}

// --- what is brought in
pub const NOTHING_BROUGHT: &str = "There is no text in it.";
pub const FILE_NO_TEXT: &str = "The file is neither a text nor a picture that carries a scenario.";
pub const PNG_NONE: &str = "The picture is damaged, or is no PNG.";
pub const PNG_LARGE: &str = "The picture is too large to be looked into.";
pub const PNG_WITHOUT: &str =
    "The picture carries no scenario. Pictures that were saved here do, unless a program on the way has taken it out.";
pub const GIST_NO_ANSWER: &str = "GitHub’s answer about the gist cannot be read.";
pub const GIST_EMPTY: &str = "There is no scenario in the gist: none of its files is TOML or JSON.";
pub const QR_LABEL: &str = "The link as a QR code";

pub fn file_long(bytes: usize) -> String {
    said("The file has {0} KiB; a scenario has at most 64. It was not read.", &[&(bytes / 1024).to_string()])
}

pub fn gist_refused(why: &str) -> String {
    said("GitHub has no such gist, or does not give it out now: “{0}”.", &[why])
}

pub fn no_scenario(why: &str) -> String {
    said("This is no scenario that can be run: {0}", &[why])
}

// --- the panel
pub const SHARE_HEAD: &str = "Share this story";
pub const BY_NAME: &str = "By name";
pub const EVERYTHING: &str = "Everything";
pub const COPY_LINK: &str = "Copy the link";
pub const MARKDOWN_LINK: &str = "Link for Markdown";
pub const COPY_MARKDOWN: &str = "Copy the link for Markdown";
pub const PICTURE: &str = "Picture";
pub const TEXT: &str = "Text";
pub const QR: &str = "QR code";
pub const NARRATION: &str = "Narration";
pub const JSON_TRACE: &str = "JSON trace";
pub const LOSES_SLANT: &str = "loses the slant";
pub const KEEPS_SLANT: &str = "keeps the slant";
pub const JSON_LOSES: &str = "loses remarks";
pub const PNG_SAYS: &str = "2×, carries the scenario";
pub const THESE_DESIGNS: &str = "with these designs";
pub const THIS_THEME: &str = "in this theme";
pub const PAGE_SAYS_SO: &str = "Should a later engine answer differently, the page says so.";
pub const FITS_EVERYWHERE: &str = "Fits everywhere; from 2,000 on some chat tools cut links, the limit is 8,000.";
pub const FITS_MOSTLY: &str = "Some chat tools and slides cut links of this length; the limit is 8,000.";
pub const FITS_NOWHERE: &str = "Too long for many programs: hand the scenario on as a file, or put it into a gist and share #gist: with its number.";
pub const SHARE_STALE: &str = "The text has an error, so there is nothing to run and no link to it. What you wrote can still be copied and saved as it stands.";
pub const SAVE: &str = "Save as a file";
pub const COPY: &str = "Copy";
pub const COPY_AS_WRITTEN: &str = "Copy the scenario as text";
pub const PRESS_COPY: &str = "The browser does not let the page copy. The text is selected: press Ctrl C, or ⌘ C.";
pub const WORKING: &str = "Writing …";
pub const NOT_WRITTEN: &str =
    "It cannot be written: the text has an error, or the picture is larger than this browser draws.";

pub fn with_everything(characters: usize) -> String {
    said("With everything in it: {0}.", &[&thousands(characters)])
}

pub fn characters(n: usize) -> String {
    said("{0} characters.", &[&thousands(n)])
}

pub fn meter(n: usize) -> String {
    said("{0} of 8,000 characters; safe everywhere below 2,000", &[&thousands(n)])
}

pub fn outcome(digest: &str, engine: &str, seed: u64) -> String {
    said("Outcome {0}, engine {1}, seed {2}.", &[digest, engine, &seed.to_string()])
}

pub fn opens_at(at: &str) -> String {
    said("opens at {0}", &[at])
}

pub fn svg_size(kilobytes: usize) -> String {
    said("{0} KB, exact", &[&kilobytes.to_string()])
}

pub fn lines(n: usize) -> String {
    said("{0} lines", &[&n.to_string()])
}

pub fn events(n: usize) -> String {
    said("{0} events", &[&thousands(n)])
}

fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

// --- opening what somebody brings, and what is kept
pub const OPEN_HEAD: &str = "Open";
pub const BLANK: &str = "New, from a blank page";
pub const BLANK_SAYS: &str = "Two workers, one lock, nothing goes wrong.";
pub const OPEN_OTHER: &str = "Open something else";
pub const A_FILE: &str = "A file";
pub const FILE_SAYS: &str = "TOML, JSON, or a picture that was saved here. It can also be dropped on the page.";
pub const PASTE_LABEL: &str = "Paste a scenario, a link, or the address of a file or gist";
pub const OPEN_THIS: &str = "Open it";
pub const RECENT: &str = "Recent, edited";
pub const NO_RECENT: &str = "Nothing yet. What you edit is kept here when you open something else.";
pub const OPENING_UNDONE: &str = "Whatever is opened, Undo brings back what was there before.";
pub const LOAD_IT: &str = "Load it";
pub const SHOW_TEXT: &str = "Show its text";
pub const BLANK_SHORT: &str = "Blank page";
pub const OPENING_LINK: &str = "Opening the link …";
pub const FORGETS: &str = "The browser does not let the page keep anything, or has no room left: what you write is gone when this tab closes. Share has it as a file and as a link.";

pub fn fetches(host: &str) -> String {
    said("The scenario lies at {0}. Nothing was loaded from there yet.", &[host])
}

pub fn not_fetched(url: &str, why: &str) -> String {
    said(
        "{0} could not be loaded: {1} The server may not allow other pages to read it: open it in a tab, copy the text, and paste it under Open.",
        &[url, why],
    )
}

pub fn answered_with(status: &str) -> String {
    said("the server answered {0}.", &[status])
}

pub const NO_ANSWER: &str = "there was no answer.";
