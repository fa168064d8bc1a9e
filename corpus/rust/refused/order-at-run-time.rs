//: error "a memory order must be a constant"
//: edition 2021
// A memory order that is chosen when the program runs.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static STRICT: AtomicBool = AtomicBool::new(false);
static READY: AtomicBool = AtomicBool::new(false);

fn order() -> Ordering {
    if STRICT.load(Ordering::Relaxed) { Ordering::SeqCst } else { Ordering::Relaxed }
}

fn main() {
    let other = thread::spawn(|| STRICT.store(true, Ordering::Relaxed));
    READY.store(true, order());
    other.join().unwrap();
}
