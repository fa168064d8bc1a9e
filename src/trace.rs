//! From a model to a computation that the reference has replayed.
//!
//! A model fixes each thread's path and an order of the events in memory. Here that becomes steps:
//! the events are taken in their order; a load, locked instruction or fence is executed at its
//! turn, and a store leaves the buffer at its turn, having been issued as soon as its thread got
//! there. Everything else runs along: instructions that are no events when their thread passes
//! them, and stores that the encoding left out whenever they stand in the way of others. So does a
//! lightweight fence: its place in the order binds stores to each other, and its thread may well
//! pass it before or after that.
//!
//! Of the orders that the model admits one is chosen in which a thread goes on while it can and a
//! store is out as soon as it may: what is late in the trace has to be late.
//!
//! **Invariant.** Every step is taken by `explicit` under the operational rules. A step that it
//! refuses is a defect of this program, reported as such and never as a verdict.

use crate::encode::{Encoding, EventId, Kind, Passage};
use crate::explicit::{Action, Replay, ReplayError, Run, Step};
use crate::model::Model;
use crate::program::{Addr, Fence, Goal, LocId, Op, Program, Site, ThreadId};
use rustsat::types::Lit;
use std::fmt;

/// A computation that the reference refuses, or that does not reach what it should: the encoder
/// and the reference disagree about the semantics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a witness does not replay: {}", self.message)
    }
}

impl std::error::Error for Mismatch {}

impl From<ReplayError> for Mismatch {
    fn from(error: ReplayError) -> Self {
        Self {
            message: format!("step {}: {}", error.at, error.message),
        }
    }
}

/// The computation that a model describes, replayed, and seen to reach the goal.
///
/// The program is the one that was asked about; the encoding may be of a slice of it.
///
/// # Errors
///
/// If the reference refuses it.
pub(crate) fn witness(
    program: &Program,
    model: Model,
    goal: Goal,
    encoding: &Encoding,
    value: impl Fn(Lit) -> bool,
) -> Result<Run, Mismatch> {
    let paths: Vec<Vec<&Passage>> = program
        .thread_ids()
        .map(|thread| encoding.path(thread, &value))
        .collect();
    let mut turns = Turns::new(encoding, &paths);
    let order = encoding.order.linear(&value, |ready| turns.choose(ready));
    // Where each event comes in memory.
    let mut positions = vec![usize::MAX; encoding.events().len()];
    for (position, node) in order.iter().enumerate() {
        for &event in &turns.at[node.index()] {
            positions[event.index()] = position;
        }
    }
    let choices = paths
        .iter()
        .map(|path| {
            let chosen = |p: &&Passage| p.choice.as_ref()?.value(|lit| Some(value(lit)));
            path.iter().map(chosen).collect()
        })
        .collect();
    let mut schedule = Schedule {
        program,
        model,
        replay: Replay::new(program, model),
        threads: paths.iter().map(|_| Progress::default()).collect(),
        paths,
        choices,
        positions,
        stopped: None,
    };
    for node in &order {
        for &event in &turns.at[node.index()] {
            schedule.take(encoding, event)?;
        }
    }
    schedule.run_out(goal)?;
    let run = schedule.replay.finish()?;
    if run.reached.contains(&goal) {
        Ok(run)
    } else {
        Err(Mismatch {
            message: format!("the computation does not reach {goal:?}"),
        })
    }
}

/// Which of the events that may come next does.
struct Turns {
    /// The executed events of each node, lightweight fences left out; more than one only for an
    /// atomic block.
    at: Vec<Vec<EventId>>,
    /// For each node, its thread and where it stands on its path.
    stands: Vec<Option<(ThreadId, usize)>>,
    /// For each thread, the positions on its path that are events, ascending, and whether placed.
    due: Vec<Vec<(usize, bool)>>,
    current: ThreadId,
}

impl Turns {
    fn new(encoding: &Encoding, paths: &[Vec<&Passage>]) -> Self {
        let mut at = vec![Vec::new(); encoding.order.len()];
        let mut stands = vec![None; encoding.order.len()];
        let mut due = vec![Vec::new(); paths.len()];
        for (t, path) in paths.iter().enumerate() {
            for (position, event) in path
                .iter()
                .enumerate()
                .filter_map(|(i, p)| p.event.map(|event| (i, event)))
            {
                let found = &encoding.events()[event.index()];
                if let Kind::Light(_) = found.kind {
                    continue;
                }
                let node = found.node.index();
                at[node].push(event);
                if stands[node].is_none() {
                    stands[node] = Some((ThreadId::from(t), position));
                    due[t].push((position, false));
                }
            }
        }
        Self {
            at,
            stands,
            due,
            current: ThreadId(0),
        }
    }

