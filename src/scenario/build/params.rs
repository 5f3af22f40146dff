//! The three parameter sets of a design: lock, resource, client. One line a parameter: its field, and how its key is read.

use super::Build;
use crate::base::message::Compare;
use crate::base::{ClockKind, Span, Token};
use crate::protocol::params::*;
use crate::scenario::layers::{Resolver, Setting};
use crate::scenario::registry::{Section, services};
use crate::scenario::scenario::Settings;
use crate::scenario::value::as_ppm;

/// The keys of one section, resolved: for one lock, one resource or one worker.
struct Keys<'a> {
    resolver: Resolver<'a>,
    section: Section,
    named: Option<&'a Settings>,
    /// What the words `ttl` and `ttl/3` mean.
    ttl: Option<Span>,
}

impl Keys<'_> {
    fn is(&self, key: &str, word: &str) -> bool {
        self.resolver.text(self.section, key, self.named) == word
    }

    /// Is this word in the list?
    fn has(&self, key: &str, word: &str) -> bool {
        self.resolver.has(self.section, key, self.named, word)
    }

    fn flag(&self, key: &str) -> bool {
        self.resolver.flag(self.section, key, self.named)
    }

    /// `None`: a word for "no limit".
    fn draw(&self, key: &str) -> Option<Draw> {
        self.resolver.draw(self.section, key, self.named)
    }

    fn length(&self, key: &str) -> Draw {
        self.draw(key).unwrap_or(Draw::Fixed(Span::ZERO))
    }

    /// `None`: a word for "no limit".
    fn span(&self, key: &str) -> Option<Span> {
        self.resolver.span(self.section, key, self.named, self.ttl)
    }

    fn time(&self, key: &str) -> Span {
        self.span(key).unwrap_or(Span::ZERO)
    }

    /// `None`: a word for "no limit".
    fn count(&self, key: &str) -> Option<u32> {
        self.resolver.int(self.section, key, self.named).map(|n| n as u32)
    }

    /// Copies of a shard, and how many of them make one answer.
    fn copies(&self) -> Copies {
        let of = |key, default| self.count(key).map_or(default, |n| n as u8);
        let count = of("replicas", 1);
        Copies { count, ack: of("ack_quorum", count), mark: of("mark_quorum", count), read: of("read_quorum", 1) }
    }

    fn token(&self, key: &str) -> Option<Token> {
        self.resolver.int(self.section, key, self.named).map(|n| Token::new(n as u64))
    }

    /// What the key's word stands for: `of` has the meanings in the order of the words in the registry, as far as they are built.
    fn choice<T: Copy>(&self, key: &str, of: &[T]) -> T {
        of[self.resolver.choice(self.section, key, self.named)]
    }
}

const CLOCKS: [ClockKind; 3] = [ClockKind::Wall, ClockKind::Monotonic, ClockKind::SuspendBlind];
/// Who asks its own clock whether to release compares nothing.
const RELEASES: [Compare; 4] = [Compare::Owner, Compare::Nothing, Compare::Stamp, Compare::Nothing];
/// The fourth word is an extension by its owner, and a repair after it.
const RENEWALS: [Compare; 4] = [Compare::Owner, Compare::Nothing, Compare::OwnerOrAbsent, Compare::Owner];

/// What Consul and Chubby grant of a lock-delay, however long the client wants it.
const LONGEST_DELAY: Span = Span::from_ms(60_000);

/// So many votes make a grant. Half a vote does not exist, so of `2.5` it is the least number above.
fn votes(setting: Setting, nodes: usize) -> u8 {
    match setting {
        Setting::Written(node) if as_ppm(node).is_some() => {
            as_ppm(node).map_or(1, |ppm| (ppm + 999_999) / 1_000_000) as u8
        }
        setting if setting.text() == "all" => nodes as u8,
        _ => nodes as u8 / 2 + 1,
    }
}

