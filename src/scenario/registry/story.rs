//! Keys of the story itself: header, network, links, clocks, workers, designs.

use super::{Row, Section, Type, w};
use crate::scenario::profile::PROTECTION_WORDS;

const fn header(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Header, key, ty, default, says, example)
}

pub const HEADER: &[Row] = &[
    header(
        "schema",
        Type::Text,
        "",
        "Says that this is a scenario and which version of the language it uses; the one key that must be there.",
        "schema = \"fencepost.scenario/1\"",
    ),
    header(
        "title",
        Type::Text,
        "",
        "A name for the story, for lists and for the top of the page.",
        "title = \"GC pause\"",
    ),
    header(
        "claim",
        Type::Text,
        "",
        "The one sentence that the expectations of the file test.",
        "claim = \"A paused holder writes after its lease has ended.\"",
    ),
    header(
        "story",
        Type::Text,
        "",
        "A few sentences: what happens, and what to look at.",
        "story = \"W1 pauses; W2 takes over.\"",
    ),
    header(
        "source",
        Type::Texts,
        "",
        "Where the story comes from: a report, a paper, a manual.",
        "source = [\"etcd-io/etcd#10811\", \"redis/redis-py#1031\"]",
    ),
    header(
        "horizon",
        Type::FixedTime,
        "60s",
        "The run ends at this instant at the latest, and whether work went on is judged there.",
        "horizon = \"2min\"",
    ),
    header(
        "seed",
        Type::Int { min: 0, max: i64::MAX },
        "1",
        "Answers every draw: the same seed, the same run.",
        "seed = 7",
    ),
    header(
        "max_events",
        Type::Int { min: 1, max: 1_000_000 },
        "10000",
        "The run is cut short after so many events, and says so.",
        "max_events = 2000",
    ),
    header(
        "judge",
        Type::Properties,
        "stale-write, non-owner-write, lost-update, foreign-release, foreign-renewal, duplicate-effect, broken-promise, no-progress",
        "Which properties count as wrong in this story; the others are shown as notes.",
        "judge = \"no-progress\"",
    ),
];

const fn network(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Network, key, ty, default, says, example)
}

pub const NETWORK: &[Row] = &[
    network(
        "one_way",
        Type::Draw,
        "5ms",
        "How long every message is on its way; a reply is a message of its own.",
        "network.one_way = \"lognormal 5ms 80ms\"",
    ),
    network("loss", Type::Share, "0%", "The share of messages that never arrive.", "network.loss = \"1%\""),
    network("ordered", Type::Bool, "false", "No message overtakes another on one link.", "network.ordered = true"),
];

const fn link(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Link, key, ty, default, says, example)
}

pub const LINK: &[Row] = &[
    link(
        "from",
        Type::Names,
        "",
        "One end of the links that this entry changes; left out, everybody.",
        "link = { from = \"W1\", one_way = \"2ms\" }",
    ),
    link(
        "to",
        Type::Names,
        "",
        "The other end; left out, everybody.",
        "link = { from = \"W1\", to = \"lock\", one_way = \"50ms\" }",
    ),
    link(
        "one_way",
        Type::Draw,
        "",
        "How long a message is on its way between these.",
        "link = { to = \"R\", one_way = \"0ms..30ms\" }",
    ),
    link(
        "loss",
        Type::Share,
        "",
        "The share of messages lost between these.",
        "link = { to = \"lock\", loss = \"10%\" }",
    ),
    link("ordered", Type::Bool, "", "No overtaking between these.", "link = { to = \"R\", ordered = true }"),
    link(
        "one_sided",
        Type::Bool,
        "false",
        "Only from `from` to `to`; otherwise the entry holds in both directions.",
        "link = { from = \"W1\", to = \"lock\", one_way = \"50ms\", one_sided = true }",
    ),
];

