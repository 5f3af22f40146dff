//! Keys of `[client]`: the discipline of those who use the lock. In `[client]` they hold for all workers; `client.…` on one worker is a fact of
//! the story and holds under every design.

use super::{Row, Section, Type, Uses, Word, later, w};

/// A key that means something only where there is a lock service.
const fn client(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Client, key, ty, default, says, example).uses(Uses::Locks)
}

/// A key of dealings with the resource: used whatever the service is.
const fn effect(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Client, key, ty, default, says, example)
}

const NONE: &[Word] = &[w("none")];
const NEVER: &[Word] = &[w("never")];
const COUNT: Type = Type::Int { min: 0, max: 1_000_000 };

pub const ROWS: &[Row] = &[
    // --- time-outs
    client("call_timeout", Type::Draw, "1s", "A call without an answer for so long has an unknown outcome.", "client.call_timeout = \"5s\"").words(NONE),
    client("acquire_timeout", Type::Draw, "call_timeout", "The same, for acquire.", "client.acquire_timeout = \"500ms\"")
        .words(&[w("call_timeout"), w("none")]),
    client("node_timeout", Type::Draw, "50ms", "The same, for one node of a quorum.", "client.node_timeout = \"50ms\"")
        .words(NONE)
        .uses(Uses::Families(&["redlock"]))
        .later(),
    effect("write_timeout", Type::Draw, "none", "A write without an answer for so long goes out again, identical.", "client.write_timeout = \"1s\"")
        .words(NONE),
    effect("write_retries", COUNT, "0", "So many times a write goes out again.", "client.write_retries = 1"),
    // --- retry
    client("retry", Type::Draw, "200ms", "From a refusal or a time-out to the next try.", "client.retry = \"100ms..300ms\""),
    client("attempts", Type::Int { min: 1, max: 1_000_000 }, "forever", "How many tries an acquisition has.", "client.attempts = 11")
        .words(&[w("forever")]),
    client("patience", Type::Draw, "none", "The caller gives up after so long; zero is a try-lock.", "client.patience = \"10s\"").words(NONE),
    client(
        "after_patience",
        Type::Word,
        "stops-trying",
        "Whether the loop outlives its caller.",
        "client.after_patience = \"stops-trying\"",
    )
    .words(&[w("stops-trying"), later("keeps-trying")]),
    client(
        "late_grant",
        Type::Word,
        "release",
        "What becomes of a grant that arrives after its try was given up.",
        "client.late_grant = \"release\"",
    )
    .words(&[w("release"), w("keep")]),
    // --- failed try
    client(
        "cleanup",
        Type::Word,
        "none",
        "What is released after a failed try: nothing, or all that it may have left.",
        "client.cleanup = \"all\"",
    )
    .words(&[w("none"), later("granted"), w("all"), later("at-end")]),
    client("on_error", Type::Word, "retry", "After an error: try again, stop, or act as if it held.", "client.on_error = \"proceed\"")
        .words(&[w("retry"), w("fail"), w("proceed")]),
    client("on_node_error", Type::Word, "no-vote", "What an error of one node of a quorum counts for.", "client.on_node_error = \"no-vote\"")
        .words(&[w("no-vote"), later("abort")])
        .uses(Uses::Families(&["redlock"]))
        .later(),
    client("on_cancel", Type::Word, "release", "What a cancelled acquisition leaves behind.", "client.on_cancel = \"release\"")
        .words(&[w("release"), later("keep")])
        .later(),
    // --- belief and waiting
    client(
        "believes",
        Type::Word,
        "reply",
        "The client says \"acquired\" at the answer, or already at the request.",
        "client.believes = \"request\"",
    )
    .words(&[w("reply"), w("request")]),
    client("find_entry", Type::Word, "by-session", "How a queue entry is recognised after a reconnect.", "client.find_entry = \"by-session\"")
        .words(&[w("by-session"), later("by-name"), later("never")])
        .uses(Uses::Families(&["session-queue"]))
        .later(),
    client("remembers", Type::Word, "process", "Whether observations outlive a round.", "client.remembers = \"process\"")
        .words(&[w("process"), later("nothing")])
        .uses(Uses::Families(&["observed-record"]))
        .later(),
    client("subscribe", Type::Word, "before-check", "Whether a waiter listens before it looks, or after.", "client.subscribe = \"before-check\"")
        .words(&[w("before-check"), later("after-check")])
        .later(),
    client("poll", Type::Draw, "ttl", "A waiter that listens asks anyway after so long.", "client.poll = \"1s\"").words(&[w("ttl")]).later(),
    // --- owner id
    client(
        "owner_id",
        Type::Word,
        "per-try",
        "What the client stores to recognise its own lock: new with every try, every acquisition, every process, or the same for everybody.",
        "client.owner_id = \"constant\"",
    )
    .words(&[w("per-try"), w("per-acquire"), w("per-process"), w("constant"), later("stamp"), later("none")]),
    client("id_slot", Type::Word, "own", "Whether threads of one process overwrite each other's id.", "client.id_slot = \"own\"")
        .words(&[w("own"), later("shared")]),
    // --- validity
    client(
        "valid_from",
        Type::Word,
        "send",
        "From when the lease counts: the sending, the first try, or the answer.",
        "client.valid_from = \"reply\"",
    )
    .words(&[w("send"), w("first-try"), later("quorum"), w("reply")]),
    client("margin", Type::Margin, "0s", "The part of a lease that the client does not use.", "client.margin = \"1% + 2ms\""),
    client(
        "elapsed_check",
        Type::Bool,
        "false",
        "Refuse a grant or an extension that took longer than it is valid.",
        "client.elapsed_check = true",
    ),
    client("believed_ttl", Type::Time, "ttl", "What the client thinks the TTL is.", "client.believed_ttl = \"30s\"").words(&[w("ttl"), w("never")]),
    client("clock", Type::Word, "wall", "By which of its clocks the client reckons.", "client.clock = \"monotonic\"").words(&[
        w("wall"),
        w("monotonic"),
        w("suspend-blind"),
    ]),
    // --- deadline
    client(
        "check_deadline",
        Type::Bool,
        "true",
        "Look at the own deadline just before each write or call is sent.",
        "client.check_deadline = false",
    ),
    client(
        "check_by",
        Type::Word,
        "clock",
        "Look at the own clock, ask the service, or extend and go on if that worked.",
        "client.check_by = \"poll\"",
    )
    .words(&[w("clock"), w("poll"), w("refresh")]),
    client("deadline_timer", Type::Bool, "false", "A timer stops the worker at its deadline, even in the middle of work.", "client.deadline_timer = true"),
    // --- renewal
    client("renew_every", Type::Period, "never", "Extend the lease so often; `\"ttl/3\"` follows the TTL.", "client.renew_every = \"ttl/3\"").words(NEVER),
    client(
        "renew_by",
        Type::Word,
        "worker",
        "Who extends: the worker between slices of work, or a thread that goes on while the worker hangs.",
        "client.renew_by = \"thread\"",
    )
    .words(&[w("worker"), w("thread"), later("shared")]),
    client("renew_deadline", Type::Time, "ttl", "No successful extension for so long is a loss.", "client.renew_deadline = \"10s\"")
        .words(&[w("ttl"), w("never")]),
    client("renew_retry", Type::Word, "until-deadline", "Whether an unanswered extension is tried again.", "client.renew_retry = \"none\"")
        .words(&[w("until-deadline"), w("none")]),
    client("renew_max", Type::Int { min: 0, max: 1_000_000 }, "none", "At most so many extensions of one hold.", "client.renew_max = 10").words(NONE),
    client("renew_hold", Type::Time, "none", "Extensions end so long after the grant.", "client.renew_hold = \"5min\"").words(NONE),
    client(
        "renew_if",
        Type::Word,
        "alive",
        "Extend while the process lives, or only if a step has ended since the last time.",
        "client.renew_if = \"progress\"",
    )
    .words(&[w("alive"), w("progress")]),
    // --- loss
    client(
        "on_lost",
        Type::Word,
        "stop",
        "On learning that the lease is lost: stop, write a line and go on, or start again.",
        "client.on_lost = \"log\"",
    )
    .words(&[w("stop"), w("log"), later("exit"), w("reacquire")]),
    client(
        "on_unknown",
        Type::Word,
        "until-deadline",
        "After an extension without an answer: work on with the old deadline, stop, or work on without one.",
        "client.on_unknown = \"stop\"",
    )
    .words(&[w("until-deadline"), w("stop"), w("ignore")]),
    client("learns_by", Type::Word, "reply", "How a loss becomes known.", "client.learns_by = \"reply\"").words(&[
        w("reply"),
        later("notice"),
        later("poll"),
    ]),
    client("learn_every", Type::Time, "1s", "With `learns_by = \"poll\"`: how old the answer may be.", "client.learn_every = \"1s\"").later(),
    client("reaction_lag", Type::Draw, "0s", "From knowing of a loss to having stopped.", "client.reaction_lag = \"100ms\""),
    // --- at the resource
    effect("on_reject", Type::Word, "stop", "When the resource refuses: stop, go on, or go back to the read.", "client.on_reject = \"retry\"")
        .words(&[w("stop"), w("continue"), w("retry")]),
    client(
        "activate",
        Type::Bool,
        "false",
        "Announce the token to every shard and await the answers before the first read.",
        "client.activate = true",
    ),
    effect("cache", Type::Word, "cleared", "What was read in an earlier hold is thrown away or used again.", "client.cache = \"kept\"")
        .words(&[w("cleared"), w("kept")]),
    // --- release
    client("release_after", Type::Word, "step", "A release inside a transaction goes out at once, or waits for its end.", "client.release_after = \"step\"")
        .words(&[w("step"), later("commit")]),
    client("release_on_stop", Type::Bool, "false", "Every way out releases.", "client.release_on_stop = true"),
    client("release_retry", COUNT, "0", "So many times an unanswered release is tried again; clean-up calls too.", "client.release_retry = 3"),
    client("release_gone", Type::Word, "done", "What a release that found nothing counts as.", "client.release_gone = \"done\"")
        .words(&[w("done"), later("failed")])
        .later(),
    client("settle_renewal", Type::Bool, "true", "Wait for the extension under way, then release.", "client.settle_renewal = true").later(),
    client("shutdown", Type::Word, "drain-first", "A polite end finishes the work first, or releases first.", "client.shutdown = \"drain-first\"")
        .words(&[w("drain-first"), later("release-first")])
        .later(),
    // --- process
    client("pool", Type::Word, "none", "A pooler between worker and connection.", "client.pool = \"none\"")
        .words(&[w("none"), later("per-session"), later("per-transaction")])
        .later(),
    client("pool_reset", Type::Bool, "true", "A returned connection drops its locks.", "client.pool_reset = true").later(),
    client("local_mutex", Type::Bool, "false", "Threads of a process queue among themselves first.", "client.local_mutex = true").later(),
    client("quirks", Type::Words, "", "Named mistakes of libraries.", "client.quirks = \"renews-after-release\"")
        .words(&[
            later("renews-after-release"),
            later("renewal-keyed-by-name"),
            later("counts-recreated"),
            later("unlocks-remote-first"),
            later("stops-at-downgrade"),
            later("keeps-late-quorum"),
        ])
        .later(),
];
