//: about a queue lock whose node is linked before it says that its thread waits
//: edition 2021
//: forbid stuck
//: check sc violated
//: check tso violated
//: check pso violated
// Why: the predecessor hands the lock over before the node is marked as waiting, and the mark then stays
//! A queue lock: each thread spins on a flag of its own, in a node that its caller lends.

mod mcs {
    use std::hint::spin_loop;
    use std::ptr;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    pub struct Node {
        next: AtomicPtr<Node>,
        waits: AtomicBool,
    }

    impl Node {
        pub const fn new() -> Self {
            Node { next: AtomicPtr::new(ptr::null_mut()), waits: AtomicBool::new(false) }
        }
    }

    pub struct McsLock {
        tail: AtomicPtr<Node>,
    }

    pub struct Guard<'a> {
        lock: &'a McsLock,
        node: &'a mut Node,
    }

    impl McsLock {
        pub const fn new() -> Self {
            McsLock { tail: AtomicPtr::new(ptr::null_mut()) }
        }

        pub fn lock<'a>(&'a self, node: &'a mut Node) -> Guard<'a> {
            let here: *mut Node = node;
            let before = self.tail.swap(here, Ordering::AcqRel);
            if !before.is_null() {
                unsafe { (*before).next.store(here, Ordering::Release) };
                node.waits.store(true, Ordering::Relaxed);
                while node.waits.load(Ordering::Acquire) {
                    spin_loop();
                }
            }
            Guard { lock: self, node }
        }
    }

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            let here: *mut Node = self.node;
            if self.node.next.load(Ordering::Acquire).is_null() {
                let left = self.lock.tail.compare_exchange(
                    here,
                    ptr::null_mut(),
                    Ordering::Release,
                    Ordering::Relaxed,
                );
                if left.is_ok() {
                    return;
                }
                while self.node.next.load(Ordering::Acquire).is_null() {
                    spin_loop();
                }
            }
            let next = self.node.next.load(Ordering::Acquire);
            unsafe { (*next).waits.store(false, Ordering::Release) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mcs::{McsLock, Node};
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    static LOCK: McsLock = McsLock::new();
    static COUNT: AtomicU32 = AtomicU32::new(0);

    fn increment() {
        let mut node = Node::new();
        let _guard = LOCK.lock(&mut node);
        COUNT.store(COUNT.load(Relaxed) + 1, Relaxed);
    }

    #[test]
    fn no_increment_is_lost() {
        let other = thread::spawn(increment);
        increment();
        other.join().unwrap();
        assert_eq!(COUNT.load(Relaxed), 2);
    }
}
