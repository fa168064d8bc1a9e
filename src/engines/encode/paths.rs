//! The paths of one thread: the copies that control visits, and the values of the registers there.
//!
//! ```text
//!   cut edges, entry ──▶ arrivals ──meet──▶ a copy ──leave──▶ options ──pass──▶ arrivals ──▶ …
//! ```
//!
//! Copies are encoded in the order of their keys, so that all arrivals of a copy are known at its
//! turn, except those that a raised bound adds later. `meet` has (guard), (carry) and (more), the
//! constraints where arrivals join. `leave` has (take), the choice of the next instruction. `pass`
//! encodes the effect of one instruction on the registers, and its event. `block` encodes atomic
//! blocks, which have one node in the order and must be completed. `value` encodes expressions over
//! the registers of a copy.
//!
//! **Invariant.** A copy is encoded once. A raised bound only adds arrivals, copies, and the
//! passages that were cut.
//!
//! **Absent.** The definition of copies (`unroll`), and the order of their events
//! (`program_order`).

mod block;
mod leave;
mod meet;
mod pass;
mod segments;
mod value;

pub(super) use value::RegValue;

use super::Encoding;
use super::event::EventId;
use super::program_order::EventChain;
use crate::cnf::{Bits, Cnf, NodeId};
use crate::facts::LoopId;
use crate::program::{InstrId, Program, RegId, Thread, ThreadId};
use crate::unroll::{BlockEntry, EdgeTarget, LocCopy, Unroller};
use ahash::{AHashMap, AHashSet};
use block::traps;
use rustsat::types::Lit;
use segments::Segments;
use std::collections::BTreeMap;
use std::sync::Arc;
use value::Env;

/// An arrival of control at a copy.
#[derive(Clone, Debug)]
struct Arrival {
    taken: Lit,
    from: Option<usize>,
    env: Env,
    chain: EventChain,
}

/// One copy of an edge of the automaton.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// The instruction.
    pub(crate) instr: InstrId,
    /// True if control takes it.
    pub(crate) taken: Lit,
    /// The copy that it leads to; `None` beyond a bound.
    pub(crate) to: Option<usize>,
    /// Its event in the memory order, if it has one.
    pub(crate) event: Option<EventId>,
    /// The value that a `nondet` takes.
    pub(crate) choice: Option<Arc<Bits>>,
}

/// A copy of a location.
#[derive(Debug)]
pub(super) struct CopyNode {
    pub(super) copy: LocCopy,
    arrivals: Vec<Arrival>,
    /// True if control visits it. Valid once `done` is set.
    pub(super) guard: Lit,
    /// The literal of arrivals that are not encoded yet, and the literals of which one must then be
    /// true: those of the loops that exceed their bounds.
    pub(super) more: Option<(Lit, Vec<Lit>)>,
    pub(super) env: Env,
    /// The events before it; kept after `done` only if an edge is cut here.
    chain: EventChain,
    done: bool,
    pub(super) out: Vec<Passage>,
    predecessors: Vec<usize>,
    /// Goals that are reached if control halts here: an access outside shared memory, or a failing
    /// assertion on a dropped edge. The instruction, and its condition.
    pub(super) halt_goals: Vec<(InstrId, Lit)>,
    /// Dropped edges: the instruction, and the condition under which it can be executed.
    dropped: Vec<(InstrId, Lit)>,
    /// Assertions that may fail here: the instruction, and its condition.
    pub(super) failing: Vec<(InstrId, Lit)>,
    /// For a copy inside an atomic block: goals for which the computation may end here, with their
    /// conditions.
    pub(super) stops: Vec<(InstrId, Lit)>,
    /// The fences that switches insert here: the switch, and the literal of "the fence is
    /// executed".
    fences: Vec<(Lit, Lit)>,
}

/// A cut edge, with the data needed to encode it later.
#[derive(Debug)]
struct CutEdge {
    id: LoopId,
    node: usize,
    passage: usize,
}

