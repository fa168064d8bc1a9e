//: about lazy initialisation whose state is stored in relaxed order
//: check sc holds
//: check tso holds
//: check pso violated
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::thread;

static STATE: AtomicU8 = AtomicU8::new(0);
static VALUE: AtomicI32 = AtomicI32::new(-1);

fn get() -> i32 {
    if STATE.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
        VALUE.store(5, Ordering::Relaxed);
        STATE.store(2, Ordering::Relaxed);
    } else {
        while STATE.load(Ordering::Relaxed) != 2 {}
    }
    VALUE.load(Ordering::Relaxed)
}

#[test]
fn all_get_the_value() {
    let a = thread::spawn(get);
    let b = thread::spawn(get);
    assert_eq!(a.join().unwrap(), 5);
    assert_eq!(b.join().unwrap(), 5);
}
