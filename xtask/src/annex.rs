//! The second program, ready to be fetched when it is first needed: the program, packed, and one script that unpacks and starts it, in
//! a worker or on the page. Both are named after what is in them, so that a file which a browser has kept from another build is never
//! met by this page.

use crate::Result;
use crate::pack::{fingerprint, name, pack_program, read, unpacker};
use crate::squeeze::{self, shorten, the};
use crate::tools::{Tools, dist};
use std::fs;
use std::path::Path;

/// How many digits of a digest a name bears.
const DIGITS: usize = 16;

/// Puts the second program together from what Trunk has left and `squeeze` has squeezed.
pub fn put_together(tools: &Tools) -> Result {
    let (glue, start) = (dist().join("annex.js"), dist().join("annex-start.js"));
    let program = renamed(&pack_program(&the("annex", ".wasm")?)?, "annex-", ".wasm.lzma")?;
    let script = script(&unpacker()?, &squeeze::read(&glue)?, &squeeze::read(&start)?, &program)?;
    squeeze::write(&glue, &script)?;
    shorten(tools, &glue)?;
    let script = renamed(&glue, "annex-", ".js")?;
    fs::remove_file(&start).map_err(|error| format!("cannot remove {}: {error}", start.display()))?;
    let page = dist().join("index.html");
    squeeze::write(&page, &page_that_knows(&squeeze::read(&page)?, &script)?)
}

/// All that is needed around the program, as one script that leaves no names behind.
fn script(unpack: &str, glue: &str, start: &str, program: &str) -> Result<String> {
    let before = "near(\"annex_bg.wasm\")";
    if start.matches(before).count() != 1 {
        return Err(format!("static/annex-start.js has no single `{before}`"));
    }
    let start = start.replace(before, &format!("near(\"{program}\")"));
    Ok(format!("(() => {{\n{unpack}\n{glue}\n{start}\n}})();\n"))
}

/// The page with the name of that script.
fn page_that_knows(page: &str, script: &str) -> Result<String> {
    let before = "data-annex=\"annex-start.js\"";
    match page.matches(before).count() {
        1 => Ok(page.replace(before, &format!("data-annex=\"{script}\""))),
        _ => Err(format!("index.html has no single `{before}`")),
    }
}

/// Names a file of `dist/` after what is in it, and says how.
fn renamed(file: &Path, begins: &str, ends: &str) -> Result<String> {
    let digest = fingerprint(&read(file)?);
    let new = file.with_file_name(format!("{begins}{}{ends}", &digest[..DIGITS]));
    fs::rename(file, &new).map_err(|error| format!("cannot rename {}: {error}", file.display()))?;
    Ok(name(&new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_and_the_page_name_what_belongs_to_them() {
        let start = "a(near(\"annex_bg.wasm\"));";
        let text =
            script("const unpack = 1;", "let wasm_bindgen = 2;", start, "annex-1.wasm.lzma").expect("all is there");
        assert!(
            text.contains("near(\"annex-1.wasm.lzma\")") && text.contains("unpack") && text.contains("wasm_bindgen")
        );
        assert!(script("", "", "", "x").is_err());
        let page = page_that_knows("<body data-annex=\"annex-start.js\">", "annex-2.js");
        assert_eq!(page.as_deref(), Ok("<body data-annex=\"annex-2.js\">"));
        assert!(page_that_knows("<body>", "annex-2.js").is_err());
    }
}
