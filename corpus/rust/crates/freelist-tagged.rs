//: about a list of free places in an array; its head has a tag, raised each time a place is taken
//: edition 2021
//: check sc holds
//: check tso holds
//: check pso holds
//! A lock-free list of the free places of a pool. Head: a tag in the upper 32 bits, and a place in the lower ones.

mod pool {
    use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    const NONE: u32 = u32::MAX;

    fn pack(tag: u32, place: u32) -> u64 {
        (tag as u64) << 32 | place as u64
    }

    fn unpack(head: u64) -> (u32, u32) {
        ((head >> 32) as u32, head as u32)
    }

    pub struct FreeList<const N: usize> {
        head: AtomicU64,
        next: [AtomicU32; N],
    }

    impl<const N: usize> FreeList<N> {
        pub const fn new() -> Self {
            FreeList {
                head: AtomicU64::new(NONE as u64),
                next: [const { AtomicU32::new(NONE) }; N],
            }
        }

        /// A free place, which belongs to the caller from now on.
        pub fn take(&self) -> Option<u32> {
            let mut head = self.head.load(Ordering::Acquire);
            loop {
                let (tag, place) = unpack(head);
                if place == NONE {
                    return None;
                }
                let next = self.next[place as usize].load(Ordering::Relaxed);
                let new = pack(tag.wrapping_add(1), next);
                match self.head.compare_exchange_weak(
                    head,
                    new,
                    Ordering::AcqRel,
                    Ordering::Acquire,
                ) {
                    Ok(_) => return Some(place),
                    Err(now) => head = now,
                }
            }
        }

        /// Returns a place.
        pub fn give(&self, place: u32) {
            let mut head = self.head.load(Ordering::Relaxed);
            loop {
                let (tag, first) = unpack(head);
                self.next[place as usize].store(first, Ordering::Relaxed);
                let new = pack(tag, place);
                match self.head.compare_exchange_weak(
                    head,
                    new,
                    Ordering::Release,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => return,
                    Err(now) => head = now,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pool::FreeList;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::thread;

    static FREE: FreeList<2> = FreeList::new();
    static USED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

    fn take() -> Option<u32> {
        let place = FREE.take()?;
        assert!(!USED[place as usize].swap(true, Relaxed), "a place is used twice");
        Some(place)
    }

    fn give(place: u32) {
        USED[place as usize].store(false, Relaxed);
        FREE.give(place);
    }

    #[test]
    fn a_place_has_one_user() {
        FREE.give(1);
        FREE.give(0);
        let other = thread::spawn(|| take());
        let (first, second) = (take(), take());
        if let Some(place) = first {
            give(place);
        }
        let third = take();
        assert!(second != third || second.is_none());
        other.join().unwrap();
    }
}
