//! Instructions with the syntax of calls: their names, and how many arguments they take.

use super::Scope;
use crate::native::ast::Name;
use crate::program::FetchOp;

/// An instruction with the syntax of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Builtin {
    /// `nondet`, which does not access memory.
    Choice,
    Locked(Locked),
}

/// An instruction that loads and stores in one step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Locked {
    CompareExchange,
    Exchange,
    Fetch(FetchOp),
}

const NAMES: [(&str, Builtin); 7] = [
    ("cas", Builtin::Locked(Locked::CompareExchange)),
    ("xchg", Builtin::Locked(Locked::Exchange)),
    ("fetch_add", Builtin::Locked(Locked::Fetch(FetchOp::Add))),
    ("fetch_sub", Builtin::Locked(Locked::Fetch(FetchOp::Sub))),
    ("fetch_and", Builtin::Locked(Locked::Fetch(FetchOp::And))),
    ("fetch_or", Builtin::Locked(Locked::Fetch(FetchOp::Or))),
    ("nondet", Builtin::Choice),
];

impl Builtin {
    /// The instruction with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, builtin)| *builtin)
    }

    /// How many arguments it takes. In the structured form, a choice may also have none.
    pub(super) fn arguments(self) -> usize {
        match self {
            Self::Locked(Locked::CompareExchange) => 3,
            Self::Locked(Locked::Exchange | Locked::Fetch(_)) | Self::Choice => 2,
        }
    }
}

impl Scope<'_> {
    /// Reports a call of an undeclared procedure.
    pub(super) fn unknown_call(&mut self, name: &Name) {
        self.unknown("procedure", &name.text, &name.span, |scope| {
            let procedures = scope.procedure_names.keys().copied();
            let builtins = NAMES.iter().map(|(name, _)| *name);
            procedures.chain(builtins).map(str::to_owned).collect()
        });
    }
}
