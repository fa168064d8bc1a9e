//! Random automata: control flow that jumps can express and structured statements cannot.
//!
//! Each location is inside or outside the lock. It has a single successor, a branch, a free choice, or
//! no successor; targets are arbitrary. So locks are held across branches, blocks have several entries
//! and exits, loops lead through blocks and out of their middle, control jumps into loops, and threads
//! get stuck inside and outside blocks. An edge from outside to inside takes the lock, an edge from
//! inside to outside releases it; its own instruction is dropped.
//!
//! Values are 0 to 2, so only a buffer that a loop fills can grow without bound.

use fencepost::program::{
    Addr, BinaryOp, Copies, Expr, Fence, LocId, Observable, Op, Origin, Program, ProgramBuilder,
    PropertyKind, RegId, ThreadId, Update,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The number of registers per thread.
const REGISTERS: u32 = 2;
/// The number of cells: two scalars and an array of two.
const CELLS: i32 = 4;

/// The action of an edge, if it does not cross the border of a block.
#[derive(Clone, Debug)]
pub enum Act {
    Skip,
    Load(u32, i32),
    /// Loads the array element that a register chooses.
    Element(u32, u32),
    Store(i32, i32),
    StoreRegister(i32, u32),
    StoreElement(u32, i32),
    Exchange(u32, i32, i32),
    Compare(u32, i32, i32, i32),
    Assign(u32, i32),
    /// Adds one, modulo three.
    Advance(u32),
    Choose(u32),
    Assert(u32, i32),
    Fence(Fence),
}

/// How control leaves a location. Targets are offsets from the location, modulo the number of locations.
#[derive(Clone, Debug)]
pub enum Exit {
    Dead,
    On(Act, usize),
    /// To the first target if the register has the value, otherwise to the second.
    Branch(u32, i32, usize, usize),
    /// To the target if the register has the value; otherwise stuck.
    Wait(u32, i32, usize),
    Either(Act, usize, Act, usize),
}

/// An automaton; it starts at its first location, which is outside the lock.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub locations: Vec<(bool, Exit)>,
}

/// The description of a program.
#[derive(Clone, Debug)]
pub struct Automata {
    pub threads: Vec<Automaton>,
    /// The register of the first thread and the cell in the properties, with their values.
    pub observed: (u32, i32, i32, i32),
}

/// The mix of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mix {
    /// Everything, mostly blocks. About two in a hundred are not robust.
    Blocks,
    /// Loads and stores of several threads, so many are not robust.
    Races,
    /// The first two threads have a cell of their own beside two that all share, so that many steps do
    /// not concern the other threads. Nothing waits for all buffers.
    Apart,
    /// Mostly registers, so threads go around loops that do not concern the others, and choose their way.
    Local,
}

fn act(mix: Mix) -> BoxedStrategy<Act> {
    match mix {
        Mix::Blocks => any_act().boxed(),
        Mix::Races => {
            let cell = || 1..=2i32;
            prop_oneof![
                4 => (0..REGISTERS, cell()).prop_map(|(r, x)| Act::Load(r, x)),
                4 => (cell(), 1..3).prop_map(|(x, v)| Act::Store(x, v)),
                1 => any_act(),
            ]
            .boxed()
        }
        Mix::Apart => {
            let cell = || 1..=3i32;
            let fence = prop_oneof![
                2 => Just(Fence::Full),
                1 => Just(Fence::Store),
                1 => Just(Fence::Cells(vec![Addr(1)])),
            ];
            prop_oneof![
                1 => Just(Act::Skip),
                4 => (0..REGISTERS, cell()).prop_map(|(r, x)| Act::Load(r, x)),
                5 => (cell(), 0..3).prop_map(|(x, v)| Act::Store(x, v)),
                1 => (0..REGISTERS, cell(), 0..3).prop_map(|(r, x, v)| Act::Exchange(r, x, v)),
                1 => (0..REGISTERS, 0..3).prop_map(|(r, v)| Act::Assign(r, v)),
                1 => (0..REGISTERS).prop_map(Act::Choose),
                1 => (0..REGISTERS, 0..3).prop_map(|(r, v)| Act::Assert(r, v)),
                1 => fence.prop_map(Act::Fence),
            ]
            .boxed()
        }
        Mix::Local => prop_oneof![
            2 => Just(Act::Skip),
            3 => (0..REGISTERS, 0..3).prop_map(|(r, v)| Act::Assign(r, v)),
            3 => (0..REGISTERS).prop_map(Act::Advance),
            2 => (0..REGISTERS).prop_map(Act::Choose),
            2 => (0..REGISTERS, 1..=2i32).prop_map(|(r, x)| Act::Load(r, x)),
            2 => (1..=2i32, 1..3).prop_map(|(x, v)| Act::Store(x, v)),
            1 => any_act(),
        ]
        .boxed(),
    }
}

