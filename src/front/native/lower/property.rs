//! Predicates over configurations: properties, and the predicates of expectations.

use super::super::ast::{Expr, ExprKind, Item, Name};
use super::errors::array_without_index;
use super::{Lowered, Scope, joined};
use crate::program::{self, BinaryOp, LocId, Observable, PropertyKind, ThreadId};
use crate::text::expectation::Resolver;
use crate::text::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

type Predicate = program::Expr<Observable>;

/// The labels that properties combine with operators other than "and" and "or", without the names
/// of their procedures.
pub(super) fn negated(items: &[Item]) -> BTreeSet<&str> {
    let mut labels = BTreeSet::new();
    for item in items {
        if let Item::Property(_, predicate, _) | Item::Stuck(_, Some(predicate), _) = item {
            collect(predicate, false, &mut labels);
        }
    }
    labels
}

/// The copies that properties name, of threads in any number of copies: by thread, the number of the
/// last one.
pub(super) fn named_copies(items: &[Item]) -> BTreeMap<String, i32> {
    let mut last = BTreeMap::new();
    for item in items {
        match item {
            Item::Property(_, predicate, _) => copies_in(predicate, &mut last),
            Item::Stuck(thread, predicate, _) => {
                if let Some(thread) = thread {
                    copy_of(thread, &mut last);
                }
                if let Some(predicate) = predicate {
                    copies_in(predicate, &mut last);
                }
            }
            Item::Thread(..)
            | Item::Automaton(..)
            | Item::Program(..)
            | Item::Shared(..)
            | Item::Const(..)
            | Item::Proc(..)
            | Item::Error => {}
        }
    }
    last
}

/// The thread and the number of a copy: `w.1`.
fn copy_of(parts: &[Name], last: &mut BTreeMap<String, i32>) {
    if let Some((number, thread)) = parts.split_last()
        && let Ok(number) = number.text.parse::<i32>()
    {
        let greatest = last.entry(joined(thread).0).or_insert(number);
        *greatest = number.max(*greatest);
    }
}

fn copies_in(e: &Expr, last: &mut BTreeMap<String, i32>) {
    match &e.kind {
        ExprKind::At(parts, _) => copy_of(parts, last),
        ExprKind::Path(parts) => {
            if let Some((_, thread)) = parts.split_last() {
                copy_of(thread, last);
            }
        }
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => copies_in(inner, last),
        ExprKind::Binary(_, a, b) => {
            copies_in(a, last);
            copies_in(b, last);
        }
        ExprKind::Conditional(parts) => {
            for part in &**parts {
                copies_in(part, last);
            }
        }
        ExprKind::Int(_)
        | ExprKind::Name(_)
        | ExprKind::Index(..)
        | ExprKind::Deref(_)
        | ExprKind::AddressOf(_)
        | ExprKind::Call(..)
        | ExprKind::Fenced(..) => {}
    }
}

/// `joined`: whether an operator other than "and" and "or" encloses the expression.
fn collect<'a>(e: &'a Expr, joined: bool, into: &mut BTreeSet<&'a str>) {
    match &e.kind {
        ExprKind::At(_, label) if joined => {
            into.extend(label.text.rsplit('.').next());
        }
        ExprKind::Paren(inner) => collect(inner, joined, into),
        ExprKind::Binary(op, a, b) => {
            let joined = joined || !matches!(op, BinaryOp::And | BinaryOp::Or);
            collect(a, joined, into);
            collect(b, joined, into);
        }
        ExprKind::Unary(_, a) => collect(a, true, into),
        ExprKind::Conditional(parts) => {
            for part in &**parts {
                collect(part, true, into);
            }
        }
        ExprKind::Int(_)
        | ExprKind::Name(_)
        | ExprKind::Index(..)
        | ExprKind::Deref(_)
        | ExprKind::AddressOf(_)
        | ExprKind::At(..)
        | ExprKind::Path(_)
        | ExprKind::Call(..)
        | ExprKind::Fenced(..) => {}
    }
}

