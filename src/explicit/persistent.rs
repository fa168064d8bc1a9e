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
//!   true after `a·w`.
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

use super::Step;
use super::ahead::Asked;
use super::buffer::{Buffer, BufferItem};
use super::footprint::{Cells, Footprint, Touch};
use super::machine::{Config, Machine};
use super::reduce::Reduction;
use super::rules::MOST_CHOICES;
use crate::model::Model;
use crate::program::{AccessKind, Addr, Fence, Goal, Op, ThreadId};

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
struct Node {
    actor: Actor,
    /// Whether it can take a step.
    enabled: bool,
    /// What its next steps do.
    next: Touch,
    /// What it may do before any other actor takes a step.
    all: Touch,
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
    /// one actor, `is_independent`, if there is one, says whether the next step of one of them is
    /// independent of all that another thread does before it.
    pub(super) fn choose(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        steps: &mut Vec<Step>,
        is_independent: Option<impl FnMut((Asked, ThreadId)) -> bool>,
    ) -> bool {
        let nodes = self.nodes(machine, config);
        let mut chosen = smallest_closed(&nodes, self.footprint.properties());
        let is_enabled = |&&node: &&usize| nodes[node].enabled;
        let is_single = |set: &Vec<usize>| set.iter().filter(is_enabled).count() == 1;
        if let Some(mut is_independent) = is_independent
            && !chosen.as_ref().is_some_and(is_single)
        {
            let asked = (0..nodes.len())
                .find(|&node| self.asked(&nodes, node).is_some_and(&mut is_independent));
            chosen = asked.map(|node| vec![node]).or(chosen);
        }
        let Some(chosen) = chosen else {
            return false;
        };
        let all = steps.len();
        steps.retain(|&step| chosen.iter().any(|&node| nodes[node].actor.takes(step)));
        steps.len() < all
    }

