//! Looking ahead: what another thread does on its own from here.
//!
//! The footprints of `persistent` say what a thread may access in *all* of its future. A ring buffer shows
//! how little that is: the consumer may read any place, but before the producer takes another step it
//! reads only those that are filled, and then waits. So (lookahead) runs the other thread, and compares.
//!
//! Let `A` be an actor of thread `p` (see `persistent`): its buffer, or its control while its buffer is empty.
//! Let `q` be the only thread that may interfere with the next steps of `A`, while no third one interferes
//! with them or with `q`, except through properties. Until `A` takes a step, `p` changes no memory: under SC
//! and TSO, all that it can still do is to issue, load and compute. So what `q` does until then is what it
//! does alone, and can be followed: one *move* after another, each a single step or a block with the
//! local steps after it. The next steps of `A` are moves, too: the oldest store in the buffer, or what
//! the control can execute. They are persistent if, for each of them, called `a`, and each move of `q`:
//!
//! * the move does not write what `a` writes;
//! * `a` does the same after the move as before: the same instructions, with the same values at the end (but
//!   for registers that are dead there) and in memory. It may read other cells than before: from then
//!   on it depends on these, too;
//! * the move does the same after `a` as before, or, if it does not, it *closes a cycle*: it leads back to where
//!   `q` was, and the way from there has no store, and only moves that do the same.
//!
//! For let `w` be a computation from here up to the first step of `A`, or to a goal. If a move in it closes a
//! cycle, the cycle can be left out of `w`, with those local steps of the move that come after `a`: memory
//! was the same all around it, so `q` is where it was before the cycle, and no thread has seen anything.
//! What is left does the same after `a`. If `w` ends amidst a move of `q`, no property sees that: the local
//! steps of a move lead to no location that a property names, and set no register that it reads. So
//! `a` may be taken first, which is what `persistent` needs: after it comes what is left of `w`, which is no
//! longer than `w`. A consumer that waits for more does not keep the producer from going on, and a
//! load that an old value and a new one send the same way need not be tried with both.
//!
//! * A block that cannot be left is the end of everything, without a goal. If it is one of `q`, no `w` goes
//!   through it. If it is one of `A`, it must remain one, and some other `a` must be none.
//! * An instruction that is left out of `w` was executed, too: the search records what `q` executes here.
//! * If an assertion fails anywhere, or an address outside shared memory is in the way, nothing is claimed.
//!
//! **Absent.** Several threads that interfere: they would have to be followed in all orders. PSO and PGAS: what
//! is in the other buffers of `p` may reach memory before `a` does.

mod moves;

use super::Step;
use super::buffer::BufferItem;
use super::machine::{Config, Machine};
use super::reduce::Reduce;
use super::{Lookahead, Reduction};
use crate::model::Model;
use crate::program::{Addr, ThreadId};
use moves::{Move, Place, Steps, Unclear};
use smallvec::SmallVec;

/// With more threads than this, finding out who interferes with whom takes longer than it is worth.
const MOST_THREADS: usize = 16;

/// An actor with more possible steps than this is not asked about.
const MOST_NEXT: usize = 8;

/// How many cells the configurations may have that are kept to follow other ways of a thread.
const MOST_KEPT: usize = 1 << 16;

/// A thread is followed for this many moves at most, and so many may be followed at first.
const MOST_MOVES: usize = 1 << 12;

/// So many more may be followed for each configuration that is expanded.
const EACH: usize = 2;

/// To follow so many takes as long as to visit a configuration.
const ORDINARY: usize = 16;

/// With fewer than so many left, nothing is asked: they are saved up for where they are enough.
const FEW_MOVES: usize = 64;

/// So many may be followed for each success, divided by the number of configurations that wait to be expanded.
/// Where they are few, the search is about to pass through a narrow place, and stays narrow by looking ahead.
/// Where they are many, looking ahead has not kept them few, and may not cost much more than the search.
const EARNED: usize = 1 << 13;

/// Whose next step is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// The oldest store in the thread's buffer.
    Buffer(ThreadId),
    /// The thread's control; its buffer is empty.
    Control(ThreadId),
}

/// The reduction, and how it fares.
pub(super) struct Ahead {
    /// By thread and instruction: what was executed on the way.
    pub(super) executed: Vec<Vec<bool>>,
    scratch: Scratch,
}

/// How many moves may still be followed.
#[derive(Clone, Copy)]
pub(super) struct Credit {
    left: usize,
    /// How many configurations waited to be expanded when the present one was next.
    waiting: usize,
    /// Moves that were followed, and do not yet count where configurations are limited.
    followed: usize,
}

impl Default for Credit {
    fn default() -> Self {
        Self {
            left: MOST_MOVES,
            waiting: 0,
            followed: 0,
        }
    }
}

