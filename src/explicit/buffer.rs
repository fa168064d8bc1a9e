//! One thread's store buffer, in each of the shapes that the models give it.
//!
//! ```text
//!   TSO    issue ──▶ [ fifo ] ──▶ memory
//!   PSO    issue ──▶ [ waiting ] ──▶ memory        any store that nothing older blocks
//!   PGAS   issue ──▶ [ waiting ] ──advance──▶ [ fifo ] ──▶ memory      [DMS17, Fig. 3]
//! ```
//!
//! `waiting` is a list in the order of issue. In it a store is blocked by an older store to its
//! own cell and by every older lightweight fence; a fence is blocked by an older fence and by the
//! older stores to its cells. Without fences this is a FIFO per address.
//!
//! **Invariant.** Between two fences, and before the first and after the last, the stores of
//! `waiting` are sorted by address, those to one address by age. The order of issue of two stores
//! to different addresses with no fence between them is unobservable, so that sorting makes equal
//! what behaves equally.

use crate::program::Addr;

/// Something buffered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// A store on its way.
    Store { addr: Addr, value: i32 },
    /// A lightweight fence: its position in the machine's table of fences.
    Fence(usize),
}

impl Item {
    fn is_store_to(self, cell: Addr) -> bool {
        match self {
            Item::Store { addr, .. } => addr == cell,
            Item::Fence(_) => false,
        }
    }

    fn is_fence(self) -> bool {
        match self {
            Item::Store { .. } => false,
            Item::Fence(_) => true,
        }
    }
}

/// What one thread has issued and memory has not seen.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Buffer {
    /// Issued and not yet in the FIFO, see the invariant.
    pub(super) waiting: Vec<Item>,
    /// The FIFO, oldest first.
    pub(super) fifo: Vec<Item>,
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        Self {
            waiting: self.waiting.clone(),
            fifo: self.fifo.clone(),
        }
    }

    // Searches copy configurations all the time: keep the allocations.
    fn clone_from(&mut self, source: &Self) {
        self.waiting.clone_from(&source.waiting);
        self.fifo.clone_from(&source.fifo);
    }
}

