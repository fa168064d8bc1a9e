//: about a function for any lock with a trait
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;
static A: AtomicU32 = AtomicU32::new(0);
mod inner {
    pub trait Lock { fn lock(&self); fn unlock(&self); }
    pub struct L(pub std::sync::atomic::AtomicU32);
    impl Lock for L {
        fn lock(&self) { while self.0.swap(1, std::sync::atomic::Ordering::Acquire) == 1 {} }
        fn unlock(&self) { self.0.store(0, std::sync::atomic::Ordering::Release) }
    }
    pub fn with<T: Lock>(l: &T, n: &super::AtomicU32) { l.lock(); let v = n.load(super::Relaxed); n.store(v + 1, super::Relaxed); l.unlock(); }
}
use inner::{with, L};
static LOCK: L = L(AtomicU32::new(0));
#[test]
fn t() {
    let h = thread::spawn(|| with(&LOCK, &A));
    with(&LOCK, &A);
    h.join().expect("no panic");
    assert_eq!(A.load(Relaxed), 2);
}
