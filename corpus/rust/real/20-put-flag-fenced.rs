//: about Put then flag (OpenSHMEM, NVSHMEM, DeepEP): the flag arrives before the data; fenced at F
//: check sc holds
//: check tso holds
//: check pso holds
//: check pgas holds
//: robust tso yes
//: robust pso yes
//: robust pgas yes
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static DATA: AtomicI32 = AtomicI32::new(0);
static FLAG: AtomicI32 = AtomicI32::new(0);

fn sender() {
    DATA.store(1, Relaxed);
    fence(Release);
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
