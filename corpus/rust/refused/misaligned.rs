//: error "a pointer to `u8` is not converted to one to `u32`"
//: edition 2021
// A word that begins between two others.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static BYTES: [u8; 8] = [0; 8];
static DATA: AtomicU32 = AtomicU32::new(0);

fn main() {
    let byte = &raw const BYTES[2];
    let word = byte as *const u32;
    assert_eq!(unsafe { word.read_unaligned() }, 0);
    DATA.store(1, Relaxed);
}