impl Credit {
    /// Notes that one more configuration is expanded, and how many wait. Returns how many could have been
    /// visited in the time that it took to look ahead.
    pub(super) fn go_on(&mut self, waiting: usize) -> usize {
        self.left += EACH;
        self.waiting = waiting;
        let spent = self.followed / ORDINARY;
        self.followed %= ORDINARY;
        spent
    }
}

impl Ahead {
    /// `None` if it does not apply to the model or to so many threads, or is switched off.
    pub(super) fn new(machine: &Machine<'_>, reduction: Reduction) -> Option<Self> {
        let applies = match machine.model {
            Model::Sc | Model::Tso => reduction.lookahead != Lookahead::Never,
            Model::Pso | Model::Pgas => false,
        };
        let threads = machine.program.threads();
        let applies = applies && threads.len() <= MOST_THREADS;
        let threads = threads.iter();
        applies.then(|| Self {
            executed: threads
                .map(|thread| vec![false; thread.instructions().len()])
                .collect(),
            scratch: Scratch::default(),
        })
    }

    /// Whether the next step is independent of all that the other thread does before it. Requires that
    /// no thread is inside a block, that the step changes no property, and that third threads interfere
    /// neither with it nor with the other one.
    pub(super) fn is_independent(
        &mut self,
        machine: &Machine<'_>,
        reduce: &Reduce,
        config: &Config,
        asked: (Asked, ThreadId),
        credit: &mut Credit,
    ) -> bool {
        let (asked, other) = asked;
        let most = MOST_MOVES.min(credit.left);
        if most < FEW_MOVES {
            return false;
        }
        self.scratch.here.clone_from(config);
        self.scratch.next.clear();
        let mut run = Run {
            machine,
            reduce,
            other,
            scratch: &mut self.scratch,
            executed: &mut self.executed[other.index()],
            left: most,
        };
        let independent = run.decide(asked).is_ok_and(|independent| independent);
        let followed = most - run.left;
        credit.followed += followed;
        credit.left -= followed;
        if independent {
            credit.left += EARNED / (1 + credit.waiting);
        }
        independent
    }
}

/// Memory for runs.
#[derive(Default)]
struct Scratch {
    here: Config,
    /// The next moves of the actor that is asked about.
    next: Vec<Next>,
    /// What the other thread does, and what either does once more.
    moved: Move,
    again: Move,
    /// Where the other thread was since its last store. Memory was the same at all of them.
    places: Vec<Place>,
    branches: Vec<(Config, Step)>,
}

/// The other thread on its way.
struct Run<'r, 'p> {
    machine: &'r Machine<'p>,
    reduce: &'r Reduce,
    other: ThreadId,
    scratch: &'r mut Scratch,
    executed: &'r mut Vec<bool>,
    left: usize,
}

impl Run<'_, '_> {
    fn decide(&mut self, asked: Asked) -> Result<bool, Unclear> {
        let machine = self.machine;
        match asked {
            Asked::Buffer(thread) => {
                let here = &self.scratch.here;
                let head = here.buffers[thread.index()].fifo.first();
                let Some(&BufferItem::Store { addr, value }) = head else {
                    return Err(Unclear);
                };
                let mut moved = Move::default();
                let old = here.memory[addr.index()];
                moved.writes.push((addr, old, value));
                self.scratch.next.push(Next {
                    moved,
                    control: None,
                });
            }
            Asked::Control(thread) => {
                let mut steps = Steps::new();
                self.possible(thread, &mut steps)?;
                if steps.len() > MOST_NEXT {
                    return Err(Unclear);
                }
                let before = Place::of(machine, &self.scratch.here, thread);
                for step in steps {
                    let mut moved = Move::default();
                    self.move_on(step, &mut moved)?;
                    let here = &mut self.scratch.here;
                    let after = Place::of(machine, here, thread);
                    moved.undo(here);
                    before.put(machine, here, thread);
                    let control = Some((step, after));
                    self.scratch.next.push(Next { moved, control });
                }
                if self.scratch.next.iter().all(|next| next.moved.is_stuck) {
                    return Err(Unclear);
                }
            }
        }
        // What the other thread has buffered reaches memory first; its loads do not see when.
        let thread = self.other;
        let head = |here: &Config| here.buffers[thread.index()].fifo.first().copied();
        while let Some(BufferItem::Store { addr, .. }) = head(&self.scratch.here) {
            let flushed = machine.apply(&mut self.scratch.here, Step::Flush { thread, addr });
            flushed.map_err(|_| Unclear)?;
            if !self.allows(&[addr])? {
                return Ok(false);
            }
        }
        self.follow()
    }

