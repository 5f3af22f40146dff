//! The discipline of a client, resolved: what the library it uses does when it asks, holds, renews, loses and gives back.

use super::{Draw, Margin};
use crate::base::message::FindEntry;
use crate::base::{ClockKind, Span};

/// What the client stores to recognise its own lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OwnerIdKind {
    /// New with every try.
    #[default]
    PerTry,
    /// New with every acquisition, equal in its tries.
    PerAcquire,
    /// The same in every acquisition of a worker, until it crashes.
    PerProcess,
    /// The same for everybody.
    Constant,
    /// What its wall clock shows, in milliseconds.
    Stamp,
    /// None.
    None,
}

/// From when the client counts its lease.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ValidFrom {
    /// The sending of the try that succeeded.
    #[default]
    Send,
    /// The sending of the first try of this acquisition.
    FirstTry,
    /// The arrival of the answer.
    Reply,
    /// The arrival of the answer that makes a quorum; elsewhere that of the answer.
    Quorum,
}

/// How the client looks at its deadline before an effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CheckBy {
    /// By its own clock.
    #[default]
    Clock,
    /// Asks the service whether it still owns the lock.
    Poll,
    /// Extends the lease, and goes on if that succeeded.
    Refresh,
}

/// Who renews.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RenewBy {
    /// The worker itself, between slices of work.
    #[default]
    Worker,
    /// A thread of its own, which goes on while the worker hangs.
    Thread,
}

/// When the renewal thread renews.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RenewIf {
    #[default]
    Alive,
    /// Only if a step of the worker has ended since the last renewal.
    Progress,
}

/// What a client does when it learns that its lease is lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OnLost {
    /// Stops for good.
    #[default]
    Stop,
    /// Writes a line and goes on.
    Log,
    /// Starts its steps again.
    Reacquire,
}

/// What a client does when a renewal gets no answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OnUnknown {
    /// Goes on with its old deadline.
    #[default]
    UntilDeadline,
    Stop,
    /// Goes on and does not count.
    Ignore,
}

/// What a client does when the resource refuses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OnReject {
    #[default]
    Stop,
    Continue,
    /// Goes back to the last read.
    Retry,
}

/// What a client does when a call answers with an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OnError {
    /// As after a refusal.
    #[default]
    Retry,
    /// Stops.
    Fail,
    /// Acts as if it had succeeded.
    Proceed,
}

/// What a client releases after a try that failed, since some server may have granted it all the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Cleanup {
    /// Nothing: it is left to run out.
    #[default]
    None,
    /// The nodes that said yes.
    Granted,
    /// All nodes.
    All,
    /// All nodes, but only after the last try.
    AtEnd,
    /// All nodes, but nothing once the try took longer than it is worth.
    UnlessLate,
}

/// How a client of sessions learns that its session is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LearnsBy {
    /// By the answer to its next call.
    #[default]
    Reply,
    /// The service tells it.
    Notice,
    /// Its program looks at a flag from time to time.
    Poll,
}

/// What becomes of a grant that arrives after its try was given up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LateGrant {
    /// It is left to run out.
    #[default]
    Keep,
    /// It is released at once.
    Release,
}

/// What stands between a worker and its connection to a database.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Pool {
    /// Nothing: the connection is its own.
    #[default]
    None,
    /// A pooler that lends it one as long as its program runs.
    PerSession,
    /// One that lends another for each transaction, and for each statement outside one.
    PerTransaction,
}

/// What a cancelled acquisition leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OnCancel {
    /// Nothing: what was got is given back.
    #[default]
    Release,
    /// What was got, and renewals of it.
    Keep,
}

