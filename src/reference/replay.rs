//! Takes the steps of a computation one by one, checks each strictly, and records its effect.
//!
//! To find the instruction that issued a buffered item, the replay keeps a list of each thread's
//! pending items. In every model the stores of one thread to one address reach memory in the order
//! of issue, and its fences leave the buffer in that order, so the oldest matching item is always
//! the right one.

use super::machine::{Config, Machine};
use super::rules::Refusal;
use super::{Action, BufferChange, Buffered, Moment, ReplayError, Run, Step};
use crate::model::Model;
use crate::program::{Addr, Goal, InstrId, LocId, Program, Site, ThreadId};
use std::collections::{BTreeSet, VecDeque};

struct Pending {
    instr: InstrId,
    item: Buffered,
    /// PGAS: already in the FIFO.
    advanced: bool,
}

impl Pending {
    fn is_store_to(&self, cell: Addr) -> bool {
        match self.item {
            Buffered::Store { addr, .. } => addr == cell,
            Buffered::Fence { .. } => false,
        }
    }
}

/// Runs a computation step by step under the model's rules.
///
/// The end must be a halting configuration: nothing buffered, no thread inside an atomic block.
/// There is one exception. A computation may stop inside an atomic block if its last step failed an
/// assertion or the thread there is about to access an address outside shared memory. Stores that
/// other threads have buffered then stay buffered, because no buffer moves during the block. Such
/// an end decides no property.
///
/// # Errors
///
/// If a step cannot be taken, or the computation may not stop where it ends.
pub fn replay(program: &Program, model: Model, steps: &[Step]) -> Result<Run, ReplayError> {
    let mut replay = Replay::new(program, model);
    for &step in steps {
        replay.step(step)?;
    }
    replay.finish()
}

/// A computation in progress: steps are taken one by one, and the buffers can be inspected between
/// them.
pub struct Replay<'p> {
    machine: Machine<'p>,
    config: Config,
    pending: Vec<VecDeque<Pending>>,
    moments: Vec<Moment>,
    reached: BTreeSet<Goal>,
    blocks: u32,
    failed_last: Option<Site>,
}

impl<'p> Replay<'p> {
    /// The empty computation.
    pub fn new(program: &'p Program, model: Model) -> Self {
        let machine = Machine::with_properties(program, model);
        let config = machine.initial();
        let mut pending = Vec::new();
        pending.resize_with(program.threads().len(), VecDeque::new);
        Self {
            machine,
            config,
            pending,
            moments: Vec::new(),
            reached: BTreeSet::new(),
            blocks: 0,
            failed_last: None,
        }
    }

    /// The items that a thread has issued and that are still buffered, oldest first.
    pub fn buffered(&self, thread: ThreadId) -> impl Iterator<Item = &Buffered> {
        self.pending[thread.index()].iter().map(|entry| &entry.item)
    }

    /// Where a thread is.
    pub fn location(&self, thread: ThreadId) -> LocId {
        self.config.locations[thread.index()]
    }

    /// Appends the moves of what a thread has issued that might be possible.
    pub fn propose_moves(&self, thread: ThreadId, steps: &mut Vec<Step>) {
        self.machine.propose_moves(&self.config, thread, steps);
    }

    /// Takes a step, and moves all that the thread has issued to memory, unless it is amidst a word access.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn step_and_drain(&mut self, step: Step, taken: &mut Vec<Step>) -> Result<(), ReplayError> {
        let thread = step.thread();
        self.step(step)?;
        taken.push(step);
        let automaton = self.machine.program.thread(thread);
        if automaton.location(self.location(thread)).word {
            return Ok(());
        }
        loop {
            let items: Vec<Buffered> = self.buffered(thread).cloned().collect();
            let moves = items.iter().flat_map(|item| match *item {
                Buffered::Fence { .. } => vec![Step::Retire { thread }],
                Buffered::Store { addr, .. } => {
                    vec![Step::Flush { thread, addr }, Step::Advance { thread, addr }]
                }
            });
            let mut refused = None;
            let mut moves = moves.collect::<Vec<_>>().into_iter();
            let moved = moves.find(|&step| match self.step(step) {
                Ok(_) => true,
                Err(why) => {
                    refused.get_or_insert(why);
                    false
                }
            });
            match (moved, refused) {
                (Some(step), _) => taken.push(step),
                (None, None) => return Ok(()),
                (None, Some(why)) => return Err(why),
            }
        }
    }

    /// Takes a step.
    ///
    /// # Errors
    ///
    /// If the model does not allow it here. The computation is then as it was before.
    pub fn step(&mut self, step: Step) -> Result<&Moment, ReplayError> {
        let at = self.moments.len();
        let machine = &self.machine;
        let refuse = |refusal: Refusal| ReplayError {
            at,
            message: machine.explain(refusal),
        };
        if !exists(machine.program, step) {
            return Err(refuse(Refusal::NoSuchInstruction));
        }
        let failed = machine.failed_assert(&self.config, step);
        let is_executed = matches!(step, Step::Execute { .. });
        let inside = is_executed && machine.inside(&self.config).is_some();
        let action = machine.apply(&mut self.config, step).map_err(refuse)?;
        self.failed_last = failed;
        self.reached.extend(failed.map(Goal::Assert));
        let (site, buffer) =
            record(machine, &mut self.pending, step, &action).ok_or_else(|| ReplayError {
                at,
                message: "no issued store or fence matches this move".to_owned(),
            })?;
        let begins = match step {
            Step::Execute { .. } => machine.program.instruction(site).op.begins_block(),
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => false,
        };
        self.blocks += u32::from(begins);
        self.moments.push(Moment {
            step,
            site,
            action,
            block: (inside || begins).then(|| self.blocks - 1),
            buffer,
        });
        Ok(&self.moments[at])
    }

    /// Ends the computation here.
    ///
    /// # Errors
    ///
    /// If the computation may not stop here; see [`replay`].
    pub fn finish(mut self) -> Result<Run, ReplayError> {
        let (program, machine) = (self.machine.program, &self.machine);
        let inside = machine.inside(&self.config);
        for thread in program.thread_ids() {
            if inside.is_none_or(|owner| owner == thread) {
                self.reached
                    .extend(machine.outside(&self.config, thread).map(Goal::Outside));
            }
        }
        if machine.is_halting(&self.config) {
            let properties = 0..program.properties().len();
            self.reached.extend(
                properties
                    .filter(|&property| machine.decides(&self.config, property))
                    .map(Goal::Property),
            );
        } else {
            may_stop(machine, inside, self.failed_last, &self.reached).map_err(|message| {
                ReplayError {
                    at: self.moments.len(),
                    message,
                }
            })?;
        }
        Ok(Run {
            model: machine.model,
            end: machine.halt(&self.config),
            moments: self.moments,
            reached: self.reached.into_iter().collect(),
            shortest: false,
        })
    }
}

