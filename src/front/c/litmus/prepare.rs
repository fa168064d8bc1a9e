//! What a test asks of its functions before they are lowered.
//!
//! A local variable that the test names is one variable of its thread: it has the value of its last
//! assignment when the thread ends, also after the block that declares it. So its declarations become
//! assignments. Two blocks may declare it, with one type, if neither is inside the other.

mod allowed;

use super::{Cells, Named, Reporter, span};
use crate::c::check::unqualified;
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, Function, Initialised, Local, LocalId, Lvalue, LvalueKind, ObjectId,
    Stmt, StmtKind, Type,
};
use crate::text::Place;
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
            | StmtKind::Word(_)
            | StmtKind::Empty
            | StmtKind::InMacro => {}
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
            LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => self.lvalue(inner),
            LvalueKind::Element(inner, index) => {
                self.lvalue(inner);
                self.expr(index);
                if !matches!(index.kind, ExprKind::Const(_)) {
                    self.error("an index must be a constant", index.place);
                }
            }
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let place = e.place;
        match &mut e.kind {
            ExprKind::Const(value) => self.greatest = self.greatest.max(value.unsigned_abs()),
            ExprKind::Text(_) | ExprKind::Function(_) | ExprKind::New(_) => {}
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
            ExprKind::Checked(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b) => {
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
}

fn constant(value: i64, ty: Type, place: Place) -> Expr {
    let kind = ExprKind::Const(value);
    Expr { kind, ty, place }
}

/// Whether a statement does nothing.
fn is_empty(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().all(is_empty),
        StmtKind::Empty | StmtKind::InMacro => true,
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
        | StmtKind::Asm(_)
        | StmtKind::Word(_) => false,
    }
}
