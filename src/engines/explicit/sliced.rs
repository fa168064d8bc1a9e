//! Computations of a slice as computations of the original.
//!
//! Data that the slice omits is put back where its instruction was skipped. Stores to irrelevant cells reach
//! memory as soon as the model allows it, so that nothing waits for them. Branches that the slice omits are
//! taken as the original decides them, to where all of them meet again, as soon as the slice is on its
//! own way there.

use crate::analysis::Sliced;
use crate::explicit::{Buffered, Replay, ReplayError, Step};
use crate::model::Model;
use crate::program::{LocId, Op, Program, Site, Thread, ThreadId};

/// The steps of the original that steps of a slice stand for, under the model that the slice is for.
///
/// # Errors
///
/// If the reference rejects a step: then the slice is not one of this program.
pub(super) fn restored(
    program: &Program,
    model: Model,
    sliced: &Sliced,
    steps: &[Step],
) -> Result<Vec<Step>, ReplayError> {
    let mut original = Original {
        program,
        sliced,
        replay: Replay::new(program, model),
        steps: Vec::new(),
    };
    // By thread: where the slice is, and where it has to arrive before its steps count again.
    let mut at: Vec<LocId> = program.threads().iter().map(Thread::entry).collect();
    let mut until: Vec<Option<LocId>> = vec![None; at.len()];
    for &step in steps {
        let Step::Execute { thread, instr, .. } = step else {
            original.move_item(step)?;
            continue;
        };
        let (at, until) = (&mut at[thread.index()], &mut until[thread.index()]);
        if until.is_none() {
            *until = sliced.end(thread, *at);
            match *until {
                Some(end) => original.go_on(thread, end)?,
                None => original.execute(Site { thread, instr }, step)?,
            }
        }
        *at = program.thread(thread).instruction(instr).to;
        if *until == Some(*at) {
            *until = None;
        }
    }
    Ok(original.steps)
}

struct Original<'p> {
    program: &'p Program,
    sliced: &'p Sliced,
    replay: Replay<'p>,
    steps: Vec<Step>,
}

impl Original<'_> {
    /// Takes a step, and then empties its thread's buffer of what is irrelevant as far as possible. In the
    /// buffers of other threads nothing can move that could not before: it waits for older items there.
    fn take(&mut self, step: Step) -> Result<(), ReplayError> {
        let (Step::Execute { thread, .. }
        | Step::Advance { thread, .. }
        | Step::Flush { thread, .. }
        | Step::Retire { thread }) = step;
        let mut next = Some(step);
        while let Some(step) = next {
            self.replay.step(step)?;
            self.steps.push(step);
            next = self.irrelevant_move(thread);
        }
        Ok(())
    }

    /// Moves an item in a buffer, unless it was moved before.
    fn move_item(&mut self, step: Step) -> Result<(), ReplayError> {
        let is_irrelevant = match step {
            Step::Advance { addr, .. } | Step::Flush { addr, .. } => !self.sliced.is_relevant(addr),
            Step::Execute { .. } | Step::Retire { .. } => false,
        };
        if is_irrelevant && !self.replay.allows(step) {
            return Ok(());
        }
        self.take(step)
    }

    /// A possible move of a thread's store to an irrelevant cell.
    fn irrelevant_move(&self, thread: ThreadId) -> Option<Step> {
        let moves = self.replay.buffered(thread).flat_map(|item| match *item {
            Buffered::Store { addr, .. } if !self.sliced.is_relevant(addr) => [
                Some(Step::Flush { thread, addr }),
                Some(Step::Advance { thread, addr }),
            ],
            Buffered::Store { .. } | Buffered::Fence { .. } => [None, None],
        });
        let mut moves = moves.flatten();
        moves.find(|&step| self.replay.allows(step))
    }

    /// Executes an instruction, with some choice if the slice has omitted it.
    fn execute(&mut self, site: Site, step: Step) -> Result<(), ReplayError> {
        let step = match step {
            Step::Execute { choice: None, .. } => self.first_choice(site),
            Step::Execute { .. }
            | Step::Advance { .. }
            | Step::Flush { .. }
            | Step::Retire { .. } => step,
        };
        self.take(step)
    }

    fn first_choice(&self, Site { thread, instr }: Site) -> Step {
        let op = &self.program.instruction(Site { thread, instr }).op;
        let choice = if let Op::Havoc { low, .. } = op {
            Some(*low)
        } else {
            None
        };
        Step::Execute {
            thread,
            instr,
            choice,
        }
    }

    /// Executes a thread until it arrives at a location.
    fn go_on(&mut self, thread: ThreadId, end: LocId) -> Result<(), ReplayError> {
        let automaton = self.program.thread(thread);
        while self.replay.location(thread) != end {
            let out = automaton.outgoing(self.replay.location(thread)).iter();
            let mut steps = out.map(|&instr| self.first_choice(Site { thread, instr }));
            let Some(step) = steps.find(|&step| self.replay.allows(step)) else {
                return Err(ReplayError {
                    at: self.steps.len(),
                    message: "the slice omits a branch that waits".to_owned(),
                });
            };
            self.take(step)?;
        }
        Ok(())
    }
}