/// The discipline of one worker: every `client.…` key, resolved.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClientParams {
    /// `None` waits for ever.
    pub call_timeout: Option<Draw>,
    pub acquire_timeout: Option<Draw>,
    /// The same, for each node of a quorum.
    pub node_timeout: Option<Draw>,
    pub write_timeout: Option<Draw>,
    pub write_retries: u32,
    /// From a refusal or time-out to the next try.
    pub retry: Draw,
    /// `None`: for ever.
    pub attempts: Option<u32>,
    pub patience: Option<Draw>,
    /// The loop of tries outlives the caller's patience.
    pub keeps_trying: bool,
    pub late_grant: LateGrant,
    pub cleanup: Cleanup,
    pub on_error: OnError,
    /// An error of one node of a quorum is an error of the whole try.
    pub aborts_on_node_error: bool,
    /// Says "acquired" at the sending already.
    pub believes_request: bool,
    pub owner_id: OwnerIdKind,
    /// Threads of one process keep the id in one place, and overwrite each other's.
    pub shares_id: bool,
    pub valid_from: ValidFrom,
    pub margin: Margin,
    /// Refuse a grant or extension that took longer than its validity.
    pub elapsed_check: bool,
    /// What the client thinks the TTL is; `None` in the outer option: the service's.
    pub believed_ttl: Option<Option<Span>>,
    pub clock: ClockKind,
    pub check_deadline: bool,
    pub check_by: CheckBy,
    /// A timer stops the worker at its deadline, even in the middle of work.
    pub deadline_timer: bool,
    pub renew_every: Option<Span>,
    pub renew_by: RenewBy,
    /// No success for so long is a loss; `None`: not watched. Only the renewal thread looks, when a renewal of its own times out.
    pub renew_deadline: Option<Span>,
    /// After an unanswered renewal try again at once (the thread).
    pub renew_retry: bool,
    /// At most so many renewals *sent* in one tenure, whoever sent them and whatever came of them.
    pub renew_max: Option<u32>,
    /// None is sent so long after the sending of the acquire.
    pub renew_hold: Option<Span>,
    pub renew_if: RenewIf,
    pub on_lost: OnLost,
    pub on_unknown: OnUnknown,
    /// From knowing to having stopped.
    pub reaction_lag: Draw,
    pub on_reject: OnReject,
    /// Announce the token to every shard, await the answers, then read.
    pub activate: bool,
    /// What was read in an earlier tenure is used again.
    pub cache_kept: bool,
    /// Every exit path releases.
    pub release_on_stop: bool,
    pub release_retry: u32,
    pub find_entry: FindEntry,
    pub learns_by: LearnsBy,
    /// How old the flag may be.
    pub learn_every: Span,
    /// A release inside a transaction waits for its end.
    pub release_at_commit: bool,
    /// Where a release finds nothing it throws, before the mutex of the process is released.
    pub unlocks_remote_first: bool,
    pub pool: Pool,
    /// A connection that is given back to the pooler drops its locks.
    pub pool_reset: bool,
    /// Who waits to be told of a release begins to listen after the look that was in vain, and does not look again.
    pub looks_then_listens: bool,
    /// Who waits to be told asks anyway after so long; `None`: when the record that it saw has run out.
    pub poll: Option<Draw>,
    pub on_cancel: OnCancel,
    /// A polite end gives back what is held before the work is done.
    pub release_first: bool,
    /// Quirk: what was held for writing and is now held for reading is not renewed any more.
    pub stops_at_downgrade: bool,
    /// What it has seen of a record counts in later rounds too.
    pub remembers: bool,
    /// A renewal whose answer comes after the release sets the renewal thread going again.
    pub renews_after_release: bool,
}

impl Default for ClientParams {
    fn default() -> Self {
        ClientParams {
            call_timeout: Some(Draw::ms(1_000)),
            acquire_timeout: Some(Draw::ms(1_000)),
            node_timeout: Some(Draw::ms(50)),
            write_timeout: None,
            write_retries: 0,
            retry: Draw::ms(200),
            attempts: None,
            patience: None,
            keeps_trying: false,
            late_grant: LateGrant::Keep,
            cleanup: Cleanup::None,
            on_error: OnError::Retry,
            aborts_on_node_error: false,
            believes_request: false,
            owner_id: OwnerIdKind::PerTry,
            shares_id: false,
            valid_from: ValidFrom::Send,
            margin: Margin::default(),
            elapsed_check: false,
            believed_ttl: None,
            clock: ClockKind::Wall,
            check_deadline: true,
            check_by: CheckBy::Clock,
            deadline_timer: false,
            renew_every: None,
            renew_by: RenewBy::Worker,
            renew_deadline: None,
            renew_retry: true,
            renew_max: None,
            renew_hold: None,
            renew_if: RenewIf::Alive,
            on_lost: OnLost::Stop,
            on_unknown: OnUnknown::UntilDeadline,
            reaction_lag: Draw::ms(0),
            on_reject: OnReject::Stop,
            activate: false,
            cache_kept: false,
            release_on_stop: false,
            release_retry: 0,
            find_entry: FindEntry::BySession,
            learns_by: LearnsBy::Reply,
            learn_every: Span::from_ms(1_000),
            release_at_commit: false,
            unlocks_remote_first: false,
            pool: Pool::None,
            pool_reset: true,
            looks_then_listens: false,
            poll: None,
            on_cancel: OnCancel::Release,
            release_first: false,
            stops_at_downgrade: false,
            remembers: true,
            renews_after_release: false,
        }
    }
}
