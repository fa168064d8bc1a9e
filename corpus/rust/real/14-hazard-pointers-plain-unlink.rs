//: about Hazard pointers, the node unlinked by a plain store: the reclaimer needs a fence too
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 2  RD, RC
//: fence tso robustness 2
//: fence pso assertions 2
//: fence pso robustness 2
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
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
    POINTER.store(2, Relaxed);
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
