//: error "`Word` is not a type that is supported"
//: edition 2021
// A union that is written as one type and read as another.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Clone, Copy)]
union Word {
    whole: u32,
    halves: [u16; 2],
}

static SHARED: AtomicU32 = AtomicU32::new(0x2_0001);

fn main() {
    let word = Word { whole: SHARED.load(Relaxed) };
    assert_eq!(unsafe { word.halves[0] }, 1);
}
