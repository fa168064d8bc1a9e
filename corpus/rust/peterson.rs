//: about Peterson's lock for two threads, sequentially consistent
//: check sc holds
//: check tso holds
//: check pso holds
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

struct Peterson {
    flag: [AtomicBool; 2],
    turn: AtomicUsize,
    count: UnsafeCell<u32>,
}

unsafe impl Sync for Peterson {}

impl Peterson {
    fn lock(&self, me: usize) {
        let other = 1 - me;
        self.flag[me].store(true, Ordering::SeqCst);
        self.turn.store(other, Ordering::SeqCst);
        while self.flag[other].load(Ordering::SeqCst) && self.turn.load(Ordering::SeqCst) == other {
            std::hint::spin_loop();
        }
    }

    fn unlock(&self, me: usize) {
        self.flag[me].store(false, Ordering::SeqCst);
    }
}

#[test]
fn the_counter_is_protected() {
    let lock = Arc::new(Peterson {
        flag: [AtomicBool::new(false), AtomicBool::new(false)],
        turn: AtomicUsize::new(0),
        count: UnsafeCell::new(0),
    });
    let threads: Vec<_> = (0..2)
        .map(|me| {
            let lock = lock.clone();
            thread::spawn(move || {
                lock.lock(me);
                unsafe { *lock.count.get() += 1 };
                lock.unlock(me);
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    assert_eq!(unsafe { *lock.count.get() }, 2);
}
