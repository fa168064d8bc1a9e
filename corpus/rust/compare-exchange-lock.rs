//: about a lock taken by compare-exchange, in a scope
//: check sc holds
//: check tso holds
//: check pso violated
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

#[test]
fn scoped() {
    let lock = AtomicU32::new(0);
    let count = AtomicU32::new(0);
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                while lock
                    .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed)
                    .is_err()
                {}
                let old = count.load(Ordering::Relaxed);
                count.store(old + 1, Ordering::Relaxed);
                lock.store(0, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 2);
}
