//! Words of the form and of the text: what its cards and buttons are called, and what a field says about itself.

use super::capital;
use crate::base::pieces::joined;
use crate::base::text::{number, said};
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::registry::{Row, Section, Type};
use crate::scenario::scenario::{Fault, MessageVerb};
use crate::scenario::tree::Node;

pub const STORY: &str = "Story";
pub const LOCK: &str = "Lock";
pub const RESOURCE: &str = "Resource";
pub const NETWORK: &str = "Network";
pub const CLOCKS: &str = "Clocks";
pub const WORKERS: &str = "Workers";
pub const FAULTS: &str = "Faults";
pub const CLAIMS: &str = "Expected of every design";
pub const SWEEP: &str = "Random runs";
pub const EXPLORE: &str = "Search";
pub const LESSON: &str = "Lesson";
pub const SERVICE_SIDE: &str = "The service";
pub const CLIENT_SIDE: &str = "Its clients";
pub const RESOURCE_SIDE: &str = "The resource";
pub const EXPECTED: &str = "What it is expected to do";
pub const NO_FAULT: &str = "None. The story runs undisturbed.";
pub const ADD_WORKER: &str = "Add a worker";
pub const ADD_FAULT: &str = "Add a fault";
pub const ADD_DESIGN: &str = "Add a design";
pub const ADD_LINK: &str = "Add a link with a latency or a loss of its own";
pub const ADD_CLOCK: &str = "Add a clock that is off";
pub const ADD_LOCK: &str = "Add another lock";
pub const ADD_RESOURCE: &str = "Add another resource";
pub const ADD_STEP: &str = "Add a step";
pub const PLAIN_DESIGN: &str = "As the story says";
pub const PLAIN_DESIGN_SAYS: &str = "Changes nothing by itself; give it settings of its own.";
pub const PROTECTIONS: &str = "Protections";
pub const SERVICES: &str = "Lock services";
pub const FIND: &str = "Find a setting";
pub const NONE_FOUND: &str = "No setting has these words.";
pub const DUPLICATE: &str = "Duplicate";
pub const UP: &str = "Move up";
pub const DOWN: &str = "Move down";
pub const TO_DEFAULT: &str = "Back to the default";
pub const REPEATED: &str = "repeat";
pub const REPEATED_SAYS: &str = "A block of steps, so many times or for ever.";
pub const STEPS: &str = "Steps";
pub const NOT_SET: &str = "not set";
pub const NOT_TESTED: &str = "not tested";
pub const NONE_OF_THEM: &str = "nothing at all";
pub const SET_BY_PROTECTION: &str = "Set by the design’s protection.";
pub const SETS: &str = "Sets";
pub const YES: &str = "yes";
pub const NO: &str = "no";
pub const TO_THE_END: &str = "the end";
pub const FORM_STALE: &str =
    "The text has an error. The form shows what ran last, and waits until the text can be read again.";
pub const LAST_STEP: &str = "A worker without steps does nothing. Remove the worker instead.";
pub const NO_SUCH: &str = "There is nothing to change there any more.";
pub const PAUSES: &str = "pauses";
pub const CRASHES: &str = "crashes";
pub const CLOCK_STEPS: &str = "clock steps";
pub const CLOCK_DRIFTS: &str = "clock drifts";
pub const KEYS_HERE: &str = "Keys here";

/// What keys are called where their own word says too little. The others go by their key.
const LABELS: [(&str, &str); 26] = [
    ("lock.ttl", "Lease"),
    ("lock.persistence", "A crash keeps"),
    ("lock.clock", "Expires by clock"),
    ("client.retry", "Retry after"),
    ("client.check_deadline", "Deadline check"),
    ("client.renew_every", "Renews every"),
    ("client.renew_by", "Renewed by"),
    ("client.clock", "Reckons by clock"),
    ("resource.guard", "Checks"),
    ("horizon", "Ends at"),
    ("judge", "Judged as wrong"),
    ("worker.start", "from"),
    ("fault.nth", "which one"),
    ("fault.answers", "answers with"),
    ("fault.old", "the old primary"),
    ("fault.lock_name", "which lock"),
    ("fault.pause", "who"),
    ("fault.crash", "who"),
    ("fault.cut", "who"),
    ("fault.partition", "groups"),
    ("fault.step_clock", "whose"),
    ("fault.drift_clock", "whose"),
    ("design.protection", "Protection"),
    ("expect.violates", "Violates exactly"),
    ("expect.notes", "And notes"),
    ("fault.evict", "where"),
];

/// What a key is called in the form.
pub fn label(row: &Row) -> String {
    let path = row.path();
    let known = LABELS.iter().find(|(key, _)| *key == path).map(|(_, label)| *label);
    match (known, row.section) {
        (Some(label), _) => label.to_string(),
        (None, Section::Fault) if matches!(row.ty, Type::Kinds) => "message".to_string(),
        (None, Section::Fault) if fault_verb(row.key).is_some() => "who".to_string(),
        (None, Section::Fault | Section::Worker | Section::Link) => row.key.replace('_', " "),
        _ => capital(&row.key.replace('_', " ")),
    }
}

