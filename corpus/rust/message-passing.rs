//: about message passing with relaxed accesses: data, then a flag
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
//: fence pso robustness 1
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);
static READY: AtomicBool = AtomicBool::new(false);

#[test]
fn message_passing() {
    let writer = thread::spawn(|| {
        DATA.store(42, Ordering::Relaxed);
        READY.store(true, Ordering::Relaxed);
    });
    let reader = thread::spawn(|| {
        if READY.load(Ordering::Relaxed) {
            assert_eq!(DATA.load(Ordering::Relaxed), 42);
        }
    });
    writer.join().unwrap();
    reader.join().unwrap();
}
