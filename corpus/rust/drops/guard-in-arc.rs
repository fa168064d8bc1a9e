//: about a guard of a lock in an `Arc`: the end of the last pointer unlocks
//: check sc holds
//: check tso holds
use std::sync::{Arc, Mutex};
use std::thread;

static LOCK: Mutex<u32> = Mutex::new(0);

#[test]
fn unlocked_by_the_last_one() {
    let guard = Arc::new(LOCK.lock().unwrap());
    let again = guard.clone();
    let thread = thread::spawn(|| *LOCK.lock().unwrap() += 1);
    assert_eq!(**guard, 0);
    drop(guard);
    assert_eq!(**again, 0);
    drop(again);
    thread.join().unwrap();
    assert_eq!(*LOCK.lock().unwrap(), 1);
}
