//! Which values decide what threads do: whether a branch is taken, or which cell is accessed.
//!
//! A value decides something if it flows into an assumption or an address, through registers and cells. All
//! places where a register or cell is used count, whatever the order in which they are executed. If an
//! address is computed, it may be that of any cell. Which ways a thread can go, and what it accesses on
//! them, does not depend on the other values.

use crate::program::{AccessKind, Addr, Expr, Op, Program, RegId, ThreadId, Update};
use ahash::AHashSet;
use std::ops::Range;

/// The registers and cells whose values decide something.
pub(super) struct Deciding {
    /// By thread and register.
    registers: Vec<Vec<bool>>,
    /// By [`Addr::index`].
    cells: Vec<bool>,
    /// By thread: the cells that it reads, if it reads none whose address is computed.
    read: Vec<Option<AHashSet<Addr>>>,
    /// Whether anything was added since it was last asked.
    has_grown: bool,
}

impl Deciding {
    pub(super) fn of(program: &Program) -> Self {
        let threads = program.threads().iter();
        let mut deciding = Self {
            registers: threads
                .map(|thread| vec![false; thread.registers().len()])
                .collect(),
            cells: vec![false; program.cell_count()],
            read: program.thread_ids().map(|t| read(program, t)).collect(),
            has_grown: true,
        };
        while std::mem::take(&mut deciding.has_grown) {
            for (site, instruction) in program.sites() {
                deciding.look_at(program, site.thread, &instruction.op);
            }
        }
        deciding
    }

    pub(super) fn is_register(&self, thread: ThreadId, register: RegId) -> bool {
        self.registers[thread.index()][register.index()]
    }

    /// By register of the thread.
    pub(super) fn registers(&self, thread: ThreadId) -> &[bool] {
        &self.registers[thread.index()]
    }

    pub(super) fn is_cell(&self, addr: Addr) -> bool {
        self.cells[addr.index()]
    }

    /// Whether the thread may read the cell, and its value decides something.
    pub(super) fn may_read(&self, thread: ThreadId, addr: Addr) -> bool {
        let read = self.read[thread.index()].as_ref();
        self.is_cell(addr) && read.is_none_or(|cells| cells.contains(&addr))
    }

    fn look_at(&mut self, program: &Program, thread: ThreadId, op: &Op) {
        if let Some(addr) = op.address() {
            self.add(thread, addr);
        }
        let cells = |addr: &Expr<RegId>| match addr.as_const() {
            None => 0..program.cell_count(),
            Some(value) => match program.cell_at(value) {
                None => 0..0,
                Some(addr) => addr.index()..addr.index() + 1,
            },
        };
        match op {
            Op::Assume(e) => self.add(thread, e),
            Op::Assign { into, value } => {
                if self.is_register(thread, *into) {
                    self.add(thread, value);
                }
            }
            Op::Load { into, addr } => {
                if self.is_register(thread, *into) {
                    self.add_cells(cells(addr));
                }
            }
            Op::Store { addr, value } => {
                if self.cells[cells(addr)].contains(&true) {
                    self.add(thread, value);
                }
            }
            Op::Rmw { into, addr, update } => {
                if self.is_register(thread, *into) {
                    self.add_cells(cells(addr));
                }
                if self.cells[cells(addr)].contains(&true) {
                    match update {
                        Update::CompareExchange { expected, desired } => {
                            self.add(thread, expected);
                            self.add(thread, desired);
                        }
                        Update::Exchange(value) | Update::Fetch(_, value) => {
                            self.add(thread, value);
                        }
                    }
                }
            }
            Op::Skip
            | Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => {}
        }
    }

    /// Adds the registers that an expression reads.
    fn add(&mut self, thread: ThreadId, e: &Expr<RegId>) {
        let registers = &mut self.registers[thread.index()];
        let has_grown = &mut self.has_grown;
        e.for_each_var(&mut |register: RegId| {
            *has_grown |= !registers[register.index()];
            registers[register.index()] = true;
        });
    }

    fn add_cells(&mut self, cells: Range<usize>) {
        for cell in &mut self.cells[cells] {
            self.has_grown |= !*cell;
            *cell = true;
        }
    }
}

/// The cells that a thread reads; `None` if the address of one is computed.
fn read(program: &Program, thread: ThreadId) -> Option<AHashSet<Addr>> {
    let instructions = program.thread(thread).instructions().iter();
    let accesses = instructions.filter_map(|instruction| instruction.op.access());
    let read = accesses.filter_map(|(addr, kind)| match kind {
        AccessKind::Load { .. } | AccessKind::Rmw { .. } => Some(addr),
        AccessKind::Store { .. } => None,
    });
    let mut cells = AHashSet::new();
    for addr in read {
        cells.extend(program.cell_at(addr.as_const()?));
    }
    Some(cells)
}
