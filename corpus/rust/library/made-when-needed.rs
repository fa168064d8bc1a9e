//: about a static that the first thread makes that needs it, once
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex};
use std::thread;

static MADE: AtomicU32 = AtomicU32::new(0);
static SUM: LazyLock<Mutex<u32>> = LazyLock::new(|| {
    MADE.fetch_add(1, Relaxed);
    Mutex::new(5)
});

fn main() {
    let t = thread::spawn(|| *SUM.lock().unwrap() += 1);
    *SUM.lock().unwrap() += 10;
    t.join().unwrap();
    assert_eq!(*SUM.lock().unwrap(), 16);
    assert_eq!(MADE.load(Relaxed), 1);
}
