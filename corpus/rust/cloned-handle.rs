//: about a handle that is cloned for each thread
//: forbid stuck
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
#[derive(Clone)]
struct Handle { inner: Arc<Inner> }
struct Inner { state: AtomicU32, data: Mutex<[u32; 2]> }
impl Handle {
    fn new() -> Self { Handle { inner: Arc::new(Inner { state: AtomicU32::new(0), data: Mutex::new([0; 2]) }) } }
    fn set(&self, i: usize, v: u32) { let mut d = self.inner.data.lock().unwrap(); d[i] = v; self.inner.state.fetch_add(1, Ordering::AcqRel); }
    fn sum(&self) -> u32 { let d = self.inner.data.lock().unwrap(); d[0] + d[1] }
}
#[test]
fn t() {
    let h = Handle::new();
    let g = h.clone();
    let t = thread::spawn(move || g.set(0, 3));
    h.set(1, 4);
    t.join().unwrap();
    assert_eq!(h.sum(), 7);
}