/// Whether the step names a thread and an instruction of the program.
fn exists(program: &Program, step: Step) -> bool {
    let threads = program.threads();
    match step {
        Step::Execute { thread, instr, .. } => threads
            .get(thread.index())
            .is_some_and(|automaton| instr.index() < automaton.instructions().len()),
        Step::Advance { thread, .. } | Step::Flush { thread, .. } | Step::Retire { thread } => {
            thread.index() < threads.len()
        }
    }
}

/// Updates the pending items. Returns the instruction that caused the step, and what it changes.
fn record(
    machine: &Machine<'_>,
    pending: &mut [VecDeque<Pending>],
    step: Step,
    action: &Action,
) -> Option<(Site, BufferChange)> {
    let (thread, instr, change) = match step {
        Step::Execute { thread, instr, .. } => {
            let site = Site { thread, instr };
            let item = match *action {
                Action::Issue { addr, value } => Some(Buffered::Store { addr, value }),
                Action::Fence => machine
                    .buffered_fence(thread, machine.program.instruction(site))
                    .map(|fence| Buffered::Fence {
                        cells: machine.fence_cells(fence).to_vec(),
                    }),
                Action::Flush { .. }
                | Action::Load { .. }
                | Action::Rmw { .. }
                | Action::Advance { .. }
                | Action::Retire
                | Action::Local => None,
            };
            let change = item.map_or(BufferChange::Kept, |item| {
                pending[thread.index()].push_back(Pending {
                    instr,
                    item: item.clone(),
                    advanced: false,
                });
                BufferChange::Entered(item)
            });
            (thread, instr, change)
        }
        Step::Advance { thread, addr } => {
            let entry = pending[thread.index()]
                .iter_mut()
                .find(|entry| !entry.advanced && entry.is_store_to(addr))?;
            entry.advanced = true;
            (thread, entry.instr, BufferChange::Kept)
        }
        Step::Flush { thread, addr } => {
            let oldest = |entry: &Pending| entry.is_store_to(addr);
            let (instr, change) = take(&mut pending[thread.index()], oldest)?;
            (thread, instr, change)
        }
        Step::Retire { thread } => {
            let oldest = |entry: &Pending| matches!(entry.item, Buffered::Fence { .. });
            let (instr, change) = take(&mut pending[thread.index()], oldest)?;
            (thread, instr, change)
        }
    };
    Some((Site { thread, instr }, change))
}

fn take(
    pending: &mut VecDeque<Pending>,
    which: impl Fn(&Pending) -> bool,
) -> Option<(InstrId, BufferChange)> {
    let place = pending.iter().position(which)?;
    Some((pending.remove(place)?.instr, BufferChange::Left(place)))
}

/// Whether a computation may stop in a configuration that is not halting.
fn may_stop(
    machine: &Machine<'_>,
    inside: Option<ThreadId>,
    failed_last: Option<Site>,
    reached: &BTreeSet<Goal>,
) -> Result<(), String> {
    let Some(owner) = inside else {
        return Err("a buffer is not empty at the end".to_owned());
    };
    let outside = reached.iter().any(|goal| match goal {
        Goal::Outside(site) => site.thread == owner,
        Goal::Assert(_) | Goal::Property(_) => false,
    });
    if failed_last.is_some() || outside {
        return Ok(());
    }
    Err(format!(
        "thread `{}` is inside an atomic block at the end",
        machine.program.thread(owner).name()
    ))
}
