//! Constant expressions, evaluated in the width of their types.
//!
//! Unsigned arithmetic wraps. Signed arithmetic that overflows has no value and is an error, with
//! one exception that compilers make too: `1 << 31` is the negative number with these bits.

use super::{Checked, Checker};
use crate::lower::typed::{BinaryOp, Expr, ExprKind, Lvalue, LvalueKind, Path, Type, UnaryOp};
use crate::text::Place;

/// Why an expression has no constant value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoConstant {
    /// It depends on more than constants; here.
    Varies(Place),
    /// C gives it no meaning.
    Undefined(Place, &'static str),
}

type Folded = Result<i64, NoConstant>;

/// A number as a value of a type: wrapped to its width, then extended to 64 bits.
pub(crate) fn wrap(value: i64, ty: &Type) -> i64 {
    match ty.width() {
        Some((1, _)) => i64::from(value != 0),
        Some((bits @ ..=63, true)) => (value << (64 - bits)) >> (64 - bits),
        Some((bits @ ..=63, false)) => value & ((1 << bits) - 1),
        Some((64.., _)) | None => value,
    }
}

/// The value of an expression, if it is constant. Values of unsigned 64-bit types are given by
/// their bits.
pub(crate) fn fold(value: &Expr) -> Folded {
    match &value.kind {
        ExprKind::Const(constant) => Ok(*constant),
        // All values of floating point are 0.
        ExprKind::Cast(operand) | ExprKind::Unary(_, operand) if value.ty.is_float() => {
            fold(operand).map(|_| 0)
        }
        ExprKind::Binary(_, left, right) if value.ty.is_float() => {
            fold(left)?;
            fold(right).map(|_| 0)
        }
        ExprKind::Cast(operand) if value.ty.width().is_some() && operand.ty.width().is_some() => {
            Ok(wrap(fold(operand)?, &value.ty))
        }
        ExprKind::Unary(op, operand) => unary(*op, fold(operand)?, value),
        ExprKind::Binary(op, left, right) => {
            let operands = (fold(left)?, fold(right)?);
            binary(*op, operands, &left.ty, value)
        }
        ExprKind::And(left, right) => match fold(left)? {
            0 => Ok(0),
            _ => Ok(i64::from(fold(right)? != 0)),
        },
        ExprKind::Or(left, right) => match fold(left)? {
            0 => Ok(i64::from(fold(right)? != 0)),
            _ => Ok(1),
        },
        ExprKind::Conditional(condition, then, otherwise) => {
            let chosen = if fold(condition)? == 0 {
                otherwise
            } else {
                then
            };
            fold(chosen)
        }
        ExprKind::Text(_)
        | ExprKind::Function(_)
        | ExprKind::Load(_)
        | ExprKind::AddressOf(_)
        | ExprKind::Comma(..)
        | ExprKind::Assign(..)
        | ExprKind::Update { .. }
        | ExprKind::Cast(_)
        | ExprKind::Checked(..)
        | ExprKind::New(_)
        | ExprKind::Call(..)
        | ExprKind::Statement(_) => Err(NoConstant::Varies(value.place)),
    }
}

fn unary(op: UnaryOp, operand: i64, value: &Expr) -> Folded {
    match op {
        UnaryOp::Not => Ok(i64::from(operand == 0)),
        UnaryOp::BitNot => Ok(wrap(!operand, &value.ty)),
        UnaryOp::Neg => exact(-i128::from(operand), value),
    }
}

/// The result of arithmetic without bounds, in the type of the expression.
fn exact(result: i128, value: &Expr) -> Folded {
    let wrapped = wrap(result as i64, &value.ty);
    let signed = value.ty.width().is_some_and(|(_, signed)| signed);
    if signed && i128::from(wrapped) != result {
        return Err(NoConstant::Undefined(value.place, "it overflows"));
    }
    Ok(wrapped)
}

/// `operands_in` is the type of the operands, which a comparison does not have itself.
fn binary(op: BinaryOp, (left, right): (i64, i64), operands_in: &Type, value: &Expr) -> Folded {
    let undefined = |why| Err(NoConstant::Undefined(value.place, why));
    let Some((bits, signed)) = operands_in.width() else {
        return Err(NoConstant::Varies(value.place));
    };
    // As mathematical integers: those of unsigned 64-bit types are not negative.
    let number = |bits: i64| {
        if signed {
            i128::from(bits)
        } else {
            i128::from(bits as u64)
        }
    };
    let (a, b) = (number(left), number(right));
    let truth = |holds| Ok(i64::from(holds));
    match op {
        BinaryOp::Add => exact(a + b, value),
        BinaryOp::Sub => exact(a - b, value),
        BinaryOp::Mul if signed => exact(a * b, value),
        BinaryOp::Mul => Ok(wrap(left.wrapping_mul(right), &value.ty)),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => undefined("it divides by 0"),
        BinaryOp::Div => exact(a / b, value),
        // The quotient must have a value as well.
        BinaryOp::Rem => {
            exact(a / b, value)?;
            exact(a % b, value)
        }
        BinaryOp::BitAnd => Ok(left & right),
        BinaryOp::BitOr => Ok(left | right),
        BinaryOp::BitXor => Ok(wrap(left ^ right, &value.ty)),
        BinaryOp::Shl | BinaryOp::Shr if !(0..i128::from(bits)).contains(&b) => {
            undefined("it shifts by a negative number or by all bits")
        }
        BinaryOp::Shl => Ok(wrap(left << b, &value.ty)),
        BinaryOp::Shr => Ok(wrap((a >> b) as i64, &value.ty)),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Lt => truth(a < b),
        BinaryOp::Le => truth(a <= b),
        BinaryOp::Gt => truth(a > b),
        BinaryOp::Ge => truth(a >= b),
        BinaryOp::PointerAdd | BinaryOp::PointerSub | BinaryOp::PointerDiff => {
            Err(NoConstant::Varies(value.place))
        }
    }
}

