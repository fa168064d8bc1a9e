//: about Announce, then look, both sides by locked instructions: nothing is delayed
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
//: fence pso robustness 0
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static QUEUED: AtomicI32 = AtomicI32::new(0);
static SUSPENDED: AtomicI32 = AtomicI32::new(0);

/// Whether the suspender is seen.
fn enqueuer() -> bool {
    QUEUED.fetch_add(1, Relaxed);
    SUSPENDED.load(Relaxed) != 0
}

/// Whether the task is seen.
fn suspender() -> bool {
    SUSPENDED.fetch_add(1, Relaxed);
    QUEUED.load(Relaxed) != 0
}

#[test]
fn one_of_them_sees_the_other() {
    let suspender = thread::spawn(suspender);
    let enqueuer_result = enqueuer();
    let suspender_result = suspender.join().unwrap();
    assert!(enqueuer_result || suspender_result);
}
