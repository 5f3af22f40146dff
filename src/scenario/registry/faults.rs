//! Faults: one verb each, and when, which message, how.

use super::{Row, Section, Type, Word, later, w};

/// What the value of a verb names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Victim {
    /// Processes, threads, nodes, resources.
    Targets,
    Names,
    Groups,
    Kinds,
    /// Lock nodes.
    LockNodes,
    Workers,
}

/// One verb of a fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultVerb {
    pub word: &'static str,
    pub victim: Victim,
    /// Keys of its own, beside those of every fault.
    pub keys: &'static [&'static str],
    /// Keys of its own that it cannot do without.
    pub needs: &'static [&'static str],
    /// Lasts from `at` to `until`; otherwise it happens at `at`.
    pub lasts: bool,
    pub built: bool,
    pub says: &'static str,
    pub example: &'static str,
}

const fn verb(
    word: &'static str,
    victim: Victim,
    keys: &'static [&'static str],
    says: &'static str,
    example: &'static str,
) -> FaultVerb {
    FaultVerb { word, victim, keys, needs: &[], lasts: true, built: true, says, example }
}

impl FaultVerb {
    const fn needs(mut self, needs: &'static [&'static str]) -> FaultVerb {
        self.needs = needs;
        self
    }

    const fn sudden(mut self) -> FaultVerb {
        self.lasts = false;
        self
    }

    const fn later(mut self) -> FaultVerb {
        self.built = false;
        self
    }
}

/// Keys that every fault may have.
pub const COMMON: &[&str] = &["at", "until", "for", "every", "name"];

pub const VERBS: &[FaultVerb] = &[
    verb(
        "pause",
        Victim::Targets,
        &[],
        "No local step; what arrives queues, and what is on the wire goes on.",
        "fault = { pause = \"W1\", at = \"500ms\", until = \"15s\" }",
    ),
    verb(
        "crash",
        Victim::Targets,
        &["loses", "answers"],
        "What is not durable is lost; `until` or `for` brings it back. A worker begins its steps again under a new id.",
        "fault = { crash = \"W1\", at = \"500ms\", for = \"1s\" }",
    ),
    verb(
        "cut",
        Victim::Names,
        &["to", "one_sided"],
        "Messages sent between these and `to` are lost.",
        "fault = { cut = \"W1\", to = \"lock\", at = \"2s\" }",
    ),
    verb(
        "partition",
        Victim::Groups,
        &[],
        "The groups cannot reach each other; a name in no group reaches all.",
        "fault = { partition = [[\"W1\", \"lock\"], [\"R\"]], at = \"1s\", for = \"5s\" }",
    ),
    verb(
        "delay",
        Victim::Kinds,
        &["from", "to", "nth", "takes"],
        "The whole way takes so long.",
        "fault = { delay = \"write\", from = \"W1\", nth = 1, takes = \"6s\" }",
    )
    .needs(&["takes"]),
    verb(
        "drop",
        Victim::Kinds,
        &["from", "to", "nth"],
        "The message never arrives.",
        "fault = { drop = \"acquire-reply\", to = \"W1\", nth = 1 }",
    ),
    verb(
        "duplicate",
        Victim::Kinds,
        &["from", "to", "nth", "takes"],
        "A second copy goes out together with the first; `takes` is its way.",
        "fault = { duplicate = \"release\", from = \"W1\", nth = 1, takes = \"905ms\" }",
    ),
    verb(
        "fail",
        Victim::Kinds,
        &["from", "to", "nth", "takes", "applied"],
        "The sender gets an error; `applied` says whether it had taken effect.",
        "fault = { fail = \"write\", from = \"W1\", nth = 1, applied = true }",
    ),
    verb(
        "stall",
        Victim::Kinds,
        &["from", "to", "nth", "takes"],
        "The message waits in the receiver's handler; others are served meanwhile.",
        "fault = { stall = \"write\", from = \"W1\", takes = \"2s\" }",
    )
    .needs(&["takes"]),
    verb(
        "step_clock",
        Victim::Names,
        &["by"],
        "The wall clock jumps by so much, also while its node is down.",
        "fault = { step_clock = \"W1\", at = \"3s\", by = \"-8s\" }",
    )
    .needs(&["by"])
    .sudden(),
    verb(
        "drift_clock",
        Victim::Names,
        &["rate"],
        "The clock runs at another rate.",
        "fault = { drift_clock = \"lock\", at = \"1s\", rate = 1.1 }",
    )
    .needs(&["rate"]),
    verb(
        "fail_over",
        Victim::LockNodes,
        &["old"],
        "A replica is promoted, or a group changes its leader.",
        "fault = { fail_over = \"lock\", at = \"20ms\" }",
    )
    .sudden()
    .later(),
    verb(
        "evict",
        Victim::LockNodes,
        &["lock_name"],
        "The lock's record vanishes.",
        "fault = { evict = \"lock\", at = \"2s\" }",
    )
    .sudden(),
    verb(
        "expire",
        Victim::Workers,
        &["lock_name"],
        "The service ends the worker's session or lease.",
        "fault = { expire = \"W1\", at = \"2s\" }",
    )
    .sudden()
    .later(),
    verb(
        "disconnect",
        Victim::Workers,
        &[],
        "The worker's connection breaks.",
        "fault = { disconnect = \"W1\", at = \"2s\" }",
    )
    .sudden()
    .later(),
    verb(
        "change_identity",
        Victim::Workers,
        &[],
        "The worker goes on under a new id.",
        "fault = { change_identity = \"W1\", at = \"2s\" }",
    )
    .sudden()
    .later(),
    verb(
        "cancel",
        Victim::Workers,
        &[],
        "The worker gives up the acquisition under way.",
        "fault = { cancel = \"W1\", at = \"2s\" }",
    )
    .sudden()
    .later(),
    verb("shut_down", Victim::Workers, &[], "The worker ends politely.", "fault = { shut_down = \"W1\", at = \"2s\" }")
        .sudden()
        .later(),
];

