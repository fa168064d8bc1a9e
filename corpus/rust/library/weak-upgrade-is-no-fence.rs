//: about store buffering around `upgrade`: it is a locked instruction where it succeeds, and a load where it fails
//: check sc holds
//: check tso violated
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);

fn side(of: &AtomicU32, other: &AtomicU32, weak: &Weak<u32>) -> u32 {
    of.store(1, Relaxed);
    assert!(weak.upgrade().is_none());
    other.load(Relaxed)
}

fn main() {
    let ended = Arc::downgrade(&Arc::new(1));
    let same = ended.clone();
    let t = thread::spawn(move || side(&X, &Y, &same));
    let y = side(&Y, &X, &ended);
    let x = t.join().unwrap();
    assert!(x == 1 || y == 1);
}
