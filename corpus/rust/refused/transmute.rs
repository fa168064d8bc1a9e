//: error "`mem::transmute` is not supported"
//: edition 2021
// Two numbers that become one by `transmute`.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::mem;

static WORD: AtomicU32 = AtomicU32::new(0);

fn main() {
    let halves: [u16; 2] = [1, 2];
    let word: u32 = unsafe { mem::transmute(halves) };
    WORD.store(word, Relaxed);
    assert_eq!(WORD.load(Relaxed), 0x2_0001);
}
