//! Which texts there are, and what of them the program carries: the lists, and the words that it works with.
//!
//! Most of what Fencepost says stands in texts that a reader may never ask for: the stories beside the first, the sentences about keys, the
//! paragraphs about services. The page fetches them as one file ([`whole`], packed by `cargo xtask` with `base::mixing`), when they are wanted or when there is
//! time; what is pure, or runs natively, has them in its program. [`super::texts`] hides the difference.
//!
//! `xtask` compiles this file as well, to pack the same texts. So it knows nothing of the rest.

macro_rules! stories {
    ($(($group:literal, $number:literal, $id:literal)),* $(,)?) => {
        /// Group, number and id, in the order of the picker. An id is never changed: links carry it.
        pub const STORIES: &[(&str, &str, &str)] = &[$(($group, $number, $id)),*];

        #[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
        const STORY_TEXTS: &[&str] = &[$(include_str!(concat!("../../static/presets/", $id, ".toml"))),*];
    };
}

macro_rules! reports {
    (page: $($id:literal)*; elsewhere: $($more:literal)*) => {
        /// What people have told: ids, in the order of docs/field-reports.md.
        pub const REPORTS: &[&str] = &[$($id),*];

        /// Those that the page does not know, because every kilobyte is paid for by its readers; and their texts.
        #[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
        pub const ELSEWHERE: &[(&str, &str)] =
            &[$(($more, include_str!(concat!("../../static/reports/", $more, ".toml")))),*];
        #[cfg(all(target_arch = "wasm32", feature = "fetched"))]
        pub const ELSEWHERE: &[(&str, &str)] = &[];

        #[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
        const REPORT_TEXTS: &[&str] = &[$(include_str!(concat!("../../static/reports/", $id, ".toml"))),*];
    };
}

stories![
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
    "bookkeeper-2614"
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

/// The text of the story that the page opens with.
pub const FIRST: &str = include_str!("../../static/presets/gc-pause.toml");

const ALL_OF_KEYS: &str = include_str!("registry/keys.txt");
const ALL_OF_SERVICES: &str = include_str!("registry/services.txt");

/// The language's keys without their sentences: in each line, what stands before the last of five strokes.
pub const KEYS: &str = text(&KEYS_LEAN);
/// The lock services without what is said of them: of each block, its head and the lines that the program works with.
pub const SERVICES: &str = text(&SERVICES_LEAN);

static KEYS_LEAN: [u8; lean::<0>(ALL_OF_KEYS, true).1] = lean(ALL_OF_KEYS, true).0;
static SERVICES_LEAN: [u8; lean::<0>(ALL_OF_SERVICES, false).1] = lean(ALL_OF_SERVICES, false).0;

/// What both sides know before the file is unpacked: its words are those of the stories.
pub const KNOWN: &[&str] = &[SERVICES, KEYS, FIRST];

/// How many lines say something about a service: its sentence, its paragraph, token, assumptions and source.
pub const SAID: usize = 5;

/// What these lines begin with, in their order.
#[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
const SAYING: [&str; SAID] = ["is", "text", "token", "assumes", "source"];

const fn text(bytes: &'static [u8]) -> &'static str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("whole characters are kept or left out"),
    }
}

/// A table without what is for people, and its length. It is cut when Fencepost is compiled, so that who writes it has one line for a key
/// and one block for a service, and the page carries no word that it can fetch.
const fn lean<const N: usize>(text: &str, keys: bool) -> ([u8; N], usize) {
    let (text, mut out, mut length) = (text.as_bytes(), [0; N], 0);
    let (mut at, mut strokes, mut kept) = (0, 0, true);
    while at < text.len() {
        if at == 0 || text[at - 1] == b'\n' {
            strokes = 0;
            kept = keys || !(at + 1 < text.len() && speaks(text[at], text[at + 1]));
        }
        if text[at] == b'|' && keys {
            strokes += 1;
            kept = strokes < 5;
        }
        if kept || (keys && text[at] == b'\n') {
            if length < N {
                out[length] = text[at];
            }
            length += 1;
        }
        at += 1;
    }
    (out, length)
}

/// A line that begins so says something about a service.
const fn speaks(first: u8, second: u8) -> bool {
    matches!((first, second), (b'i', b's') | (b't', b'e') | (b't', b'o') | (b'a', b's') | (b's', b'o'))
}

/// The parts of the file in their order: the stories and reports, a sentence for each key, [`SAID`] lines for each service.
#[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
pub fn parts() -> Vec<&'static str> {
    let mut out = [STORY_TEXTS, REPORT_TEXTS].concat();
    let sentence = |line: &'static str| Some(line.rsplit_once('|')?.1);
    out.extend(ALL_OF_KEYS.lines().filter(|line| !line.starts_with('#')).filter_map(sentence));
    let said = |line: &'static str| {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        SAYING.contains(&word).then_some(rest)
    };
    out.extend(ALL_OF_SERVICES.lines().filter_map(said));
    out
}

/// The file: all parts, a zero between two.
#[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
pub fn whole() -> String {
    parts().join("\0")
}
