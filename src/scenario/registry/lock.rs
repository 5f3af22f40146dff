//! Keys of `[lock]`: the service and its protocol.

use super::{Row, Section, Type, Uses, Word, later, w};

const fn lock(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Lock, key, ty, default, says, example).uses(Uses::Locks)
}

const YES_NO: Type = Type::Bool;
const KEYS: Uses = Uses::Families(&["redis", "redlock"]);
const QUORUM: Uses = Uses::Families(&["redlock"]);
const GROUP: Uses = Uses::Families(&["consensus", "session-queue"]);
const QUEUE: Uses = Uses::Families(&["session-queue"]);
const RECORD: Uses = Uses::Families(&["observed-record"]);
const NEVER: &[Word] = &[w("never")];
const TTL: &[Word] = &[w("ttl"), w("never")];

/// The words of `service` are those of [`super::services::SERVICES`]; a test holds the two together.
pub const SERVICE_WORDS: &[Word] = &[
    w("redis"),
    later("redlock"),
    later("consensus"),
    later("session-queue"),
    later("observed-record"),
    later("local"),
    w("none"),
    later("redisson"),
    later("redisson-fair"),
    later("redisson-redlock"),
    later("node-redlock"),
    later("redlock-rb"),
    later("redsync"),
    later("rslock"),
    later("zookeeper"),
    later("curator"),
    later("etcd"),
    later("consul"),
    later("chubby"),
    later("hazelcast"),
    later("dynamodb"),
    later("kubernetes"),
    later("azure-blob"),
    later("s3"),
    later("gcs"),
    later("postgres-advisory"),
    later("postgres-row"),
];

