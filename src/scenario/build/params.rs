//! The three parameter sets of a design: lock, resource, client.

use super::Build;
use crate::base::message::Compare;
use crate::base::{ClockKind, Span, Token};
use crate::protocol::params::*;
use crate::scenario::registry::Section;
use crate::scenario::scenario::Settings;

impl Build<'_> {
    pub(super) fn lock(&self, named: Option<&Settings>) -> LockParams {
        let r = &self.resolver;
        let ttl = r.ttl(named);
        let word = |key| r.word(Section::Lock, key, named);
        let flag = |key| r.flag(Section::Lock, key, named);
        let span = |key| r.span(Section::Lock, key, named, ttl);
        let length = |key| span(key).unwrap_or(Span::ZERO);
        let token = |key| r.int(Section::Lock, key, named).map(|n| Token::new(n as u64));
        let family = match crate::scenario::registry::services::family(&r.service(named)) {
            "none" => Family::None,
            "redlock" => Family::Quorum,
            "consensus" => Family::Consensus,
            _ => Family::TtlKey,
        };
        LockParams {
            quorum: self.quorum(named),
            order: if word("order") == "sequential" { Order::Sequential } else { Order::Parallel },
            take: if word("take") == "quorum" { Take::Quorum } else { Take::All },
            replication_lag: r.draw(Section::Lock, "replication_lag", named).unwrap_or(Draw::ms(10)),
            wait_replicas: r.int(Section::Lock, "wait_replicas", named).unwrap_or(0) as u8,
            promotion_delay: {
                let key = if family == Family::Consensus { "election" } else { "promotion_delay" };
                r.draw(Section::Lock, key, named).unwrap_or(Draw::ms(0))
            },
            promotion_hold: length("promotion_hold"),
            mints_ids: family == Family::Consensus,
            family,
            ttl,
            stored_ttl: span("stored_ttl"),
            clock: clock(&word("clock")),
            acquire_two_step: word("acquire") == "two-step",
            request_id: flag("request_id"),
            release: compare(&word("release")),
            release_two_steps: word("release_in") == "two-steps",
            renew: compare(&word("renew")),
            renew_ttl: span("renew_ttl"),
            token: match word("token").as_str() {
                "ordered" => TokenKind::Ordered,
                "random" => TokenKind::Random,
                _ => TokenKind::None,
            },
            first_token: token("first_token").unwrap_or(Token::new(1)),
            max_token: token("max_token"),
            persistence: match word("persistence").as_str() {
                "everysec" => Persistence::EverySecond,
                "always" => Persistence::Always,
                _ => Persistence::None,
            },
            delayed_restart: length("delayed_restart"),
            lock_delay: length("lock_delay"),
            min_hold: length("min_hold"),
        }
    }

    /// So many votes make a grant; a half vote does not exist, so the least number above it.
    fn quorum(&self, named: Option<&Settings>) -> u8 {
        use crate::scenario::tree::Value;
        let nodes = self.names.lock_nodes.len() as u8;
        match self.resolver.get(Section::Lock, "quorum", named).value {
            Value::Int(n) => n as u8,
            Value::Decimal(n) => n.ceil() as u8,
            Value::Text(s) if s == "all" => nodes,
            _ => nodes / 2 + 1,
        }
    }

    pub(super) fn resource(&self, named: Option<&Settings>) -> ResourceParams {
        let r = &self.resolver;
        let word = |key| r.word(Section::Resource, key, named);
        let flag = |key| r.flag(Section::Resource, key, named);
        let span = |key| r.span(Section::Resource, key, named, None);
        let listed = r.texts(Section::Resource, "guard", named);
        let guard = |word: &str| listed.iter().any(|g| g == word);
        ResourceParams {
            guards: Guards {
                fence: guard("fence"),
                owner: guard("owner"),
                ask: guard("ask"),
                version: guard("version"),
                absent: guard("absent"),
                idempotency: guard("idempotency"),
            },
            rule: if word("rule") == ">" { Rule::Above } else { Rule::AtLeast },
            atomic: flag("atomic"),
            sequence: flag("sequence"),
            reads_fence: flag("reads_fence"),
            mark: Token::new(r.int(Section::Resource, "mark", named).unwrap_or(0) as u64),
            mark_durable: flag("mark_durable"),
            mark_survives_delete: flag("mark_survives_delete"),
            mark_retention: span("mark_retention"),
            mark_per_worker: word("mark_scope") == "worker",
            retention: span("retention"),
            handling: r.draw(Section::Resource, "handling", named).unwrap_or(Draw::Fixed(Span::ZERO)),
        }
    }

    pub(super) fn client(&self, own: &Settings) -> ClientParams {
        let r = &self.resolver;
        let named = Some(own);
        let ttl = r.ttl(None);
        let word = |key| r.word(Section::Client, key, named);
        let flag = |key| r.flag(Section::Client, key, named);
        let draw = |key| r.draw(Section::Client, key, named);
        let span = |key| r.span(Section::Client, key, named, ttl);
        let count = |key| r.int(Section::Client, key, named).map(|n| n as u32);
        let acquire_timeout =
            if word("acquire_timeout") == "call_timeout" { draw("call_timeout") } else { draw("acquire_timeout") };
        ClientParams {
            call_timeout: draw("call_timeout"),
            acquire_timeout,
            write_timeout: draw("write_timeout"),
            write_retries: count("write_retries").unwrap_or(0),
            retry: draw("retry").unwrap_or(Draw::ms(200)),
            attempts: count("attempts"),
            patience: draw("patience"),
            late_grant: if word("late_grant") == "release" { LateGrant::Release } else { LateGrant::Keep },
            cleanup: match word("cleanup").as_str() {
                "granted" => Cleanup::Granted,
                "all" => Cleanup::All,
                "at-end" => Cleanup::AtEnd,
                _ => Cleanup::None,
            },
            node_timeout: draw("node_timeout"),
            on_error: match word("on_error").as_str() {
                "fail" => OnError::Fail,
                "proceed" => OnError::Proceed,
                _ => OnError::Retry,
            },
            believes_request: word("believes") == "request",
            owner_id: match word("owner_id").as_str() {
                "per-acquire" => OwnerIdKind::PerAcquire,
                "per-process" => OwnerIdKind::PerProcess,
                "constant" => OwnerIdKind::Constant,
                _ => OwnerIdKind::PerTry,
            },
            valid_from: match word("valid_from").as_str() {
                "first-try" => ValidFrom::FirstTry,
                "reply" => ValidFrom::Reply,
                _ => ValidFrom::Send,
            },
            margin: r.margin(named),
            elapsed_check: flag("elapsed_check"),
            believed_ttl: if word("believed_ttl") == "ttl" { None } else { Some(span("believed_ttl")) },
            clock: clock(&word("clock")),
            check_deadline: flag("check_deadline"),
            check_by: match word("check_by").as_str() {
                "poll" => CheckBy::Poll,
                "refresh" => CheckBy::Refresh,
                _ => CheckBy::Clock,
            },
            deadline_timer: flag("deadline_timer"),
            renew_every: span("renew_every"),
            renew_by: if word("renew_by") == "thread" { RenewBy::Thread } else { RenewBy::Worker },
            renew_deadline: span("renew_deadline"),
            renew_retry: word("renew_retry") == "until-deadline",
            renew_max: count("renew_max"),
            renew_hold: span("renew_hold"),
            renew_if: if word("renew_if") == "progress" { RenewIf::Progress } else { RenewIf::Alive },
            on_lost: match word("on_lost").as_str() {
                "log" => OnLost::Log,
                "reacquire" => OnLost::Reacquire,
                _ => OnLost::Stop,
            },
            on_unknown: match word("on_unknown").as_str() {
                "stop" => OnUnknown::Stop,
                "ignore" => OnUnknown::Ignore,
                _ => OnUnknown::UntilDeadline,
            },
            reaction_lag: draw("reaction_lag").unwrap_or(Draw::Fixed(Span::ZERO)),
            on_reject: match word("on_reject").as_str() {
                "continue" => OnReject::Continue,
                "retry" => OnReject::Retry,
                _ => OnReject::Stop,
            },
            activate: flag("activate"),
            cache_kept: word("cache") == "kept",
            release_on_stop: flag("release_on_stop"),
            release_retry: count("release_retry").unwrap_or(0),
        }
    }
}

fn clock(word: &str) -> ClockKind {
    match word {
        "monotonic" => ClockKind::Monotonic,
        "suspend-blind" => ClockKind::SuspendBlind,
        _ => ClockKind::Wall,
    }
}

fn compare(word: &str) -> Compare {
    match word {
        "unconditional" => Compare::Nothing,
        "if-owner-or-absent" => Compare::OwnerOrAbsent,
        _ => Compare::Owner,
    }
}
