//! Programs as the checker sees them: numbered cells, threads as graphs of instructions, properties.
//!
//! Cells are numbered from 0; their addresses start at 1, in the order of their declaration. What is not
//! written in the text is computed here: which locations are [inside](blocks) atomic blocks and accesses of
//! several cells, and which registers may still be read.

mod blocks;

pub(super) use blocks::Word;

use super::Refusal;
use super::expr::{Expr, Var};
use super::machine::Model;

/// The address of the cell with index 0.
pub(super) const FIRST_ADDRESS: i32 = 1;

/// A program with more instructions than this is refused: some checks take time that grows with the square.
pub(super) const MOST_INSTRUCTIONS: usize = 30_000;

/// And one of whose threads the locations times the registers are more: what is known of each register at
/// each location is kept.
const MOST_REGISTERS: usize = 1 << 22;

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub(super) regions: Vec<Region>,
    /// The initial values of all cells.
    pub(super) cells: Vec<i32>,
    pub(super) threads: Vec<Thread>,
    pub(super) properties: Vec<(Kind, Expr)>,
}

/// Consecutive cells with one name.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Region {
    pub(super) name: String,
    /// The index of the first cell.
    pub(super) first: usize,
    pub(super) length: usize,
    pub(super) array: bool,
}

/// What a property says of its predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Never true when nothing is buffered.
    Forbid,
    /// True whenever all threads have ended.
    Final,
    /// An observation, not a claim: true at some end.
    Exists,
    /// Never true in a configuration that is stuck.
    Stuck,
    /// About one thread that waits forever while others act, which no certificate covers.
    Starved,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Thread {
    pub(super) name: String,
    /// Whether it exists in any number of copies.
    pub(super) any_number: bool,
    /// The registers' names and initial values.
    pub(super) registers: Vec<(String, i32)>,
    pub(super) locations: Vec<String>,
    pub(super) entry: usize,
    pub(super) instructions: Vec<Instruction>,
    /// By location: the instructions that leave it.
    pub(super) leaving: Vec<Vec<usize>>,
    /// By location: whether it is inside an atomic block or an access of several cells.
    pub(super) inside: Vec<bool>,
    /// By location: what it is inside of, if that is an access of several cells.
    pub(super) words: Vec<Option<Word>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Instruction {
    pub(super) from: usize,
    pub(super) op: Op,
    pub(super) to: usize,
    /// What the text says of a fence before it: `@nofence`, `@cost 3`.
    pub(super) place: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Op {
    Skip,
    Assign(usize, Expr),
    Choose(usize, i32, i32),
    Assume(Expr),
    Assert(Expr),
    Load(usize, Expr),
    Store(Expr, Expr),
    Locked(usize, Expr, Update),
    Fence,
    /// Orders earlier stores to these cells before later stores; without cells, to all.
    LightFence(Vec<usize>),
    /// Waits until all buffers are empty.
    Barrier,
    Lock,
    /// Begins an access of several cells.
    Word(Overlap),
    Unlock,
}

impl Op {
    /// The address of an access.
    fn address(&self) -> Option<&Expr> {
        self.access().map(|(address, _)| address)
    }
}

/// What a load of several cells does if an own store that is buffered has some of its cells, and not all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overlap {
    /// It reads what is buffered, and the rest from memory.
    Combine,
    /// It waits until that store has left.
    Wait,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Update {
    CompareExchange(Expr, Expr),
    Exchange(Expr),
    Add(Expr),
    Sub(Expr),
    And(Expr),
    Or(Expr),
}

impl Update {
    /// The new value of the cell.
    pub(super) fn apply(&self, old: i32, eval: impl Fn(&Expr) -> i32) -> i32 {
        match self {
            Update::CompareExchange(expected, _) if old != eval(expected) => old,
            Update::CompareExchange(_, new) | Update::Exchange(new) => eval(new),
            Update::Add(e) => old.wrapping_add(eval(e)),
            Update::Sub(e) => old.wrapping_sub(eval(e)),
            Update::And(e) => old & eval(e),
            Update::Or(e) => old | eval(e),
        }
    }

    fn operands(&self) -> Vec<&Expr> {
        match self {
            Update::CompareExchange(a, b) => vec![a, b],
            Update::Exchange(a)
            | Update::Add(a)
            | Update::Sub(a)
            | Update::And(a)
            | Update::Or(a) => {
                vec![a]
            }
        }
    }
}

impl Op {
    /// The address that is accessed, and whether it is written.
    pub(super) fn access(&self) -> Option<(&Expr, bool)> {
        match self {
            Op::Load(_, addr) => Some((addr, false)),
            Op::Store(addr, _) | Op::Locked(_, addr, _) => Some((addr, true)),
            Op::Skip
            | Op::Assign(..)
            | Op::Choose(..)
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence
            | Op::LightFence(_)
            | Op::Barrier
            | Op::Lock
            | Op::Word(_)
            | Op::Unlock => None,
        }
    }

    /// Whether the thread's own buffers are empty when it is executed.
    pub(super) fn drains(&self) -> bool {
        match self {
            Op::Locked(..) | Op::Fence | Op::Barrier | Op::Lock => true,
            Op::Skip
            | Op::Assign(..)
            | Op::Choose(..)
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load(..)
            | Op::Store(..)
            | Op::LightFence(_)
            | Op::Word(_)
            | Op::Unlock => false,
        }
    }

    fn writes_register(&self) -> Option<usize> {
        match self {
            Op::Assign(into, _)
            | Op::Choose(into, ..)
            | Op::Load(into, _)
            | Op::Locked(into, ..) => Some(*into),
            Op::Skip
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Store(..)
            | Op::Fence
            | Op::LightFence(_)
            | Op::Barrier
            | Op::Lock
            | Op::Word(_)
            | Op::Unlock => None,
        }
    }

    fn reads(&self) -> Vec<&Expr> {
        match self {
            Op::Assign(_, e) | Op::Assume(e) | Op::Assert(e) | Op::Load(_, e) => vec![e],
            Op::Store(a, b) => vec![a, b],
            Op::Locked(_, addr, update) => {
                let mut all = update.operands();
                all.push(addr);
                all
            }
            Op::Skip
            | Op::Choose(..)
            | Op::Fence
            | Op::LightFence(_)
            | Op::Barrier
            | Op::Lock
            | Op::Word(_)
            | Op::Unlock => Vec::new(),
        }
    }
}

impl Thread {
    /// Computes what the text does not say. Refuses graphs that are not well formed.
    pub(super) fn complete(&mut self) -> Result<(), Refusal> {
        let known = self.locations.len().saturating_mul(self.registers.len());
        if known > MOST_REGISTERS {
            return Err(Refusal::unreadable(
                "the program is too large to be checked",
            ));
        }
        self.leaving = vec![Vec::new(); self.locations.len()];
        for (number, instruction) in self.instructions.iter().enumerate() {
            self.leaving[instruction.from].push(number);
        }
        self.find_blocks()
    }

    /// Whether a thread at this location has ended.
    pub(super) fn ends(&self, at: usize) -> bool {
        self.leaving[at].is_empty()
    }

    /// By location: the registers whose values may be read from there on. Those that `kept` names always
    /// count.
    pub(super) fn live(&self, kept: &[bool]) -> Vec<Vec<bool>> {
        let mut live = vec![kept.to_vec(); self.locations.len()];
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for (number, instruction) in self.instructions.iter().enumerate() {
            before[instruction.to].push(number);
        }
        let add = |live: &mut Vec<Vec<bool>>, at: usize, register: usize| {
            let new = !live[at][register];
            live[at][register] = true;
            new
        };
        let mut work = Vec::new();
        for instruction in &self.instructions {
            for e in instruction.op.reads() {
                e.each_var(&mut |var| {
                    if let Var::Own(register) = var
                        && add(&mut live, instruction.from, register)
                    {
                        work.push((instruction.from, register));
                    }
                });
            }
        }
        while let Some((at, register)) = work.pop() {
            for &number in &before[at] {
                let Instruction { from, op, .. } = &self.instructions[number];
                if op.writes_register() != Some(register) && add(&mut live, *from, register) {
                    work.push((*from, register));
                }
            }
        }
        live
    }
}

impl Program {
    /// The index of the cell at this address.
    pub(super) fn cell_at(&self, address: i32) -> Option<usize> {
        let index = usize::try_from(address.checked_sub(FIRST_ADDRESS)?).ok()?;
        (index < self.cells.len()).then_some(index)
    }

    /// The cell that an access always touches, if its address is constant.
    pub(super) fn fixed_cell(&self, address: &Expr) -> Option<usize> {
        address.constant().and_then(|address| self.cell_at(address))
    }

    /// The name of a cell.
    pub(super) fn cell_name(&self, cell: usize) -> String {
        let region = self
            .regions
            .iter()
            .rev()
            .find(|region| region.first <= cell);
        match region {
            Some(region) if region.array => format!("{}[{}]", region.name, cell - region.first),
            Some(region) => region.name.clone(),
            None => cell.to_string(),
        }
    }

    /// The numbers of the properties that are observations.
    pub fn observations(&self) -> Vec<usize> {
        let numbered = self.properties.iter().enumerate();
        let observed = numbered.filter(|(_, (kind, _))| *kind == Kind::Exists);
        observed.map(|(number, _)| number).collect()
    }

    /// Why no certificate can be about the program, if there is a reason.
    pub fn unsupported(&self) -> Option<&'static str> {
        let wide = |instruction: &Instruction| {
            matches!(instruction.op, Op::Choose(_, low, high)
                if i64::from(high) - i64::from(low) >= 256)
        };
        let mut all = self.threads.iter().flat_map(|thread| &thread.instructions);
        all.any(wide)
            .then_some("a `nondet` over more than 256 values is not enumerated")
    }

    /// Reads a program in the automaton form.
    ///
    /// # Errors
    ///
    /// The first thing that is not in that form.
    pub fn read(text: &str) -> Result<Program, Refusal> {
        super::text::read(text)
    }

    /// Whether some property is about a thread that waits forever while others act.
    pub fn is_about_starving(&self) -> bool {
        self.properties
            .iter()
            .any(|(kind, _)| *kind == Kind::Starved)
    }

    /// Whether some thread waits for the buffers of all.
    pub fn has_barrier(&self) -> bool {
        let mut all = self.threads.iter().flat_map(|thread| &thread.instructions);
        all.any(|instruction| instruction.op == Op::Barrier)
    }

    /// Whether some load of several cells waits for own stores that overlap it.
    pub fn has_waiting_loads(&self) -> bool {
        let mut all = self.threads.iter().flat_map(|thread| &thread.instructions);
        all.any(|instruction| instruction.op == Op::Word(Overlap::Wait))
    }

    /// Whether some atomic block may fail to end after it has read this many times or more. This says so
    /// of every block that has a condition, a computed address or two ways that meet after that.
    pub(super) fn may_stay_in_block(&self, reads: usize) -> bool {
        let mut threads = self.threads.iter();
        threads.any(|thread| self.may_stay(thread, reads))
    }

    fn may_stay(&self, thread: &Thread, reads: usize) -> bool {
        let starts = thread.instructions.iter().filter(|i| i.op == Op::Lock);
        let mut seen: Vec<(usize, usize)> = starts.map(|i| (i.to, 0)).collect();
        seen.sort_unstable();
        seen.dedup();
        let mut next = 0;
        while let Some(&(at, before)) = seen.get(next) {
            next += 1;
            let inside = thread.instructions.iter().filter(|i| i.from == at);
            for instruction in inside.filter(|_| thread.inside[at]) {
                let waits = matches!(instruction.op, Op::Assume(_) | Op::Barrier);
                if before == reads && (waits || !self.has_cell(&instruction.op)) {
                    return true;
                }
                let read = matches!(instruction.op, Op::Load(..) | Op::Locked(..));
                let after = (before + usize::from(read)).min(reads);
                if !seen.contains(&(instruction.to, after)) {
                    seen.push((instruction.to, after));
                } else if after == reads && thread.inside[instruction.to] {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the address of this instruction, if it has one, is certainly that of a cell.
    fn has_cell(&self, op: &Op) -> bool {
        op.address().is_none_or(|address| match address {
            Expr::Number(value) => self.cell_at(*value).is_some(),
            Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::If(_) => false,
        })
    }

    /// Whether an assertion, or an access that may be outside shared memory, is inside an atomic block.
    fn has_goal_in_block(&self) -> bool {
        self.threads.iter().any(|thread| {
            let mut inside = thread.instructions.iter().filter(|i| thread.inside[i.from]);
            inside.any(|i| matches!(i.op, Op::Assert(_)) || !self.has_cell(&i.op))
        })
    }

    /// Whether robustness implies that no goal is reached that is not reached under SC. It is not about
    /// blocks that may never end.
    pub fn keeps_goals(&self, model: Model) -> bool {
        !(model.reorders_stores() && self.has_goal_in_block() && self.may_stay_in_block(1))
    }

    /// The number of threads.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// The program with a full fence before every instruction that leaves one of these locations. A
    /// thread there has not executed the fence yet.
    ///
    /// # Errors
    ///
    /// If there is no such location outside atomic blocks that an instruction leaves.
    pub fn fenced(&self, points: &[(usize, usize)]) -> Result<Program, Refusal> {
        let mut program = self.clone();
        for &(thread, at) in points {
            if !self.may_be_fenced(thread, at) {
                return Err(Refusal::refuted(format!(
                    "no fence can be at {thread}:{at}"
                )));
            }
            let thread = &mut program.threads[thread];
            let after = thread.locations.len();
            thread
                .locations
                .push(format!("{} fenced", thread.locations[at]));
            for instruction in &mut thread.instructions {
                if instruction.from == at {
                    instruction.from = after;
                }
            }
            thread.instructions.push(Instruction {
                from: at,
                op: Op::Fence,
                to: after,
                place: String::new(),
            });
        }
        for thread in &mut program.threads {
            thread.complete()?;
        }
        Ok(program)
    }

    /// Whether a fence can be inserted before the instructions that leave this location.
    pub(super) fn may_be_fenced(&self, thread: usize, at: usize) -> bool {
        let found = self.threads.get(thread);
        found.is_some_and(|thread| {
            at < thread.locations.len() && !thread.inside[at] && !thread.ends(at)
        })
    }
}
