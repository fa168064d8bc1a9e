//: about `wait_while`, and about several threads that are woken at once
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::{Condvar, Mutex};
use std::thread;

static OPEN: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn pass() -> bool {
    let guard = OPEN.lock().unwrap();
    let guard = CHANGED.wait_while(guard, |open| !*open).unwrap();
    *guard
}

#[test]
fn all_pass() {
    let first = thread::spawn(pass);
    let second = thread::spawn(pass);
    *OPEN.lock().unwrap() = true;
    CHANGED.notify_all();
    assert!(first.join().unwrap() && second.join().unwrap());
}
