//! The accesses that happen after the attacker's last instruction, computed access by access.
//!
//! An access is in the set if its thread already has one in it, or if it conflicts with one: any access
//! to a cell that was stored to, or a store to a cell that was loaded from [BDM13, Lemma 3].

use fencepost::internals::reference::Action;
use fencepost::program::{Addr, Program, ThreadId};

/// How a cell has been accessed, or how an access accesses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Untouched,
    Loaded,
    Stored,
}

/// An access of a node of happens-before; a locked instruction counts as a store.
#[derive(Clone, Copy)]
pub struct Access {
    pub addr: Addr,
    pub level: Level,
}

impl Access {
    /// The access of an action, if it is one.
    pub fn of(action: &Action) -> Option<Self> {
        let (addr, level) = match *action {
            Action::Load { addr, .. } => (addr, Level::Loaded),
            Action::Issue { addr, .. } | Action::Flush { addr, .. } | Action::Rmw { addr, .. } => {
                (addr, Level::Stored)
            }
            Action::Fence | Action::Advance { .. } | Action::Retire | Action::Local => return None,
        };
        Some(Self { addr, level })
    }
}

/// The accesses that happen after `last`, including `last`, as far as they matter for later ones.
#[derive(Clone)]
pub struct Dependent {
    cells: Vec<Level>,
    threads: Vec<bool>,
}

impl Dependent {
    /// The set after `last`, which is this access, and before all others.
    pub fn new(program: &Program, last: &[Access]) -> Self {
        let mut cells = vec![Level::Untouched; program.cell_count()];
        for access in last {
            cells[access.addr.index()] = access.level;
        }
        Self {
            cells,
            threads: vec![false; program.threads().len()],
        }
    }

    /// Appends the set to the key of a node.
    pub fn encode(&self, key: &mut Vec<i32>) {
        key.extend(self.cells.iter().map(|&level| level as i32));
        key.extend(self.threads.iter().map(|&thread| i32::from(thread)));
    }

    /// Whether an access conflicts with one in the set, so that it happens after it.
    pub fn reaches(&self, access: Access) -> bool {
        let level = self.cells[access.addr.index()];
        level == Level::Stored || (level == Level::Loaded && access.level == Level::Stored)
    }

    /// Adds the accesses of one happens-before node; `None` if it does not happen after `last`.
    pub fn extend(&mut self, thread: ThreadId, node: &[Access]) -> Option<()> {
        if node.is_empty() {
            return Some(());
        }
        let enters = node.iter().any(|&access| self.reaches(access));
        let entered = &mut self.threads[thread.index()];
        *entered |= enters;
        if !*entered {
            return None;
        }
        for access in node {
            let level = &mut self.cells[access.addr.index()];
            *level = access.level.max(*level);
        }
        Some(())
    }
}
