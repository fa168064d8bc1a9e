//: error "`async` is not supported"
//: edition 2021
// An `async` block that is handed to a function.
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};

static RAN: AtomicBool = AtomicBool::new(false);

fn spawn(task: impl Future<Output = ()>) {
    drop(task);
}

fn main() {
    spawn(async {
        RAN.store(true, Ordering::Relaxed);
    });
    assert!(!RAN.load(Ordering::Relaxed));
}