    fn choose(&mut self, ready: &[crate::cnf::NodeId]) -> usize {
        let rank = |index: &usize| {
            let Some((thread, position)) = self.stands[ready[*index].index()] else {
                // Not executed: out of the way.
                return (0, 0, 0);
            };
            let due = &self.due[thread.index()];
            let overtaken = due
                .iter()
                .any(|&(later, placed)| later > position && placed);
            let next = due
                .iter()
                .find(|(_, placed)| !placed)
                .map(|&(first, _)| first);
            let class = match (overtaken, next == Some(position), thread == self.current) {
                (true, _, _) => 1,
                (false, true, true) => 2,
                (false, true, false) => 3,
                (false, false, _) => 4,
            };
            (class, thread.index(), position)
        };
        let best = (0..ready.len()).min_by_key(rank).unwrap_or(0);
        if let Some((thread, position)) = self.stands[ready[best].index()] {
            self.current = thread;
            if let Some(entry) = self.due[thread.index()]
                .iter_mut()
                .find(|(other, _)| *other == position)
            {
                entry.1 = true;
            }
        }
        best
    }
}

/// Something a thread has issued that has not left its buffer.
#[derive(Clone, Debug)]
struct Waiting {
    /// Where the instruction stands on the path.
    at: usize,
    /// The cell of a store; absent for a lightweight fence.
    store: Option<Addr>,
    /// The cells of a lightweight fence.
    fenced: Vec<Addr>,
}

#[derive(Clone, Debug, Default)]
struct Progress {
    /// How many passages of the path were executed.
    done: usize,
    /// What is in the buffer, in the order of issue.
    waiting: Vec<Waiting>,
    /// PGAS: what is in the FIFO, by position on the path, oldest first.
    fifo: Vec<usize>,
}

