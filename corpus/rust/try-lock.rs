//: about `try_lock`: at most one thread gets the lock at a time
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

static INSIDE: AtomicU32 = AtomicU32::new(0);

fn attempt(lock: &Mutex<u32>) -> bool {
    if let Ok(mut guard) = lock.try_lock() {
        assert_eq!(INSIDE.fetch_add(1, Ordering::Relaxed), 0);
        *guard += 1;
        INSIDE.fetch_sub(1, Ordering::Relaxed);
        true
    } else {
        false
    }
}

#[test]
fn exclusive() {
    let lock = Arc::new(Mutex::new(0));
    let other = lock.clone();
    let t = thread::spawn(move || attempt(&other));
    let mine = attempt(&lock);
    let theirs = t.join().unwrap();
    assert!(mine || theirs);
    let count = *lock.lock().unwrap();
    assert_eq!(count, mine as u32 + theirs as u32);
}
