//: error "a load cannot use this memory order"
//: edition 2021
// An order that loads do not have: the library panics.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn is_ready() -> bool {
    READY.load(Ordering::AcqRel)
}

fn main() {
    let other = thread::spawn(|| READY.store(true, Ordering::Release));
    is_ready();
    other.join().unwrap();
}
