//: about FreeBSD cpu_idle and tdq_notify: the processor halts with a thread to run and nobody interrupts it; the lock before the store does not help; fenced at IDLE and NOTIFY
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static IDLE: AtomicI32 = AtomicI32::new(0);
static LOAD: AtomicI32 = AtomicI32::new(0); // threads to run
static LOCK: AtomicI32 = AtomicI32::new(0);

/// Whether the processor halts.
fn cpu() -> bool {
    IDLE.store(1, Relaxed);
    fence(SeqCst);
    LOAD.load(Relaxed) == 0
}

/// Whether it is interrupted.
fn notifier() -> bool {
    LOCK.swap(1, SeqCst);
    LOAD.store(1, Relaxed);
    fence(SeqCst);
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
