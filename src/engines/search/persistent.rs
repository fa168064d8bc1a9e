//! Persistent sets: in most configurations it is enough to explore the steps of some threads.
//!
//! An *actor* is a thread's control or its buffer (under PSO without buffered fences, the buffer of
//! one cell). A set of actors is *closed* if, whatever the other actors do on their own from here,
//! no step of theirs depends on a next step of an actor in the set, nor enables one. Exploring the
//! steps of a closed set that has an enabled step is enough [Godefroid, LNCS 1032, chapter 4;
//! Valmari's stubborn sets]:
//!
//! Let `w` be a computation from here that reaches a goal.
//!
//! * If `w` contains a step of the set, the first one, `a`, is enabled here and independent of all
//!   steps before it, so `a` can be taken first, and the rest of `w` is shorter.
//! * Otherwise `a·w` is a computation for each enabled `a` of the set, and reaches the goal too:
//!   assertions that fail still fail. The access outside shared memory is not one of the control
//!   that takes `a`: that one has not moved, and the goal is found here. A property that is decided
//!   where all threads have ended cannot be decided without `a`, unless `a` moves a store that the
//!   property does not read, and then it does not matter. For any other property: if `a` may change
//!   it, each step that may change it belongs to the set (a property counts as a cell that such
//!   steps write); so `w` has none, and the goal is found here. If `a` may not change it, it is
//!   true after `a·w`. A property that needs a thread at another location than where it is does not count
//!   among what the next step of its control changes: without that step it stays false, so no `w` is about it.
//!
//! For the last point a goal has to be found although stores to other cells are still buffered: a
//! property is looked at as soon as no store to a cell that it reads is buffered, since the buffers
//! can always be emptied ([`Persistent::settled`]).
//!
//! In the second case `w` has not become shorter. So at least one step of the set must lead, perhaps
//! through a chain of configurations that are not stored, to a configuration that is expanded later
//! than this one (Bošnački, Leue, Lluch Lafuente, STTT 2009); otherwise all steps are explored. The
//! search checks this, for (local) and (retire) too where it stores the configuration. A configuration
//! inside a block does not count, because only the block's steps can be taken there. Sequences of
//! configurations that are each expanded later than the one before are finite.
//!
//! What depends on what:
//!
//! * A store that is issued is seen by its own thread only, so it depends on nothing but the
//!   properties that read the cell. It is the move from the buffer to memory that others see.
//! * A thread's own control and buffers, or two of its buffers, depend on each other only if both
//!   change a property.
//! * A control that waits for an empty buffer is enabled by the buffer, so the buffer belongs to the
//!   set; one of its parts is enough, because the control waits as long as this part does.
//! * A load from the thread's own buffer is treated as one from memory: the store may have reached
//!   memory, and another one after it, before the load is executed.
//! * An atomic block is one step. Where it cannot be left, it does not lead to a configuration that is
//!   expanded later, so another step does, or all are explored.
//! * The first move of a buffer is fixed if the buffer, or its part, is first in, first out, whatever
//!   its thread issues in the meantime. Under PGAS it is not: a store issued later may advance first.
//!   So the control belongs to a set with its buffer, unless (advance) admits no other move than
//!   that of the oldest store in the FIFO. A lightweight fence depends on the order in which stores
//!   advance, so if the thread has such fences, the buffer belongs to a set with its control, too.
//! * `barrier all` looks at all buffers: programs that have one are not reduced.

mod bounded;
mod closed;

use super::ahead::{Asked, View};
use super::footprint::{Footprint, Touch};
use super::reduce::Reduction;
use crate::model::Model;
use crate::program::{AccessKind, Addr, Fence, Goal, Op, ThreadId};
use crate::reference::Step;
use crate::reference::buffer::{Buffer, BufferItem, Join};
use crate::reference::machine::{Config, Machine};
use crate::reference::rules::MOST_CHOICES;
use closed::smallest_closed;
use smallvec::smallvec;
use std::borrow::Cow;

/// What takes steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Actor {
    /// A thread's control.
    Control(ThreadId),
    /// A thread's whole buffer.
    Buffer(ThreadId),
    /// PSO: the stores to one cell.
    Cell(ThreadId, Addr),
}

impl Actor {
    fn thread(self) -> ThreadId {
        match self {
            Actor::Control(thread) | Actor::Buffer(thread) | Actor::Cell(thread, _) => thread,
        }
    }

    fn takes(self, step: Step) -> bool {
        match step {
            Step::Execute { thread, .. } => self == Actor::Control(thread),
            Step::Flush { thread, addr } => {
                self == Actor::Buffer(thread) || self == Actor::Cell(thread, addr)
            }
            Step::Advance { thread, .. } | Step::Retire { thread } => self == Actor::Buffer(thread),
        }
    }
}

