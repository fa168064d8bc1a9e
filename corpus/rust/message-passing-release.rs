//: about message passing with a release store of the flag
//: check sc holds
//: check tso holds
//: check pso holds
//: robust pso yes
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

static DATA: AtomicU64 = AtomicU64::new(0);
static READY: AtomicBool = AtomicBool::new(false);

#[test]
fn message_passing() {
    let t = thread::spawn(|| {
        DATA.store(123, Relaxed);
        READY.store(true, Release);
    });
    while !READY.load(Acquire) {
        thread::yield_now();
    }
    assert_eq!(DATA.load(Relaxed), 123);
    t.join().unwrap();
}
