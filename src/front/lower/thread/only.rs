//! Whether a loop does nothing but wait for threads: what it does otherwise is private to its thread.
//!
//! The loop is not walked, so this is about the text. A join yields 0. **Incomplete:** other loops may do
//! nothing but that, too.

use super::handles::holds_handles;
use crate::lower::operation::Meaning;
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, Function, LocalId, Lvalue, LvalueKind, Path, Stmt, StmtKind,
    UnaryOp, Unit,
};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet};

/// Calls nest no deeper than this.
const MOST_DEPTH: usize = 4;

/// What a loop does.
pub(super) struct OnlyJoins<'u> {
    unit: &'u Unit,
    function: &'u Function,
    /// Something else, the first.
    other: Option<Place>,
    /// Where results of threads are stored.
    results: BTreeSet<LocalId>,
    /// The locals whose first scalar, or a part of them, is known.
    known: BTreeMap<(LocalId, Option<usize>), i64>,
    /// Whether nothing is executed here, up to a label that a jump leads to.
    jumped: bool,
    /// The labels that jumps lead to, other than those that were passed.
    ahead: BTreeMap<String, Place>,
    passed: BTreeSet<String>,
    depth: usize,
}

impl<'u> OnlyJoins<'u> {
    /// Nothing is seen yet of this function.
    pub(super) fn new(unit: &'u Unit, function: &'u Function) -> Self {
        Self {
            unit,
            function,
            other: None,
            results: BTreeSet::new(),
            known: BTreeMap::new(),
            jumped: false,
            ahead: BTreeMap::new(),
            passed: BTreeSet::new(),
            depth: 0,
        }
    }

    /// Where something else is done.
    pub(super) fn other(&self) -> Option<Place> {
        self.other.or(self.ahead.values().next().copied())
    }

    /// Where the results of threads are stored.
    pub(super) fn results(self) -> BTreeSet<LocalId> {
        self.results
    }

