//: error "inline assembly is not supported"
//: edition 2021
// Inline assembly that the program executes.
use std::arch::asm;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static READY: AtomicU32 = AtomicU32::new(0);

fn full_barrier() {
    unsafe { asm!("mfence", options(nostack, preserves_flags)) }
}

fn main() {
    let other = thread::spawn(|| READY.store(1, Ordering::Relaxed));
    full_barrier();
    let _ = READY.load(Ordering::Relaxed);
    other.join().unwrap();
}
