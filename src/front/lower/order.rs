//! The orders that operations ask for, which compilers keep: for the search for data races.
//!
//! An operation with an explicit order has that one. Otherwise the type decides: atomic objects are
//! accessed in a sequentially consistent way, volatile ones as written, all others plainly. Whether a
//! fence of the language is an instruction of the machine does not matter here.
//!
//! **Differs from C11.** Barriers that only stop the compiler order accesses of other threads, too:
//! what the machine does to them is part of every verdict.

use super::Lowering;
use super::value::Value;
use crate::lower::operation::{Meaning, Operation, Order};
use crate::lower::typed::{Expr, ExprKind, Type, TypeKind};
use crate::program::{Fence, Op, Ordering, Update, Written};
use crate::text::Place;

impl Lowering<'_> {
    /// Does this; everything that it emits has this order.
    pub(super) fn with_order<T>(&mut self, order: Order, act: impl FnOnce(&mut Self) -> T) -> T {
        self.with_ordering(ordering(order), act)
    }

    /// Does this; nothing that it emits promises anything to users of the library.
    pub(super) fn hidden<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.with_ordering(Ordering::Hidden, act)
    }

    fn with_ordering<T>(&mut self, order: Ordering, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.ordering.replace(order);
        let result = act(self);
        self.ordering = outer;
        result
    }

    /// The order of an access to an object of this type.
    pub(super) fn order_of_access(&self, ty: &Type) -> Ordering {
        self.ordering.unwrap_or(match ty.kind {
            TypeKind::Library(_) => Ordering::AcqRel,
            _ if ty.atomic => Ordering::AcqRel,
            _ if ty.volatile => Ordering::Once,
            _ => Ordering::Plain,
        })
    }

    /// What keeps the store of an operation after all earlier ones on machines that exchange stores. It is
    /// not a fence of the language, which would order later stores as well.
    pub(super) fn store_fence(&mut self, place: Place) {
        self.emit_as(Op::Fence(Fence::Store), Ordering::Relaxed, place);
    }

    /// A locked compare-exchange that takes something: that acquires what was released, and an attempt that
    /// fails acquires nothing.
    pub(super) fn try_to_take(&mut self, address: &Value, update: Update, place: Place) -> Value {
        let old = self.with_order(Order::Acquire, |this| this.locked(address, update, place));
        if let Some(last) = self.code.last() {
            last.failure = Some(Ordering::Hidden);
        }
        old
    }

    /// The instruction that was added last is this in the text.
    pub(super) fn is_written_as(&mut self, written: Written) {
        if let (Some(_), Some(last)) = (&self.state, self.code.last()) {
            last.written = Some(written);
        }
    }

    /// A fence of the language that is no instruction.
    pub(super) fn mark_order(&mut self, order: Order, place: Place) {
        if self.marks_orders && !self.solo && order != Order::Relaxed {
            self.emit_as(Op::Skip, ordering(order), place);
        }
    }
}

/// Whether an operation of the kernel orders everything before it with everything after it, as those do that yield a
/// value and have no other order in their names. (One that fails to exchange does not.)
pub(super) fn is_full_barrier(operation: &Operation, arguments: &[Expr]) -> bool {
    let is_of_kernel = operation.name.starts_with("__fencepost_");
    is_of_kernel
        && match operation.meaning {
            Meaning::Store(order) => order == Order::SeqCst,
            Meaning::Fetch { .. } | Meaning::Exchange(_) => {
                let order = arguments.last().map(|order| &order.kind);
                matches!(order, Some(ExprKind::Const(5)))
            }
            _ => false,
        }
}

pub(super) fn ordering(order: Order) -> Ordering {
    match order {
        Order::Relaxed => Ordering::Relaxed,
        Order::Once => Ordering::Once,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel | Order::SeqCst | Order::Argument => Ordering::AcqRel,
    }
}
