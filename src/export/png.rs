//! A picture that carries its scenario: a PNG with the text in a chunk of its own, where programs that do not know it leave it alone.
//!
//! The chunk is `iTXt`, international text, under a keyword of ours and not compressed: whoever looks into the file can read it.

use super::link::Refusal;
use crate::app::text::share as words;
use crate::scenario::tree::MAX_TEXT;
use img_parts::Bytes;
use img_parts::png::{Png, PngChunk};

const KIND: [u8; 4] = *b"iTXt";
/// Keyword, end of keyword, not compressed, method 0, no language, no translated keyword.
const HEAD: &[u8] = b"fencepost.scenario\0\0\0\0\0";
/// Larger pictures are not looked into.
const MAX_PICTURE: usize = 32 * 1024 * 1024;

/// The picture with the text in it. `None`: it is no PNG.
pub fn put(picture: &[u8], text: &str) -> Option<Vec<u8>> {
    let mut png = Png::from_bytes(Bytes::copy_from_slice(picture)).ok()?;
    png.remove_chunks_by_type(KIND);
    let body = [HEAD, text.as_bytes()].concat();
    // Behind the header, before the picture: whoever reads only the beginning finds it.
    let at = 1.min(png.chunks().len());
    png.chunks_mut().insert(at, PngChunk::new(KIND, body.into()));
    Some(png.encoder().bytes().to_vec())
}

/// The text in a picture.
///
/// # Errors
/// It is no PNG, is damaged, or carries no scenario.
pub fn take(picture: &[u8]) -> Result<String, Refusal> {
    if picture.len() > MAX_PICTURE {
        return Err(Refusal::new(words::PNG_LARGE));
    }
    let png = Png::from_bytes(Bytes::copy_from_slice(picture)).map_err(|_| Refusal::new(words::PNG_NONE))?;
    let found = png.chunks_by_type(KIND).find_map(|chunk| chunk.contents().strip_prefix(HEAD));
    let text = found.ok_or_else(|| Refusal::new(words::PNG_WITHOUT))?;
    if text.len() > MAX_TEXT {
        return Err(Refusal::new(words::LINK_BOMB));
    }
    String::from_utf8(text.to_vec()).map_err(|_| Refusal::new(words::LINK_NO_TEXT))
}
