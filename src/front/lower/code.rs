//! The instructions of one thread while they are being made.
//!
//! Locations are numbers; an instruction can still be changed after it was added, so that a load goes
//! straight into the variable that receives it.

use super::compiled::Operation;
use super::deferred::{Access, Gap};
use super::grace::Mark;
use super::thread::any::is_visible;
use crate::facts::{Flow, Graph};
use crate::program::{Call, CallId, Expr, Fault, Op, Ordering, Origin, RegId, Role, Written};
use crate::text::Place;
use std::collections::{BTreeSet, HashMap};

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
    /// Whether it is a store whose text can make it an exchange.
    pub(super) strengthened: bool,
    /// The order that the text asks for.
    pub(super) ordering: Ordering,
    /// That of a compare-exchange that fails.
    pub(super) failure: Option<Ordering>,
    /// What the access is in the text, if that is something else.
    pub(super) written: Option<Written>,
    /// The call in whose function it is.
    pub(super) call: Option<CallId>,
    pub(super) role: Role,
    /// The lock that the thread certainly holds if the instruction does nothing.
    pub(super) checks: Option<i64>,
    /// What it does to locks.
    pub(super) holds: Option<Holds>,
}

/// What an instruction does to the locks that its thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// It is passed if the lock at this address was taken; by no other thread, if that is so.
    Takes(i64, bool),
    /// The lock at this address is released; that of any, if the address is not known.
    Releases(Option<i64>),
    /// The thread with this number starts.
    Creates(usize),
    /// The thread with this number has ended.
    Joins(usize),
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
    /// That of a key, or of a handler for the end of the process.
    Ending,
    /// A grace period of RCU.
    GracePeriod,
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
    /// The operations that compilers may translate in several ways, in the order of their instructions.
    pub(super) operations: Vec<Operation>,
    /// The numbers that the names of registers have got so far.
    numbers: HashMap<String, usize>,
    /// The calls of functions, numbered within the thread.
    pub(super) calls: Vec<Call>,
    /// The one whose function is being lowered.
    pub(super) call: Option<CallId>,
    /// Temporaries that were loaded by the last instruction and are not used yet.
    fresh: Option<RegId>,
    /// Accesses of scalars, to be checked once all of memory is known.
    pub(super) accesses: Vec<Access>,
    /// What can be done once only, where it is done.
    pub(super) once: Vec<Once>,
    /// Where it does something about read sections.
    pub(super) sections: Vec<Mark>,
    /// Steps to be filled in then.
    pub(super) gaps: Vec<Gap>,
    /// Where the accesses of words begin and end, by the instructions that do so.
    pub(super) words: Vec<(usize, usize)>,
    /// The one of these that is being made.
    pub(super) word: Option<usize>,
    /// Registers that are set in one place, and used only until it is met again.
    lasting: BTreeSet<RegId>,
}

impl Graph for Code {
    type Edge = Instr;

    fn locations(&self) -> usize {
        self.locations.len()
    }

    fn edges(&self) -> &[Instr] {
        &self.instructions
    }

    fn ends(edge: &Instr) -> (Loc, Loc) {
        (edge.from, edge.to)
    }
}

impl Code {
    /// What is known at the beginning, and nothing elsewhere.
    pub(super) fn entered<T: Clone>(&self, known: T) -> Vec<Option<T>> {
        let mut start = vec![None; self.locations.len()];
        start[0] = Some(known);
        start
    }

    pub(super) fn new(name: String, origin: Origin) -> Self {
        Self {
            name,
            origin,
            locations: vec![origin],
            instructions: Vec::new(),
            registers: Vec::new(),
            operations: Vec::new(),
            numbers: HashMap::new(),
            calls: Vec::new(),
            call: None,
            fresh: None,
            accesses: Vec::new(),
            once: Vec::new(),
            sections: Vec::new(),
            gaps: Vec::new(),
            words: Vec::new(),
            word: None,
            lasting: BTreeSet::new(),
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

    /// A register that keeps what it is set to for as long as that is used.
    pub(super) fn lasting(&mut self, name: &str) -> RegId {
        let register = self.register(name);
        self.lasting.insert(register);
        register
    }

    /// Whether a register is one of those. If so, what is in it stays there.
    pub(super) fn lasts(&mut self, register: RegId) -> bool {
        let lasts = self.lasting.contains(&register);
        if lasts && self.fresh == Some(register) {
            self.fresh = None;
        }
        lasts
    }

    /// Whether anything happens in it.
    pub(super) fn acts(&self) -> bool {
        self.instructions.iter().any(|instr| instr.op != Op::Skip)
    }

    /// Whether other threads may see that it is executed.
    pub(super) fn is_visible(&self) -> bool {
        self.instructions.iter().any(|instr| is_visible(&instr.op))
    }

    /// Whether anything that may be seen is executed, or it depends on conditions what is.
    pub(super) fn is_constrained(&self) -> bool {
        let conditional = |op: &Op| is_visible(op) || matches!(op, Op::Assume(_));
        self.instructions.iter().any(|instr| conditional(&instr.op))
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
            | Op::WordBegin(_)
            | Op::AtomicEnd => None,
        };
        let ordering = if op == Op::Skip {
            Ordering::Relaxed
        } else {
            Ordering::AcqRel
        };
        self.instructions.push(Instr {
            from,
            op,
            to,
            origin,
            limit: false,
            fault: None,
            position: false,
            strengthened: false,
            ordering,
            failure: None,
            written: None,
            call: self.call,
            role: Role::default(),
            checks: None,
            holds: None,
        });
    }

    /// Whether a way leads from one location to another.
    pub(super) fn leads(&self, from: Loc, to: Loc) -> bool {
        self.reached(from)[to]
    }

    /// By location: whether a way leads there from this one.
    pub(super) fn reached(&self, from: Loc) -> Vec<bool> {
        Flow::forward(self).reached([from], |_| true)
    }

    /// Whether every way from the start to a location leads through another one.
    pub(super) fn dominates(&self, through: Loc, to: Loc) -> bool {
        let avoids = |at: Loc| at != through;
        let others =
            Flow::forward(self).reached(Some(0).filter(|&at| avoids(at)), |instr| avoids(instr.to));
        !others[to]
    }

    /// The instruction that was added last.
    pub(super) fn last(&mut self) -> Option<&mut Instr> {
        self.instructions.last_mut()
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
                | Op::WordBegin(_)
                | Op::AtomicEnd => {}
            }
            self.fresh = None;
            return from;
        }
        self.step(from, Op::Assign { into, value }, origin)
    }
}
