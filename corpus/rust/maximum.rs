//: about `fetch_max` and `fetch_min`
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

#[test]
fn extremes() {
    let most = AtomicI32::new(0);
    let least = AtomicI32::new(i32::MAX);
    thread::scope(|s| {
        for value in [-3, 7] {
            let (most, least) = (&most, &least);
            s.spawn(move || {
                most.fetch_max(value, Ordering::Relaxed);
                least.fetch_min(value, Ordering::Relaxed);
            });
        }
    });
    assert_eq!((most.into_inner(), least.into_inner()), (7, -3));
}
