//: about Head and tail of a queue in one atomic word, each changed by a compare-exchange of both
//: check sc holds
//: check tso holds
//: robust tso yes
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::thread;

static STATE: AtomicU64 = AtomicU64::new(0);

fn push() -> bool {
    let mut now = STATE.load(Relaxed);
    loop {
        let (head, tail) = (now >> 32, now & 0xffff_ffff);
        if tail - head == 2 {
            return false;
        }
        let next = head << 32 | (tail + 1);
        match STATE.compare_exchange(now, next, AcqRel, Relaxed) {
            Ok(_) => return true,
            Err(seen) => now = seen,
        }
    }
}

fn pop() -> bool {
    let mut now = STATE.load(Relaxed);
    loop {
        let (head, tail) = (now >> 32, now as u32 as u64);
        if tail == head {
            return false;
        }
        match STATE.compare_exchange_weak(now, (head + 1) << 32 | tail, AcqRel, Acquire) {
            Ok(_) => return true,
            Err(seen) => now = seen,
        }
    }
}

fn main() {
    let a = thread::spawn(push);
    let b = thread::spawn(pop);
    let pushed = a.join().unwrap();
    let popped = b.join().unwrap();
    assert!(pushed);
    let end = STATE.load(Relaxed);
    assert!(end == if popped { 1 << 32 | 1 } else { 1 });
}
