//! `std::time`
//!
//! How long something takes is not known, so a `Duration` is a number or any one, and a comparison with any one has either
//! result. A timeout may be over or not, whatever it is. A point in time has no number at all.

use super::option::{None, Option, Some};
use core::cmp::Ordering;
use core::intrinsics;

#[derive(Clone, Copy)]
pub struct Duration {
    seconds: u64,
    nanos: u32,
    is_any: bool,
}

const ANY: Duration = Duration {
    seconds: 0,
    nanos: 0,
    is_any: true,
};

impl Duration {
    pub const ZERO: Duration = Duration {
        seconds: 0,
        nanos: 0,
        is_any: false,
    };

    // No number that can be computed with here.
    pub const MAX: Duration = ANY;

    pub const fn new(seconds: u64, nanos: u32) -> Duration {
        Duration {
            seconds: seconds + (nanos / 1_000_000_000) as u64,
            nanos: nanos % 1_000_000_000,
            is_any: false,
        }
    }

    pub const fn from_secs(seconds: u64) -> Duration {
        Duration {
            seconds,
            nanos: 0,
            is_any: false,
        }
    }

    pub const fn from_millis(millis: u64) -> Duration {
        Duration {
            seconds: millis / 1_000,
            nanos: (millis % 1_000) as u32 * 1_000_000,
            is_any: false,
        }
    }

    pub const fn from_micros(micros: u64) -> Duration {
        Duration {
            seconds: micros / 1_000_000,
            nanos: (micros % 1_000_000) as u32 * 1_000,
            is_any: false,
        }
    }

    pub const fn from_nanos(nanos: u64) -> Duration {
        Duration {
            seconds: nanos / 1_000_000_000,
            nanos: (nanos % 1_000_000_000) as u32,
            is_any: false,
        }
    }

    pub fn is_zero(&self) -> bool {
        if self.is_any {
            intrinsics::either()
        } else {
            self.seconds == 0 && self.nanos == 0
        }
    }

    pub fn checked_add(self, other: Duration) -> Option<Duration> {
        if self.is_any || other.is_any {
            if intrinsics::either() { Some(ANY) } else { None }
        } else {
            Some(self + other)
        }
    }

    pub fn saturating_add(self, other: Duration) -> Duration {
        self + other
    }

    pub fn checked_sub(self, other: Duration) -> Option<Duration> {
        if self < other { None } else { Some(self.less(other)) }
    }

    pub fn saturating_sub(self, other: Duration) -> Duration {
        if self < other { Duration::ZERO } else { self.less(other) }
    }

    pub fn abs_diff(self, other: Duration) -> Duration {
        if self < other { other.less(self) } else { self.less(other) }
    }

    // The difference from one that is not greater.
    fn less(self, other: Duration) -> Duration {
        if self.is_any || other.is_any {
            ANY
        } else if self.nanos >= other.nanos {
            Duration::new(self.seconds - other.seconds, self.nanos - other.nanos)
        } else {
            let nanos = self.nanos + 1_000_000_000 - other.nanos;
            Duration::new(self.seconds - other.seconds - 1, nanos)
        }
    }
}

impl Default for Duration {
    fn default() -> Duration {
        Duration::ZERO
    }
}

impl PartialEq for Duration {
    fn eq(&self, other: &Duration) -> bool {
        if self.is_any || other.is_any {
            intrinsics::either()
        } else {
            self.seconds == other.seconds && self.nanos == other.nanos
        }
    }
}

impl Eq for Duration {}

impl PartialOrd for Duration {
    fn partial_cmp(&self, other: &Duration) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Duration {
    fn cmp(&self, other: &Duration) -> Ordering {
        if self.is_any || other.is_any {
            any_order()
        } else if self.seconds == other.seconds {
            self.nanos.cmp(&other.nanos)
        } else {
            self.seconds.cmp(&other.seconds)
        }
    }
}

fn any_order() -> Ordering {
    if intrinsics::either() {
        Ordering::Less
    } else if intrinsics::either() {
        Ordering::Equal
    } else {
        Ordering::Greater
    }
}

impl Add for Duration {
    type Output = Duration;

    fn add(self, other: Duration) -> Duration {
        if self.is_any || other.is_any {
            ANY
        } else {
            Duration::new(self.seconds + other.seconds, self.nanos + other.nanos)
        }
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        *self = *self + other;
    }
}

impl Sub for Duration {
    type Output = Duration;

    fn sub(self, other: Duration) -> Duration {
        assert!(self.is_any || other.is_any || self >= other);
        self.less(other)
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, other: Duration) {
        *self = *self - other;
    }
}

impl Mul<u32> for Duration {
    type Output = Duration;

    fn mul(self, by: u32) -> Duration {
        if self.is_any {
            return ANY;
        }
        // Up to a second at a time, so that the numbers stay small.
        let mut product = Duration::ZERO;
        let mut times = 0;
        while times < by {
            product = product + self;
            times += 1;
        }
        product
    }
}

#[derive(Clone, Copy)]
pub struct Instant;

impl Instant {
    pub fn now() -> Instant {
        Instant
    }

    pub fn elapsed(&self) -> Duration {
        ANY
    }

    pub fn duration_since(&self, earlier: Instant) -> Duration {
        ANY
    }

    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        ANY
    }

    pub fn checked_duration_since(&self, earlier: Instant) -> Option<Duration> {
        if intrinsics::either() { Some(ANY) } else { None }
    }

    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        if intrinsics::either() { Some(Instant) } else { None }
    }

    pub fn checked_sub(&self, time: Duration) -> Option<Instant> {
        if intrinsics::either() { Some(Instant) } else { None }
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, time: Duration) {}
}

impl Sub<Duration> for Instant {
    type Output = Instant;

    fn sub(self, time: Duration) -> Instant {
        Instant
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        ANY
    }
}

impl PartialEq for Instant {
    fn eq(&self, other: &Instant) -> bool {
        intrinsics::either()
    }
}

impl Eq for Instant {}

impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Instant) -> Option<Ordering> {
        Some(any_order())
    }
}

impl Ord for Instant {
    fn cmp(&self, other: &Instant) -> Ordering {
        any_order()
    }
}
