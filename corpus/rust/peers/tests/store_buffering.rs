//! Two threads announce themselves, and then look for each other. `Release` and `Acquire` do not keep the load after
//! the store, so both may miss the other one: wrong, on x86, too.

use peers::sync::atomic::{AtomicBool, Ordering::*};
use peers::sync::Arc;
use peers::{model, thread};

#[test]
fn store_buffering() {
    model(|| {
        let here = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let mine = here.clone();
        let other = thread::spawn(move || {
            mine[1].store(true, Release);
            mine[0].load(Acquire)
        });
        here[0].store(true, Release);
        let seen = here[1].load(Acquire);
        assert!(other.join().unwrap() || seen);
    });
}
