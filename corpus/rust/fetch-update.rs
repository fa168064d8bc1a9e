//: about `fetch_update`: a counter that stops at its limit
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static COUNT: AtomicUsize = AtomicUsize::new(0);

fn take() -> bool {
    COUNT
        .fetch_update(Ordering::SeqCst, Ordering::Relaxed, |count| {
            if count < 1 { Some(count + 1) } else { None }
        })
        .is_ok()
}

#[test]
fn one_of_them() {
    let t = thread::spawn(take);
    let mine = take();
    assert!(mine != t.join().unwrap());
    assert_eq!(COUNT.load(Ordering::SeqCst), 1);
}
