//: error "`fs::read` is not supported"
//: edition 2021
// A file that decides.
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    if fs::read("config").is_ok() {
        READY.store(true, Ordering::Release);
    }
    assert!(!READY.load(Ordering::Acquire));
}
