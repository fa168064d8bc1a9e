//: about A spin lock that any number of threads of a scope take
//: any number
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

static LOCKED: AtomicBool = AtomicBool::new(false);

#[test]
fn one_thread_is_inside() {
    let inside = AtomicUsize::new(0);
    thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                while LOCKED.swap(true, Ordering::Acquire) {}
                assert_eq!(inside.load(Ordering::Relaxed), 0);
                inside.store(1, Ordering::Relaxed);
                inside.store(0, Ordering::Relaxed);
                LOCKED.store(false, Ordering::Release);
            });
        }
    });
}
