//! Which values a function passes between which variables.

use super::{Flow, Kinds, Node, Reporter, Scalar, accessed, scalar};
use crate::lower::operation::{Compared, Expected, Meaning};
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, Function, Lvalue, LvalueKind, Stmt, StmtKind, Type, TypeKind,
    UnaryOp,
};
use crate::text::Place;
use std::collections::BTreeMap;

/// A walk over a function.
pub(super) struct Walk<'w, 'r> {
    kinds: &'w mut Kinds,
    check: &'w Reporter<'r>,
    id: usize,
    function: &'w Function,
    is_thread: bool,
    cells: &'w BTreeMap<String, Scalar>,
}

impl<'w, 'r> Walk<'w, 'r> {
    pub(super) fn new(
        kinds: &'w mut Kinds,
        check: &'w Reporter<'r>,
        id: usize,
        function: &'w Function,
        is_thread: bool,
        cells: &'w BTreeMap<String, Scalar>,
    ) -> Self {
        Self {
            kinds,
            check,
            id,
            function,
            is_thread,
            cells,
        }
    }

    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.value(e);
            }
            StmtKind::Declare(local, init, _) => {
                for (path, e) in init {
                    let value = self.value(e);
                    if path.is_empty() {
                        let class = self.local(local.0);
                        self.passes(class, value, e.place);
                    }
                }
            }
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::If(condition, then, other) => {
                self.value(condition);
                self.stmt(then);
                if let Some(other) = other {
                    self.stmt(other);
                }
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.value(condition);
                self.stmt(body);
            }
            StmtKind::Switch(condition, body) => {
                self.number(condition);
                self.stmt(body);
            }
            StmtKind::For(condition, step, body) => {
                for e in condition.iter().chain(step) {
                    self.value(e);
                }
                self.stmt(body);
            }
            StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body);
            }
            StmtKind::Return(Some(e)) => {
                let value = self.value(e);
                let class = self.kinds.class(Node::Result(self.id));
                self.passes(class, value, e.place);
            }
            StmtKind::Return(None)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Word(_)
            | StmtKind::Empty
            | StmtKind::InMacro => {}
        }
    }

    fn mark(&mut self, class: usize, address: bool, place: Place) {
        let span = super::super::span(self.check.files, place);
        self.kinds.mark(class, address, &span);
    }

    /// A class exchanges values with a value.
    fn passes(&mut self, class: usize, value: Flow, place: Place) {
        match value {
            Flow::Zero => {}
            Flow::Number(place) => self.mark(class, false, place),
            Flow::Address(place) => self.mark(class, true, place),
            Flow::Class(other) => {
                let span = super::super::span(self.check.files, place);
                self.kinds.pass(class, other, &span);
            }
        }
    }

    /// Two values have one kind, which is that of the result.
    fn joined(&mut self, a: Flow, b: Flow, place: Place) -> Flow {
        match (a, b) {
            (Flow::Zero, other) | (other, Flow::Zero) => other,
            (Flow::Class(class), other) | (other, Flow::Class(class)) => {
                self.passes(class, other, place);
                Flow::Class(class)
            }
            (Flow::Number(_), Flow::Number(_)) | (Flow::Address(_), Flow::Address(_)) => a,
            (Flow::Number(one), Flow::Address(other))
            | (Flow::Address(other), Flow::Number(one)) => {
                self.conflict(one, other);
                a
            }
        }
    }

    fn conflict(&mut self, number: Place, address: Place) {
        let unnamed = self.kinds.parent.len();
        self.kinds.parent.push(unnamed);
        self.kinds.kind.push(None);
        self.mark(unnamed, true, address);
        self.mark(unnamed, false, number);
    }

    /// The value is used as a number, or as an address.
    fn used(&mut self, value: Flow, address: bool, place: Place) {
        let as_used = if address {
            Flow::Address(place)
        } else {
            Flow::Number(place)
        };
        self.joined(value, as_used, place);
    }

    fn number(&mut self, e: &Expr) -> Flow {
        let value = self.value(e);
        self.used(value, false, e.place);
        Flow::Number(e.place)
    }

    fn local(&mut self, local: usize) -> usize {
        let class = self.kinds.class(Node::Local(self.id, local));
        if self.function.locals[local].ty.is_pointer() {
            self.mark(class, true, self.function.place);
        }
        class
    }

    /// The class of what a place holds.
    fn place(&mut self, lvalue: &Lvalue) -> usize {
        let class = match &lvalue.kind {
            LvalueKind::Local(local) => self.local(local.0),
            LvalueKind::Deref(e) => self.pointee(e, &lvalue.ty),
            LvalueKind::Object(_) | LvalueKind::Member(..) | LvalueKind::Bits(..) => {
                self.through(&lvalue.ty)
            }
            LvalueKind::Element(inner, index) => {
                self.number(index);
                self.place(inner)
            }
        };
        if lvalue.ty.is_pointer() {
            self.mark(class, true, lvalue.place);
        }
        class
    }

    fn through(&mut self, ty: &Type) -> usize {
        let (bits, pointer) = scalar(ty).map_or((0, false), accessed);
        self.kinds.class(Node::Through(bits, pointer))
    }

    /// The shared variable that a parameter of a thread points to.
    fn parameter(&self, lvalue: &Lvalue) -> Option<String> {
        let LvalueKind::Local(local) = lvalue.kind else {
            return None;
        };
        let is_parameter = self.is_thread && local.0 < self.function.parameters;
        is_parameter.then(|| self.function.locals[local.0].name.clone())
    }

    /// The class of what this pointer points to, as something of this type.
    fn pointee(&mut self, e: &Expr, ty: &Type) -> usize {
        match &e.kind {
            ExprKind::Load(lvalue) => {
                if let Some(name) = self.parameter(lvalue) {
                    let own = self.cells.get(&name).map(|scalar| accessed(*scalar));
                    self.kinds.mixed |= own.is_some_and(|(_, pointer)| pointer != ty.is_pointer());
                    return self.kinds.class(Node::Cell(name));
                }
            }
            ExprKind::AddressOf(lvalue) => return self.place(lvalue),
            ExprKind::Binary(BinaryOp::PointerAdd, inner, by) => {
                self.number(by);
                return self.pointee(inner, ty);
            }
            ExprKind::Cast(inner) if inner.ty.is_pointer() => return self.pointee(inner, ty),
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Conditional(..)
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Checked(..)
            | ExprKind::Cast(_)
            | ExprKind::New(_)
            | ExprKind::Call(..)
            | ExprKind::Statement(_) => {}
        }
        let value = self.value(e);
        self.used(value, true, e.place);
        self.through(ty)
    }

    fn value(&mut self, e: &Expr) -> Flow {
        match &e.kind {
            ExprKind::Const(0) | ExprKind::Text(_) | ExprKind::Function(_) | ExprKind::New(_) => {
                Flow::Zero
            }
            ExprKind::Const(_) => Flow::Number(e.place),
            ExprKind::Load(lvalue) => {
                if let Some(name) = self.parameter(lvalue) {
                    self.kinds.escapes(&name, self.cells);
                    return Flow::Address(e.place);
                }
                Flow::Class(self.place(lvalue))
            }
            ExprKind::AddressOf(lvalue) => {
                self.escapes(lvalue);
                Flow::Address(e.place)
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                self.value(a);
                Flow::Number(e.place)
            }
            ExprKind::Unary(UnaryOp::BitNot | UnaryOp::Neg, a) => self.number(a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.place),
            ExprKind::Checked(_, a, b) => {
                self.number(a);
                self.number(b)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(a);
                self.value(b);
                Flow::Number(e.place)
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::Conditional(c, a, b) => {
                self.value(c);
                let (a, b) = (self.value(a), self.value(b));
                self.joined(a, b, e.place)
            }
            ExprKind::Assign(into, value) => {
                let value = self.value(value);
                let class = self.place(into);
                self.passes(class, value, e.place);
                Flow::Class(class)
            }
            ExprKind::Update { into, operand, .. } => {
                self.number(operand);
                let class = self.place(into);
                if !into.ty.is_pointer() {
                    self.mark(class, false, e.place);
                }
                Flow::Class(class)
            }
            ExprKind::Cast(inner) => self.cast(inner, &e.ty, e.place),
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, e.place),
            ExprKind::Statement(stmts) => match stmts.split_last() {
                Some((last, rest)) => {
                    self.stmts(rest);
                    if let StmtKind::Expr(e) = &last.kind {
                        return self.value(e);
                    }
                    self.stmt(last);
                    Flow::Zero
                }
                None => Flow::Zero,
            },
        }
    }

    fn escapes(&mut self, lvalue: &Lvalue) {
        match &lvalue.kind {
            LvalueKind::Local(local) => {
                if let Some(own) = scalar(&self.function.locals[local.0].ty) {
                    let (bits, pointer) = accessed(own);
                    let node = Node::Local(self.id, local.0);
                    self.kinds.escaped.insert((node, bits, pointer));
                }
            }
            LvalueKind::Deref(e) => {
                self.value(e);
            }
            LvalueKind::Object(_) => {}
            LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => self.escapes(inner),
            LvalueKind::Element(inner, index) => {
                self.number(index);
                self.escapes(inner);
            }
        }
    }

    fn cast(&mut self, inner: &Expr, into: &Type, place: Place) -> Flow {
        let value = self.value(inner);
        self.converted(value, inner, into, place)
    }

    /// The value of an expression as one of another type.
    fn converted(&mut self, value: Flow, from: &Expr, into: &Type, place: Place) -> Flow {
        if matches!(into.kind, TypeKind::Bool) {
            return Flow::Number(place);
        }
        let is_null = matches!(from.kind, ExprKind::Const(0));
        if from.ty.is_pointer() != into.is_pointer() && !is_null && !into.is_void() {
            self.kinds.mixed = true;
            if into.is_pointer() {
                self.used(value, true, place);
                return Flow::Address(place);
            }
        }
        match into.width() {
            // Parts of addresses.
            Some((bits, _)) if bits < 32 => {
                self.used(value, false, place);
                Flow::Number(place)
            }
            _ => value,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, place: Place) -> Flow {
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let (a, b) = (self.value(a), self.value(b));
                self.joined(a, b, place);
                Flow::Number(place)
            }
            // Refused where they are not an element of an array.
            BinaryOp::PointerAdd | BinaryOp::PointerSub => {
                self.number(b);
                self.value(a)
            }
            BinaryOp::PointerDiff => {
                self.value(a);
                self.value(b);
                Flow::Number(place)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge if a.ty.is_pointer() => {
                self.value(a);
                self.value(b);
                Flow::Number(place)
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {
                self.number(a);
                self.number(b);
                Flow::Number(place)
            }
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Expr], place: Place) -> Flow {
        match callee {
            Callee::Defined(id) => {
                for (at, e) in arguments.iter().enumerate() {
                    let value = self.value(e);
                    let class = self.kinds.class(Node::Local(id.0, at));
                    self.passes(class, value, e.place);
                }
                Flow::Class(self.kinds.class(Node::Result(id.0)))
            }
            Callee::Library(operation) => self.operation(operation.meaning, arguments, place),
            Callee::Pointer(_) => Flow::Zero,
        }
    }

    fn operation(&mut self, meaning: Meaning, arguments: &[Expr], place: Place) -> Flow {
        // How many arguments after the first are values of the object.
        let values = if matches!(meaning, Meaning::Load(_)) {
            0
        } else if matches!(
            meaning,
            Meaning::Store(_) | Meaning::Exchange(_) | Meaning::Fetch { .. }
        ) {
            1
        } else if matches!(meaning, Meaning::CompareExchange { .. }) {
            2
        } else {
            // Locks, fences and the like: what they access holds no values of the test.
            for e in arguments.iter().filter(|e| !e.ty.is_pointer()) {
                self.value(e);
            }
            return Flow::Number(place);
        };
        let Some((first, others)) = arguments.split_first() else {
            return Flow::Zero;
        };
        let Some(of) = first.ty.pointee().cloned() else {
            return Flow::Zero;
        };
        let class = self.pointee(first, &of);
        if of.is_pointer() {
            self.mark(class, true, first.place);
        }
        for (at, e) in others.iter().take(values).enumerate() {
            let value = match e.ty.pointee() {
                Some(ty) if at == 0 && expects_pointer(meaning) => {
                    Flow::Class(self.pointee(e, &ty.clone()))
                }
                Some(_) | None => {
                    let value = self.value(e);
                    self.converted(value, e, &of, e.place)
                }
            };
            self.passes(class, value, e.place);
        }
        if matches!(meaning, Meaning::Fetch { .. }) {
            self.mark(class, false, place);
        }
        if let Meaning::CompareExchange {
            yields: Compared::Success,
            ..
        } = meaning
        {
            return Flow::Number(place);
        }
        Flow::Class(class)
    }
}

/// Whether argument 1 of a compare-exchange points to the expected value.
fn expects_pointer(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::CompareExchange {
            expected: Expected::ByPointer,
            ..
        }
    )
}
