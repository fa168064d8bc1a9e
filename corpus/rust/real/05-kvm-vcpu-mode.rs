//: about KVM vcpu->mode and requests: the guest is entered with a request pending and nobody interrupts it
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
//: fence tso assertions 1  V
//: fence tso robustness 1
//: fence pso assertions 1
//: fence pso robustness 1
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static MODE: AtomicI32 = AtomicI32::new(0); // 1: in the guest
static REQUEST: AtomicI32 = AtomicI32::new(0);

/// Whether the guest is entered.
fn vcpu() -> bool {
    MODE.store(1, Relaxed);
    REQUEST.load(Relaxed) == 0
}

/// Whether it is interrupted.
fn requester() -> bool {
    REQUEST.fetch_or(1, Relaxed);
    MODE.load(Relaxed) == 1
}

#[test]
fn no_request_is_missed() {
    let requester = thread::spawn(requester);
    let vcpu_result = vcpu();
    let requester_result = requester.join().unwrap();
    assert!(!vcpu_result || requester_result);
}
