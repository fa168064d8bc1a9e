//! Minimises evidence: an execution with fewer threads, fewer loop iterations and fewer steps that shows
//! the same.
//!
//! Parts of the execution are left out, the largest first: all that a thread does, what it does between
//! two visits to a location, and what it does last. With an instruction its buffer moves are left out.
//! What remains has to be an execution, step by step, and has to show the same. After that, stores that
//! need not be delayed reach memory at once, and steps of one thread are put side by side.
//!
//! For a goal, a breadth-first search ([`shorter`]) then looks for an execution with fewer steps. If it
//! ends, the result is a *shortest* one: no execution that reaches the goal has fewer steps, those of the
//! buffers included.
//!
//! **Not optimal by itself:** without the search, the result is one of which no single part can be left
//! out.
//!
//! Cost: limited by a number of steps that are replayed and of configurations that are visited, and not
//! by a clock, so the result is the same on every machine.

use super::shortest::{Shorter, shorter};
use crate::model::Model;
use crate::program::{Addr, Goal, LocId, Program, ThreadId};
use crate::reference::buffer::Buffer;
use crate::reference::machine::Machine;
use crate::reference::replay::replay;
use crate::reference::{Action, BufferChange, Run, Step};
use crate::verdict::Budget;
use std::collections::VecDeque;

/// How many steps are replayed, at most, before the best execution so far is the result.
const MOST_REPLAYED: usize = 400_000;
/// How often steps are arranged, at most.
const MOST_ARRANGED: usize = 4;
/// Copying this many items of buffers counts as a step.
const ITEMS: usize = 64;

/// An execution from which parts were left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimised {
    /// The steps.
    pub steps: Vec<Step>,
    /// Whether no execution that reaches the goal has fewer steps.
    pub shortest: bool,
}

/// Minimises an execution that reaches a goal, and so satisfies `good`.
pub fn minimise(
    program: &Program,
    model: Model,
    goal: Goal,
    run: &Run,
    good: &dyn Fn(&Run) -> bool,
    budget: &Budget,
) -> Minimised {
    let mut left_out = LeavingOut::new(program, model, run, good, budget);
    left_out.shorten();
    let length = left_out.run.moments.len();
    let shortest = match shorter(program, model, goal, length, budget) {
        Shorter::None => true,
        Shorter::GaveUp => false,
        Shorter::Found(steps) => left_out.replace(&steps),
        Shorter::Better(steps) => {
            if left_out.replace(&steps) {
                left_out.shorten();
            }
            false
        }
    };
    left_out.arrange();
    Minimised {
        steps: left_out.run.steps(),
        shortest,
    }
}

/// Minimises an execution that satisfies `good`, without a search for a shorter one.
pub fn minimise_while(
    program: &Program,
    model: Model,
    run: &Run,
    good: &dyn Fn(&Run) -> bool,
    budget: &Budget,
) -> Run {
    let mut left_out = LeavingOut::new(program, model, run, good, budget);
    left_out.shorten();
    left_out.arrange();
    left_out.run
}

/// The best execution so far, and what is left of the limit.
struct LeavingOut<'a> {
    program: &'a Program,
    machine: Machine<'a>,
    run: Run,
    good: &'a dyn Fn(&Run) -> bool,
    budget: &'a Budget,
    left: usize,
}

impl<'a> LeavingOut<'a> {
    fn new(
        program: &'a Program,
        model: Model,
        run: &Run,
        good: &'a dyn Fn(&Run) -> bool,
        budget: &'a Budget,
    ) -> Self {
        Self {
            program,
            machine: Machine::new(program, model),
            run: run.clone(),
            good,
            budget,
            left: MOST_REPLAYED,
        }
    }

    fn is_spent(&self) -> bool {
        self.left == 0 || self.budget.is_stopped()
    }

