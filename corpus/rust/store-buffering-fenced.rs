//: about store buffering with a full fence in each thread
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
use std::sync::atomic::{fence, AtomicBool, Ordering};
use std::thread;

static READY: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

fn side(me: usize) -> bool {
    READY[me].store(true, Ordering::Relaxed);
    fence(Ordering::SeqCst);
    READY[1 - me].load(Ordering::Relaxed)
}

#[test]
fn one_of_them_sees_the_other() {
    let handles: Vec<_> = (0..2).map(|me| thread::spawn(move || side(me))).collect();
    let mut seen = 0;
    for handle in handles {
        if handle.join().unwrap() {
            seen += 1;
        }
    }
    assert!(seen > 0);
}
