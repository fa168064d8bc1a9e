//! The transition rules: what each step requires of a configuration and does to it.
//!
//! The rules are those of [BDM13, Table 1] for TSO and of [DMS17, Fig. 3] for the store-atomic
//! framework; PSO has one FIFO per thread and address, SC no buffers. Beyond the papers:
//!
//! * a *locked instruction* waits until the thread's own buffers are empty and accesses memory
//!   directly;
//! * an *atomic block* is entered with empty own buffers; while a thread is inside one, no other
//!   thread executes and no buffered item moves; stores inside write memory directly, and fences
//!   have no effect;
//! * a *word access* is entered whatever the buffers are, and nothing else moves until it ends; its stores are
//!   buffered, and when the first of them leaves a buffer the others follow before anything else happens. One of loads that
//!   [waits](Overlap::Wait) is not entered while an own store that is buffered overlaps it, unless one access serves it;
//! * `fence` waits until the thread's own buffers are empty, `barrier all` until all buffers are;
//! * lightweight fences are buffered under PSO and PGAS and do nothing under SC and TSO, which keep
//!   all stores of a thread in order in any case;
//! * an access whose address is not a cell is never executed.
//!
//! **Invariant.** There is one definition of each rule, [`Machine::apply`]. Searches propose
//! candidate steps and keep those that it accepts; a rejected step changes nothing.

use super::buffer::{Buffer, BufferItem, Join};
use super::machine::{Config, Machine};
use super::{Action, Step};
use crate::model::Model;
use crate::program::{Addr, Fence, InstrId, Op, Overlap, Site, ThreadId};

/// A `nondet` over more values than this is not enumerated.
pub const MOST_CHOICES: i64 = 256;

/// Why a step cannot be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such thread or instruction.
    NoSuchInstruction,
    /// The instruction does not leave the thread's location.
    Elsewhere,
    /// This other thread is inside an atomic block.
    Locked(ThreadId),
    /// The assumption is false.
    Assumption,
    /// The address is not a cell.
    Outside(i32),
    /// This thread's buffers must be empty but are not.
    Buffered(ThreadId),
    /// A store to this cell must advance before the fence is issued.
    Fenced(Addr),
    /// This thread has to wait until a store that overlaps the load has left its buffer.
    Overlapped(ThreadId),
    /// A `nondet` without a value in its range, or a value for another instruction.
    Choice,
    /// No buffered item can make this move now.
    NoMove,
}

