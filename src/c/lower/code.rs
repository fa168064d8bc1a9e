//! The instructions of one thread while they are being made.
//!
//! Locations are numbers; an instruction can still be changed after it was added, so that a load goes
//! straight into the variable that receives it.

use super::deferred::{Access, Gap};
use crate::c::token::Place;
use crate::program::{Expr, Fault, Op, Origin, RegId};
use std::collections::HashMap;

/// A location of a thread.
pub(super) type Loc = usize;

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Instr {
    pub(super) from: Loc,
    pub(super) op: Op,
    pub(super) to: Loc,
    pub(super) origin: Origin,
    /// Whether it is an assertion that fails where a value leaves 32 bits.
    pub(super) limit: bool,
    /// What is wrong where it fails, if it is an assertion that the user did not write.
    pub(super) fault: Option<Fault>,
    /// Whether it is a position of the text: a step that does nothing, and stays.
    pub(super) position: bool,
}

/// A step that must not be on a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Once {
    pub(super) from: Loc,
    pub(super) to: Loc,
    pub(super) place: Place,
    pub(super) what: Single,
}

/// What can be done once only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Single {
    /// The allocation of a block.
    Allocation,
    /// The creation of a thread.
    Creation,
}

/// A thread.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) name: String,
    pub(super) origin: Origin,
    /// The origin of each location.
    pub(super) locations: Vec<Origin>,
    pub(super) instructions: Vec<Instr>,
    pub(super) registers: Vec<String>,
    /// The numbers that the names of registers have got so far.
    numbers: HashMap<String, usize>,
    /// Temporaries that were loaded by the last instruction and are not used yet.
    fresh: Option<RegId>,
    /// Accesses of scalars, to be checked once all of memory is known.
    pub(super) accesses: Vec<Access>,
    /// What can be done once only, where it is done.
    pub(super) once: Vec<Once>,
    /// Steps to be filled in then.
    pub(super) gaps: Vec<Gap>,
}

impl Code {
    pub(super) fn new(name: String, origin: Origin) -> Self {
        Self {
            name,
            origin,
            locations: vec![origin],
            instructions: Vec::new(),
            registers: Vec::new(),
            numbers: HashMap::new(),
            fresh: None,
            accesses: Vec::new(),
            once: Vec::new(),
            gaps: Vec::new(),
        }
    }

    pub(super) fn location(&mut self, origin: Origin) -> Loc {
        self.locations.push(origin);
        self.locations.len() - 1
    }

    /// A register of this name; the number makes it unique.
    pub(super) fn register(&mut self, name: &str) -> RegId {
        // No name in C has a `#`.
        let number = self.numbers.entry(name.to_owned()).or_default();
        *number += 1;
        self.registers.push(match number {
            1 => name.to_owned(),
            _ => format!("{name}#{number}"),
        });
        (self.registers.len() - 1).into()
    }

    /// Whether anything happens in it.
    pub(super) fn acts(&self) -> bool {
        self.instructions.iter().any(|instr| instr.op != Op::Skip)
    }

    /// Adds an instruction that leads to a new location, which is returned.
    pub(super) fn step(&mut self, from: Loc, op: Op, origin: Origin) -> Loc {
        let to = self.location(origin);
        self.edge(from, op, to, origin);
        to
    }

    /// Adds an instruction between two locations.
    pub(super) fn edge(&mut self, from: Loc, op: Op, to: Loc, origin: Origin) {
        self.fresh = match &op {
            Op::Load { into, .. } | Op::Rmw { into, .. } | Op::Havoc { into, .. } => Some(*into),
            Op::Skip
            | Op::Assign { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Store { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => None,
        };
        self.instructions.push(Instr {
            from,
            op,
            to,
            origin,
            limit: false,
            fault: None,
            position: false,
        });
    }

    /// Whether a way leads from one location to another.
    pub(super) fn leads(&self, from: Loc, to: Loc) -> bool {
        let mut seen = vec![false; self.locations.len()];
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                let next = self.instructions.iter().filter(|instr| instr.from == at);
                open.extend(next.map(|instr| instr.to));
            }
        }
        false
    }

    /// Whether every way from the start to a location leads through another one.
    pub(super) fn dominates(&self, through: Loc, to: Loc) -> bool {
        let mut seen = vec![false; self.locations.len()];
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if at == through || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let next = self.instructions.iter().filter(|instr| instr.from == at);
            open.extend(next.map(|instr| instr.to));
        }
        !seen[to]
    }

    /// Assigns a value to a register. Where the value is what the last instruction has just read, that
    /// instruction reads it into the register instead.
    pub(super) fn assign(
        &mut self,
        from: Loc,
        into: RegId,
        value: Expr<RegId>,
        temporary: bool,
        origin: Origin,
    ) -> Loc {
        if temporary
            && let Expr::Var(reg) = &value
            && self.fresh == Some(*reg)
            && let Some(last) = self.instructions.last_mut()
            && last.to == from
        {
            match &mut last.op {
                Op::Load { into: read, .. }
                | Op::Rmw { into: read, .. }
                | Op::Havoc { into: read, .. } => *read = into,
                Op::Skip
                | Op::Assign { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Store { .. }
                | Op::Fence(_)
                | Op::AtomicBegin
                | Op::AtomicEnd => {}
            }
            self.fresh = None;
            return from;
        }
        self.step(from, Op::Assign { into, value }, origin)
    }
}
