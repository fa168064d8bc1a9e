//: error "`lock::enter` is not known: `lock` has no `enter` that is visible here"
//: edition 2021
// A function that is private to its module.
use std::sync::atomic::{AtomicBool, Ordering};

mod lock {
    use super::*;

    pub static LOCKED: AtomicBool = AtomicBool::new(false);

    fn enter() -> bool {
        !LOCKED.swap(true, Ordering::Acquire)
    }
}

fn main() {
    assert!(lock::enter());
}
