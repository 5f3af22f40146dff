//! Can a point of a program come up under a design?
//!
//! A fault that waits for a point strikes nothing where the point never comes; the column says so after the run, and the editor can say some of it
//! before. The answer here is "no" only where that is certain.

use crate::base::{PointKind, Verb};
use crate::scenario::layers::Resolver;
use crate::scenario::registry::Section;
use crate::scenario::scenario::Worker;

/// May `point` ever come up for this worker under this design?
pub(super) fn may_occur<'a>(r: &Resolver<'a>, w: &'a Worker, point: PointKind) -> bool {
    let actions = w.actions();
    let has = |verb: Verb| actions.iter().any(|a| a.verb == verb);
    let client = |key| r.flag(Section::Client, key, Some(&w.client));
    let lock = |key| r.text(Section::Lock, key, None);
    let service = r.service(None) != "none";
    let mutates = has(Verb::Write) || has(Verb::Delete) || has(Verb::Issue);
    match point {
        PointKind::Step(_, Verb::Check) => {
            has(Verb::Check) || ((mutates || has(Verb::Call)) && client("check_deadline"))
        }
        PointKind::Step(_, Verb::Activate) => has(Verb::Activate) || (client("activate") && has(Verb::Acquire)),
        PointKind::Step(_, Verb::Renew) => {
            has(Verb::Renew) || (service && r.text(Section::Client, "renew_every", Some(&w.client)) != "never")
        }
        PointKind::Step(_, Verb::Release) => has(Verb::Release) || client("release_on_stop"),
        // A worker can stop by itself.
        PointKind::Step(_, Verb::Stop) => true,
        PointKind::Step(_, verb) => has(verb),
        PointKind::Belief => has(Verb::Acquire),
        PointKind::Stamp | PointKind::Grant | PointKind::Refuse | PointKind::Expiry => service && has(Verb::Acquire),
        PointKind::Set => service && has(Verb::Acquire) && lock("acquire") == "two-step",
        PointKind::Compare => service && has(Verb::Release) && lock("release_in") == "two-steps",
        PointKind::Replicate => false,
        PointKind::Apply => mutates,
        PointKind::Reject => mutates || has(Verb::Activate) || client("activate"),
    }
}
