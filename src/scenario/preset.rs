//! The stories that come with Fencepost.
//!
//! Each is a file of its own in `static/presets`, with a claim that its `expect` blocks test. The numbers are those of the catalogue of known
//! failures; stories about one product or one kind of resource begin with an X. Field reports stand in `static/reports`: what people have
//! told in public, with its reference.

use super::tree;

/// One story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// For links: never changed.
    pub id: &'static str,
    /// Its number in the catalogue; variants share one. A field report has none.
    pub number: &'static str,
    /// For the picker.
    pub group: &'static str,
    /// From the file.
    pub title: String,
    /// From the file: the one sentence that its expectations test.
    pub claim: String,
    /// Where it comes from: the first that the file names.
    pub source: String,
    /// The whole file.
    pub text: &'static str,
}

/// What the page opens with.
pub const DEFAULT: &str = "gc-pause";

macro_rules! presets {
    ($(($group:literal, $number:literal, $id:literal)),* $(,)?) => {
        /// Group, number, id, text; in the order of the picker.
        const FILES: &[(&str, &str, &str, &str)] =
            &[$(($group, $number, $id, include_str!(concat!("../../static/presets/", $id, ".toml")))),*];
    };
}

presets![
    ("basics", "01", "quiet-handover"),
    ("basics", "02", "crash-before-release"),
    ("basics", "04", "renewal-keeps-a-long-job"),
    ("basics", "09", "gc-pause"),
    ("basics", "09", "gc-pause-check-on-wake"),
    ("basics", "10", "pause-between-check-and-send"),
    ("basics", "11", "delayed-packet"),
    ("basics", "26", "client-clock-steps-back"),
    ("basics", "14", "same-job-twice"),
    ("Redis", "03", "no-expiry"),
    ("Redis", "X15", "no-end-by-default"),
    ("Redis", "05", "del-removes-the-successors-lock"),
    ("Redis", "06", "reused-owner-id"),
    ("Redis", "06", "unique-owner-id"),
    ("Redis", "07", "late-renewal"),
    ("Redis", "16", "asynchronous-failover"),
    ("Redis", "17", "isolated-old-primary"),
    ("Redlock", "19", "redlock-pause-while-answers-are-under-way"),
    ("Redlock", "19", "redlock-without-the-elapsed-check"),
    ("Redlock", "20", "redlock-pause-after-the-check"),
    ("Redlock", "18", "redlock-clock-jump"),
    ("Redlock", "21", "node-restarts-empty"),
    ("Redlock", "22", "delayed-restart"),
    ("Redlock", "24", "drift-inside-the-margin"),
    ("Redlock", "23", "drift-beyond-the-margin"),
    ("Redlock", "25", "split-votes"),
    ("consensus services", "27", "session-expired-owner-not-told"),
    ("consensus services", "27", "session-expired-owner-stops"),
    ("consensus services", "28", "lock-delay-packet-in-time"),
    ("consensus services", "28", "lock-delay-packet-too-late"),
    ("consensus services", "X4", "waited-past-its-own-session"),
    ("consensus services", "X10", "change-of-leader"),
    ("consensus services", "X9", "jeopardy-and-grace"),
    ("consensus services", "X5", "leader-with-a-slow-clock"),
    ("the resource", "12", "gap-before-first-write"),
    ("the resource", "13", "lost-ack-and-retry"),
    ("the resource", "29", "untouched-shard"),
    ("the resource", "30", "high-water-mark-lost"),
    ("the resource", "X1", "strict-rule-rejects-its-owner"),
    ("the resource", "X2", "check-then-write"),
    ("the resource", "X3", "unordered-activation"),
    ("the resource", "X6", "reentrant-bump"),
    ("the resource", "X7", "pruned-key"),
    ("the resource", "X11", "compare-and-set-instead"),
    ("the resource", "X12", "counter-behind-the-resource"),
    ("databases", "X14", "connection-lost-effect-outside"),
    ("liveness", "08", "watchdog-hung-worker"),
    ("liveness", "15", "acquire-reply-lost"),
    ("liveness", "X8", "efficiency-lock"),
    ("liveness", "X13", "herd"),
];

/// The group of what people have told.
pub const REPORTS: &str = "field reports";

