//: about a value that one thread reaches by a `Weak` pointer while another one ends the only `Arc`: it has the value, or none
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::thread;

static ENDED: AtomicU32 = AtomicU32::new(0);

struct Data {
    value: u32,
}

impl Drop for Data {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let strong = Arc::new(Data { value: 7 });
    let weak: Weak<Data> = Arc::downgrade(&strong);
    let reader = thread::spawn(move || {
        if let Some(data) = weak.upgrade() {
            assert_eq!(data.value, 7);
            assert_eq!(ENDED.load(Ordering::Relaxed), 0);
        }
    });
    drop(strong);
    reader.join().unwrap();
    assert_eq!(ENDED.load(Ordering::Relaxed), 1);
}
