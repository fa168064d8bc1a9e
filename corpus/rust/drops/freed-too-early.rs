//: about a box that one thread frees while another one may still read it
//: check sc violated
//: check tso violated
//: check pso violated
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::*};
use std::{ptr, thread};

static SHARED: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

#[test]
fn read_after_free() {
    let pointer = Box::into_raw(Box::new(AtomicU32::new(1)));
    SHARED.store(pointer, Release);
    let reader = thread::spawn(|| unsafe { (*SHARED.load(Acquire)).load(Relaxed) });
    drop(unsafe { Box::from_raw(pointer) });
    reader.join().unwrap();
}
