//: about a condition variable; whoever waits is always woken
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[test]
fn the_value_arrives() {
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    let other = Arc::clone(&pair);
    let sender = thread::spawn(move || {
        let (value, changed) = &*other;
        *value.lock().unwrap() = 7;
        changed.notify_one();
    });
    let (value, changed) = &*pair;
    let mut guard = value.lock().unwrap();
    while *guard == 0 {
        guard = changed.wait(guard).unwrap();
    }
    assert_eq!(*guard, 7);
    drop(guard);
    sender.join().unwrap();
}
