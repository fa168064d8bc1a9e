//! Numbers as pointers, pointers as numbers, and pointers of one type as those of another.
//!
//! A number that is converted to a pointer is not the address of any object: `(void *)1` equals no
//! `&x`. So it becomes an address beyond all cells, and the same number again when it is converted back,
//! as where a thread gets its index as its argument. The address of an object has no number: an
//! execution in which one is converted is not covered.
//!
//! Cells hold scalars, not bytes. So an access has to have the size of the object, and a pointer to
//! scalars of one size is not converted to one to scalars of another.

use super::Lowering;
use super::deferred::Question;
use super::env::Env;
use super::value::{Value, binary, long, shape};
use crate::lower::typed::{Type, TypeKind};
use crate::program::{BinaryOp, Expr, Fault};
use crate::text::{Diagnostic, Place};

/// The address that stands for the number 0 plus this is that of a number.
pub(super) const NUMBERS: i64 = 1 << 30;
/// Numbers from here on have such addresses,
pub(super) const LEAST: i64 = -(1 << 20);
/// and below this one.
const MOST: i64 = 1 << 29;

impl Lowering<'_> {
    /// A conversion to or from a pointer type; `None` if neither type is one.
    pub(super) fn convert_pointer(
        &mut self,
        value: &Value,
        from: &Type,
        to: &Type,
        place: Place,
    ) -> Option<Value> {
        match (&from.kind, &to.kind) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                self.check_pointees(a, b, place);
                self.check_target(value, a, b, place);
                Some(value.clone())
            }
            (TypeKind::Pointer(_), TypeKind::Int { .. }) => Some(self.number(value, to, place)),
            (TypeKind::Int { .. } | TypeKind::Bool, TypeKind::Pointer(_)) => {
                Some(self.pointer_of(value, from, place))
            }
            _ => None,
        }
    }

    /// A number as a pointer.
    pub(super) fn pointer_of(&mut self, value: &Value, from: &Type, place: Place) -> Value {
        match value {
            Value::Known(0) => Value::ZERO,
            Value::Known(number) if (LEAST..MOST).contains(number) => {
                Value::Known(NUMBERS + number)
            }
            Value::Known(number) => {
                let number = shape(from).exact(*number);
                self.error(
                    format!(
                        "the number {number} is converted to a pointer, which is not supported"
                    ),
                    place,
                );
                Value::ZERO
            }
            Value::Unknown(e) => {
                let c = |value: i64| Expr::Const(value as i32);
                let from = shape(from);
                let is_unsigned = from.bits == 32 && !from.signed;
                let least = if is_unsigned { 0 } else { LEAST };
                let low = binary(BinaryOp::Ge, e.clone(), c(least));
                let high = binary(BinaryOp::Lt, e.clone(), c(MOST));
                if from.bits >= 32 {
                    self.limit(binary(BinaryOp::And, low, high), place);
                }
                let address = binary(BinaryOp::Add, e.clone(), c(NUMBERS));
                Value::Unknown(Expr::conditional(e.clone(), address, c(0)))
            }
        }
    }

    /// A pointer as a number.
    fn number(&mut self, value: &Value, to: &Type, place: Place) -> Value {
        match value {
            Value::Known(0) => Value::ZERO,
            Value::Known(address) if (NUMBERS + LEAST..NUMBERS + MOST).contains(address) => {
                Value::Known(shape(to).wrap(i128::from(address - NUMBERS)))
            }
            Value::Known(_) => {
                self.report(
                    Diagnostic::error(
                        "the address of an object is converted to a number, which is not supported",
                        self.positions.span(place),
                    )
                    .note("addresses are those of cells here, and have no numbers"),
                );
                Value::ZERO
            }
            Value::Unknown(e) => {
                let c = |value: i64| Expr::Const(value as i32);
                let is_number = binary(BinaryOp::Ge, e.clone(), c(NUMBERS + LEAST));
                let is_null = binary(BinaryOp::Eq, e.clone(), c(0));
                self.limit(binary(BinaryOp::Or, is_null, is_number), place);
                let number = binary(BinaryOp::Sub, e.clone(), c(NUMBERS));
                let number = Expr::conditional(e.clone(), number, c(0));
                self.convert(Value::Unknown(number), &long(), to, place)
            }
        }
    }

    /// Refuses to look at objects of one type as objects of another size.
    fn check_pointees(&mut self, from: &Type, to: &Type, place: Place) {
        let differ = match (&from.kind, &to.kind) {
            (TypeKind::Struct(a), TypeKind::Struct(b)) => a != b,
            (TypeKind::Void | TypeKind::Function(..), _)
            | (_, TypeKind::Void | TypeKind::Function(..)) => false,
            _ => {
                let first = |ty: &Type| self.scalars(ty).first().map(|ty| shape(ty).bits);
                first(from) != first(to)
            }
        };
        if differ {
            self.report(
                Diagnostic::error(
                    "a pointer is converted to one to objects of another size or structure",
                    self.positions.span(place),
                )
                .note("memory consists of whole scalars here, which have no bytes"),
            );
        }
    }

    /// Where a pointer was untyped, or one to a scalar, its object may be another one: the execution is
    /// not covered then.
    fn check_target(&mut self, value: &Value, from: &Type, to: &Type, place: Place) {
        let Value::Unknown(pointer) = value else {
            return;
        };
        let is_typed = match (&from.kind, &to.kind) {
            (_, TypeKind::Void | TypeKind::Function(..)) | (TypeKind::Function(..), _) => true,
            (TypeKind::Void, _) => false,
            (from, TypeKind::Struct(_)) => *from == to.kind,
            _ => true,
        };
        if !is_typed {
            let question = Question::Converted {
                pointer: pointer.clone(),
                to: to.clone(),
            };
            self.gap(question, place);
        }
    }

    /// Refuses an access of another size than that of the object, where the address is known. An access
    /// after the end of an object is a violation, and so is one of an own variable that has ended, and of a
    /// freed block while `main` is alone.
    pub(super) fn check_access(&mut self, address: &Value, ty: &Type, place: Place) {
        let Value::Known(known) = address else {
            return;
        };
        if self.state.is_none() {
            return;
        }
        if let Some(object) = self.memory.object_at(*known) {
            if object
                .guard
                .as_ref()
                .is_some_and(|guard| guard.contains(known))
            {
                self.violation(Fault::Bounds, place);
                return;
            }
            if let Some((variable, thread)) = object.owner
                && thread == self.current
                && !self.is_alive(variable.activation, variable.local)
            {
                self.violation(Fault::Ended, place);
                return;
            }
            let mark = object.mark.and_then(|mark| self.memory.initial(mark));
            if self.solo && object.on_heap && mark == Some(1) {
                self.violation(Fault::Freed, place);
                return;
            }
        }
        if Env::is_virtual(*known) || matches!(ty.kind, TypeKind::Library(_)) {
            return;
        }
        let Some(bits) = self.memory.bits(*known) else {
            return;
        };
        let own = shape(ty).bits;
        if bits != own {
            self.error(
                format!("an object of {bits} bits is accessed as one of {own} bits"),
                place,
            );
        }
    }
}
