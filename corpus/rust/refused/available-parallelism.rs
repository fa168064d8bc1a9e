//: error "`thread::available_parallelism` is not supported"
//: edition 2021
// As many threads as the machine has processors.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static SERVED: AtomicU32 = AtomicU32::new(0);

fn main() {
    let workers = thread::available_parallelism().map_or(1, |n| n.get());
    for _ in 0..workers {
        thread::spawn(|| SERVED.fetch_add(1, Relaxed));
    }
}
