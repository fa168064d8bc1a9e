//: about Put then flag (OpenSHMEM, NVSHMEM, DeepEP): the flag arrives before the data
//: check sc holds
//: check tso holds
//: check pso violated
//: check pgas violated
//: robust tso yes
//: robust pso no
//: robust pgas no
//: fence tso assertions 0
//: fence tso robustness 0
//: fence pso assertions 1  F
//: fence pso robustness 1
//: fence pgas assertions 1
//: fence pgas robustness 1
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static DATA: AtomicI32 = AtomicI32::new(0);
static FLAG: AtomicI32 = AtomicI32::new(0);

fn sender() {
    DATA.store(1, Relaxed);
    FLAG.store(1, Relaxed);
}

fn receiver() -> i32 {
    while FLAG.load(Relaxed) == 0 {}
    DATA.load(Relaxed)
}

#[test]
fn the_data_arrives_before_the_flag() {
    let receiver = thread::spawn(receiver);
    sender();
    let receiver_result = receiver.join().unwrap();
    assert!(receiver_result == 1);
}
