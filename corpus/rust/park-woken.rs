//: about a wake-up that is not lost, since the flags are exchanged
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static ASLEEP: AtomicBool = AtomicBool::new(false);

#[test]
fn the_sleeper_is_woken() {
    let sleeper = thread::spawn(|| {
        ASLEEP.store(true, Ordering::SeqCst);
        while !READY.load(Ordering::Acquire) {
            thread::park();
        }
    });
    READY.store(true, Ordering::SeqCst);
    if ASLEEP.load(Ordering::Acquire) {
        sleeper.thread().unpark();
    }
    sleeper.join().unwrap();
}
