//! The instructions that are written like calls: their names, and how many arguments they take.

use super::Scope;
use crate::program::FetchOp;
use crate::syntax::ast::Name;

/// An instruction that is written like a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    CompareExchange,
    Exchange,
    Fetch(FetchOp),
    /// `nondet`, which touches no memory.
    Choice,
}

const NAMES: [(&str, Builtin); 7] = [
    ("cas", Builtin::CompareExchange),
    ("xchg", Builtin::Exchange),
    ("fetch_add", Builtin::Fetch(FetchOp::Add)),
    ("fetch_sub", Builtin::Fetch(FetchOp::Sub)),
    ("fetch_and", Builtin::Fetch(FetchOp::And)),
    ("fetch_or", Builtin::Fetch(FetchOp::Or)),
    ("nondet", Builtin::Choice),
];

impl Builtin {
    /// The instruction of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, builtin)| *builtin)
    }

    /// How many arguments it takes. A choice may also go without.
    pub(super) fn arguments(self) -> usize {
        match self {
            Self::CompareExchange => 3,
            Self::Exchange | Self::Fetch(_) | Self::Choice => 2,
        }
    }
}

impl Scope<'_> {
    /// Reports a call of something that nobody declared.
    pub(super) fn unknown_call(&mut self, name: &Name) {
        if !self.is_news("procedure", &name.text) {
            return;
        }
        let mut candidates: Vec<&str> = self.procedure_names.keys().copied().collect();
        candidates.extend(NAMES.map(|(name, _)| name));
        self.unknown("procedure", &name.text, &name.span, &candidates);
    }
}
