//: about A maximum with any other value is a locked instruction
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);
static TOP: AtomicU32 = AtomicU32::new(0);

fn main() {
    let a = thread::spawn(|| {
        X.store(1, Ordering::Relaxed);
        TOP.fetch_max(3, Ordering::Relaxed);
        Y.load(Ordering::Relaxed)
    });
    let b = thread::spawn(|| {
        Y.store(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        X.load(Ordering::Relaxed)
    });
    let (r, s) = (a.join().unwrap(), b.join().unwrap());
    assert!(r == 1 || s == 1);
}
