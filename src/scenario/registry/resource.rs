//! Keys of `[resource]`: what the lock protects, and what it checks itself.

use super::{Row, Section, Type, later, w};

const fn resource(
    key: &'static str,
    ty: Type,
    default: &'static str,
    says: &'static str,
    example: &'static str,
) -> Row {
    Row::new(Section::Resource, key, ty, default, says, example)
}

const COPIES: Type = Type::Int { min: 1, max: 9 };

pub const ROWS: &[Row] = &[
    // --- shape
    resource("name", Type::Name, "R", "What the resource is called.", "resource.name = \"Accounts\""),
    resource("kind", Type::Word, "register", "What kind of thing it is.", "resource.kind = \"register\"").words(&[
        w("register"),
        later("log"),
        later("issuer"),
        later("external"),
    ]),
    resource(
        "shards",
        Type::Names,
        "",
        "Its parts, each with a mark and a version of its own; a step names one as `R.debit`.",
        "resource.shards = [\"debit\", \"credit\"]\nworker = { steps = [\"acquire\", \"write R.debit base=none\", \"release\"] }",
    ),
    resource("replicas", COPIES, "1", "Copies of each shard.", "resource.replicas = 3").later(),
    resource("ack_quorum", COPIES, "replicas", "So many copies make a write.", "resource.ack_quorum = 2").words(&[w("replicas")]).later(),
    resource("mark_quorum", COPIES, "replicas", "So many copies make a mark.", "resource.mark_quorum = 2").words(&[w("replicas")]).later(),
    resource("read_quorum", COPIES, "1", "So many copies make a read.", "resource.read_quorum = 2").later(),
    resource("handling", Type::Draw, "0s", "From arrival to decision.", "resource.handling = \"1ms..5ms\""),
    // --- guard
    resource(
        "guard",
        Type::Words,
        "none",
        "What a write must pass: its token against the mark, its owner id, a question to the lock service, its base version, absence, or an idempotency key; all that are listed.",
        "resource.guard = [\"fence\", \"version\"]",
    )
    .words(&[
        w("none"),
        w("fence"),
        w("owner"),
        w("ask"),
        later("same-store"),
        later("lease-id"),
        w("version"),
        w("absent"),
        later("blocklist"),
        w("idempotency"),
    ]),
    resource("rule", Type::Word, ">=", "How a token passes the mark.", "resource.rule = \">\"").words(&[w(">="), w(">")]),
    resource(
        "atomic",
        Type::Bool,
        "true",
        "Check and effect are one step; otherwise a millisecond, or a stall, lies between them.",
        "resource.atomic = false",
    ),
    resource("sequence", Type::Bool, "false", "Requests under one token must count up.", "resource.sequence = true"),
    resource("reads_fence", Type::Bool, "false", "Reads carry the token and move the mark.", "resource.reads_fence = true"),
    // --- memory
    resource("mark", Type::Int { min: 0, max: i64::MAX }, "0", "The high-water mark at the start.", "resource.mark = 40"),
    resource("mark_durable", Type::Bool, "true", "The mark survives a crash.", "resource.mark_durable = false"),
    resource("mark_survives_delete", Type::Bool, "true", "The mark survives the deletion of what it guards.", "resource.mark_survives_delete = false"),
    resource(
        "mark_retention",
        Type::Time,
        "forever",
        "The mark is forgotten so long after its last move.",
        "resource.mark_retention = \"1h\"",
    )
    .words(&[w("forever")]),
    resource("mark_scope", Type::Word, "resource", "One mark for all, or one for each worker.", "resource.mark_scope = \"worker\"")
        .words(&[w("resource"), w("worker")]),
    resource("bump", Type::Word, "success", "When a token that the resource mints counts up.", "resource.bump = \"success\"")
        .words(&[w("success"), later("attempt")])
        .later(),
    resource("retention", Type::Time, "forever", "How long outcomes are kept for idempotency keys.", "resource.retention = \"24h\"").words(&[w("forever")]),
];
