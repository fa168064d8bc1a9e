//! Lowering of C threads: variables, statements, control flow.

use super::super::initial::RegisterInit;
use super::super::memory::Memory;
use super::super::types::Type;
use super::ast::{Ast, AstKind, Function, Stmt};
use super::compiled::{Edge, Operation};
use super::value::Place;
use super::{Value as Initial, initial_local};
use crate::program::{
    BinaryOp, Copies, Expr, LocId, Op, Origin, ProgramBuilder, RegId, ThreadId, UnaryOp,
};
use crate::text::{Compiler, Diagnostic, Lines, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A thread has at most this many steps.
const MOST_STEPS: usize = 20_000;

/// A local variable.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) register: RegId,
    pub(super) kind: Type,
    span: Span,
    in_scope: bool,
}

impl Local {
    /// Whether its block has not ended.
    pub(super) fn is_in_scope(&self) -> bool {
        self.in_scope
    }
}

/// The local variables of one thread.
pub(super) type Locals = BTreeMap<String, Local>;

/// Adds all threads to a program, as the code that a compiler generates for them. `observed`: the
/// local variables that the condition refers to, by thread. Reports what cannot be expressed.
pub(super) fn lower(
    functions: &[Function],
    registers: Vec<RegisterInit>,
    memory: &Memory,
    (compiler, observed): (Compiler, &BTreeMap<i64, BTreeSet<String>>),
    lines: &Lines<'_>,
    builder: &mut ProgramBuilder,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Locals> {
    let mut registers = registers;
    let mut wide = Vec::new();
    let mut most = 1;
    for region in memory.regions() {
        for (value, _) in &region.init {
            if let Initial::Number(number) = value {
                most = most.max(number.unsigned_abs());
            }
        }
    }
    let mut all = Vec::new();
    for function in functions {
        let (own, others) = registers
            .into_iter()
            .partition(|init| init.thread == function.number);
        registers = others;
        let name = format!("P{}", function.number);
        let id = builder.thread(name, Copies::One, lines.origin(&function.name));
        let here = builder.location(id, lines.origin(&function.name));
        builder.entry(id, here);
        let mut lowering = Lowering {
            builder,
            id,
            memory,
            lines,
            diagnostics,
            here,
            params: BTreeMap::new(),
            locals: BTreeMap::new(),
            initial: own,
            loops: Vec::new(),
            returns: Vec::new(),
            temporaries: 0,
            steps: 0,
            wide: &mut wide,
            most: &mut most,
            compiler,
            edges: Vec::new(),
            operations: Vec::new(),
        };
        for (kind, name, span) in &function.params {
            let Some(region) = memory.find(name) else {
                continue;
            };
            if lowering.params.insert(name, (*kind, region)).is_some() {
                let message = format!("the parameter `{name}` is declared twice");
                lowering.error(message, span);
            }
        }
        all.push(lowering.function(function, observed.get(&function.number)));
    }
    for init in registers {
        let message = format!("there is no thread `P{}`", init.thread);
        diagnostics.push(Diagnostic::error(message, init.place));
    }
    super::super::wide::check(&wide, most, diagnostics);
    all
}

/// The targets of `break` and `continue`.
struct Loop {
    exit: LocId,
    head: LocId,
}

pub(super) struct Lowering<'l> {
    pub(super) builder: &'l mut ProgramBuilder,
    pub(super) id: ThreadId,
    pub(super) memory: &'l Memory,
    lines: &'l Lines<'l>,
    diagnostics: &'l mut Vec<Diagnostic>,
    pub(super) here: LocId,
    pub(super) params: BTreeMap<&'l str, (Type, usize)>,
    pub(super) locals: Locals,
    initial: Vec<RegisterInit>,
    loops: Vec<Loop>,
    returns: Vec<LocId>,
    temporaries: usize,
    steps: usize,
    wide: &'l mut Vec<(Span, bool)>,
    pub(super) most: &'l mut u64,
    pub(super) compiler: Compiler,
    pub(super) edges: Vec<Edge>,
    pub(super) operations: Vec<Operation>,
}

