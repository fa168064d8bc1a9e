//: about a thread that waits for a time and one that waits until it is woken: what wakes one thread may wake the first
//: forbid stuck
//: check sc violated
//: check tso violated
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

static WAITING: Mutex<u32> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let timed = thread::spawn(|| {
        let mut waiting = WAITING.lock().unwrap();
        *waiting += 1;
        drop(CHANGED.wait_timeout(waiting, Duration::from_secs(1)).unwrap());
    });
    let patient = thread::spawn(|| {
        let mut waiting = WAITING.lock().unwrap();
        *waiting += 1;
        drop(CHANGED.wait(waiting).unwrap());
    });
    // It is woken once both wait.
    loop {
        let waiting = WAITING.lock().unwrap();
        if *waiting == 2 {
            CHANGED.notify_one();
            break;
        }
    }
    timed.join().unwrap();
    patient.join().unwrap();
}
