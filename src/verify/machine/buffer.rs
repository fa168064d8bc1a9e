//! What a thread has buffered, and which of its stores may leave.
//!
//! The stores of one access of several cells (`lock word`) leave together: a step for each, and nothing else
//! in between ([`Leaving`]). Each of them names all cells of its access. Among what waits they may leave
//! when each of them is the oldest store to its cell.
//!
//! *Why the cells are enough.* Two accesses of a thread with the same cells, and both wait: all stores of the
//! older one are before those of the newer one to the same cell, and all leave before any of the newer one
//! does. So the oldest stores to these cells that name the same cells are of one access. In the queue
//! the stores of an access are neighbours, as nothing else enters it before all of them have.

use super::Machine;

/// The cells of one access: a bit for each of 8 cells from the first on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cells {
    pub(super) first: usize,
    pub(super) bits: u8,
}

impl Cells {
    /// One cell.
    pub(super) fn one(cell: usize) -> Self {
        Self {
            first: cell,
            bits: 1,
        }
    }

    pub(super) fn is_one(self) -> bool {
        self.bits == 1
    }

    fn is_empty(self) -> bool {
        self.bits == 0
    }

    fn bit(self, cell: usize) -> u8 {
        let place = cell.checked_sub(self.first).filter(|&place| place < 8);
        place.map_or(0, |place| 1 << place)
    }

    pub(super) fn contains(self, cell: usize) -> bool {
        self.bits & self.bit(cell) != 0
    }

    fn without(self, cell: usize) -> Self {
        Self {
            bits: self.bits & !self.bit(cell),
            ..self
        }
    }

    fn each(self) -> impl Iterator<Item = usize> {
        let all = (0..8).filter(move |place| self.bits >> place & 1 != 0);
        all.map(move |place| self.first + place)
    }
}

/// What is buffered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Item {
    /// A store to a cell.
    Store {
        /// The cell.
        cell: usize,
        /// The value.
        value: i32,
        /// All cells of its access.
        cells: Cells,
    },
    /// The light fence with this number.
    Fence(usize),
}

impl Item {
    fn is_to(self, of: usize) -> bool {
        match self {
            Item::Store { cell, .. } => cell == of,
            Item::Fence(_) => false,
        }
    }
}

/// Some stores of an access have left, and the others have not: they are next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaving {
    /// The thread that issued them.
    pub thread: usize,
    /// Whether they enter the queue, and not memory.
    pub advances: bool,
    /// The cells of those that are left.
    pub rest: Cells,
}

impl Leaving {
    /// What is left after the store of an access to this cell has left as well.
    pub(super) fn after(
        leaving: Option<Self>,
        (thread, advances): (usize, bool),
        (cell, cells): (usize, Cells),
    ) -> Option<Self> {
        let rest = leaving.map_or(cells, |leaving| leaving.rest).without(cell);
        (!rest.is_empty()).then_some(Self {
            thread,
            advances,
            rest,
        })
    }
}

/// What one thread has buffered, the oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Buffer {
    /// PSO and PGAS. Between two fences sorted by cell: the order of issue of stores to different cells
    /// does not matter.
    pub waiting: Vec<Item>,
    /// TSO and PGAS.
    pub queue: Vec<Item>,
}

impl Buffer {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.queue.is_empty()
    }

    pub(super) fn newest(&self, of: usize) -> Option<i32> {
        let mut all = self.waiting.iter().rev().chain(self.queue.iter().rev());
        all.find_map(|item| match *item {
            Item::Store { cell, value, .. } if cell == of => Some(value),
            Item::Store { .. } | Item::Fence(_) => None,
        })
    }

    /// All cells of the newest access that stores to the cell. Two accesses with the same cells have the same order for each.
    pub(super) fn newest_access(&self, of: usize) -> Option<Cells> {
        let mut all = self.waiting.iter().rev().chain(self.queue.iter().rev());
        all.find_map(|item| match *item {
            Item::Store { cell, cells, .. } if cell == of => Some(cells),
            Item::Store { .. } | Item::Fence(_) => None,
        })
    }

    /// Puts the stores between any two waiting fences into their order.
    pub(super) fn sort(&mut self) {
        let key = |item: &Item| match item {
            Item::Store { cell, .. } => *cell,
            Item::Fence(_) => usize::MAX,
        };
        for stores in self
            .waiting
            .split_mut(|item| matches!(item, Item::Fence(_)))
        {
            stores.sort_by_key(key);
        }
    }

    /// How many stores wait before the first fence that waits.
    pub(super) fn free(&self) -> usize {
        let mut items = self.waiting.iter();
        let fence = items.position(|item| matches!(item, Item::Fence(_)));
        fence.unwrap_or(self.waiting.len())
    }

    /// Takes the oldest store to the cell from what waits, if it may leave: no fence is older, and each store
    /// of its access that has not left is the oldest one to its cell.
    pub(super) fn take_waiting(&mut self, cell: usize, leaving: Option<Leaving>) -> Option<Item> {
        let free = &self.waiting[..self.free()];
        let oldest = |of: usize| free.iter().position(|item| item.is_to(of));
        let at = oldest(cell)?;
        let Item::Store { cells, .. } = free[at] else {
            return None;
        };
        let is_of_access = |of: usize| {
            oldest(of).is_some_and(|other| match free[other] {
                Item::Store { cells: theirs, .. } => theirs == cells,
                Item::Fence(_) => false,
            })
        };
        let mut left = leaving.map_or(cells, |leaving| leaving.rest).each();
        left.all(is_of_access).then(|| self.waiting.remove(at))
    }

    /// Takes the store at the head of the queue, if it is to the cell.
    pub(super) fn take_queued(&mut self, cell: usize) -> Option<Item> {
        let head = self.queue.first().copied();
        let head = head.filter(|item| item.is_to(cell))?;
        self.queue.remove(0);
        Some(head)
    }
}

impl Machine<'_> {
    /// Whether the fence keeps the item back.
    pub(super) fn covers(&self, fence: usize, item: Item) -> bool {
        let cells = self.fences[fence];
        match item {
            Item::Store { cell, .. } => cells.is_empty() || cells.contains(&cell),
            Item::Fence(_) => true,
        }
    }
}