impl<'a> Build<'a> {
    pub(super) fn lock(&self, named: Option<&'a Settings>) -> LockParams {
        let service = self.resolver.service(named);
        let by_connection = services::family(service) == "local";
        // What lives with a connection has no lease, whatever the story says of leases.
        let ttl = self.resolver.ttl(named).filter(|_| !by_connection);
        let k = Keys { resolver: self.resolver, section: Section::Lock, named, ttl };
        let service = self.resolver.service(named);
        let has_sessions = matches!(service, "consul" | "chubby");
        let available = services::family(service) == "consensus" && k.is("consistency", "available");
        let family = match services::family(service) {
            "local" => Family::Connection,
            "none" => Family::None,
            "redlock" => Family::Quorum,
            // Servers with copies, one of which answers on each side of a partition.
            "consensus" if available => Family::TtlKey,
            "consensus" => Family::Consensus,
            "session-queue" => Family::SessionQueue,
            "observed-record" => Family::Record,
            _ => Family::TtlKey,
        };
        // The others know no kind but the plain one.
        let kind = match family {
            Family::TtlKey | Family::Consensus => Build::kind(&k),
            _ => Sharing { majority: k.is("multi", "majority"), ..Sharing::default() },
        };
        let is_group = available || matches!(family, Family::Consensus | Family::SessionQueue);
        let repairs = k.is("renew", "repair-minority");
        let recreated = self.resolver.has(Section::Client, "quirks", None, "counts-recreated");
        LockParams {
            family,
            quorum: votes(k.resolver.get(Section::Lock, "quorum", named), self.names.lock_nodes().len()),
            order: k.choice("order", &[Order::Parallel, Order::Sequential]),
            take: k.choice("take", &[Take::All, Take::Quorum]),
            takeover: k.choice(
                "takeover",
                &[Takeover::Expiry, Takeover::UnchangedOwn, Takeover::UnchangedRecorded, Takeover::Timestamp],
            ),
            skew_bound: k.time("skew_bound"),
            stamped_by_client: k.is("expiry_by", "client-stamp"),
            end_is_monotone: k.flag("expiry_monotone"),
            replication_lag: if available { Draw::ms(0) } else { k.length("replication_lag") },
            wait_replicas: k.count("wait_replicas").unwrap_or(0) as u8,
            promotion_delay: k.length(if is_group { "election" } else { "promotion_delay" }),
            promotion_hold: k.time("promotion_hold"),
            // Who may be in more than once is known by its session.
            mints_ids: is_group && kind.reentrant == Reentrant::No,
            ttl,
            stored_ttl: k.span("stored_ttl").filter(|_| !by_connection),
            clock: k.choice("clock", &CLOCKS),
            acquire_two_step: k.is("acquire", "two-step") && !by_connection,
            request_id: k.flag("request_id"),
            release: k.choice("release", &RELEASES),
            release_by_clock: k.is("release", "by-local-clock"),
            release_two_steps: k.is("release_in", "two-steps"),
            // Who counts what it has just stored as confirmed needs no majority first: every node stores what it has not.
            renew: if repairs && recreated { Compare::OwnerOrAbsent } else { k.choice("renew", &RENEWALS) },
            repairs: repairs && !recreated,
            renew_ttl: k.span("renew_ttl").filter(|_| !by_connection),
            token: k.choice(
                "token",
                &[TokenKind::None, TokenKind::Ordered, TokenKind::Random, TokenKind::Memory, TokenKind::Resource],
            ),
            first_token: k.token("first_token").unwrap_or(Token::new(1)),
            max_token: k.token("max_token"),
            persistence: k.choice("persistence", &[Persistence::None, Persistence::EverySecond, Persistence::Always]),
            delayed_restart: k.time("delayed_restart"),
            lock_delay: if has_sessions { k.time("lock_delay").min(LONGEST_DELAY) } else { k.time("lock_delay") },
            min_hold: k.time("min_hold"),
            wake: k.choice("wake", &[Wake::Poll, Wake::Notify, Wake::WatchPrevious, Wake::WatchLock]),
            recheck: k.flag("recheck"),
            scan: k.time("scan"),
            cleanup_after: k.time("cleanup_after"),
            keep_on_disconnect: k.flag("keep_on_disconnect"),
            keeps_acting: k.is("old_leader", "keeps-acting"),
            until_commit: service == "postgres-row",
            in_process: service == "local",
            of_process: false,
            idle_timeout: k.span("idle_timeout"),
            tells_of_ends: family == Family::Consensus && k.is("wake", "notify"),
            fair: service == "redisson-fair",
            waiter_timeout: k.span("waiter_timeout"),
            ends_at_twice: service == "consul",
            delay_in_memory: service == "consul",
            token_restarts: k.has("quirks", "token-restarts"),
            grace: k.time("grace"),
            merge: available.then(|| k.choice("merge", &[Merge::LargerSide, Merge::Newest, Merge::Union])),
            min_replicas: k.count("min_replicas").unwrap_or(0) as u8,
            max_lag: k.time("max_lag"),
            kind,
        }
    }

