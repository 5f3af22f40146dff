//! What is said, in one place: templates whose slots are names, instants and lengths.
//!
//! A sentence has a subject and one fact; its time stands before it. `{0}` is mostly who.

pub const THE_SERVICE: &str = "the service";
pub const THE_RESOURCE: &str = "the resource";
pub const AGAIN: &str = "{0}, again.";
pub const AND: &str = " and ";

// --- grants
pub const GRANTS_UNTIL: &str = "{0} grants {1} {2} until {3}.";
pub const GRANTS_TOKEN: &str = "{0} grants {1} {2} until {3}, token\u{a0}{4}.";
pub const GRANTS_FREE: &str = "{0} grants {1} {2}, without an end.";
pub const GRANTS_FREE_TOKEN: &str = "{0} grants {1} {2} with token\u{a0}{4}, without an end.";
pub const GRANTS_AGAIN: &str = "{0} has {1}’s old record again.";
pub const VOTES: &str = "{0} vote for {1}: a majority.";
pub const VOTES_TOKEN: &str = "{0} vote for {1}: a majority, with token\u{a0}{2}.";
pub const BY_ITS_CLOCK: &str = " (its clock)";
pub const FOREIGN_RENEWAL: &str = "{0}’s renewal extends {1}’s lease.";
pub const OWN_RENEWAL: &str = "{0}’s old renewal extends its own new lease.";
pub const EXTENDS: &str = "{0} extends {1}’s lease until {2}.";
pub const EXTENDS_FREE: &str = "{0} extends {1}’s lease.";
pub const RUNS_OUT: &str = "{0}’s lease runs out.";
pub const RUNS_OUT_CLOCK: &str = "{0}’s lease runs out by {1}’s clock.";
pub const SESSION_OVER: &str = "{0}’s session runs out.";
pub const FORGETS: &str = "{0} forgets {1}’s lease.";
pub const RELEASES: &str = "{0} releases {1}.";
pub const REMOVES: &str = "{0}’s release removes {1}’s lease.";
pub const REMOVES_OWN: &str = "{0}’s old release removes its own new lease.";
pub const BROKEN: &str = "{0}’s lock is broken by order.";
pub const TAKEN_OVER: &str = "{0} takes {1} for dead and replaces its record.";
pub const CLOSED: &str = "{0}’s lock goes with its connection.";
pub const QUEUED: &str = "{0} puts {1} in line behind {2}.";
pub const UNQUEUED: &str = "{0} loses its place in line.";
pub const VOTE_ENDS: &str = "{0}’s record of {1} runs out.";
pub const VOTE_ENDS_CLOCK: &str = "{0}’s record of {1} runs out by its clock.";
pub const VOTE_FORGOTTEN: &str = "{0} forgets its record of {1}.";
pub const VOTES_END: &str = "{1}’s records on {0} run out.";
pub const VOTES_END_CLOCK: &str = "{0} drop {1} by their own clocks.";
pub const VOTES_FORGOTTEN: &str = "{0} forget their records of {1}.";
pub const NO_MAJORITY: &str = "{0} has a majority no longer.";
pub const RECORDS: &str = "{0} records {1} as the holder.";
pub const VOTE_REMOVED: &str = "Another release removes {1}’s record on {0}.";
pub const COUNTED: &str = "A release is counted. {0} is in still.";
pub const COUNTER: &str = "{0}’s token counter falls from {1} to {2}.";

// --- what befalls a node
pub const PAUSES_UNTIL: &str = "{0} stops until {1} and cannot notice it.";
pub const PAUSES: &str = "{0} stops, and does not go on in this run.";
pub const NODE_PAUSES: &str = "{0} stands still until {1}.";
pub const RENEWER_PAUSES: &str = "{0}’s renewal thread stops until {1}.";
pub const RENEWER_PAUSES_EVER: &str = "{0}’s renewal thread stops for good.";
pub const MAIN_PAUSES: &str = "{0}’s work hangs until {1}.";
pub const MAIN_PAUSES_EVER: &str = "{0}’s work hangs for good.";
pub const WAKES: &str = "{0} wakes.";
pub const WAKES_BELIEVING: &str = "{0} wakes and still believes that it holds {1}.";
pub const WAKES_AND_SENDS: &str = "{0} wakes, still believes, and sends {1}.";
pub const WAKES_AND_SENDS_COMPUTED: &str = "{0} wakes, still believes, and sends {1}, computed from {2}.";
pub const CRASHES: &str = "{0} crashes.";
pub const CRASHES_HOLDING: &str = "{0} crashes and gives nothing back.";
pub const RENEWER_DIES: &str = "{0}’s renewal thread dies.";
pub const MAIN_DIES: &str = "{0}’s main thread dies.";
pub const RESTARTS: &str = "{0} is back.";
pub const PROMOTED: &str = "{0} answers for the service from now on.";
pub const CUT: &str = "{0} is cut off from {1}.";
pub const CLOCK_BACK: &str = "{0}’s clock jumps {1} back.";
pub const CLOCK_AHEAD: &str = "{0}’s clock jumps {1} ahead.";
pub const CLOCK_RATE: &str = "{0}’s clock shows {1} in every true second.";
pub const DISCONNECTED: &str = "{0}’s connections break.";

