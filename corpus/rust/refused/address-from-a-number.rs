//: error "a conversion from `usize` to `*mut atomic u32` is not supported"
//: edition 2021
// A register of a device, at a fixed address.
use std::sync::atomic::{AtomicU32, Ordering};

const STATUS: usize = 0x4000_1000;

fn status() -> u32 {
    let register = STATUS as *const AtomicU32;
    unsafe { (*register).load(Ordering::Relaxed) }
}

fn main() {
    assert_eq!(status(), 0);
}
