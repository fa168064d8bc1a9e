//: about macros that cannot be expanded in code that the program does not execute
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);

macro_rules! only_numbers { ($n:literal) => { $n }; }
macro_rules! forever { ($($t:tt)*) => { forever!(x $($t)*) }; }

made_elsewhere! { struct Other { a: f64 } }

#[allow(dead_code)]
fn never_called() -> u32 {
    forever!() + only_numbers!(X)
}

#[test]
fn what_is_executed_counts() {
    let worker = thread::spawn(|| X.store(only_numbers!(5), SeqCst));
    worker.join().unwrap();
    assert_eq!(X.load(SeqCst), 5);
}
