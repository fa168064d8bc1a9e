//: error "the method `fetch_or` of `State` is not supported"
//: edition 2021
// A method that another crate's `derive` would write.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(AtomicEnum, Clone, Copy)]
enum State {
    Free,
    Taken,
}

static N: AtomicU32 = AtomicU32::new(0);

fn main() {
    State::Free.fetch_or(State::Taken);
    N.store(1, Relaxed);
}
