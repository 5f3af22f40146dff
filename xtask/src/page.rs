//! The page: served while one works on it, built for others, and weighed.

use crate::Result;
use crate::annex;
use crate::pack::pack;
use crate::shell::{root, run, say};
use crate::squeeze::squeeze;
use crate::tools::{self, dist};
use flate2::{Compression, write::GzEncoder};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the default view needs, as a server sends it: everything that is fetched before the first story stands there, can be played and
/// stepped through. That is what a reader pays for, and a phone on a bad line is a reader too.
pub const VIEW_LIMIT: u64 = 300_000;

/// All files together. What is beyond the default view is fetched when it is used, or when nothing else is to be done; this keeps it from
/// growing unseen.
pub const ALL_LIMIT: u64 = 910_000;

/// The beginnings of the names of files that the default view does not need.
const LATER: [&str; 3] = ["annex", "rest", "texts"];

/// Serves a development build on this machine and rebuilds it when a file changes; ends when it is interrupted.
pub fn serve(arguments: &[&str]) -> Result {
    let mut port = None;
    let mut release = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--release" => release = true,
            "--port" => {
                let number = rest.next().ok_or("--port needs a number")?;
                let number: u16 = number.parse().map_err(|_| format!("`{number}` is no port"))?;
                port = Some(number);
            }
            other => return Err(format!("serve knows --port N and --release, not `{other}`")),
        }
    }
    let port = match port {
        Some(port) => port,
        None => free_port()?,
    };
    let tools = tools::for_page()?;
    let port_text = port.to_string();
    let mut command = tools.command("trunk", &["serve", "--port", &port_text]);
    // This machine alone, by one address; asking the machine's names takes long where no name server answers.
    command.args(["--address", "127.0.0.1", "--disable-address-lookup=true"]);
    // Beside the release build, not over it.
    command.arg("--dist").arg(root().join("target/serve"));
    if release {
        command.arg("--release");
    }
    fs::create_dir_all(root().join("target/serve")).map_err(|error| format!("cannot create target/serve: {error}"))?;
    say(&format!("Fencepost will be at http://127.0.0.1:{port}/ once it is built; Ctrl+C ends it"));
    run(&mut command)
}

/// The usual port, or the next that nobody listens on.
fn free_port() -> Result<u16> {
    (8080..8100)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .ok_or_else(|| "the ports 8080 to 8099 are all taken: choose one with --port".to_owned())
}

/// Builds the optimised page into `dist/`. `run` runs Trunk.
pub fn dist_with(run: impl FnOnce(Command) -> Result) -> Result {
    let tools = tools::for_page()?;
    // Relative addresses, so that the folder can be put anywhere on a server.
    run(tools.command("trunk", &["build", "--release", "--public-url", "./"]))?;
    squeeze(&tools)?;
    pack(&dist())?;
    annex::put_together(&tools)
}

pub fn dist_and_sizes() -> Result {
    dist_with(|mut command| run(&mut command))?;
    let sizes = sizes()?;
    say(&sizes.table());
    Ok(())
}

/// What the files of `dist/` weigh.
pub struct Sizes {
    files: Vec<(String, u64, u64)>,
}

/// Weighs each file of `dist/` as it is and as `gzip -9` makes it.
pub fn sizes() -> Result<Sizes> {
    let mut paths = Vec::new();
    collect(&dist(), &mut paths).map_err(|error| format!("cannot read dist/: {error}; `cargo xtask dist` makes it"))?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let bytes = fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let zipped = zipped_len(&bytes).map_err(|error| format!("gzip: {error}"))?;
        let name = path.strip_prefix(dist()).unwrap_or(&path);
        files.push((name.display().to_string(), bytes.len() as u64, zipped));
    }
    Ok(Sizes { files })
}

impl Sizes {
    /// What the default view needs, and all files; `gzip -9` of each.
    pub fn zipped(&self) -> [u64; 2] {
        let sum = |of: &dyn Fn(&str) -> bool| self.files.iter().filter(|file| of(&file.0)).map(|file| file.2).sum();
        let needed = |name: &str| !LATER.iter().any(|later| name.starts_with(later));
        [sum(&needed), sum(&|_| true)]
    }

    /// What is too heavy, in words.
    pub fn too_heavy(&self) -> Option<String> {
        let [view, all] = self.zipped();
        let told = |what, bytes, limit| {
            format!("{what} weighs {} bytes with gzip -9, the limit is {}", grouped(bytes), grouped(limit))
        };
        if view > VIEW_LIMIT {
            return Some(told("what the default view needs", view, VIEW_LIMIT));
        }
        (all > ALL_LIMIT).then(|| told("all of the page", all, ALL_LIMIT))
    }

    pub fn table(&self) -> String {
        let width = self.files.iter().map(|file| file.0.len()).max().unwrap_or(0).max(12);
        let mut table = format!("{:width$}  {:>9}  {:>9}  {:>9}\n", "file", "bytes", "gzip -9", "limit");
        for (name, bytes, zipped) in &self.files {
            let (bytes, zipped) = (grouped(*bytes), grouped(*zipped));
            let _ = writeln!(table, "{name:width$}  {bytes:>9}  {zipped:>9}");
        }
        let [view, all] = self.zipped();
        for (name, zipped, limit) in [("default view", view, VIEW_LIMIT), ("all files", all, ALL_LIMIT)] {
            let (zipped, limit) = (grouped(zipped), grouped(limit));
            let _ = writeln!(table, "{name:width$}  {:>9}  {zipped:>9}  {limit:>9}", "");
        }
        table.trim_end().to_owned()
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

fn zipped_len(bytes: &[u8]) -> std::io::Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let shown = [0, 999, 1000, 300_000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "300,000", "1,234,567"]);
    }

    #[test]
    fn the_table_ends_with_both_sums_and_their_limits() {
        let file = |name: &str, zipped| (name.to_owned(), 2 * zipped, zipped);
        let sizes = Sizes { files: vec![file("app.js", 400), file("app.wasm", 900), file("texts-1.bin", 50)] };
        assert_eq!(sizes.zipped(), [1_300, 1_350]);
        assert_eq!(sizes.too_heavy(), None);
        let table = sizes.table();
        let mut last = table.lines().rev();
        for (name, zipped, limit) in [("all files", "1,350", ALL_LIMIT), ("default view", "1,300", VIEW_LIMIT)] {
            let line = last.next().unwrap_or_default();
            assert!(line.starts_with(name) && line.contains(zipped) && line.ends_with(&grouped(limit)), "{line}");
        }
    }

    #[test]
    fn what_is_too_heavy_is_named() {
        let sizes = |name: &str, zipped| Sizes { files: vec![(name.to_owned(), zipped, zipped)] };
        let too_heavy = |name, zipped| sizes(name, zipped).too_heavy().unwrap_or_default();
        assert!(too_heavy("app.wasm", VIEW_LIMIT + 1).starts_with("what the default view needs weighs"));
        assert!(too_heavy("texts-1.bin", ALL_LIMIT + 1).starts_with("all of the page weighs"));
    }

    #[test]
    fn weighing_compresses() {
        let zipped = zipped_len(&[b'a'; 10_000]).expect("memory does not fail");
        assert!(zipped < 100, "{zipped}");
    }
}
