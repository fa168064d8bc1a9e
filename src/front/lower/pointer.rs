//! Numbers as pointers, pointers as numbers, and pointers of one type as those of another.
//!
//! A number that is converted to a pointer is not the address of any object: `(void *)1` equals no
//! `&x`. So it becomes an address beyond all cells, and the same number again when it is converted back,
//! as where a thread gets its index as its argument. The address of an object becomes a number of its own
//! (`address`).
//!
//! What a pointer to another type sees is another question (`view`).

use super::Lowering;
use super::deferred::Question;
use super::value::{Value, binary, long, shape, void};
use super::view::unqualified;
use crate::lower::typed::{Type, TypeKind};
use crate::program::{BinaryOp, Expr};
use crate::text::{Diagnostic, Place};

/// The address that stands for the number 0 plus this is that of a number.
pub(super) const NUMBERS: i64 = 1 << 30;
/// Numbers from here on have such addresses,
pub(super) const LEAST: i64 = -(1 << 20);
/// and below this one.
pub(super) const MOST: i64 = 1 << 29;

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
                self.learn_type(value, a, b);
                self.retype(value, a, b, place);
                Some(value.clone())
            }
            // Where one is used as the other, a test is refused before.
            (TypeKind::Pointer(_), TypeKind::Int { .. })
            | (TypeKind::Int { .. }, TypeKind::Pointer(_))
                if self.test.is_some() =>
            {
                Some(value.clone())
            }
            (TypeKind::Pointer(_), TypeKind::Int { .. }) => {
                Some(self.number(value, from, to, place))
            }
            (TypeKind::Int { .. } | TypeKind::Bool, TypeKind::Pointer(b)) => {
                let Some(address) = self.address_of_number(value, from, place) else {
                    self.converts_number(value, from, &long(), place);
                    return Some(self.pointer_of(value, from, place));
                };
                // The number may have been made from any address.
                self.retype(&address, &void(), b, place);
                Some(address)
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
    fn number(&mut self, value: &Value, from: &Type, to: &Type, place: Place) -> Value {
        let is_stray = |address: i64| (NUMBERS + LEAST..NUMBERS + MOST).contains(&address);
        let is_open = !matches!(value, Value::Known(known) if *known == 0 || is_stray(*known));
        if is_open
            && shape(to).bits == 64
            && let Some(number) = self.number_of(value, from, place)
        {
            return number;
        }
        match value {
            Value::Known(0) => Value::ZERO,
            Value::Known(address) if is_stray(*address) => {
                Value::Known(shape(to).wrap(i128::from(address - NUMBERS)))
            }
            Value::Known(_) => {
                self.report(
                    Diagnostic::error(
                        "the address of an object is converted to a number, which is not supported",
                        self.positions.span(place),
                    )
                    .note("convert it to `uintptr_t`, which is as wide; pointers to functions have no numbers here"),
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

    /// Where a pointer was untyped, or one to something smaller, there may be something else: the
    /// execution is not covered then.
    pub(super) fn check_target(&mut self, value: &Value, from: &Type, to: &Type, place: Place) {
        let Value::Unknown(pointer) = value else {
            return;
        };
        if matches!(to.kind, TypeKind::Void | TypeKind::Function(..))
            || unqualified(from) == unqualified(to)
        {
            return;
        }
        let question = Question::Converted {
            pointer: pointer.clone(),
            to: to.clone(),
        };
        self.gap(question, place);
    }
}
