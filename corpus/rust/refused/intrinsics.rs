//: error "`intrinsics::likely` is not supported"
//: edition 2021
// Intrinsics of the compiler.
#![feature(core_intrinsics)]
use std::intrinsics;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static N: AtomicU32 = AtomicU32::new(0);

fn main() {
    if intrinsics::likely(N.load(Relaxed) == 0) {
        N.store(1, Relaxed);
    }
}
