//: about a thread that is parked until there is data, and never forever
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);
static READY: AtomicBool = AtomicBool::new(false);

#[test]
fn data_is_there() {
    let consumer = thread::spawn(|| {
        while !READY.load(Ordering::Acquire) {
            thread::park();
        }
        assert_eq!(DATA.load(Ordering::Relaxed), 3);
    });
    DATA.store(3, Ordering::Relaxed);
    READY.store(true, Ordering::Release);
    consumer.thread().unpark();
    consumer.join().unwrap();
}
