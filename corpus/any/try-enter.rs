//: about Each thread looks and then enters; two of them may be inside
//: any number
//: check sc violated
//: check tso violated
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn two_threads_are_inside() {
    let inside = Arc::new(AtomicUsize::new(0));
    let handles: Vec<_> = (0..2)
        .map(|_| {
            let inside = inside.clone();
            thread::spawn(move || {
                if inside.load(Ordering::SeqCst) == 0 {
                    assert_eq!(inside.swap(1, Ordering::SeqCst), 0);
                    inside.store(0, Ordering::SeqCst);
                }
            })
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
}
