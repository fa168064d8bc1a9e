//! Random small programs for property tests.
//!
//! A [`Sketch`] is a list of statements per thread. It shrinks well, and [`Sketch::build`] lowers it to
//! a [`Program`] through the builder. Everything is deliberately small: two or three threads, three
//! scalars and an array of two cells, values 0 to 2. Loops neither fill a buffer nor count without
//! bound, so every exploration is finite and takes milliseconds.

use fencepost::program::{
    Addr, BinaryOp, Copies, Expr, Fence, FetchOp, LocId, Observable, Op, Origin, Overlap, Program,
    ProgramBuilder, PropertyKind, RegId, ThreadId, Update,
};
use proptest::prelude::*;

/// The number of registers per thread.
pub const REGISTERS: u32 = 3;
/// The number of cells: three scalars and an array of two.
pub const CELLS: i32 = 5;

/// An expression over registers.
#[derive(Clone, Debug)]
pub enum Value {
    Const(i32),
    Reg(u32),
    Plus(u32, i32),
    Equal(u32, i32),
}

/// A shared cell, possibly chosen by a register; `Wild` may be outside all cells.
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
    /// One access of several cells.
    Word(Word),
    /// Iterates while the value is not 0.
    Loop(Value, Vec<Stmt>),
    /// Iterates up to this many times, counted in a dedicated register.
    Repeat(i32, Leave, Vec<Stmt>),
}

/// An access of several cells.
#[derive(Clone, Debug)]
pub struct Word {
    /// The first cell; with a register, as many cells after it as the register says, perhaps outside all cells.
    pub first: (i32, Option<u32>),
    /// The second cell is left out.
    pub skips: bool,
    pub parts: Parts,
}

/// What each cell of an access receives, or is loaded into.
#[derive(Clone, Debug)]
pub enum Parts {
    Loads(Vec<u32>),
    Stores(Vec<Value>),
}

/// When a counted loop may exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// Only at the full count.
    Full,
    /// At the full count, tested at a separate location in the middle of an iteration.
    Inside,
    /// At any time.
    Any,
}

/// What the properties of a program refer to: a register of the first thread and its value, a cell,
/// and whether the last thread is at a location, taken modulo the locations outside atomic blocks.
#[derive(Clone, Debug)]
pub struct Observed {
    pub reg: u32,
    pub value: i32,
    pub cell: i32,
    pub loc: usize,
    pub there: bool,
}

/// The description of a program. It has two `forbid`, an `exists` and a `final assert`, in this order.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub threads: Vec<Vec<Stmt>>,
    /// What the properties refer to.
    pub observed: Observed,
}

/// The weights of statements. A load or a store has weight 8; weight 0 means never.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub fences: u32,
    pub locked: u32,
    /// Atomic blocks; a plain statement has 14.
    pub atomic: u32,
    /// Accesses of several cells; a plain statement has 14.
    pub words: u32,
    /// Addresses that may be outside all cells; the others have 10.
    pub wild: u32,
    /// Loops; a plain statement has 14.
    pub loops: u32,
    /// Counted loops; a plain statement has 14.
    pub repeats: u32,
    /// The maximum number of statements in each of two threads.
    pub longest: usize,
}

impl Shape {
    /// Everything.
    pub const ALL: Shape = Shape {
        fences: 3,
        locked: 1,
        atomic: 1,
        words: 1,
        wild: 1,
        loops: 1,
        repeats: 0,
        longest: 5,
    };

    /// Everything, and loops that store and count.
    pub const COUNTING: Shape = Shape {
        atomic: 2,
        repeats: 4,
        longest: 3,
        ..Shape::ALL
    };

    /// Everything except loops.
    pub const ACYCLIC: Shape = Shape {
        loops: 0,
        ..Shape::ALL
    };
}

fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        4 => (0..3).prop_map(Value::Const),
        2 => (0..REGISTERS).prop_map(Value::Reg),
        1 => (0..REGISTERS, 1..3).prop_map(|(r, c)| Value::Plus(r, c)),
        1 => (0..REGISTERS, 0..3).prop_map(|(r, c)| Value::Equal(r, c)),
    ]
    .boxed()
}

fn place(shape: Shape) -> BoxedStrategy<Place> {
    prop_oneof![
        8 => (1..=3).prop_map(Place::Cell),
        2 => (0..REGISTERS).prop_map(Place::Element),
        shape.wild => (0..REGISTERS).prop_map(Place::Wild),
    ]
    .boxed()
}