/// What may be typed where a value of this kind is wanted.
pub fn hint(ty: Type) -> &'static str {
    match ty {
        Type::Draw => {
            "A length such as 250ms or 1.5s, or a draw, new each time: 0ms..200ms, exp 2s, lognormal 50ms 2s."
        }
        Type::Time | Type::FixedTime => "A length with its unit: us, ms, s, min, h, d.",
        Type::SignedTime => "A length with its unit; it may be negative.",
        Type::Period => "A length with its unit, or a part of the lease: ttl/3.",
        Type::Moment => "An instant such as 15s, or a point of somebody’s program: after W1 grant, 5ms after W1 check.",
        Type::Share => "A share: 1%.",
        Type::Margin => "A share, a length, or both: 1% + 2ms.",
        Type::Rate => "A number: 1 is true time, 1.1 is fast, 0.7 is slow.",
        Type::Names => "Names, with commas. Groups: workers, lock, lock-node, resources.",
        Type::Groups => "Groups, with | between them: W1, lock | R.",
        Type::Kinds => "Kinds of messages, with commas; each also with -reply.",
        Type::Counts => "Numbers from 1, with commas.",
        Type::Texts => "One on each line.",
        Type::Instants => "One on each line: W1 apply 2 at 4.165s, or W2 grant never.",
        Type::MeasureClaims => "One on each line: wait W2 < 10.1s.",
        Type::Ends => "One on each line: W1 = done.",
        Type::Table => "One on each line, key = value.",
        _ => "",
    }
}

pub fn default_is(default: &str) -> String {
    said("Left out: {0}.", &[default])
}

pub fn remove(what: &str) -> String {
    said("Remove {0}", &[what])
}

/// The button of a card that shows all that it can say.
pub fn all_of(what: &str) -> String {
    said("All settings: {0}", &[what])
}

/// A step, for who hears it.
pub fn step_of(worker: &str, at: usize) -> String {
    said("{0}, step {1}", &[worker, &number(at + 1)])
}

/// The handle of an entry that can be moved.
pub fn grip(what: &str) -> String {
    said("{0}: drag it, or move it with ↑ and ↓", &[what])
}

/// Said when something has moved.
pub fn moved_to(place: usize) -> String {
    said("Now number {0}.", &[&number(place + 1)])
}

/// Above the form: so many remarks that stand beside no field that is shown.
pub fn elsewhere(count: usize) -> String {
    if count == 1 { "One remark elsewhere".to_string() } else { said("{0} remarks elsewhere", &[&number(count)]) }
}

/// What an entry of a list is called that has no name.
pub fn entry(list: &str) -> &'static str {
    match list {
        "link" => "Link",
        "lock.also" => "Lock",
        _ => "Resource",
    }
}

/// A name that is not taken: with a number behind it.
pub fn numbered(name: &str, n: usize) -> String {
    said("{0} {1}", &[name, &number(n)])
}

pub fn looped(times: Option<u32>, steps: &str) -> String {
    match times {
        Some(n) => said("{0} times ({1})", &[&number(n as usize), steps]),
        None => said("for ever ({0})", &[steps]),
    }
}

/// What a fault does, for its card.
pub fn fault(f: &Fault) -> String {
    let to = f.names("to").map(|names| names.join(", "));
    if let Some(what) = f.message() {
        let verb = match what {
            MessageVerb::Delay => "delayed",
            MessageVerb::Drop => "lost",
            MessageVerb::Duplicate => "doubled",
            MessageVerb::Fail if f.flag("applied") => "carried out, and answered with an error",
            MessageVerb::Fail => "answered with an error",
            MessageVerb::Stall => "stalled at the receiver",
        };
        let to = to.map_or(String::new(), |to| [" to ", &to].concat());
        return [&f.whom().join(", "), &to, " ", verb].concat();
    }
    match f.verb.word {
        "pause" => PAUSES.to_string(),
        "crash" => CRASHES.to_string(),
        "cut" => {
            let how = if f.flag("one_sided") { "cut towards " } else { "cut off from " };
            [how, to.as_deref().unwrap_or("everybody")].concat()
        }
        "partition" => {
            let groups: Vec<String> = f.victims().items().iter().map(Node::shown).collect();
            ["parted: ", &joined(&groups, " | ")].concat()
        }
        "step_clock" => CLOCK_STEPS.to_string(),
        "drift_clock" => CLOCK_DRIFTS.to_string(),
        "fail_over" if f.text("old") == Some("serves") => "replaced, and does not know".to_string(),
        "fail_over" => "replaced".to_string(),
        "expire" => "loses its session".to_string(),
        "disconnect" => "is disconnected".to_string(),
        "cancel" => "gives up acquiring".to_string(),
        "shut_down" => "is told to stop".to_string(),
        _ => match f.text("lock_name") {
            Some(lock) => ["forgets ", lock].concat(),
            None => "forgets its locks".to_string(),
        },
    }
}
