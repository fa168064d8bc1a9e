//: about a group of workers that are counted when they begin, which may be too late
//: check sc violated
//: check tso violated
//: check pso violated
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

struct Group {
    members: AtomicU32,
    data: [UnsafeCell<u32>; 2],
}

unsafe impl Sync for Group {}
unsafe impl Send for Group {}

struct Member {
    group: Arc<Group>,
}

impl Clone for Member {
    fn clone(&self) -> Self {
        self.group.members.fetch_add(1, Relaxed);
        Member { group: self.group.clone() }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.group.members.fetch_sub(1, Release);
    }
}

#[test]
fn all_have_ended() {
    let data = [UnsafeCell::new(0), UnsafeCell::new(0)];
    let group = Arc::new(Group { members: AtomicU32::new(0), data });
    let (first, mine) = (Member { group: group.clone() }, group);
    let second = Member { group: first.group.clone() };
    thread::spawn(move || unsafe {
        first.group.members.fetch_add(1, Relaxed);
        *first.group.data[0].get() = 1
    });
    thread::spawn(move || unsafe {
        second.group.members.fetch_add(1, Relaxed);
        *second.group.data[1].get() = 2
    });
    while mine.members.load(Acquire) != 0 {}
    unsafe {
        assert_eq!(*mine.data[0].get() + *mine.data[1].get(), 3);
    }
}

// race: `group.data` (lines 43 and 51)
