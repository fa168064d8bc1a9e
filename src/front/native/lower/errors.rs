//! Errors that several modules report, so that each has one wording.
//!
//! **Invariant.** An undeclared name is reported once, and not at all if its declaration may be in
//! a part that could not be parsed.

use super::Scope;
use crate::native::ast::Name;
use crate::program::BinaryOp;
use crate::text::expectation::missing_predicate;
use crate::text::{Diagnostic, MOST_ERRORS, Span, foreign, nearest};

impl Scope<'_> {
    /// Whether an undeclared name should be reported: only once, and not after too many others.
    pub(super) fn should_report(&self, what: &str, name: &str) -> bool {
        self.reported.len() < MOST_ERRORS
            && !self.skipped_names.contains(name)
            && !self.reported.contains(&format!("{what} {name}"))
    }

    /// Reports an undeclared name, unless that is redundant, with the nearest candidate. The
    /// candidates are collected only if needed, since that takes time.
    pub(super) fn unknown(
        &mut self,
        what: &str,
        name: &str,
        span: &Span,
        candidates: impl FnOnce(&Self) -> Vec<String>,
    ) {
        let message = format!("unknown {what} `{name}`");
        self.unknown_as(what, name, message, span, candidates);
    }

    /// Reports a name that a thread does not have, in the same way. `what` is a register or label.
    pub(super) fn unknown_in_thread(
        &mut self,
        what: &str,
        thread: &str,
        name: &str,
        span: &Span,
        candidates: impl FnOnce(&Self) -> Vec<String>,
    ) {
        let message = format!("thread `{thread}` has no {what} `{name}`");
        let what = format!("{what} of {thread}");
        self.unknown_as(&what, name, message, span, candidates);
    }

    fn unknown_as(
        &mut self,
        what: &str,
        name: &str,
        message: String,
        span: &Span,
        candidates: impl FnOnce(&Self) -> Vec<String>,
    ) {
        if !self.should_report(what, name) {
            return;
        }
        self.reported.insert(format!("{what} {name}"));
        let foreign = match what {
            "procedure" => foreign::call(name),
            "label" => None,
            _ => foreign::value(name),
        };
        if let Some(instead) = foreign {
            self.error(Diagnostic::error(message, span.clone()).label(instead));
            return;
        }
        let candidates = candidates(self);
        let label = match nearest(name, candidates.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "not declared".to_owned(),
        };
        self.error(Diagnostic::error(message, span.clone()).label(label));
    }

    /// Reports a fence place that does not exist.
    pub(in super::super) fn unknown_place(&mut self, place: &str, span: &Span) {
        self.unknown("place", place, span, |scope| {
            let labels = |(thread, names): (&String, &super::ThreadNames)| -> Vec<String> {
                let labels = names.labels.keys();
                labels.map(|label| format!("{thread}@{label}")).collect()
            };
            scope.threads.iter().flat_map(labels).collect()
        });
    }

    /// Reports an observation without a predicate.
    pub(in super::super) fn missing_predicate(&mut self, answer: &Span) {
        self.error(missing_predicate(answer));
    }

    /// Reports a second declaration of a name.
    pub(super) fn declared_twice(&mut self, what: &str, name: &Name, first: &Span) {
        self.error(
            Diagnostic::error(
                format!("{what} `{}` is declared twice", name.text),
                name.span.clone(),
            )
            .label("declared again here")
            .other(first.clone(), "first declared here"),
        );
    }

    /// Reports a call with the wrong number of arguments.
    pub(super) fn wrong_count(&mut self, name: &Name, found: usize, expected: &str) {
        self.error(
            Diagnostic::error(
                format!("`{}` takes {expected}, not {found}", name.text),
                name.span.clone(),
            )
            .label(format!("{found} given")),
        );
    }

    /// Whether `op` is not a division, or the divisor is a constant other than 0. Otherwise reports
    /// the divisor; `None` means that it is not a constant.
    pub(super) fn divides(&mut self, op: BinaryOp, by: Option<i32>, span: &Span) -> bool {
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            return true;
        }
        let diagnostic = match by {
            Some(0) => Diagnostic::error("division by 0", span.clone()).label("this is 0"),
            Some(_) => return true,
            None => {
                let sign = if op == BinaryOp::Div { '/' } else { '%' };
                let message = format!("the divisor of `{sign}` is not a constant");
                Diagnostic::error(message, span.clone())
                    .label("expected a constant other than 0")
                    .note("only threads divide by other values; properties must have a value everywhere")
            }
        };
        self.error(diagnostic);
        false
    }
}

/// The error for an array used where one element is meant.
pub(super) fn array_without_index(name: &str, span: &Span) -> Diagnostic {
    Diagnostic::error(
        format!("array `{name}` is used without an index"),
        span.clone(),
    )
    .label(format!("expected an index, as in `{name}[0]`"))
}