fn kind() -> BoxedStrategy<Kind> {
    prop_oneof![
        Just(Kind::Full),
        Just(Kind::Store),
        (1u8..8).prop_map(Kind::Cells),
        Just(Kind::All),
    ]
    .boxed()
}

fn plain(shape: Shape) -> BoxedStrategy<Stmt> {
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
    .boxed()
}

fn word(shape: Shape) -> BoxedStrategy<Word> {
    let parts = prop_oneof![
        prop::collection::vec(0..REGISTERS, 1..=3).prop_map(Parts::Loads),
        prop::collection::vec(value(), 1..=3).prop_map(Parts::Stores),
    ];
    let computed = prop_oneof![
        10 => Just(None),
        shape.wild.min(1) => (0..REGISTERS).prop_map(Some),
    ];
    (1..=3, computed, any::<bool>(), parts)
        .prop_map(|(first, register, skips, parts)| Word {
            first: (first, register),
            skips,
            parts,
        })
        .boxed()
}

fn stmt(shape: Shape) -> BoxedStrategy<Stmt> {
    let block = || prop::collection::vec(plain(shape), 1..3);
    let quiet = |mut body: Vec<Stmt>| {
        body.retain(|stmt| !matches!(stmt, Stmt::Fence(Kind::All)));
        body
    };
    let leave = || prop_oneof![Just(Leave::Full), Just(Leave::Inside), Just(Leave::Any)];
    let repeated = prop_oneof![
        4 => plain(shape),
        shape.words.min(1) => word(shape).prop_map(Stmt::Word),
        1 => (value(), block(), block()).prop_map(|(c, a, b)| Stmt::If(c, a, b)),
        1 => (block(), block()).prop_map(|(a, b)| Stmt::Either(a, b)),
        shape.atomic => block().prop_map(move |body| Stmt::Atomic(quiet(body))),
        shape.repeats.min(1) => (1..3, leave(), block())
            .prop_map(|(times, leave, body)| Stmt::Repeat(times, leave, body)),
    ];
    prop_oneof![
        14 => plain(shape),
        shape.words => word(shape).prop_map(Stmt::Word),
        1 => (value(), block(), block()).prop_map(|(c, a, b)| Stmt::If(c, a, b)),
        1 => (block(), block()).prop_map(|(a, b)| Stmt::Either(a, b)),
        shape.atomic => block().prop_map(|mut body| {
            body.retain(|stmt| !matches!(stmt, Stmt::Fence(Kind::All)));
            Stmt::Atomic(body)
        }),
        shape.loops => (value(), block()).prop_map(|(condition, mut body)| {
            body.retain(may_repeat);
            Stmt::Loop(condition, body)
        }),
        shape.repeats => (1..4, leave(), prop::collection::vec(repeated, 1..3))
            .prop_map(|(times, leave, body)| Stmt::Repeat(times, leave, body)),
        shape.repeats.min(1) => (1..3, leave(), block()).prop_map(move |(times, leave, body)| {
            Stmt::Atomic(vec![Stmt::Repeat(times, leave, quiet(body))])
        }),
    ]
    .boxed()
}

/// Whether the number of configurations remains finite with this statement in a loop.
fn may_repeat(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Load(..)
        | Stmt::Fence(Kind::Full | Kind::All)
        | Stmt::Assign(_, Value::Const(_) | Value::Reg(_) | Value::Equal(..))
        | Stmt::Choose(_)
        | Stmt::Assume(_)
        | Stmt::Assert(_) => true,
        Stmt::Store(..)
        | Stmt::Locked(..)
        | Stmt::Fence(Kind::Store | Kind::Cells(_))
        | Stmt::Assign(_, Value::Plus(..))
        | Stmt::If(..)
        | Stmt::Either(..)
        | Stmt::Atomic(_)
        | Stmt::Word(_)
        | Stmt::Loop(..)
        | Stmt::Repeat(..) => false,
    }
}

/// Random sketches of two threads, or three short ones.
pub fn sketch(shape: Shape) -> BoxedStrategy<Sketch> {
    let two = prop::collection::vec(prop::collection::vec(stmt(shape), 1..=shape.longest), 2);
    let three = prop::collection::vec(prop::collection::vec(stmt(shape), 1..=2), 3);
    (
        prop_oneof![3 => two, 1 => three],
        (0..REGISTERS, 0..3, 1..=CELLS, 0..40usize, any::<bool>()),
    )
        .prop_map(|(threads, (reg, value, cell, loc, there))| Sketch {
            threads,
            observed: Observed {
                reg,
                value,
                cell,
                loc,
                there,
            },
        })
        .boxed()
}

