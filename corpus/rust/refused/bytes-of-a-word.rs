//: error "a pointer to `atomic u32` is not converted to one to `atomic u8`"
//: edition 2021
// The bytes of a word, through a pointer of another type.
use std::sync::atomic::{AtomicU32, AtomicU8, Ordering::Relaxed};

static WORD: AtomicU32 = AtomicU32::new(0x0102);

fn low_byte() -> u8 {
    let byte = &WORD as *const AtomicU32 as *const AtomicU8;
    unsafe { (*byte).load(Relaxed) }
}

fn main() {
    assert_eq!(low_byte(), 2);
}
