//: about Submit and park in schedulers (Go, tokio, rayon): a task is queued, a worker seems to be spinning, and it parks; a sequentially consistent load is no fence; fenced at SUB
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
//: fence tso assertions 0
//: fence tso robustness 0
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static QUEUED: AtomicI32 = AtomicI32::new(0); // a task is queued
static SPINNING: AtomicI32 = AtomicI32::new(1); // workers that look for tasks

/// Whether a worker is woken.
fn submit() -> bool {
    QUEUED.store(1, Relaxed);
    fence(SeqCst);
    SPINNING.load(SeqCst) == 0
}

/// Whether it parks.
fn worker() -> bool {
    SPINNING.fetch_sub(1, SeqCst);
    QUEUED.load(SeqCst) == 0
}

#[test]
fn the_task_is_executed() {
    let worker = thread::spawn(worker);
    let submit_result = submit();
    let worker_result = worker.join().unwrap();
    assert!(submit_result || !worker_result);
}
