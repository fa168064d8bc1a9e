//! The paths of one thread: which copies control visits, and what the registers hold there.
//!
//! ```text
//! (guard)  guard c ↔ ∨ taken(p) over the passages p that arrive at c  ∨  more c
//! (take)   taken p → guard c ∧ condition p,   at most one p leaves c
//! (carry)  taken p → register at c = register behind p
//! (more)   more c → some loop left on the way to c goes beyond its bound
//! ```
//!
//! A thread may halt anywhere, but there is no need to let it. Whoever halts where no goal looks
//! could go on after everybody else: its further stores come last, and only a goal that observes
//! memory would see them. So control is only allowed to stop where a goal can tell, where nothing
//! else is possible, and where a loop is cut; the guards of straight-line code are then one
//! literal, often a constant.
//!
//! `more` stands for arrivals from iterations that are not encoded. It is defined by the arrivals
//! that a raised bound adds, and by the next `more`. Where a loop is cut, each copy to which a later
//! iteration may leave it is made, even if no iteration that is encoded can.

use super::event::{Address, Event, EventId, Kind};
use super::program_order::Chain;
use super::{Encoding, FenceKind};
use crate::analysis::{LoopId, ValueSet, eval, refine};
use crate::cnf::{Bits, Cnf, NodeId};
use crate::program::{
    Addr, BinaryOp, Expr, Fence, FetchOp, Goal, InstrId, LocId, Op, RegId, Site, Thread, ThreadId,
    Update,
};
use crate::unroll::{Copy, Target, Unroller};
use ahash::AHashMap;
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a register holds: its bits, and the values that they can take.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) bits: Rc<Bits>,
    pub(crate) set: ValueSet,
}

impl Value {
    fn constant(value: i32) -> Self {
        Self {
            bits: Rc::new(Bits::constant(value)),
            set: ValueSet::one(value),
        }
    }
}

/// The live registers of a copy, by register.
type Env = BTreeMap<RegId, Value>;

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
    pub(super) copy: Copy,
    arrivals: Vec<Arrival>,
    /// True where control visits it. Meaningful once `done`.
    pub(super) guard: Lit,
    /// Arrivals that are not encoded yet, and what they need to go beyond.
    more: Option<(Lit, Vec<Lit>)>,
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
    index: AHashMap<Copy, usize>,
    pending: BTreeMap<Vec<u32>, usize>,
    cuts: Vec<Cut>,
    /// Copies that were encoded before some of their arrivals.
    late: Vec<(usize, Arrival)>,
    /// The place of the atomic block that a copy of a location inside one belongs to.
    blocks: AHashMap<(LocId, Vec<u32>), NodeId>,
    regions: Vec<Option<LocId>>,
}

