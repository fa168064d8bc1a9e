//! What a test asks of its functions before they are lowered.
//!
//! A local variable that the test names is one variable of its thread: it has the value of its last
//! assignment when the thread ends, also after the block that declares it. So its declarations become
//! assignments. Two blocks may declare it, with one type, if neither is inside the other.
//!
//! Shared variables have no order, and a number is no address: there is no arithmetic on addresses, but
//! for elements of arrays with constant indices.

use super::{Cells, Named, Reporter, span};
use crate::c::check::unqualified;
use crate::c::hir::{
    BinaryOp, Callee, Expr, ExprKind, Function, Initialised, Local, LocalId, Lvalue, LvalueKind,
    ObjectId, Stmt, StmtKind, Type, TypeKind,
};
use crate::c::library::Meaning;
use crate::c::token::Place;
use std::collections::BTreeMap;

/// A walk over a function.
pub(super) struct Prepare<'p, 'r> {
    body: &'p mut Vec<Stmt>,
    locals: &'p mut Vec<Local>,
    parameters: usize,
    /// Where the function is named.
    place: Place,
    is_thread: bool,
    named: &'p BTreeMap<String, Named>,
    cells: &'p [Cells],
    check: &'p mut Reporter<'r>,
    /// The one variable of each name, and where it is first declared.
    first: BTreeMap<String, (LocalId, Place)>,
    /// Which variable stands for a later one of the same name.
    stands: BTreeMap<LocalId, LocalId>,
    /// The named variables whose blocks are around the walk.
    visible: Vec<String>,
    /// The greatest constant, without its sign.
    pub(super) greatest: u64,
}

impl<'p, 'r> Prepare<'p, 'r> {
    pub(super) fn new(
        function: &'p mut Function,
        is_thread: bool,
        named: &'p BTreeMap<String, Named>,
        cells: &'p [Cells],
        check: &'p mut Reporter<'r>,
    ) -> Self {
        Self {
            locals: &mut function.locals,
            parameters: function.parameters,
            place: function.place,
            body: &mut function.body,
            is_thread,
            named,
            cells,
            check,
            first: BTreeMap::new(),
            stands: BTreeMap::new(),
            visible: Vec::new(),
            greatest: 0,
        }
    }

    /// Prepares the function. The variables that the test names, as far as they are declared.
    pub(super) fn function(&mut self) -> BTreeMap<String, LocalId> {
        let mut body = std::mem::take(self.body);
        self.block(&mut body);
        let mut initial = Vec::new();
        for (name, named) in self.named {
            if let (Some(value), Some((id, _))) = (named.initial, self.first.get(name)) {
                let value = self.initial(*id, value);
                initial.push(self.assignment(*id, value, self.place));
            }
        }
        initial.append(&mut body);
        *self.body = initial;
        let first = std::mem::take(&mut self.first);
        first
            .into_iter()
            .map(|(name, (id, _))| (name, id))
            .collect()
    }

    /// The initial value of a variable.
    fn initial(&self, id: LocalId, value: i32) -> Expr {
        let ty = unqualified(&self.locals[id.0].ty);
        let place = self.place;
        let mut cells = self.cells.iter();
        let at = cells.position(|cells| cells.address == i64::from(value));
        if let (Some(pointee), Some(at)) = (ty.pointee(), at) {
            // The shared variables are the objects of the unit.
            let object = Lvalue {
                kind: LvalueKind::Object(ObjectId(at)),
                ty: pointee.clone(),
                place,
            };
            let kind = ExprKind::AddressOf(Box::new(object));
            return Expr { kind, ty, place };
        }
        let is_unsigned = ty.width() == Some((32, false));
        let value = i64::from(value);
        let value = if is_unsigned {
            value & 0xffff_ffff
        } else {
            value
        };
        constant(value, ty, place)
    }

    fn error(&mut self, message: impl Into<String>, place: Place) {
        self.check.report(self.check.error(message, place));
    }

