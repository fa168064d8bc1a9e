//: about a counter behind a lock of the standard library
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn both_are_counted() {
    let counter = Arc::new(Mutex::new(0));
    let other = counter.clone();
    let t = thread::spawn(move || {
        *other.lock().unwrap() += 1;
    });
    {
        let mut value = counter.lock().unwrap();
        *value += 1;
    }
    t.join().unwrap();
    let value = counter.lock().unwrap();
    assert_eq!(*value, 2);
}
