//! A whole scenario in an address, and out of it again.
//!
//! `s1d.` and base64url of raw deflate of the canonical JSON: what the page writes. `s1j.` and base64url of plain JSON: what a person can make by
//! hand. The number is that of the format and the letter that of the codec; whatever was ever written is read for ever.
//!
//! A link comes from anybody. It is bounded before it is decoded and while it is inflated, and what it holds is read as any other text. Nothing
//! here is slow: the longest link that is accepted has a few dozen kilobytes.

use crate::app::text::share as words;
use crate::base::Fingerprint;
use crate::run::{self, ENGINE, Run};
use crate::scenario::tree::MAX_TEXT;
use crate::scenario::{self, Scenario, Unknown, edit, to_toml};
use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use std::hash::Hasher;

/// Most letters of what is decoded: more than the longest text needs.
const MAX_LETTERS: usize = 2 * MAX_TEXT;
/// How hard the compressor tries: a link is made rarely and read often.
const EFFORT: u8 = 9;

/// Letters that an address may carry as they are. Whoever writes one by hand may pad it.
const LETTERS: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Bytes in letters that an address may carry.
pub fn letters(bytes: &[u8]) -> String {
    LETTERS.encode(bytes)
}

/// The bytes of such letters; blanks and line ends, which mail programs put in, do not count.
pub fn bytes(letters: &str) -> Option<Vec<u8>> {
    let mut clean = String::new();
    for c in letters.chars().filter(|c| !c.is_whitespace()) {
        clean.push(match c {
            // The other alphabet of the same code.
            '+' => '-',
            '/' => '_',
            c => c,
        });
    }
    LETTERS.decode(clean).ok()
}

/// The fragment that carries a scenario, without `#`.
pub fn pack(scenario: &Scenario) -> String {
    let packed = miniz_oxide::deflate::compress_to_vec(scenario.canonical().as_bytes(), EFFORT);
    ["s1d.", &letters(&packed)].concat()
}

/// What a link carries.
#[derive(Clone, PartialEq, Debug)]
pub struct Unpacked {
    /// As TOML, to be worked on.
    pub text: String,
    /// What was left out, in sentences.
    pub ignored: Vec<String>,
}

/// Why a link cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What failed and what to do.
    pub why: String,
    /// The text that the link holds, as far as it could be decoded.
    pub raw: Option<String>,
}

impl Refusal {
    pub fn new(why: impl Into<String>) -> Refusal {
        Refusal { why: why.into(), raw: None }
    }
}

/// Reads what stands behind the `s` of a fragment: `1d.` and letters.
///
/// # Errors
/// With what failed, and with the text if there is one.
pub fn unpack(packed: &str) -> Result<Unpacked, Refusal> {
    let raw = text(packed)?;
    let parsed = scenario::parse_with(&raw, Unknown::IsKept);
    let Some(scenario) = parsed.scenario else {
        let why = words::link_no_scenario(&super::first_error(&parsed.diagnostics));
        return Err(Refusal { why, raw: Some(raw) });
    };
    let mut carried = Unpacked { text: to_toml(&scenario.tree), ignored: Vec::new() };
    // What nobody knows is kept by the reader of links; in the editor it would be a slip, so it is taken out and named.
    if scenario::parse(&carried.text).scenario.is_none() {
        for d in parsed.diagnostics.iter().filter(|d| d.severity == scenario::Severity::Note) {
            let Some(without) = d.path.as_ref().and_then(|path| edit::remove(&carried.text, path).ok()) else {
                continue;
            };
            if without != carried.text {
                carried.text = without;
                carried.ignored.push(words::key_ignored(d.path.as_deref().unwrap_or_default()));
            }
        }
        let left = scenario::parse(&carried.text);
        if left.scenario.is_none() {
            let why = words::link_no_scenario(&super::first_error(&left.diagnostics));
            return Err(Refusal { why, raw: Some(raw) });
        }
    }
    Ok(carried)
}

