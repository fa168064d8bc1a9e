//: about atomic and wrapping additions, which never panic
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

static COUNT: AtomicU8 = AtomicU8::new(255);

#[test]
fn wraps() {
    let t = thread::spawn(|| COUNT.fetch_add(1, Ordering::Relaxed));
    let old = t.join().unwrap();
    assert_eq!(old.wrapping_add(2), 1);
    assert_eq!(COUNT.load(Ordering::Relaxed), 0);
}