impl Exit {
    /// The same with the third cell replaced.
    fn with_own_cell(self, own: i32) -> Self {
        let cell = |x: i32| if x == 3 { own } else { x };
        let act = |act: Act| match act {
            Act::Load(r, x) => Act::Load(r, cell(x)),
            Act::Store(x, v) => Act::Store(cell(x), v),
            Act::StoreRegister(x, r) => Act::StoreRegister(cell(x), r),
            Act::Exchange(r, x, v) => Act::Exchange(r, cell(x), v),
            Act::Compare(r, x, e, d) => Act::Compare(r, cell(x), e, d),
            Act::Skip
            | Act::Element(..)
            | Act::StoreElement(..)
            | Act::Assign(..)
            | Act::Advance(_)
            | Act::Choose(_)
            | Act::Assert(..)
            | Act::Fence(_) => act,
        };
        match self {
            Exit::On(a, to) => Exit::On(act(a), to),
            Exit::Either(a, to, b, or) => Exit::Either(act(a), to, act(b), or),
            Exit::Dead | Exit::Branch(..) | Exit::Wait(..) => self,
        }
    }
}

fn any_act() -> BoxedStrategy<Act> {
    let cell = || 1..=2i32;
    let fence = prop_oneof![
        4 => Just(Fence::Full),
        1 => Just(Fence::Store),
        1 => Just(Fence::Cells(vec![Addr(1)])),
        1 => Just(Fence::All),
    ];
    prop_oneof![
        1 => Just(Act::Skip),
        5 => (0..REGISTERS, cell()).prop_map(|(r, x)| Act::Load(r, x)),
        1 => (0..REGISTERS, 0..REGISTERS).prop_map(|(r, i)| Act::Element(r, i)),
        5 => (cell(), 0..3).prop_map(|(x, v)| Act::Store(x, v)),
        1 => (cell(), 0..REGISTERS).prop_map(|(x, r)| Act::StoreRegister(x, r)),
        1 => (0..REGISTERS, 0..3).prop_map(|(i, v)| Act::StoreElement(i, v)),
        1 => (0..REGISTERS, cell(), 0..3).prop_map(|(r, x, v)| Act::Exchange(r, x, v)),
        1 => (0..REGISTERS, cell(), 0..3, 0..3).prop_map(|(r, x, e, d)| Act::Compare(r, x, e, d)),
        1 => (0..REGISTERS, 0..3).prop_map(|(r, v)| Act::Assign(r, v)),
        1 => (0..REGISTERS).prop_map(Act::Choose),
        1 => (0..REGISTERS, 0..3).prop_map(|(r, v)| Act::Assert(r, v)),
        1 => fence.prop_map(Act::Fence),
    ]
    .boxed()
}

fn exit(most: usize, mix: Mix) -> BoxedStrategy<Exit> {
    let (straight, either) = if mix == Mix::Local { (1, 6) } else { (3, 2) };
    let to = move || prop_oneof![straight => Just(1), 1 => 0..most];
    let act = || act(mix);
    prop_oneof![
        1 => Just(Exit::Dead),
        12 => (act(), to()).prop_map(|(act, to)| Exit::On(act, to)),
        4 => (0..REGISTERS, 0..3, to(), to()).prop_map(|(r, v, a, b)| Exit::Branch(r, v, a, b)),
        1 => (0..REGISTERS, 0..3, to()).prop_map(|(r, v, to)| Exit::Wait(r, v, to)),
        either => (act(), to(), act(), to()).prop_map(|(a, to, b, or)| Exit::Either(a, to, b, or)),
    ]
    .boxed()
}

fn automaton(most: usize, mix: Mix) -> BoxedStrategy<Automaton> {
    let inside = match mix {
        Mix::Blocks => 0.35,
        Mix::Races | Mix::Apart => 0.15,
        Mix::Local => 0.1,
    };
    let location = (prop::bool::weighted(inside), exit(most, mix));
    prop::collection::vec(location, 2..=most)
        .prop_map(|mut locations| {
            locations[0].0 = false;
            Automaton { locations }
        })
        .boxed()
}

