//! A thread as an automaton: locations, the instructions between them, and registers.

use super::{CallId, FencePlace, InstrId, LocId, Op, Origin, Role, ThreadId};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An edge of a thread's automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The location before it.
    pub from: LocId,
    /// What it does.
    pub op: Op,
    /// The location after it.
    pub to: LocId,
    /// What a fence before it would cost.
    pub place: FencePlace,
    /// Where it was written.
    pub origin: Origin,
    /// The call in whose procedure it is; `None` in the thread's own text.
    pub call: Option<CallId>,
    /// What it is for.
    pub role: Role,
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name, unique in the thread: the user's label, or a generated one.
    pub name: String,
    /// Whether the name is the user's label.
    pub labelled: bool,
    /// Whether a thread that is here is inside an atomic block or a word access, where it cannot halt.
    pub atomic: bool,
    /// Whether it is inside a word access, whose stores go through the buffer.
    pub word: bool,
    /// Where the label, or else the next statement, was written.
    pub origin: Origin,
}

impl Location {
    /// Whether a thread that is here is inside an atomic block that it entered with empty buffers, so that it
    /// writes memory directly.
    pub fn is_locked(&self) -> bool {
        self.atomic && !self.word
    }
}

/// A register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// Its name, unique in the thread. Names with a `$` are temporaries of the front end.
    pub name: String,
    /// Its initial value.
    pub init: i32,
}

/// How many threads a declaration represents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Copies {
    /// One. Each of several declared copies (`[3]`) is a thread of its own.
    One,
    /// Any number (`[*]`).
    Any,
}

/// A thread's automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    pub(super) name: String,
    pub(super) copies: Copies,
    /// The thread with `[*]` that this one is, or is a copy of.
    pub(super) family: Option<ThreadId>,
    pub(super) registers: Vec<Register>,
    pub(super) locations: Vec<Location>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) entry: LocId,
    pub(super) outgoing: Vec<Vec<InstrId>>,
    pub(super) origin: Origin,
}

impl Thread {
    /// The name, unique in the program; copy 2 of `worker` is `worker.2`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many threads this one represents.
    pub fn copies(&self) -> Copies {
        self.copies
    }

    /// All registers.
    pub fn registers(&self) -> &[Register] {
        &self.registers
    }

    /// All locations.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// One location.
    pub fn location(&self, loc: LocId) -> &Location {
        &self.locations[loc.index()]
    }

    /// All instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// One instruction.
    pub fn instruction(&self, instr: InstrId) -> &Instruction {
        &self.instructions[instr.index()]
    }

    /// Where the thread starts.
    pub fn entry(&self) -> LocId {
        self.entry
    }

    /// The instructions that leave a location, in the order of their declaration.
    pub fn outgoing(&self, loc: LocId) -> &[InstrId] {
        &self.outgoing[loc.index()]
    }

    /// Whether a thread at this location has ended: no instruction leaves it.
    pub fn is_end(&self, loc: LocId) -> bool {
        self.outgoing[loc.index()].is_empty()
    }

    /// The instructions that may be executed in the atomic block that is entered at this location.
    pub fn block(&self, entry: LocId) -> Vec<InstrId> {
        let mut inside = Vec::new();
        let mut seen = BTreeSet::from([entry]);
        let mut open = vec![entry];
        while let Some(loc) = open.pop() {
            for &instr in self.outgoing(loc) {
                inside.push(instr);
                let to = self.instruction(instr).to;
                if self.location(to).atomic && seen.insert(to) {
                    open.push(to);
                }
            }
        }
        inside
    }

    /// The instructions of the word access that this one is a part of, from the one that enters it to the one that
    /// leaves it.
    pub fn word(&self, instr: InstrId) -> Option<Vec<InstrId>> {
        let begins = (0..self.instructions.len()).map(InstrId::from);
        let mut begins = begins.filter(|&begin| self.instruction(begin).op.begins_word());
        begins.find_map(|begin| {
            let mut all = vec![begin];
            let mut at = self.instruction(begin).to;
            while self.location(at).word {
                let &next = self.outgoing(at).first()?;
                all.push(next);
                at = self.instruction(next).to;
            }
            all.contains(&instr).then_some(all)
        })
    }

    /// The stores that reach memory together with this one, ascending: those of its word access, or itself alone. For a
    /// load, only itself.
    pub fn together(&self, instr: InstrId) -> Vec<InstrId> {
        let is_store = |instr: &InstrId| self.instruction(*instr).op.is_store();
        let is_part = self.location(self.instruction(instr).from).word && is_store(&instr);
        let word = is_part.then(|| self.word(instr)).flatten();
        word.map_or_else(
            || vec![instr],
            |word| word.into_iter().filter(is_store).collect(),
        )
    }

    /// Where the thread was declared.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Removes all instructions, so that the thread has ended where it starts.
    pub(super) fn stop(&mut self) {
        self.instructions.clear();
        self.outgoing.iter_mut().for_each(Vec::clear);
    }

    /// The thread with `[*]` that this one is, or is a copy of, if it was declared as one.
    pub fn family(&self) -> Option<ThreadId> {
        self.family
    }

    /// Whether another thread runs the same code from the same initial values. Names, positions in the
    /// text and the number of copies do not matter.
    pub fn runs_like(&self, other: &Thread) -> bool {
        self.entry == other.entry
            && self.outgoing == other.outgoing
            && self.initial().eq(other.initial())
            && self.instructions.len() == other.instructions.len()
            && self
                .locations
                .iter()
                .map(|location| (location.atomic, location.word))
                .eq(other
                    .locations
                    .iter()
                    .map(|location| (location.atomic, location.word)))
            && self
                .instructions
                .iter()
                .zip(&other.instructions)
                .all(|(a, b)| (a.from, &a.op, a.to) == (b.from, &b.op, b.to))
    }

    /// A number that is the same for threads that [run alike](Self::runs_like), and rarely for others.
    pub fn code(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.initial().for_each(|value| value.hash(&mut hasher));
        for Instruction { from, op, to, .. } in &self.instructions {
            (from, op, to).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn initial(&self) -> impl Iterator<Item = i32> {
        self.registers.iter().map(|register| register.init)
    }
}