impl Buffer {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.fifo.is_empty()
    }

    /// The newest buffered value of a cell: what an early load reads.
    pub(super) fn newest(&self, cell: Addr) -> Option<i32> {
        let last = |items: &[Item]| {
            items.iter().rev().find_map(|&item| match item {
                Item::Store { addr, value } if addr == cell => Some(value),
                Item::Store { .. } | Item::Fence(_) => None,
            })
        };
        last(&self.waiting).or_else(|| last(&self.fifo))
    }

    /// Appends to the FIFO.
    pub(super) fn enqueue(&mut self, item: Item) {
        self.fifo.push(item);
    }

    /// Appends to the waiting list.
    pub(super) fn wait(&mut self, item: Item) {
        let position = match item {
            Item::Fence(_) => self.waiting.len(),
            Item::Store { addr: new, .. } => self
                .waiting
                .iter()
                .rposition(|&item| match item {
                    Item::Store { addr, .. } => addr <= new,
                    Item::Fence(_) => true,
                })
                .map_or(0, |before| before + 1),
        };
        self.waiting.insert(position, item);
    }

    /// Removes the head of the FIFO if it is a store to the cell; its value.
    pub(super) fn dequeue_store(&mut self, cell: Addr) -> Option<i32> {
        match self.fifo.first() {
            Some(&Item::Store { addr, value }) if addr == cell => {
                self.fifo.remove(0);
                Some(value)
            }
            Some(Item::Store { .. } | Item::Fence(_)) | None => None,
        }
    }

    /// Removes the head of the FIFO if it is a fence; whether it was.
    pub(super) fn dequeue_fence(&mut self) -> bool {
        let fence = self.fifo.first().is_some_and(|item| item.is_fence());
        if fence {
            self.fifo.remove(0);
        }
        fence
    }

    /// Removes the oldest waiting store to the cell unless a fence is older; its value.
    pub(super) fn release_store(&mut self, cell: Addr) -> Option<i32> {
        for (position, &item) in self.waiting.iter().enumerate() {
            match item {
                Item::Store { addr, value } if addr == cell => {
                    self.waiting.remove(position);
                    return Some(value);
                }
                Item::Store { .. } => {}
                Item::Fence(_) => return None,
            }
        }
        None
    }

    /// Removes the oldest waiting fence unless an older store is to one of its cells; whether it
    /// did. `covers` says whether a fence orders the stores to a cell.
    pub(super) fn release_fence(&mut self, covers: impl Fn(usize, Addr) -> bool) -> bool {
        let Some(position) = self.waiting.iter().position(|item| item.is_fence()) else {
            return false;
        };
        let Item::Fence(fence) = self.waiting[position] else {
            return false;
        };
        let blocked = self.waiting[..position].iter().any(|&item| match item {
            Item::Store { addr, .. } => covers(fence, addr),
            Item::Fence(_) => true,
        });
        if blocked {
            return false;
        }
        // What follows the fence up to the next one joins what precedes it: sort again.
        let tail = self.waiting.split_off(position);
        for &item in &tail[1..] {
            self.wait(item);
        }
        true
    }

    /// Moves the oldest waiting store to the cell to the FIFO; its value.
    pub(super) fn advance(&mut self, cell: Addr) -> Option<i32> {
        let position = self
            .waiting
            .iter()
            .position(|item| item.is_store_to(cell))?;
        let item = self.waiting.remove(position);
        self.fifo.push(item);
        match item {
            Item::Store { value, .. } => Some(value),
            Item::Fence(_) => None,
        }
    }

    /// The cells that have a store in this list before its first fence, each once.
    pub(super) fn cells(items: &[Item]) -> impl Iterator<Item = Addr> {
        let mut last = None;
        items
            .iter()
            .map_while(|&item| match item {
                Item::Store { addr, .. } => Some(addr),
                Item::Fence(_) => None,
            })
            .filter(move |&addr| last.replace(addr) != Some(addr))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Addr = Addr(1);
    const Y: Addr = Addr(2);

    fn store(addr: Addr, value: i32) -> Item {
        Item::Store { addr, value }
    }

    #[test]
    fn stores_to_different_cells_wait_in_no_order() {
        let mut a = Buffer::default();
        a.wait(store(X, 1));
        a.wait(store(Y, 1));
        a.wait(store(X, 2));
        let mut b = Buffer::default();
        b.wait(store(Y, 1));
        b.wait(store(X, 1));
        b.wait(store(X, 2));
        assert_eq!(a, b);
        assert_eq!(a.newest(X), Some(2));
        assert_eq!(a.release_store(X), Some(1));
        assert_eq!(a.release_store(X), Some(2));
        assert_eq!(a.release_store(X), None);
    }

    #[test]
    fn a_waiting_fence_lets_nothing_past_and_waits_for_its_cells_only() {
        let covers = |_: usize, addr: Addr| addr == X;
        let mut buffer = Buffer::default();
        buffer.wait(store(Y, 1));
        buffer.wait(store(X, 1));
        buffer.wait(Item::Fence(0));
        buffer.wait(store(X, 2));
        assert!(!buffer.release_fence(covers));
        assert_eq!(buffer.release_store(X), Some(1));
        assert_eq!(buffer.release_store(X), None);
        assert!(buffer.release_fence(covers));
        assert_eq!(buffer.waiting, [store(X, 2), store(Y, 1)]);
    }

    #[test]
    fn a_fence_waits_for_every_older_store_to_its_cells() {
        let mut buffer = Buffer::default();
        buffer.wait(store(X, 1));
        buffer.wait(store(Y, 1));
        buffer.wait(Item::Fence(0));
        buffer.wait(Item::Fence(1));
        // Fence 0 is on y, which is not the first store; fence 1 on both.
        let covers = |fence: usize, addr: Addr| fence == 1 || addr == Y;
        assert!(!buffer.release_fence(covers));
        assert_eq!(buffer.release_store(Y), Some(1));
        assert!(buffer.release_fence(covers));
        assert!(!buffer.release_fence(covers));
        assert_eq!(buffer.release_store(X), Some(1));
        assert!(buffer.release_fence(covers));
        assert!(!buffer.release_fence(covers));
        assert!(buffer.is_empty());
    }

    #[test]
    fn only_stores_before_the_first_fence_can_move() {
        let mut buffer = Buffer::default();
        for item in [store(Y, 1), store(X, 1), store(X, 2)] {
            buffer.wait(item);
        }
        buffer.wait(Item::Fence(0));
        buffer.wait(store(Addr(3), 1));
        let movable: Vec<Addr> = Buffer::cells(&buffer.waiting).collect();
        assert_eq!(movable, [X, Y]);
    }
}