impl Paths {
    pub(super) fn new(thread: &Thread, unroller: Unroller) -> Self {
        let entry = unroller.entry(thread);
        let mut paths = Self {
            unroller,
            nodes: Vec::new(),
            index: AHashMap::new(),
            pending: BTreeMap::new(),
            cuts: Vec::new(),
            late: Vec::new(),
            blocks: AHashMap::new(),
            regions: regions(thread),
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
    fn arrive(&mut self, copy: Copy, arrival: Arrival) -> usize {
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
    fn foresee(&mut self, copy: Copy, cut: usize) {
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

    pub(super) fn executions(&self, instr: InstrId) -> Vec<Lit> {
        let passages = self.nodes.iter().flat_map(|node| &node.out);
        let followed = passages.filter(|p| p.instr == instr).map(|p| p.taken);
        let dropped = self.nodes.iter().flat_map(|node| &node.dropped);
        followed
            .chain(dropped.filter(|(i, _)| *i == instr).map(|&(_, lit)| lit))
            .collect()
    }

    fn close_paths(&mut self) {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_cached_key(|&n| self.unroller.key(&self.nodes[n].copy));
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

/// For each location inside an atomic block, one location that stands for the whole block: the
/// least one that is connected to it inside.
fn regions(thread: &Thread) -> Vec<Option<LocId>> {
    let mut region: Vec<Option<LocId>> = (0..thread.locations().len())
        .map(|l| thread.locations()[l].atomic.then(|| LocId::from(l)))
        .collect();
    loop {
        let mut changed = false;
        for instruction in thread.instructions() {
            let (from, to) = (instruction.from.index(), instruction.to.index());
            if let (Some(a), Some(b)) = (region[from], region[to])
                && a != b
            {
                region[from] = Some(a.min(b));
                region[to] = Some(a.min(b));
                changed = true;
            }
        }
        if !changed {
            return region;
        }
    }
}

impl Encoding {
    /// Encodes every copy of a thread that its bounds allow and that is not encoded yet.
    pub(super) fn follow_paths(&mut self, thread: ThreadId) {
        let t = thread.index();
        self.resume_cuts(thread);
        while let Some((_, number)) = self.paths[t].pending.pop_first() {
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
    fn land(&mut self, thread: ThreadId, number: usize, id: LoopId) {
        let paths = &mut self.paths[thread.index()];
        let copy = &paths.nodes[number].copy;
        let landings = paths
            .unroller
            .landings(self.program.thread(thread), copy, id);
        for landing in landings {
            paths.foresee(landing, number);
        }
    }

    fn visit(&mut self, thread: ThreadId, number: usize) {
        let t = thread.index();
        let node = &mut self.paths[t].nodes[number];
        node.done = true;
        let copy = node.copy.clone();
        let arrivals = std::mem::take(&mut node.arrivals);
        let beyond = self.beyond_before(thread, copy.loc);
        let more = self.open(&beyond);
        let guard = self
            .cnf
            .or_all(arrivals.iter().map(|arrival| arrival.taken).chain(more));
        let env = self.merge(thread, copy.loc, &arrivals, more.is_some());
        let chain = Chain::merge(arrivals.into_iter().map(|a| a.chain), more.is_some());
        let node = &mut self.paths[t].nodes[number];
        node.guard = guard;
        node.more = more.map(|more| (more, beyond));
        node.env = env;
        node.chain = chain;
        self.stand_fences(thread, number);
        self.leave(thread, number);
    }

    /// A literal for "something that is not encoded", which needs one of these to be true.
    pub(super) fn open(&mut self, beyond: &[Lit]) -> Option<Lit> {
        if beyond.is_empty() {
            return None;
        }
        let more = self.cnf.fresh();
        let clause: Vec<Lit> = std::iter::once(!more)
            .chain(beyond.iter().copied())
            .collect();
        self.cnf.clause(&clause);
        Some(more)
    }

    /// The literals of "goes beyond its bound" of the loops from which control could still come to
    /// a location.
    fn beyond_before(&self, thread: ThreadId, loc: LocId) -> Vec<Lit> {
        let paths = &self.paths[thread.index()];
        let automaton = self.program.thread(thread);
        let mut left: Vec<LoopId> = automaton
            .instructions()
            .iter()
            .enumerate()
            .filter(|(_, instruction)| instruction.to == loc)
            .flat_map(|(i, _)| paths.unroller.left_by(automaton, i.into()))
            .flat_map(|&id| paths.unroller.beyond_with(id))
            .copied()
            .collect();
        left.sort_unstable();
        left.dedup();
        paths
            .cuts
            .iter()
            .filter(|cut| left.binary_search(&cut.id).is_ok())
            .map(|cut| paths.beyond(cut))
            .collect()
    }

    /// The registers where paths meet.
    fn merge(&mut self, thread: ThreadId, loc: LocId, arrivals: &[Arrival], open: bool) -> Env {
        let live = self.liveness.at(thread, loc).to_vec();
        let mut env = Env::new();
        let arrivals: Vec<&Arrival> = arrivals.iter().filter(|a| a.taken != Cnf::FALSE).collect();
        if arrivals.is_empty() && !open {
            // Nobody comes here.
            return live
                .into_iter()
                .map(|reg| (reg, Value::constant(0)))
                .collect();
        }
        for reg in live {
            let values: Vec<&Value> = arrivals.iter().map(|a| &a.env[&reg]).collect();
            let all = self.values.register_at(thread, loc, reg).clone();
            let value = if open {
                // Later arrivals may bring any value that is possible here at all.
                let (low, high) = all.bounds().unwrap_or((0, 0));
                let bits = Bits::fresh(&mut self.cnf, low, high);
                for (arrival, value) in arrivals.iter().zip(&values) {
                    bits.equal_if(arrival.taken, &value.bits, &mut self.cnf);
                }
                Value {
                    bits: Rc::new(bits),
                    set: all,
                }
            } else {
                let mut set = values
                    .iter()
                    .fold(ValueSet::EMPTY, |set, v| set.join(&v.set));
                let narrowed = set.meet(&all);
                if !narrowed.is_empty() {
                    set = narrowed;
                }
                let mut bits = Rc::clone(&values[0].bits);
                for (arrival, value) in arrivals.iter().zip(&values).skip(1) {
                    if bits != value.bits {
                        bits = Rc::new(value.bits.mux(arrival.taken, &bits, &mut self.cnf));
                    }
                }
                Value { bits, set }
            };
            env.insert(reg, value);
        }
        env
    }

    /// Adds arrivals to copies that were encoded before them, and opens the way for the next.
    fn join_late(&mut self, thread: ThreadId) {
        let t = thread.index();
        let mut late: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        for (number, arrival) in std::mem::take(&mut self.paths[t].late) {
            late.entry(number).or_default().push(arrival);
        }
        for number in 0..self.paths[t].nodes.len() {
            let Some((more, before)) = self.paths[t].nodes[number].more.clone() else {
                continue;
            };
            let arrivals = late.remove(&number).unwrap_or_default();
            let beyond = self.beyond_before(thread, self.paths[t].nodes[number].copy.loc);
            if arrivals.is_empty() && beyond == before {
                continue;
            }
            let next = self.open(&beyond);
            let mut clause = vec![!more];
            clause.extend(arrivals.iter().map(|arrival| arrival.taken).chain(next));
            self.cnf.clause(&clause);
            for arrival in &arrivals {
                self.cnf.implies(arrival.taken, more);
                for (reg, value) in self.paths[t].nodes[number].env.clone() {
                    value
                        .bits
                        .equal_if(arrival.taken, &arrival.env[&reg].bits, &mut self.cnf);
                }
            }
            if let Some(next) = next {
                self.cnf.implies(next, more);
            }
            self.paths[t].nodes[number].more = next.map(|next| (next, beyond));
        }
        debug_assert!(late.is_empty(), "an arrival at a copy that was not open");
    }

    /// Control leaves a copy: along one of the instructions, or not at all.
    fn leave(&mut self, thread: ThreadId, number: usize) {
        let t = thread.index();
        let automaton = self.program.thread(thread);
        let loc = self.paths[t].nodes[number].copy.loc;
        let copy = self.paths[t].nodes[number].copy.clone();
        let guard = self.paths[t].nodes[number].guard;
        let outgoing = automaton.outgoing(loc).to_vec();
        let atomic = automaton.location(loc).atomic;
        let mut ways: Vec<(InstrId, Lit, Target)> = Vec::new();
        for &instr in &outgoing {
            let target = self.paths[t]
                .unroller
                .target(self.program.thread(thread), &copy, instr);
            let condition = self.condition(thread, number, instr);
            if condition != Cnf::FALSE {
                ways.push((instr, condition, target));
            }
        }
        let halts = self.may_halt(thread, loc) || self.may_be_stuck(thread, &outgoing);
        let exclusive = match ways[..] {
            [_] => true,
            [(_, a, _), (_, b, _)] => a == !b,
            _ => false,
        };
        let mut taken: Vec<Lit> = Vec::with_capacity(ways.len());
        for (index, &(instr, condition, ref target)) in ways.iter().enumerate() {
            let cut = matches!(target, Target::Cut(_));
            let certain = self.cnf.and(guard, condition);
            let lit = if *target == Target::Dropped {
                self.drop_edge(thread, number, instr, certain);
                Cnf::FALSE
            } else if exclusive && !halts && !cut {
                certain
            } else if !exclusive
                && !halts
                && !cut
                && condition == Cnf::TRUE
                && index + 1 == ways.len()
            {
                // Some way is always open, so control goes on.
                self.cnf
                    .and_all(taken.iter().map(|&lit| !lit).chain([guard]))
            } else {
                let lit = self.cnf.fresh();
                self.cnf.implies(lit, certain);
                lit
            };
            taken.push(lit);
        }
        if !exclusive {
            let open: Vec<Lit> = taken
                .iter()
                .copied()
                .filter(|&lit| lit != Cnf::FALSE)
                .collect();
            self.cnf.at_most_one(&open);
        }
        if atomic {
            self.finish_block(thread, number, guard, &taken);
        }
        for ((instr, _, target), taken) in ways.into_iter().zip(taken) {
            match target {
                Target::Dropped => {}
                Target::Cut(id) => {
                    let out = &mut self.paths[t].nodes[number].out;
                    out.push(Passage {
                        instr,
                        taken,
                        to: None,
                        event: None,
                        choice: None,
                    });
                    let passage = out.len() - 1;
                    self.paths[t].cuts.push(Cut {
                        id,
                        node: number,
                        passage,
                    });
                    self.land(thread, number, id);
                }
                Target::Copy(to) => {
                    let passage = self.pass(thread, number, instr, taken, to);
                    self.paths[t].nodes[number].out.push(passage);
                }
            }
        }
    }

    /// Whether an instruction enters an atomic block that a thread, once inside, may be unable to
    /// leave: who is not sure to come through need not enter, and may halt before it.
    fn may_be_stuck(&self, thread: ThreadId, outgoing: &[InstrId]) -> bool {
        let automaton = self.program.thread(thread);
        let paths = &self.paths[thread.index()];
        outgoing
            .iter()
            .map(|&instr| automaton.instruction(instr))
            .any(|entering| {
                let region = paths.regions[entering.to.index()];
                entering.op == Op::AtomicBegin
                    && automaton
                        .instructions()
                        .iter()
                        .enumerate()
                        .any(|(i, instruction)| {
                            paths.regions[instruction.from.index()] == region
                                && region.is_some()
                                && (paths.unroller.loops().is_back_edge(i.into()).is_some()
                                    || match &instruction.op {
                                        Op::Assume(_) => true,
                                        Op::Load { addr, .. }
                                        | Op::Store { addr, .. }
                                        | Op::Rmw { addr, .. } => {
                                            addr.as_const().is_none_or(|cell| {
                                                self.program.cell_at(cell).is_none()
                                            })
                                        }
                                        Op::Skip
                                        | Op::Assign { .. }
                                        | Op::Havoc { .. }
                                        | Op::Assert(_)
                                        | Op::Fence(_)
                                        | Op::AtomicBegin
                                        | Op::AtomicEnd => false,
                                    })
                        })
            })
    }

    /// An edge that closes an iteration without a trace is not followed, but its instruction can be
    /// executed, and fail if it is an assertion.
    fn drop_edge(&mut self, thread: ThreadId, number: usize, instr: InstrId, taken: Lit) {
        let t = thread.index();
        self.paths[t].nodes[number].dropped.push((instr, taken));
        let instruction = self.program.thread(thread).instruction(instr).clone();
        if let Op::Assert(e) = &instruction.op
            && self.is_planned(Goal::Assert(Site { thread, instr }))
            && !self
                .program
                .thread(thread)
                .location(instruction.from)
                .atomic
        {
            let value = self.evaluate(thread, number, e);
            let holds = value.bits.nonzero(&mut self.cnf);
            let failing = self.cnf.and(taken, !holds);
            self.paths[t].nodes[number].facing.push((instr, failing));
        }
    }

    /// A thread inside an atomic block goes on, unless the computation ends right there: at a
    /// failing assertion or an access outside shared memory, if that is what is asked for. Nothing
    /// comes after the block then.
    fn finish_block(&mut self, thread: ThreadId, number: usize, guard: Lit, taken: &[Lit]) {
        let node = &self.paths[thread.index()].nodes[number];
        let copy = node.copy.clone();
        let mut ends = node.facing.clone();
        for instr in self.program.thread(thread).outgoing(copy.loc).to_vec() {
            let op = self.program.thread(thread).instruction(instr).op.clone();
            if let Op::Assert(e) = op
                && self.is_planned(Goal::Assert(Site { thread, instr }))
            {
                let value = self.evaluate(thread, number, &e);
                let holds = value.bits.nonzero(&mut self.cnf);
                ends.push((instr, self.cnf.and(guard, !holds)));
            }
        }
        let mut clause = vec![!guard];
        clause.extend(taken);
        for (instr, reached) in ends {
            let asked = self.asked(Site { thread, instr });
            let stop = self.cnf.fresh();
            self.cnf.implies(stop, reached);
            self.cnf.implies(stop, asked);
            // Nothing of the block is executed after the stop.
            for &lit in taken {
                self.cnf.clause(&[!stop, !lit]);
            }
            clause.push(stop);
            let place = self.block(thread, &copy);
            self.memory.last_blocks.push((stop, place));
            self.paths[thread.index()].nodes[number]
                .stops
                .push((instr, stop));
        }
        self.cnf.clause(&clause);
    }

    /// The literal under which a computation may end inside an atomic block at this site.
    fn asked(&mut self, site: Site) -> Lit {
        if let Some(&(_, lit)) = self.stops.iter().find(|(other, _)| *other == site) {
            return lit;
        }
        let lit = self.cnf.fresh();
        self.stops.push((site, lit));
        lit
    }

    /// When control may take an instruction, by its operands alone. Notes accesses that may lie
    /// outside shared memory.
    fn condition(&mut self, thread: ThreadId, number: usize, instr: InstrId) -> Lit {
        let instruction = self.program.thread(thread).instruction(instr).clone();
        match &instruction.op {
            Op::Assume(e) => {
                let value = self.evaluate(thread, number, e);
                if !value.set.may_be_true() {
                    Cnf::FALSE
                } else if !value.set.may_be_false() {
                    Cnf::TRUE
                } else {
                    value.bits.nonzero(&mut self.cnf)
                }
            }
            Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Rmw { addr, .. } => {
                let (address, outside) = self.address(thread, number, addr);
                if !outside {
                    return Cnf::TRUE;
                }
                let inside = self.cnf.or_all(address.0.iter().map(|&(_, lit)| lit));
                let guard = self.paths[thread.index()].nodes[number].guard;
                let astray = self.cnf.and(guard, !inside);
                self.paths[thread.index()].nodes[number]
                    .facing
                    .push((instr, astray));
                inside
            }
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => Cnf::TRUE,
        }
    }

    /// The cells that an address may denote at a copy, and whether it may denote none.
    fn address(&mut self, thread: ThreadId, number: usize, e: &Expr<RegId>) -> (Address, bool) {
        let value = self.evaluate(thread, number, e);
        if let Some(cell) = value.set.as_constant() {
            let cell = self.program.cell_at(cell);
            let cells = cell.map(|cell| vec![(cell, Cnf::TRUE)]).unwrap_or_default();
            let outside = cells.is_empty();
            return (Address(cells), outside);
        }
        let candidates: Vec<Addr> = self
            .program
            .cells()
            .filter(|cell| value.set.contains(cell.0))
            .collect();
        let outside = value.set.count() > candidates.len() as u64;
        let cells = candidates
            .into_iter()
            .map(|cell| {
                let here = Bits::constant(cell.0);
                (cell, value.bits.equal(&here, &mut self.cnf))
            })
            .filter(|&(_, lit)| lit != Cnf::FALSE)
            .collect();
        (Address(cells), outside)
    }

    /// Control passes along an instruction to a copy: what becomes of the registers, and the event
    /// it is.
    fn pass(
        &mut self,
        thread: ThreadId,
        number: usize,
        instr: InstrId,
        taken: Lit,
        to: Copy,
    ) -> Passage {
        let t = thread.index();
        let instruction = self.program.thread(thread).instruction(instr).clone();
        let mut env = self.paths[t].nodes[number].env.clone();
        let mut chain = self.paths[t].nodes[number].chain.clone();
        let mut choice = None;
        let mut draft: Option<Draft> = None;
        match &instruction.op {
            Op::Skip | Op::AtomicEnd => {}
            Op::Assign { into, value } => {
                // What a dead register would be computed from may be dead as well.
                if self.liveness.is_live(thread, instruction.to, *into) {
                    let value = self.evaluate(thread, number, value);
                    env.insert(*into, value);
                }
            }
            Op::Havoc { into, low, high } => {
                let bits = Rc::new(Bits::fresh(&mut self.cnf, *low, *high));
                for (op, limit) in [(BinaryOp::Ge, *low), (BinaryOp::Le, *high)] {
                    let limit = Bits::constant(limit);
                    let within = Bits::binary(op, &bits, &limit, &mut self.cnf);
                    let within = within.nonzero(&mut self.cnf);
                    self.cnf.clause(&[within]);
                }
                choice = Some(Rc::clone(&bits));
                env.insert(
                    *into,
                    Value {
                        bits,
                        set: ValueSet::interval(*low, *high),
                    },
                );
            }
            Op::Assume(e) => {
                let narrowed = refine(e, true, |reg| env[&reg].set.clone());
                for (reg, set) in narrowed.unwrap_or_default() {
                    let bits = match set.as_constant() {
                        Some(value) => Rc::new(Bits::constant(value)),
                        None => Rc::clone(&env[&reg].bits),
                    };
                    env.insert(reg, Value { bits, set });
                }
            }
            Op::Assert(e) => {
                let atomic = self
                    .program
                    .thread(thread)
                    .location(instruction.from)
                    .atomic;
                if !atomic && self.is_planned(Goal::Assert(Site { thread, instr })) {
                    let value = self.evaluate(thread, number, e);
                    let holds = value.bits.nonzero(&mut self.cnf);
                    let failing = self.cnf.and(taken, !holds);
                    self.paths[t].nodes[number].failing.push((instr, failing));
                }
            }
            Op::Load { into, addr } => {
                let (address, _) = self.address(thread, number, addr);
                let set = self.readable(&address);
                // A value that nobody needs, or that is the same whoever wrote it, is no event:
                // reading the newest store is always possible.
                let live = self.liveness.is_live(thread, instruction.to, *into);
                if let (false, _) | (_, Some(_)) = (live, set.as_constant()) {
                    env.insert(*into, Value::constant(set.as_constant().unwrap_or(0)));
                } else {
                    let bits = self.fresh_value(&set);
                    env.insert(
                        *into,
                        Value {
                            bits: Rc::new(bits.clone()),
                            set,
                        },
                    );
                    draft = Some(Draft {
                        kind: Kind::Load,
                        address: Some(address),
                        read: Some(bits),
                        write: None,
                    });
                }
            }
            Op::Store { addr, value } => {
                let (address, _) = self.address(thread, number, addr);
                let value = self.evaluate(thread, number, value);
                draft = Some(Draft {
                    kind: Kind::Store,
                    address: Some(address),
                    read: None,
                    write: Some((*value.bits).clone()),
                });
            }
            Op::Rmw { into, addr, update } => {
                let (address, _) = self.address(thread, number, addr);
                let set = self.readable(&address);
                let read = self.fresh_value(&set);
                let write = self.updated(thread, number, update, &read);
                env.insert(
                    *into,
                    Value {
                        bits: Rc::new(read.clone()),
                        set,
                    },
                );
                draft = Some(Draft {
                    kind: Kind::Rmw,
                    address: Some(address),
                    read: Some(read),
                    write: Some(write),
                });
            }
            Op::Fence(fence) => {
                let kind = match fence {
                    Fence::Full => Kind::Full,
                    Fence::All => Kind::Barrier,
                    Fence::Store => Kind::Light(self.program.cells().collect()),
                    Fence::Cells(cells) => Kind::Light(cells.clone()),
                };
                draft = Some(Draft {
                    kind,
                    address: None,
                    read: None,
                    write: None,
                });
            }
            Op::AtomicBegin => {
                draft = Some(Draft {
                    kind: Kind::Full,
                    address: None,
                    read: None,
                    write: None,
                });
            }
        }
        let live = self.liveness.at(thread, instruction.to);
        env.retain(|reg, _| live.binary_search(reg).is_ok());
        let begins = instruction.op == Op::AtomicBegin;
        let place = if begins {
            Some(self.block(thread, &to))
        } else if self
            .program
            .thread(thread)
            .location(instruction.from)
            .atomic
        {
            let copy = self.paths[t].nodes[number].copy.clone();
            Some(self.block(thread, &copy))
        } else {
            None
        };
        let inside = place.is_some() && !begins;
        // A fence inside an atomic block has nothing to wait for.
        let draft = draft.filter(|draft| !inside || draft.address.is_some());
        let event = draft.map(|draft| {
            let node = place.unwrap_or_else(|| self.order.node());
            let event = Event {
                thread,
                instr: Some(instr),
                kind: draft.kind,
                guard: taken,
                node,
                inside,
                from: number,
                to: usize::MAX,
                own: draft
                    .read
                    .as_ref()
                    .and(draft.address.as_ref())
                    .and_then(Address::fixed)
                    .and_then(|cell| chain.certain(cell)),
                address: draft.address,
                read: draft.read,
                write: draft.write,
            };
            let id = self.add_event(event);
            self.order_after(&chain, id);
            chain.pass(id, &self.events[id.index()]);
            id
        });
        let arrival = Arrival {
            taken,
            from: Some(number),
            env,
            chain,
        };
        let to = self.paths[t].arrive(to, arrival);
        if let Some(id) = event {
            self.events[id.index()].to = to;
        }
        Passage {
            instr,
            taken,
            to: Some(to),
            event,
            choice,
        }
    }

    /// Puts the switched fences of the plan before the instructions of a copy.
    fn stand_fences(&mut self, thread: ThreadId, number: usize) {
        let t = thread.index();
        let loc = self.paths[t].nodes[number].copy.loc;
        let here: Vec<(FenceKind, Lit)> = self
            .fences
            .iter()
            .filter(|(point, _)| point.thread == thread && point.loc == loc)
            .map(|(point, lit)| (point.kind, *lit))
            .collect();
        for (kind, switch) in here {
            let guard = self.paths[t].nodes[number].guard;
            let event = Event {
                thread,
                instr: None,
                kind: match kind {
                    FenceKind::Full => Kind::Full,
                    FenceKind::Store => Kind::Light(self.program.cells().collect()),
                },
                guard: self.cnf.and(switch, guard),
                node: self.order.node(),
                inside: false,
                from: number,
                to: number,
                address: None,
                read: None,
                write: None,
                own: None,
            };
            let id = self.add_event(event);
            let mut chain = std::mem::take(&mut self.paths[t].nodes[number].chain);
            self.order_after(&chain, id);
            chain.pass(id, &self.events[id.index()]);
            self.paths[t].nodes[number].chain = chain;
        }
    }

    fn add_event(&mut self, event: Event) -> EventId {
        self.events.push(event);
        EventId(self.events.len() as u32 - 1)
    }

    /// The place in the order of the atomic block around a copy.
    fn block(&mut self, thread: ThreadId, copy: &Copy) -> NodeId {
        let paths = &mut self.paths[thread.index()];
        let region = paths.regions[copy.loc.index()].unwrap_or(copy.loc);
        // Iterations of loops inside the block belong to one block; those around it do not.
        let inner = paths
            .unroller
            .loops()
            .around(copy.loc)
            .iter()
            .take_while(|&&id| {
                let body = paths.unroller.loops().body(id);
                (0..paths.regions.len())
                    .filter(|&l| paths.regions[l] == Some(region))
                    .all(|l| body.contains(&LocId::from(l)))
                    && body
                        .iter()
                        .any(|loc| paths.regions[loc.index()] != Some(region))
            })
            .count();
        let key = (region, copy.counts[..inner].to_vec());
        if let Some(&node) = paths.blocks.get(&key) {
            return node;
        }
        let node = self.order.node();
        self.paths[thread.index()].blocks.insert(key, node);
        node
    }

    fn readable(&self, address: &Address) -> ValueSet {
        let sets = address.cells().map(|cell| self.values.cell(cell));
        sets.fold(ValueSet::EMPTY, |all, set| all.join(set))
    }

    fn fresh_value(&mut self, set: &ValueSet) -> Bits {
        let (low, high) = set.bounds().unwrap_or((0, 0));
        Bits::fresh(&mut self.cnf, low, high)
    }

    fn updated(&mut self, thread: ThreadId, number: usize, update: &Update, old: &Bits) -> Bits {
        match update {
            Update::CompareExchange { expected, desired } => {
                let expected = self.evaluate(thread, number, expected);
                let desired = self.evaluate(thread, number, desired);
                let matches = old.equal(&expected.bits, &mut self.cnf);
                desired.bits.mux(matches, old, &mut self.cnf)
            }
            Update::Exchange(value) => (*self.evaluate(thread, number, value).bits).clone(),
            Update::Fetch(op, operand) => {
                let operand = self.evaluate(thread, number, operand);
                let op = match op {
                    FetchOp::Add => BinaryOp::Add,
                    FetchOp::Sub => BinaryOp::Sub,
                    FetchOp::And => BinaryOp::BitAnd,
                    FetchOp::Or => BinaryOp::BitOr,
                };
                Bits::binary(op, old, &operand.bits, &mut self.cnf)
            }
        }
    }

    /// An expression's value with the registers of a copy.
    fn evaluate(&mut self, thread: ThreadId, number: usize, e: &Expr<RegId>) -> Value {
        let env = &self.paths[thread.index()].nodes[number].env;
        let set = eval(e, |reg| env[&reg].set.clone());
        if let Some(value) = set.as_constant() {
            return Value::constant(value);
        }
        let bits = term(e, &mut self.cnf, &|reg| Rc::clone(&env[&reg].bits));
        Value { bits, set }
    }
}

/// What an instruction will be in the order of memory.
struct Draft {
    kind: Kind,
    address: Option<Address>,
    read: Option<Bits>,
    write: Option<Bits>,
}

/// An expression as bits.
pub(super) fn term<V: Clone>(
    e: &Expr<V>,
    cnf: &mut Cnf,
    value: &impl Fn(V) -> Rc<Bits>,
) -> Rc<Bits> {
    match e {
        Expr::Const(c) => Rc::new(Bits::constant(*c)),
        Expr::Var(v) => value(v.clone()),
        Expr::Unary(op, a) => {
            let a = term(a, cnf, value);
            Rc::new(Bits::unary(*op, &a, cnf))
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (term(a, cnf, value), term(b, cnf, value));
            Rc::new(Bits::binary(*op, &a, &b, cnf))
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            let c = term(c, cnf, value).nonzero(cnf);
            let (a, b) = (term(a, cnf, value), term(b, cnf, value));
            Rc::new(a.mux(c, &b, cnf))
        }
    }
}
