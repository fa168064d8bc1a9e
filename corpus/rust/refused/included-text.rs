//: error "`generated` is not known"
//: edition 2021
// A text of another file, which the compiler includes.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static N: AtomicU32 = AtomicU32::new(0);

include!("generated.rs");

fn main() {
    N.store(generated(), Relaxed);
}
