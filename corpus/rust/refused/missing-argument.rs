//: error "`add` takes 2 arguments, and 1 are given"
//: edition 2021
// A call with too few arguments.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static N: AtomicU32 = AtomicU32::new(0);

fn add(amount: u32, twice: bool) {
    N.fetch_add(if twice { amount * 2 } else { amount }, Relaxed);
}

fn main() {
    add(1);
    assert_eq!(N.load(Relaxed), 1);
}
