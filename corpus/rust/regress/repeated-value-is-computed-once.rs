//: about the value that fills an array is computed once
//: edition 2021
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static NEXT: AtomicU32 = AtomicU32::new(0);
#[test]
fn t() {
    let tickets = [NEXT.fetch_add(1, Relaxed); 3];
    assert_eq!(tickets, [0, 0, 0]);
    let pairs = [(7u32, Some(NEXT.fetch_add(1, Relaxed))); 2];
    assert_eq!(pairs[1].1, Some(1));
    let none = [NEXT.fetch_add(1, Relaxed); 0];
    assert_eq!(none.len(), 0);
    assert_eq!(NEXT.load(Relaxed), 3);
}
