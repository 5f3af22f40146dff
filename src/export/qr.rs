//! A link as a QR code: always black on white, whatever the page wears, with the quiet edge that readers need.

use crate::view::text::fill;
use qrcodegen::{QrCode, QrCodeEcc};

/// Quiet modules at each side.
const QUIET: i32 = 2;
/// Longer texts make a code too dense for a screen across a room.
const MAX_TEXT: usize = 900;

/// The code as SVG. `None`: the text is too long for a code that a phone reads.
pub fn svg(text: &str) -> Option<String> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let from = x;
            while x < code.size() && code.get_module(x, y) {
                x += 1;
            }
            if x > from {
                fill(&mut path, "M{0} {1}h{2}v1h-{2}z", &[from + QUIET, y + QUIET, x - from].map(f64::from), &[]);
            }
            x += 1;
        }
    }
    let mut out = String::new();
    fill(
        &mut out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {0}" role="img" aria-label="{A}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{0}v{0}H0z"/><path fill="#000" d="{b}"/></svg>"##,
        &[f64::from(code.size() + 2 * QUIET)],
        &[crate::app::text::share::QR_LABEL, &path],
    );
    Some(out)
}
