//: error "the method `acquire` of `&Spin` is not supported"
//: edition 2021
// A type without the trait that is asked for.
use std::sync::atomic::{AtomicBool, Ordering};

trait Lock {
    fn acquire(&self);
}

struct Spin(AtomicBool);

fn enter<L: Lock>(lock: &L) {
    lock.acquire();
}

static LOCK: Spin = Spin(AtomicBool::new(false));

fn main() {
    enter(&LOCK);
    LOCK.0.store(false, Ordering::Release);
}