    /// Makes this the best execution if it is one, and shows the same.
    fn take(&mut self, steps: &[Step]) -> bool {
        if self.is_spent() {
            return false;
        }
        self.left = self.left.saturating_sub(steps.len() + 1);
        let mut config = self.machine.initial();
        // A replay copies the buffers at each step.
        let mut copied = 0;
        let fits = |&step: &Step| {
            let fits = self.machine.apply(&mut config, step).is_ok();
            copied += config.buffers.iter().map(Buffer::len).sum::<usize>();
            fits
        };
        if !steps.iter().all(fits) {
            return false;
        }
        self.left = self.left.saturating_sub(steps.len() + copied / ITEMS);
        match replay(self.program, self.machine.model, steps) {
            Ok(run) if (self.good)(&run) => {
                self.run = run;
                true
            }
            Ok(_) | Err(_) => false,
        }
    }

    /// Makes this the best execution: one that the search found.
    fn replace(&mut self, steps: &[Step]) -> bool {
        match replay(self.program, self.machine.model, steps) {
            Ok(run) if (self.good)(&run) => {
                self.run = run;
                true
            }
            Ok(_) | Err(_) => {
                debug_assert!(false, "the search found what the replay refuses");
                false
            }
        }
    }

    /// Leaves out parts until no single one can be left out.
    fn shorten(&mut self) {
        loop {
            let before = self.run.moments.len();
            self.leave_out_threads();
            for thread in self.program.thread_ids() {
                self.leave_out_iterations(thread);
                self.leave_out_ends(thread);
            }
            if self.run.moments.len() == before || self.is_spent() {
                return;
            }
        }
    }

    /// The positions at which a thread executes instructions.
    fn executions(&self, thread: ThreadId) -> Vec<usize> {
        let executes = |&at: &usize| match self.run.moments[at].step {
            Step::Execute { thread: other, .. } => other == thread,
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => false,
        };
        (0..self.run.moments.len()).filter(executes).collect()
    }

    /// Leaves out the instructions executed at these positions, and their buffer moves.
    fn leave_out(&mut self, executed: &[usize]) -> bool {
        let issuers = issuers(&self.run);
        let moments = self.run.moments.iter().zip(&issuers);
        let rest = moments.filter(|(_, issuer)| executed.binary_search(issuer).is_err());
        let steps: Vec<Step> = rest.map(|(moment, _)| moment.step).collect();
        self.take(&steps)
    }

    fn leave_out_threads(&mut self) {
        for thread in self.program.thread_ids() {
            let all = self.executions(thread);
            if !all.is_empty() {
                self.leave_out(&all);
            }
        }
    }

    /// Leaves out what a thread does between two visits to a location, the longest way first.
    fn leave_out_iterations(&mut self, thread: ThreadId) {
        let mut executed = self.executions(thread);
        let mut length = executed.len();
        while length > 0 && !self.is_spent() {
            let locations = self.locations(thread, &executed);
            let starts = 0..=executed.len() - length;
            let mut loops = starts.filter(|&at| locations[at] == locations[at + length]);
            if loops.any(|at| !self.is_spent() && self.leave_out(&executed[at..at + length])) {
                executed = self.executions(thread);
                length = length.min(executed.len());
            } else {
                length -= 1;
            }
        }
    }

    /// The locations of a thread before each of these executions, and after the last.
    fn locations(&self, thread: ThreadId, executed: &[usize]) -> Vec<LocId> {
        let automaton = self.program.thread(thread);
        let mut locations = vec![automaton.entry()];
        locations.extend(executed.iter().map(|&at| {
            let instruction = automaton.instruction(self.run.moments[at].site.instr);
            instruction.to
        }));
        locations
    }

    /// Leaves out the last that a thread does, as much as possible.
    fn leave_out_ends(&mut self, thread: ThreadId) {
        let executed = self.executions(thread);
        let mut ends = (0..executed.len()).map(|first| &executed[first..]);
        ends.any(|end| self.is_spent() || self.leave_out(end));
    }

    /// Delays no store without need, and puts steps of one thread side by side. Where these stand side
    /// by side, a store may no longer need its delay.
    fn arrange(&mut self) {
        for _ in 0..MOST_ARRANGED {
            let before = self.run.steps();
            for at in 0..before.len() {
                if self.is_spent() {
                    return;
                }
                self.move_sooner(at);
            }
            let mut at = 0;
            while at < before.len() && !self.is_spent() {
                // After a change, the block that begins here is another one.
                if !self.join(at) {
                    at += 1;
                }
            }
            if self.run.steps() == before {
                return;
            }
        }
    }