/// Whether an expression is an address that is known before the program runs, such as `&a[2]`.
pub(crate) fn is_address(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Function(_) => true,
        ExprKind::AddressOf(lvalue) => is_static(lvalue),
        ExprKind::Cast(operand) => {
            value.ty.width().is_some_and(|(bits, _)| bits == 64) && is_address(operand)
        }
        ExprKind::Binary(BinaryOp::PointerAdd | BinaryOp::PointerSub, base, count) => {
            is_address(base) && fold(count).is_ok()
        }
        ExprKind::Conditional(condition, then, otherwise) => match fold(condition) {
            Ok(0) => is_address(otherwise),
            Ok(_) => is_address(then),
            Err(_) => false,
        },
        ExprKind::Const(_)
        | ExprKind::Text(_)
        | ExprKind::Load(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Comma(..)
        | ExprKind::Assign(..)
        | ExprKind::Update { .. }
        | ExprKind::Checked(..)
        | ExprKind::New(_)
        | ExprKind::Call(..)
        | ExprKind::Statement(_) => false,
    }
}

fn is_static(lvalue: &Lvalue) -> bool {
    match &lvalue.kind {
        LvalueKind::Object(_) => true,
        LvalueKind::Local(_) => false,
        LvalueKind::Deref(address) => is_address(address),
        LvalueKind::Member(base, _) | LvalueKind::Bits(base, _) => is_static(base),
        LvalueKind::Element(base, index) => is_static(base) && fold(index).is_ok(),
    }
}

impl Checker<'_> {
    /// The value of a `const` integer that is initialised like this, if it is a constant.
    pub(crate) fn constant_of(&self, ty: &Type, scalars: &[(Path, Expr)]) -> Option<i64> {
        let [(path, value)] = scalars else {
            return None;
        };
        let is_plain = ty.is_integer() && !ty.volatile && !ty.atomic && path.is_empty();
        let value = is_plain.then(|| self.with_constants(value.clone()))?;
        fold(&value).ok()
    }

    /// The same expression with the values of `const` integers, which compilers know, in their places.
    pub(crate) fn with_constants(&self, value: Expr) -> Expr {
        let within = |operand: Box<Expr>| Box::new(self.with_constants(*operand));
        let kind = match value.kind {
            ExprKind::Load(lvalue) => {
                let known = match lvalue.kind {
                    LvalueKind::Object(id) => self.objects[id.0].constant,
                    LvalueKind::Local(id) => {
                        let body = self.body.as_ref();
                        body.and_then(|body| body.constants.get(&id).copied())
                    }
                    LvalueKind::Deref(_)
                    | LvalueKind::Member(..)
                    | LvalueKind::Bits(..)
                    | LvalueKind::Element(..) => None,
                };
                known.map_or(ExprKind::Load(lvalue), ExprKind::Const)
            }
            ExprKind::Cast(operand) => ExprKind::Cast(within(operand)),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, within(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, within(left), within(right)),
            ExprKind::Conditional(condition, then, otherwise) => {
                ExprKind::Conditional(within(condition), within(then), within(otherwise))
            }
            kind @ (ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Checked(..)
            | ExprKind::New(_)
            | ExprKind::Call(..)
            | ExprKind::Statement(_)) => kind,
        };
        Expr { kind, ..value }
    }

    /// The value of a constant expression of integer type, which C demands here.
    pub(crate) fn constant(&mut self, value: &Expr, what: &str) -> Checked<i64> {
        if !value.ty.is_integer() {
            let shown = self.show(&value.ty);
            let message = format!("{what} must be an integer, not `{shown}`");
            return Err(self.error(message, value.place));
        }
        match fold(value) {
            Ok(constant) => Ok(constant),
            Err(NoConstant::Varies(place)) => {
                Err(self.error(format!("{what} must be a constant"), place))
            }
            Err(NoConstant::Undefined(place, why)) => {
                let message = format!("{what} is a constant expression without a value: {why}");
                Err(self.error(message, place))
            }
        }
    }

    /// The initial value of a scalar with static storage duration: a constant or an address.
    pub(crate) fn static_value(&mut self, value: Expr) -> Checked<Expr> {
        match fold(&value) {
            Ok(constant) => Ok(Expr {
                kind: ExprKind::Const(constant),
                ..value
            }),
            Err(NoConstant::Varies(_)) if is_address(&value) => Ok(value),
            Err(NoConstant::Varies(place)) => Err(self.error_with(
                "the initial value of a static object must be a constant or an address",
                place,
                "assign it where the program starts",
            )),
            Err(NoConstant::Undefined(place, why)) => {
                let message = format!("this constant expression has no value: {why}");
                Err(self.error(message, place))
            }
        }
    }
}
