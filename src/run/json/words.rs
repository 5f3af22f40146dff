//! Words of the format for what is an enum here.

use crate::base::fact::{Loss, StopWhy, TryEnd};
use crate::base::message::Mode;
use crate::base::{ClockKind, Edge, PointKind};
use crate::trace::Fate;

pub(super) fn clock_word(clock: ClockKind) -> &'static str {
    match clock {
        ClockKind::Wall => "wall",
        ClockKind::Monotonic => "monotonic",
        ClockKind::SuspendBlind => "suspend-blind",
    }
}

pub(super) fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Write => "write",
        Mode::Read => "read",
        Mode::Upgrade => "upgrade",
        Mode::Downgrade => "downgrade",
    }
}

pub(super) fn fate_word(fate: Fate) -> &'static str {
    match fate {
        Fate::Plain => "plain",
        Fate::Delayed => "delayed",
        Fate::Copy { .. } => "copy",
        Fate::Lost => "lost",
    }
}

pub(super) fn loss_word(why: Loss) -> &'static str {
    match why {
        Loss::Released => "released",
        Loss::Deadline => "deadline",
        Loss::Refused => "refused",
        Loss::Rejected => "rejected",
        Loss::Unrenewed => "unrenewed",
        Loss::Ended => "ended",
        Loss::Crashed => "crashed",
        Loss::Abandoned => "abandoned",
    }
}

pub(super) fn stop_word(why: StopWhy) -> &'static str {
    match why {
        StopWhy::Deadline => "deadline",
        StopWhy::LostLease => "lost-lease",
        StopWhy::Rejected => "rejected",
        StopWhy::GaveUp => "gave-up",
        StopWhy::Failed => "failed",
        StopWhy::Ended => "ended",
    }
}

/// `before write`, `after write`, `stamp`.
pub(super) fn point_word(point: PointKind) -> String {
    match point {
        PointKind::Step(Edge::Before, v) => format!("before {v}"),
        PointKind::Step(Edge::After, v) => format!("after {v}"),
        p => p.word().to_string(),
    }
}

pub(super) fn try_word(why: TryEnd) -> &'static str {
    match why {
        TryEnd::Refused => "refused",
        TryEnd::TimedOut => "timed-out",
        TryEnd::Failed => "failed",
        TryEnd::GaveUp => "gave-up",
        TryEnd::Cancelled => "cancelled",
    }
}
