//! What a node reads when it looks at a clock.
//!
//! A node has one oscillator (a rate) and three faces: the *wall* clock, which can be stepped; the *monotonic* clock, which
//! cannot, but still runs at the node's rate; and the *suspend-blind* monotonic clock, which also stands still while the
//! process is suspended (Linux `CLOCK_MONOTONIC`; `CLOCK_BOOTTIME` counts on). True time appears here only as the argument
//! of a reading: a protocol is handed readings, never the argument.

use super::time::{LocalTime, Span, TrueTime, scaled};

/// Parts per million of the true rate: 1,000,000 is a perfect clock.
pub const TRUE_RATE: i64 = 1_000_000;

/// Which face of the clock is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ClockKind {
    #[default]
    Wall,
    Monotonic,
    SuspendBlind,
}

/// One node's clocks: affine since the last change of rate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// Local microseconds per true second, so 1,000,000 is true.
    rate_ppm: i64,
    /// Since when this rate holds, and what the monotonic face read then.
    since: TrueTime,
    base: LocalTime,
    /// Offset and steps of the wall clock.
    wall: Span,
    /// What the suspend-blind face has missed, in local time.
    missed: Span,
}

impl Clock {
    /// A clock that reads 0 (+ `offset` on the wall) at true time 0 and runs at `rate_ppm` local µs per true second.
    pub fn new(rate_ppm: i64, offset: Span) -> Clock {
        assert!(rate_ppm > 0, "a clock runs forward: rate_ppm = {rate_ppm}");
        Clock { rate_ppm, since: TrueTime::ZERO, base: LocalTime::from_us(0), wall: offset, missed: Span::ZERO }
    }

    pub fn perfect() -> Clock {
        Clock::new(TRUE_RATE, Span::ZERO)
    }

    pub fn rate_ppm(&self) -> i64 {
        self.rate_ppm
    }

    /// Does the wall clock show something else than true time, now or (rate) soon?
    pub fn is_off(&self) -> bool {
        self.rate_ppm != TRUE_RATE || self.wall != Span::ZERO || self.base.as_us() != self.since.as_us()
    }

    /// The reading at true time `at`, rounded down to a whole microsecond.
    #[inline]
    pub fn read(&self, kind: ClockKind, at: TrueTime) -> LocalTime {
        let mono = self.base + Span::from_us(self.scale(at.since(self.since).as_us()));
        match kind {
            ClockKind::Wall => mono + self.wall,
            ClockKind::Monotonic => mono,
            ClockKind::SuspendBlind => mono - self.missed,
        }
    }

    /// What a clock shows that was right at the start and never goes wrong: every face the same.
    #[inline]
    pub fn right(at: TrueTime) -> LocalTime {
        LocalTime::default() + at.since(TrueTime::ZERO)
    }

    #[inline]
    fn scale(&self, true_us: i64) -> i64 {
        if self.rate_ppm == TRUE_RATE {
            return true_us;
        }
        scaled(true_us, self.rate_ppm, TRUE_RATE).unwrap_or(i64::MAX / 2)
    }

    /// The first true instant at or after `now` at which this face reads `deadline` or later, if nothing steps it. Never early:
    /// the reading at the returned instant is at least `deadline`.
    #[inline]
    pub fn when(&self, kind: ClockKind, deadline: LocalTime, now: TrueTime) -> TrueTime {
        let left = deadline.since(self.read(kind, now)).as_us();
        if left <= 0 {
            return now;
        }
        if self.rate_ppm == TRUE_RATE {
            return now + Span::from_us(left);
        }
        // Counted from `since`, where the reading is exact; from `now` it would be rounded twice.
        let target = deadline.since(self.read(kind, self.since)).as_us();
        // Rounded up, which is down from the other side.
        let true_us = scaled(-target, TRUE_RATE, self.rate_ppm).map_or(i64::MAX / 2, |us| -us);
        (self.since + Span::from_us(true_us)).max(now)
    }

    /// Steps the wall clock by `by`; the monotonic faces do not notice.
    pub fn step(&mut self, by: Span) {
        self.wall += by;
    }

    /// The clock, as those see it who do not look at its suspend-blind face.
    pub fn sighted(self) -> Clock {
        Clock { missed: Span::ZERO, ..self }
    }

    /// From `at` on the oscillator runs at another rate. No face jumps.
    pub fn set_rate(&mut self, rate_ppm: i64, at: TrueTime) {
        assert!(rate_ppm > 0, "a clock runs forward: rate_ppm = {rate_ppm}");
        self.base = self.read(ClockKind::Monotonic, at);
        self.since = at;
        self.rate_ppm = rate_ppm;
    }

    /// The process was suspended from `from` to `to`: the suspend-blind face did not count it.
    pub fn suspended(&mut self, from: TrueTime, to: TrueTime) {
        let seen = self.read(ClockKind::Monotonic, to).since(self.read(ClockKind::Monotonic, from));
        self.missed += seen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_clock_ends_a_lease_early() {
        // Catalogue, preset 24: a server 0.5 % fast; a key set at 5 ms for 10 s is gone at 9955.2 ms.
        let c = Clock::new(1_005_000, Span::ZERO);
        let set = c.read(ClockKind::Wall, TrueTime::from_ms(5));
        let gone = c.when(ClockKind::Wall, set + Span::from_ms(10_000), TrueTime::from_ms(5));
        assert_eq!(gone, TrueTime::from_us(9_955_249));
    }

    #[test]
    fn a_deadline_never_fires_early_on_its_own_clock() {
        for rate in [700_000, 999_999, 1_000_000, 1_000_001, 1_100_000, 3_333_333] {
            let mut c = Clock::new(rate, Span::from_ms(-3));
            c.set_rate(rate + 17, TrueTime::from_us(12_345));
            for now in [12_345, 99_999, 1_000_003] {
                let now = TrueTime::from_us(now);
                for d in [1, 999, 1_000_000, 77_777_777] {
                    let deadline = c.read(ClockKind::Wall, now) + Span::from_us(d);
                    let at = c.when(ClockKind::Wall, deadline, now);
                    assert!(c.read(ClockKind::Wall, at) >= deadline);
                    assert!(c.read(ClockKind::Wall, at - Span::from_us(1)) < deadline);
                }
            }
        }
    }

    #[test]
    fn a_step_moves_the_wall_only() {
        let mut c = Clock::perfect();
        c.step(Span::from_ms(-8_000));
        let at = TrueTime::from_ms(12_020);
        assert_eq!(c.read(ClockKind::Wall, at), LocalTime::from_us(4_020_000));
        assert_eq!(c.read(ClockKind::Monotonic, at), LocalTime::from_us(12_020_000));
    }

    #[test]
    fn a_suspend_blind_clock_misses_the_pause() {
        let mut c = Clock::perfect();
        c.suspended(TrueTime::from_ms(500), TrueTime::from_ms(15_000));
        let at = TrueTime::from_ms(15_000);
        assert_eq!(c.read(ClockKind::SuspendBlind, at), LocalTime::from_us(500_000));
        assert_eq!(c.read(ClockKind::Monotonic, at), LocalTime::from_us(15_000_000));
    }
}
