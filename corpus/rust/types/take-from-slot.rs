//: about a slot that holds `Some` until one of two threads takes it, by a compare-exchange in a function that takes a closure
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const EMPTY: u32 = 0;

static SLOT: AtomicU32 = AtomicU32::new(5);

fn decode(bits: u32) -> Option<u32> {
    Some(bits)
        .filter(|bits| *bits != EMPTY)
        .map(|bits| bits - 1)
}

/// Replaces a value by what the closure makes of it until no other thread comes in between.
fn update<R>(cell: &AtomicU32, f: impl Fn(u32) -> (u32, R)) -> R {
    loop {
        let old = cell.load(Ordering::Acquire);
        let (new, result) = f(old);
        if cell
            .compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
        {
            return result;
        }
    }
}

fn take() -> Option<u32> {
    update(&SLOT, |old| (EMPTY, decode(old)))
}

#[test]
fn is_taken_once() {
    let other = thread::spawn(take);
    let mine = take();
    let theirs = other.join().unwrap();
    assert_eq!(mine.xor(theirs), Some(4));
}
