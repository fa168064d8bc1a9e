//: error "a loop that creates any number of threads does more than that"
//: edition 2021
// A server without end that looks at what its threads have done.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static SERVED: AtomicU32 = AtomicU32::new(0);

fn main() {
    loop {
        assert!(SERVED.load(Relaxed) < 3);
        thread::spawn(|| SERVED.fetch_add(1, Relaxed));
    }
}