/// An actor in a configuration.
struct Node<'f> {
    actor: Actor,
    /// Whether it can take a step.
    enabled: bool,
    /// What its next steps do.
    next: Cow<'f, Touch>,
    /// What it may do before any other actor takes a step.
    all: Cow<'f, Touch>,
    /// The actor whose step it waits for, if it waits for its buffer.
    waits_for: Option<usize>,
    /// Another actor that belongs to each set with this one.
    coupled: Option<usize>,
}

/// The reduction, prepared for one program and its goals.
pub(super) struct Persistent {
    footprint: Footprint,
    /// By thread: whether it has fences that are issued into the second of two stages.
    issues_fences: Vec<bool>,
    /// Whether a store advances only into an empty FIFO, or for a fence.
    advance: bool,
}

impl Persistent {
    /// `None` if nothing can be reduced, or too much memory would be needed.
    pub(super) fn new(machine: &Machine<'_>, goals: &[Goal], reduction: Reduction) -> Option<Self> {
        let program = machine.program;
        let about_waiting = goals.iter().any(|goal| match *goal {
            Goal::Property(index) => program.properties()[index].kind.is_about_waiting(),
            Goal::Assert(_) | Goal::Outside(_) => false,
        });
        let mut ops = program.sites().map(|(_, instruction)| &instruction.op);
        let looks_everywhere = ops.any(|op| op.fence() == Some(&Fence::All));
        if !reduction.persistent || program.threads().len() < 2 || about_waiting || looks_everywhere
        {
            return None;
        }
        let issues_fences = program.thread_ids().map(|t| {
            let mut instructions = program.thread(t).instructions().iter();
            machine.model.has_two_stages()
                && instructions.any(|instruction| machine.buffered_fence(t, instruction).is_some())
        });
        Some(Self {
            footprint: Footprint::new(machine, goals)?,
            issues_fences: issues_fences.collect(),
            advance: reduction.advance,
        })
    }

    /// Whether no store to a cell that the property reads is buffered. Requires that the property is
    /// one of the goals.
    pub(super) fn settled(&self, config: &Config, property: usize) -> bool {
        let observed = self.footprint.observed(property);
        let buffers = config.buffers.iter();
        let mut items = buffers.flat_map(|buffer| buffer.waiting.iter().chain(&buffer.fifo));
        items.all(|item| match item {
            BufferItem::Store { addr, .. } => !observed.contains(addr),
            BufferItem::Fence(_) => true,
        })
    }

    /// Removes the steps that need not be explored; returns whether there were any. Requires the steps
    /// of a configuration where no thread is inside an atomic block. Where footprints leave more than
    /// one actor, the search looks ahead, if it may.
    pub(super) fn choose(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        steps: &mut Vec<Step>,
        view: Option<View<'_, '_>>,
    ) -> bool {
        let nodes = self.nodes(machine, config);
        let mut chosen = smallest_closed(&nodes, self.footprint.properties());
        let is_enabled = |&node: &usize| nodes[node].enabled;
        let most = match &chosen {
            Some(set) => set.iter().copied().filter(is_enabled).count(),
            None => (0..nodes.len()).filter(is_enabled).count(),
        };
        if let Some(mut view) = view
            && most > 1
        {
            let mut all = 0..nodes.len();
            let asked = all.find(|&node| {
                self.asked(&nodes, node)
                    .is_some_and(|asked| view.is_independent(asked))
            });
            chosen = match asked {
                Some(node) => Some(smallvec![node]),
                None => self.bounded(&nodes, most, &mut view).or(chosen),
            };
        }
        let Some(chosen) = chosen else {
            return false;
        };
        let all = steps.len();
        steps.retain(|&step| chosen.iter().any(|&node| nodes[node].actor.takes(step)));
        steps.len() < all
    }