    fn kind(k: &Keys) -> Sharing {
        Sharing {
            holders: k.choice("kind", &[LockKind::Mutex, LockKind::ReadWrite, LockKind::Semaphore]),
            permits: k.count("permits").unwrap_or(1) as u16,
            reentrant: k.choice("reentrant", &[Reentrant::No, Reentrant::SameToken, Reentrant::NewToken]),
            shared_ttl: k.choice("shared_ttl", &[SharedTtl::PerHolder, SharedTtl::Max, SharedTtl::Overwrite]),
            majority: k.is("multi", "majority"),
            renew_token: k.is("renew_token", "new"),
            renews_key_only: k.has("quirks", "renews-key-only"),
            waits_for_own_read: k.has("quirks", "waits-for-own-read"),
        }
    }

    pub(super) fn resource(&self, named: Option<&'a Settings>) -> ResourceParams {
        let k = Keys { resolver: self.resolver, section: Section::Resource, named, ttl: None };
        let guard = |word: &str| k.has("guard", word);
        ResourceParams {
            guards: Guards {
                fence: guard("fence"),
                owner: guard("owner"),
                ask: guard("ask"),
                version: guard("version"),
                absent: guard("absent"),
                idempotency: guard("idempotency"),
                same_store: guard("same-store"),
                lease_id: guard("lease-id"),
            },
            rule: k.choice("rule", &[Rule::AtLeast, Rule::Above]),
            atomic: k.flag("atomic"),
            sequence: k.flag("sequence"),
            reads_fence: k.flag("reads_fence"),
            mark: k.token("mark").unwrap_or(Token::new(0)),
            mark_durable: k.flag("mark_durable"),
            mark_survives_delete: k.flag("mark_survives_delete"),
            mark_retention: k.span("mark_retention"),
            mark_per_worker: k.is("mark_scope", "worker"),
            retention: k.span("retention"),
            handling: k.length("handling"),
            bump_attempts: k.is("bump", "attempt"),
            copies: k.copies(),
        }
    }

