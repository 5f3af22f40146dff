//! The program, packed: LZMA makes of it a fifth less than gzip does, and a reader gets it so from every server, also from one that
//! compresses nothing. `static/unpack.js` stands in the page and unpacks it; how long that takes is in docs/performance.md.

use crate::Result;
use crate::shell::{capture, command, root, say};
use crate::sorted::sorted;
use crate::squeeze::{REST, the};
use crate::texts;
use lzma_rust2::{LzmaOptions, LzmaWriter};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Replaces the program in a folder that Trunk has built by its packed form, and has the page unpack it.
pub fn pack(dist: &Path) -> Result {
    let program = the("app-", ".wasm")?;
    let file = pack_program(&program)?;
    let rest = pack_rest(dist)?;
    named_by_content(dist)?;
    let page = dist.join("index.html");
    let text = fs::read_to_string(&page).map_err(|error| format!("cannot read {}: {error}", page.display()))?;
    let text = page_that_unpacks(&text, &name(&program), &name(&file), &squeezed(&scripts(&rest)?))?;
    fs::write(&page, text).map_err(|error| format!("cannot write {}: {error}", page.display()))?;
    Ok(())
}

/// Packs the rest of the program, under a name that no other content has: it fits to this first part and to no other.
fn pack_rest(dist: &Path) -> Result<String> {
    let file = pack_program(&dist.join(REST))?;
    let new = format!("rest-{}.wasm.lzma", &fingerprint(&read(&file)?)[..16]);
    fs::rename(&file, dist.join(&new)).map_err(|error| format!("cannot rename {}: {error}", file.display()))?;
    Ok(new)
}

/// What stands in the page before the program begins: how it is unpacked, and how the rest of it is fetched.
fn scripts(rest: &str) -> Result<String> {
    let file = root().join("static/rest.js");
    let script = fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let before = format!("\"{REST}.lzma\"");
    match script.matches(&before).count() {
        1 => Ok(format!("{}\n{}", unpacker()?, script.replace(&before, &format!("\"{rest}\"")))),
        _ => Err(format!("static/rest.js has no single {before}")),
    }
}

/// Replaces a program by its packed form, beside it.
pub fn pack_program(program: &Path) -> Result<PathBuf> {
    let bytes = read(program)?;
    let packed = packed(&sorted(&bytes)?)?;
    let file = program.with_extension("wasm.lzma");
    fs::write(&file, &packed).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    // What a browser will unpack has to be what was packed.
    if unpacked(&file, "unpack")? != fingerprint(&bytes) {
        return Err("static/unpack.js does not give back what was packed".into());
    }
    fs::remove_file(program).map_err(|error| format!("cannot remove {}: {error}", program.display()))?;
    say(&format!("packed {}: {} bytes became {}", name(program), bytes.len(), packed.len()));
    Ok(file)
}

/// Gives the file of texts a name that no other content has, so that an old page never meets a new file.
fn named_by_content(dist: &Path) -> Result {
    let (old, page) = (dist.join(texts::FILE), dist.join("index.html"));
    let bytes = read(&old)?;
    let new = format!("texts-{}.bin", &fingerprint(&bytes)[..16]);
    let text = String::from_utf8(read(&page)?).map_err(|_| "index.html is no text")?;
    let text = page_that_fetches(&text, &new)?;
    fs::write(&page, text).map_err(|error| format!("cannot write {}: {error}", page.display()))?;
    fs::rename(&old, dist.join(&new)).map_err(|error| format!("cannot rename {}: {error}", old.display()))?;
    say(&format!("packed the texts: {} bytes", bytes.len()));
    Ok(())
}

/// The page, fetching the file of texts under this name.
fn page_that_fetches(page: &str, file: &str) -> Result<String> {
    let fetch = format!("fetch(\"{}\")", texts::FILE);
    match page.matches(&fetch).count() {
        1 => Ok(page.replace(&fetch, &format!("fetch(\"{file}\")"))),
        _ => Err(format!("index.html has no single `{fetch}`")),
    }
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    // Code has no columns (`pb`, `lp`), and what comes next depends on the byte before (`lc`), the less since it is sorted. The whole
    // program is the dictionary.
    let mut options = LzmaOptions::with_preset(9);
    options.dict_size = (bytes.len() as u32).next_power_of_two().max(1 << 12);
    (options.lc, options.lp, options.pb) = (2, 0, 0);
    options.nice_len = LzmaOptions::NICE_LEN_MAX;
    options.depth_limit = 1_000;
    let failed = |error| format!("cannot pack: {error}");
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64)).map_err(failed)?;
    writer.write_all(bytes).map_err(|error| format!("cannot pack: {error}"))?;
    writer.finish().map_err(failed)
}

