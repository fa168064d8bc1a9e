//: about a recursion that ends when it finds what another thread stored
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering};

static X: AtomicU32 = AtomicU32::new(0);

fn find(n: u32) -> u32 {
    if X.load(Ordering::SeqCst) == n { n } else { find(n + 1) }
}

#[test]
fn what_is_found_was_stored() {
    let writer = std::thread::spawn(|| X.store(3, Ordering::SeqCst));
    let found = find(0);
    assert!(found == 0 || found == 3);
    writer.join().unwrap();
}
