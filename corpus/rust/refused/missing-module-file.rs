//: error "`backoff::Backoff::new` is not known"
//: edition 2021
// A module whose file is not there.
mod backoff;

use std::sync::atomic::{AtomicBool, Ordering};

static LOCKED: AtomicBool = AtomicBool::new(false);

fn lock() {
    let mut backoff = backoff::Backoff::new();
    while LOCKED.swap(true, Ordering::Acquire) {
        backoff.snooze();
    }
}

fn main() {
    lock();
}
