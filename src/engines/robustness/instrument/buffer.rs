//! What the attacker's buffer is in a derived program: registers, or auxiliary cells.

use super::{Writer, moved};
use crate::program::{AccessKind, Addr, Expr, Op, RegId, Site, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// What models the buffer. Nothing leaves it in the copy.
pub(super) enum Buffer {
    /// The only value. Its cell is that of the first delayed store.
    One(RegId),
    /// By cell that may be buffered: whether it is, and the newest value.
    Registers(BTreeMap<Addr, (RegId, RegId)>),
    /// The same in auxiliary cells, if an access may touch several cells, some of which may be buffered.
    Cells {
        buffered: BTreeSet<Addr>,
        /// From the address of a cell to that of its auxiliary cell.
        set: i32,
        value: i32,
    },
}

/// What the buffer has for the cell of an access.
pub(super) struct Buffered {
    /// Where it is noted that the cell is buffered.
    pub(super) set: Option<Place>,
    /// Where the newest value is.
    pub(super) value: Place,
}

/// A register, or the cell at an address.
pub(super) enum Place {
    Register(RegId),
    Cell(Expr<RegId>),
}

impl Place {
    pub(super) fn put(&self, value: Expr<RegId>) -> Op {
        match self {
            &Place::Register(into) => Op::Assign { into, value },
            Place::Cell(addr) => Op::Store {
                addr: addr.clone(),
                value,
            },
        }
    }

    pub(super) fn get(&self, into: RegId) -> Op {
        match self {
            &Place::Register(from) => Op::Assign {
                into,
                value: Expr::Var(from),
            },
            Place::Cell(addr) => Op::Load {
                into,
                addr: addr.clone(),
            },
        }
    }
}

impl Buffer {
    /// The buffer of a thread that may delay all of its stores.
    pub(super) fn of_all_stores(writer: &mut Writer<'_>, thread: ThreadId) -> Self {
        let program = writer.program;
        let automaton = program.thread(thread);
        let mut stores: BTreeSet<Addr> = BTreeSet::new();
        // The cells of each access of the copy that may touch several.
        let mut several: Vec<Vec<Addr>> = Vec::new();
        for (index, instruction) in automaton.instructions().iter().enumerate() {
            let instr = index.into();
            let is_store = match instruction.op.access() {
                Some((_, AccessKind::Store { .. })) => true,
                Some((_, AccessKind::Load { .. })) => false,
                Some((_, AccessKind::Rmw { .. })) | None => continue,
            };
            if automaton.location(instruction.from).is_locked() {
                continue;
            }
            let cells = writer.candidates(Site { thread, instr }).cells;
            if is_store {
                stores.extend(&cells);
            }
            if cells.len() > 1 {
                several.push(cells);
            }
        }
        several.retain(|cells| cells.iter().any(|cell| stores.contains(cell)));
        if !several.is_empty() {
            let touched = several.iter().flatten().chain(&stores);
            let touched: BTreeSet<Addr> = touched.copied().collect();
            return Self::Cells {
                set: writer.beside("$set", &touched),
                value: writer.beside("$value", &touched),
                buffered: stores,
            };
        }
        let registers = stores.into_iter().map(|cell| {
            let name = program.cell_name(cell);
            let set = writer.register(thread, &format!("$set {name}"));
            let value = writer.register(thread, &format!("$value {name}"));
            (cell, (set, value))
        });
        Self::Registers(registers.collect())
    }

    /// What the buffer has for the cell of an access; `None` if it never has anything.
    pub(super) fn at(&self, writer: &Writer<'_>, site: Site) -> Option<Buffered> {
        let addr = writer.program.instruction(site).op.address()?;
        let candidates = || writer.candidates(site).cells;
        match self {
            &Self::One(value) => Some(Buffered {
                set: None,
                value: Place::Register(value),
            }),
            Self::Registers(registers) => {
                let (set, value) = candidates().iter().find_map(|cell| registers.get(cell))?;
                Some(Buffered {
                    set: Some(Place::Register(*set)),
                    value: Place::Register(*value),
                })
            }
            Self::Cells {
                buffered,
                set,
                value,
            } => {
                let may_be = candidates().iter().any(|cell| buffered.contains(cell));
                may_be.then(|| Buffered {
                    set: Some(Place::Cell(moved(addr, *set))),
                    value: Place::Cell(moved(addr, *value)),
                })
            }
        }
    }
}
