//: about a slot that two threads may both take, because the exchange is a load and a store
//: check sc violated
//: check tso violated
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static SLOT: AtomicU32 = AtomicU32::new(5);

fn update<R>(cell: &AtomicU32, f: impl Fn(u32) -> (u32, R)) -> R {
    let (new, result) = f(cell.load(Ordering::SeqCst));
    cell.store(new, Ordering::SeqCst);
    result
}

fn take() -> Option<u32> {
    update(&SLOT, |old| {
        (0, if old == 0 { None } else { Some(old - 1) })
    })
}

#[test]
fn is_taken_once() {
    let other = thread::spawn(take);
    let mine = take();
    let theirs = other.join().unwrap();
    assert_eq!(mine.xor(theirs), Some(4));
}