    /// What to ask about the next step of an actor: see `ahead`. `None` if there is nothing to be gained.
    fn asked(&self, nodes: &[Node<'_>], node: usize) -> Option<(Asked, ThreadId)> {
        let Node {
            actor,
            enabled,
            next,
            ..
        } = &nodes[node];
        let thread = actor.thread();
        let properties = self.footprint.properties();
        let changes_property = next.both_write(next, properties);
        if !enabled || changes_property {
            return None;
        }
        let asked = match actor {
            Actor::Buffer(thread) => Asked::Buffer(*thread),
            Actor::Control(thread) => {
                // A thread's buffers come before its control.
                let is_empty = node == 0 || nodes[node - 1].actor.thread() != *thread;
                is_empty.then_some(Asked::Control(*thread))?
            }
            Actor::Cell(..) => return None,
        };
        let others = || nodes.iter().filter(|other| other.actor.thread() != thread);
        let other = others()
            .find(|other| next.conflicts(&other.all))?
            .actor
            .thread();
        // What a property reads is no way for one thread to influence another.
        let third = || others().filter(|third| third.actor.thread() != other);
        let of_other = || others().filter(|node| node.actor.thread() == other);
        let is_alone = third().all(|third| {
            !next.conflicts(&third.all)
                && !of_other().any(|node| node.all.conflicts_outside(&third.all, properties))
        });
        is_alone.then_some((asked, other))
    }

    fn nodes(&self, machine: &Machine<'_>, config: &Config) -> Vec<Node<'_>> {
        // Most threads have a control and at most one buffer.
        let mut nodes = Vec::with_capacity(2 * config.locations.len());
        for thread in machine.program.thread_ids() {
            let first = nodes.len();
            self.add_buffers(machine, config, thread, &mut nodes);
            let buffer = (nodes.len() > first).then_some(first);
            let control = self.control(machine, config, thread, buffer);
            if let Some(buffer) = buffer
                && machine.model.has_two_stages()
            {
                let fifo = &config.buffers[thread.index()].fifo;
                let is_fixed = self.advance && !fifo.is_empty();
                if !is_fixed || self.issues_fences[thread.index()] {
                    nodes[buffer].coupled = Some(nodes.len());
                }
            }
            nodes.push(control);
        }
        nodes
    }

    fn add_buffers<'f>(
        &'f self,
        machine: &Machine<'_>,
        config: &Config,
        thread: ThreadId,
        nodes: &mut Vec<Node<'f>>,
    ) {
        let buffer = &config.buffers[thread.index()];
        if buffer.is_empty() {
            return;
        }
        let node = |actor, next, all| Node {
            actor,
            enabled: true,
            next,
            all,
            waits_for: None,
            coupled: None,
        };
        // The cells of a buffer move by themselves where neither fences nor word accesses connect them.
        let connects = |item: &BufferItem| match item {
            BufferItem::Store { join, .. } => *join != Join::ALONE,
            BufferItem::Fence(_) => true,
        };
        if machine.model == Model::Pso && !buffer.waiting.iter().any(connects) {
            for addr in Buffer::cells(&buffer.waiting) {
                let stored = || Cow::Borrowed(self.footprint.stored(addr));
                nodes.push(node(Actor::Cell(thread, addr), stored(), stored()));
            }
            return;
        }
        let (mut next, mut all) = (self.footprint.nothing(), self.footprint.nothing());
        for &item in buffer.waiting.iter().chain(&buffer.fifo) {
            if let BufferItem::Store { addr, .. } = item {
                all.add(self.footprint.stored(addr));
            }
        }
        match machine.model {
            Model::Sc => {}
            // The order in which stores advance is not seen by others.
            Model::Tso | Model::Pgas => {
                for (addr, _) in buffer.head() {
                    next.add(self.footprint.stored(addr));
                }
            }
            Model::Pso => {
                for addr in Buffer::cells(&buffer.waiting) {
                    next.add(self.footprint.stored(addr));
                }
            }
        }
        let (next, all) = (Cow::Owned(next), Cow::Owned(all));
        nodes.push(node(Actor::Buffer(thread), next, all));
    }

    fn control(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        thread: ThreadId,
        buffer: Option<usize>,
    ) -> Node<'_> {
        let automaton = machine.program.thread(thread);
        let loc = config.locations[thread.index()];
        let mut next = self.footprint.nothing();
        let (mut enabled, mut waits_for) = (false, None);
        let drained = buffer.is_none();
        for &instr in automaton.outgoing(loc) {
            let op = &automaton.instruction(instr).op;
            let cell = op
                .address()
                .and_then(|e| machine.cell(config, thread, e).ok());
            if op.drains() && !drained {
                waits_for = buffer;
                continue;
            }
            let is_possible = if let Op::Assume(e) = op {
                machine.eval(config, thread, e) != 0
            } else if let Op::Havoc { low, high, .. } = op {
                i64::from(*high) - i64::from(*low) < MOST_CHOICES
            } else {
                op.access().is_none() || cell.is_some()
            };
            if !is_possible {
                continue;
            }
            enabled = true;
            next.add(self.footprint.own(thread, instr));
            if op.begins_block() {
                next.add(self.footprint.block(thread, instr));
            }
            if let (Some((_, kind)), Some(addr)) = (op.access(), cell) {
                let (reads, writes) = match kind {
                    AccessKind::Load { .. } => (true, None),
                    AccessKind::Store { .. } if machine.model.relaxes_store_load() => {
                        (false, Some(self.footprint.issued(addr)))
                    }
                    AccessKind::Store { .. } => (false, Some(self.footprint.stored(addr))),
                    AccessKind::Rmw { .. } => (true, Some(self.footprint.stored(addr))),
                };
                if reads {
                    next.add(self.footprint.loaded(addr));
                }
                if let Some(writes) = writes {
                    next.add(writes);
                }
            }
        }
        self.footprint
            .leave_needed_elsewhere(thread, loc, &mut next);
        Node {
            actor: Actor::Control(thread),
            enabled,
            next: Cow::Owned(next),
            all: Cow::Borrowed(self.footprint.future(thread, loc)),
            waits_for,
            coupled: buffer.filter(|_| self.issues_fences[thread.index()]),
        }
    }
}
