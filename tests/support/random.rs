//! Random small programs for property tests.
//!
//! A [`Sketch`] is a list of statements a thread; it shrinks well, and [`Sketch::build`] lowers it
//! to a [`Program`] through the builder. Everything is small on purpose: two or three threads, three
//! scalars and an array of two cells, values 0 to 2, no loops, so that every exploration is finite
//! and takes milliseconds.

use fencepost::program::{
    Addr, BinaryOp, Copies, Expr, Fence, FetchOp, LocId, Observable, Op, Origin, Program,
    ProgramBuilder, PropertyKind, RegId, ThreadId, Update,
};
use proptest::prelude::*;

/// Registers a thread has.
pub const REGISTERS: u32 = 3;
/// Cells: three scalars and an array of two.
pub const CELLS: i32 = 5;

/// An expression over registers.
#[derive(Clone, Debug)]
pub enum Value {
    Const(i32),
    Reg(u32),
    Plus(u32, i32),
    Equal(u32, i32),
}

/// A shared cell, perhaps chosen by a register; `Wild` may be no cell at all.
#[derive(Clone, Debug)]
pub enum Place {
    Cell(i32),
    Element(u32),
    Wild(u32),
}

/// The kinds of fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Full,
    Store,
    Cells(u8),
    All,
}

/// The kinds of locked instructions.
#[derive(Clone, Debug)]
pub enum Locked {
    Compare(i32, i32),
    Exchange(Value),
    Add(i32),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Load(u32, Place),
    Store(Place, Value),
    Locked(u32, Place, Locked),
    Fence(Kind),
    Assign(u32, Value),
    Choose(u32),
    Assume(Value),
    Assert(Value),
    If(Value, Vec<Stmt>, Vec<Stmt>),
    Either(Vec<Stmt>, Vec<Stmt>),
    Atomic(Vec<Stmt>),
}

/// A program to be.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub threads: Vec<Vec<Stmt>>,
    /// A `forbid`, an `exists` and a `final assert` about these registers and cells.
    pub observed: (u32, i32, i32),
}

/// What occurs how often: a load or a store has weight 8, 0 is never.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub fences: u32,
    pub locked: u32,
    /// Atomic blocks; against 14 for a plain statement.
    pub atomic: u32,
    /// Addresses that may be no cell; against 10 for one that is.
    pub wild: u32,
    /// The most statements of one of two threads.
    pub longest: usize,
}

impl Shape {
    /// Everything.
    pub const ALL: Shape = Shape {
        fences: 3,
        locked: 1,
        atomic: 1,
        wild: 1,
        longest: 5,
    };
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0..3).prop_map(Value::Const),
        2 => (0..REGISTERS).prop_map(Value::Reg),
        1 => (0..REGISTERS, 1..3).prop_map(|(r, c)| Value::Plus(r, c)),
        1 => (0..REGISTERS, 0..3).prop_map(|(r, c)| Value::Equal(r, c)),
    ]
}

fn place(shape: Shape) -> impl Strategy<Value = Place> {
    prop_oneof![
        8 => (1..=3).prop_map(Place::Cell),
        2 => (0..REGISTERS).prop_map(Place::Element),
        shape.wild => (0..REGISTERS).prop_map(Place::Wild),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Full),
        Just(Kind::Store),
        (1u8..8).prop_map(Kind::Cells),
        Just(Kind::All),
    ]
}

fn plain(shape: Shape) -> impl Strategy<Value = Stmt> {
    let locked = prop_oneof![
        (0..3, 0..3).prop_map(|(a, b)| Locked::Compare(a, b)),
        value().prop_map(Locked::Exchange),
        (1..3).prop_map(Locked::Add),
    ];
    prop_oneof![
        8 => (0..REGISTERS, place(shape)).prop_map(|(r, p)| Stmt::Load(r, p)),
        8 => (place(shape), value()).prop_map(|(p, v)| Stmt::Store(p, v)),
        shape.locked => (0..REGISTERS, place(shape), locked)
            .prop_map(|(r, p, l)| Stmt::Locked(r, p, l)),
        shape.fences => kind().prop_map(Stmt::Fence),
        1 => (0..REGISTERS, value()).prop_map(|(r, v)| Stmt::Assign(r, v)),
        1 => (0..REGISTERS).prop_map(Stmt::Choose),
        1 => value().prop_map(Stmt::Assume),
        1 => value().prop_map(Stmt::Assert),
    ]
}

