//: about locks taken in two orders: a deadlock
//: forbid stuck
//: check sc violated
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;
use std::thread;
static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);
static F: AtomicBool = AtomicBool::new(false);
#[test]
fn deadlock() {
    let t = thread::spawn(|| { let a = A.lock().unwrap(); let b = B.lock().unwrap(); drop((a, b)); });
    { let b = B.lock().unwrap(); let a = A.lock().unwrap(); drop(a); drop(b); }
    t.join().unwrap();
    F.store(true, Ordering::SeqCst);
}
