//! Faults: one verb each, and when, which message, how.

use super::{Word, later, w};

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
    .sudden(),
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