fn stmt(shape: Shape) -> impl Strategy<Value = Stmt> {
    let block = || prop::collection::vec(plain(shape), 1..3);
    prop_oneof![
        14 => plain(shape),
        1 => (value(), block(), block()).prop_map(|(c, a, b)| Stmt::If(c, a, b)),
        1 => (block(), block()).prop_map(|(a, b)| Stmt::Either(a, b)),
        shape.atomic => block().prop_map(|mut body| {
            body.retain(|stmt| !matches!(stmt, Stmt::Fence(Kind::All)));
            Stmt::Atomic(body)
        }),
    ]
}

/// Random sketches of two threads, or three short ones.
pub fn sketch(shape: Shape) -> impl Strategy<Value = Sketch> {
    let two = prop::collection::vec(prop::collection::vec(stmt(shape), 1..=shape.longest), 2);
    let three = prop::collection::vec(prop::collection::vec(stmt(shape), 1..=2), 3);
    (
        prop_oneof![3 => two, 1 => three],
        (0..REGISTERS, 1..=CELLS, 0..3),
    )
        .prop_map(|(threads, observed)| Sketch { threads, observed })
}

impl Sketch {
    /// The program.
    pub fn build(&self) -> Program {
        let mut builder = ProgramBuilder::new("random");
        for name in ["x", "y", "z"] {
            builder.cell(name, 0);
        }
        builder.array("a", vec![0, 1]);
        let mut ends = Vec::new();
        for (index, body) in self.threads.iter().enumerate() {
            let thread = builder.thread(format!("t{index}"), Copies::One, Origin::default());
            for reg in 0..REGISTERS {
                builder.register(thread, format!("r{reg}"), 0);
            }
            let mut lower = Lower {
                builder: &mut builder,
                thread,
            };
            let entry = lower.location();
            lower.builder.entry(thread, entry);
            ends.push(lower.block(body, entry));
        }
        let (reg, cell, value) = self.observed;
        let first = ThreadId(0);
        let last = ThreadId(self.threads.len() as u32 - 1);
        let register = Expr::Var(Observable::Register(first, RegId(reg)));
        let memory = Expr::Var(Observable::Cell(Addr(cell)));
        let both = Expr::binary(
            BinaryOp::And,
            Expr::binary(BinaryOp::Eq, register, Expr::Const(value)),
            Expr::binary(BinaryOp::Eq, memory, Expr::Const(1)),
        );
        let at = Expr::Var(Observable::At(last, ends[last.index()]));
        let stopped = Expr::binary(BinaryOp::And, both.clone(), at);
        builder.property(PropertyKind::Forbid, stopped, Origin::default());
        builder.property(PropertyKind::Exists, both.clone(), Origin::default());
        builder.property(PropertyKind::FinalAssert, both, Origin::default());
        builder.build().expect("a sketch is a program")
    }

    /// The sketch with something put after every store outside atomic blocks.
    pub fn after_stores(&self, extra: &Stmt) -> Sketch {
        fn walk(body: &[Stmt], extra: &Stmt) -> Vec<Stmt> {
            body.iter()
                .flat_map(|stmt| match stmt {
                    Stmt::Store(..) => vec![stmt.clone(), extra.clone()],
                    Stmt::If(c, a, b) => {
                        vec![Stmt::If(c.clone(), walk(a, extra), walk(b, extra))]
                    }
                    Stmt::Either(a, b) => vec![Stmt::Either(walk(a, extra), walk(b, extra))],
                    Stmt::Load(..)
                    | Stmt::Locked(..)
                    | Stmt::Fence(_)
                    | Stmt::Assign(..)
                    | Stmt::Choose(_)
                    | Stmt::Assume(_)
                    | Stmt::Assert(_)
                    | Stmt::Atomic(_) => vec![stmt.clone()],
                })
                .collect()
        }
        Sketch {
            threads: self.threads.iter().map(|body| walk(body, extra)).collect(),
            observed: self.observed,
        }
    }

    /// The sketch with a statement inserted at a position of a thread, both taken modulo what
    /// there is.
    pub fn with_insertion(&self, thread: usize, position: usize, extra: Stmt) -> Sketch {
        let mut sketch = self.clone();
        let thread = thread % sketch.threads.len();
        let body = &mut sketch.threads[thread];
        let position = position % (body.len() + 1);
        body.insert(position, extra);
        sketch
    }
}