impl Machine<'_> {
    /// Appends every step that might be possible: threads and instructions in order, executions
    /// before buffer moves. Only a `nondet` over too many values is omitted; the first such
    /// instruction is returned.
    pub fn propose(&self, config: &Config, steps: &mut Vec<Step>) -> Option<Site> {
        let mut too_wide = None;
        let inside = self.inside(config);
        for thread in self.program.thread_ids() {
            if inside.is_some_and(|owner| owner != thread) {
                continue;
            }
            let automaton = self.program.thread(thread);
            for &instr in automaton.outgoing(config.locations[thread.index()]) {
                if let Op::Havoc { low, high, .. } = automaton.instruction(instr).op {
                    if i64::from(high) - i64::from(low) >= MOST_CHOICES {
                        too_wide.get_or_insert(Site { thread, instr });
                        continue;
                    }
                    steps.extend((low..=high).map(|value| Step::Execute {
                        thread,
                        instr,
                        choice: Some(value),
                    }));
                } else {
                    steps.push(Step::Execute {
                        thread,
                        instr,
                        choice: None,
                    });
                }
            }
            if inside.is_none() || self.has_words && self.leaving(config).is_some() {
                self.propose_moves(config, thread, steps);
            }
        }
        too_wide
    }

    /// Appends the buffer moves of this thread that might be possible.
    pub fn propose_moves(&self, config: &Config, thread: ThreadId, steps: &mut Vec<Step>) {
        let buffer = &config.buffers[thread.index()];
        if buffer.is_empty() {
            return;
        }
        match self.model {
            Model::Sc => {}
            Model::Tso | Model::Pgas => {
                let waiting = Buffer::cells(&buffer.waiting);
                steps.extend(waiting.map(|addr| Step::Advance { thread, addr }));
                steps.extend(buffer.fifo.first().map(|&head| match head {
                    BufferItem::Store { addr, .. } => Step::Flush { thread, addr },
                    BufferItem::Fence(_) => Step::Retire { thread },
                }));
            }
            Model::Pso => {
                let free = Buffer::cells(&buffer.waiting);
                steps.extend(free.map(|addr| Step::Flush { thread, addr }));
                steps.push(Step::Retire { thread });
            }
        }
    }

    /// Takes a step, or rejects it.
    ///
    /// # Errors
    ///
    /// Why the model does not allow the step here. The configuration may then be changed in part.
    pub fn apply(&self, config: &mut Config, step: Step) -> Result<Action, Refusal> {
        let thread = step.thread();
        if thread.index() >= self.program.threads().len() {
            return Err(Refusal::NoSuchInstruction);
        }
        if let Some(owner) = self.inside(config)
            && owner != thread
        {
            return Err(Refusal::Locked(owner));
        }
        // Nothing leaves a buffer during a word access.
        let loc = config.locations[thread.index()];
        let is_move = !matches!(step, Step::Execute { .. });
        if self.has_words && is_move && self.program.thread(thread).location(loc).atomic {
            return Err(Refusal::Locked(thread));
        }
        if self.has_words && self.leaving(config).is_some() {
            let buffer = &config.buffers[thread.index()];
            let is_next = match step {
                Step::Flush { addr, .. } if self.model == Model::Pso => {
                    buffer.follows_waiting(addr)
                }
                Step::Flush { addr, .. } => buffer.follows(addr),
                Step::Advance { addr, .. } => buffer.follows_waiting(addr),
                Step::Execute { .. } | Step::Retire { .. } => false,
            };
            if !is_next {
                return Err(Refusal::Locked(thread));
            }
        }
        let buffer = &mut config.buffers[thread.index()];
        match step {
            Step::Execute { instr, choice, .. } => self.execute(config, thread, instr, choice),
            Step::Advance { addr, .. } => match self.model {
                Model::Pgas => buffer.advance(addr),
                Model::Sc | Model::Tso | Model::Pso => None,
            }
            .map(|value| Action::Advance { addr, value })
            .ok_or(Refusal::NoMove),
            Step::Flush { addr, .. } => {
                let value = match self.model {
                    Model::Tso | Model::Pgas => buffer.dequeue_store(addr),
                    Model::Pso => buffer.release_store(addr),
                    Model::Sc => None,
                }
                .ok_or(Refusal::NoMove)?;
                config.memory[addr.index()] = value;
                Ok(Action::Flush { addr, value })
            }
            Step::Retire { .. } => match self.model {
                Model::Pgas => buffer.dequeue_fence(),
                Model::Pso => buffer.release_fence(|fence, addr| self.covers(fence, addr)),
                Model::Sc | Model::Tso => false,
            }
            .then_some(Action::Retire)
            .ok_or(Refusal::NoMove),
        }
    }

    fn execute(
        &self,
        config: &mut Config,
        thread: ThreadId,
        instr: InstrId,
        choice: Option<i32>,
    ) -> Result<Action, Refusal> {
        let t = thread.index();
        let automaton = self.program.thread(thread);
        let Some(instruction) = automaton.instructions().get(instr.index()) else {
            return Err(Refusal::NoSuchInstruction);
        };
        if config.locations[t] != instruction.from {
            return Err(Refusal::Elsewhere);
        }
        let action = match &instruction.op {
            Op::Havoc { into, low, high } => {
                let value = choice.filter(|value| (*low..=*high).contains(value));
                config.registers[self.slot(thread, *into)] = value.ok_or(Refusal::Choice)?;
                Action::Local
            }
            _ if choice.is_some() => return Err(Refusal::Choice),
            Op::Skip | Op::Assert(_) | Op::WordBegin(Overlap::Combine) => Action::Local,
            Op::WordBegin(Overlap::Wait) => {
                let cells = self.word_cells(config, Site { thread, instr });
                if !config.buffers[t].serves(&cells) {
                    return Err(Refusal::Overlapped(thread));
                }
                Action::Local
            }
            Op::AtomicEnd => {
                if self.has_words {
                    config.buffers[t].seal();
                }
                Action::Local
            }
            Op::AtomicBegin => {
                Self::require_empty(config, thread)?;
                Action::Local
            }
            Op::Assume(e) => {
                if self.eval(config, thread, e) == 0 {
                    return Err(Refusal::Assumption);
                }
                Action::Local
            }
            Op::Assign { into, value } => {
                let value = self.eval(config, thread, value);
                config.registers[self.slot(thread, *into)] = value;
                Action::Local
            }
            Op::Load { into, addr } => {
                let addr = self.cell(config, thread, addr)?;
                let buffered = config.buffers[t].newest(addr);
                let value = buffered.unwrap_or(config.memory[addr.index()]);
                config.registers[self.slot(thread, *into)] = value;
                Action::Load {
                    addr,
                    value,
                    early: buffered.is_some(),
                }
            }
            Op::Store { addr, value } => {
                let addr = self.cell(config, thread, addr)?;
                let value = self.eval(config, thread, value);
                let from = automaton.location(instruction.from);
                let inside = from.is_locked();
                let join = if from.word { Join::OPEN } else { Join::ALONE };
                let item = BufferItem::Store { addr, value, join };
                match self.model {
                    _ if inside => config.memory[addr.index()] = value,
                    Model::Sc => config.memory[addr.index()] = value,
                    Model::Tso => config.buffers[t].enqueue(item),
                    Model::Pso | Model::Pgas => config.buffers[t].wait(item),
                }
                if inside || !self.model.relaxes_store_load() {
                    Action::Flush { addr, value }
                } else {
                    Action::Issue { addr, value }
                }
            }
            Op::Rmw { into, addr, update } => {
                let addr = self.cell(config, thread, addr)?;
                Self::require_empty(config, thread)?;
                let old = config.memory[addr.index()];
                let new = update.apply(old, |reg| config.registers[self.slot(thread, reg)]);
                config.memory[addr.index()] = new;
                config.registers[self.slot(thread, *into)] = old;
                Action::Rmw { addr, old, new }
            }
            Op::Fence(fence) => {
                match fence {
                    Fence::Full => Self::require_empty(config, thread)?,
                    Fence::All => {
                        for other in self.program.thread_ids() {
                            Self::require_empty(config, other)?;
                        }
                    }
                    Fence::Store | Fence::Cells(_) => {
                        if let Some(fence) = self.buffered_fence(thread, instruction) {
                            self.issue_fence(&mut config.buffers[t], fence)?;
                        }
                    }
                }
                Action::Fence
            }
        };
        config.locations[t] = instruction.to;
        Ok(action)
    }

    fn issue_fence(&self, buffer: &mut Buffer, fence: usize) -> Result<(), Refusal> {
        if self.model.has_two_stages() {
            let waits = Buffer::cells(&buffer.waiting).find(|&addr| self.covers(fence, addr));
            if let Some(addr) = waits {
                return Err(Refusal::Fenced(addr));
            }
            buffer.enqueue(BufferItem::Fence(fence));
        } else {
            buffer.wait(BufferItem::Fence(fence));
        }
        Ok(())
    }

    fn require_empty(config: &Config, thread: ThreadId) -> Result<(), Refusal> {
        if config.buffers[thread.index()].is_empty() {
            Ok(())
        } else {
            Err(Refusal::Buffered(thread))
        }
    }

    /// Describes a refusal, as a sentence without a full stop.
    pub(super) fn explain(&self, refusal: Refusal) -> String {
        let name = |thread: ThreadId| self.program.thread(thread).name();
        match refusal {
            Refusal::NoSuchInstruction => "there is no such instruction".to_owned(),
            Refusal::Elsewhere => {
                "the thread is not at the location before the instruction".to_owned()
            }
            Refusal::Locked(owner) => {
                format!("thread `{}` is inside an atomic block", name(owner))
            }
            Refusal::Assumption => "the assumption is false".to_owned(),
            Refusal::Outside(value) => format!("address {value} is not a shared cell"),
            Refusal::Buffered(thread) => {
                format!("the buffer of thread `{}` is not empty", name(thread))
            }
            Refusal::Fenced(addr) => format!(
                "a store to `{}` has to leave its buffer before the fence",
                self.program.cell_name(addr)
            ),
            Refusal::Overlapped(thread) => format!(
                "a store in the buffer of thread `{}` overlaps the load without covering it",
                name(thread)
            ),
            Refusal::Choice => "the chosen value is not valid for the instruction".to_owned(),
            Refusal::NoMove => format!("the buffer cannot make this move under {}", self.model),
        }
    }
}