    /// Follows the other thread on all its ways.
    fn follow(&mut self) -> Result<bool, Unclear> {
        let mut steps = Steps::new();
        let mut next = None;
        self.scratch.places.clear();
        self.scratch.branches.clear();
        loop {
            if next.is_none() {
                steps.clear();
                self.possible(self.other, &mut steps)?;
                let Scratch { here, branches, .. } = &mut *self.scratch;
                let kept = branches.len() + steps.len();
                if kept > 1 && kept * here.memory.len() > MOST_KEPT {
                    return Err(Unclear);
                }
                branches.extend(steps.iter().skip(1).map(|&step| (here.clone(), step)));
                next = steps.first().copied();
            }
            let goes_on = match next.take() {
                None => false,
                Some(step) => match self.one_more(step)? {
                    Way::On => true,
                    Way::Closed => false,
                    Way::Blocked => return Ok(false),
                },
            };
            if !goes_on {
                let Some((config, step)) = self.scratch.branches.pop() else {
                    return Ok(true);
                };
                self.scratch.here = config;
                self.scratch.places.clear();
                next = Some(step);
            }
        }
    }

    /// Follows the other thread for a move.
    fn one_more(&mut self, step: Step) -> Result<Way, Unclear> {
        let before = Place::of(self.machine, &self.scratch.here, self.other);
        let mut moved = std::mem::take(&mut self.scratch.moved);
        self.move_on(step, &mut moved)?;
        for &instr in &moved.path {
            self.executed[instr.index()] = true;
        }
        let way = if moved.is_stuck {
            Way::Closed
        } else {
            let commutes = self.commutes(step, &before, &moved);
            self.scratch.places.push(before);
            self.way(&moved, commutes)?
        };
        self.scratch.moved = moved;
        Ok(way)
    }

    /// Where this move has led, which does the same after each move that is asked about, or does not.
    fn way(&mut self, moved: &Move, commutes: bool) -> Result<Way, Unclear> {
        if moved.writes.is_empty() {
            let mut places = self.scratch.places.iter();
            let is_back = places.any(|at| at.is(self.machine, &self.scratch.here, self.other));
            return Ok(match (is_back, commutes) {
                (true, _) => Way::Closed,
                (false, true) => Way::On,
                (false, false) => Way::Blocked,
            });
        }
        self.scratch.places.clear();
        let cells: SmallVec<[Addr; 2]> = moved.writes.iter().map(|w| w.0).collect();
        Ok(if commutes && self.allows(&cells)? {
            Way::On
        } else {
            Way::Blocked
        })
    }

    /// Whether no move that is asked about writes these cells, and each still does the same after they were
    /// written.
    fn allows(&mut self, written: &[Addr]) -> Result<bool, Unclear> {
        let machine = self.machine;
        for number in 0..self.scratch.next.len() {
            let next = &self.scratch.next[number];
            if !next.moved.is_stuck && written.iter().any(|&addr| next.moved.is_written(addr)) {
                return Ok(false);
            }
            let is_read = written.iter().any(|addr| next.moved.reads.contains(addr));
            let Some((step, _)) = next.control.as_ref().filter(|_| is_read) else {
                continue;
            };
            let (step, thread) = (*step, step.thread());
            let before = Place::of(machine, &self.scratch.here, thread);
            let mut again = std::mem::take(&mut self.scratch.again);
            self.move_on(step, &mut again)?;
            let Scratch { here, next, .. } = &mut *self.scratch;
            let next = &mut next[number];
            let mut after = next.control.iter();
            let same = again.does_same(&next.moved)
                && after.all(|(_, after)| after.is(machine, here, thread));
            // From here on it may depend on other cells.
            next.moved.reads.extend_from_slice(&again.reads);
            again.undo(here);
            before.put(machine, here, thread);
            self.scratch.again = again;
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the move that was made, from this place, does the same after each move that is asked about.
    fn commutes(&mut self, step: Step, before: &Place, moved: &Move) -> bool {
        let machine = self.machine;
        (0..self.scratch.next.len()).all(|number| {
            let Scratch { here, next, .. } = &mut *self.scratch;
            let next = &next[number].moved;
            let mut written = next.writes.iter();
            if next.is_stuck || !written.any(|(addr, _, _)| moved.reads.contains(addr)) {
                return true;
            }
            let after = Place::of(machine, here, self.other);
            moved.undo(here);
            before.put(machine, here, self.other);
            next.redo(here);
            let mut again = std::mem::take(&mut self.scratch.again);
            let goes = self.move_on(step, &mut again).is_ok();
            let Scratch { here, next, .. } = &mut *self.scratch;
            let same = goes && again.does_same(moved) && after.is(machine, here, self.other);
            again.undo(here);
            next[number].moved.undo(here);
            moved.redo(here);
            after.put(machine, here, self.other);
            self.scratch.again = again;
            same
        })
    }
}

/// Where a move leads.
enum Way {
    /// To a new place, and also after the moves that are asked about.
    On,
    /// Nowhere new: back to an earlier place, or into a block that cannot be left.
    Closed,
    /// To where it does not get after one of the moves that are asked about.
    Blocked,
}

/// A next move of the actor that is asked about.
struct Next {
    moved: Move,
    /// The first step, and where it leads, if it is one of a control.
    control: Option<(Step, Place)>,
}