struct Lower<'b> {
    builder: &'b mut ProgramBuilder,
    thread: ThreadId,
}

impl Lower<'_> {
    fn location(&mut self) -> LocId {
        self.builder.location(self.thread, Origin::default())
    }

    fn edge(&mut self, from: LocId, op: Op, to: LocId) {
        self.builder
            .instruction(self.thread, from, op, to, Origin::default());
    }

    fn block(&mut self, body: &[Stmt], mut at: LocId) -> LocId {
        for stmt in body {
            at = self.stmt(stmt, at);
        }
        at
    }

    fn stmt(&mut self, stmt: &Stmt, from: LocId) -> LocId {
        let op = match stmt {
            Stmt::If(condition, yes, no) => {
                let condition = expr(condition);
                let negated = Expr::binary(BinaryOp::Eq, condition.clone(), Expr::Const(0));
                return self.branch(from, Op::Assume(condition), yes, Op::Assume(negated), no);
            }
            Stmt::Either(a, b) => return self.branch(from, Op::Skip, a, Op::Skip, b),
            Stmt::Atomic(body) => {
                let begin = self.location();
                self.edge(from, Op::AtomicBegin, begin);
                let end = self.block(body, begin);
                let to = self.location();
                self.edge(end, Op::AtomicEnd, to);
                return to;
            }
            Stmt::Load(into, place) => Op::Load {
                into: RegId(*into),
                addr: address(place),
            },
            Stmt::Store(place, value) => Op::Store {
                addr: address(place),
                value: expr(value),
            },
            Stmt::Locked(into, place, locked) => Op::Rmw {
                into: RegId(*into),
                addr: address(place),
                update: match locked {
                    Locked::Compare(expected, desired) => Update::CompareExchange {
                        expected: Expr::Const(*expected),
                        desired: Expr::Const(*desired),
                    },
                    Locked::Exchange(value) => Update::Exchange(expr(value)),
                    Locked::Add(operand) => Update::Fetch(FetchOp::Add, Expr::Const(*operand)),
                },
            },
            Stmt::Fence(kind) => Op::Fence(match kind {
                Kind::Full => Fence::Full,
                Kind::Store => Fence::Store,
                Kind::All => Fence::All,
                Kind::Cells(mask) => Fence::Cells(
                    (0..3)
                        .filter(|bit| mask & (1 << bit) != 0)
                        .map(|bit| Addr(bit + 1))
                        .collect(),
                ),
            }),
            Stmt::Assign(into, value) => Op::Assign {
                into: RegId(*into),
                value: expr(value),
            },
            Stmt::Choose(into) => Op::Havoc {
                into: RegId(*into),
                low: 0,
                high: 1,
            },
            Stmt::Assume(value) => Op::Assume(expr(value)),
            Stmt::Assert(value) => Op::Assert(expr(value)),
        };
        let to = self.location();
        self.edge(from, op, to);
        to
    }

    fn branch(&mut self, from: LocId, left: Op, a: &[Stmt], right: Op, b: &[Stmt]) -> LocId {
        let to = self.location();
        for (op, body) in [(left, a), (right, b)] {
            let entry = self.location();
            self.edge(from, op, entry);
            let end = self.block(body, entry);
            self.edge(end, Op::Skip, to);
        }
        to
    }
}

fn expr(value: &Value) -> Expr<RegId> {
    let reg = |r: u32| Expr::Var(RegId(r));
    match value {
        Value::Const(c) => Expr::Const(*c),
        Value::Reg(r) => reg(*r),
        Value::Plus(r, c) => Expr::binary(BinaryOp::Add, reg(*r), Expr::Const(*c)),
        Value::Equal(r, c) => Expr::binary(BinaryOp::Eq, reg(*r), Expr::Const(*c)),
    }
}

fn address(place: &Place) -> Expr<RegId> {
    match place {
        Place::Cell(cell) => Expr::Const(*cell),
        // The array starts at 4; its index is the register's lowest bit.
        Place::Element(r) => Expr::binary(
            BinaryOp::Add,
            Expr::Const(4),
            Expr::binary(BinaryOp::BitAnd, Expr::Var(RegId(*r)), Expr::Const(1)),
        ),
        Place::Wild(r) => Expr::Var(RegId(*r)),
    }
}
