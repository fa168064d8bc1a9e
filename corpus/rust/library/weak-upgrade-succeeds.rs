//: about the same as weak-upgrade-is-no-fence.rs, but the value is there
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);

fn side(of: &AtomicU32, other: &AtomicU32, weak: &Weak<u32>) -> u32 {
    of.store(1, Relaxed);
    assert!(weak.upgrade().is_some());
    other.load(Relaxed)
}

fn main() {
    let owner = Arc::new(1);
    let weak = Arc::downgrade(&owner);
    let same = weak.clone();
    let t = thread::spawn(move || side(&X, &Y, &same));
    let y = side(&Y, &X, &weak);
    let x = t.join().unwrap();
    assert!(x == 1 || y == 1);
    drop(owner);
}
