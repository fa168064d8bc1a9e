//: about a mutex whose word is free, taken, or taken with sleepers
//: edition 2021
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
//! A mutex of one word: 0 is free, 1 is taken, and 2 is taken while others may sleep.

use atomic_wait::{wait, wake_one};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const FREE: u32 = 0;
const TAKEN: u32 = 1;
const CONTENDED: u32 = 2;

/// The lock alone, for data that is elsewhere.
pub struct RawMutex {
    state: AtomicU32,
}

impl RawMutex {
    pub const fn new() -> Self {
        RawMutex { state: AtomicU32::new(FREE) }
    }

    pub fn lock(&self) {
        if self
            .state
            .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            self.lock_contended();
        }
    }

    fn lock_contended(&self) {
        while self.state.swap(CONTENDED, Ordering::Acquire) != FREE {
            wait(&self.state, CONTENDED);
        }
    }

    pub fn unlock(&self) {
        if self.state.swap(FREE, Ordering::Release) == CONTENDED {
            wake_one(&self.state);
        }
    }
}

static LOCK: RawMutex = RawMutex::new();
static INSIDE: AtomicU32 = AtomicU32::new(0);

fn enter() {
    LOCK.lock();
    assert_eq!(INSIDE.fetch_add(1, Ordering::Relaxed), 0);
    INSIDE.fetch_sub(1, Ordering::Relaxed);
    LOCK.unlock();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_gets_in() {
        thread::scope(|s| {
            s.spawn(enter);
            s.spawn(enter);
            enter();
        });
    }
}
