//: about vectors of handles
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static SUM: AtomicUsize = AtomicUsize::new(0);

#[test]
fn all_are_joined() {
    let handles = (0..2)
        .map(|i| thread::spawn(move || SUM.fetch_add(i + 1, Ordering::Relaxed)))
        .collect::<Vec<_>>();
    for handle in handles.into_iter() {
        assert!(handle.join().unwrap() < 3);
    }
    let mut more = Vec::new();
    for i in 3..=4 {
        more.push(thread::spawn(move || {
            SUM.fetch_add(i, Ordering::Relaxed);
        }));
    }
    assert_eq!(more.len(), 2);
    for handle in more {
        handle.join().unwrap();
    }
    assert_eq!(SUM.load(Ordering::Relaxed), 1 + 2 + 3 + 4);
}