    /// What to ask about the next step of an actor: see `ahead`. `None` if there is nothing to be gained.
    fn asked(&self, nodes: &[Node], node: usize) -> Option<(Asked, ThreadId)> {
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

    fn nodes(&self, machine: &Machine<'_>, config: &Config) -> Vec<Node> {
        let mut nodes = Vec::new();
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

    fn add_buffers(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        thread: ThreadId,
        nodes: &mut Vec<Node>,
    ) {
        let buffer = &config.buffers[thread.index()];
        if buffer.is_empty() {
            return;
        }
        let node = |actor: Actor| Node {
            actor,
            enabled: true,
            next: self.footprint.nothing(),
            all: self.footprint.nothing(),
            waits_for: None,
            coupled: None,
        };
        let is_fence = |item: &BufferItem| matches!(item, BufferItem::Fence(_));
        if machine.model == Model::Pso && !buffer.waiting.iter().any(is_fence) {
            for addr in Buffer::cells(&buffer.waiting) {
                let mut node = node(Actor::Cell(thread, addr));
                node.next.add(self.footprint.stored(addr));
                node.all.add(self.footprint.stored(addr));
                nodes.push(node);
            }
            return;
        }
        let mut node = node(Actor::Buffer(thread));
        for &item in buffer.waiting.iter().chain(&buffer.fifo) {
            if let BufferItem::Store { addr, .. } = item {
                node.all.add(self.footprint.stored(addr));
            }
        }
        match machine.model {
            Model::Sc => {}
            // The order in which stores advance is not seen by others.
            Model::Tso | Model::Pgas => {
                if let Some(&BufferItem::Store { addr, .. }) = buffer.fifo.first() {
                    node.next.add(self.footprint.stored(addr));
                }
            }
            Model::Pso => {
                for addr in Buffer::cells(&buffer.waiting) {
                    node.next.add(self.footprint.stored(addr));
                }
            }
        }
        nodes.push(node);
    }

    fn control(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        thread: ThreadId,
        buffer: Option<usize>,
    ) -> Node {
        let automaton = machine.program.thread(thread);
        let loc = config.locations[thread.index()];
        let mut node = Node {
            actor: Actor::Control(thread),
            enabled: false,
            next: self.footprint.nothing(),
            all: self.footprint.nothing(),
            waits_for: None,
            coupled: buffer.filter(|_| self.issues_fences[thread.index()]),
        };
        node.all.add(self.footprint.future(thread, loc));
        let drained = buffer.is_none();
        for &instr in automaton.outgoing(loc) {
            let op = &automaton.instruction(instr).op;
            let cell = op
                .address()
                .and_then(|e| machine.cell(config, thread, e).ok());
            if op.drains() && !drained {
                node.waits_for = buffer;
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
            node.enabled = true;
            node.next.add(self.footprint.own(thread, instr));
            if *op == Op::AtomicBegin {
                node.next.add(self.footprint.block(thread, instr));
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
                    node.next.add(self.footprint.loaded(addr));
                }
                if let Some(writes) = writes {
                    node.next.add(writes);
                }
            }
        }
        self.footprint
            .leave_needed_elsewhere(thread, loc, &mut node.next);
        node
    }
}

/// The closed set with the fewest enabled actors, but at least one: the nodes from which nothing
/// else that is enabled can be reached along dependencies. `None` if that is every actor.
fn smallest_closed(nodes: &[Node], properties: &Cells) -> Option<Vec<usize>> {
    smallest_closed_by(nodes, properties, Index::new(nodes))
}

/// The same, with an index or without.
fn smallest_closed_by(
    nodes: &[Node],
    properties: &Cells,
    index: Option<Index>,
) -> Option<Vec<usize>> {
    let mut best: Option<Vec<usize>> = None;
    let mut search = Closure {
        nodes,
        properties,
        index,
        hopeless: vec![false; nodes.len()],
        inside: vec![false; nodes.len()],
        set: Vec::with_capacity(nodes.len()),
        most: nodes.iter().filter(|node| node.enabled).count(),
    };
    if search.most < 2 {
        return None;
    }
    for first in (0..nodes.len()).filter(|&node| nodes[node].enabled) {
        if let Some(enabled) = search.close(first) {
            best = Some(search.set.clone());
            search.most = enabled;
            if enabled == 1 {
                break;
            }
        }
        search.hopeless[first] = true;
    }
    best
}

/// A search for closed sets.
struct Closure<'a> {
    nodes: &'a [Node],
    properties: &'a Cells,
    index: Option<Index>,
    /// The actors whose own sets were not better than the best one: a set that contains one of them
    /// is not better either.
    hopeless: Vec<bool>,
    inside: Vec<bool>,
    set: Vec<usize>,
    /// The number of enabled actors to be undercut.
    most: usize,
}

impl Closure<'_> {
    /// Makes `set` the least closed set that contains an actor, and returns the number of its enabled
    /// actors, if they are fewer than `most` and none is hopeless.
    fn close(&mut self, first: usize) -> Option<usize> {
        for &actor in &self.set {
            self.inside[actor] = false;
        }
        self.set.clear();
        let mut enabled = 0;
        self.insert(first, &mut enabled)?;
        let mut next = 0;
        while let Some(&at) = self.set.get(next) {
            next += 1;
            if let Some(index) = self.index.take() {
                let mut found = index.near(self.nodes, at);
                let all = found.try_for_each(|other| self.consider(at, other, &mut enabled));
                drop(found);
                self.index = Some(index);
                all?;
            } else {
                (0..self.nodes.len())
                    .try_for_each(|other| self.consider(at, other, &mut enabled))?;
            }
        }
        Some(enabled)
    }

    /// Adds an actor to the set if one that is in it depends on it.
    fn consider(&mut self, at: usize, other: usize, enabled: &mut usize) -> Option<()> {
        if !self.inside[other] && self.depends(at, other) {
            self.insert(other, enabled)?;
        }
        Some(())
    }

    /// Adds an actor to the set; `None` if the set is not worth closing then.
    fn insert(&mut self, actor: usize, enabled: &mut usize) -> Option<()> {
        *enabled += usize::from(self.nodes[actor].enabled);
        if self.hopeless[actor] || *enabled >= self.most {
            return None;
        }
        self.inside[actor] = true;
        self.set.push(actor);
        Some(())
    }

    /// Whether a set with the first actor has to contain the other.
    fn depends(&self, at: usize, other: usize) -> bool {
        let (node, candidate) = (&self.nodes[at], &self.nodes[other]);
        node.waits_for == Some(other)
            || node.coupled == Some(other)
            || if candidate.actor.thread() == node.actor.thread() {
                other != at && node.next.both_write(&candidate.all, self.properties)
            } else {
                node.next.conflicts(&candidate.all)
            }
    }
}

