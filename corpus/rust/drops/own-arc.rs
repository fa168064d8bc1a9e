//: about an `Arc` written by hand: whoever drops the last pointer sees what the others did, and frees the value
//: check sc holds
//: check tso holds
//: check pso holds
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::*, fence};
use std::thread;

static ENDS: AtomicU32 = AtomicU32::new(0);

struct Inner<T> {
    count: AtomicU32,
    value: T,
}

struct Shared<T> {
    inner: NonNull<Inner<T>>,
}

unsafe impl<T> Send for Shared<T> {}

impl<T> Shared<T> {
    fn new(value: T) -> Self {
        let inner = Box::new(Inner { count: AtomicU32::new(1), value });
        Shared { inner: NonNull::from(Box::leak(inner)) }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        unsafe { self.inner.as_ref() }.count.fetch_add(1, Relaxed);
        Shared { inner: self.inner }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &unsafe { self.inner.as_ref() }.value
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if unsafe { self.inner.as_ref() }.count.fetch_sub(1, Release) == 1 {
            fence(Acquire);
            unsafe { drop(Box::from_raw(self.inner.as_ptr())) };
        }
    }
}

struct Counter(UnsafeCell<u32>);

impl Drop for Counter {
    fn drop(&mut self) {
        assert_eq!(unsafe { *self.0.get() }, 1);
        ENDS.fetch_add(1, Relaxed);
    }
}

#[test]
fn the_last_one_drops_the_value() {
    let mine = Shared::new(Counter(UnsafeCell::new(0)));
    let other = mine.clone();
    let thread = thread::spawn(move || unsafe { *other.0.get() = 1 });
    drop(mine);
    thread.join().unwrap();
    assert_eq!(ENDS.load(Relaxed), 1);
}