impl Sketch {
    /// The program.
    pub fn build(&self) -> Program {
        let mut builder = ProgramBuilder::new("random");
        for name in ["x", "y", "z"] {
            builder.cell(name, 0);
        }
        builder.array("a", vec![0, 1]);
        let mut stops = Vec::new();
        for (index, body) in self.threads.iter().enumerate() {
            let thread = builder.thread(format!("t{index}"), Copies::One, Origin::default());
            for reg in 0..REGISTERS {
                builder.register(thread, format!("r{reg}"), 0);
            }
            let mut lower = Lower {
                builder: &mut builder,
                thread,
                stops: Vec::new(),
                inside: false,
                counters: 0,
            };
            let entry = lower.location();
            lower.builder.entry(thread, entry);
            lower.block(body, entry);
            stops = lower.stops;
        }
        let Observed {
            reg,
            value,
            cell,
            loc,
            there,
        } = self.observed;
        let last = ThreadId(self.threads.len() as u32 - 1);
        let register = Expr::Var(Observable::Register(ThreadId(0), RegId(reg)));
        let register = Expr::binary(BinaryOp::Eq, register, Expr::Const(value));
        let memory = Expr::Var(Observable::Cell(Addr(cell)));
        let memory = Expr::binary(BinaryOp::Eq, memory, Expr::Const(1));
        let at = Expr::Var(Observable::At(last, stops[loc % stops.len()]));
        let at = Expr::binary(BinaryOp::Eq, at, Expr::Const(i32::from(there)));
        let both = Expr::binary(BinaryOp::And, register, memory.clone());
        let stopped = Expr::binary(BinaryOp::And, memory, at);
        for (kind, predicate) in [
            (PropertyKind::Forbid, both.clone()),
            (PropertyKind::Forbid, stopped),
            (PropertyKind::Exists, both.clone()),
            (PropertyKind::FinalAssert, both),
        ] {
            builder.property(kind, predicate, Origin::default());
        }
        builder.build().expect("a sketch is a program")
    }

    /// The sketch with `extra` inserted after every store outside atomic blocks.
    pub fn after_stores(&self, extra: &Stmt) -> Sketch {
        fn walk(body: &[Stmt], extra: &Stmt) -> Vec<Stmt> {
            body.iter()
                .flat_map(|stmt| match stmt {
                    Stmt::Store(..)
                    | Stmt::Word(Word {
                        parts: Parts::Stores(_),
                        ..
                    }) => vec![stmt.clone(), extra.clone()],
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
                    | Stmt::Atomic(_)
                    | Stmt::Loop(..)
                    | Stmt::Word(Word {
                        parts: Parts::Loads(_),
                        ..
                    }) => vec![stmt.clone()],
                    Stmt::Repeat(times, leave, body) => {
                        vec![Stmt::Repeat(*times, *leave, walk(body, extra))]
                    }
                })
                .collect()
        }
        Sketch {
            threads: self.threads.iter().map(|body| walk(body, extra)).collect(),
            observed: self.observed.clone(),
        }
    }

    /// The sketch with a statement inserted at a position of a thread, both taken modulo their
    /// number.
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
    /// The locations outside atomic blocks.
    stops: Vec<LocId>,
    inside: bool,
    /// The number of counted loops in the thread.
    counters: u32,
}

