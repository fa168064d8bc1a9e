//: about a store to another variable after a lock was released: the release drains no buffer
//: check sc holds
//: check tso violated
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::Mutex;
use std::thread;

static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);
static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);

#[test]
fn locks_are_no_fences() {
    let a = thread::spawn(|| {
        let guard = A.lock().unwrap();
        X.store(1, Relaxed);
        drop(guard);
        Y.load(Relaxed)
    });
    let b = thread::spawn(|| {
        let guard = B.lock().unwrap();
        Y.store(1, Relaxed);
        drop(guard);
        X.load(Relaxed)
    });
    assert!(a.join().unwrap() + b.join().unwrap() > 0);
}