pub const ROWS: &[Row] = &[
    // --- service and kind
    lock(
        "service",
        Type::Word,
        "redis",
        "Which lock service answers; products are ready sets of values.",
        "lock.service = \"redis\"",
    )
    .words(SERVICE_WORDS)
    .uses(Uses::All),
    lock("name", Type::Name, "main", "What `acquire` means without a name.", "lock.name = \"leader\"").uses(Uses::All),
    lock("kind", Type::Word, "mutex", "One holder, readers and a writer, or so many permits.", "lock.kind = \"mutex\"")
        .words(&[w("mutex"), later("read-write"), later("semaphore")]),
    lock(
        "permits",
        Type::Int { min: 1, max: 1_000 },
        "1",
        "How many may hold a semaphore at once.",
        "lock.permits = 2",
    )
    .later(),
    lock(
        "reentrant",
        Type::Word,
        "no",
        "A holder that asks again is refused, or counted under the same or a new token.",
        "lock.reentrant = \"no\"",
    )
    .words(&[w("no"), later("same-token"), later("new-token")]),
    // --- lease
    lock(
        "ttl",
        Type::Time,
        "10s",
        "How long a lease, a session or a visibility timeout lasts by the service's clock.",
        "lock.ttl = \"30s\"",
    )
    .words(NEVER),
    lock(
        "stored_ttl",
        Type::Time,
        "ttl",
        "What the service really stores; differs from `ttl` where somebody mistook the unit.",
        "lock.stored_ttl = \"10ms\"",
    )
    .words(TTL)
    .uses(KEYS),
    lock(
        "shared_ttl",
        Type::Word,
        "per-holder",
        "Whose end counts when several hold one key.",
        "lock.shared_ttl = \"max\"",
    )
    .words(&[w("per-holder"), later("max"), later("overwrite")])
    .later(),
    lock(
        "min_hold",
        Type::Time,
        "0s",
        "A released lock stays taken until so long after its grant.",
        "lock.min_hold = \"1s\"",
    ),
    lock(
        "lock_delay",
        Type::Time,
        "0s",
        "After a lock was lost and not released, nobody gets it for so long.",
        "lock.lock_delay = \"15s\"",
    )
    .uses(Uses::Only(&["consensus", "chubby", "consul", "redis", "redlock"])),
    // --- expiry
    lock(
        "clock",
        Type::Word,
        "wall",
        "Which clock of the service decides that a lease is over.",
        "lock.clock = \"monotonic\"",
    )
    .words(&[w("wall"), w("monotonic")]),
    lock(
        "expiry_by",
        Type::Word,
        "service",
        "Who computes the end: the service, or the client by its own clock.",
        "lock.expiry_by = \"service\"",
    )
    .words(&[w("service"), later("client-stamp")]),
    lock("expiry_monotone", YES_NO, "true", "A stored end never moves back.", "lock.expiry_monotone = true").later(),
    lock("scan", Type::Time, "0s", "Expiry is noticed only on this grid.", "lock.scan = \"500ms\"").later(),
    lock(
        "idle_timeout",
        Type::Time,
        "never",
        "A silent connection is closed after so long.",
        "lock.idle_timeout = \"30s\"",
    )
    .words(NEVER)
    .later(),
    lock(
        "cleanup_after",
        Type::Time,
        "0s",
        "Sessions that died during an outage go so long after it.",
        "lock.cleanup_after = \"1s\"",
    )
    .uses(GROUP)
    .later(),
    lock("grace", Type::Time, "0s", "How long a session in jeopardy is kept.", "lock.grace = \"45s\"")
        .uses(Uses::Families(&["consensus"]))
        .later(),
    // --- nodes
    lock(
        "nodes",
        Type::Names,
        "L",
        "The servers of the service: one for a single key, five for a quorum.",
        "lock.nodes = \"Redis\"",
    ),
    lock("quorum", Type::Votes, "majority", "How many nodes make a grant.", "lock.quorum = 2.5")
        .words(&[w("majority"), later("all")])
        .uses(QUORUM)
        .later(),
    lock("order", Type::Word, "parallel", "Nodes are asked at once or one after another.", "lock.order = \"parallel\"")
        .words(&[w("parallel"), later("sequential")])
        .uses(QUORUM)
        .later(),
    lock("take", Type::Word, "all", "Go on when all have answered, or stop at a majority.", "lock.take = \"all\"")
        .words(&[w("all"), later("quorum")])
        .uses(QUORUM)
        .later(),
    lock("multi", Type::Word, "all", "How many of `acquire a+b+c` make a success.", "lock.multi = \"all\"")
        .words(&[w("all"), later("majority")])
        .later(),
    // --- acquire, release, renew
    lock(
        "acquire",
        Type::Word,
        "atomic",
        "Set with its time to live in one command, or set and then expire, with the point `set` between.",
        "lock.acquire = \"two-step\"",
    )
    .words(&[w("atomic"), w("two-step")])
    .uses(KEYS),
    lock(
        "request_id",
        YES_NO,
        "false",
        "A repeated call of the same owner gets its first answer again.",
        "lock.request_id = true",
    ),
    lock("grant_if", Type::Word, "any", "Refuse those who are behind.", "lock.grant_if = \"any\"")
        .words(&[w("any"), later("up-to-date")])
        .later(),
    lock(
        "takeover",
        Type::Word,
        "expiry",
        "When a waiter may take over: at the end, or after watching the record for so long.",
        "lock.takeover = \"expiry\"",
    )
    .words(&[w("expiry"), later("unchanged-own"), later("unchanged-recorded"), later("timestamp")])
    .uses(RECORD)
    .later(),
    lock(
        "skew_bound",
        Type::Time,
        "0s",
        "With `takeover = \"timestamp\"`: how far clocks may differ.",
        "lock.skew_bound = \"1s\"",
    )
    .uses(RECORD)
    .later(),
    lock(
        "release",
        Type::Word,
        "if-owner",
        "A release deletes only what is its own, or whatever is there.",
        "lock.release = \"unconditional\"",
    )
    .words(&[w("if-owner"), w("unconditional"), later("if-stamp-at-least"), later("by-local-clock")]),
    lock(
        "release_in",
        Type::Word,
        "one-step",
        "Compare and delete in one command or in two, with the point `compare` between.",
        "lock.release_in = \"two-steps\"",
    )
    .words(&[w("one-step"), w("two-steps")])
    .uses(KEYS),
    lock(
        "renew",
        Type::Word,
        "if-owner",
        "An extension touches only what is its own, or whatever is there, or creates what is gone.",
        "lock.renew = \"unconditional\"",
    )
    .words(&[w("if-owner"), w("unconditional"), w("if-owner-or-absent"), later("repair-minority")]),
    lock(
        "renew_ttl",
        Type::Time,
        "ttl",
        "How long an extension lasts; zero deletes, as the real command does.",
        "lock.renew_ttl = \"30s\"",
    )
    .words(TTL),
    lock("renew_token", Type::Word, "same", "Whether an extension brings a new token.", "lock.renew_token = \"same\"")
        .words(&[w("same"), later("new")])
        .later(),
    // --- token
    lock(
        "token",
        Type::Word,
        "none",
        "The number on a grant: none, one that grows with every grant, or one without order.",
        "lock.token = \"ordered\"",
    )
    .words(&[w("none"), w("ordered"), w("random"), later("memory"), later("resource")]),
    lock(
        "first_token",
        Type::Int { min: 0, max: i64::MAX },
        "1",
        "The first number given out; a restored counter begins elsewhere.",
        "lock.first_token = 36",
    ),
    lock(
        "max_token",
        Type::Int { min: 1, max: i64::MAX },
        "none",
        "After this number the counter begins again.",
        "lock.max_token = 255",
    )
    .words(&[w("none")]),
    // --- durability and replicas
    lock(
        "persistence",
        Type::Word,
        "none",
        "What a crash of the server keeps: nothing, what is older than a second, everything.",
        "lock.persistence = \"everysec\"",
    )
    .words(&[w("none"), w("everysec"), w("always")])
    .uses(KEYS),
    lock(
        "delayed_restart",
        Type::Time,
        "0s",
        "A crashed server stays out at least so long.",
        "lock.delayed_restart = \"10.2s\"",
    )
    .uses(KEYS),
    lock("replicas", Type::Int { min: 0, max: 8 }, "0", "Asynchronous copies of the server.", "lock.replicas = 1")
        .uses(KEYS)
        .later(),
    lock("replication_lag", Type::Draw, "10ms", "How long a copy is behind.", "lock.replication_lag = \"50ms\"")
        .uses(KEYS)
        .later(),
    lock(
        "wait_replicas",
        Type::Int { min: 0, max: 8 },
        "0",
        "Answer only after so many copies have it.",
        "lock.wait_replicas = 1",
    )
    .uses(KEYS)
    .later(),
    lock(
        "promotion_delay",
        Type::Draw,
        "0s",
        "From the end of a primary to the new one.",
        "lock.promotion_delay = \"5s\"",
    )
    .uses(KEYS)
    .later(),
    lock(
        "promotion_hold",
        Type::Time,
        "0s",
        "A new primary grants nothing for so long.",
        "lock.promotion_hold = \"10s\"",
    )
    .uses(KEYS)
    .later(),
    // --- group
    lock("election", Type::Draw, "0s", "How long a group is without a leader.", "lock.election = \"1s\"")
        .uses(GROUP)
        .later(),
    lock(
        "old_leader",
        Type::Word,
        "steps-down",
        "What a leader does that slept through its replacement.",
        "lock.old_leader = \"steps-down\"",
    )
    .words(&[w("steps-down"), later("keeps-acting")])
    .uses(GROUP)
    .later(),
    lock(
        "consistency",
        Type::Word,
        "majority",
        "Whether a minority serves during a partition.",
        "lock.consistency = \"majority\"",
    )
    .words(&[w("majority"), later("available")])
    .uses(GROUP)
    .later(),
    lock("merge", Type::Word, "larger-side", "Who is right when a partition heals.", "lock.merge = \"larger-side\"")
        .words(&[w("larger-side"), later("newest"), later("union")])
        .uses(GROUP)
        .later(),
    // --- waiters
    lock("wake", Type::Word, "poll", "How a release becomes known to those who wait.", "lock.wake = \"poll\"")
        .words(&[w("poll"), later("notify"), later("watch-previous"), later("watch-lock")]),
    lock(
        "waiter_timeout",
        Type::Time,
        "never",
        "A waiter silent for so long counts as dead.",
        "lock.waiter_timeout = \"5s\"",
    )
    .words(NEVER)
    .uses(QUEUE)
    .later(),
    lock("recheck", YES_NO, "true", "On wake-up a waiter looks at its own entry again.", "lock.recheck = true")
        .uses(QUEUE)
        .later(),
    // --- links to clients
    lock(
        "keep_on_disconnect",
        YES_NO,
        "false",
        "A broken connection keeps its lock.",
        "lock.keep_on_disconnect = false",
    )
    .uses(Uses::Families(&["session-queue", "local"]))
    .later(),
    lock("quirks", Type::Words, "", "Named deviations of one server.", "lock.quirks = \"token-restarts\"")
        .words(&[later("token-restarts"), later("renews-key-only")])
        .later(),
];

#[cfg(test)]
mod tests {
    use super::super::services::SERVICES;
    use super::*;

    #[test]
    fn the_words_of_service_are_the_services() {
        let words: Vec<(&str, bool)> = SERVICE_WORDS.iter().map(|w| (w.text, w.built)).collect();
        let services: Vec<(&str, bool)> = SERVICES.iter().map(|s| (s.word, s.built)).collect();
        assert_eq!(words, services);
    }
}