impl Lowering<'_> {
    pub(super) fn error(&mut self, message: impl Into<String>, span: &Span) {
        self.diagnostics
            .push(Diagnostic::error(message, span.clone()));
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Records 64-bit arithmetic.
    pub(super) fn note_wide(&mut self, span: &Span) {
        self.wide.push((span.clone(), !self.loops.is_empty()));
    }

    pub(super) fn origin(&self, span: &Span) -> Origin {
        self.lines.origin(span)
    }

    pub(super) fn location(&mut self, span: &Span) -> LocId {
        let origin = self.origin(span);
        self.builder.location(self.id, origin)
    }

    /// Adds a step from here to a new location and continues there.
    pub(super) fn step(&mut self, op: Op, span: &Span) {
        let next = self.location(span);
        self.edge(op, next, span);
        self.here = next;
    }

    /// Adds a step from here to a location.
    pub(super) fn edge(&mut self, op: Op, to: LocId, span: &Span) {
        self.steps += 1;
        if self.steps == MOST_STEPS {
            let message = format!("the thread has more than {MOST_STEPS} steps");
            self.error(message, span);
        }
        if self.steps < MOST_STEPS {
            let origin = self.origin(span);
            let from = self.here;
            self.edges.push(Edge {
                from,
                op,
                to,
                origin,
            });
        }
    }

    /// A register that the test cannot observe.
    pub(super) fn temporary(&mut self) -> RegId {
        self.temporaries += 1;
        let name = format!("${}", self.temporaries);
        self.builder.register(self.id, name, 0)
    }

    fn function(mut self, function: &Function, observed: Option<&BTreeSet<String>>) -> Locals {
        self.block(&function.body);
        let end = self.here;
        for from in std::mem::take(&mut self.returns) {
            self.here = from;
            self.edge(Op::Skip, end, &function.name);
        }
        for init in std::mem::take(&mut self.initial) {
            let message = format!("the thread has no local variable `{}`", init.name);
            self.error(message, &init.place);
        }
        let observed = observed.into_iter().flatten();
        let observed = observed.filter_map(|name| Some(self.locals.get(name)?.register));
        let observed = observed.collect();
        self.emit(&observed);
        self.locals
    }

    fn block(&mut self, stmts: &[Stmt]) {
        let before: Vec<String> = self.visible();
        for stmt in stmts {
            self.statement(stmt);
        }
        for (name, local) in &mut self.locals {
            local.in_scope &= before.contains(name);
        }
    }

    fn visible(&self) -> Vec<String> {
        let locals = self.locals.iter();
        locals
            .filter(|(_, local)| local.in_scope)
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare(kind, name, span, value) => {
                self.declare(*kind, name, span, value.as_ref());
            }
            Stmt::Assign(target, op, value) => self.assign(target, *op, value),
            Stmt::Expr(e) => {
                // A call is the only expression that need not have a value.
                if let AstKind::Call(name, arguments) = &e.kind {
                    self.call(name, arguments, None, &e.span);
                } else {
                    self.value(e);
                }
            }
            // No compiler keeps such a branch.
            Stmt::If(condition, then, otherwise)
                if then.is_empty() && otherwise.as_ref().is_none_or(|stmt| stmt.is_empty()) =>
            {
                self.value(condition);
            }
            Stmt::If(condition, then, otherwise) => {
                let span = &condition.span;
                let Some((yes, no)) = self.branch(condition) else {
                    return;
                };
                self.here = yes;
                self.block(std::slice::from_ref(then));
                if let Some(otherwise) = otherwise {
                    let join = self.location(span);
                    self.edge(Op::Skip, join, span);
                    self.here = no;
                    self.block(std::slice::from_ref(otherwise));
                    self.edge(Op::Skip, join, span);
                    self.here = join;
                } else {
                    self.edge(Op::Skip, no, span);
                    self.here = no;
                }
            }
            Stmt::While(condition, body) => {
                let span = &condition.span;
                let head = self.location(span);
                self.edge(Op::Skip, head, span);
                self.here = head;
                let exit = self.location(span);
                self.loops.push(Loop { exit, head });
                if let Some((yes, no)) = self.branch(condition) {
                    self.here = no;
                    self.edge(Op::Skip, exit, span);
                    self.here = yes;
                    self.block(std::slice::from_ref(body));
                    self.edge(Op::Skip, head, span);
                }
                self.loops.pop();
                self.here = exit;
            }
            Stmt::DoWhile(body, condition) => {
                let span = &condition.span;
                let (start, head, exit) = (
                    self.location(span),
                    self.location(span),
                    self.location(span),
                );
                self.edge(Op::Skip, start, span);
                self.here = start;
                self.loops.push(Loop { exit, head });
                self.block(std::slice::from_ref(body));
                self.edge(Op::Skip, head, span);
                self.here = head;
                if let Some((yes, no)) = self.branch(condition) {
                    self.here = yes;
                    self.edge(Op::Skip, start, span);
                    self.here = no;
                    self.edge(Op::Skip, exit, span);
                }
                self.loops.pop();
                self.here = exit;
            }
            Stmt::Block(stmts) => self.block(stmts),
            Stmt::Sequence(stmts) => {
                for stmt in stmts {
                    self.statement(stmt);
                }
            }
            Stmt::Break(span) => {
                let exit = self.loops.last().map(|inner| inner.exit);
                self.leave(exit, "break", span);
            }
            Stmt::Continue(span) => {
                let head = self.loops.last().map(|inner| inner.head);
                self.leave(head, "continue", span);
            }
            Stmt::Return(span) => {
                self.returns.push(self.here);
                self.here = self.location(span);
            }
        }
    }

    fn leave(&mut self, to: Option<LocId>, word: &str, span: &Span) {
        match to {
            Some(to) => {
                self.edge(Op::Skip, to, span);
                self.here = self.location(span);
            }
            None => self.error(format!("`{word}` outside of a loop"), span),
        }
    }

    /// Evaluates a condition; returns where control is if it is true, and if it is false.
    fn branch(&mut self, condition: &Ast) -> Option<(LocId, LocId)> {
        let value = self.value(condition)?;
        let span = &condition.span;
        let (yes, no) = (self.location(span), self.location(span));
        let not = Expr::unary(UnaryOp::Not, value.e.clone());
        self.edge(Op::Assume(value.e), yes, span);
        self.edge(Op::Assume(not), no, span);
        Some((yes, no))
    }

    fn declare(&mut self, kind: Type, name: &str, span: &Span, value: Option<&Ast>) {
        if self.params.contains_key(name) {
            self.error(format!("`{name}` is already a parameter"), span);
            return;
        }
        let known = self
            .locals
            .get(name)
            .map(|l| (l.kind, l.span.clone(), l.in_scope));
        let register = match known {
            Some((known, first, in_scope)) if in_scope || known != kind => {
                self.report(
                    Diagnostic::error(format!("`{name}` is declared twice"), span.clone())
                        .other(first, "first declared here")
                        .note("a thread has one variable per name, because the condition refers to it by name"),
                );
                return;
            }
            Some(_) => self.locals[name].register,
            None => {
                let at = self.initial.iter().position(|init| init.name == name);
                let init = at.map_or(0, |at| {
                    let init = self.initial.remove(at);
                    initial_local(&init, kind, self.memory, self.diagnostics)
                });
                self.builder.register(self.id, name, init)
            }
        };
        let local = Local {
            register,
            kind,
            span: span.clone(),
            in_scope: true,
        };
        self.locals.insert(name.to_owned(), local);
        if let Some(value) = value {
            self.assign_local(register, kind, value);
        }
    }

    /// Assigns to a local variable, without a temporary where one step suffices.
    fn assign_local(&mut self, register: RegId, kind: Type, value: &Ast) {
        let found = if let AstKind::Call(name, arguments) = &value.kind {
            let found = self.call(name, arguments, Some(register), &value.span);
            if found.as_ref().is_some_and(Option::is_none) {
                self.error(format!("`{name}` does not return a value"), &value.span);
            }
            found.flatten()
        } else if let AstKind::Deref(_) | AstKind::Index(..) = &value.kind {
            let place = self.place(value);
            place.map(|place| self.read(place, Some(register), &value.span))
        } else {
            self.value(value)
        };
        let Some(found) = found else { return };
        let Some(e) = self.convert(found, kind, &value.span) else {
            return;
        };
        if e != Expr::Var(register) {
            self.step(
                Op::Assign {
                    into: register,
                    value: e,
                },
                &value.span,
            );
        }
    }

    fn assign(&mut self, target: &Ast, op: Option<BinaryOp>, value: &Ast) {
        let whole = target.span.start..value.span.end.max(target.span.end);
        if let (AstKind::Name(name), None) = (&target.kind, op) {
            if let Some((register, kind)) = self.local(name, &target.span) {
                self.assign_local(register, kind, value);
            }
            return;
        }
        let Some(place) = self.place(target) else {
            return;
        };
        if let Place::Memory { kind, .. } = &place
            && kind.atomic
        {
            self.report(
                Diagnostic::warning("plain assignment to an atomic variable", whole.clone())
                    .label("treated as a plain store")
                    .note("C11 makes this a sequentially consistent store: `atomic_store`"),
            );
        }
        let found = match op {
            None => self.value(value),
            Some(op) => {
                let old = self.read(place.clone(), None, &whole);
                self.value(value)
                    .and_then(|value| self.combine(op, old, value, &whole))
            }
        };
        let Some(found) = found else { return };
        self.write(&place, found, &whole);
    }
}
