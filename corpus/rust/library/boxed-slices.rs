//: about slices that are owned, and arrays that a function makes
//: check sc holds
//: check tso holds
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

struct Slots {
    all: Box<[AtomicU32]>,
}

fn main() {
    let slots = Arc::new(Slots { all: (0..3).map(|i| AtomicU32::new(i)).collect() });
    let steps: Arc<[u32]> = Arc::from(vec![1, 2]);
    let (own, same) = (slots.clone(), steps.clone());
    let t = thread::spawn(move || {
        for step in same.iter() {
            own.all[*step as usize].fetch_add(10, Relaxed);
        }
    });
    slots.all[1].fetch_add(100, Relaxed);
    t.join().unwrap();
    let found: [u32; 3] = std::array::from_fn(|i| slots.all[i].load(Relaxed));
    assert_eq!(found, [0, 111, 12]);
}
