//: error "the macro `select!` is not supported"
//: edition 2021
// A macro of another crate.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tokio::select;

static N: AtomicU32 = AtomicU32::new(0);

fn main() {
    select! {
        _ = first() => N.store(1, Relaxed),
        _ = second() => N.store(2, Relaxed),
    }
}
