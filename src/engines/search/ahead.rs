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
//! * A store of the control is compared as if it reached memory at once, and a fence after it as if it did not
//!   wait, although under TSO the step only issues it: that asks for more than necessary.
//!
//! **Several threads** would have to be followed in all orders. What they can do is bounded instead, thread by
//! thread: see [`modular`]. That is for larger searches only, and takes longer: see [`credit`].
//!
//! **Absent.** PSO and PGAS: what is in the other buffers of `p` may reach memory before `a` does.

mod credit;
mod deciding;
mod modular;
mod moves;

pub(super) use credit::Credit;
pub(super) use modular::{By, Stopped};
pub(super) use moves::Unclear;

use super::footprint::{Footprint, Touch};
use super::reduce::Reduce;
use super::{Onset, Reduction};
use crate::model::Model;
use crate::program::{Addr, ThreadId};
use crate::reference::Step;
use crate::reference::buffer::BufferItem;
use crate::reference::machine::{Config, Machine};
use deciding::Deciding;
use modular::{Bound, Modular};
use moves::{Move, Place, Steps};
use smallvec::SmallVec;
use std::cell::OnceCell;

/// With more threads than this, finding out who interferes with whom takes longer than it is worth.
const MOST_THREADS: usize = 16;

/// An actor with more possible steps than this is not asked about.
const MOST_NEXT: usize = 8;

/// How many cells the configurations may have that are kept to follow other ways of a thread.
const MOST_KEPT: usize = 1 << 16;

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
    deciding: OnceCell<Deciding>,
    scratch: Scratch,
}

impl Ahead {
    /// `None` if it does not apply to the model or to so many threads, or is switched off.
    pub(super) fn new(machine: &Machine<'_>, reduction: Reduction) -> Option<Self> {
        let applies = match machine.model {
            Model::Sc | Model::Tso => reduction.lookahead != Onset::Never,
            Model::Pso | Model::Pgas => false,
        };
        let threads = machine.program.threads();
        let applies = applies && threads.len() <= MOST_THREADS;
        let threads = threads.iter();
        applies.then(|| Self {
            executed: threads
                .map(|thread| vec![false; thread.instructions().len()])
                .collect(),
            deciding: OnceCell::new(),
            scratch: Scratch::default(),
        })
    }

    /// Whether there are more threads than two, so that several may interfere with one.
    pub(super) fn applies_to_several(&self) -> bool {
        self.executed.len() > 2
    }
}

/// Looks ahead from one configuration.
pub(super) struct View<'v, 'p> {
    pub(super) ahead: &'v mut Ahead,
    pub(super) machine: &'v Machine<'p>,
    pub(super) reduce: &'v Reduce,
    pub(super) config: &'v Config,
    pub(super) credit: &'v mut Credit,
}

impl View<'_, '_> {
    /// Whether the next step is independent of all that the other thread does before it. Requires that
    /// no thread is inside a block, that the step changes no property, and that third threads interfere
    /// neither with it nor with the other one.
    pub(super) fn is_independent(&mut self, (asked, other): (Asked, ThreadId)) -> bool {
        let Some(most) = self.credit.moves() else {
            return false;
        };
        let Ahead {
            executed, scratch, ..
        } = &mut *self.ahead;
        scratch.here.clone_from(self.config);
        scratch.next.clear();
        let mut run = Run {
            machine: self.machine,
            reduce: self.reduce,
            other,
            scratch,
            executed: &mut executed[other.index()],
            left: most,
        };
        let independent = run.decide(asked).is_ok_and(|independent| independent);
        self.credit.moved(most - run.left, independent);
        independent
    }

    /// Whether bounds may be used.
    pub(super) fn has_bounds(&self) -> bool {
        self.ahead.applies_to_several() && self.credit.of_bound().is_some()
    }

    /// The first touch of an actor that is not stopped of which this says that the stopped ones depend on it.
    /// Requires that no thread is inside a block.
    ///
    /// # Errors
    ///
    /// If that takes too long to find out.
    pub(super) fn first_touch(
        &mut self,
        footprint: &Footprint,
        stopped: &[Stopped],
        depends: impl FnMut(ThreadId, By, &Touch) -> bool,
    ) -> Result<Option<(ThreadId, By)>, Unclear> {
        let most = self.credit.of_bound().ok_or(Unclear)?;
        let mut left = most;
        let Ahead {
            deciding, scratch, ..
        } = &mut *self.ahead;
        scratch.here.clone_from(self.config);
        let mut bound = Bound {
            machine: self.machine,
            reduce: self.reduce,
            footprint,
            deciding: deciding.get_or_init(|| Deciding::of(self.machine.program)),
            config: self.config,
            here: &mut scratch.here,
            stopped,
            modular: &mut scratch.modular,
            left: &mut left,
            depends,
        };
        let found = bound.find();
        self.credit.bounded(most - left);
        found
    }
}

/// Memory for runs.
#[derive(Default)]
struct Scratch {
    modular: Modular,
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
                let mut moved = Move::default();
                for (addr, value) in here.buffers[thread.index()].head() {
                    moved.writes.push((addr, here.memory[addr.index()], value));
                }
                if moved.writes.is_empty() {
                    return Err(Unclear);
                }
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
