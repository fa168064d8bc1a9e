//! A counter behind the gate of the package `gate`.

use lock::Gate;
use std::cell::UnsafeCell;

/// Two sides count here.
pub struct Counter {
    gate: Gate,
    count: UnsafeCell<u32>,
}

// Only the side that is inside uses the count.
unsafe impl Sync for Counter {}

impl Counter {
    pub const fn new() -> Self {
        Counter {
            gate: Gate::new(),
            count: UnsafeCell::new(0),
        }
    }

    /// Counts, if this side may enter, and returns what it was before.
    pub fn count(&self, side: usize) -> Option<u32> {
        let _pass = self.gate.enter(side)?;
        let count = self.count.get();
        // The gate lets no one else in.
        unsafe {
            let before = *count;
            *count = before + 1;
            Some(before)
        }
    }
}