// --- messages
pub const SENDS: &str = "{0} sends {1}.";
pub const SENDS_COMPUTED: &str = "{0} sends {1}, computed from {2}.";
pub const SENDS_SLOW: &str = "{0} sends {1}, which takes {2} to arrive.";
pub const SENDS_LOST: &str = "{0} sends {1}, which is lost on the way.";
pub const COPY: &str = "A copy of {0}’s {1} sets out and takes {2}.";
pub const COPY_SETS_OUT: &str = "A copy of {0}’s {1} sets out.";
pub const ANSWER_LOST: &str = "{0}’s answer to {1}’s {2} is lost.";
pub const ANSWER_SLOW: &str = "{0}’s answer to {1}’s {2} takes {3}.";
pub const ANSWER_COPY: &str = "A copy of {0}’s answer to {1} sets out.";
pub const ANSWER_ERROR: &str = "{0} answers {1}’s {2} with an error.";
pub const DOWN: &str = "{0} is down: {1}’s {2} is lost.";
pub const COPY_LOST: &str = "{0}’s copy for {1} is lost with it.";
pub const ASKS: &str = "{0} asks for {1}.";
pub const ITS: &str = "its {0}";

// --- at a worker
pub const LEARNS: &str = "{0} learns that it holds {1}.";
pub const BELIEVES: &str = "{0} believes that it holds {1}.";
pub const CHECKS: &str = "{0} looks at its clock: still in time.";
pub const HEARS_NOTHING: &str = "{0} hears no answer to its {1}.";
pub const GIVES_UP: &str = "{0} gives up waiting.";
pub const CANCELLED: &str = "{0}’s request is cancelled.";
pub const TRY_REFUSED: &str = "{0}’s try number {1} ends without the lock.";
pub const TRY_FAILS: &str = "{0}’s try fails.";
pub const REFUSED: &str = "{0} refuses {1}.";
pub const STOPS_HOLDING: &str = "{0} stops, and gives nothing back.";
pub const FINISHES: &str = "{0} is done, and gives nothing back.";

// --- at a resource
pub const READS: &str = "{0} reads {1}.";
pub const READS_TOO: &str = "{0} reads {1} as well.";
pub const ACCEPTS: &str = "{0} accepts {1}’s write, value {2}.";
pub const CALLED: &str = "{0}’s call takes effect.";
pub const PASSES: &str = "{0} checks {1}’s write: it may pass.";
pub const ACTIVATES: &str = "{0} takes note of {1} as the owner.";
pub const MARK_FALLS: &str = "{0}’s mark falls from {1} to {2}.";
pub const MARK_RISES: &str = "{0}’s mark is {1} from now on.";
pub const NOTHING: &str = "nothing";
pub const HANDED_OUT: &str = "{0} hands out {1}, for {2}.";