/// The text that a link holds, whatever it says.
fn text(packed: &str) -> Result<String, Refusal> {
    let (kind, letters) = packed.split_once('.').unwrap_or((packed, ""));
    let codec = match kind.strip_prefix('1') {
        Some(codec) => codec,
        None => return Err(Refusal::new(words::link_version(&clip(kind)))),
    };
    if codec != "d" && codec != "j" {
        return Err(Refusal::new(words::link_codec(&clip(codec))));
    }
    if letters.is_empty() {
        return Err(Refusal::new(words::LINK_EMPTY));
    }
    if letters.len() > MAX_LETTERS {
        return Err(Refusal::new(words::link_long(letters.len())));
    }
    let Some(bytes) = bytes(letters) else { return Err(Refusal::new(words::LINK_LETTERS)) };
    let bytes = if codec == "j" { bytes } else { inflate(&bytes)? };
    if bytes.len() > MAX_TEXT {
        return Err(Refusal::new(words::LINK_BOMB));
    }
    String::from_utf8(bytes).map_err(|_| Refusal::new(words::LINK_NO_TEXT))
}

fn inflate(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    decompress_to_vec_with_limit(bytes, MAX_TEXT).map_err(|e| {
        Refusal::new(match e.status {
            TINFLStatus::HasMoreOutput => words::LINK_BOMB,
            TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => words::LINK_CUT,
            _ => words::LINK_DAMAGED,
        })
    })
}

/// What a sentence can quote of a hostile word.
fn clip(word: &str) -> String {
    super::line(&word.chars().take(40).collect::<String>())
}

/// What a link says of the runs that its maker saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promise {
    pub engine: String,
    /// The designs, by number from 0.
    pub designs: Vec<usize>,
    /// Eight hexadecimal digits.
    pub digest: String,
}

impl Promise {
    /// About these runs, of the designs with these numbers.
    pub fn of(designs: &[usize], runs: &[Run]) -> Promise {
        Promise { engine: ENGINE.to_string(), designs: designs.to_vec(), digest: digest(runs) }
    }

    /// `0.1.0-1.2-4c1e90af`, as it stands behind `o=`.
    pub fn written(&self) -> String {
        let designs: Vec<String> = self.designs.iter().map(|d| (d + 1).to_string()).collect();
        [&self.engine, "-", &designs.join("."), "-", &self.digest].concat()
    }

    /// Reads it again; `None`: it is none.
    pub fn read(written: &str) -> Option<Promise> {
        let (front, digest) = written.rsplit_once('-')?;
        let (engine, numbers) = front.rsplit_once('-')?;
        if digest.len() != 8 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let mut designs = Vec::new();
        for number in numbers.split('.').take(scenario::scenario::MAX_DESIGNS) {
            designs.push(number.parse::<usize>().ok()?.checked_sub(1)?);
        }
        Some(Promise { engine: clip(engine), designs, digest: digest.to_ascii_lowercase() })
    }

    /// What to say if this engine answers differently.
    pub fn broken_by(&self, scenario: &Scenario) -> Option<String> {
        let known = self.designs.iter().all(|d| *d < scenario.designs().len());
        let runs: Vec<Run> =
            if known { self.designs.iter().map(|d| run::run(scenario, *d)).collect() } else { Vec::new() };
        let now = digest(&runs);
        (now != self.digest).then(|| words::outcome_differs(&self.engine, &dotted(&self.digest), ENGINE, &dotted(&now)))
    }
}

/// One digest for several runs.
pub fn digest(runs: &[Run]) -> String {
    let mut all = Fingerprint::new();
    for run in runs {
        all.write_u64(run.digest.finish());
    }
    all.to_string().chars().take(8).collect()
}

/// `4c1e·90af`, for people.
pub fn dotted(digest: &str) -> String {
    let (a, b) = digest.split_at_checked(4).unwrap_or((digest, ""));
    [a, "·", b].concat()
}