/// The copies of one thread.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) unroller: Unroller,
    pub(super) nodes: Vec<CopyNode>,
    segments: Segments,
    index: AHashMap<LocCopy, usize>,
    pending: BTreeMap<Vec<u32>, usize>,
    cuts: Vec<CutEdge>,
    /// Copies that were encoded before some of their arrivals.
    late: Vec<(usize, Arrival)>,
    /// The node in the order of each atomic block.
    blocks: AHashMap<Arc<BlockEntry>, NodeId>,
    /// For each instruction, whether it enters an atomic block that a thread may be unable to leave.
    traps: Vec<bool>,
}

impl Paths {
    pub(super) fn new(program: &Program, thread: &Thread, unroller: Unroller) -> Self {
        let traps = traps(program, thread, unroller.loops());
        let entry = unroller.entry(thread);
        let mut paths = Self {
            unroller,
            nodes: Vec::new(),
            segments: Segments::default(),
            index: AHashMap::new(),
            pending: BTreeMap::new(),
            cuts: Vec::new(),
            late: Vec::new(),
            blocks: AHashMap::new(),
            traps,
        };
        let env = thread
            .registers()
            .iter()
            .enumerate()
            .map(|(r, register)| (RegId::from(r), RegValue::constant(register.init)))
            .collect();
        let arrival = Arrival {
            taken: Cnf::TRUE,
            from: None,
            env,
            chain: EventChain::default(),
        };
        paths.arrive(entry, arrival);
        paths
    }

    /// Adds an arrival at a copy, and returns the copy's number.
    fn arrive(&mut self, copy: LocCopy, arrival: Arrival) -> usize {
        let number = if let Some(&number) = self.index.get(&copy) {
            number
        } else {
            let number = self.nodes.len();
            self.pending.insert(self.unroller.key(&copy), number);
            self.index.insert(copy.clone(), number);
            self.nodes.push(CopyNode {
                copy,
                arrivals: Vec::new(),
                guard: Cnf::FALSE,
                more: None,
                env: Env::new(),
                chain: EventChain::default(),
                done: false,
                out: Vec::new(),
                predecessors: Vec::new(),
                halt_goals: Vec::new(),
                dropped: Vec::new(),
                failing: Vec::new(),
                stops: Vec::new(),
                fences: Vec::new(),
            });
            number
        };
        let node = &mut self.nodes[number];
        node.predecessors.extend(arrival.from);
        if node.done {
            self.late.push((number, arrival));
        } else {
            node.arrivals.push(arrival);
        }
        number
    }

    /// Creates a copy that control may reach from beyond a bound. Its events come after those
    /// before the cut, also after the ones of iterations that are encoded later.
    fn add_landing(&mut self, copy: LocCopy, cut: usize) {
        match self.index.get(&copy) {
            Some(&number) if self.nodes[number].done => {
                let predecessors = &mut self.nodes[number].predecessors;
                if !predecessors.contains(&cut) {
                    predecessors.push(cut);
                }
            }
            Some(_) | None => {
                let chain = self.nodes[cut].chain.clone();
                let arrival = Arrival {
                    taken: Cnf::FALSE,
                    from: Some(cut),
                    env: Env::new(),
                    chain,
                };
                self.arrive(copy, arrival);
            }
        }
    }

    /// The loop of each cut edge, with a literal that is true if the loop exceeds its bound there.
    pub(super) fn cuts(&self) -> Vec<(LoopId, Lit)> {
        self.cuts
            .iter()
            .map(|cut| (cut.id, self.beyond(cut)))
            .collect()
    }

    /// The loops, in order, with a run that is cut and that no encoded edge leaves, although some
    /// edge leaves the loop. A run of a loop has one number of iterations for each loop around it.
    pub(super) fn counted(&self) -> Vec<LoopId> {
        if self.cuts.is_empty() {
            return Vec::new();
        }
        let mut left: AHashSet<(LoopId, &[u32])> = AHashSet::new();
        for node in &self.nodes {
            for passage in &node.out {
                left.extend(self.unroller.runs_left(&node.copy, passage.instr));
            }
        }
        let stays = |cut: &&CutEdge| {
            let run = self.unroller.run(&self.nodes[cut.node].copy, cut.id);
            self.unroller.has_exit(cut.id) && !left.contains(&(cut.id, run))
        };
        let mut counted: Vec<LoopId> = self.cuts.iter().filter(stays).map(|cut| cut.id).collect();
        counted.sort_unstable();
        counted.dedup();
        counted
    }