// --- the last sentence, by property
pub const LAST_STALE: &str = "{0} accepts {1}’s old write after {2}’s.";
pub const LAST_STALE_OWN: &str = "{0} accepts {1}’s old write after its newer one.";
pub const LAST_NON_OWNER: &str = "{0} accepts {1}’s write. {2} was granted the lock since.";
pub const LAST_NON_OWNER_OWN: &str = "{0} accepts {1}’s write under its own older grant.";
pub const LAST_UNGRANTED: &str = "{0} accepts {1}’s write. Nobody granted it the lock.";
pub const LAST_UNASKED: &str = "{0} accepts {1}’s write. {1} never asked for the lock.";
pub const LAST_LOST: &str = "{0} accepts {1}’s write. {2}’s update is gone.";
pub const LAST_LOST_OWN: &str = "{0} accepts {1}’s write over its own update.";
pub const LAST_LOST_OLD: &str = "{0} accepts {1}’s write over a value it had not read.";
pub const LAST_TWICE: &str = "{0} carries out the same operation again, for {1}.";
pub const LAST_EARLY: &str = "{0} is granted {1}. {3} was promised {2} more.";
pub const LAST_EARLY_FREE: &str = "{0} is granted {1}. {2} was to keep it.";
pub const LAST_WAITS: &str = "{0} still waits for {1}, {2} after it asked.";
pub const LAST_BELIEVES: &str = "{0} believes that it holds {1}, and {2} does too.";
pub const LAST_TWO_GRANTS: &str = "{0} is granted {1}, which {2} has been granted still.";
pub const LAST_LATE: &str = "{0} sends {1} though its own deadline was {2}.";
pub const LAST_LATE_CLOCK: &str = "{0} sends {1} after its own deadline, {2} by its clock.";
pub const LAST_TOKEN: &str = "{0} is granted {1} with token\u{a0}{2}, after {3} had {4}.";
pub const LAST_SPLIT: &str = "{0} accepts {1}’s write. Another shard serves {2} already.";
pub const LAST_FALSE: &str = "{0} believes that it holds {1}. Nobody has granted it.";
pub const LAST_FALSE_OVER: &str = "{0} believes that it holds {1}. Its lease is over.";
pub const LAST_EXTENDED: &str = "{0} extends {1}’s lease. {2} has been granted the lock.";
pub const LAST_ISSUE: &str = "{0} hands out {1} after a higher number.";
pub const LAST_LEAK: &str = "{0}’s grant is still in force, and nobody uses it.";
pub const LAST_RING: &str = "{0} and {1} wait for each other still.";
pub const LAST_RING_ALONE: &str = "{0} still waits for {1}, which it holds itself.";

// --- what was broken
pub const NEEDED: &str = "Needed: {0}; was: {1}.";

// --- assumptions
pub const BOUNDED_PAUSE: &str = "a bounded pause";
pub const BOUNDED_DELAY: &str = "a bounded delay";
pub const BOUNDED_HANDLING: &str = "a bounded time in the handler";
pub const DELIVERY: &str = "a message that arrives";
pub const ONE_COPY: &str = "one copy of each message";
pub const ANSWERING: &str = "a service that answers";
pub const NO_STEP: &str = "a clock without steps";
pub const CLOCK_RATE_BOUND: &str = "a bounded clock rate";
pub const SET_CLOCKS: &str = "clocks that agree";
pub const LIVING_HOLDER: &str = "a holder that lives";
pub const DURABLE_MARK: &str = "a durable mark";
pub const DURABLE_RECORD: &str = "a durable record";
pub const STANDING_SERVER: &str = "a server that stays up";
pub const SYNC_REPLICATION: &str = "synchronous replication";
pub const ONE_PRIMARY: &str = "a primary that stays";
pub const CONNECTED: &str = "a connected network";
pub const STAYING_RECORD: &str = "a record that stays";
pub const OWN_SESSION: &str = "a session that ends with its client";
pub const STAYING_CONNECTION: &str = "a connection that stays";
pub const WANTED_REQUEST: &str = "a request that stays wanted";
pub const RUNNING_WORKER: &str = "a worker that ends by itself";
pub const SETTING: &str = "another {0}";

pub const UNDER: &str = "under {0}";
pub const NONE_OF_IT: &str = "none at all";
pub const NONE_OF: &str = "none of the {0} faults of this story";
pub const TO_THE_END: &str = "to the end of the run";
pub const ARRIVES: &str = "it arrives";
pub const IS_LOST: &str = "lost";
pub const ARRIVES_ONCE: &str = "once";
pub const ARRIVES_TWICE: &str = "twice";
pub const ANSWERS: &str = "an answer";
pub const FAILS: &str = "an error";
pub const BACK: &str = "{0} back";
pub const AHEAD: &str = "{0} ahead";
pub const RATE: &str = "{0} s in every second";
pub const RATE_UNDER: &str = "under {0} s in every second";
pub const RATE_ABOVE: &str = "above {0} s in every second";
pub const RATE_OF: &str = "{0} s, on {1}";
pub const RIGHT_CLOCK: &str = "{0} right";
pub const GIVES_BACK: &str = "it gives back what it holds";
pub const CRASHED: &str = "it crashed";
pub const KEPT_ON_DISK: &str = "kept over a crash";
pub const FORGOTTEN: &str = "forgotten";
pub const ON_DISK_FIRST: &str = "on disk before the answer";
pub const STAYS_UP: &str = "no crash";
pub const COPY_FIRST: &str = "the copy before the answer";
pub const BEHIND: &str = "{0} behind";
pub const STAYS_PRIMARY: &str = "no other primary";
pub const REPLACED: &str = "replaced";
pub const STAYS: &str = "it stays";
pub const EVICTED: &str = "evicted";
pub const ENDS_WITH_CLIENT: &str = "alive as long as its client";
pub const ENDED_EARLY: &str = "ended before";
pub const BROKE: &str = "it broke";
pub const STAYS_WANTED: &str = "wanted to the end";
pub const WAS_CANCELLED: &str = "cancelled";
pub const WAS_STOPPED: &str = "shut down";
pub const LINK: &str = "as link {0} says";
pub const AS_OTHERS: &str = "as all other links";
pub const ENDING_LEASE: &str = "a lease with an end";
pub const ENDS_AFTER: &str = "an end";
pub const NEVER: &str = "never";