    fn refuse(&mut self, place: Place) {
        self.other = self.other.or(Some(place));
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        if self.jumped {
            match &stmt.kind {
                StmtKind::Label(label, _) if self.ahead.contains_key(label) => self.jumped = false,
                StmtKind::Block(stmts) => {
                    for stmt in stmts {
                        self.stmt(stmt);
                    }
                    return;
                }
                _ => return,
            }
        }
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Declare(local, init, _) => {
                self.forget(*local);
                for (path, e) in init {
                    self.expr(e);
                    self.set(*local, path, e);
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If(condition, then, other) => {
                self.expr(condition);
                let value = self.value(condition);
                if value != Some(0) {
                    self.stmt(then);
                }
                if value.is_none() {
                    // The jump is one of two ways.
                    self.jumped = false;
                }
                if let (None | Some(0), Some(other)) = (value, other) {
                    self.stmt(other);
                }
                if value.is_none() {
                    self.jumped = false;
                    self.known.clear();
                }
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.known.clear();
                self.expr(condition);
                self.stmt(body);
                self.jumped = false;
                self.known.clear();
            }
            StmtKind::For(condition, step, body) => {
                self.known.clear();
                condition.iter().chain(step).for_each(|e| self.expr(e));
                self.stmt(body);
                self.jumped = false;
                self.known.clear();
            }
            StmtKind::Return(e) if self.depth > 0 => e.iter().for_each(|e| self.expr(e)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Empty | StmtKind::InMacro => {}
            StmtKind::Label(label, body) => {
                self.ahead.remove(label);
                self.passed.insert(label.clone());
                self.known.clear();
                self.stmt(body);
            }
            StmtKind::Goto(label) => {
                self.known.clear();
                self.jumped = true;
                if !self.passed.contains(label) {
                    self.ahead.insert(label.clone(), stmt.place);
                }
            }
            StmtKind::Return(_)
            | StmtKind::Switch(..)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Asm(_)
            | StmtKind::Word(_) => self.refuse(stmt.place),
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => self.read(place),
            ExprKind::AddressOf(place) => self.indices(place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            // An overflow is a violation, and the counter of the loop is not known.
            ExprKind::Checked(_, a, b) => {
                self.expr(a);
                self.expr(b);
                if self.value(e).is_none() && !is_counter(e) {
                    self.refuse(e.place);
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                let skips = i64::from(matches!(e.kind, ExprKind::Or(..)));
                let known = self.value(a).map(|value| i64::from(value != 0));
                if known != Some(skips) {
                    self.expr(b);
                }
                if known.is_none() {
                    self.jumped = false;
                }
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                let value = self.value(c);
                if value != Some(0) {
                    self.expr(a);
                }
                if value.is_none() {
                    self.jumped = false;
                }
                if matches!(value, None | Some(0)) {
                    self.expr(b);
                }
                if value.is_none() {
                    self.jumped = false;
                }
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.write(place);
                if let LvalueKind::Local(local) = place.kind {
                    self.set(local, &Vec::new(), value);
                }
            }
            ExprKind::Update { into, operand, .. } => {
                self.expr(operand);
                self.write(into);
            }
            ExprKind::New(_) => self.refuse(e.place),
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, e.place),
            ExprKind::Statement(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Expr], place: Place) {
        let operation = match callee {
            Callee::Library(operation) => operation,
            Callee::Defined(id) if self.depth < MOST_DEPTH => {
                for e in arguments {
                    self.expr(e);
                }
                let inner = &self.unit.functions[id.0];
                let outer = std::mem::replace(&mut self.function, inner);
                let known = std::mem::take(&mut self.known);
                let results = std::mem::take(&mut self.results);
                let ahead = std::mem::take(&mut self.ahead);
                let passed = std::mem::take(&mut self.passed);
                self.depth += 1;
                inner.body.iter().for_each(|stmt| self.stmt(stmt));
                self.depth -= 1;
                self.jumped = false;
                if let Some(place) = self.ahead.values().next() {
                    self.refuse(*place);
                }
                (self.ahead, self.passed) = (ahead, passed);
                (self.function, self.known, self.results) = (outer, known, results);
                return;
            }
            Callee::Defined(_) | Callee::Pointer(_) => return self.refuse(place),
        };
        if let (Meaning::Join, [handle, ..]) = (operation.meaning, arguments) {
            self.expr(handle);
        }
        match (operation.meaning, arguments) {
            (Meaning::Join, [_, to, ..]) => match root_local(to) {
                Some(local) => {
                    self.forget(local);
                    self.results.insert(local);
                }
                None if self.value(to) == Some(0) => {}
                None => self.refuse(place),
            },
            (Meaning::Join, _) => {}
            (Meaning::Ignore | Meaning::CompilerBarrier, _) => {
                for e in arguments {
                    self.expr(e);
                }
            }
            (Meaning::Assert | Meaning::Assume, [condition]) => {
                self.expr(condition);
                if self.value(condition).is_none_or(|value| value == 0) {
                    self.refuse(place);
                }
            }
            _ => self.refuse(place),
        }
    }

    /// What a place holds is used.
    fn read(&mut self, place: &Lvalue) {
        self.indices(place);
        if holds_handles(self.unit, &place.ty) {
            return;
        }
        match &place.kind {
            LvalueKind::Local(local) => {
                let is_shared = self.function.locals[local.0].addressed;
                if is_shared && !self.results.contains(local) {
                    self.refuse(place.place);
                }
            }
            LvalueKind::Member(inner, _) if holds_handles(self.unit, &inner.ty) => {}
            LvalueKind::Member(inner, _)
            | LvalueKind::Bits(inner, _)
            | LvalueKind::Element(inner, _) => self.read(inner),
            LvalueKind::Object(_) | LvalueKind::Deref(_) => self.refuse(place.place),
        }
    }

    /// A place is assigned to.
    fn write(&mut self, place: &Lvalue) {
        self.indices(place);
        match &place.kind {
            LvalueKind::Local(local) => {
                self.forget(*local);
                if self.function.locals[local.0].addressed {
                    self.refuse(place.place);
                }
            }
            LvalueKind::Member(inner, _)
            | LvalueKind::Bits(inner, _)
            | LvalueKind::Element(inner, _) => self.write(inner),
            LvalueKind::Object(_) | LvalueKind::Deref(_) => self.refuse(place.place),
        }
    }

    /// What the address of a place is computed from.
    fn indices(&mut self, place: &Lvalue) {
        match &place.kind {
            LvalueKind::Local(_) | LvalueKind::Object(_) => {}
            LvalueKind::Deref(pointer) => self.expr(pointer),
            LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => self.indices(inner),
            LvalueKind::Element(inner, index) => {
                self.indices(inner);
                self.expr(index);
            }
        }
    }

    // Values.

    fn forget(&mut self, local: LocalId) {
        self.known.retain(|(known, _), _| *known != local);
    }

    /// A part of a local has the value of an expression.
    fn set(&mut self, local: LocalId, path: &Path, e: &Expr) {
        let part = match path.as_slice() {
            [] => None,
            [crate::lower::typed::Step::Member(member)] => Some(*member),
            _ => return,
        };
        if let Some(value) = self.value(e) {
            self.known.insert((local, part), value);
            return;
        }
        // A structure that is copied.
        let copied = match &e.kind {
            ExprKind::Load(place) => match place.kind {
                LvalueKind::Local(from) => from,
                _ => return,
            },
            ExprKind::Statement(stmts) => match stmts.last().map(|stmt| &stmt.kind) {
                Some(StmtKind::Expr(last)) => return self.set(local, path, &last.clone()),
                _ => return,
            },
            _ => return,
        };
        if part.is_none() {
            let parts = self.known.iter().filter(|((of, _), _)| *of == copied);
            let parts: Vec<_> = parts.map(|((_, part), value)| (*part, *value)).collect();
            for (part, value) in parts {
                self.known.insert((local, part), value);
            }
        }
    }

    /// The value of an expression, if that is known.
    fn value(&self, e: &Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Cast(a) => self.value(a),
            ExprKind::Comma(_, b) => self.value(b),
            ExprKind::Unary(UnaryOp::Not, a) => Some(i64::from(self.value(a)? == 0)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match op {
                    BinaryOp::Eq => Some(i64::from(a == b)),
                    BinaryOp::Ne => Some(i64::from(a != b)),
                    BinaryOp::Lt => Some(i64::from(a < b)),
                    BinaryOp::Gt => Some(i64::from(a > b)),
                    _ => None,
                }
            }
            ExprKind::Call(Callee::Library(operation), _) => {
                (operation.meaning == Meaning::Join).then_some(0)
            }
            ExprKind::Load(place) => {
                let key = match &place.kind {
                    LvalueKind::Local(local) => (*local, None),
                    LvalueKind::Member(inner, member) => match inner.kind {
                        LvalueKind::Local(local) => (local, Some(*member)),
                        _ => return None,
                    },
                    _ => return None,
                };
                self.known.get(&key).copied()
            }
            ExprKind::Statement(stmts) => match stmts.last().map(|stmt| &stmt.kind) {
                Some(StmtKind::Expr(last)) => self.value(last),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether this is what a loop counts: a number is added to a local.
fn is_counter(e: &Expr) -> bool {
    let ExprKind::Checked(BinaryOp::Add | BinaryOp::Sub, a, b) = &e.kind else {
        return false;
    };
    let is_local =
        matches!(&a.kind, ExprKind::Load(place) if matches!(place.kind, LvalueKind::Local(_)));
    is_local && matches!(b.kind, ExprKind::Const(_))
}

/// The local that a pointer points to.
fn root_local(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Cast(a) => root_local(a),
        ExprKind::AddressOf(place) => match place.kind {
            LvalueKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}
