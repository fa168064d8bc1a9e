//! Moves: an access or a block of a thread, with the local steps after it.

use super::Run;
use crate::program::{Addr, InstrId, LocId, Op, ThreadId};
use crate::reference::machine::{Config, Machine};
use crate::reference::rules::MOST_CHOICES;
use crate::reference::{Action, Step};
use smallvec::SmallVec;

/// A move has this many steps at most.
const MOST_STEPS: usize = 1 << 10;

/// For each so many steps, a move counts as one more.
const SHORT: usize = 8;

/// The steps of a thread: mostly one.
pub(super) type Steps = SmallVec<[Step; 2]>;

/// What a move does.
#[derive(Default, Debug)]
pub(super) struct Move {
    pub(super) path: Vec<InstrId>,
    /// Whether it ends inside a block that cannot be left.
    pub(super) is_stuck: bool,
    /// The cells, in order.
    pub(super) reads: Vec<Addr>,
    /// The cells with the values before and after, in order.
    pub(super) writes: Vec<(Addr, i32, i32)>,
}

impl Move {
    pub(super) fn clear(&mut self) {
        self.path.clear();
        self.is_stuck = false;
        self.reads.clear();
        self.writes.clear();
    }

    /// Whether both execute the same, and write the same values.
    pub(super) fn does_same(&self, other: &Move) -> bool {
        let writes = self.writes.iter().map(|&(addr, _, new)| (addr, new));
        let others = other.writes.iter().map(|&(addr, _, new)| (addr, new));
        self.path == other.path && self.is_stuck == other.is_stuck && writes.eq(others)
    }

    pub(super) fn is_written(&self, addr: Addr) -> bool {
        self.writes.iter().any(|&(written, _, _)| written == addr)
    }

    /// Takes the writes back.
    pub(super) fn undo(&self, config: &mut Config) {
        for &(addr, old, _) in self.writes.iter().rev() {
            config.memory[addr.index()] = old;
        }
    }

    /// Writes again.
    pub(super) fn redo(&self, config: &mut Config) {
        for &(addr, _, new) in &self.writes {
            config.memory[addr.index()] = new;
        }
    }
}

/// Where a thread is.
pub(super) struct Place {
    pub(super) loc: LocId,
    pub(super) registers: SmallVec<[i32; 16]>,
}

impl Place {
    pub(super) fn of(machine: &Machine<'_>, config: &Config, thread: ThreadId) -> Self {
        Self {
            loc: config.locations[thread.index()],
            registers: machine.registers_of(config, thread).into(),
        }
    }

    pub(super) fn is(&self, machine: &Machine<'_>, config: &Config, thread: ThreadId) -> bool {
        self.loc == config.locations[thread.index()]
            && self.registers.as_slice() == machine.registers_of(config, thread)
    }

    pub(super) fn put(&self, machine: &Machine<'_>, config: &mut Config, thread: ThreadId) {
        config.locations[thread.index()] = self.loc;
        config.registers[machine.slots(thread)].copy_from_slice(&self.registers);
    }
}

/// Nothing can be said: what would have to be followed is too long, does not end, or fails.
pub(in crate::search) struct Unclear;

impl Run<'_, '_> {
    /// Takes a step, and the local ones after it, or those of its block. A store reaches memory at once.
    pub(super) fn move_on(&mut self, first: Step, moved: &mut Move) -> Result<(), Unclear> {
        let moves = self.move_steps(first, moved);
        let cost = 1 + moved.path.len() / SHORT;
        self.left = self.left.checked_sub(cost).ok_or(Unclear)?;
        moves
    }

    fn move_steps(&mut self, first: Step, moved: &mut Move) -> Result<(), Unclear> {
        moved.clear();
        let machine = self.machine;
        let thread = first.thread();
        let mut steps = Steps::new();
        let mut step = first;
        loop {
            let Step::Execute { instr, .. } = step else {
                return Err(Unclear);
            };
            let fails = machine.failed_assert(&self.scratch.here, step).is_some();
            if fails || moved.path.len() == MOST_STEPS || !self.take(step, moved) {
                return Err(Unclear);
            }
            moved.path.push(instr);
            let here = &mut self.scratch.here;
            self.reduce.normalise_thread(here, thread);
            let inside = machine.inside(here) == Some(thread);
            let goes_on = |t| t == thread;
            if !inside && self.reduce.only_local(machine, here, goes_on).is_none() {
                return Ok(());
            }
            steps.clear();
            self.possible(thread, &mut steps)?;
            match *steps.as_slice() {
                [next] => step = next,
                [] if inside => {
                    moved.is_stuck = true;
                    return Ok(());
                }
                _ if inside => return Err(Unclear),
                _ => return Ok(()),
            }
        }
    }

    /// Takes one step; returns whether it can be taken.
    fn take(&mut self, step: Step, moved: &mut Move) -> bool {
        let (machine, here) = (self.machine, &mut self.scratch.here);
        let thread = step.thread();
        // The value before a write is needed, and the address depends on registers that may change.
        let cell = match step {
            Step::Execute { instr, .. } => {
                let op = &machine.program.thread(thread).instruction(instr).op;
                let addr = op.address();
                addr.and_then(|addr| machine.cell(here, thread, addr).ok())
            }
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => None,
        };
        let old = cell.map_or(0, |addr| here.memory[addr.index()]);
        match machine.apply(here, step) {
            Ok(Action::Load { addr, .. }) => moved.reads.push(addr),
            Ok(Action::Flush { addr, value }) => moved.writes.push((addr, old, value)),
            Ok(Action::Rmw { addr, new, .. }) => {
                moved.reads.push(addr);
                moved.writes.push((addr, old, new));
            }
            Ok(Action::Issue { .. } | Action::Local) => {
                // The stores of a word access leave when it has ended.
                while let Some((addr, value)) = here.buffers[thread.index()].oldest_store() {
                    let old = here.memory[addr.index()];
                    if machine.apply(here, Step::Flush { thread, addr }).is_err() {
                        return machine.inside(here) == Some(thread);
                    }
                    moved.writes.push((addr, old, value));
                }
            }
            Ok(Action::Fence | Action::Advance { .. } | Action::Retire) => {}
            Err(_) => return false,
        }
        true
    }

    /// Appends the steps that a thread with an empty buffer can take.
    pub(super) fn possible(&self, thread: ThreadId, steps: &mut Steps) -> Result<(), Unclear> {
        let (machine, config) = (self.machine, &self.scratch.here);
        let automaton = machine.program.thread(thread);
        for &instr in automaton.outgoing(config.locations[thread.index()]) {
            let step = |choice| Step::Execute {
                thread,
                instr,
                choice,
            };
            let op = &automaton.instruction(instr).op;
            let is_outside = |addr| machine.cell(config, thread, addr).is_err();
            if op.address().is_some_and(is_outside) {
                return Err(Unclear);
            }
            match op {
                Op::Havoc { low, high, .. } => {
                    if i64::from(*high) - i64::from(*low) >= MOST_CHOICES {
                        return Err(Unclear);
                    }
                    steps.extend((*low..=*high).map(|value| step(Some(value))));
                }
                Op::Assume(e) if machine.eval(config, thread, e) == 0 => {}
                Op::Skip
                | Op::Assign { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::Fence(_)
                | Op::AtomicBegin
                | Op::WordBegin(_)
                | Op::AtomicEnd => steps.push(step(None)),
            }
        }
        Ok(())
    }
}
