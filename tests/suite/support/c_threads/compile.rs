//! Programs as the code of a stack machine.

mod control;

use super::ast::{
    Binary, CALLS, Draft, Expr, Function, Gives, HEAD, LOCAL_NODE, LOCKS, Locks, NAMED, NODE,
    NODES, Order, POINTERS, Place, Pointer, RESULTS, Shape, Sharing, Takes,
};

/// The address of the thread-local variable.
pub const OWN: i32 = -2;
/// An address in what a null pointer points to.
pub const STRAY: i32 = -1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Fetch(Binary),
    Exchange,
}

#[derive(Clone, Debug)]
pub enum Op {
    Push(i32),
    Pop,
    Swap,
    /// Copies the top.
    Again,
    Int(usize),
    SetInt(usize),
    Binary(Binary),
    Not,
    Jump(usize),
    Unless(usize),
    /// An index becomes an address in the array.
    Element,
    /// A pointer becomes the address of a member.
    Field(i32),
    /// Under an address.
    Load,
    /// An address and a value.
    Store(Shape),
    LockedStore(Shape),
    /// An address and an operand become the old or the new value.
    Modify(Change, Shape, bool),
    /// An address and a desired value become whether the value was that of the local.
    Compare(usize),
    Line,
    Fence,
    /// A number of a function and an argument.
    Call,
    /// The top is the value.
    Return,
    /// The function ends without a value.
    NoValue,
    /// The value of the last call is used.
    Use,
    Lock(usize, Sharing),
    TryLock(usize, Sharing),
    Unlock(usize),
    Post,
    Take,
    TryWait,
    /// Goes there for the last thread to come.
    Barrier(usize),
    BarrierWait,
    /// Goes on, or there.
    Choose(usize),
    /// Releases the lock and waits for the condition, in one step.
    Sleep(usize),
    /// Goes on when the thread has been woken.
    Woken,
    /// Wakes one of the threads that wait for the condition, or all.
    Wake(bool),
    /// Goes there if it was done.
    Once(usize),
    Allocate(bool),
    Free,
    Begin,
    End,
    Assert,
    Assume,
    /// The slot, and the routine; takes the argument.
    Create(usize, usize),
    Join(usize),
    Exit,
    /// The process ends.
    EndProcess,
    /// So many final values.
    Finals(usize),
}

/// The code of a function, with the statement of each operation.
#[derive(Clone, Debug)]
pub struct Code {
    pub ops: Vec<Op>,
    pub marks: Vec<usize>,
    pub parameter: Option<usize>,
}

/// The code of a program, whose last function is `main`.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub functions: Vec<Code>,
    pub locks: Locks,
    /// How many threads a barrier waits for.
    pub waiting: i32,
    pub permits: i32,
}

pub fn compile(draft: &Draft) -> Compiled {
    let functions = draft.functions.iter().enumerate();
    Compiled {
        functions: functions.map(|(id, f)| function(draft, id, f)).collect(),
        locks: draft.locks,
        waiting: draft.waiting as i32,
        permits: draft.permits,
    }
}

fn function(draft: &Draft, id: usize, function: &Function) -> Code {
    let mut compiler = Compiler {
        draft,
        id,
        ops: Vec::new(),
        marks: Vec::new(),
        mark: usize::MAX,
        breaks: Vec::new(),
        continues: Vec::new(),
        labels: Vec::new(),
    };
    compiler.stmts(&function.body);
    compiler.mark = usize::MAX;
    match function.gives {
        Gives::Int | Gives::Node => compiler.op(Op::NoValue),
        Gives::Nothing => {
            compiler.op(Op::Push(0));
            compiler.op(Op::Return);
        }
        Gives::Result => {
            compiler.op(Op::Push(0));
            compiler.op(Op::Exit);
        }
        Gives::Main => {
            for at in &draft.observed {
                compiler.op(Op::Push(NAMED[*at].0 as i32));
                compiler.op(Op::Load);
            }
            for slot in 0..draft.threads {
                compiler.op(Op::Int(RESULTS + slot));
            }
            compiler.op(Op::Finals(draft.observed.len() + draft.threads));
            compiler.op(Op::EndProcess);
        }
    }
    Code {
        ops: compiler.ops,
        marks: compiler.marks,
        parameter: match function.takes {
            Takes::Nothing => None,
            Takes::Int => Some(0),
            Takes::Node => Some(POINTERS),
        },
    }
}

struct Compiler<'d> {
    draft: &'d Draft,
    id: usize,
    ops: Vec<Op>,
    marks: Vec<usize>,
    mark: usize,
    /// Jumps to the ends of loops and switches, and to where loops go on.
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
    labels: Vec<(usize, usize)>,
}

