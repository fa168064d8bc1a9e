//! Values of the registers of a copy, and of expressions over them.
//!
//! A value is stored twice, as bits and as the set of values that the bits can take. The set is the
//! result of the analysis along these paths; a set with one element becomes constant bits.

use super::super::Encoding;
use super::super::event::Address;
use crate::cnf::{Bits, Cnf, term};
use crate::facts::{ValueSet, eval};
use crate::program::{Addr, BinaryOp, Expr, RegId, ThreadId};
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a register: its bits, and the set of values that they can take.
#[derive(Clone, Debug)]
pub(crate) struct RegValue {
    pub(crate) bits: Arc<Bits>,
    pub(crate) set: ValueSet,
}

impl RegValue {
    /// A constant.
    pub(super) fn constant(value: i32) -> Self {
        Self {
            bits: Arc::new(Bits::constant(value)),
            set: ValueSet::one(value),
        }
    }
}

/// The live registers of a copy, by register.
pub(in super::super) type Env = BTreeMap<RegId, RegValue>;

impl Encoding {
    /// An expression's value with the registers of a copy.
    pub(super) fn evaluate(
        &mut self,
        thread: ThreadId,
        number: usize,
        e: &Expr<RegId>,
    ) -> RegValue {
        let env = &self.paths[thread.index()].nodes[number].env;
        let set = eval(e, |reg| env[&reg].set.clone());
        if let Some(value) = set.as_constant() {
            return RegValue::constant(value);
        }
        let bits = term(e, &mut self.cnf, &|reg| Arc::clone(&env[&reg].bits));
        RegValue { bits, set }
    }

    /// The cells that an address may denote at a copy, and whether it may denote something else.
    pub(super) fn address(
        &mut self,
        thread: ThreadId,
        number: usize,
        e: &Expr<RegId>,
    ) -> (Address, bool) {
        let value = self.evaluate(thread, number, e);
        if let Some(cell) = value.set.as_constant() {
            let cell = self.program.cell_at(cell);
            let cells = cell.map(|cell| vec![(cell, Cnf::TRUE)]).unwrap_or_default();
            let outside = cells.is_empty();
            return (Address(cells), outside);
        }
        let candidates: Vec<Addr> = self
            .program
            .cells()
            .filter(|cell| value.set.contains(cell.0))
            .collect();
        let outside = value.set.count() > candidates.len() as u64;
        let cells = candidates
            .into_iter()
            .map(|cell| {
                let here = Bits::constant(cell.0);
                (cell, value.bits.equal(&here, &mut self.cnf))
            })
            .filter(|&(_, lit)| lit != Cnf::FALSE)
            .collect();
        (Address(cells), outside)
    }

    /// Fresh bits constrained to lie between two limits, both included.
    pub(super) fn anything_between(&mut self, low: i32, high: i32) -> Bits {
        let bits = Bits::fresh(&mut self.cnf, low, high);
        for (op, limit) in [(BinaryOp::Ge, low), (BinaryOp::Le, high)] {
            let limit = Bits::constant(limit);
            let within = Bits::binary(op, &bits, &limit, &mut self.cnf);
            let within = within.nonzero(&mut self.cnf);
            self.cnf.clause(&[within]);
        }
        bits
    }

    /// The literal of "`when` is true and the expression is 0 at a copy".
    pub(super) fn fails(
        &mut self,
        thread: ThreadId,
        number: usize,
        e: &Expr<RegId>,
        when: Lit,
    ) -> Lit {
        let value = self.evaluate(thread, number, e);
        let holds = value.bits.nonzero(&mut self.cnf);
        self.cnf.and(when, !holds)
    }

    /// The values that a load may read at an address, from any store.
    pub(super) fn readable(&self, address: &Address) -> ValueSet {
        let sets = address.cells().map(|cell| self.values.cell(cell));
        sets.fold(ValueSet::EMPTY, |all, set| all.join(set))
    }

    /// Fresh bits that may take any of these values, and perhaps values between them.
    pub(super) fn fresh_value(&mut self, set: &ValueSet) -> Bits {
        let (low, high) = set.bounds().unwrap_or((0, 0));
        Bits::fresh(&mut self.cnf, low, high)
    }
}
