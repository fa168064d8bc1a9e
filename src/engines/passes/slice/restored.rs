//! Computations of a slice as computations of the original.
//!
//! Data that the slice omits is put back where its instruction was skipped. Stores to irrelevant cells reach
//! memory as soon as the model allows it, so that nothing waits for them. Branches that the slice omits are
//! taken as the original decides them, to where all of them meet again, as soon as the slice is on its
//! own way there.

use crate::facts::Sliced;
use crate::model::Model;
use crate::program::{LocId, Op, Program, Site, Thread, ThreadId};
use crate::reference::{Replay, ReplayError, Step};
use smallvec::SmallVec;

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
        let thread = step.thread();
        self.replay.step(step)?;
        self.steps.push(step);
        while self.move_what_is_irrelevant(thread) {}
        Ok(())
    }

    /// Moves an item in a buffer, unless it was moved before.
    fn move_item(&mut self, step: Step) -> Result<(), ReplayError> {
        let is_irrelevant = match step {
            Step::Advance { addr, .. } | Step::Flush { addr, .. } => !self.sliced.is_relevant(addr),
            Step::Execute { .. } | Step::Retire { .. } => false,
        };
        match self.take(step) {
            Err(_) if is_irrelevant => Ok(()),
            result => result,
        }
    }

    /// Moves one of a thread's stores to irrelevant cells, if the model allows it; returns whether it did.
    fn move_what_is_irrelevant(&mut self, thread: ThreadId) -> bool {
        let mut moves = Vec::new();
        self.replay.propose_moves(thread, &mut moves);
        let moved = moves.into_iter().find(|&step| match step {
            Step::Advance { addr, .. } | Step::Flush { addr, .. } => {
                !self.sliced.is_relevant(addr) && self.replay.step(step).is_ok()
            }
            Step::Execute { .. } | Step::Retire { .. } => false,
        });
        self.steps.extend(moved);
        moved.is_some()
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
            let steps = out.map(|&instr| self.first_choice(Site { thread, instr }));
            let steps: SmallVec<[Step; 2]> = steps.collect();
            if !steps.into_iter().any(|step| self.take(step).is_ok()) {
                return Err(ReplayError {
                    at: self.steps.len(),
                    message: "the slice omits a branch that waits".to_owned(),
                });
            }
        }
        Ok(())
    }
}
