//: about values that take the places of others: the old ones end after the new ones were made
//: check sc holds
//: check tso holds
use std::cell::Cell;
use std::mem::{self, ManuallyDrop};
use std::sync::atomic::{AtomicU32, Ordering::*};

static ORDER: AtomicU32 = AtomicU32::new(0);

struct Part(u32);

impl Drop for Part {
    fn drop(&mut self) {
        ORDER.store(ORDER.load(Relaxed) * 10 + self.0, Relaxed);
    }
}

#[test]
fn old_values_end() {
    let mut slot = Some(Part(1));
    slot = Some(Part(2));
    let old = mem::replace(&mut slot, None);
    assert_eq!(ORDER.load(Relaxed), 1);
    let cell = Cell::new(Some(Part(3)));
    cell.set(old);
    assert_eq!(ORDER.load(Relaxed), 13);
    let mut kept = ManuallyDrop::new(Part(4));
    let taken = mem::take(&mut slot);
    drop(cell);
    drop(taken);
    unsafe { ManuallyDrop::drop(&mut kept) };
    assert_eq!(ORDER.load(Relaxed), 1324);
}