/// Who touches which cell: for many actors, most of which touch few of many cells.
struct Index {
    /// By cell: where its actors start.
    starts: Vec<u32>,
    /// The actors that may write a cell or read it before any other actor takes a step, cell by cell.
    actors: Vec<u32>,
}

impl Index {
    /// With fewer actors, all are compared with all.
    const MANY: usize = 64;
    /// With more cells per actor than this on average, too.
    const FEW_CELLS: usize = 16;

    fn new(nodes: &[Node]) -> Option<Self> {
        if nodes.len() < Self::MANY {
            return None;
        }
        let cells = |node: &Node| {
            let touched = node.all.reads.iter().zip(&node.all.writes);
            Self::bits(touched.map(|(reads, writes)| reads | writes)).collect::<Vec<usize>>()
        };
        let words = nodes[0].all.reads.len();
        let mut starts = vec![0_u32; 64 * words + 1];
        let mut entries = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            for cell in cells(node) {
                starts[cell + 1] += 1;
                entries.push((cell as u32, number as u32));
            }
            if entries.len() > Self::FEW_CELLS * nodes.len() {
                return None;
            }
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        entries.sort_unstable();
        let actors = entries.into_iter().map(|(_, actor)| actor).collect();
        Some(Self { starts, actors })
    }

    /// The numbers of the bits that are set.
    fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
        words.enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(64 * word + bit)
            })
        })
    }

    /// All actors on which this one may depend: those of its thread, and those that touch a cell that its next
    /// steps touch.
    fn near(&self, nodes: &[Node], at: usize) -> impl Iterator<Item = usize> {
        let thread = nodes[at].actor.thread();
        let is_own = move |&other: &usize| nodes[other].actor.thread() == thread;
        let before = (0..at).rev().take_while(is_own);
        let after = (at + 1..nodes.len()).take_while(is_own);
        let next = &nodes[at].next;
        let touched = next.reads.iter().zip(&next.writes);
        let cells = Self::bits(touched.map(|(reads, writes)| reads | writes));
        let others = cells.flat_map(|cell| {
            let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
            self.actors[range].iter().map(|&actor| actor as usize)
        });
        before.chain(after).chain(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use smallvec::smallvec;

    /// A few cells of 128, of which the last two are properties.
    fn touch() -> impl Strategy<Value = Touch> {
        let cell = prop_oneof![8 => 0..126_usize, 1 => 126..128_usize];
        let cells = || {
            prop::collection::vec(cell.clone(), 0..2).prop_map(|all| {
                let mut cells: Cells = smallvec![0, 0];
                for cell in all {
                    cells[cell / 64] |= 1 << (cell % 64);
                }
                cells
            })
        };
        (cells(), cells()).prop_map(|(reads, writes)| Touch { reads, writes })
    }

    /// The nodes of a thread: perhaps its buffer, and its control.
    fn of_thread() -> impl Strategy<Value = Vec<(bool, Touch, Touch, bool)>> {
        prop::collection::vec((any::<bool>(), touch(), touch(), any::<bool>()), 1..3)
    }

    fn nodes(threads: Vec<Vec<(bool, Touch, Touch, bool)>>) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        for (thread, parts) in threads.into_iter().enumerate() {
            let first = nodes.len();
            let last = parts.len() - 1;
            for (part, (enabled, next, mut all, waits)) in parts.into_iter().enumerate() {
                let thread = ThreadId::from(thread);
                all.add(&next);
                nodes.push(Node {
                    actor: if part == last {
                        Actor::Control(thread)
                    } else {
                        Actor::Buffer(thread)
                    },
                    enabled,
                    next,
                    all,
                    waits_for: (part > 0 && waits).then_some(first),
                    coupled: None,
                });
            }
        }
        nodes
    }

    proptest! {
        #[test]
        fn an_index_changes_no_set(threads in prop::collection::vec(of_thread(), 64..90)) {
            let nodes = nodes(threads);
            let properties: Cells = smallvec![0, 3 << 62];
            let index = Index::new(&nodes);
            prop_assert!(index.is_some());
            let sorted = |set: Option<Vec<usize>>| {
                set.map(|mut set| {
                    set.sort_unstable();
                    set
                })
            };
            prop_assert_eq!(
                sorted(smallest_closed_by(&nodes, &properties, index)),
                sorted(smallest_closed_by(&nodes, &properties, None))
            );
        }
    }
}
