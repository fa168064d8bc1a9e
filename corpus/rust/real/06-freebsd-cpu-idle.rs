//: about FreeBSD cpu_idle and tdq_notify: the processor halts with a thread to run and nobody interrupts it; the lock before the store does not help
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 2  IDLE, NOTIFY
//: fence tso robustness 2
//: fence pso assertions 2
//: fence pso robustness 2
use std::sync::atomic::{AtomicI32, Ordering::*};
use std::thread;

static IDLE: AtomicI32 = AtomicI32::new(0);
static LOAD: AtomicI32 = AtomicI32::new(0); // threads to run
static LOCK: AtomicI32 = AtomicI32::new(0);

/// Whether the processor halts.
fn cpu() -> bool {
    IDLE.store(1, Relaxed);
    LOAD.load(Relaxed) == 0
}

/// Whether it is interrupted.
fn notifier() -> bool {
    LOCK.swap(1, SeqCst);
    LOAD.store(1, Relaxed);
    let interrupt = IDLE.load(Relaxed) != 0;
    LOCK.store(0, Relaxed);
    interrupt
}

#[test]
fn no_thread_is_left_waiting() {
    let notifier = thread::spawn(notifier);
    let cpu_result = cpu();
    let notifier_result = notifier.join().unwrap();
    assert!(!cpu_result || notifier_result);
}
