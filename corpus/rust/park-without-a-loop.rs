//: about `park`, which may return before `unpark` was called
//: check sc violated
//: check tso violated
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

#[test]
fn woken_for_no_reason() {
    let consumer = thread::spawn(|| {
        thread::park();
        assert!(READY.load(Ordering::Acquire));
    });
    READY.store(true, Ordering::Release);
    consumer.thread().unpark();
    consumer.join().unwrap();
}
