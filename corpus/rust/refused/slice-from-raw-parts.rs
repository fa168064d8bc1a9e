//: error "`slice::from_raw_parts` is not supported"
//: edition 2021
// A slice that is made of a pointer and a length.
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static WORDS: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];

fn main() {
    let middle = unsafe { slice::from_raw_parts(WORDS.as_ptr().add(1), 2) };
    middle[1].store(1, Relaxed);
    assert_eq!(WORDS[2].load(Relaxed), 1);
}
