//: about `None` as a pattern for a reference to an option
//: check sc holds
//: check tso holds
use std::cell::UnsafeCell;
use std::thread;

struct Slot(UnsafeCell<Option<u32>>);
unsafe impl Sync for Slot {}

static SLOT: Slot = Slot(UnsafeCell::new(None));

fn is_seven() -> bool {
    match unsafe { &*SLOT.0.get() } {
        Some(x) => *x == 7,
        None => false,
    }
}

#[test]
fn nothing_is_there_until_it_is_put_there() {
    assert!(!is_seven());
    unsafe { *SLOT.0.get() = Some(7) };
    let worker = thread::spawn(|| is_seven());
    assert!(worker.join().unwrap());
}
