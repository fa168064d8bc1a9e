//: about A sequence number and a value in one word, stored at once: a reader never sees halves of two
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::thread;

static CELL: AtomicU64 = AtomicU64::new(1 << 32 | 1);

fn pack(sequence: u32, value: u32) -> u64 {
    (sequence as u64) << 32 | value as u64
}

fn unpack(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

fn main() {
    let writer = thread::spawn(|| {
        CELL.store(pack(2, 2), Relaxed);
        CELL.store(pack(3, 3), Release);
    });
    let (sequence, value) = unpack(CELL.load(Acquire));
    assert_eq!(sequence, value);
    writer.join().unwrap();
    assert_eq!(CELL.swap(7 << 40, SeqCst), 3 << 32 | 3);
}
