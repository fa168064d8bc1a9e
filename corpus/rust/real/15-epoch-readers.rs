//: about Epochs and RCU readers: the reader is inside before anybody sees it, and the writer frees what it reads
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 2  PIN, ADV
//: fence tso robustness 2
//: fence pso assertions 2
//: fence pso robustness 2
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static INSIDE: AtomicI32 = AtomicI32::new(0); // the reader is inside
static POINTER: AtomicI32 = AtomicI32::new(1); // what it reads; 0: unlinked
static FREED: AtomicI32 = AtomicI32::new(0);

/// Whether it reads what was freed.
fn reader() -> bool {
    INSIDE.store(1, Relaxed);
    POINTER.load(Relaxed) != 0 && FREED.load(Relaxed) != 0
}

fn writer() {
    POINTER.store(0, Relaxed);
    if INSIDE.load(Relaxed) == 0 {
        FREED.store(1, Relaxed);
    }
}

#[test]
fn nothing_is_read_after_its_end() {
    let writer = thread::spawn(writer);
    let reader_result = reader();
    writer.join().unwrap();
    assert!(!reader_result);
}
