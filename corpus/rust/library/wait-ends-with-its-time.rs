//: about the same as wait-for-a-time.rs, but what the time may have ended is taken for a message
//: check sc violated
//: check tso violated
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
    let mut guard = VALUE.lock().unwrap();
    if *guard == 0 {
        guard = CHANGED.wait_timeout(guard, Duration::from_millis(10)).unwrap().0;
    }
    assert_eq!(*guard, 3);
    drop(guard);
    t.join().unwrap();
}
