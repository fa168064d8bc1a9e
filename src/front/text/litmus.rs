//! The condition of a litmus test, and what the test shows of its final states.

use crate::program::{BinaryOp, Expr, Observable, PropertyKind, UnaryOp};

/// How a condition is quantified over the final states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// Some final state satisfies it.
    Exists,
    /// None does.
    NotExists,
    /// All do.
    ForAll,
}

/// The condition of a litmus test on its final states, and how its language writes them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LitmusTest {
    /// The test's name.
    pub name: String,
    /// How its condition is quantified.
    #[doc(hidden)]
    pub quantifier: Quantifier,
    /// The condition as it is printed: `exists (0:EAX=0 /\ 1:EAX=0)`.
    pub condition: String,
    /// The condition on a single state.
    pub proposition: Expr<Observable>,
    /// Which final states count; all if `None`.
    pub filter: Option<Expr<Observable>>,
    /// What is shown of a state: registers first, by thread and name, then cells by name. A value in parts is
    /// several entries with the same name, the least significant first.
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
    /// Which bits of the value it is; all of them if `None`.
    pub part: Option<Bits>,
}

/// Some bits of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bits {
    /// The first one.
    pub first: u32,
    /// How many; at most 32.
    pub count: u32,
}

/// A number of so many bits as states show it: with its sign if it has 32 or 64.
pub(crate) fn shown_number(bits: u64, count: u32) -> i64 {
    if count == 32 {
        i64::from(bits as u32 as i32)
    } else {
        bits as i64
    }
}

impl LitmusTest {
    /// The names that are shown of a state, and their values, given the values of [`shown`](Self::shown).
    #[doc(hidden)]
    pub fn named(&self, values: &[i32]) -> Vec<(&Shown, i64)> {
        let mut named = Vec::new();
        let mut bits = 0;
        for (at, (shown, &value)) in self.shown.iter().zip(values).enumerate() {
            let Some(part) = shown.part else {
                named.push((shown, value.into()));
                continue;
            };
            let mask = u64::MAX >> (64 - part.count);
            bits |= (value as u64 & mask) << part.first;
            let next = self.shown.get(at + 1);
            if next.is_none_or(|next| next.name != shown.name) {
                named.push((shown, shown_number(bits, part.first + part.count)));
                bits = 0;
            }
        }
        named
    }

    /// The predicate of the final states that the filter admits and that satisfy `proposition`.
    pub fn positive(&self) -> Expr<Observable> {
        match &self.filter {
            Some(filter) => Expr::binary(BinaryOp::And, filter.clone(), self.proposition.clone()),
            None => self.proposition.clone(),
        }
    }

    /// The condition as a property of the program.
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
