//! Turns a sequence of events into steps.
//!
//! Events are taken in order. A load, locked instruction or fence is executed at its turn. A store
//! leaves the buffer at its turn, and is issued as soon as its thread reaches it. The remaining
//! steps are inserted where needed: instructions that are not events when their thread reaches
//! them, and stores that the encoding omitted, and lightweight fences, when they block other buffer
//! moves.

mod buffers;

use super::Mismatch;
use crate::encode::{Encoding, EventId, EventKind, Passage};
use crate::model::Model;
use crate::program::{Goal, LocId, Op, Program, Site, ThreadId};
use crate::reference::{Replay, Run, Step};
use buffers::Waiting;

#[derive(Clone, Debug, Default)]
struct ThreadProgress {
    /// The number of passages of the path that were executed.
    done: usize,
    /// The contents of the buffer, in order of issue.
    waiting: Vec<Waiting>,
    /// PGAS: the contents of the FIFO, as positions on the path, oldest first.
    fifo: Vec<usize>,
}

/// A computation in progress.
pub(super) struct Schedule<'p, 'e> {
    program: &'p Program,
    model: Model,
    replay: Replay<'p>,
    paths: Vec<Vec<&'e Passage>>,
    /// The value that each passage chooses, if it is a `nondet`.
    choices: Vec<Vec<Option<i32>>>,
    threads: Vec<ThreadProgress>,
    /// By event, the position in the memory order; `usize::MAX` for events that are not executed.
    positions: Vec<usize>,
    /// By event, the position on its thread's path, if it is there.
    on_path: Vec<Option<usize>>,
    /// The thread in whose atomic block the computation ends, once that point is reached.
    stopped: Option<ThreadId>,
}

impl<'p, 'e> Schedule<'p, 'e> {
    /// A schedule at the start. `choices` is by thread and passage, `positions` by event.
    pub(super) fn new(
        program: &'p Program,
        model: Model,
        paths: Vec<Vec<&'e Passage>>,
        choices: Vec<Vec<Option<i32>>>,
        positions: Vec<usize>,
    ) -> Self {
        let mut on_path = vec![None; positions.len()];
        for path in &paths {
            for (at, passage) in path.iter().enumerate() {
                if let Some(event) = passage.event {
                    on_path[event.index()] = Some(at);
                }
            }
        }
        Self {
            program,
            model,
            replay: Replay::new(program, model),
            threads: paths.iter().map(|_| ThreadProgress::default()).collect(),
            paths,
            choices,
            positions,
            on_path,
            stopped: None,
        }
    }

    /// Takes the steps for an event.
    pub(super) fn take(&mut self, encoding: &Encoding, event: EventId) -> Result<(), Mismatch> {
        if self.stopped.is_some() {
            // No other thread takes a step: later stores stay in their buffers, or are not issued
            // at all.
            return Ok(());
        }
        let found = &encoding.events()[event.index()];
        let thread = found.thread;
        let Some(at) = self.on_path[event.index()] else {
            // A fence that a switch inserts here is not part of the program that is replayed.
            return Ok(());
        };
        if found.kind == EventKind::Store && !found.inside {
            self.run_through(thread, at)?;
            if self.is_in_word(thread, at) {
                self.run_block(thread)?;
            }
            // Where the computation ends inside a word access, its stores are not in the buffer yet.
            return match self.stopped {
                None => self.flush(thread, at),
                Some(_) => Ok(()),
            };
        }
        self.run_through(thread, at)?;
        if *self.op(thread, at) == Op::AtomicBegin || self.is_in_word(thread, at) {
            return self.run_block(thread);
        }
        Ok(())
    }

    /// Whether a passage is a part of a word access.
    fn is_in_word(&self, thread: ThreadId, at: usize) -> bool {
        let instr = self.paths[thread.index()][at].instr;
        let automaton = self.program.thread(thread);
        automaton.location(automaton.instruction(instr).from).word
    }

    /// Where the word access begins of which this passage is a part.
    fn begin_of_word(&self, thread: ThreadId, at: usize) -> Option<usize> {
        let is_begin = |&at: &usize| self.op(thread, at).begins_word();
        self.is_in_word(thread, at)
            .then(|| (0..at).rev().find(is_begin))
            .flatten()
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

    /// The present location of a thread.
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

    /// Executes the rest of the atomic block or word access that the thread just entered.
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

    /// Executes the next passage of a thread, after the buffer moves that it requires.
    fn execute_next(&mut self, thread: ThreadId) -> Result<(), Mismatch> {
        let at = self.threads[thread.index()].done;
        let passage = self.paths[thread.index()][at];
        self.flush_before(thread, at)?;
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

    /// The value that a `nondet` takes.
    fn choice(&self, thread: ThreadId, at: usize) -> Option<i32> {
        let Op::Havoc { low, .. } = self.op(thread, at) else {
            return None;
        };
        // Where the encoding left it out, any value will do.
        self.choices[thread.index()][at].or(Some(*low))
    }

    /// Completes the computation after the last event, unless it ends inside an atomic block: if
    /// there is a goal, which may depend on it, every thread continues to the end of its path; then
    /// all buffers are emptied. A failing assertion is not a passage of a path, and comes last.
    fn run_out(&mut self, goal: Option<Goal>) -> Result<(), Mismatch> {
        if self.stopped.is_none() {
            let threads = goal.map(|_| self.program.thread_ids());
            let mut threads: Vec<ThreadId> = threads.into_iter().flatten().collect();
            // The beginning of a word access is no event. A thread that ends inside one comes last.
            threads.sort_by_key(|&thread| self.ends_inside(thread));
            for thread in threads {
                let end = self.paths[thread.index()].len();
                if end > 0 {
                    self.run_through(thread, end - 1)?;
                }
                if self.ends_inside(thread) {
                    self.stopped = Some(thread);
                    break;
                }
            }
        }
        if self.stopped.is_none() {
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

    /// Whether the path of a thread ends inside an atomic block or a word access.
    fn ends_inside(&self, thread: ThreadId) -> bool {
        let automaton = self.program.thread(thread);
        let last = self.paths[thread.index()].last();
        last.is_some_and(|last| {
            automaton
                .location(automaton.instruction(last.instr).to)
                .atomic
        })
    }

    /// Ends the computation after the last event, and returns it. See [`Schedule::run_out`].
    pub(super) fn finish(mut self, goal: Option<Goal>) -> Result<Run, Mismatch> {
        self.run_out(goal)?;
        Ok(self.replay.finish()?)
    }
}