pub fn fault_verb(word: &str) -> Option<&'static FaultVerb> {
    VERBS.iter().find(|v| v.word == word)
}

/// Message kinds; most exist with `-reply` as well.
pub const KINDS: &[Word] = &[
    w("acquire"),
    w("renew"),
    w("release"),
    w("read"),
    w("write"),
    w("activate"),
    w("call"),
    later("commit"),
    w("break"),
    w("ask"),
    later("ping"),
    later("notify"),
    later("replicate"),
    w("withdraw"),
    w("any"),
];

/// Kinds without a reply of their own.
pub const NO_REPLY: [&str; 4] = ["ping", "notify", "replicate", "any"];

const fn fault(key: &'static str, ty: Type, default: &'static str, says: &'static str, example: &'static str) -> Row {
    Row::new(Section::Fault, key, ty, default, says, example)
}

/// The keys beside the verbs.
pub const ROWS: &[Row] = &[
    fault(
        "at",
        Type::Moment,
        "0s",
        "When it begins.",
        "fault = { pause = \"W1\", at = \"after W1 check\", for = \"6s\" }",
    ),
    fault(
        "until",
        Type::Moment,
        "",
        "When it ends; left out, with the run.",
        "fault = { pause = \"W1\", at = \"500ms\", until = \"15s\" }",
    ),
    fault(
        "for",
        Type::Draw,
        "",
        "How long it lasts, instead of `until`.",
        "fault = { pause = \"W1\", at = \"500ms\", for = \"exp 5s\" }",
    ),
    fault(
        "every",
        Type::Draw,
        "",
        "It begins again so long after its last beginning.",
        "fault = { pause = \"W1\", at = \"1s\", for = \"100ms\", every = \"exp 30s\" }",
    ),
    fault(
        "name",
        Type::Name,
        "",
        "For paths and cards.",
        "fault = { name = \"gc\", pause = \"W1\", at = \"500ms\", for = \"2s\" }",
    ),
    fault(
        "from",
        Type::Names,
        "",
        "Whose messages; left out, everybody's.",
        "fault = { drop = \"write\", from = \"W1\" }",
    ),
    fault(
        "to",
        Type::Names,
        "",
        "Messages to whom; left out, to anybody.",
        "fault = { drop = \"acquire-reply\", to = \"W1\" }",
    ),
    fault(
        "nth",
        Type::Counts,
        "all",
        "Only the worker's n-th operation of that kind; its reply and its copies share the number.",
        "fault = { drop = \"write\", from = \"W1\", nth = [1, 3] }",
    )
    .words(&[w("all")]),
    fault(
        "takes",
        Type::Draw,
        "",
        "The whole time of the message, of the second copy, until the error, or in the handler.",
        "fault = { delay = \"write\", takes = \"6s\" }",
    ),
    fault(
        "applied",
        Type::Bool,
        "false",
        "The failed operation had taken effect.",
        "fault = { fail = \"write\", applied = true }",
    ),
    fault(
        "one_sided",
        Type::Bool,
        "false",
        "Only from the cut names to `to`.",
        "fault = { cut = \"W1\", to = \"R\", one_sided = true }",
    ),
    fault(
        "by",
        Type::SignedTime,
        "",
        "How far the clock jumps; it may be negative.",
        "fault = { step_clock = \"W1\", by = \"-8s\" }",
    ),
    fault(
        "rate",
        Type::Rate,
        "",
        "Seconds shown per true second from then on.",
        "fault = { drift_clock = \"W1\", rate = 0.7 }",
    ),
    fault(
        "loses",
        Type::Time,
        "",
        "It comes back with a state so much older.",
        "fault = { crash = \"lock\", for = \"1s\", loses = \"40s\" }",
    ),
    fault(
        "answers",
        Type::Word,
        "nothing",
        "What those hear who ask while it is down: nothing, or an error.",
        "fault = { crash = \"R\", for = \"1s\", answers = \"error\" }",
    )
    .words(&[w("nothing"), w("error")]),
    fault(
        "old",
        Type::Word,
        "dead",
        "Whether the old primary goes on.",
        "fault = { fail_over = \"lock\", old = \"dead\" }",
    )
    .words(&[w("dead"), later("serves")])
    .later(),
    fault(
        "lock_name",
        Type::Name,
        "",
        "Which lock; left out, every one.",
        "fault = { evict = \"lock\", lock_name = \"main\" }",
    ),
];