    pub(super) fn client(&self, own: &'a Settings) -> ClientParams {
        let ttl = self.resolver.ttl(None);
        let k = Keys { resolver: self.resolver, section: Section::Client, named: Some(own), ttl };
        let same = k.is("acquire_timeout", "call_timeout");
        ClientParams {
            call_timeout: k.draw("call_timeout"),
            acquire_timeout: k.draw(if same { "call_timeout" } else { "acquire_timeout" }),
            write_timeout: k.draw("write_timeout"),
            write_retries: k.count("write_retries").unwrap_or(0),
            retry: k.length("retry"),
            attempts: k.count("attempts"),
            patience: k.draw("patience"),
            keeps_trying: k.is("after_patience", "keeps-trying"),
            late_grant: k.choice("late_grant", &[LateGrant::Release, LateGrant::Keep]),
            cleanup: k.choice(
                "cleanup",
                &[Cleanup::None, Cleanup::Granted, Cleanup::All, Cleanup::AtEnd, Cleanup::UnlessLate],
            ),
            node_timeout: k.draw("node_timeout"),
            on_error: k.choice("on_error", &[OnError::Retry, OnError::Fail, OnError::Proceed]),
            aborts_on_node_error: k.is("on_node_error", "abort"),
            believes_request: k.is("believes", "request"),
            owner_id: k.choice(
                "owner_id",
                &[
                    OwnerIdKind::PerTry,
                    OwnerIdKind::PerAcquire,
                    OwnerIdKind::PerProcess,
                    OwnerIdKind::Constant,
                    OwnerIdKind::Stamp,
                    OwnerIdKind::None,
                ],
            ),
            shares_id: k.is("id_slot", "shared"),
            valid_from: k
                .choice("valid_from", &[ValidFrom::Send, ValidFrom::FirstTry, ValidFrom::Quorum, ValidFrom::Reply]),
            margin: self.resolver.margin(Some(own)),
            elapsed_check: k.flag("elapsed_check"),
            believed_ttl: if k.is("believed_ttl", "ttl") { None } else { Some(k.span("believed_ttl")) },
            clock: k.choice("clock", &CLOCKS),
            check_deadline: k.flag("check_deadline"),
            check_by: k.choice("check_by", &[CheckBy::Clock, CheckBy::Poll, CheckBy::Refresh]),
            deadline_timer: k.flag("deadline_timer"),
            renew_every: k.span("renew_every"),
            renew_by: k.choice("renew_by", &[RenewBy::Worker, RenewBy::Thread]),
            renew_deadline: k.span("renew_deadline"),
            renew_retry: k.is("renew_retry", "until-deadline"),
            renew_max: k.count("renew_max"),
            renew_hold: k.span("renew_hold"),
            renew_if: k.choice("renew_if", &[RenewIf::Alive, RenewIf::Progress]),
            // The third word, `exit`, is not built.
            on_lost: k.choice("on_lost", &[OnLost::Stop, OnLost::Log, OnLost::Stop, OnLost::Reacquire]),
            on_unknown: k.choice("on_unknown", &[OnUnknown::UntilDeadline, OnUnknown::Stop, OnUnknown::Ignore]),
            reaction_lag: k.length("reaction_lag"),
            on_reject: k.choice("on_reject", &[OnReject::Stop, OnReject::Continue, OnReject::Retry]),
            // Only an activation brings a token that the resource mints.
            activate: k.flag("activate") || self.resolver.text(Section::Lock, "token", None) == "resource",
            cache_kept: k.is("cache", "kept"),
            release_on_stop: k.flag("release_on_stop"),
            release_retry: k.count("release_retry").unwrap_or(0),
            find_entry: k.choice("find_entry", &[FindEntry::BySession, FindEntry::ByName, FindEntry::Never]),
            learns_by: k.choice("learns_by", &[LearnsBy::Reply, LearnsBy::Notice, LearnsBy::Poll]),
            learn_every: k.time("learn_every"),
            release_at_commit: k.is("release_after", "commit"),
            unlocks_remote_first: k.has("quirks", "unlocks-remote-first"),
            pool: k.choice("pool", &[Pool::None, Pool::PerSession, Pool::PerTransaction]),
            pool_reset: k.flag("pool_reset"),
            looks_then_listens: k.is("subscribe", "after-check"),
            poll: k.draw("poll"),
            on_cancel: k.choice("on_cancel", &[OnCancel::Release, OnCancel::Keep]),
            release_first: k.is("shutdown", "release-first"),
            stops_at_downgrade: self
                .resolver
                .texts(Section::Client, "quirks", Some(own))
                .contains(&"stops-at-downgrade"),
            remembers: k.is("remembers", "process"),
            renews_after_release: k.has("quirks", "renews-after-release"),
        }
    }
}