    fn block(&mut self, stmts: &mut [Stmt]) {
        let outside = self.visible.len();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.visible.truncate(outside);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let place = stmt.place;
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Declare(local, init, initialised) => {
                for (_, e) in &mut *init {
                    self.expr(e);
                }
                let name = self.locals[local.0].name.clone();
                if self.named.contains_key(&name)
                    && let Some(id) = self.declared(&name, *local, place)
                {
                    let ty = unqualified(&self.locals[id.0].ty);
                    stmt.kind = match (init.pop(), *initialised) {
                        (Some((_, e)), _) => self.assignment(id, e, place).kind,
                        (None, Initialised::Yes) => {
                            self.assignment(id, constant(0, ty, place), place).kind
                        }
                        (None, Initialised::No) => StmtKind::Empty,
                    };
                }
            }
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::If(condition, then, other) => {
                self.expr(condition);
                let is_empty = is_empty(then) && other.as_ref().is_none_or(|other| is_empty(other));
                self.block(std::slice::from_mut(then));
                if let Some(other) = other {
                    self.block(std::slice::from_mut(other));
                }
                // No compiler keeps such a branch.
                if is_empty {
                    stmt.kind = StmtKind::Expr(condition.clone());
                }
            }
            StmtKind::While(condition, body)
            | StmtKind::DoWhile(body, condition)
            | StmtKind::Switch(condition, body) => {
                self.expr(condition);
                self.block(std::slice::from_mut(body));
            }
            StmtKind::For(condition, step, body) => {
                for e in condition.iter_mut().chain(step) {
                    self.expr(e);
                }
                self.block(std::slice::from_mut(body));
            }
            StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body);
            }
            StmtKind::Return(e) => e.iter_mut().for_each(|e| self.expr(e)),
            StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Empty => {}
        }
    }

    /// A declaration of a variable that the test names; the one that stands for all of this name.
    fn declared(&mut self, name: &str, local: LocalId, place: Place) -> Option<LocalId> {
        let ty = &self.locals[local.0].ty;
        if !ty.is_scalar() {
            let message =
                format!("the test names `{name}`, which is neither a number nor a pointer");
            self.error(message, place);
            return None;
        }
        let Some((first, before)) = self.first.get(name).copied() else {
            self.first.insert(name.to_owned(), (local, place));
            self.visible.push(name.to_owned());
            return Some(local);
        };
        let is_inside = self.visible.iter().any(|outer| outer == name);
        if is_inside || self.locals[first.0].ty != *ty {
            let error = self
                .check
                .error(format!("`{name}` is declared twice"), place)
                .other(span(self.check.files, before), "first declared here")
                .note("a thread has one variable per name that the condition refers to");
            self.check.report(error);
            return None;
        }
        self.visible.push(name.to_owned());
        self.locals[first.0].addressed |= self.locals[local.0].addressed;
        self.stands.insert(local, first);
        Some(first)
    }

    fn assignment(&self, id: LocalId, value: Expr, place: Place) -> Stmt {
        let ty = self.locals[id.0].ty.clone();
        let into = Lvalue {
            kind: LvalueKind::Local(id),
            ty: ty.clone(),
            place,
        };
        let shown = value.place;
        let kind = ExprKind::Assign(Box::new(into), Box::new(value));
        let ty = unqualified(&ty);
        Stmt {
            kind: StmtKind::Expr(Expr {
                kind,
                ty,
                place: shown,
            }),
            place,
        }
    }

    fn lvalue(&mut self, lvalue: &mut Lvalue) {
        match &mut lvalue.kind {
            LvalueKind::Object(_) => {}
            LvalueKind::Local(local) => *local = self.stands.get(local).copied().unwrap_or(*local),
            LvalueKind::Deref(e) => self.expr(e),
            LvalueKind::Member(inner, _) => self.lvalue(inner),
            LvalueKind::Element(inner, index) => {
                self.lvalue(inner);
                self.expr(index);
                if !matches!(index.kind, ExprKind::Const(_)) {
                    self.error("an index must be a constant", index.place);
                }
            }
        }
    }

    /// The parameter that an lvalue is.
    fn parameter(&self, lvalue: &Lvalue) -> Option<&Local> {
        match lvalue.kind {
            LvalueKind::Local(local) if self.is_thread && local.0 < self.parameters => {
                Some(&self.locals[local.0])
            }
            LvalueKind::Local(_)
            | LvalueKind::Object(_)
            | LvalueKind::Deref(_)
            | LvalueKind::Member(..)
            | LvalueKind::Element(..) => None,
        }
    }

    fn changed(&mut self, lvalue: &Lvalue) {
        if let Some(parameter) = self.parameter(lvalue) {
            let message = format!("the parameter `{}` cannot be changed", parameter.name);
            self.error(message, lvalue.place);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let place = e.place;
        match &mut e.kind {
            ExprKind::Const(value) => self.greatest = self.greatest.max(value.unsigned_abs()),
            ExprKind::Text | ExprKind::Function(_) => {}
            ExprKind::Load(lvalue) => self.lvalue(lvalue),
            ExprKind::AddressOf(lvalue) => {
                self.changed(lvalue);
                self.lvalue(lvalue);
            }
            ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.address_arithmetic(*op, a, b, place);
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Assign(into, value) => {
                self.changed(into);
                self.lvalue(into);
                self.expr(value);
            }
            ExprKind::Update {
                op, into, operand, ..
            } => {
                self.changed(into);
                self.lvalue(into);
                self.expr(operand);
                if matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerSub) {
                    self.no_arithmetic(place);
                }
            }
            ExprKind::Cast(inner) => {
                self.expr(inner);
                let (from, into) = (&inner.ty.kind, &e.ty.kind);
                match (from, into) {
                    (TypeKind::Pointer(_), TypeKind::Int { .. }) => {
                        self.error("an address is used as a number", place);
                    }
                    (TypeKind::Int { .. }, TypeKind::Pointer(_))
                        if !matches!(inner.kind, ExprKind::Const(0)) =>
                    {
                        self.error("a number is used as an address", place);
                    }
                    _ => {}
                }
            }
            ExprKind::Call(callee, arguments) => {
                for e in &mut *arguments {
                    self.expr(e);
                }
                self.call(callee, place);
            }
            ExprKind::Statement(stmts) => self.block(stmts),
        }
    }

    fn call(&mut self, callee: &Callee, place: Place) {
        match callee {
            Callee::Pointer(_) => {
                self.error(
                    "calls through pointers are not supported in litmus tests",
                    place,
                );
            }
            Callee::Library(entry) if !is_of_tests(entry.meaning) => {
                let message = format!("`{}` is not supported in litmus tests", entry.name);
                let error = self.check.error(message, place);
                self.check.report(error.note(
                    "the threads of a test are its functions, which run from their beginnings to their ends",
                ));
            }
            Callee::Library(_) | Callee::Defined(_) => {}
        }
    }

    fn address_arithmetic(&mut self, op: BinaryOp, a: &Expr, b: &Expr, place: Place) {
        match op {
            BinaryOp::PointerAdd => {
                let parameter = if let ExprKind::Load(lvalue) = &a.kind {
                    self.parameter(lvalue)
                } else {
                    None
                };
                let named = |cells: &&Cells| parameter.is_some_and(|p| p.name == cells.name);
                match (self.cells.iter().find(named), &b.kind) {
                    (None, _) => self.no_arithmetic(place),
                    (Some(cells), ExprKind::Const(at)) => {
                        let count = cells.init.len();
                        if usize::try_from(*at).is_ok_and(|at| at < count) {
                            return;
                        }
                        let (name, s) = (&cells.name, if count == 1 { "" } else { "s" });
                        let message =
                            format!("index out of bounds: `{name}` has {count} element{s}");
                        self.error(message, b.place);
                    }
                    (Some(_), _) => self.error("an index must be a constant", b.place),
                }
            }
            BinaryOp::PointerSub | BinaryOp::PointerDiff => self.no_arithmetic(place),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge if a.ty.is_pointer() => {
                self.no_arithmetic(place);
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
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {}
        }
    }

    fn no_arithmetic(&mut self, place: Place) {
        self.error("addresses can only be compared, with `==` and `!=`", place);
    }
}