pub const CLOCK: &[Row] = &[
    Row::new(
        Section::Clock,
        "rate",
        Type::Rate,
        "1",
        "Seconds that this clock shows in one true second, to six decimals.",
        "clock.lock.rate = 1.1",
    ),
    Row::new(
        Section::Clock,
        "offset",
        Type::SignedTime,
        "0s",
        "What the wall clock shows at the start; it may be negative. Steps later on are faults.",
        "clock.W1.offset = \"-250ms\"",
    ),
];

const fn worker(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Worker, key, ty, default, says, example)
}

pub const WORKER: &[Row] = &[
    worker("name", Type::Name, "W1, W2 …", "What the worker is called.", "worker = { name = \"Cleaner\" }"),
    worker(
        "start",
        Type::Moment,
        "0s",
        "When it begins its steps.",
        "worker = [{ name = \"A\" }, { name = \"B\", start = \"after A release\" }]",
    ),
    worker("life", Type::Draw, "forever", "Its process ends by itself after so long.", "worker = { life = \"30s\" }")
        .words(&[w("forever")]),
    worker(
        "process",
        Type::Name,
        "own name",
        "Workers with one process are its threads: they share pauses and crashes.",
        "worker = [{ name = \"A\", process = \"Pod\" }, { name = \"B\", process = \"Pod\" }]",
    ),
    worker(
        "count",
        Type::Int { min: 1, max: i64::MAX },
        "1",
        "So many workers like this one, with a number after the name.",
        "worker = { count = 20, stagger = \"10ms\" }",
    ),
    worker(
        "stagger",
        Type::Time,
        "0s",
        "With `count`: each starts so long after the one before.",
        "worker = { count = 20, stagger = \"10ms\" }",
    ),
    worker(
        "steps",
        Type::Steps,
        "acquire, read, work 1s, write, release",
        "What it does, one step after another; a block repeats some.",
        "worker = { steps = [\"acquire\", { loop = 3, steps = [\"read\", \"work 1s\", \"write\"] }, \"release\"] }",
    ),
    worker(
        "rounds",
        Type::Int { min: 1, max: 1_000_000 },
        "1",
        "How often the list of steps runs.",
        "worker = { rounds = 3 }",
    ),
    worker("gap", Type::Draw, "0s", "From the end of a round to the next.", "worker = { rounds = 2, gap = \"100ms\" }"),
    worker(
        "every",
        Type::Draw,
        "none",
        "Rounds begin on this grid instead; a round that is still busy skips a beat.",
        "worker = { rounds = 3, every = \"1min\" }",
    )
    .words(&[w("none")]),
    worker(
        "client",
        Type::Table,
        "",
        "Keys of `[client]` that hold for this worker under every design: facts of the story.",
        "worker = { client.check_deadline = false }",
    ),
];

const fn design(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Design, key, ty, default, says, example)
}

pub const DESIGN: &[Row] = &[
    design(
        "name",
        Type::Text,
        "the protection's",
        "What the column is called.",
        "design = { name = \"Patient\", client.retry = \"1s\" }",
    ),
    design(
        "note",
        Type::Text,
        "",
        "A sentence about the design.",
        "design = { protection = \"none\", note = \"A plain DEL.\" }",
    ),
    design(
        "protection",
        Type::Word,
        "",
        "A ready set of keys; the design's own keys come on top of it.",
        "design = { protection = \"fencing\" }",
    )
    .words(PROTECTION_WORDS),
    design(
        "lock",
        Type::Table,
        "",
        "Keys of `[lock]` under this design.",
        "design = { name = \"Long lease\", lock.ttl = \"30s\" }",
    ),
    design(
        "client",
        Type::Table,
        "",
        "Keys of `[client]` under this design.",
        "design = { name = \"Patient\", client.retry = \"1s\" }",
    ),
    design(
        "resource",
        Type::Table,
        "",
        "Keys of `[resource]` under this design.",
        "design = { name = \"Versions\", resource.guard = \"version\" }",
    ),
    design(
        "expect",
        Type::Table,
        "",
        "What this file claims of the design; it is tested.",
        "design = { protection = \"fencing\", expect.violates = [] }",
    ),
];