/// Random programs of one to three automata, or two to three for races, with at most `most` locations
/// each.
pub fn automata(most: usize, mix: Mix) -> BoxedStrategy<Automata> {
    let alone = match mix {
        Mix::Blocks => 1,
        Mix::Races | Mix::Apart | Mix::Local => 0,
    };
    let three = if mix == Mix::Apart { 4 } else { 1 };
    let threads = prop_oneof![
        alone => prop::collection::vec(automaton(most, mix), 1),
        4 => prop::collection::vec(automaton(most, mix), 2),
        three => prop::collection::vec(automaton(most.min(4), mix), 3),
    ];
    let observed = (0..REGISTERS, 0..3, 1..=CELLS, 0..3);
    (threads, observed)
        .prop_map(move |(mut threads, observed)| {
            if mix == Mix::Apart {
                for (own, automaton) in [3, 4, 1].into_iter().zip(&mut threads) {
                    let locations = automaton.locations.drain(..);
                    let locations =
                        locations.map(|(inside, exit)| (inside, exit.with_own_cell(own)));
                    automaton.locations = locations.collect();
                }
            }
            Automata { threads, observed }
        })
        .boxed()
}

fn equals<V: Copy>(value: V, to: i32) -> Expr<V> {
    Expr::binary(BinaryOp::Eq, Expr::Var(value), Expr::Const(to))
}

impl Automata {
    /// The program. It has one `forbid` per location outside blocks, then a `forbid` of a register
    /// value together with a cell value, and last a final assertion of the same condition.
    pub fn build(&self) -> Program {
        let mut builder = cells();
        let mut outside: Vec<(ThreadId, LocId)> = Vec::new();
        for (number, automaton) in self.threads.iter().enumerate() {
            let count = automaton.locations.len();
            let (thread, all) = add(&mut builder, number, count, automaton.edges());
            let reached = automaton.reached();
            let free = (0..all.len()).filter(|&l| !automaton.locations[l].0 && reached[l]);
            outside.extend(free.map(|l| (thread, all[l])));
        }
        let (reg, value, cell, content) = self.observed;
        let both = Expr::binary(
            BinaryOp::And,
            equals(Observable::Register(ThreadId(0), RegId(reg)), value),
            equals(Observable::Cell(Addr(cell)), content),
        );
        let places = outside
            .into_iter()
            .map(|(thread, loc)| equals(Observable::At(thread, loc), 1));
        for predicate in places.chain([both.clone()]) {
            builder.property(PropertyKind::Forbid, predicate, Origin::default());
        }
        builder.property(PropertyKind::FinalAssert, both, Origin::default());
        builder.build().expect("automata are a program")
    }

    /// The loop-free program with the behaviour of this one in the first `steps` instructions of each
    /// thread. It has no properties.
    pub fn unwound(&self, steps: usize) -> Program {
        let mut builder = cells();
        for (number, automaton) in self.threads.iter().enumerate() {
            let count = automaton.locations.len();
            let edges = automaton.edges();
            let round = |round: usize| {
                let edges = edges.iter().cloned();
                edges
                    .map(move |(from, op, to)| (from + round * count, op, to + (round + 1) * count))
            };
            let unwound = (0..steps).flat_map(round).collect();
            add(&mut builder, number, (steps + 1) * count, unwound);
        }
        builder
            .build()
            .expect("automata without loops are a program")
    }

    /// Whether no thread executes more than `steps` instructions.
    pub fn ends_within(&self, steps: usize) -> bool {
        let mut threads = self.threads.iter();
        threads.all(|automaton| {
            let edges = automaton.edges();
            let mut at: BTreeSet<usize> = BTreeSet::from([0]);
            for _ in 0..=steps {
                let on = edges.iter().filter(|edge| at.contains(&edge.0));
                at = on.map(|edge| edge.2).collect();
            }
            at.is_empty()
        })
    }
}

fn cells() -> ProgramBuilder {
    let mut builder = ProgramBuilder::new("automata");
    builder.cell("x", 0);
    builder.cell("y", 0);
    builder.array("a", vec![0, 1]);
    builder
}

/// Adds a thread with the given number of locations; it starts at the first.
fn add(
    builder: &mut ProgramBuilder,
    number: usize,
    locations: usize,
    edges: Vec<(usize, Op, usize)>,
) -> (ThreadId, Vec<LocId>) {
    let thread = builder.thread(format!("t{number}"), Copies::One, Origin::default());
    for reg in 0..REGISTERS {
        builder.register(thread, format!("r{reg}"), 0);
    }
    let all: Vec<LocId> = (0..locations)
        .map(|_| builder.location(thread, Origin::default()))
        .collect();
    builder.entry(thread, all[0]);
    for (from, op, to) in edges {
        builder.instruction(thread, all[from], op, all[to], Origin::default());
    }
    (thread, all)
}

