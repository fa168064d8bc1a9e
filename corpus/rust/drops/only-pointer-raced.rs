//: about a count of an `Arc` that is read and not acquired: only the end of the other pointer was seen
//: check sc violated
//: check tso violated
//: check pso violated
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
    if Arc::strong_count(&mine) == 2 {
        assert_eq!(mine.load(Relaxed), 0);
    }
    thread.join().unwrap();
    assert_eq!(Arc::strong_count(&mine), 1);
    match Arc::try_unwrap(mine) {
        Ok(value) => assert_eq!(value.into_inner(), 1),
        Err(_) => panic!("another pointer is left"),
    }
}
