//! What a litmus test asks: a condition on final states, and what its states show.

use crate::program::{BinaryOp, Expr, Observable, PropertyKind, UnaryOp};

/// How a condition is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// Some final state satisfies it.
    Exists,
    /// None does.
    NotExists,
    /// All do.
    ForAll,
}

/// What a litmus test asks of its final states, and how its language writes them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LitmusTest {
    /// The test's name.
    pub name: String,
    /// How its condition is meant.
    #[doc(hidden)]
    pub quantifier: Quantifier,
    /// The condition as it is printed: `exists (0:EAX=0 /\ 1:EAX=0)`.
    pub condition: String,
    /// What the condition says of one state.
    pub proposition: Expr<Observable>,
    /// Which final states count; all if absent.
    pub filter: Option<Expr<Observable>>,
    /// What a state shows, registers first, by thread and name, then cells by name.
    #[doc(hidden)]
    pub shown: Vec<Shown>,
}

/// A part of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// As the test writes it: `0:EAX`, `[x]`.
    pub name: String,
    /// What it is.
    pub observable: Observable,
    /// Whether its values are addresses.
    pub pointer: bool,
}

impl LitmusTest {
    /// What a final state must satisfy to be one that `proposition` speaks of and is true of.
    pub fn positive(&self) -> Expr<Observable> {
        match &self.filter {
            Some(filter) => Expr::binary(BinaryOp::And, filter.clone(), self.proposition.clone()),
            None => self.proposition.clone(),
        }
    }

    /// The property that the condition is.
    pub(crate) fn property(&self) -> (PropertyKind, Expr<Observable>) {
        let not = |e: Expr<Observable>| Expr::unary(UnaryOp::Not, e);
        match (self.quantifier, &self.filter) {
            (Quantifier::Exists, _) => (PropertyKind::Exists, self.positive()),
            (Quantifier::NotExists, _) => (PropertyKind::FinalAssert, not(self.positive())),
            (Quantifier::ForAll, None) => (PropertyKind::FinalAssert, self.proposition.clone()),
            (Quantifier::ForAll, Some(filter)) => {
                let beside = not(filter.clone());
                let all = Expr::binary(BinaryOp::Or, beside, self.proposition.clone());
                (PropertyKind::FinalAssert, all)
            }
        }
    }
}
