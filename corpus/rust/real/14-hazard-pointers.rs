//: about Hazard pointers: the reader protects a node, but the reclaimer does not see it and frees the node in use
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 1  RD
//: fence tso robustness 1
//: fence pso assertions 1
//: fence pso robustness 1
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use std::thread;

static POINTER: AtomicUsize = AtomicUsize::new(1); // the node in use: 1, later 2
static HAZARD: AtomicUsize = AtomicUsize::new(0); // the node that the reader protects
static FREED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// Whether it uses a node that was freed.
fn reader() -> bool {
    let node = POINTER.load(Relaxed);
    HAZARD.store(node, Relaxed);
    POINTER.load(Relaxed) == node && FREED[node].load(Relaxed)
}

fn reclaimer() {
    POINTER.swap(2, SeqCst);
    if HAZARD.load(Relaxed) != 1 {
        FREED[1].store(true, Relaxed);
    }
}

#[test]
fn no_node_is_used_after_its_end() {
    let reclaimer = thread::spawn(reclaimer);
    let reader_result = reader();
    reclaimer.join().unwrap();
    assert!(!reader_result);
}
