//! The names in expectations, for languages without declarations: the program's own names, as
//! reports print them. A litmus test has its own condition and allows no other predicate.

use super::expectation::{Resolver, missing_predicate};
use super::expression::{Expr, ExprKind, Name};
use super::{Diagnostic, Span, nearest};
use crate::program::{self, LocId, Observable, Program, ThreadId};

type Predicate = program::Expr<Observable>;

/// Looks up names in a program and reports those that do not exist.
pub(crate) struct Names<'p> {
    program: &'p Program,
    /// The condition, if this is a litmus test.
    condition: Option<Predicate>,
    diagnostics: Vec<Diagnostic>,
}

impl<'p> Names<'p> {
    /// The names of this program.
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            condition: None,
            diagnostics: Vec::new(),
        }
    }

    /// The names of a litmus test with this condition.
    pub(crate) fn of_test(program: &'p Program, condition: Predicate) -> Self {
        Self {
            condition: Some(condition),
            ..Self::new(program)
        }
    }

    /// The diagnostics.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    fn unknown<'n>(
        &mut self,
        what: &str,
        name: &str,
        span: &Span,
        candidates: impl Iterator<Item = &'n str>,
    ) {
        let mut error = Diagnostic::error(format!("unknown {what} `{name}`"), span.clone());
        error = error.label(match nearest(name, candidates) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the program has no {what} with this name"),
        });
        self.diagnostics.push(error);
    }

    /// Reports a name that a thread does not have. `what` is a register or location.
    fn unknown_in_thread<'n>(
        &mut self,
        what: &str,
        thread: &str,
        name: &str,
        span: &Span,
        candidates: impl Iterator<Item = &'n str>,
    ) {
        let message = format!("thread `{thread}` has no {what} `{name}`");
        let mut error = Diagnostic::error(message, span.clone());
        if let Some(near) = nearest(name, candidates) {
            error = error.label(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(error);
    }

    fn thread(&mut self, parts: &[Name]) -> Option<ThreadId> {
        let names: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let name = names.join(".");
        let found = self.program.find_thread(&name);
        if found.is_none() {
            let start = parts.first().map_or(0, |part| part.span.start);
            let end = parts.last().map_or(0, |part| part.span.end);
            let known = self.program.threads().iter().map(program::Thread::name);
            self.unknown("thread", &name, &(start..end), known);
        }
        found
    }

    /// The location with this name. No thread halts inside an atomic block, so locations there
    /// cannot be observed.
    fn location(&mut self, id: ThreadId, name: &str, span: &Span) -> Option<LocId> {
        let thread = self.program.thread(id);
        let locations = thread.locations();
        let found = locations.iter().position(|l| l.name == name);
        if found.is_none() {
            let known = locations.iter().map(|location| location.name.as_str());
            self.unknown_in_thread("location", thread.name(), name, span, known);
        }
        found.map(LocId::from)
    }

    fn cell(&mut self, name: &str, span: &Span) -> Option<Predicate> {
        let program = self.program;
        let found = program
            .cells()
            .find(|cell| program.cell_name(*cell) == name);
        if found.is_none() {
            let known: Vec<String> = program.cells().map(|c| program.cell_name(c)).collect();
            self.unknown(
                "shared variable",
                name,
                span,
                known.iter().map(String::as_str),
            );
        }
        found.map(|cell| Predicate::Var(Observable::Cell(cell)))
    }
}

impl Resolver for Names<'_> {
    fn predicate(&mut self, e: &Expr) -> Option<Predicate> {
        if self.condition.is_some() {
            let message = "a litmus test can only observe its own condition";
            self.diagnostics.push(
                Diagnostic::error(message, e.span.clone())
                    .label("remove this: `observed tso yes` is enough"),
            );
            return None;
        }
        self.observed(e)
    }

    fn condition(&mut self, span: &Span) -> Option<Predicate> {
        if self.condition.is_none() {
            self.diagnostics.push(missing_predicate(span));
        }
        self.condition.clone()
    }

    fn place(&mut self, thread: &str, label: &str, span: &Span) -> Option<(ThreadId, LocId)> {
        let Some(id) = self.program.find_thread(thread) else {
            let known = self.program.threads().iter().map(program::Thread::name);
            self.unknown("thread", thread, span, known);
            return None;
        };
        Some((id, self.location(id, label, span)?))
    }
}

impl Names<'_> {
    fn observed(&mut self, e: &Expr) -> Option<Predicate> {
        match &e.kind {
            ExprKind::Int(value) => Some(Predicate::Const(*value)),
            ExprKind::Paren(inner) => self.observed(inner),
            ExprKind::Name(name) => self.cell(name, &e.span),
            ExprKind::Index(name, index) => {
                let index = self.observed(index)?;
                let Some(index) = index.as_const() else {
                    self.diagnostics.push(
                        Diagnostic::error("the index is not a constant", e.span.clone())
                            .label("expected a constant index"),
                    );
                    return None;
                };
                self.cell(&format!("{}[{index}]", name.text), &e.span)
            }
            ExprKind::Unary(op, a) => Some(Predicate::unary(*op, self.observed(a)?)),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.observed(a), self.observed(b));
                let whole = Predicate::binary(*op, left?, right?);
                if !whole.divides_by_constants_only() {
                    self.diagnostics.push(
                        Diagnostic::error("the divisor may be 0", b.span.clone())
                            .label("expected a constant other than 0"),
                    );
                    return None;
                }
                Some(whole)
            }
            ExprKind::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.observed(c), self.observed(a), self.observed(b));
                Some(Predicate::conditional(c?, a?, b?))
            }
            ExprKind::Path(parts) => {
                let (last, thread) = parts.split_last()?;
                let id = self.thread(thread)?;
                let owner = self.program.thread(id);
                let registers = owner.registers();
                let found = registers.iter().position(|r| r.name == last.text);
                if found.is_none() {
                    let known = registers.iter().map(|register| register.name.as_str());
                    let (owner, name) = (owner.name(), &last.text);
                    self.unknown_in_thread("register", owner, name, &last.span, known);
                }
                Some(Predicate::Var(Observable::Register(id, found?.into())))
            }
            ExprKind::At(parts, label) => {
                let id = self.thread(parts)?;
                let loc = self.location(id, &label.text, &label.span)?;
                if self.program.thread(id).location(loc).atomic {
                    self.diagnostics.push(
                        Diagnostic::error(
                            format!("no thread halts at `{}`", label.text),
                            label.span.clone(),
                        )
                        .label("this location is inside an atomic block"),
                    );
                    return None;
                }
                Some(Predicate::Var(Observable::At(id, loc)))
            }
            ExprKind::AddressOf(_)
            | ExprKind::Deref(_)
            | ExprKind::Call(..)
            | ExprKind::Fenced(..) => {
                self.diagnostics.push(
                    Diagnostic::error("this is not allowed in a property", e.span.clone())
                        .label("only shared variables, registers and locations can be observed"),
                );
                None
            }
        }
    }
}
