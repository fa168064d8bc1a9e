//! The steps that a row of events stands for.
//!
//! The events are taken in their order; a load, locked instruction or fence is executed at its
//! turn, and a store leaves the buffer at its turn, having been issued as soon as its thread got
//! there. Everything else runs along: instructions that are no events when their thread passes
//! them, and stores that the encoding left out whenever they stand in the way of others. So does a
//! lightweight fence.

mod buffers;

use super::Mismatch;
use crate::encode::{Encoding, EventId, Kind, Passage};
use crate::explicit::{Replay, Run, Step};
use crate::model::Model;
use crate::program::{Goal, LocId, Op, Program, Site, ThreadId};
use buffers::Waiting;

#[derive(Clone, Debug, Default)]
struct Progress {
    /// How many passages of the path were executed.
    done: usize,
    /// What is in the buffer, in the order of issue.
    waiting: Vec<Waiting>,
    /// PGAS: what is in the FIFO, by position on the path, oldest first.
    fifo: Vec<usize>,
}

/// A computation as far as it has been replayed.
pub(super) struct Schedule<'p, 'e> {
    program: &'p Program,
    model: Model,
    replay: Replay<'p>,
    paths: Vec<Vec<&'e Passage>>,
    /// What each passage chooses, if it is a `nondet`.
    choices: Vec<Vec<Option<i32>>>,
    threads: Vec<Progress>,
    /// By event; the largest number for events that are not executed.
    positions: Vec<usize>,
    /// The thread inside whose atomic block the computation ends, once it is there.
    stopped: Option<ThreadId>,
}

impl<'p, 'e> Schedule<'p, 'e> {
    /// Nothing executed yet. `choices` is by thread and passage, `positions` by event.
    pub(super) fn new(
        program: &'p Program,
        model: Model,
        paths: Vec<Vec<&'e Passage>>,
        choices: Vec<Vec<Option<i32>>>,
        positions: Vec<usize>,
    ) -> Self {
        Self {
            program,
            model,
            replay: Replay::new(program, model),
            threads: paths.iter().map(|_| Progress::default()).collect(),
            paths,
            choices,
            positions,
            stopped: None,
        }
    }

    /// An event's turn has come.
    pub(super) fn take(&mut self, encoding: &Encoding, event: EventId) -> Result<(), Mismatch> {
        if self.stopped.is_some() {
            // Nobody else moves: what comes later stays in its buffer, or is not issued at all.
            return Ok(());
        }
        let found = &encoding.events()[event.index()];
        let thread = found.thread;
        let Some(at) = self.paths[thread.index()]
            .iter()
            .position(|passage| passage.event == Some(event))
        else {
            // A fence that a switch puts here is not part of the program that is replayed.
            return Ok(());
        };
        if found.kind == Kind::Store && !found.inside {
            self.run_through(thread, at)?;
            return self.flush(thread, at);
        }
        if let Op::AtomicBegin = self.op(thread, at) {
            self.run_through(thread, at)?;
            return self.run_block(thread);
        }
        self.run_through(thread, at)
    }

    fn op(&self, thread: ThreadId, at: usize) -> &'p Op {
        let instr = self.paths[thread.index()][at].instr;
        &self.program.instruction(Site { thread, instr }).op
    }

    /// Executes the thread's passages up to this one.
    fn run_through(&mut self, thread: ThreadId, at: usize) -> Result<(), Mismatch> {
        while self.threads[thread.index()].done <= at {
            self.execute_next(thread)?;
        }
        Ok(())
    }

    /// Where a thread stands.
    fn location(&self, thread: ThreadId) -> LocId {
        let automaton = self.program.thread(thread);
        match self.threads[thread.index()].done.checked_sub(1) {
            Some(last) => {
                automaton
                    .instruction(self.paths[thread.index()][last].instr)
                    .to
            }
            None => automaton.entry(),
        }
    }

    /// Executes what is left of the atomic block that the thread just entered.
    fn run_block(&mut self, thread: ThreadId) -> Result<(), Mismatch> {
        while self
            .program
            .thread(thread)
            .location(self.location(thread))
            .atomic
        {
            if self.threads[thread.index()].done == self.paths[thread.index()].len() {
                self.stopped = Some(thread);
                break;
            }
            self.execute_next(thread)?;
        }
        Ok(())
    }

    /// Executes the next passage of a thread, and what must leave buffers before it.
    fn execute_next(&mut self, thread: ThreadId) -> Result<(), Mismatch> {
        let at = self.threads[thread.index()].done;
        let passage = self.paths[thread.index()][at];
        self.make_room(thread, at)?;
        let before = self.replay.buffered(thread).count();
        let choice = self.choice(thread, at);
        let step = Step::Execute {
            thread,
            instr: passage.instr,
            choice,
        };
        let moment = self.replay.step(step)?;
        let action = moment.action.clone();
        let progress = &mut self.threads[thread.index()];
        progress.done += 1;
        if self.replay.buffered(thread).count() > before {
            self.enter(thread, at, &action)?;
        }
        Ok(())
    }

    /// What a `nondet` takes.
    fn choice(&self, thread: ThreadId, at: usize) -> Option<i32> {
        let Op::Havoc { low, .. } = self.op(thread, at) else {
            return None;
        };
        // Where the encoding left it out, any value will do.
        self.choices[thread.index()][at].or(Some(*low))
    }

    /// After the last event: everybody goes on to where its path ends, if there is a goal that may
    /// see it, and buffers are emptied, unless the computation ends inside an atomic block. An assertion that ends it is no passage
    /// of a path, and comes last.
    fn run_out(&mut self, goal: Option<Goal>) -> Result<(), Mismatch> {
        if self.stopped.is_none() {
            let threads = goal.map(|_| self.program.thread_ids());
            for thread in threads.into_iter().flatten() {
                let end = self.paths[thread.index()].len();
                if end > 0 {
                    self.run_through(thread, end - 1)?;
                }
            }
            for thread in self.program.thread_ids() {
                self.drain(thread)?;
            }
        }
        if let Some(Goal::Assert(site)) = goal
            && self.program.instruction(site).from == self.location(site.thread)
            && self.stopped.is_none_or(|thread| thread == site.thread)
        {
            let Site { thread, instr } = site;
            self.replay.step(Step::Execute {
                thread,
                instr,
                choice: None,
            })?;
        }
        Ok(())
    }

    /// The whole computation, after the last event. See [`Schedule::run_out`].
    pub(super) fn finish(mut self, goal: Option<Goal>) -> Result<Run, Mismatch> {
        self.run_out(goal)?;
        Ok(self.replay.finish()?)
    }
}
