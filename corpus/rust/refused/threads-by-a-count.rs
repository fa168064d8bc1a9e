//: error "the number of iterations of this loop is not known"
//: edition 2021
// As many threads as another thread says.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

static WORKERS: AtomicU32 = AtomicU32::new(1);
static SERVED: AtomicU32 = AtomicU32::new(0);

fn main() {
    let other = thread::spawn(|| WORKERS.store(2, Relaxed));
    let threads: Vec<_> = (0..WORKERS.load(Relaxed))
        .map(|_| thread::spawn(|| SERVED.fetch_add(1, Relaxed)))
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    other.join().unwrap();
}
