//: about a box that is freed when no thread can read it any more
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::*};
use std::{ptr, thread};

static SHARED: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

#[test]
fn read_before_free() {
    let pointer = Box::into_raw(Box::new(AtomicU32::new(1)));
    SHARED.store(pointer, Release);
    let reader = thread::spawn(|| unsafe { (*SHARED.load(Acquire)).load(Relaxed) });
    assert_eq!(reader.join().unwrap(), 1);
    drop(unsafe { Box::from_raw(pointer) });
}