// --- what would have stopped it, and what would not
pub const REFUSES_TOKEN: &str = "{0} refuses {1} at {2}: token\u{a0}{3}, and it has seen {4}";
pub const REFUSES_NO_TOKEN: &str = "{0} refuses {1} at {2}: no token";
pub const REFUSES_OWNER: &str = "{0} refuses {1} at {2}: not the owner";
pub const REFUSES_VERSION: &str = "{0} refuses {1} at {2}: computed from {3}, and it is {4}";
pub const REFUSES: &str = "{0} refuses {1} at {2}";
pub const REPLAYS: &str = "{0} gives {1} its first answer again at {2}";
pub const STOPS_DEADLINE: &str = "{0} stops at {1}: its deadline has passed";
pub const STOPS_LOST: &str = "{0} stops at {1}: it learns that its lease is gone";
pub const STOPS_OTHER: &str = "{0} stops at {1}";
pub const LEAVES_ALONE: &str = "{0}’s {1} finds nothing of its own at {2}";
pub const GRANTED_AT: &str = "{0} is granted the lock at {1}";
pub const NEVER_GRANTED: &str = "{0} is not granted the lock";
pub const NOTHING_HAPPENS: &str = "it does not come to that in this story";
pub const BUT_BREAKS: &str = "{0}; but “{1}” breaks at {2}";
pub const NOT_A_RELEASE: &str = "a write is not a release";
pub const NOTHING_FORGOTTEN: &str = "no grant was forgotten here";
pub const OTHER_KEYS: &str = "two operations, two keys";
pub const SAME_END: &str = "the same end at {0}";
pub const OTHER_END: &str = "it breaks at {0} all the same";
pub const BOTH: &str = "{0}; {1}";
pub const LONGER: &str = "{0} passes this story; a longer {1} breaks it at {2}";
pub const LONGER_ONLY: &str = "{0} passes this story";
pub const AFTER_CHECK: &str = "after {0} check";
pub const NOT_AFTER_CHECK: &str = "{0}; not if it pauses right after the check";
pub const PAUSE: &str = "pause";
pub const DELAY: &str = "delay";

pub const CAS: &str = "Compare-and-set on the version";
pub const CHECK: &str = "Deadline check before each write";
pub const TIMER: &str = "Deadline timer";
pub const LONGER_LEASE: &str = "A longer lease";
pub const RENEWAL: &str = "Renewal";
pub const THREAD: &str = "Renewal by a thread";
pub const LOCK_DELAY: &str = "Lock delay of 10 s";
pub const ON_DISK: &str = "Record on disk before the answer";
pub const WAIT_COPY: &str = "Answer after the copy has it";
pub const ASK: &str = "Ask the lock service at each write";
pub const ENDING: &str = "Lease of 10 s";
pub const DRAWN_RETRY: &str = "Retries after a drawn time";

// --- the price
pub const NONE: &str = "none";
pub const OF: &str = "{0} of {1}";
pub const DASH: &str = "–";

// --- the whole
pub const TITLE: &str = "Why “{0}” {1}";
pub const ASSUMPTION: &str = "Assumption broken: {0}.";
pub const ALSO: &str = "It also took: {0}.";
pub const NO_ASSUMPTION: &str = "No single change of the story or of a setting puts it right.";
pub const STOPPED: &str = "Would have stopped it";
pub const NOT_STOPPED: &str = "Would not have";
pub const NOTHING_STOPS: &str = "Nothing of what was tried.";
pub const COSTS: &str = "What each costs in this story";
pub const COSTS_NOTE: &str =
    "Recovery: until somebody is granted the lock if its first holder dies as soon as it holds it.";
pub const HEADS: [&str; 6] =
    ["Updates lost", "Work for nothing", "Work twice", "Longest wait", "Recovery after a crash", "Messages"];
pub const ONE_CHAIN: &str = "One chain of causes, in the rows where they happen.";
pub const WHICH: &str = "Broken promise";
pub const DESIGN: &str = "Design";
