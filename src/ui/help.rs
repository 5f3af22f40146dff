//! Help: what one looks at, what the marks mean, which keys there are.

use super::legend;
use super::markup::put;
use crate::app::text;

const HELP: &str = r#"<div class="scrim" data-do="close"></div>
<section class="pan hp" id="help" role="dialog" aria-modal="true" aria-label="{0}" tabindex="-1">
<h2>{1}<button class="btn cls" data-do="close">{2}</button></h2>
{a}<h3>{3}</h3>
<div class="marks">{b}</div>
<h3>{4}</h3>
<dl>{c}</dl>
</section>"#;

pub fn help(out: &mut String) {
    let (mut says, mut marks, mut keys) = (String::new(), String::new(), String::new());
    for (word, sentence) in text::HELP_TEXT {
        put(&mut says, "<p><b>{A}</b> {B}</p>", &[], &[word, sentence]);
    }
    legend::all(&mut marks);
    for (key, what) in text::KEYS {
        put(&mut keys, "<dt>{A}</dt><dd>{B}</dd>", &[], &[key, what]);
    }
    let words = &[text::HELP, text::HELP_HEAD, text::CLOSE, text::HELP_MARKS, text::HELP_KEYS];
    put(out, HELP, words, &[&says, &marks, &keys]);
}
