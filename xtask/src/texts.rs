//! The file of texts that the page fetches when they are wanted: put together and packed by the same code that the page unpacks it with.

use crate::Result;
use std::fs;
use std::path::PathBuf;

#[path = "../../src/base/mixing.rs"]
#[allow(dead_code)]
mod mixing;
#[path = "../../src/scenario/shelf.rs"]
#[allow(dead_code)]
mod shelf;

/// What the file is called where the page has just been built. `pack` gives it a name that no other content has.
pub const FILE: &str = "texts.bin";

/// Writes the file beside the page that Trunk is building; Trunk calls this (Trunk.toml) and says where that is.
pub fn write() -> Result {
    let folder =
        std::env::var_os("TRUNK_STAGING_DIR").ok_or("only Trunk can call this: it says where the page is built")?;
    let file = PathBuf::from(folder).join(FILE);
    let packed = mixing::pack(&shelf::whole(), shelf::KNOWN);
    fs::write(&file, packed).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_unpack_what_is_written() {
        let text = shelf::whole();
        let packed = mixing::pack(&text, shelf::KNOWN);
        assert_eq!(mixing::unpack(packed, shelf::KNOWN), Some(text));
    }
}
