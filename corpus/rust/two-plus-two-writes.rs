//: about 2+2W: two threads store to two variables in opposite orders
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

static X: AtomicU8 = AtomicU8::new(0);
static Y: AtomicU8 = AtomicU8::new(0);

#[test]
fn both_orders() {
    thread::scope(|s| {
        s.spawn(|| {
            X.store(1, Ordering::Relaxed);
            Y.store(2, Ordering::Relaxed);
        });
        s.spawn(|| {
            Y.store(1, Ordering::Relaxed);
            X.store(2, Ordering::Relaxed);
        });
    });
    // Each first store last: a cycle.
    assert!(!(X.load(Ordering::Relaxed) == 1 && Y.load(Ordering::Relaxed) == 1));
}
