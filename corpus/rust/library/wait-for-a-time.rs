//: about a wait with a time, after which there may be a message or not, and a value only with the message
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

static VALUE: Mutex<u32> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let t = thread::spawn(|| {
        *VALUE.lock().unwrap() = 3;
        CHANGED.notify_one();
    });
    let guard = VALUE.lock().unwrap();
    let time = Duration::from_millis(10);
    let (guard, ended) = CHANGED.wait_timeout_while(guard, time, |value| *value == 0).unwrap();
    assert!(ended.timed_out() || *guard == 3);
    drop(guard);
    t.join().unwrap();
}
