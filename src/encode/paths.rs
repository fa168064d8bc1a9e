//! The paths of one thread: which copies control visits, and what the registers hold there.
//!
//! ```text
//!   cut edges, entry ──▶ arrivals ──meet──▶ a copy ──leave──▶ ways ──pass──▶ arrivals ──▶ …
//! ```
//!
//! Copies are taken in the order of their keys, so that a copy has all its arrivals when its turn
//! comes, but for those that a raised bound adds later. In `meet`: (guard), (carry) and (more), what
//! is true where arrivals come together. In `leave`: (take), the choice between the ways on. In
//! `pass`: what one instruction does to the registers, and the event it is. In `block`: atomic
//! blocks, which have one place in the order and cannot be left half done. In `value`: expressions
//! over the registers of a copy.
//!
//! **Invariant.** A copy is encoded once. What a raised bound adds are further arrivals, further
//! copies, and the passages that were cut.
//!
//! **Absent.** Which copies there are (`unroll`), and what order their events keep
//! (`program_order`).

mod block;
mod leave;
mod meet;
mod pass;
mod value;

pub(super) use value::{Value, term};

use super::Encoding;
use super::event::EventId;
use super::program_order::Chain;
use crate::analysis::LoopId;
use crate::cnf::{Bits, Cnf, NodeId};
use crate::program::{InstrId, Program, RegId, Thread, ThreadId};
use crate::unroll::{Entry, LocCopy, Target, Unroller};
use ahash::AHashMap;
use block::traps;
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::rc::Rc;
use value::Env;

/// Control on its way to a copy.
#[derive(Clone, Debug)]
struct Arrival {
    taken: Lit,
    from: Option<usize>,
    env: Env,
    chain: Chain,
}

/// An edge of the automaton as one copy of its start takes it.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// The instruction.
    pub(crate) instr: InstrId,
    /// True where control takes it.
    pub(crate) taken: Lit,
    /// The copy it leads to; absent beyond a bound.
    pub(crate) to: Option<usize>,
    /// The event it is in the order of memory, if it is one.
    pub(crate) event: Option<EventId>,
    /// What a `nondet` takes.
    pub(crate) choice: Option<Rc<Bits>>,
}

/// A copy of a location.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) copy: LocCopy,
    arrivals: Vec<Arrival>,
    /// True where control visits it. Meaningful once `done`.
    pub(super) guard: Lit,
    /// Arrivals that are not encoded yet, and what they need to go beyond.
    pub(super) more: Option<(Lit, Vec<Lit>)>,
    pub(super) env: Env,
    chain: Chain,
    done: bool,
    pub(super) out: Vec<Passage>,
    predecessors: Vec<usize>,
    /// Bit `n`: copy `n` lies before this one on some path.
    before: Vec<u64>,
    /// What ends a computation that control faces here, unless it goes another way: an access
    /// outside shared memory, or an assertion on a dropped edge that fails. The instruction, and
    /// when.
    pub(super) facing: Vec<(InstrId, Lit)>,
    /// Dropped edges: the instruction, and when it can be executed.
    dropped: Vec<(InstrId, Lit)>,
    /// Assertions that may fail here: the instruction, and when.
    pub(super) failing: Vec<(InstrId, Lit)>,
    /// For a copy inside an atomic block: goals for which the computation may end here, and when.
    pub(super) stops: Vec<(InstrId, Lit)>,
    /// The fences that switches put here: the switch, and what is true where the fence is executed.
    fences: Vec<(Lit, Lit)>,
}

/// A cut edge, with what is needed to take it up again.
#[derive(Debug)]
struct Cut {
    id: LoopId,
    node: usize,
    passage: usize,
}

