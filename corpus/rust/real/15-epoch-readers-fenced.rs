//: about Epochs and RCU readers: the reader is inside before anybody sees it, and the writer frees what it reads; fenced at PIN and ADV
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static INSIDE: AtomicI32 = AtomicI32::new(0); // the reader is inside
static POINTER: AtomicI32 = AtomicI32::new(1); // what it reads; 0: unlinked
static FREED: AtomicI32 = AtomicI32::new(0);

/// Whether it reads what was freed.
fn reader() -> bool {
    INSIDE.store(1, Relaxed);
    fence(SeqCst);
    POINTER.load(Relaxed) != 0 && FREED.load(Relaxed) != 0
}

fn writer() {
    POINTER.store(0, Relaxed);
    fence(SeqCst);
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
