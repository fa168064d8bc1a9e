//: about a structure of references, and a value that is replaced
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
struct Stack<'a> { top: &'a AtomicUsize, seen: Option<usize> }
impl<'a> Stack<'a> {
    fn new(top: &'a AtomicUsize) -> Self { Stack { top, seen: None } }
    fn look(&mut self) -> bool { let now = self.top.load(Ordering::Acquire); let old = self.seen.replace(now); old != Some(now) }
}
#[test]
fn t() {
    let x = AtomicUsize::new(4);
    thread::scope(|s| {
        s.spawn(|| { let mut st = Stack::new(&x); assert!(st.look()); st.look(); });
        x.store(5, Ordering::Release);
    });
}
