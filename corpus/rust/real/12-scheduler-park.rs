//: about Submit and park in schedulers (Go, tokio, rayon): a task is queued, a worker seems to be spinning, and it parks; a sequentially consistent load is no fence
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 1  SUB
//: fence tso robustness 1
//: fence pso assertions 1
//: fence pso robustness 1
use std::sync::atomic::{AtomicI32, Ordering::*};
use std::thread;

static QUEUED: AtomicI32 = AtomicI32::new(0); // a task is queued
static SPINNING: AtomicI32 = AtomicI32::new(1); // workers that look for tasks

/// Whether a worker is woken.
fn submit() -> bool {
    QUEUED.store(1, Relaxed);
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
