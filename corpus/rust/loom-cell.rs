//: about a cell that is written before a flag is stored, in the style of loom's tests
//: check sc holds
//: check tso holds
//: check pso holds
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::sync::Arc;
use loom::thread;

struct Slot {
    data: UnsafeCell<usize>,
    full: AtomicBool,
}

unsafe impl Sync for Slot {}

#[test]
fn published() {
    loom::model(|| {
        let slot = Arc::new(Slot {
            data: UnsafeCell::new(0),
            full: AtomicBool::new(false),
        });
        let t = thread::spawn({
            let slot = slot.clone();
            move || {
                slot.data.with_mut(|p| unsafe { *p = 9 });
                slot.full.store(true, Ordering::Release);
            }
        });
        if slot.full.load(Ordering::Acquire) {
            let seen = slot.data.with(|p| unsafe { *p });
            assert_eq!(seen, 9);
        }
        t.join().unwrap();
    });
}
