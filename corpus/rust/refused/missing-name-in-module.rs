//: error "`lock::try_enter` is not known: `lock` has no `try_enter`"
//: edition 2021
// A function that its module does not have.
use std::sync::atomic::{AtomicBool, Ordering};

mod lock {
    use super::*;

    pub static LOCKED: AtomicBool = AtomicBool::new(false);

    pub fn enter() -> bool {
        !LOCKED.swap(true, Ordering::Acquire)
    }
}

fn main() {
    assert!(lock::try_enter());
}
