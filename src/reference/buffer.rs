//! One thread's store buffer, in the structure that each model defines.
//!
//! ```text
//!   TSO    issue ──▶ [ fifo ] ──▶ memory
//!   PSO    issue ──▶ [ waiting ] ──▶ memory        any store that no older item blocks
//!   PGAS   issue ──▶ [ waiting ] ──advance──▶ [ fifo ] ──▶ memory      [DMS17, Fig. 3]
//! ```
//!
//! `waiting` is a list in the order of issue. A store in it is blocked by an older store to its own
//! cell and by every older lightweight fence; a fence is blocked by an older fence and by the older
//! stores to its cells. Without fences this is a FIFO per address.
//!
//! **Invariant.** Between two fences, before the first and after the last, the stores in `waiting`
//! are sorted by address, and by age for one address. The order of issue of two stores to different
//! addresses with no fence between them is unobservable, so sorting makes buffers with the same
//! behaviour equal.
//!
//! The stores of a word access are one item: they leave one after the other, and nothing else happens until the last
//! one has left. Each says by its [`Join`] which others belong to it. In a FIFO they are neighbours. In `waiting`
//! they leave only when each is the oldest store to its cell; the same cells with the same [`Join`] are then one access,
//! since a FIFO per cell keeps the order of any two.

use crate::program::Addr;
use std::ops::RangeInclusive;

/// A buffered item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BufferItem {
    /// A store.
    Store {
        /// The cell.
        addr: Addr,
        /// The value to be stored.
        value: i32,
        /// Which other stores leave the buffer together with it.
        join: Join,
    },
    /// A lightweight fence: its index in the machine's table of fences.
    Fence(usize),
}

/// Which stores of the same thread belong to one word access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Join(pub(super) u32);

impl Join {
    /// A store by itself, or the first one of a word access in a FIFO.
    pub const ALONE: Join = Join(0);
    /// The word access has not ended.
    pub(super) const OPEN: Join = Join(1 << 31);
    /// In a FIFO: it belongs to the store before it.
    pub(super) const FOLLOWS: Join = Join(1 << 30);
    /// In `waiting`: others of the access have left, so it is next.
    const LEAVING: u32 = 1 << 29;

    /// How far the cells of an access are apart.
    const NEAR: RangeInclusive<i32> = -7..=7;

    /// That of a store to this cell, together with stores to all of these.
    fn of(cell: Addr, cells: &[Addr]) -> Self {
        let others = cells.iter().filter(|&&other| other != cell);
        let distances = others.map(|other| other.0 - cell.0);
        let near = distances.filter(|distance| Self::NEAR.contains(distance));
        Join(near.fold(0, |all, distance| all | Self::bit(distance)))
    }

    /// A bit for each distance.
    fn bit(distance: i32) -> u32 {
        1 << (distance + 8)
    }

    fn is_leaving(self) -> bool {
        self.0 & Self::LEAVING != 0
    }

    /// The distances of the other cells.
    fn others(self) -> impl Iterator<Item = i32> {
        Self::NEAR.filter(move |&distance| self.0 & Self::bit(distance) != 0)
    }
}

impl BufferItem {
    /// A store by itself.
    pub fn store(addr: Addr, value: i32) -> Self {
        BufferItem::Store {
            addr,
            value,
            join: Join::ALONE,
        }
    }

    fn is_store_to(self, cell: Addr) -> bool {
        match self {
            BufferItem::Store { addr, .. } => addr == cell,
            BufferItem::Fence(_) => false,
        }
    }

    fn is_fence(self) -> bool {
        match self {
            BufferItem::Store { .. } => false,
            BufferItem::Fence(_) => true,
        }
    }
}

/// What one thread has issued that has not reached memory.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Buffer {
    /// Issued and not yet in the FIFO; see the invariant.
    pub waiting: Vec<BufferItem>,
    /// The FIFO, oldest first.
    pub fifo: Vec<BufferItem>,
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        Self {
            waiting: self.waiting.clone(),
            fifo: self.fifo.clone(),
        }
    }

    // Searches copy configurations very often: keep the allocations.
    fn clone_from(&mut self, source: &Self) {
        self.waiting.clone_from(&source.waiting);
        self.fifo.clone_from(&source.fifo);
    }
}

