//: about Hazard pointers: the reader protects a node, but the reclaimer does not see it and frees the node in use; fenced at RD
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering::*};
use std::thread;

static POINTER: AtomicUsize = AtomicUsize::new(1); // the node in use: 1, later 2
static HAZARD: AtomicUsize = AtomicUsize::new(0); // the node that the reader protects
static FREED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// Whether it uses a node that was freed.
fn reader() -> bool {
    let node = POINTER.load(Relaxed);
    HAZARD.store(node, Relaxed);
    fence(SeqCst);
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
