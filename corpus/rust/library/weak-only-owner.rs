//: about `get_mut` of the only `Arc`, which refuses while another thread may make a second one of a `Weak` pointer
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::Arc;
use std::thread;

fn main() {
    let mut owner = Arc::new(1u32);
    let weak = Arc::downgrade(&owner);
    let t = thread::spawn(move || {
        if let Some(value) = weak.upgrade() {
            assert!(*value == 1 || *value == 2);
        }
    });
    if let Some(value) = Arc::get_mut(&mut owner) {
        // There is no other pointer of either kind.
        *value = 2;
    }
    t.join().unwrap();
    assert_eq!(Arc::weak_count(&owner), 0);
}
