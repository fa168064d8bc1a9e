//: about nothing wakes it, so the time runs out and the flag is still false
//: check sc holds
use std::sync::{Condvar, Mutex};
use std::time::Duration;
static LOCK: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();
#[test] fn a() {
    let guard = LOCK.lock().unwrap();
    let (guard, _) = CHANGED.wait_timeout(guard, Duration::from_millis(1)).unwrap();
    assert!(!*guard);
}
