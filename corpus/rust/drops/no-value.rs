//: about a slot that is read before it has a value
//: check sc violated
use std::mem::MaybeUninit;

struct Pair {
    first: MaybeUninit<u32>,
    second: u32,
}

#[test]
fn read_too_early() {
    let pair = Pair { first: MaybeUninit::uninit(), second: 1 };
    let first = unsafe { pair.first.assume_init() };
    assert_eq!(first * 0 + pair.second, 1);
}
