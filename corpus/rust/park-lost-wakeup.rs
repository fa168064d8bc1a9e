//: about a wake-up that is lost: the sleeper looks before its flag is in memory, and so does the waker
//: forbid stuck
//: check sc holds
//: check tso violated  the sleeper is parked forever
//: check pso violated
//: fence tso assertions 2
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static ASLEEP: AtomicBool = AtomicBool::new(false);

#[test]
fn the_sleeper_is_woken() {
    let sleeper = thread::spawn(|| {
        ASLEEP.store(true, Ordering::Release);
        while !READY.load(Ordering::Acquire) {
            thread::park();
        }
    });
    READY.store(true, Ordering::Release);
    if ASLEEP.load(Ordering::Acquire) {
        sleeper.thread().unpark();
    }
    sleeper.join().unwrap();
}
