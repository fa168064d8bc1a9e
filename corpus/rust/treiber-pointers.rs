//: about Treiber's stack of allocated nodes, which are never freed
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{ptr, thread};
struct Node { value: u32, next: *mut Node }
static HEAD: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());
fn push(value: u32) {
    let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
    loop {
        let head = HEAD.load(Ordering::Relaxed);
        unsafe { (*node).next = head; }
        if HEAD.compare_exchange(head, node, Ordering::Release, Ordering::Relaxed).is_ok() { break; }
    }
}
fn pop() -> Option<u32> {
    loop {
        let head = HEAD.load(Ordering::Acquire);
        if head.is_null() { return None; }
        let next = unsafe { (*head).next };
        if HEAD.compare_exchange(head, next, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            return Some(unsafe { (*head).value });
        }
    }
}
#[test]
fn stack() {
    let t = thread::spawn(|| push(1));
    push(2);
    t.join().unwrap();
    let (a, b) = (pop(), pop());
    assert!(a.is_some() && b.is_some());
    assert_eq!(a.unwrap() + b.unwrap(), 3);
    assert_eq!(pop(), None);
}