impl Buffer {
    /// Whether no item waits anywhere.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.fifo.is_empty()
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.fifo.len()
    }

    /// The newest buffered value of a cell: what an early load reads.
    pub(super) fn newest(&self, cell: Addr) -> Option<i32> {
        let last = |items: &[BufferItem]| {
            items.iter().rev().find_map(|&item| match item {
                BufferItem::Store { addr, value, .. } if addr == cell => Some(value),
                BufferItem::Store { .. } | BufferItem::Fence(_) => None,
            })
        };
        last(&self.waiting).or_else(|| last(&self.fifo))
    }

    /// Whether a load of these cells finds them in one store, or none of them buffered.
    pub(super) fn serves(&self, cells: &[Addr]) -> bool {
        // Two accesses with the same cells: the newer one is the newest to each of them. And the newest access to a cell
        // has that cell: if it is the same for all of them, it has them all.
        let mut newest = cells.iter().map(|&cell| self.newest_access(cell));
        newest
            .next()
            .is_none_or(|first| newest.all(|other| other == first))
    }

    /// All cells of the newest access that stores to the cell, ascending.
    fn newest_access(&self, cell: Addr) -> Option<Vec<Addr>> {
        let mut waiting = self.waiting.iter().rev();
        if let Some(BufferItem::Store { join, .. }) = waiting.find(|item| item.is_store_to(cell)) {
            let distances = join.others().chain([0]);
            let mut cells: Vec<Addr> = distances.map(|d| Addr(cell.0 + d)).collect();
            cells.sort_unstable();
            return Some(cells);
        }
        let at = self.fifo.iter().rposition(|item| item.is_store_to(cell))?;
        let follows = |item: &BufferItem| matches!(item, BufferItem::Store { join, .. } if *join == Join::FOLLOWS);
        let first = self.fifo[..=at].iter().rposition(|item| !follows(item));
        let first = first.unwrap_or(0);
        let rest = self.fifo[first + 1..]
            .iter()
            .take_while(|item| follows(item));
        let parts = self.fifo[first..=first].iter().chain(rest);
        let mut cells: Vec<Addr> = parts
            .filter_map(|item| match item {
                BufferItem::Store { addr, .. } => Some(*addr),
                BufferItem::Fence(_) => None,
            })
            .collect();
        cells.sort_unstable();
        Some(cells)
    }

    /// Appends to the FIFO.
    pub(super) fn enqueue(&mut self, item: BufferItem) {
        self.fifo.push(item);
    }

    /// Appends to the waiting list.
    pub(super) fn wait(&mut self, item: BufferItem) {
        let position = match item {
            BufferItem::Fence(_) => self.waiting.len(),
            BufferItem::Store { addr: new, .. } => self
                .waiting
                .iter()
                .rposition(|&item| match item {
                    BufferItem::Store { addr, .. } => addr <= new,
                    BufferItem::Fence(_) => true,
                })
                .map_or(0, |before| before + 1),
        };
        self.waiting.insert(position, item);
    }

    /// Removes the head of the FIFO if it is a store to the cell, and returns its value.
    pub(super) fn dequeue_store(&mut self, cell: Addr) -> Option<i32> {
        match self.fifo.first() {
            Some(&BufferItem::Store { addr, value, .. }) if addr == cell => {
                self.fifo.remove(0);
                Some(value)
            }
            Some(BufferItem::Store { .. } | BufferItem::Fence(_)) | None => None,
        }
    }

    /// Removes the head of the FIFO if it is a fence; returns whether it was.
    pub(super) fn dequeue_fence(&mut self) -> bool {
        let fence = self.fifo.first().is_some_and(|item| item.is_fence());
        if fence {
            self.fifo.remove(0);
        }
        fence
    }

    /// Removes the oldest waiting store to the cell unless a fence is older, and returns its value.
    pub(super) fn release_store(&mut self, cell: Addr) -> Option<i32> {
        let (value, _) = self.take_waiting(cell)?;
        Some(value)
    }

    /// Removes the oldest waiting store to the cell unless a fence is older, or a store that belongs to it is not the
    /// oldest one to its cell; returns its value, and whether others that belong to it have left before.
    fn take_waiting(&mut self, cell: Addr) -> Option<(i32, bool)> {
        let position = self.oldest(cell)?;
        let BufferItem::Store { value, join, .. } = self.waiting[position] else {
            return None;
        };
        if join == Join::ALONE {
            self.waiting.remove(position);
            return Some((value, false));
        }
        let members: Option<Vec<usize>> = join
            .others()
            .map(|distance| {
                let other = Addr(cell.0 + distance);
                let there = self.oldest(other)?;
                let same = matches!(
                    self.waiting[there],
                    BufferItem::Store { join: theirs, .. }
                        if theirs.is_leaving() == join.is_leaving()
                            && theirs.others().any(|back| back == -distance)
                );
                same.then_some(there)
            })
            .collect();
        for member in members? {
            if let BufferItem::Store {
                join: theirs, addr, ..
            } = &mut self.waiting[member]
            {
                let without = theirs.0 & !Join::bit(cell.0 - addr.0);
                *theirs = Join(without | Join::LEAVING);
            }
        }
        self.waiting.remove(position);
        Some((value, join.is_leaving()))
    }

    /// The position of the oldest waiting store to the cell, unless a fence is older.
    fn oldest(&self, cell: Addr) -> Option<usize> {
        let segment = self.waiting.iter().take_while(|item| !item.is_fence());
        let mut items = segment.enumerate();
        let found = items.find(|(_, item)| item.is_store_to(cell));
        found.map(|(position, _)| position)
    }

    /// Whether some of the stores of a word access have left, and others have not: they are next.
    pub(super) fn is_leaving(&self) -> bool {
        let in_fifo = matches!(self.fifo.first(), Some(BufferItem::Store { join, .. }) if *join == Join::FOLLOWS);
        in_fifo
            || self
                .waiting
                .iter()
                .any(|item| matches!(item, BufferItem::Store { join, .. } if join.is_leaving()))
    }

    /// Whether the store to this cell that is the head of the FIFO has to follow what left it.
    pub(super) fn follows(&self, cell: Addr) -> bool {
        let head = self.fifo.first();
        head.is_some_and(|item| match *item {
            BufferItem::Store { addr, join, .. } => addr == cell && join == Join::FOLLOWS,
            BufferItem::Fence(_) => false,
        })
    }

    /// Whether a waiting store to this cell has to follow what does not wait any more.
    pub(super) fn follows_waiting(&self, cell: Addr) -> bool {
        self.waiting.iter().any(|item| match *item {
            BufferItem::Store { addr, join, .. } => addr == cell && join.is_leaving(),
            BufferItem::Fence(_) => false,
        })
    }

    /// Ends a word access: its stores belong together from now on.
    pub(super) fn seal(&mut self) {
        let is_open = |item: &BufferItem| matches!(item, BufferItem::Store { join, .. } if *join == Join::OPEN);
        let mut first = true;
        for item in self.fifo.iter_mut().filter(|item| is_open(item)) {
            if let BufferItem::Store { join, .. } = item {
                *join = if first { Join::ALONE } else { Join::FOLLOWS };
                first = false;
            }
        }
        let cells: Vec<Addr> = self
            .waiting
            .iter()
            .filter(|item| is_open(item))
            .filter_map(|item| match item {
                BufferItem::Store { addr, .. } => Some(*addr),
                BufferItem::Fence(_) => None,
            })
            .collect();
        for item in self.waiting.iter_mut().filter(|item| is_open(item)) {
            if let BufferItem::Store { addr, join, .. } = item {
                *join = Join::of(*addr, &cells);
            }
        }
    }

    /// Removes the oldest waiting fence unless there is an older store to one of its cells; returns
    /// whether it did. `covers` decides whether a fence orders the stores to a cell.
    pub(super) fn release_fence(&mut self, covers: impl Fn(usize, Addr) -> bool) -> bool {
        let Some(position) = self.waiting.iter().position(|item| item.is_fence()) else {
            return false;
        };
        let BufferItem::Fence(fence) = self.waiting[position] else {
            return false;
        };
        let blocked = self.waiting[..position].iter().any(|&item| match item {
            BufferItem::Store { addr, .. } => covers(fence, addr),
            BufferItem::Fence(_) => true,
        });
        if blocked {
            return false;
        }
        // The stores on both sides of the removed fence are now in one segment: sort again.
        let tail = self.waiting.split_off(position);
        for &item in &tail[1..] {
            self.wait(item);
        }
        true
    }

    /// Moves the oldest waiting store to the cell to the FIFO, and returns its value.
    pub(super) fn advance(&mut self, cell: Addr) -> Option<i32> {
        let (value, follows) = self.take_waiting(cell)?;
        self.fifo.push(BufferItem::Store {
            addr: cell,
            value,
            join: if follows { Join::FOLLOWS } else { Join::ALONE },
        });
        Some(value)
    }

    /// Replaces each store by one to another cell with another value. The map from cells to cells is
    /// one-to-one.
    pub fn map_stores(&mut self, mut map: impl FnMut(Addr, &mut i32) -> Addr) {
        let mut mapped = |item| match item {
            BufferItem::Store {
                addr,
                mut value,
                join,
            } => BufferItem::Store {
                addr: map(addr, &mut value),
                value,
                join,
            },
            BufferItem::Fence(_) => item,
        };
        for item in &mut self.fifo {
            *item = mapped(*item);
        }
        for item in std::mem::take(&mut self.waiting) {
            self.wait(mapped(item));
        }
    }

    /// The cells of the store at the head of the FIFO, with their values: more than one if it is a word access.
    pub fn head(&self) -> impl Iterator<Item = (Addr, i32)> {
        let mut items = self.fifo.iter().enumerate();
        std::iter::from_fn(move || match items.next()? {
            (place, &BufferItem::Store { addr, value, join })
                if place == 0 || join == Join::FOLLOWS =>
            {
                Some((addr, value))
            }
            (_, BufferItem::Store { .. } | BufferItem::Fence(_)) => None,
        })
    }

    /// The store at the head of the FIFO.
    pub fn oldest_store(&self) -> Option<(Addr, i32)> {
        self.head().next()
    }

    /// The cells with a store before the first fence of this list, each once.
    pub fn cells(items: &[BufferItem]) -> impl Iterator<Item = Addr> {
        let mut last = None;
        items
            .iter()
            .map_while(|&item| match item {
                BufferItem::Store { addr, .. } => Some(addr),
                BufferItem::Fence(_) => None,
            })
            .filter(move |&addr| last.replace(addr) != Some(addr))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Addr = Addr(1);
    const Y: Addr = Addr(2);

    fn store(addr: Addr, value: i32) -> BufferItem {
        BufferItem::store(addr, value)
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
    fn a_waiting_fence_blocks_later_stores_and_waits_only_for_its_cells() {
        let covers = |_: usize, addr: Addr| addr == X;
        let mut buffer = Buffer::default();
        buffer.wait(store(Y, 1));
        buffer.wait(store(X, 1));
        buffer.wait(BufferItem::Fence(0));
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
        buffer.wait(BufferItem::Fence(0));
        buffer.wait(BufferItem::Fence(1));
        // Fence 0 covers y, whose store is not the first; fence 1 covers both cells.
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
        buffer.wait(BufferItem::Fence(0));
        buffer.wait(store(Addr(3), 1));
        let movable: Vec<Addr> = Buffer::cells(&buffer.waiting).collect();
        assert_eq!(movable, [X, Y]);
    }
}
