//! Settings of a design that a story can break on without any fault: each is tried, and named only if it cures.

/// A setting that would have been right.
pub struct Setting {
    /// "exclusive owner ids".
    pub name: &'static str,
    /// The key whose value is shown as what it was.
    pub key: &'static str,
    pub sets: &'static [(&'static str, &'static str)],
    pub needed: &'static str,
    /// `{0}`: what the key said.
    pub was: &'static str,
}

const fn s(
    name: &'static str,
    key: &'static str,
    sets: &'static [(&'static str, &'static str)],
    needed: &'static str,
    was: &'static str,
) -> Setting {
    Setting { name, key, sets, needed, was }
}

/// In the order in which they are tried: what the lock is, then how it is kept, then how it is used, then what is checked.
pub const SETTINGS: &[Setting] = &[
    s("an exclusive owner id", "client.owner_id", &[("client.owner_id", "per-try")], "a new one with every try", "{0}"),
    s("an exclusive owner id", "client.id_slot", &[("client.id_slot", "own")], "a slot of one’s own", "{0}"),
    s("a release that compares", "lock.release", &[("lock.release", "if-owner")], "only the owner’s", "{0}"),
    s(
        "a release that compares",
        "lock.release",
        &[("lock.release", "if-owner"), ("client.owner_id", "per-try")],
        "only the owner’s",
        "{0}",
    ),
    s(
        "a release in one step",
        "lock.release_in",
        &[("lock.release_in", "one-step")],
        "compare and delete at once",
        "{0}",
    ),
    s("a renewal that compares", "lock.renew", &[("lock.renew", "if-owner")], "only the owner’s", "{0}"),
    s("an acquisition in one step", "lock.acquire", &[("lock.acquire", "atomic")], "set with its end at once", "{0}"),
    s("a lease with an end", "lock.ttl", &[("lock.ttl", "10s")], "a lease of 10 s", "{0}"),
    s("a stored end that is the promised one", "lock.stored_ttl", &[("lock.stored_ttl", "ttl")], "as promised", "{0}"),
    s("a renewal as long as the lease", "lock.renew_ttl", &[("lock.renew_ttl", "ttl")], "as long as the lease", "{0}"),
    s(
        "a belief as long as the lease",
        "client.believed_ttl",
        &[("client.believed_ttl", "ttl")],
        "as long as the lease",
        "{0}",
    ),
    s(
        "a belief that begins with the answer",
        "client.believes",
        &[("client.believes", "reply")],
        "at the answer",
        "at the {0}",
    ),
    s(
        "a lease counted from its sending",
        "client.valid_from",
        &[("client.valid_from", "send")],
        "from the sending",
        "from the {0}",
    ),
    s(
        "an elapsed-time check",
        "client.elapsed_check",
        &[("client.elapsed_check", "true")],
        "late answers refused",
        "none",
    ),
    s("an end to renewals", "client.renew_max", &[("client.renew_max", "1")], "an end", "{0}"),
    s("renewals only while work goes on", "client.renew_if", &[("client.renew_if", "progress")], "progress", "{0}"),
    s("a stop when the lease is lost", "client.on_lost", &[("client.on_lost", "stop")], "a stop", "{0}"),
    s("a stop when an error comes", "client.on_error", &[("client.on_error", "retry")], "another try", "{0}"),
    s("a late grant that is given back", "client.late_grant", &[("client.late_grant", "release")], "a release", "{0}"),
    s("a clean-up after a failed try", "client.cleanup", &[("client.cleanup", "all")], "all of it", "{0}"),
    s(
        "one try that ends with its caller",
        "client.after_patience",
        &[("client.after_patience", "stops-trying")],
        "no further try",
        "{0}",
    ),
    s("retries that differ", "client.retry", &[("client.retry", "50ms..250ms")], "50 to 250 ms, drawn", "{0}, always"),
    s(
        "a check right before the write",
        "client.check_deadline",
        &[("client.check_deadline", "true")],
        "a look at the clock",
        "none",
    ),
    s("renewal", "client.renew_every", &[("client.renew_every", "ttl/3")], "every third of the lease", "{0}"),
    s(
        "renewal beside the work",
        "client.renew_by",
        &[("client.renew_every", "ttl/3"), ("client.renew_by", "thread")],
        "by a thread, every third of the lease",
        "by the {0}",
    ),
    s("work within the lease", "lock.ttl", &[("lock.ttl", "1h")], "a lease beyond the work", "{0}"),
    s("work within the lease", "lock.ttl", &[("lock.ttl", "24h")], "a lease beyond the work", "{0}"),
    s("one primary", "lock.consistency", &[("lock.consistency", "majority")], "a majority", "{0}"),
    s(
        "a takeover after the recorded time",
        "lock.takeover",
        &[("lock.takeover", "unchanged-recorded")],
        "the holder’s length",
        "{0}",
    ),
    s("a second look after waking", "lock.recheck", &[("lock.recheck", "true")], "a second look", "none"),
    s(
        "listening before looking",
        "client.subscribe",
        &[("client.subscribe", "before-check")],
        "before the look",
        "{0}",
    ),
    s(
        "the order of grants",
        "lock.token",
        &[("lock.token", "ordered"), ("resource.guard", "fence")],
        "tokens that the resource compares",
        "tokens: {0}",
    ),
    s("a check and an effect in one step", "resource.atomic", &[("resource.atomic", "true")], "one step", "two"),
    s(
        "a mark that stays",
        "resource.mark_durable",
        &[("resource.mark_durable", "true")],
        "kept over a crash",
        "not kept",
    ),
    s(
        "a mark that stays",
        "resource.mark_survives_delete",
        &[("resource.mark_survives_delete", "true")],
        "kept over a deletion",
        "not kept",
    ),
    s("a mark that stays", "resource.mark_retention", &[("resource.mark_retention", "forever")], "for ever", "{0}"),
    s("one mark for all", "resource.mark_scope", &[("resource.mark_scope", "resource")], "for all", "for each {0}"),
    s("an outcome that is kept", "resource.retention", &[("resource.retention", "forever")], "for ever", "{0}"),
    s(
        "a write to what was read",
        "resource.guard",
        &[("resource.guard", "version")],
        "a compare on the version",
        "{0}",
    ),
    s("one key for one operation", "resource.guard", &[("resource.guard", "idempotency")], "a stored outcome", "{0}"),
    s("a resource that asks", "resource.guard", &[("resource.guard", "ask")], "a question at each write", "{0}"),
    s("a majority that remembers", "lock.service", &[("lock.service", "consensus")], "a consensus service", "{0}"),
];
