//! Two threads announce themselves, and then look for each other. With `SeqCst`, one of them
//! sees the other: right, everywhere.

use peers::sync::atomic::{AtomicBool, Ordering::*};
use peers::sync::Arc;
use peers::{model, thread};

#[test]
fn store_buffering_seq_cst() {
    model(|| {
        let here = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let mine = here.clone();
        let other = thread::spawn(move || {
            mine[1].store(true, SeqCst);
            mine[0].load(SeqCst)
        });
        here[0].store(true, SeqCst);
        let seen = here[1].load(SeqCst);
        assert!(other.join().unwrap() || seen);
    });
}
