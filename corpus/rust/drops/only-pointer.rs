//: about the only pointer of an `Arc`, which may change the value: the end of the other one comes before
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

#[test]
fn changed_by_the_only_one() {
    let mut mine = Arc::new(AtomicU32::new(0));
    let other = mine.clone();
    let thread = thread::spawn(move || {
        other.store(1, Relaxed);
    });
    if let Some(value) = Arc::get_mut(&mut mine) {
        assert_eq!(*value.get_mut(), 1);
    }
    thread.join().unwrap();
    assert_eq!(Arc::strong_count(&mine), 1);
    match Arc::try_unwrap(mine) {
        Ok(value) => assert_eq!(value.into_inner(), 1),
        Err(_) => panic!("another pointer is left"),
    }
}