    fn beyond(&self, cut: &CutEdge) -> Lit {
        self.nodes[cut.node].out[cut.passage].taken
    }

    /// Whether copy `a` is copy `b` or is before it on some path.
    pub(super) fn reaches(&self, a: usize, b: usize) -> bool {
        self.segments.reaches(a, b)
    }

    /// The passages that control takes, from the entry on.
    pub(super) fn taken(&self, value: impl Fn(Lit) -> bool) -> Vec<&Passage> {
        let mut path = Vec::new();
        let mut node = 0;
        while let Some(passage) = self.nodes[node].out.iter().find(|p| value(p.taken)) {
            path.push(passage);
            match passage.to {
                Some(to) => node = to,
                None => break,
            }
        }
        path
    }

    /// By instruction: the literals of "it is executed" of its encoded copies.
    pub(super) fn executions(&self) -> AHashMap<InstrId, Vec<Lit>> {
        let mut executions: AHashMap<InstrId, Vec<Lit>> = AHashMap::new();
        for passage in self.nodes.iter().flat_map(|node| &node.out) {
            let here = executions.entry(passage.instr).or_default();
            here.push(passage.taken);
        }
        for &(instr, lit) in self.nodes.iter().flat_map(|node| &node.dropped) {
            executions.entry(instr).or_default().push(lit);
        }
        executions
    }

    /// The copies in the order in which control passes them.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_cached_key(|&n| self.unroller.key(&self.nodes[n].copy));
        order
    }

    /// Computes for each copy which copies are before it.
    fn close_paths(&mut self) {
        let predecessors: Vec<Vec<usize>> = self
            .nodes
            .iter()
            .map(|node| node.predecessors.clone())
            .collect();
        self.segments = Segments::new(&predecessors, &self.in_order());
    }
}

impl Encoding {
    /// Encodes every copy of a thread that the bounds allow and that is not encoded yet.
    pub(super) fn follow_paths(&mut self, thread: ThreadId) {
        let t = thread.index();
        self.resume_cuts(thread);
        while let Some((_, number)) = self.paths[t].pending.pop_first() {
            if self.is_to_stop() {
                return;
            }
            self.visit(thread, number);
        }
        self.join_late(thread);
        self.paths[t].close_paths();
    }

    /// Encodes the cut edges of loops whose bounds were raised.
    fn resume_cuts(&mut self, thread: ThreadId) {
        let t = thread.index();
        let cuts = std::mem::take(&mut self.paths[t].cuts);
        for cut in cuts {
            let instr = self.paths[t].nodes[cut.node].out[cut.passage].instr;
            let copy = self.paths[t].nodes[cut.node].copy.clone();
            match self.paths[t]
                .unroller
                .target(self.program.thread(thread), &copy, instr)
            {
                EdgeTarget::Copy(to) => {
                    let taken = self.paths[t].nodes[cut.node].out[cut.passage].taken;
                    let chain = self.paths[t].nodes[cut.node].chain.clone();
                    let passage = self.pass(thread, cut.node, instr, taken, to, chain);
                    self.paths[t].nodes[cut.node].out[cut.passage] = passage;
                }
                EdgeTarget::Cut(id) => {
                    let node = cut.node;
                    self.paths[t].cuts.push(cut);
                    // If the edge exceeds the bound of an outer loop as well, that bound may have
                    // been raised, and control now returns within it. The landing must be added
                    // before anything beyond the cut is encoded, because orders and sources are
                    // added only for pairs of events of which one is new.
                    self.land(thread, node, id);
                }
                EdgeTarget::Dropped => self.paths[t].cuts.push(cut),
            }
        }
    }

    /// Creates the copies where control may return within the bounds after it exceeds this loop's
    /// bound at a copy.
    pub(super) fn land(&mut self, thread: ThreadId, number: usize, id: LoopId) {
        let paths = &mut self.paths[thread.index()];
        let copy = &paths.nodes[number].copy;
        let landings = paths
            .unroller
            .landings(self.program.thread(thread), copy, id);
        for landing in landings {
            paths.add_landing(landing, number);
        }
    }
}