impl Lower<'_> {
    fn location(&mut self) -> LocId {
        let loc = self.builder.location(self.thread, Origin::default());
        if !self.inside {
            self.stops.push(loc);
        }
        loc
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
                let (condition, negated) = condition_and_negation(condition);
                return self.branch(from, Op::Assume(condition), yes, Op::Assume(negated), no);
            }
            Stmt::Loop(condition, body) => {
                let (condition, negated) = condition_and_negation(condition);
                let (entry, to) = (self.location(), self.location());
                self.edge(from, Op::Assume(condition), entry);
                self.edge(from, Op::Assume(negated), to);
                let end = self.block(body, entry);
                self.edge(end, Op::Skip, from);
                return to;
            }
            Stmt::Repeat(times, leave, body) => {
                return self.repeat(from, *times, *leave, body, None);
            }
            Stmt::Either(a, b) => return self.branch(from, Op::Skip, a, Op::Skip, b),
            Stmt::Atomic(body) => {
                self.inside = true;
                let begin = self.location();
                self.edge(from, Op::AtomicBegin, begin);
                let end = self.block(body, begin);
                self.inside = false;
                let to = self.location();
                self.edge(end, Op::AtomicEnd, to);
                return to;
            }
            Stmt::Word(word) => return self.word(word, from),
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

    fn word(&mut self, word: &Word, from: LocId) -> LocId {
        let (first, register) = word.first;
        let addr = |at: usize| {
            let by = Expr::Const(first + at as i32 + i32::from(word.skips && at > 0));
            match register {
                Some(register) => Expr::binary(BinaryOp::Add, Expr::Var(RegId(register)), by),
                None => by,
            }
        };
        let ops: Vec<Op> = match &word.parts {
            Parts::Loads(into) => {
                // The address must not change.
                let free: Vec<u32> = (0..REGISTERS).filter(|&r| register != Some(r)).collect();
                let load = |(at, &into): (usize, &u32)| Op::Load {
                    into: RegId(free[into as usize % free.len()]),
                    addr: addr(at),
                };
                into.iter().enumerate().map(load).collect()
            }
            Parts::Stores(values) => {
                let store = |(at, value): (usize, &Value)| Op::Store {
                    addr: addr(at),
                    value: expr(value),
                };
                values.iter().enumerate().map(store).collect()
            }
        };
        self.inside = true;
        let mut at = self.location();
        self.edge(from, Op::WordBegin(Overlap::Combine), at);
        for op in ops {
            let next = self.location();
            self.edge(at, op, next);
            at = next;
        }
        self.inside = false;
        let to = self.location();
        self.edge(at, Op::AtomicEnd, to);
        to
    }

    fn repeat(
        &mut self,
        from: LocId,
        times: i32,
        leave: Leave,
        body: &[Stmt],
        exit: Option<LocId>,
    ) -> LocId {
        let name = format!("n{}", self.counters);
        self.counters += 1;
        let counter = self.builder.register(self.thread, name, 0);
        let compare = |op| {
            let value = Expr::Var(counter);
            Op::Assume(Expr::binary(op, value, Expr::Const(times)))
        };
        // The counter is reset when the loop is entered again.
        let head = self.location();
        self.edge(
            from,
            Op::Assign {
                into: counter,
                value: Expr::Const(0),
            },
            head,
        );
        let entry = self.location();
        let to = exit.unwrap_or_else(|| self.location());
        // A loop at the end of another loop's body exits directly to the outer head: its exit is the
        // outer back edge, as in the output of compilers and in code with `goto`.
        if leave != Leave::Inside
            && let Some((Stmt::Repeat(inner, how, last), init)) = body.split_last()
        {
            self.edge(head, compare(BinaryOp::Lt), entry);
            let full = if leave == Leave::Full {
                compare(BinaryOp::Ge)
            } else {
                Op::Skip
            };
            self.edge(head, full, to);
            let counted = self.location();
            let value = Expr::binary(BinaryOp::Add, Expr::Var(counter), Expr::Const(1));
            self.edge(
                entry,
                Op::Assign {
                    into: counter,
                    value,
                },
                counted,
            );
            let at = self.block(init, counted);
            self.repeat(at, *inner, *how, last, Some(head));
            return to;
        }
        let last = if leave == Leave::Inside {
            let end = self.block(body, head);
            self.edge(end, compare(BinaryOp::Lt), entry);
            let full = self.location();
            self.edge(end, compare(BinaryOp::Ge), full);
            self.edge(full, Op::Skip, to);
            entry
        } else {
            self.edge(head, compare(BinaryOp::Lt), entry);
            let full = if leave == Leave::Full {
                compare(BinaryOp::Ge)
            } else {
                Op::Skip
            };
            self.edge(head, full, to);
            self.block(body, entry)
        };
        let value = Expr::binary(BinaryOp::Add, Expr::Var(counter), Expr::Const(1));
        self.edge(
            last,
            Op::Assign {
                into: counter,
                value,
            },
            head,
        );
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

fn condition_and_negation(value: &Value) -> (Expr<RegId>, Expr<RegId>) {
    let condition = expr(value);
    let negated = Expr::binary(BinaryOp::Eq, condition.clone(), Expr::Const(0));
    (condition, negated)
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
        // The array starts at 4; the index is the register's lowest bit.
        Place::Element(r) => Expr::binary(
            BinaryOp::Add,
            Expr::Const(4),
            Expr::binary(BinaryOp::BitAnd, Expr::Var(RegId(*r)), Expr::Const(1)),
        ),
        Place::Wild(r) => Expr::Var(RegId(*r)),
    }
}
