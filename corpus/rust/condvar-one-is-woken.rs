//: about two threads that wait, of which `notify_one` wakes one
//: forbid stuck
//: check sc violated  the other one waits forever
//: check tso violated
use std::sync::{Condvar, Mutex};
use std::thread;

static OPEN: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn pass() {
    let guard = OPEN.lock().unwrap();
    let _guard = CHANGED.wait_while(guard, |open| !*open).unwrap();
}

#[test]
fn all_pass() {
    let first = thread::spawn(pass);
    let second = thread::spawn(pass);
    *OPEN.lock().unwrap() = true;
    CHANGED.notify_one();
    first.join().unwrap();
    second.join().unwrap();
}