impl Scope<'_> {
    /// Reports a property about all threads if copies that are in any number differ by `tid`: those
    /// with small numbers are threads that always exist.
    pub(super) fn refuse_if_about_all(&mut self, item: &Item) {
        let (kind, span) = match item {
            Item::Property(kind, _, span) if *kind != PropertyKind::Forbid => (*kind, span),
            Item::Stuck(_, _, span) => (PropertyKind::Stuck, span),
            Item::Property(..)
            | Item::Thread(..)
            | Item::Automaton(..)
            | Item::Program(..)
            | Item::Shared(..)
            | Item::Const(..)
            | Item::Proc(..)
            | Item::Error => return,
        };
        if self.told_apart {
            let kind = kind.keyword();
            self.error(
                Diagnostic::error(
                    format!("`{kind}` about any number of copies that differ by `tid`"),
                    span.clone(),
                )
                .label("this is about all threads")
                .note("declare a number of copies, as in `worker[3]`, or use `forbid` or `assert`"),
            );
        }
    }

    /// The predicate that an expression denotes; reports everything in it that is not allowed.
    pub(in super::super) fn predicate(&mut self, e: &Expr) -> Option<Predicate> {
        match &e.kind {
            ExprKind::Int(value) => Some(Predicate::Const(*value)),
            ExprKind::Paren(inner) => self.predicate(inner),
            ExprKind::Name(name) => self.observed_name(name, e),
            ExprKind::Index(..) => self
                .static_place(e)
                .map(|(addr, _)| Predicate::Var(Observable::Cell(addr))),
            ExprKind::AddressOf(place) => self
                .static_place(place)
                .map(|(addr, _)| Predicate::Const(addr.0)),
            ExprKind::Unary(op, a) => Some(Predicate::unary(*op, self.predicate(a)?)),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.predicate(a), self.predicate(b));
                let (left, right) = (left?, right?);
                if !self.divides(*op, right.as_const(), &b.span) {
                    return None;
                }
                Some(Predicate::binary(*op, left, right))
            }
            ExprKind::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.predicate(c), self.predicate(a), self.predicate(b));
                Some(Predicate::conditional(c?, a?, b?))
            }
            ExprKind::Path(parts) => {
                let (last, thread) = parts.split_last()?;
                let (name, span) = joined(thread);
                let Some(found) = self.threads.get(&name) else {
                    self.unknown_thread(&name, &span);
                    return None;
                };
                if let Some(reg) = found.registers.get(&last.text) {
                    return Some(Predicate::Var(Observable::Register(found.thread, *reg)));
                }
                self.unknown_in_thread("register", &name, &last.text, &last.span, |scope| {
                    let found = scope.threads.get(&name);
                    let names = found.map(|found| found.registers.keys().take(1_000).cloned());
                    names.into_iter().flatten().collect()
                });
                None
            }
            ExprKind::At(parts, label) => {
                let (name, span) = joined(parts);
                let Some(found) = self.threads.get(&name) else {
                    self.unknown_thread(&name, &span);
                    return None;
                };
                if let Some(loc) = found.labels.get(&label.text) {
                    return Some(Predicate::Var(Observable::At(found.thread, *loc)));
                }
                self.unknown_in_thread("label", &name, &label.text, &label.span, |scope| {
                    let found = scope.threads.get(&name);
                    let names = found.map(|found| found.labels.keys().take(1_000).cloned());
                    names.into_iter().flatten().collect()
                });
                None
            }
            ExprKind::Deref(_) | ExprKind::Call(..) | ExprKind::Fenced(..) => {
                self.error(
                    Diagnostic::error("this is not allowed in a property", e.span.clone())
                        .label("only shared variables, registers and locations can be observed"),
                );
                None
            }
        }
    }

    /// `forbid stuck`, of a thread if one is named, in configurations with this predicate.
    pub(in super::super) fn stuck(
        &mut self,
        thread: Option<&[Name]>,
        predicate: Option<&Expr>,
        span: &Span,
    ) -> Option<(PropertyKind, Predicate)> {
        if self.regions.contains_key("stuck") || self.constants.contains_key("stuck") {
            self.error(
                Diagnostic::error(
                    "`stuck` is a shared variable or constant here, and a word of the property",
                    span.clone(),
                )
                .label("either may be meant")
                .note("write `forbid (stuck);` for the variable, or give it another name"),
            );
            return None;
        }
        let kind = match thread {
            None => PropertyKind::Stuck,
            Some(parts) => {
                let (name, span) = joined(parts);
                let Some(found) = self.threads.get(&name) else {
                    self.unknown_thread(&name, &span);
                    return None;
                };
                PropertyKind::Starved(found.thread)
            }
        };
        let predicate = match predicate {
            None => Predicate::Const(1),
            Some(e) => self.predicate(e)?,
        };
        Some((kind, predicate))
    }

    fn observed_name(&mut self, name: &str, e: &Expr) -> Option<Predicate> {
        if let Some(value) = self.constants.get(name) {
            return Some(Predicate::Const(*value));
        }
        if let Some(region) = self.regions.get(name) {
            if region.array {
                self.error(array_without_index(name, &e.span));
                return None;
            }
            return Some(Predicate::Var(Observable::Cell(region.base)));
        }
        if !self.should_report("shared variable", name) {
            return None;
        }
        let owner = self
            .threads
            .iter()
            .find(|(_, names)| names.registers.contains_key(name))
            .map(|(thread, _)| thread.clone());
        if let Some(thread) = owner {
            if !self.skipped_names.contains(name)
                && self.reported.insert(format!("observed {name}"))
            {
                self.error(
                    Diagnostic::error(
                        format!("`{name}` is a register of a thread"),
                        e.span.clone(),
                    )
                    .label(format!("write `{thread}.{name}`")),
                );
            }
            return None;
        }
        self.unknown("shared variable", name, &e.span, |scope| {
            let constants = scope.constants.keys().map(|name| (*name).to_owned());
            scope.regions.keys().cloned().chain(constants).collect()
        });
        None
    }

    fn unknown_thread(&mut self, name: &str, span: &Span) {
        let copy = format!("{name}.0");
        if self.threads.contains_key(&copy) {
            self.error(
                Diagnostic::error(format!("thread `{name}` has numbered copies"), span.clone())
                    .label("expected a copy of this thread")
                    .note(format!("the first copy is `{copy}`")),
            );
            return;
        }
        // If part of a thread's name was skipped, the whole name is uncertain.
        if name
            .split('.')
            .any(|part| self.skipped_names.contains(part))
        {
            return;
        }
        self.unknown("thread", name, span, |scope| {
            scope.threads.keys().cloned().collect()
        });
    }
}

impl Resolver for Lowered<'_> {
    fn predicate(&mut self, e: &Expr) -> Option<program::Expr<Observable>> {
        self.scope.predicate(e)
    }

    fn condition(&mut self, span: &Span) -> Option<program::Expr<Observable>> {
        self.scope.missing_predicate(span);
        None
    }

    fn place(&mut self, thread: &str, label: &str, span: &Span) -> Option<(ThreadId, LocId)> {
        let program = self.program.as_ref()?;
        let id = program.find_thread(thread);
        let place = id.and_then(|id| {
            let locations = program.thread(id).locations();
            let at = locations.iter().position(|l| l.name == *label)?;
            Some((id, LocId::from(at)))
        });
        if place.is_none() {
            self.scope.unknown_place(&format!("{thread}@{label}"), span);
        }
        place
    }
}