macro_rules! reports {
    (page: $($id:literal)*; elsewhere: $($more:literal)*) => {
        /// Group, number, id, text; in the order of docs/field-reports.md.
        const TOLD: &[(&str, &str, &str, &str)] =
            &[$((REPORTS, "", $id, include_str!(concat!("../../static/reports/", $id, ".toml")))),*];

        /// Those that the page does not carry, because every kilobyte in it is paid for by its readers.
        #[cfg(not(all(target_arch = "wasm32", feature = "ui")))]
        const MORE_TOLD: &[(&str, &str, &str, &str)] =
            &[$((REPORTS, "", $more, include_str!(concat!("../../static/reports/", $more, ".toml")))),*];
        #[cfg(all(target_arch = "wasm32", feature = "ui"))]
        const MORE_TOLD: &[(&str, &str, &str, &str)] = &[];
    };
}

reports! {
    page:
    "etcd-10811"
    "curator-206"
    "redisson-3636"
    "dynamodb-lock-1"
    "bull-308"
    "kombu-337"
    "shedlock-1502"
    "kthena-1793"
    "redispy-416"
    "redispy-1031"
    "redisobjects-234"
    "laravel-53342"
    "redlockrb-36"
    "redlocknet-49"
    "redispy-4279"
    "redisson-5698"
    "redisson-1626"
    "redlockpy-2"
    "glasslion-12"
    "k8s-114872"
    "redisson-2144"
    "redisdoc-restart"
    "redisson-1606"
    "redisdoc-failover"
    "valkey-2651"
    "critique-clockjump"
    "shedlock-8"
    "etcd-11456"
    "akka-3402"
    "redbeat-208"
    "gozk-229"
    "bookkeeper-4462"
    "kafka-13667"
    "sidekiq-379"
    "terraform-28693"
    "redisson-4462"
    "dynamolock-778"
    "itop-209"
    "redisson-3891"
    "redisson-2183"
    "airflow-24906"
    ;
    elsewhere:
    "airflow-7925"
    "dynamodb-lock-116"
    "redisson-3194"
    "redisson-775"
    "redisson-1604"
    "redisson-7272"
    "dynamodb-js-1"
    "mozilla-417"
    "redsync-149"
    "redlockrb-134"
    "redisson-4456"
    "quartz-782"
    "cockroach-23122"
    "etcd-15247"
    "pd-1661"
    "pd-4885"
    "hazelcast-15927"
    "simpleredismutex-6"
    "hazelcast-5246"
    "vault-23013"
    "kafka-8239"
    "icebergkafka-200"
    "pd-9171"
    "spring-1888"
    "authentik-23876"
    "redisson-3004"
    "redisson-4796"
    "consul-1162"
    "redlocknet-101"
}

fn files() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str, &'static str)> {
    FILES.iter().chain(TOLD).chain(MORE_TOLD)
}

/// All stories, in the order of the picker: by group, then from simple to odd; field reports come last.
pub fn all() -> Vec<Preset> {
    files().map(|f| preset(*f)).collect()
}

/// The story with this id.
pub fn by_id(id: &str) -> Option<Preset> {
    files().find(|(_, _, i, _)| *i == id).map(|f| preset(*f))
}

fn preset((group, number, id, text): (&'static str, &'static str, &'static str, &'static str)) -> Preset {
    // The text is part of the program and a test reads it, so a title is there; the tree is enough to find it.
    let table = tree::read(text).unwrap_or_default();
    let get = |key: &str| table.get(key).and_then(|n| n.as_text()).unwrap_or("").to_string();
    let source = table.get("source").and_then(|n| n.items().first()?.as_text()).unwrap_or("").to_string();
    Preset { id, number, group, title: get("title"), claim: get("claim"), source, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::parse;
    use std::collections::BTreeSet;

    #[test]
    fn every_story_is_read_without_a_mistake() {
        let mut ids = BTreeSet::new();
        for p in all() {
            let parsed = parse(p.text);
            let errors: Vec<String> =
                parsed.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", p.id);
            let s = parsed.scenario.unwrap();
            assert!(ids.insert(p.id), "{} twice", p.id);
            assert!(
                !p.title.is_empty() && p.claim.ends_with('.') && s.story.is_some() && !s.source.is_empty(),
                "{}",
                p.id
            );
            for (i, d) in s.designs().iter().enumerate() {
                // What a report claims of its designs is for its own test.
                assert!(p.group == REPORTS || d.expect.violates.is_some(), "{}: {} claims nothing", p.id, d.name);
                assert_eq!(s.config(i).workers.len(), s.workers.len());
            }
        }
        assert!(by_id(DEFAULT).is_some());
    }

    #[test]
    fn the_first_story_opens_with_two_designs() {
        let s = parse(by_id(DEFAULT).unwrap().text).scenario.unwrap();
        let names: Vec<&str> = s.designs().iter().map(|d| d.name.as_str()).collect();
        assert_eq!(names[..2], ["No fencing", "Fencing at the resource"]);
    }
}