pub fn unpacker() -> Result<String> {
    let file = root().join("static/unpack.js");
    fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// A script without its comments of whole lines and without its indentation.
fn squeezed(script: &str) -> String {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The page as Trunk wrote it, fetching the packed program and unpacking it.
fn page_that_unpacks(page: &str, program: &str, packed: &str, unpack: &str) -> Result<String> {
    let init = format!("init({{ module_or_path: './{program}' }})");
    let fetched =
        format!("init({{ module_or_path: unpack(new Uint8Array(await (await fetch('./{packed}')).arrayBuffer())) }})");
    let preload = format!("href=\"./{program}\" crossorigin=\"anonymous\" as=\"fetch\" type=\"application/wasm\"");
    let preload_packed = format!("href=\"./{packed}\" crossorigin=\"anonymous\" as=\"fetch\"");
    let module = "<script type=\"module\">\n";
    let mut text = page.to_owned();
    for (from, to) in [(init, fetched), (preload, preload_packed), (module.to_owned(), format!("{module}{unpack}\n"))] {
        if text.matches(&from).count() != 1 {
            return Err(format!("Trunk writes another page than this knows: it has no single `{from}`"));
        }
        text = text.replace(&from, &to);
    }
    Ok(text)
}

/// What one function of the page's own script makes of a packed file, as a digest.
fn unpacked(file: &Path, how: &str) -> Result<String> {
    let script = format!(
        "{}\nconst packed = require('fs').readFileSync(process.argv[1]);\n\
         console.log(require('crypto').createHash('sha256').update({how}(packed)).digest('hex'));",
        unpacker()?
    );
    let file = file.display().to_string();
    capture(&mut command("node", &["-e", &script, &file])).map(|said| said.trim().to_owned())
}

pub fn fingerprint(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for byte in <sha2::Sha256 as sha2::Digest>::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

pub fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

pub fn name(file: &Path) -> String {
    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes without any order, from a generator that is nothing but short.
    fn noise(n: usize) -> Vec<u8> {
        let mut x = 1_u32;
        let next = |_| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (x >> 24) as u8
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn the_page_unpacks_what_was_packed() {
        let folder = std::env::temp_dir().join(format!("fencepost-pack-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for files of this test");
        let far = [noise(70_000), vec![7; 300], noise(70_000)].concat();
        let text = include_str!("pack.rs").repeat(3).into_bytes();
        let cases = [b"x".to_vec(), vec![0; 100_000], noise(1_000), far, text, (0..=255).collect()];
        for (i, bytes) in cases.iter().enumerate() {
            let file = folder.join(format!("{i}.lzma"));
            fs::write(&file, packed(bytes).expect("memory does not fail")).expect("a file");
            assert_eq!(unpacked(&file, "decoded").expect("node is there"), fingerprint(bytes), "case {i}");
        }
        fs::remove_dir_all(&folder).expect("the folder of this test");
    }

    /// A program of one function that has every kind of instruction.
    fn program() -> Vec<u8> {
        let code = [
            0x02, 0x40, 0x20, 0x00, 0x0e, 0x01, 0x00, 0x00, 0x0b, 0x41, 0x80, 0x08, 0x28, 0x02, 0x90, 0x01, 0x42, 0x7f,
            0x43, 1, 2, 3, 4, 0x44, 1, 2, 3, 4, 5, 6, 7, 8, 0x1c, 0x01, 0x7f, 0xfc, 0x0a, 0x00, 0x00, 0xfc, 0x02, 0x11,
            0x03, 0x00, 0x6a, 0xd0, 0x6f, 0x10, 0x81, 0x01, 0x0b,
        ];
        let body = [&[0x01, 0x02, 0x7f][..], &code].concat();
        let section = [&[0x01, body.len() as u8][..], &body].concat();
        let module = [
            &b"\0asm\x01\0\0\0"[..],
            &[0x01, 0x01, 0x00, 0x0a, section.len() as u8],
            &section,
            &[0x00, 0x02, 0x01, b'n'],
        ];
        module.concat()
    }

    #[test]
    fn a_sorted_program_is_put_back_in_its_place() {
        let folder = std::env::temp_dir().join(format!("fencepost-sorted-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for files of this test");
        let file = folder.join("program.lzma");
        let bytes = program();
        let all = packed(&sorted(&bytes).expect("all of it is known")).expect("memory does not fail");
        fs::write(&file, all).expect("a file");
        assert_eq!(unpacked(&file, "unpack").expect("node is there"), fingerprint(&bytes));
        fs::remove_dir_all(&folder).expect("the folder of this test");
        let unknown: Vec<u8> = bytes.iter().map(|b| if *b == 0xd0 { 0xe0 } else { *b }).collect();
        assert!(sorted(&unknown).is_err() && sorted(&bytes[..bytes.len() - 9]).is_err());
    }

    #[test]
    fn a_page_that_looks_otherwise_is_refused() {
        let page = "<script type=\"module\">\nawait init({ module_or_path: './a_bg.wasm' });</script>\
                    <link rel=\"preload\" href=\"./a_bg.wasm\" crossorigin=\"anonymous\" as=\"fetch\" type=\"application/wasm\">";
        let text = page_that_unpacks(page, "a_bg.wasm", "a.lzma", "function unpack() {}").expect("a page of Trunk's");
        assert!(!text.contains("wasm") && text.matches("a.lzma").count() == 2, "{text}");
        assert!(page_that_unpacks(&page.replace("init(", "start("), "a_bg.wasm", "a.lzma", "").is_err());
    }

    #[test]
    fn the_page_fetches_the_file_of_its_own_texts() {
        let page = include_str!("../../index.html");
        let text = page_that_fetches(page, "texts-1.bin").expect("it fetches them");
        assert!(text.contains("fetch(\"texts-1.bin\")") && !text.contains(texts::FILE));
        assert!(page_that_fetches("", "texts-1.bin").is_err());
    }

    #[test]
    fn a_script_is_squeezed_to_what_runs() {
        assert_eq!(squeezed("// about\n\n  a();\n  // why\n    b();\n"), "a();\nb();");
    }
}
