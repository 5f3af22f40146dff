//! What somebody may have meant.

use super::{Row, Section, row, rows};
use crate::base::pieces::{cut, split, words};
use crate::base::text::said;

/// Words that people bring from elsewhere, behind the path that they mean. A word that is meant so in one table only has that table before it
/// (`/` alone: the top of the file); one with a `!` is a kind of lease. The first that fits counts.
const SYNONYMS: &str = "\
lock.ttl lease_duration! lease! lease_time! lease_ttl! session_timeout! visibility_timeout! ttl_ms lock/expiry lock/expire lock/timeout lock/duration
lock.token lock/fencing fencing_token
resource.guard fencing fence resource/check
resource.mark hwm high_water_mark
client.call_timeout client/timeout
client.retry retry_delay retry_interval
client.attempts client/retries retry_count
client.renew_every heartbeat keepalive renew_interval renew_period renewal watchdog
client.patience wait_time
client.margin drift_allowance safety_margin
client.owner_id owner
network.one_way latency network/delay
link.one_way link/delay
network.loss drop_rate
clock.rate clock/drift clock/speed
clock.offset clock/skew
fault.for fault/duration fault/length
fault.at fault/when fault/start
fault.until fault/end fault/stop
fault.by fault/amount
worker.steps worker/step worker/program
worker.rounds worker/repeat
worker.start worker/at
story description
horizon /duration
title /name
schema /version
expect.violates expect/violations";

/// Tables, behind the names that people try.
const TABLES: &str = "\
worker workers clients
fault faults failures
design designs
link links
clock clocks
lock locks
resource resources
expect expectations
network net";

/// What an unknown key may have meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guess {
    /// The path of the key that exists.
    pub path: String,
    /// A sentence: `Did you mean lock.ttl?`
    pub says: String,
}

#[inline(never)]
fn guess(path: &str) -> Guess {
    Guess { says: said("Did you mean {0}?", &[path]), path: path.to_string() }
}

/// Guesses what an unknown key in a table meant: a known synonym, the same words in another order, a slip of the pen here, then elsewhere.
pub fn guess_key(section: Section, key: &str) -> Option<Guess> {
    let mut plain = String::new();
    for c in key.chars() {
        plain.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
    }
    let key = plain.as_str();
    let header = section == Section::Header;
    if header && let Some((table, _)) = meant(TABLES, section, key) {
        return Some(guess(table));
    }
    if let Some((path, lease)) = meant(SYNONYMS, section, key) {
        let mut guess = guess(path);
        if lease {
            guess.says = "Every kind of lease is lock.ttl.".to_string();
        }
        return Some(guess);
    }
    let mut near = section.keys();
    // A table's own name at the wrong level is no slip of a key.
    if header {
        near.extend(Section::ALL.into_iter().skip(1).map(Section::word));
    }
    let near_path = |near: &str| row(section, near).map_or(near.to_string(), Row::path);
    let path = likely(Some(section), key)
        .or_else(|| nearest_of(key, &near).map(near_path))
        .or_else(|| likely(None, key))
        .or_else(|| {
            let near = nearest_of(key, &rows().map(|r| r.key).collect::<Vec<_>>())?;
            rows().find(|r| r.key == near).map(Row::path)
        });
    path.map(|path| guess(&path))
}

/// What somebody means by a key, and whether it is a kind of lease.
fn meant(table: &'static str, section: Section, key: &str) -> Option<(&'static str, bool)> {
    for line in split(table, "\n") {
        let words = words(line);
        for word in words.iter().skip(1) {
            let (place, word) = match cut(word, "/") {
                Some((place, word)) => (Some(place), word),
                None => (None, *word),
            };
            let plain = word.trim_end_matches('!');
            if plain == key && place.is_none_or(|p| p == section.word()) {
                return Some((words[0], plain.len() < word.len()));
            }
        }
    }
    None
}

/// The first key, in this table or anywhere, that is this one or has the same words in another order.
fn likely(section: Option<Section>, key: &str) -> Option<String> {
    for r in rows() {
        if section.is_none_or(|s| s == r.section) && (r.key == key || same_parts(r.key, key)) {
            return Some(r.path());
        }
    }
    None
}

/// `deadline_check` for `check_deadline`.
fn same_parts(a: &str, b: &str) -> bool {
    let (mut x, mut y) = (split(a, "_"), split(b, "_"));
    if x.len() < 2 || x.len() != y.len() {
        return false;
    }
    crate::base::flat::sort(&mut x);
    crate::base::flat::sort(&mut y);
    x == y
}

/// The nearest of some words, if it is near enough to be a slip of the pen.
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &words.into_iter().collect::<Vec<_>>())
}

/// As [`nearest`], of words in a row.
#[inline(never)]
pub fn nearest_of<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    // Short words are near to everything; long ones may hold two slips.
    let most = match word.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=40 => 2,
        _ => return None,
    };
    let (mut best, mut found) = (most + 1, None);
    for w in words {
        let d = distance(word, w, most);
        if d < best {
            (best, found) = (d, Some(*w));
        }
    }
    found
}

/// Edit distance with swaps of neighbours, as far as `most`; anything above is `most + 1`.
fn distance(a: &str, b: &str, most: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    // The distance of the first `i` characters of one to the first `j` of the other stands at `i * width + j`.
    let width = b.len() + 1;
    let mut d = vec![0; (a.len() + 1) * width];
    for at in 0..d.len() {
        let (i, j) = (at / width, at % width);
        d[at] = if i == 0 || j == 0 {
            i + j
        } else {
            let mut least = (d[at - 1] + 1).min(d[at - width] + 1);
            least = least.min(d[at - width - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(d[at - 2 * width - 2] + 1);
            }
            least
        };
    }
    d[d.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::registry::by_path;

    #[test]
    fn synonyms_lead_to_keys_that_exist() {
        for line in SYNONYMS.lines() {
            let all = words(line);
            assert!(all.len() > 1 && by_path(all[0]).is_some(), "{line}");
            for (table, _) in all.iter().filter_map(|w| cut(w, "/")) {
                assert!(Section::from_word(table).is_some(), "{line}");
            }
        }
        for line in TABLES.lines() {
            assert!(Section::from_word(words(line)[0]).is_some(), "{line}");
        }
    }

    #[test]
    fn guesses() {
        for (section, key, path) in [
            (Section::Lock, "lease_duration", Some("lock.ttl")),
            (Section::Worker, "deadline_check", Some("client.check_deadline")),
            (Section::Worker, "check_deadline", Some("client.check_deadline")),
            (Section::Lock, "tll", Some("lock.ttl")),
            (Section::Header, "workers", Some("worker")),
            (Section::Header, "horizn", Some("horizon")),
            (Section::Header, "ttl", Some("lock.ttl")),
            (Section::Client, "renew_evry", Some("client.renew_every")),
            (Section::Fault, "duration", Some("fault.for")),
            (Section::Lock, "fencing", Some("lock.token")),
            (Section::Client, "fencing", Some("resource.guard")),
            (Section::Header, "duration", Some("horizon")),
            (Section::Worker, "Lease-Time", Some("lock.ttl")),
            (Section::Lock, "zzzzzz", None),
        ] {
            assert_eq!(guess_key(section, key).map(|g| g.path).as_deref(), path, "{key}");
        }
    }
}