    /// Takes a buffer move as soon as possible.
    fn move_sooner(&mut self, at: usize) {
        let steps = self.run.steps();
        if matches!(steps[at], Step::Execute { .. }) {
            return;
        }
        let issued = issuers(&self.run)[at];
        let moved = |&to: &usize| to == issued || !matches!(steps[to], Step::Execute { .. });
        for to in (issued..at).filter(moved) {
            let sooner = to + 1 < at && self.take(&rotated(&steps, to + 1, at, at + 1));
            if sooner || self.is_spent() {
                return;
            }
        }
    }

    /// Moves the steps that one thread takes from here on, before another acts, to the previous steps of
    /// that thread or to its next ones.
    fn join(&mut self, at: usize) -> bool {
        let steps = self.run.steps();
        let threads: Vec<ThreadId> = self.run.moments.iter().map(|m| m.site.thread).collect();
        let thread = threads[at];
        if at > 0 && threads[at - 1] == thread {
            return false;
        }
        let other = |&other: &ThreadId| other != thread;
        let end = threads[at..].iter().position(other);
        let end = end.map_or(steps.len(), |length| at + length);
        if let Some(before) = threads[..at].iter().rposition(|t| !other(t))
            && self.take(&rotated(&steps, before + 1, at, end))
        {
            return true;
        }
        // Moving only buffer moves there would delay stores.
        let executes = |step: &Step| matches!(step, Step::Execute { .. });
        let next = threads[end..].iter().position(|t| !other(t));
        steps[at..end].iter().any(executes)
            && next.is_some_and(|next| self.take(&rotated(&steps, at, end, end + next)))
    }
}

/// The steps with those from `start` to `middle` after those from `middle` to `end`.
fn rotated(steps: &[Step], start: usize, middle: usize, end: usize) -> Vec<Step> {
    let mut rotated = steps.to_vec();
    rotated[start..end].rotate_left(middle - start);
    rotated
}

/// An item in a buffer: where it was issued, its cell if it is a store, and whether it advanced.
struct Item {
    issued: usize,
    cell: Option<Addr>,
    advanced: bool,
}

/// For each step, the position of the execution that it belongs to: for a buffer move, where the item was
/// issued.
pub(super) fn issuers(run: &Run) -> Vec<usize> {
    let mut buffers: Vec<VecDeque<Item>> = Vec::new();
    buffers.resize_with(run.end.locations.len(), VecDeque::new);
    let mut issuers = Vec::with_capacity(run.moments.len());
    for (at, moment) in run.moments.iter().enumerate() {
        let thread = moment.site.thread.index();
        let items = &mut buffers[thread];
        let issuer = match moment.step {
            Step::Execute { .. } => {
                if let BufferChange::Entered(_) = moment.buffer {
                    items.push_back(Item {
                        issued: at,
                        cell: match moment.action {
                            Action::Issue { addr, .. } => Some(addr),
                            Action::Flush { .. }
                            | Action::Load { .. }
                            | Action::Rmw { .. }
                            | Action::Fence
                            | Action::Advance { .. }
                            | Action::Retire
                            | Action::Local => None,
                        },
                        advanced: false,
                    });
                }
                Some(at)
            }
            Step::Advance { addr, .. } => items
                .iter_mut()
                .find(|item| !item.advanced && item.cell == Some(addr))
                .map(|item| {
                    item.advanced = true;
                    item.issued
                }),
            Step::Flush { addr, .. } => oldest(items, |item| item.cell == Some(addr)),
            Step::Retire { .. } => oldest(items, |item| item.cell.is_none()),
        };
        issuers.push(issuer.unwrap_or(at));
    }
    issuers
}

/// Removes the oldest of these items, and returns where it was issued.
fn oldest(items: &mut VecDeque<Item>, which: impl Fn(&Item) -> bool) -> Option<usize> {
    let position = items.iter().position(which)?;
    items.remove(position).map(|item| item.issued)
}
