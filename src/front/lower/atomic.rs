//! Atomic operations, as compilers for x86 translate them.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::deferred::Reads;
use super::env::Env;
use super::value::{Value, binary};
use super::view::{Rep, rep};
use crate::lower::operation::{Compared, Expected, Order};
use crate::lower::typed::{BinaryOp, Type, Yields};
use crate::program::{self, Op, RegId, Update, Written};
use crate::text::Place;

use super::library::promoted;
use super::order::ordering;

impl Lowering<'_> {
    pub(super) fn atomic_store(
        &mut self,
        address: &Value,
        ty: &Type,
        value: Value,
        order: Order,
        place: Place,
    ) {
        if !self.is_dynamic(address) {
            self.write(address, ty, value, place);
            return;
        }
        match order {
            Order::SeqCst | Order::Argument => {
                let Some(cell) = self.seen(address, ty, place) else {
                    return;
                };
                let value = self.as_stored(value, ty, &cell, place);
                let value = self.dynamic_of(&value, Some(&cell), place);
                self.locked(address, Update::Exchange(value), place);
                self.is_written_as(Written::Store);
                // What was there before does not matter.
                self.accessed(Some(&cell), Reads::Copies);
            }
            Order::Release | Order::AcqRel => {
                self.store_fence(place);
                self.weak_store(address, ty, value, place);
            }
            Order::Relaxed | Order::Once | Order::Acquire => {
                self.weak_store(address, ty, value, place);
            }
        }
    }

    /// A store, which the text may make an exchange.
    fn weak_store(&mut self, address: &Value, ty: &Type, value: Value, place: Place) {
        self.write(address, ty, value, place);
        let strengthened = self.is_strengthened(place);
        if let (Some(state), Some(last)) = (&self.state, self.code.instructions.last_mut())
            && last.to == state.at
            && last.op.is_store()
        {
            last.strengthened = strengthened;
        }
    }

    /// Whether the text can make the store at this place an exchange.
    pub(super) fn is_strengthened(&self, place: Place) -> bool {
        self.positions.is_written(place) && self.positions.strengthens(place)
    }

    /// An exchange; its result may turn out not to be used (`compiled`).
    pub(super) fn exchange(
        &mut self,
        address: &Value,
        ty: &Type,
        value: Value,
        order: Order,
        place: Place,
    ) -> Value {
        if !self.is_dynamic(address) {
            let old = self.kept(address, ty, place);
            self.write(address, ty, value, place);
            return old;
        }
        // Before what is remembered as the operation: an access that is wrong is none.
        let Some(cell) = self.seen(address, ty, place) else {
            return Value::ZERO;
        };
        let value = self.as_stored(value, ty, &cell, place);
        let whole = vec![(address.clone(), cell.clone(), value.clone())];
        self.operation(whole, None, order, place);
        let value = self.dynamic_of(&value, Some(&cell), place);
        let old = self.modify(address, &cell, Update::Exchange(value), place);
        self.as_seen(old, &cell, ty, place)
    }

    /// A fetch-and-op, which may turn out to change nothing, or to write a constant (`compiled`).
    pub(super) fn fetch_by_compiler(
        &mut self,
        address: &Value,
        ty: &Type,
        (op, value): (BinaryOp, Value),
        yields: Yields,
        order: Order,
        place: Place,
    ) -> Value {
        if !self.is_dynamic(address) {
            let old = self.kept(address, ty, place);
            let new = self.apply(op, old.clone(), ty, (value, ty), &promoted(ty), place);
            self.write(address, ty, new, place);
            return match yields {
                Yields::Before => old,
                Yields::After => self.kept(address, ty, place),
            };
        }
        let Some(cell) = self.seen(address, ty, place) else {
            return Value::ZERO;
        };
        if rep(&cell) != rep(ty) && rep(ty) == Rep::Long {
            self.error(
                "this operation on a pointer as a number is not supported",
                place,
            );
            return Value::ZERO;
        }
        let operand = self.as_stored(value.clone(), ty, &cell, place);
        let whole = vec![(address.clone(), cell.clone(), operand)];
        self.operation(whole, Some(op), order, place);
        let operation = (op, value, ty, &promoted(ty));
        self.fetch(address, ty, operation, Some(yields), place)
    }

    /// The orders are those of success and failure.
    pub(super) fn compare_exchange(
        &mut self,
        arguments: &[Evaluated],
        expected: Expected,
        yields: Compared,
        [success, failure]: [Order; 2],
        place: Place,
    ) -> Value {
        let (address, ty) = self.object(arguments);
        let [compared, value] = [1, 2].map(|at| value_of(arguments, at));
        let (wanted, slot) = match expected {
            Expected::ByValue => (compared, None),
            Expected::ByPointer => (self.read(&compared, &ty, place), Some(compared)),
        };
        if !self.is_dynamic(&address) {
            let old = self.kept(&address, &ty, place);
            let equal = match (&old, &wanted) {
                (Value::Known(old), Value::Known(wanted)) => Value::Known(i64::from(old == wanted)),
                (old, wanted) => {
                    let old = self.dynamic_of(old, Some(&ty), place);
                    let wanted = self.dynamic_of(wanted, Some(&ty), place);
                    let equal = binary(program::BinaryOp::Eq, old, wanted);
                    Value::Unknown(self.copy(equal, place))
                }
            };
            let new = match &equal {
                Value::Known(0) => old.clone(),
                Value::Known(_) => value,
                Value::Unknown(equal) => {
                    let old = self.dynamic_of(&old, Some(&ty), place);
                    let value = self.dynamic_of(&value, Some(&ty), place);
                    Value::Unknown(program::Expr::conditional(equal.clone(), value, old))
                }
            };
            self.write(&address, &ty, new, place);
            if let Some(slot) = slot {
                self.write(&slot, &ty, old.clone(), place);
            }
            return match yields {
                Compared::Success => equal,
                Compared::Old => old,
            };
        }
        let Some(cell) = self.seen(&address, &ty, place) else {
            return Value::ZERO;
        };
        let wanted = self.as_stored(wanted, &ty, &cell, place);
        let value = self.as_stored(value, &ty, &cell, place);
        let expected = self.dynamic_of(&wanted, Some(&cell), place);
        let desired = self.dynamic_of(&value, Some(&cell), place);
        // The expected value may be in a register that receives the old one below.
        let expected = match &slot {
            Some(_) if yields == Compared::Success => self.copy(expected, place),
            Some(_) | None => expected,
        };
        let update = Update::CompareExchange {
            expected: expected.clone(),
            desired,
        };
        let found = self.with_order(success, |this| this.modify(&address, &cell, update, place));
        if let Some(last) = self.code.last()
            && matches!(last.op, Op::Rmw { .. })
        {
            last.failure = Some(ordering(failure));
        }
        let mut old = self.as_seen(found.clone(), &cell, &ty, place);
        // Both values are compared as they are in the cell.
        let is_same = rep(&cell) == rep(&ty);
        match slot {
            // On success the old value is the expected one. A register receives it from the instruction
            // itself, and the temporary one is no more.
            Some(slot) if matches!(&slot, Value::Known(known) if Env::is_virtual(*known)) => {
                self.write(&slot, &ty, old.clone(), place);
                old = self.read(&slot, &ty, place);
            }
            // A cell is written on failure only.
            Some(slot) => {
                let compared = if is_same { &old } else { &found };
                let compared = self.dynamic_of(compared, Some(&cell), place);
                let failed = binary(program::BinaryOp::Ne, compared, expected.clone());
                let (failed, succeeded) = self.split(Value::Unknown(failed), place);
                self.state = failed;
                self.write(&slot, &ty, old.clone(), place);
                let both = self.state.take().into_iter().chain(succeeded).collect();
                self.state = self.join(both, place);
            }
            None => {}
        }
        match (yields, if is_same { old.clone() } else { found }) {
            (Compared::Old, _) => old,
            (Compared::Success, Value::Unknown(found)) => {
                Value::Unknown(binary(program::BinaryOp::Eq, found, expected))
            }
            (Compared::Success, Value::Known(_)) => Value::ZERO,
        }
    }

    /// The scalar at an address, which stays what it is when the variable changes.
    pub(super) fn kept(&mut self, address: &Value, ty: &Type, place: Place) -> Value {
        match self.read(address, ty, place) {
            Value::Unknown(e) => Value::Unknown(self.copy(e, place)),
            value @ Value::Known(_) => value,
        }
    }

    /// A value in a register of its own, unless it is a constant.
    pub(super) fn copy(&mut self, e: program::Expr<RegId>, place: Place) -> program::Expr<RegId> {
        if e.as_const().is_some() {
            return e;
        }
        let into = self.temporary();
        let origin = self.origin(place);
        if let Some(state) = &mut self.state {
            state.at = self.code.assign(state.at, into, e, false, origin);
        }
        program::Expr::Var(into)
    }
}