struct Schedule<'p, 'e> {
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

impl<'p> Schedule<'p, '_> {
    /// An event's turn has come.
    fn take(&mut self, encoding: &Encoding, event: EventId) -> Result<(), Mismatch> {
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

    fn execute_next(&mut self, thread: ThreadId) -> Result<(), Mismatch> {
        let at = self.threads[thread.index()].done;
        let passage = self.paths[thread.index()][at];
        match self.op(thread, at) {
            Op::Rmw { .. } | Op::AtomicBegin => self.drain(thread)?,
            Op::Fence(fence) => match fence {
                Fence::Full => self.drain(thread)?,
                Fence::All => {
                    for other in self.program.thread_ids() {
                        self.drain(other)?;
                    }
                }
                Fence::Store => {
                    let all: Vec<Addr> = self.program.cells().collect();
                    self.advance_for_fence(thread, &all)?;
                }
                Fence::Cells(cells) => self.advance_for_fence(thread, cells)?,
            },
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::AtomicEnd => {}
        }
        let before = self.replay.buffered(thread).count();
        let choice = match self.op(thread, at) {
            // Where the encoding left it out, any value will do.
            Op::Havoc { low, .. } => self.choices[thread.index()][at].or(Some(*low)),
            Op::Skip
            | Op::Assign { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => None,
        };
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
            let (store, fenced) = match action {
                Action::Issue { addr, .. } => (Some(addr), Vec::new()),
                // Only a fence waits in a buffer besides.
                Action::Flush { .. }
                | Action::Load { .. }
                | Action::Rmw { .. }
                | Action::Fence
                | Action::Advance { .. }
                | Action::Retire
                | Action::Local => (None, self.fenced(thread, at)),
            };
            let progress = &mut self.threads[thread.index()];
            progress.waiting.push(Waiting { at, store, fenced });
            if store.is_none() {
                // Only PGAS looks at it: a fence enters the FIFO when it is issued.
                progress.fifo.push(at);
            }
        }
        Ok(())
    }

    fn fenced(&self, thread: ThreadId, at: usize) -> Vec<Addr> {
        match self.op(thread, at) {
            Op::Fence(Fence::Cells(cells)) => cells.clone(),
            Op::Fence(_)
            | Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd => self.program.cells().collect(),
        }
    }

    /// When a store comes in memory; one that the encoding left out may always come first.
    fn position(&self, thread: ThreadId, at: usize) -> usize {
        self.paths[thread.index()][at]
            .event
            .map_or(0, |event| self.positions[event.index()])
    }

    /// PGAS: moves the stores that a fence waits for into the FIFO, and before them those that
    /// come earlier in memory.
    fn advance_for_fence(&mut self, thread: ThreadId, cells: &[Addr]) -> Result<(), Mismatch> {
        if self.model != Model::Pgas {
            return Ok(());
        }
        let progress = &self.threads[thread.index()];
        let mut moving: Vec<(usize, usize, Addr)> = progress
            .waiting
            .iter()
            .filter(|waiting| !progress.fifo.contains(&waiting.at))
            .filter_map(|waiting| {
                waiting
                    .store
                    .map(|addr| (self.position(thread, waiting.at), waiting.at, addr))
            })
            .collect();
        moving.sort_unstable();
        let Some(last) = moving.iter().rposition(|(_, _, addr)| cells.contains(addr)) else {
            return Ok(());
        };
        for &(_, at, addr) in &moving[..=last] {
            self.advance(thread, at, addr)?;
        }
        Ok(())
    }

    fn advance(&mut self, thread: ThreadId, at: usize, addr: Addr) -> Result<(), Mismatch> {
        self.replay.step(Step::Advance { thread, addr })?;
        self.threads[thread.index()].fifo.push(at);
        Ok(())
    }

    /// Lets the store at this position of the path reach memory, if it has not yet.
    fn flush(&mut self, thread: ThreadId, at: usize) -> Result<(), Mismatch> {
        while let Some(target) = self.threads[thread.index()]
            .waiting
            .iter()
            .position(|waiting| waiting.at == at)
        {
            match self.model {
                Model::Sc => {
                    return Err(Mismatch {
                        message: "a store is buffered under SC".to_owned(),
                    });
                }
                Model::Tso => self.leave(thread, 0)?,
                Model::Pso => {
                    let next = self.obstacle(thread, target);
                    self.leave(thread, next)?;
                }
                Model::Pgas => {
                    let progress = &self.threads[thread.index()];
                    let fifo = &progress.fifo;
                    if !fifo.contains(&at) {
                        // Older stores to the cell are on their way already, or left out with it.
                        let oldest = progress
                            .waiting
                            .iter()
                            .find(|w| {
                                w.store == progress.waiting[target].store && !fifo.contains(&w.at)
                            })
                            .map_or(at, |w| w.at);
                        if let Some(addr) = progress.waiting[target].store {
                            self.advance(thread, oldest, addr)?;
                        }
                        continue;
                    }
                    let head = fifo[0];
                    let index = progress
                        .waiting
                        .iter()
                        .position(|w| w.at == head)
                        .unwrap_or(0);
                    self.leave(thread, index)?;
                }
            }
        }
        Ok(())
    }

    /// PSO: an entry of the buffer that may leave now, and must before this one can.
    fn obstacle(&self, thread: ThreadId, target: usize) -> usize {
        let waiting = &self.threads[thread.index()].waiting;
        let mut target = target;
        while let Some(earlier) =
            waiting[..target]
                .iter()
                .position(|other| match (waiting[target].store, other.store) {
                    (Some(addr), Some(cell)) => addr == cell,
                    (_, None) => true,
                    (None, Some(cell)) => waiting[target].fenced.contains(&cell),
                })
        {
            target = earlier;
        }
        target
    }

    /// An entry of the buffer leaves it.
    fn leave(&mut self, thread: ThreadId, index: usize) -> Result<(), Mismatch> {
        let entry = self.threads[thread.index()].waiting[index].clone();
        self.replay.step(match entry.store {
            Some(addr) => Step::Flush { thread, addr },
            None => Step::Retire { thread },
        })?;
        let progress = &mut self.threads[thread.index()];
        progress.waiting.remove(index);
        progress.fifo.retain(|&at| at != entry.at);
        Ok(())
    }

    /// Empties a thread's buffer.
    fn drain(&mut self, thread: ThreadId) -> Result<(), Mismatch> {
        while let Some(first) = self.threads[thread.index()].waiting.first() {
            let (at, is_store) = (first.at, first.store.is_some());
            if is_store {
                self.flush(thread, at)?;
            } else if self.model == Model::Pgas {
                let head = self.threads[thread.index()]
                    .fifo
                    .first()
                    .copied()
                    .unwrap_or(at);
                let waiting = &self.threads[thread.index()].waiting;
                let index = waiting.iter().position(|w| w.at == head).unwrap_or(0);
                self.leave(thread, index)?;
            } else {
                self.leave(thread, 0)?;
            }
        }
        Ok(())
    }

    /// After the last event: everybody goes on to where its path ends, and buffers are emptied,
    /// unless the computation ends inside an atomic block. An assertion that ends it is no passage
    /// of a path, and comes last.
    fn run_out(&mut self, goal: Goal) -> Result<(), Mismatch> {
        if self.stopped.is_none() {
            for thread in self.program.thread_ids() {
                let end = self.paths[thread.index()].len();
                if end > 0 {
                    self.run_through(thread, end - 1)?;
                }
            }
            for thread in self.program.thread_ids() {
                self.drain(thread)?;
            }
        }
        if let Goal::Assert(site) = goal
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
}