impl Automaton {
    fn target(&self, from: usize, offset: usize) -> usize {
        (from + offset) % self.locations.len()
    }

    fn edges(&self) -> Vec<(usize, Op, usize)> {
        let is = |r: u32, v: i32| Op::Assume(equals(RegId(r), v));
        let is_not = |r: u32, v: i32| {
            let value = Expr::Var(RegId(r));
            Op::Assume(Expr::binary(BinaryOp::Ne, value, Expr::Const(v)))
        };
        let mut edges = Vec::new();
        for (from, (inside, exit)) in self.locations.iter().enumerate() {
            let ways = match exit {
                Exit::Dead => vec![],
                Exit::On(act, to) => vec![(act.op(*inside), *to)],
                Exit::Branch(r, v, to, or) => vec![(is(*r, *v), *to), (is_not(*r, *v), *or)],
                Exit::Wait(r, v, to) => vec![(is(*r, *v), *to)],
                Exit::Either(act, to, other, or) => {
                    vec![(act.op(*inside), *to), (other.op(*inside), *or)]
                }
            };
            for (op, offset) in ways {
                let to = self.target(from, offset);
                let op = match (inside, self.locations[to].0) {
                    (false, true) => Op::AtomicBegin,
                    (true, false) => Op::AtomicEnd,
                    (false, false) | (true, true) => op,
                };
                edges.push((from, op, to));
            }
        }
        edges
    }

    /// Whether each location is reachable in the graph.
    fn reached(&self) -> Vec<bool> {
        let edges = self.edges();
        let mut reached = vec![false; self.locations.len()];
        let mut work = vec![0];
        while let Some(loc) = work.pop() {
            if !std::mem::replace(&mut reached[loc], true) {
                work.extend(edges.iter().filter(|e| e.0 == loc).map(|e| e.2));
            }
        }
        reached
    }
}

impl Act {
    fn op(&self, inside: bool) -> Op {
        let element = |i: u32| {
            let index = Expr::binary(BinaryOp::BitAnd, Expr::Var(RegId(i)), Expr::Const(1));
            Expr::binary(BinaryOp::Add, Expr::Const(3), index)
        };
        let locked = |r: u32, x: i32, update| Op::Rmw {
            into: RegId(r),
            addr: Expr::Const(x),
            update,
        };
        match self {
            Act::Skip => Op::Skip,
            Act::Load(r, x) => Op::Load {
                into: RegId(*r),
                addr: Expr::Const(*x),
            },
            Act::Element(r, i) => Op::Load {
                into: RegId(*r),
                addr: element(*i),
            },
            Act::Store(x, v) => Op::Store {
                addr: Expr::Const(*x),
                value: Expr::Const(*v),
            },
            Act::StoreRegister(x, r) => Op::Store {
                addr: Expr::Const(*x),
                value: Expr::Var(RegId(*r)),
            },
            Act::StoreElement(i, v) => Op::Store {
                addr: element(*i),
                value: Expr::Const(*v),
            },
            Act::Exchange(r, x, v) => locked(*r, *x, Update::Exchange(Expr::Const(*v))),
            Act::Compare(r, x, expected, desired) => {
                let update = Update::CompareExchange {
                    expected: Expr::Const(*expected),
                    desired: Expr::Const(*desired),
                };
                locked(*r, *x, update)
            }
            Act::Assign(r, v) => Op::Assign {
                into: RegId(*r),
                value: Expr::Const(*v),
            },
            Act::Advance(r) => {
                let more = Expr::binary(BinaryOp::Add, Expr::Var(RegId(*r)), Expr::Const(1));
                Op::Assign {
                    into: RegId(*r),
                    value: Expr::binary(BinaryOp::Rem, more, Expr::Const(3)),
                }
            }
            Act::Choose(r) => Op::Havoc {
                into: RegId(*r),
                low: 0,
                high: 1,
            },
            Act::Assert(r, v) => Op::Assert(equals(RegId(*r), *v)),
            // A barrier is not allowed inside a block.
            Act::Fence(Fence::All) if inside => Op::Skip,
            Act::Fence(fence) => Op::Fence(fence.clone()),
        }
    }
}
