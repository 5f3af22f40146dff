//! What somebody may have meant.

use super::{Row, Section, rows};

/// Words that people bring from elsewhere: the key, in which table (`None`: any), the path, and a sentence if the path alone would not explain.
const SYNONYMS: &[(&str, Option<Section>, &str, &str)] = &[
    ("lease_duration", None, "lock.ttl", "Every kind of lease is lock.ttl."),
    ("lease", None, "lock.ttl", "Every kind of lease is lock.ttl."),
    ("lease_time", None, "lock.ttl", "Every kind of lease is lock.ttl."),
    ("lease_ttl", None, "lock.ttl", "Every kind of lease is lock.ttl."),
    ("session_timeout", None, "lock.ttl", "Every kind of lease is lock.ttl."),
    ("visibility_timeout", None, "lock.ttl", "Every kind of lease is lock.ttl."),
    ("ttl_ms", None, "lock.ttl", ""),
    ("expiry", Some(Section::Lock), "lock.ttl", ""),
    ("expire", Some(Section::Lock), "lock.ttl", ""),
    ("timeout", Some(Section::Lock), "lock.ttl", ""),
    ("duration", Some(Section::Lock), "lock.ttl", ""),
    ("fencing", Some(Section::Lock), "lock.token", ""),
    ("fencing_token", None, "lock.token", ""),
    ("fencing", None, "resource.guard", ""),
    ("fence", None, "resource.guard", ""),
    ("check", Some(Section::Resource), "resource.guard", ""),
    ("hwm", None, "resource.mark", ""),
    ("high_water_mark", None, "resource.mark", ""),
    ("timeout", Some(Section::Client), "client.call_timeout", ""),
    ("retry_delay", None, "client.retry", ""),
    ("retry_interval", None, "client.retry", ""),
    ("retries", Some(Section::Client), "client.attempts", ""),
    ("retry_count", None, "client.attempts", ""),
    ("heartbeat", None, "client.renew_every", ""),
    ("keepalive", None, "client.renew_every", ""),
    ("renew_interval", None, "client.renew_every", ""),
    ("renew_period", None, "client.renew_every", ""),
    ("renewal", None, "client.renew_every", ""),
    ("watchdog", None, "client.renew_every", ""),
    ("wait_time", None, "client.patience", ""),
    ("drift_allowance", None, "client.margin", ""),
    ("safety_margin", None, "client.margin", ""),
    ("owner", None, "client.owner_id", ""),
    ("latency", None, "network.one_way", ""),
    ("delay", Some(Section::Network), "network.one_way", ""),
    ("delay", Some(Section::Link), "link.one_way", ""),
    ("drop_rate", None, "network.loss", ""),
    ("drift", Some(Section::Clock), "clock.rate", ""),
    ("speed", Some(Section::Clock), "clock.rate", ""),
    ("skew", Some(Section::Clock), "clock.offset", ""),
    ("duration", Some(Section::Fault), "fault.for", ""),
    ("length", Some(Section::Fault), "fault.for", ""),
    ("when", Some(Section::Fault), "fault.at", ""),
    ("start", Some(Section::Fault), "fault.at", ""),
    ("end", Some(Section::Fault), "fault.until", ""),
    ("stop", Some(Section::Fault), "fault.until", ""),
    ("amount", Some(Section::Fault), "fault.by", ""),
    ("step", Some(Section::Worker), "worker.steps", ""),
    ("program", Some(Section::Worker), "worker.steps", ""),
    ("repeat", Some(Section::Worker), "worker.rounds", ""),
    ("at", Some(Section::Worker), "worker.start", ""),
    ("description", None, "story", ""),
    ("duration", Some(Section::Header), "horizon", ""),
    ("name", Some(Section::Header), "title", ""),
    ("version", Some(Section::Header), "schema", ""),
    ("violations", Some(Section::Expect), "expect.violates", ""),
];

/// Tables by names that people try.
const TABLES: &[(&str, &str)] = &[
    ("workers", "worker"),
    ("clients", "worker"),
    ("faults", "fault"),
    ("failures", "fault"),
    ("designs", "design"),
    ("links", "link"),
    ("clocks", "clock"),
    ("locks", "lock"),
    ("resources", "resource"),
    ("expectations", "expect"),
    ("net", "network"),
];

/// What an unknown key may have meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guess {
    /// The path of the key that exists.
    pub path: String,
    /// A sentence: `Did you mean lock.ttl?`
    pub says: String,
}

fn guess(path: impl Into<String>) -> Guess {
    let path = path.into();
    Guess { says: format!("Did you mean {path}?"), path }
}

/// Guesses what an unknown key in a table meant: a known synonym, the same words in another order, a slip of the pen here, then elsewhere.
pub fn guess_key(section: Section, key: &str) -> Option<Guess> {
    let key = key.to_ascii_lowercase().replace('-', "_");
    if section == Section::Header
        && let Some((_, table)) = TABLES.iter().find(|(k, _)| *k == key)
    {
        return Some(guess(*table));
    }
    let synonym = SYNONYMS.iter().find(|(k, s, ..)| *k == key && s.is_none_or(|s| s == section));
    if let Some((_, _, path, says)) = synonym {
        return Some(if says.is_empty() {
            guess(*path)
        } else {
            Guess { path: (*path).to_string(), says: (*says).to_string() }
        });
    }
    let likely = |r: &&'static Row| r.key == key || same_parts(r.key, &key);
    if let Some(r) = section.rows().find(likely) {
        return Some(guess(r.path()));
    }
    // A table's own name at the wrong level is no slip of a key.
    let tables = Section::ALL.into_iter().map(Section::word).filter(|w| section == Section::Header && !w.is_empty());
    if let Some(near) = nearest(&key, section.rows().map(|r| r.key).chain(tables)) {
        let path = super::row(section, near).map_or(near.to_string(), Row::path);
        return Some(guess(path));
    }
    if let Some(r) = rows().find(likely) {
        return Some(guess(r.path()));
    }
    let near = nearest(&key, rows().map(|r| r.key))?;
    rows().find(|r| r.key == near).map(|r| guess(r.path()))
}

/// `deadline_check` for `check_deadline`.
fn same_parts(a: &str, b: &str) -> bool {
    let parts = |s: &str| {
        let mut p: Vec<String> = s.split('_').map(str::to_string).collect();
        crate::base::flat::sort(&mut p);
        p
    };
    a.contains('_') && parts(a) == parts(b)
}

/// The nearest of some words, if it is near enough to be a slip of the pen.
pub fn nearest<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Short words are near to everything; long ones may hold two slips.
    let most = match word.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=40 => 2,
        _ => return None,
    };
    words.map(|w| (distance(word, w, most), w)).filter(|(d, _)| *d <= most).min_by_key(|(d, _)| *d).map(|(_, w)| w)
}

/// Edit distance with swaps of neighbours, as far as `most`; anything above is `most + 1`.
fn distance(a: &str, b: &str, most: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut d =
                (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            row.push(d);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::registry::by_path;

    #[test]
    fn synonyms_lead_to_keys_that_exist() {
        for (key, _, path, _) in SYNONYMS {
            assert!(by_path(path).is_some(), "{key} leads to {path}");
        }
        for (_, table) in TABLES {
            assert!(Section::ALL.iter().any(|s| s.word() == *table));
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
            (Section::Lock, "zzzzzz", None),
        ] {
            assert_eq!(guess_key(section, key).map(|g| g.path).as_deref(), path, "{key}");
        }
    }
}
