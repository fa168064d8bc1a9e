//! Complaints that more than one room makes, so that each has one wording.
//!
//! **Invariant.** A name that nobody declared is reported once, and not at all if its declaration
//! may have been lost by an error of the grammar.

use super::Scope;
use crate::native::ast::Name;
use crate::program::BinaryOp;
use crate::text::expectation::missing_predicate;
use crate::text::{Diagnostic, MOST_ERRORS, Span, nearest};

impl Scope<'_> {
    /// Whether it would be news that nobody declared this name. Nobody reads
    /// hundreds of hints.
    pub(super) fn is_news(&self, what: &str, name: &str) -> bool {
        self.reported.len() < MOST_ERRORS
            && !self.doubtful.contains(name)
            && !self.reported.contains(&format!("{what} {name}"))
    }

    /// Reports a name that nobody declared, if that is news, with the nearest candidate. The
    /// candidates are collected then only, which is not free.
    pub(super) fn unknown(
        &mut self,
        what: &str,
        name: &str,
        span: &Span,
        candidates: impl FnOnce(&Self) -> Vec<String>,
    ) {
        if !self.is_news(what, name) {
            return;
        }
        self.reported.insert(format!("{what} {name}"));
        let candidates = candidates(self);
        let label = match nearest(name, candidates.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "not declared".to_owned(),
        };
        let message = format!("unknown {what} `{name}`");
        self.error(Diagnostic::error(message, span.clone()).label(label));
    }

    /// Reports a place for a fence that does not exist.
    pub(in super::super) fn unknown_place(&mut self, place: &str, span: &Span) {
        self.unknown("place", place, span, |scope| {
            let labels = |(thread, names): (&String, &super::Names)| -> Vec<String> {
                let labels = names.labels.keys();
                labels.map(|label| format!("{thread}@{label}")).collect()
            };
            scope.threads.iter().flat_map(labels).collect()
        });
    }

    /// Reports an observation that does not say of what.
    pub(in super::super) fn missing_predicate(&mut self, answer: &Span) {
        self.error(missing_predicate(answer));
    }

    /// Reports a second declaration of a name.
    pub(super) fn twice(&mut self, what: &str, name: &Name, first: &Span) {
        self.error(
            Diagnostic::error(
                format!("{what} `{}` is declared twice", name.text),
                name.span.clone(),
            )
            .label("declared again here")
            .other(first.clone(), "first declared here"),
        );
    }

    /// Reports a call with these many arguments, where others are expected.
    pub(super) fn wrong_count(&mut self, name: &Name, found: usize, expected: &str) {
        self.error(
            Diagnostic::error(
                format!("`{}` takes {expected}, not {found}", name.text),
                name.span.clone(),
            )
            .label(format!("{found} given")),
        );
    }

    /// Whether dividing by this is fine, or the operator no division. Reports a divisor that is
    /// 0 or, being absent, no constant.
    pub(super) fn divides(&mut self, op: BinaryOp, by: Option<i32>, span: &Span) -> bool {
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            return true;
        }
        let diagnostic = match by {
            Some(0) => Diagnostic::error("division by 0", span.clone()).label("this is 0"),
            Some(_) => return true,
            None => {
                let sign = if op == BinaryOp::Div { '/' } else { '%' };
                let message = format!("`{sign}` by a value that is no constant");
                Diagnostic::error(message, span.clone()).label("expected a constant other than 0")
            }
        };
        self.error(diagnostic);
        false
    }
}

/// An array is named where one cell is meant.
pub(super) fn array_without_index(name: &str, span: &Span) -> Diagnostic {
    Diagnostic::error(format!("array `{name}` without an index"), span.clone()).label("which cell?")
}
