//: error "`alloc::alloc` is not supported"
//: error "`alloc::Layout::new` is not supported"
//: error "`alloc::dealloc` is not supported"
//: edition 2021
// Memory by its size.
use std::alloc::{Layout, alloc, dealloc};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

fn main() {
    let layout = Layout::new::<AtomicU32>();
    let word = unsafe { alloc(layout) } as *mut AtomicU32;
    unsafe { word.write(AtomicU32::new(0)) };
    let shared = unsafe { &*word };
    thread::scope(|s| {
        s.spawn(|| shared.fetch_add(1, Relaxed));
    });
    assert_eq!(shared.load(Relaxed), 1);
    unsafe { dealloc(word.cast(), layout) };
}
