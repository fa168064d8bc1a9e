//! Unary and binary operators, assignments and the conditional operator.

use super::convert::{Wanted, alike, cast, floating, is_null, promote, usual};
use super::narrow::{compared, same};
use super::operand::{Constant, number};
use super::registers::as_address;
use super::{
    Checked, Checker, INT, LONG, Operand, UNSIGNED_LONG, VOID, expr, pointer, to, unqualified,
};
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, LibraryType, Lvalue, LvalueKind, Stmt, StmtKind, TypeKind, UnaryOp,
    Yields,
};
use crate::text::Place;

/// A binary operator of C's text that is not an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    And,
    Or,
    /// All others; `Add` and `Sub` also move pointers.
    Plain(BinaryOp),
}

/// The number of a thread as an integer, which it is in the C libraries.
fn numbered(value: Expr) -> Expr {
    if value.ty.kind == TypeKind::Library(LibraryType::Thread) {
        cast(value, &UNSIGNED_LONG)
    } else {
        value
    }
}

impl Checker<'_> {
    /// `+e` is the promoted operand.
    pub(crate) fn plus(&mut self, operand: Operand, place: Place) -> Checked<Operand> {
        let place = to(place, operand.place());
        let mut value = self.value(operand)?;
        if !value.ty.is_float() {
            value = self.integer_value(Operand::Value(value), "the operand of `+`")?;
        }
        value.place = place;
        Ok(Operand::Value(value))
    }

    pub(crate) fn unary(
        &mut self,
        op: UnaryOp,
        operand: Operand,
        place: Place,
    ) -> Checked<Operand> {
        let place = to(place, operand.place());
        let (value, ty) = match op {
            UnaryOp::Not => (self.condition(operand)?, INT.clone()),
            UnaryOp::Neg if self.type_of(&operand).is_float() => {
                let value = self.value(operand)?;
                let ty = value.ty.clone();
                (value, ty)
            }
            UnaryOp::BitNot | UnaryOp::Neg => {
                let sign = if op == UnaryOp::Neg { '-' } else { '~' };
                let value = self.integer_value(operand, &format!("the operand of `{sign}`"))?;
                let ty = value.ty.clone();
                (value, ty)
            }
        };
        let kind = ExprKind::Unary(op, Box::new(value));
        Ok(Operand::Value(expr(kind, ty, place)))
    }

    pub(crate) fn binary(
        &mut self,
        operator: Operator,
        left: Operand,
        right: Operand,
    ) -> Checked<Operand> {
        let place = to(left.place(), right.place());
        let value = match operator {
            Operator::And | Operator::Or => {
                let left = Box::new(self.condition(left)?);
                let right = Box::new(self.condition(right)?);
                let kind = match operator {
                    Operator::And => ExprKind::And(left, right),
                    Operator::Or | Operator::Plain(_) => ExprKind::Or(left, right),
                };
                expr(kind, INT.clone(), place)
            }
            Operator::Plain(op) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.plain(op, left, right, place)?
            }
        };
        Ok(Operand::Value(value))
    }

    fn plain(&mut self, op: BinaryOp, left: Expr, right: Expr, place: Place) -> Checked<Expr> {
        let left = self.with_texts(left);
        let right = self.with_texts(right);
        let is_compared = matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        );
        if is_compared {
            return self.comparison(op, left, right, place);
        }
        let (left, right) = (numbered(left), numbered(right));
        let integers = left.ty.is_integer() && right.ty.is_integer();
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div
                if left.ty.is_float() || right.ty.is_float() =>
            {
                let Some((left, right)) = floating(left.clone(), right.clone()) else {
                    return Err(self.no_operation(op, &left, &right, place));
                };
                Ok(same(op, left, right, place))
            }
            BinaryOp::Shl | BinaryOp::Shr if integers => {
                let left = promote(left);
                let right = cast(promote(right), &left.ty);
                Ok(same(op, left, right, place))
            }
            BinaryOp::Add if left.ty.is_pointer() => {
                self.moved(BinaryOp::PointerAdd, left, right, place)
            }
            BinaryOp::Add if right.ty.is_pointer() => {
                self.moved(BinaryOp::PointerAdd, right, left, place)
            }
            BinaryOp::Sub if left.ty.is_pointer() && right.ty.is_pointer() => {
                self.difference(left, right, place)
            }
            BinaryOp::Sub if left.ty.is_pointer() => {
                self.moved(BinaryOp::PointerSub, left, right, place)
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
                if integers =>
            {
                let (left, right) = usual(left, right);
                Ok(same(op, left, right, place))
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::PointerAdd
            | BinaryOp::PointerSub
            | BinaryOp::PointerDiff
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => Err(self.no_operation(op, &left, &right, place)),
        }
    }

    fn no_operation(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        place: Place,
    ) -> super::Reported {
        let (a, b) = (self.show(&left.ty), self.show(&right.ty));
        let message = format!("`{a}` and `{b}` have no operator `{}`", spelled(op));
        if left.ty.is_scalar() && right.ty.is_scalar() {
            let note = "convert the pointer to `uintptr_t` first if its bits are meant";
            return self.error_with(message, place, note);
        }
        self.error(message, place)
    }

    /// A pointer, moved by a number of elements.
    pub(crate) fn moved(
        &mut self,
        op: BinaryOp,
        base: Expr,
        count: Expr,
        place: Place,
    ) -> Checked<Expr> {
        let base = self.with_texts(base);
        let Some(pointee) = base.ty.pointee().cloned() else {
            let message = format!(
                "`{}` is neither an array nor a pointer",
                self.show(&base.ty)
            );
            return Err(self.error(message, base.place));
        };
        if !count.ty.is_integer() {
            return Err(self.no_operation(op, &base, &count, place));
        }
        // As GNU C has it, `void` and functions have size 1.
        if !pointee.is_void() && !pointee.is_function() {
            self.size(&pointee, base.place)?;
        }
        let count = cast(promote(count), &LONG);
        let ty = base.ty.clone();
        Ok(expr(
            ExprKind::Binary(op, Box::new(base), Box::new(count)),
            ty,
            place,
        ))
    }

    fn difference(&mut self, left: Expr, right: Expr, place: Place) -> Checked<Expr> {
        let alike = match (left.ty.pointee(), right.ty.pointee()) {
            (Some(a), Some(b)) => alike(&unqualified(a), &unqualified(b)),
            (None, _) | (_, None) => false,
        };
        if !alike {
            return Err(self.no_operation(BinaryOp::Sub, &left, &right, place));
        }
        let is_byte = left
            .ty
            .pointee()
            .is_some_and(|of| of.is_void() || self.layout(of) == Some((1, 1)));
        if let (true, Some(to), Some(0)) = (
            is_byte,
            self.offset_from_null(&left),
            self.offset_from_null(&right),
        ) {
            return Ok(number(to, place));
        }
        let kind = ExprKind::Binary(BinaryOp::PointerDiff, Box::new(left), Box::new(right));
        Ok(expr(kind, LONG.clone(), place))
    }

    fn comparison(&mut self, op: BinaryOp, left: Expr, right: Expr, place: Place) -> Checked<Expr> {
        if left.ty.is_float() || right.ty.is_float() {
            return Err(self.no_number(place));
        }
        let thread = |one: &Expr| one.ty.kind == TypeKind::Library(LibraryType::Thread);
        let (left, right) = if self.test.is_some() {
            let types = (left.ty.clone(), right.ty.clone());
            (as_address(left, &types.1), as_address(right, &types.0))
        } else {
            (left, right)
        };
        let (left, right) = if left.ty.is_integer() && right.ty.is_integer() {
            let (left, right) = usual(left, right);
            compared(op, left, right)
        } else if left.ty.is_pointer() && is_null(&right) {
            let ty = left.ty.clone();
            (left, cast(right, &ty))
        } else if right.ty.is_pointer() && is_null(&left) {
            let ty = right.ty.clone();
            (cast(left, &ty), right)
        } else if let (Some(a), Some(b)) = (left.ty.pointee(), right.ty.pointee()) {
            let (a, b) = (unqualified(a), unqualified(b));
            if !a.is_void() && !b.is_void() && !alike(&a, &b) {
                let (a, b) = (self.show(&left.ty), self.show(&right.ty));
                self.warn(format!("`{a}` is compared with `{b}`"), place);
            }
            let ty = if a.is_void() {
                right.ty.clone()
            } else {
                left.ty.clone()
            };
            (cast(left, &ty), cast(right, &ty))
        } else if thread(&left) && (thread(&right) || right.ty.is_integer()) {
            let ty = left.ty.clone();
            (left, cast(right, &ty))
        } else if thread(&right) && left.ty.is_integer() {
            let ty = right.ty.clone();
            (cast(left, &ty), right)
        } else {
            let (a, b) = (self.show(&left.ty), self.show(&right.ty));
            let message = format!("`{a}` is compared with `{b}`");
            let error = if left.ty.is_scalar() && right.ty.is_scalar() {
                self.error_with(message, place, "convert one of them: `(T)…`")
            } else {
                self.error(message, place)
            };
            return Err(error);
        };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Ok(expr(kind, INT.clone(), place))
    }

    /// The place that an assignment changes.
    fn modifiable(&mut self, target: Operand, place: Place) -> Checked<(Option<Stmt>, Lvalue)> {
        let (made, lvalue) = match target {
            Operand::Place(lvalue, Constant::No) => (None, lvalue),
            Operand::Temporary(made, lvalue) => (Some(*made), lvalue),
            Operand::Place(lvalue, Constant::Yes) => {
                return Err(self.error("this object is declared `const`", lvalue.place));
            }
            Operand::Value(_)
            | Operand::Function(..)
            | Operand::Library(..)
            | Operand::Text(..) => {
                return Err(self.error("only an object can be changed", place));
            }
        };
        if matches!(lvalue.ty.kind, TypeKind::Array(..)) {
            let note = "assign its elements";
            return Err(self.error_with("an array cannot be assigned", lvalue.place, note));
        }
        self.size(&lvalue.ty, lvalue.place)?;
        Ok((made, lvalue))
    }

    /// `target = value`
    pub(crate) fn assign(&mut self, target: Operand, value: Operand) -> Checked<Operand> {
        let place = to(target.place(), value.place());
        let target_place = target.place();
        let (made, into) = self.modifiable(target, target_place)?;
        let value = self.value(value)?;
        let ty = unqualified(&into.ty);
        if let LvalueKind::Local(local) = into.kind {
            self.fits_register(local, &value)?;
        }
        let value = self.converted(value, &ty, Wanted::Assigned)?;
        let kind = ExprKind::Assign(Box::new(into), Box::new(value));
        Ok(Operand::Value(made_first(made, expr(kind, ty, place))))
    }

    /// `target op= operand`, `++` and `--`.
    pub(crate) fn update(
        &mut self,
        op: BinaryOp,
        target: Operand,
        operand: Operand,
        yields: Yields,
        place: Place,
    ) -> Checked<Operand> {
        let target_place = target.place();
        let (made, into) = self.modifiable(target, target_place)?;
        let operand = self.value(operand)?;
        let ty = unqualified(&into.ty);
        // The types of the operation are those of the expression without the assignment.
        let old = self.loaded(into.clone())?;
        let computed = self.plain(op, old, operand, place)?;
        // What is masked before it is converted, and stored in the smaller type, need not be converted.
        let is_integer = computed.ty.is_integer();
        let computed = if let (ExprKind::Cast(inner), true) = (&computed.kind, is_integer) {
            (**inner).clone()
        } else {
            computed
        };
        let computed_in = computed.ty.clone();
        let fits = ty.is_integer() && computed_in.is_integer()
            || ty.is_float() && computed_in.is_float()
            || ty == computed_in;
        let ExprKind::Binary(op, _, operand) = computed.kind else {
            return Err(self.error("this operation has no meaning on this object", place));
        };
        if !fits {
            let (a, b) = (self.show(&ty), self.show(&computed_in));
            return Err(self.error(format!("`{b}` cannot be assigned to `{a}`"), place));
        }
        let into = Box::new(into);
        let kind = ExprKind::Update {
            op,
            into,
            operand,
            computed_in,
            yields,
        };
        Ok(Operand::Value(made_first(made, expr(kind, ty, place))))
    }

    /// `condition ? then : otherwise`
    pub(crate) fn conditional(
        &mut self,
        condition: Expr,
        then: Operand,
        otherwise: Operand,
    ) -> Checked<Operand> {
        let place = to(condition.place, otherwise.place());
        let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
        let (then, otherwise) = if then.ty.is_integer() && otherwise.ty.is_integer() {
            usual(then, otherwise)
        } else if (then.ty.is_float() || otherwise.ty.is_float())
            && let Some(both) = floating(then.clone(), otherwise.clone())
        {
            both
        } else if then.ty.is_void() || otherwise.ty.is_void() {
            (cast(then, &VOID), cast(otherwise, &VOID))
        } else if then.ty.is_pointer() && is_null(&otherwise) {
            let ty = then.ty.clone();
            (then, cast(otherwise, &ty))
        } else if otherwise.ty.is_pointer() && is_null(&then) {
            let ty = otherwise.ty.clone();
            (cast(then, &ty), otherwise)
        } else if let (Some(a), Some(b)) = (then.ty.pointee(), otherwise.ty.pointee()) {
            let ty = if a == b {
                then.ty.clone()
            } else if alike(&unqualified(a), &unqualified(b)) {
                let mut pointee = a.clone();
                pointee.volatile |= b.volatile;
                pointer(pointee)
            } else {
                if !a.is_void() && !b.is_void() {
                    let (a, b) = (self.show(&then.ty), self.show(&otherwise.ty));
                    self.warn(format!("the result is `{a}` or `{b}`"), place);
                }
                pointer(VOID.clone())
            };
            (cast(then, &ty), cast(otherwise, &ty))
        } else if then.ty == otherwise.ty {
            (then, otherwise)
        } else {
            let (a, b) = (self.show(&then.ty), self.show(&otherwise.ty));
            let message = format!("the result is `{a}` or `{b}`, which have no common type");
            return Err(self.error_with(message, place, "convert one of them: `(T)…`"));
        };
        let ty = then.ty.clone();
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Operand::Value(expr(kind, ty, place)))
    }

    /// GNU C's `value ?: otherwise`, which evaluates the value once.
    pub(crate) fn elvis(&mut self, value: Operand, otherwise: Operand) -> Checked<Operand> {
        let value = self.condition(value)?;
        if super::fold::fold(&value).is_ok() {
            return self.conditional(value.clone(), Operand::Value(value), otherwise);
        }
        let place = value.place;
        let Some((made, lvalue)) = self.temporary(value) else {
            return Err(self.error("this expression is not constant", place));
        };
        let kept = self.value(Operand::Place(lvalue, Constant::No))?;
        let chosen = self.conditional(kept.clone(), Operand::Value(kept), otherwise)?;
        let chosen = self.value(chosen)?;
        Ok(Operand::Value(super::operand::after(made, chosen)))
    }

    /// `first, second`
    pub(crate) fn comma(&mut self, first: Operand, second: Operand) -> Checked<Operand> {
        let (first, second) = (self.value(first)?, self.value(second)?);
        let place = to(first.place, second.place);
        let ty = second.ty.clone();
        let kind = ExprKind::Comma(Box::new(first), Box::new(second));
        Ok(Operand::Value(expr(kind, ty, place)))
    }

    /// `++` and `--`.
    pub(crate) fn step(
        &mut self,
        op: BinaryOp,
        target: Operand,
        yields: Yields,
        place: Place,
    ) -> Checked<Operand> {
        let one = Operand::Value(cast(number(1, place), &INT));
        self.update(op, target, one, yields, place)
    }
}

fn made_first(made: Option<Stmt>, value: Expr) -> Expr {
    match made {
        None => value,
        Some(made) => super::operand::after(made, value),
    }
}

/// The value of the last statement of `({ … })`, or none.
pub(crate) fn statement_value(statements: Vec<Stmt>, place: Place) -> Operand {
    let ty = match statements.last().map(|last| &last.kind) {
        Some(StmtKind::Expr(value)) => value.ty.clone(),
        _ => VOID.clone(),
    };
    Operand::Value(expr(ExprKind::Statement(statements), ty, place))
}

fn spelled(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add | BinaryOp::PointerAdd => "+",
        BinaryOp::Sub | BinaryOp::PointerSub | BinaryOp::PointerDiff => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}