fn constant(value: i64, ty: Type, place: Place) -> Expr {
    let kind = ExprKind::Const(value);
    Expr { kind, ty, place }
}

/// Whether a statement does nothing.
fn is_empty(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().all(is_empty),
        StmtKind::Empty => true,
        StmtKind::Expr(_)
        | StmtKind::Declare(..)
        | StmtKind::If(..)
        | StmtKind::While(..)
        | StmtKind::DoWhile(..)
        | StmtKind::For(..)
        | StmtKind::Switch(..)
        | StmtKind::Case(..)
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_) => false,
    }
}

/// Whether a function of a library has a meaning in tests: neither assertions nor threads, and nothing
/// that ends a thread without its final values.
fn is_of_tests(meaning: Meaning) -> bool {
    match meaning {
        Meaning::Load(_)
        | Meaning::Store(_)
        | Meaning::Exchange(_)
        | Meaning::Fetch { .. }
        | Meaning::CompareExchange { .. }
        | Meaning::TestAndSet(_)
        | Meaning::Clear(_)
        | Meaning::ThreadFence(_)
        | Meaning::FullFence
        | Meaning::StoreFence
        | Meaning::Lock(_)
        | Meaning::TryLock(_)
        | Meaning::Unlock(_)
        | Meaning::Assume
        | Meaning::AtomicBegin
        | Meaning::AtomicEnd
        | Meaning::Ignore => true,
        Meaning::PthreadCreate
        | Meaning::ThrdCreate
        | Meaning::Join
        | Meaning::ThreadExit
        | Meaning::ThreadSelf
        | Meaning::MutexInit
        | Meaning::ConditionWait(_)
        | Meaning::ConditionSignal
        | Meaning::BarrierInit
        | Meaning::BarrierWait
        | Meaning::SemaphoreInit
        | Meaning::SemaphoreWait
        | Meaning::SemaphoreTryWait
        | Meaning::SemaphorePost
        | Meaning::Once
        | Meaning::Malloc
        | Meaning::Calloc
        | Meaning::Free
        | Meaning::Assert
        | Meaning::Fail
        | Meaning::Exit
        | Meaning::Nondet { .. } => false,
    }
}
