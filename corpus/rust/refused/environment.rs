//: error "`env::var` is not supported"
//: edition 2021
// A variable of the environment.
use std::env;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static LEVEL: AtomicU32 = AtomicU32::new(0);

fn main() {
    if env::var("LEVEL").is_ok() {
        LEVEL.store(1, Relaxed);
    }
    assert!(LEVEL.load(Relaxed) < 2);
}
