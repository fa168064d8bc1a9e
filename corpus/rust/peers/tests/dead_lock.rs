//! Two mutexes, taken in different orders by two threads: both may wait forever.

use peers::sync::{Arc, Mutex};
use peers::{model, thread};

#[test]
fn dead_lock() {
    model(|| {
        let (from, to) = (Arc::new(Mutex::new(3)), Arc::new(Mutex::new(4)));
        let (other_from, other_to) = (from.clone(), to.clone());
        let other = thread::spawn(move || {
            let mut to = other_to.lock().unwrap();
            let mut from = other_from.lock().unwrap();
            *to -= 1;
            *from += 1;
        });
        {
            let mut from = from.lock().unwrap();
            let mut to = to.lock().unwrap();
            *from -= 1;
            *to += 1;
        }
        other.join().unwrap();
        assert_eq!(*from.lock().unwrap() + *to.lock().unwrap(), 7);
    });
}
