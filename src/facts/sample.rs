//! A concise notation for small programs, for the tests of this module.
//!
//! Registers are numbered from 0, cells by address from 1, all initially 0.

use crate::program::{
    BinaryOp, Copies, Expr, LocId, Op, Origin, Program, ProgramBuilder, RegId, ThreadId, UnaryOp,
    Update,
};

pub(super) type E = Expr<RegId>;

pub(super) fn r(reg: u32) -> E {
    Expr::Var(RegId(reg))
}

pub(super) fn c(value: i32) -> E {
    Expr::Const(value)
}

pub(super) fn plus(a: E, b: i32) -> E {
    Expr::binary(BinaryOp::Add, a, c(b))
}

pub(super) fn eq(a: E, b: i32) -> E {
    Expr::binary(BinaryOp::Eq, a, c(b))
}

pub(super) fn ne(a: E, b: i32) -> E {
    Expr::binary(BinaryOp::Ne, a, c(b))
}

pub(super) fn lt(a: E, b: i32) -> E {
    Expr::binary(BinaryOp::Lt, a, c(b))
}

pub(super) fn same(a: E, b: E) -> E {
    Expr::binary(BinaryOp::Eq, a, b)
}

pub(super) fn not(e: E) -> E {
    Expr::unary(UnaryOp::Not, e)
}

pub(super) fn and(a: E, b: E) -> E {
    Expr::binary(BinaryOp::And, a, b)
}

/// A program under construction.
pub(super) struct Sketch {
    builder: ProgramBuilder,
    threads: usize,
}

/// A thread under construction: instructions are added at its last location, or as edges.
pub(super) struct ThreadSketch<'a> {
    builder: &'a mut ProgramBuilder,
    thread: ThreadId,
    locations: u32,
}

impl Sketch {
    pub(super) fn new(cells: i32) -> Self {
        let mut builder = ProgramBuilder::new("sample");
        for cell in 1..=cells {
            builder.cell(format!("x{cell}"), 0);
        }
        Self {
            builder,
            threads: 0,
        }
    }

    pub(super) fn thread(mut self, registers: u32, write: impl FnOnce(&mut ThreadSketch)) -> Self {
        let name = format!("t{}", self.threads);
        self.threads += 1;
        let thread = self.builder.thread(name, Copies::One, Origin::default());
        for reg in 0..registers {
            self.builder.register(thread, format!("r{reg}"), 0);
        }
        let mut sketch = ThreadSketch {
            builder: &mut self.builder,
            thread,
            locations: 0,
        };
        sketch.need(0);
        write(&mut sketch);
        self.builder.entry(thread, LocId(0));
        self
    }

    pub(super) fn with(mut self, add: impl FnOnce(&mut ProgramBuilder)) -> Self {
        add(&mut self.builder);
        self
    }

    pub(super) fn build(self) -> Program {
        self.builder.build().expect("a sample is well formed")
    }
}

impl ThreadSketch<'_> {
    fn need(&mut self, loc: u32) {
        while self.locations <= loc {
            self.builder.location(self.thread, Origin::default());
            self.locations += 1;
        }
    }

    /// Adds an instruction between two locations, which are declared as needed.
    pub(super) fn edge(&mut self, from: u32, op: Op, to: u32) -> &mut Self {
        self.need(from.max(to));
        let (from, to) = (LocId(from), LocId(to));
        self.builder
            .instruction(self.thread, from, op, to, Origin::default());
        self
    }

    /// Adds an instruction from the last location to a new one.
    pub(super) fn op(&mut self, op: Op) -> &mut Self {
        let last = self.locations - 1;
        self.edge(last, op, last + 1)
    }

    pub(super) fn load(&mut self, into: u32, addr: i32) -> &mut Self {
        self.load_at(into, c(addr))
    }

    pub(super) fn load_at(&mut self, into: u32, addr: E) -> &mut Self {
        self.op(Op::Load {
            into: RegId(into),
            addr,
        })
    }

    pub(super) fn store(&mut self, addr: i32, value: E) -> &mut Self {
        self.op(Op::Store {
            addr: c(addr),
            value,
        })
    }

    pub(super) fn assume(&mut self, e: E) -> &mut Self {
        self.op(Op::Assume(e))
    }

    pub(super) fn cas(&mut self, into: u32, addr: i32, expected: E, desired: E) -> &mut Self {
        self.op(cas(into, addr, expected, desired))
    }
}

pub(super) fn load(into: u32, addr: i32) -> Op {
    Op::Load {
        into: RegId(into),
        addr: c(addr),
    }
}

pub(super) fn cas(into: u32, addr: i32, expected: E, desired: E) -> Op {
    Op::Rmw {
        into: RegId(into),
        addr: c(addr),
        update: Update::CompareExchange { expected, desired },
    }
}

pub(super) fn exchange(into: u32, addr: i32, value: i32) -> Op {
    Op::Rmw {
        into: RegId(into),
        addr: c(addr),
        update: Update::Exchange(c(value)),
    }
}