impl Compiler<'_> {
    fn op(&mut self, op: Op) {
        self.ops.push(op);
        self.marks.push(self.mark);
    }

    /// A jump whose target is not known yet.
    fn jump(&mut self, conditional: bool) -> usize {
        self.op(if conditional {
            Op::Unless(0)
        } else {
            Op::Jump(0)
        });
        self.ops.len() - 1
    }

    fn here(&mut self, jump: usize) {
        let end = self.ops.len();
        match &mut self.ops[jump] {
            Op::Jump(to) | Op::Unless(to) | Op::Barrier(to) | Op::Once(to) | Op::Choose(to) => {
                *to = end;
            }
            other => unreachable!("{other:?} is no jump"),
        }
    }

    fn pointer(&mut self, pointer: &Pointer) {
        match pointer {
            Pointer::Local(p) => self.op(Op::Int(*p)),
            Pointer::Head => {
                self.op(Op::Push(HEAD as i32));
                self.op(Op::Load);
            }
            Pointer::Next(p) => {
                self.op(Op::Int(*p));
                self.op(Op::Field(2));
                self.op(Op::Load);
            }
            Pointer::Node(at) => self.op(Op::Push((NODES + NODE * at) as i32)),
            Pointer::OfMain => self.op(Op::Push(LOCAL_NODE as i32)),
            Pointer::Null => self.op(Op::Push(0)),
            Pointer::Call(id, e) => {
                self.op(Op::Push(*id as i32));
                self.expr(e);
                self.op(Op::Call);
                self.op(Op::Use);
            }
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Named(at) => self.op(Op::Push(NAMED[*at].0 as i32)),
            Place::Element(e) => {
                self.expr(e);
                self.op(Op::Element);
            }
            Place::Key(pointer) => {
                self.pointer(pointer);
                self.op(Op::Field(0));
            }
            Place::Value(pointer) => {
                self.pointer(pointer);
                self.op(Op::Field(1));
            }
            Place::Own => self.op(Op::Push(OWN)),
            Place::Calls => self.op(Op::Push((CALLS + self.id) as i32)),
        }
    }

    /// `place = top`, where the top is the value; nothing is left.
    fn set(&mut self, place: &Place) {
        self.place(place);
        self.op(Op::Swap);
        let shape = place.shape();
        self.op(if shape.is_atomic() {
            Op::LockedStore(shape)
        } else {
            Op::Store(shape)
        });
    }

    fn convert(&mut self, shape: Shape) {
        if shape == Shape::Byte {
            self.op(Op::Push(255));
            self.op(Op::Binary(Binary::And));
        }
    }

    fn update(&mut self, op: Binary, place: &Place, operand: &Expr, yields_new: bool) {
        let shape = place.shape();
        if shape.is_atomic() {
            self.expr(operand);
            self.place(place);
            self.op(Op::Swap);
            self.op(Op::Modify(Change::Fetch(op), shape, yields_new));
        } else if yields_new {
            self.expr(operand);
            self.place(place);
            self.op(Op::Load);
            self.op(Op::Swap);
            self.op(Op::Binary(op));
            self.op(Op::Again);
            self.set(place);
        } else {
            // The operand is a constant.
            self.place(place);
            self.op(Op::Load);
            self.op(Op::Again);
            self.expr(operand);
            self.op(Op::Binary(op));
            self.set(place);
        }
    }

    fn store_as(&mut self, shape: Shape, order: Order) {
        match order {
            Order::Relaxed => self.op(Op::Store(shape)),
            Order::Half => {
                self.op(Op::Line);
                self.op(Op::Store(shape));
            }
            Order::SeqCst => self.op(Op::LockedStore(shape)),
        }
    }

    /// Leaves one value.
    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Const(value) => self.op(Op::Push(*value)),
            Expr::Int(l) => self.op(Op::Int(*l)),
            Expr::Load(place) | Expr::LoadAs(place, _) => {
                self.place(place);
                self.op(Op::Load);
            }
            Expr::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.op(Op::Binary(*op));
            }
            Expr::Not(a) => {
                self.expr(a);
                self.op(Op::Not);
            }
            Expr::Both(a, b) => self.lazily(a, b, false),
            Expr::Either(a, b) => self.lazily(a, b, true),
            Expr::Choose(c, a, b) => {
                self.expr(c);
                let no = self.jump(true);
                self.expr(a);
                let end = self.jump(false);
                self.here(no);
                self.expr(b);
                self.here(end);
            }
            Expr::Comma(a, b) => {
                self.discard(a);
                self.expr(b);
            }
            Expr::Set(place, e) => {
                self.expr(e);
                self.convert(place.shape());
                self.op(Op::Again);
                self.set(place);
            }
            Expr::StoreAs(place, e, order) => {
                self.place(place);
                self.expr(e);
                self.store_as(place.shape(), *order);
                self.op(Op::Push(0));
            }
            Expr::Update(op, place, e) => self.update(*op, place, e, true),
            Expr::Step(place, up, first) => {
                let op = if *up { Binary::Add } else { Binary::Sub };
                self.update(op, place, &Expr::Const(1), *first);
            }
            Expr::Fetch(op, place, e, _) => {
                self.place(place);
                self.expr(e);
                self.op(Op::Modify(Change::Fetch(*op), place.shape(), false));
            }
            Expr::Exchange(place, e) => {
                self.place(place);
                self.expr(e);
                self.op(Op::Modify(Change::Exchange, place.shape(), false));
            }
            Expr::Compare(place, expected, e) => {
                self.place(place);
                self.expr(e);
                self.op(Op::Compare(*expected));
            }
            Expr::Call(callee, e) => {
                self.call(callee, e);
                self.op(Op::Use);
            }
            Expr::CallNode(id, to) => {
                self.op(Op::Push(*id as i32));
                self.pointer(to);
                self.op(Op::Call);
                self.op(Op::Use);
            }
            Expr::IsSet(to) => {
                self.pointer(to);
                self.op(Op::Not);
                self.op(Op::Not);
            }
            Expr::TryLock(lock, sharing) => self.op(Op::TryLock(LOCKS[*lock], *sharing)),
            Expr::TryWait => self.op(Op::TryWait),
            Expr::Barrier => {
                self.op(Op::Barrier(0));
                let last = self.ops.len() - 1;
                self.op(Op::BarrierWait);
                self.here(last);
            }
        }
    }
}
