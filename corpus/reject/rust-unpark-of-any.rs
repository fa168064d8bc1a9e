//: forbid stuck
//: error "which thread is unparked here is not known when the program is read"
use std::sync::Mutex;
use std::thread::{self, Thread};
static WAITER: Mutex<Option<Thread>> = Mutex::new(None);
#[test] fn a() {
    let t = thread::spawn(|| {
        *WAITER.lock().unwrap() = Some(thread::current());
        thread::park();
    });
    if let Some(waiter) = &*WAITER.lock().unwrap() {
        waiter.unpark();
    }
    t.join().unwrap();
}
