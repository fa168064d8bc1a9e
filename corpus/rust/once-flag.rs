//: about lazy initialisation: one thread computes the value, all others wait for it
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::thread;

const EMPTY: u8 = 0;
const RUNNING: u8 = 1;
const DONE: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(EMPTY);
static VALUE: AtomicI32 = AtomicI32::new(-1);

fn get() -> i32 {
    match STATE.compare_exchange(EMPTY, RUNNING, Ordering::Acquire, Ordering::Acquire) {
        Ok(_) => {
            VALUE.store(5, Ordering::Relaxed);
            STATE.store(DONE, Ordering::Release);
        }
        Err(DONE) => {}
        Err(_) => while STATE.load(Ordering::Acquire) != DONE {},
    }
    VALUE.load(Ordering::Relaxed)
}

#[test]
fn all_get_the_value() {
    let threads = [thread::spawn(get), thread::spawn(get)];
    for t in threads {
        assert_eq!(t.join().unwrap(), 5);
    }
}