/// The copies of one thread.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) unroller: Unroller,
    pub(super) nodes: Vec<Node>,
    index: AHashMap<LocCopy, usize>,
    pending: BTreeMap<Vec<u32>, usize>,
    cuts: Vec<Cut>,
    /// Copies that were encoded before some of their arrivals.
    late: Vec<(usize, Arrival)>,
    /// The place in the order of each atomic block.
    blocks: AHashMap<Rc<Entry>, NodeId>,
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
            .map(|(r, register)| (RegId::from(r), Value::constant(register.init)))
            .collect();
        let arrival = Arrival {
            taken: Cnf::TRUE,
            from: None,
            env,
            chain: Chain::default(),
        };
        paths.arrive(entry, arrival);
        paths
    }

    /// Registers control's arrival at a copy, and returns the copy's number.
    fn arrive(&mut self, copy: LocCopy, arrival: Arrival) -> usize {
        let number = if let Some(&number) = self.index.get(&copy) {
            number
        } else {
            let number = self.nodes.len();
            self.pending.insert(self.unroller.key(&copy), number);
            self.index.insert(copy.clone(), number);
            self.nodes.push(Node {
                copy,
                arrivals: Vec::new(),
                guard: Cnf::FALSE,
                more: None,
                env: Env::new(),
                chain: Chain::default(),
                done: false,
                out: Vec::new(),
                predecessors: Vec::new(),
                before: Vec::new(),
                facing: Vec::new(),
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

    /// Makes a copy to which control may come from beyond a bound. Its events come after those
    /// before the cut, today and in iterations to come.
    fn foresee(&mut self, copy: LocCopy, cut: usize) {
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

    /// The loops that are cut somewhere, each with a literal that is true where it goes beyond.
    pub(super) fn cuts(&self) -> Vec<(LoopId, Lit)> {
        self.cuts
            .iter()
            .map(|cut| (cut.id, self.beyond(cut)))
            .collect()
    }

    fn beyond(&self, cut: &Cut) -> Lit {
        self.nodes[cut.node].out[cut.passage].taken
    }

    /// Whether copy `a` is copy `b` or lies before it on some path.
    pub(super) fn reaches(&self, a: usize, b: usize) -> bool {
        a == b
            || self.nodes[b]
                .before
                .get(a / 64)
                .is_some_and(|word| word >> (a % 64) & 1 == 1)
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

    /// The literals of "this instruction is executed", of its copies that are encoded.
    pub(super) fn executions(&self, instr: InstrId) -> Vec<Lit> {
        let passages = self.nodes.iter().flat_map(|node| &node.out);
        let followed = passages.filter(|p| p.instr == instr).map(|p| p.taken);
        let dropped = self.nodes.iter().flat_map(|node| &node.dropped);
        followed
            .chain(dropped.filter(|(i, _)| *i == instr).map(|&(_, lit)| lit))
            .collect()
    }

    /// The copies in the order in which control passes them.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_cached_key(|&n| self.unroller.key(&self.nodes[n].copy));
        order
    }

    /// Notes which copies lie before which.
    fn close_paths(&mut self) {
        let order = self.in_order();
        let words = self.nodes.len().div_ceil(64);
        for n in order {
            let mut before = vec![0u64; words];
            for &p in &self.nodes[n].predecessors {
                before[p / 64] |= 1 << (p % 64);
                for (word, other) in before.iter_mut().zip(&self.nodes[p].before) {
                    *word |= other;
                }
            }
            self.nodes[n].before = before;
        }
    }
}

impl Encoding {
    /// Encodes every copy of a thread that its bounds allow and that is not encoded yet.
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

    /// Takes up the cut edges whose loops were granted more returns.
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
                Target::Copy(to) => {
                    let taken = self.paths[t].nodes[cut.node].out[cut.passage].taken;
                    let passage = self.pass(thread, cut.node, instr, taken, to);
                    self.paths[t].nodes[cut.node].out[cut.passage] = passage;
                }
                Target::Cut(id) => {
                    let node = cut.node;
                    self.paths[t].cuts.push(cut);
                    // Where it goes beyond the bound of an outer loop as well, that one may have been
                    // granted more returns: control comes back there now. Events that exist already
                    // must know it before any of what is beyond is encoded, for orders and sources
                    // are given to pairs of which one is new.
                    self.land(thread, node, id);
                }
                Target::Dropped => self.paths[t].cuts.push(cut),
            }
        }
    }

    /// Makes the copies where control may come back inside the bounds, once it has gone beyond this
    /// loop's bound at a copy.
    pub(super) fn land(&mut self, thread: ThreadId, number: usize, id: LoopId) {
        let paths = &mut self.paths[thread.index()];
        let copy = &paths.nodes[number].copy;
        let landings = paths
            .unroller
            .landings(self.program.thread(thread), copy, id);
        for landing in landings {
            paths.foresee(landing, number);
        }
    }
}
