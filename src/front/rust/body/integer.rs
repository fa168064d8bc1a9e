//! Methods of integers.

mod number;

use super::build::{and, binary, cast, compare, constant, expr, known, not, sequence};
use super::method::Method;
use super::{Body, Val};
use crate::lower::direct;
use crate::lower::typed::{BinaryOp, Expr as Node, ExprKind, Initialised, Step, Stmt, StmtKind};
use crate::rust::source::implied;
use crate::rust::types::{Ptr, Ty, U32};
use crate::rust::unit::{Res, void};
use crate::text::Place;
use number::{Number, either, operation};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    pub(super) fn integer_method(&mut self, value: Val, of: &Method<'_, 'a>) -> Res<Option<Val>> {
        if of.name == "clone" && of.arguments.is_empty() {
            return Ok(Some(value));
        }
        let place = of.place;
        let ty = value.ty.clone();
        let Ty::Int { bits, signed, .. } = self.infer.settled(&ty) else {
            return Ok(None);
        };
        let mut stmts = Vec::new();
        let mut number = Number {
            e: value.e,
            ty: self.infer.settled(&ty),
            signed,
            place,
        };
        let given: Vec<&'a Expr> = of.arguments.iter().collect();
        let first = number.e.clone();
        let hold = |body: &mut Self, stmts: &mut Vec<Stmt>| body.hold(first.clone(), &ty, stmts);
        let made = match (of.name.split_once('_'), of.name, &given[..]) {
            (_, "into", []) => {
                let Some(wanted) = of.want.map(|ty| self.infer.shallow(ty)) else {
                    return Ok(None);
                };
                if !matches!(wanted, Ty::Int { .. }) {
                    return Ok(None);
                }
                let e = cast(number.e, self.typed(&wanted));
                return Ok(Some(Val { e, ty: wanted }));
            }
            (_, "min" | "max", [b]) => {
                number.e = hold(self, &mut stmts);
                let b = self.argument(b, &ty, &mut stmts)?;
                // Where both are equal, they are the same number.
                let is_less = number.is(BinaryOp::Lt, number.e.clone(), b.clone());
                let e = if of.name == "min" {
                    either(is_less, number.e, b)
                } else {
                    either(is_less, b, number.e)
                };
                Val { e, ty }
            }
            (_, "clamp", [low, high]) => {
                number.e = hold(self, &mut stmts);
                let low = self.argument(low, &ty, &mut stmts)?;
                let high = self.argument(high, &ty, &mut stmts)?;
                let is_range = number.is(BinaryOp::Le, low.clone(), high.clone());
                let check = known(&direct::ASSERT, vec![is_range], void(), place);
                stmts.push(Self::effect(check));
                let above = number.is(BinaryOp::Gt, number.e.clone(), high.clone());
                let below = number.is(BinaryOp::Lt, number.e.clone(), low.clone());
                let e = either(below, low, either(above, high, number.e));
                Val { e, ty }
            }
            (_, "cmp" | "partial_cmp", [b]) => {
                number.e = hold(self, &mut stmts);
                let b = self.expr_as(b, &Ty::pointer(Ptr::Ref, ty.clone()))?;
                let b = self.through(b);
                let b = self.hold(b.e, &ty, &mut stmts);
                let word = |value| constant(value, super::build::word(), place);
                let is_less = number.is(BinaryOp::Lt, number.e.clone(), b.clone());
                let is_equal = number.is(BinaryOp::Eq, number.e.clone(), b);
                let e = either(is_less, word(-1), either(is_equal, word(0), word(1)));
                if of.name == "cmp" {
                    Val {
                        e,
                        ty: Ty::Ordering,
                    }
                } else {
                    let ty = self.t.option(Ty::Ordering);
                    let tag = super::build::truth(true, place);
                    let e = self.tagged(&ty, tag, e, place);
                    Val { e, ty }
                }
            }
            (Some(("wrapping", op)), _, [b]) if operation(op).is_some() => {
                let op = operation(op).unwrap_or(BinaryOp::Add);
                let b = self.expr_as(b, &ty)?;
                let value = Val { e: first, ty };
                let value = self.before(value, &[&b.e], &mut stmts);
                self.computed(op, false, value, b, place, of.span.clone())?
            }
            (Some((how, op)), _, [b]) if operation(op).is_some() => {
                let op = operation(op).unwrap_or(BinaryOp::Add);
                number.e = hold(self, &mut stmts);
                let b = self.argument(b, &ty, &mut stmts)?;
                let result = number.op(op, number.e.clone(), b.clone());
                let result = self.hold(result, &ty, &mut stmts);
                let leaves = number.leaves(op, &result, &b);
                match how {
                    "checked" => self.checked(leaves, result, ty, place),
                    "overflowing" => self.pair((result, ty), leaves, place),
                    "saturating" => {
                        let e = Self::saturated(&number, op, &b, leaves, result);
                        Val { e, ty }
                    }
                    _ => return Ok(None),
                }
            }
            (_, "checked_div" | "checked_rem", [b]) => {
                number.e = hold(self, &mut stmts);
                let b = self.argument(b, &ty, &mut stmts)?;
                let zero = number.constant(0);
                let mut fails = number.is(BinaryOp::Eq, b.clone(), zero.clone());
                if signed {
                    let inverts = number.is(BinaryOp::Eq, b.clone(), number.constant(-1));
                    let is_least = number.is(BinaryOp::Eq, number.e.clone(), number.least());
                    fails = super::build::or(fails, and(inverts, is_least));
                }
                let op = if of.name == "checked_div" {
                    BinaryOp::Div
                } else {
                    BinaryOp::Rem
                };
                let result = number.op(op, number.e.clone(), b);
                let result = either(fails.clone(), zero, result);
                let result = self.hold(result, &ty, &mut stmts);
                self.checked(fails, result, ty, place)
            }
            (_, "rem_euclid", [b]) => {
                number.e = hold(self, &mut stmts);
                let b = self.argument(b, &ty, &mut stmts)?;
                let rest = ExprKind::Checked(
                    BinaryOp::Rem,
                    Box::new(number.e.clone()),
                    Box::new(b.clone()),
                );
                let rest = expr(rest, number.e.ty.clone(), place);
                let rest = self.hold(rest, &ty, &mut stmts);
                if !signed {
                    return Ok(Some(Val {
                        e: sequence(stmts, rest),
                        ty,
                    }));
                }
                let up = number.op(BinaryOp::Add, rest.clone(), b.clone());
                let down = number.op(BinaryOp::Sub, rest.clone(), b.clone());
                let other = either(number.is_negative(b), down, up);
                let e = either(number.is_negative(rest.clone()), other, rest);
                Val { e, ty }
            }
            (_, "wrapping_shl" | "wrapping_shr", [by]) => {
                let by = self.expr_as(by, &U32)?;
                let value = Val { e: first, ty };
                let value = self.before(value, &[&by.e], &mut stmts);
                let mask = constant(i64::from(bits) - 1, by.e.ty.clone(), place);
                let by_ty = by.e.ty.clone();
                let by = binary(BinaryOp::BitAnd, by.e, mask, by_ty, place);
                let op = if of.name == "wrapping_shl" {
                    BinaryOp::Shl
                } else {
                    BinaryOp::Shr
                };
                let e = number.op(op, value.e, by);
                Val { e, ty: value.ty }
            }
            (_, "abs_diff", [b]) => {
                number.e = hold(self, &mut stmts);
                let b = self.argument(b, &ty, &mut stmts)?;
                let is_less = number.is(BinaryOp::Lt, number.e.clone(), b.clone());
                let up = number.op(BinaryOp::Sub, b.clone(), number.e.clone());
                let down = number.op(BinaryOp::Sub, number.e.clone(), b);
                self.unsigned(either(is_less, up, down), &number)
            }
            (_, "wrapping_neg", []) => Val {
                e: number.op(BinaryOp::Sub, number.constant(0), first),
                ty,
            },
            (_, "abs", []) if signed => {
                number.e = hold(self, &mut stmts);
                let zero = Val {
                    e: number.constant(0),
                    ty: ty.clone(),
                };
                let own = Val {
                    e: number.e.clone(),
                    ty,
                };
                let span = of.span.clone();
                let negated = self.computed(BinaryOp::Sub, true, zero, own, place, span)?;
                let e = either(number.is_negative(number.e.clone()), negated.e, number.e);
                Val { e, ty: negated.ty }
            }
            (_, "wrapping_abs" | "unsigned_abs", []) if signed => {
                number.e = hold(self, &mut stmts);
                let negated = number.op(BinaryOp::Sub, number.constant(0), number.e.clone());
                let is_negative = number.is_negative(number.e.clone());
                let e = either(is_negative, negated, number.e.clone());
                if of.name == "unsigned_abs" {
                    self.unsigned(e, &number)
                } else {
                    Val { e, ty }
                }
            }
            (_, "signum", []) if signed => {
                number.e = hold(self, &mut stmts);
                let is_positive = number.is(BinaryOp::Gt, number.e.clone(), number.constant(0));
                let other = either(is_positive, number.constant(1), number.constant(0));
                let is_negative = number.is_negative(number.e.clone());
                let e = either(is_negative, number.constant(-1), other);
                Val { e, ty }
            }
            (_, "is_negative", []) if signed => Val {
                e: number.is_negative(first),
                ty: Ty::Bool,
            },
            (_, "is_positive", []) if signed => Val {
                e: number.is(BinaryOp::Gt, first, number.constant(0)),
                ty: Ty::Bool,
            },
            (_, "is_power_of_two", []) if !signed => {
                number.e = hold(self, &mut stmts);
                let less = number.op(BinaryOp::Sub, number.e.clone(), number.constant(1));
                let both = number.op(BinaryOp::BitAnd, number.e.clone(), less);
                let is_one = number.is(BinaryOp::Eq, both, number.constant(0));
                let is_some = number.is(BinaryOp::Ne, number.e.clone(), number.constant(0));
                Val {
                    e: and(is_some, is_one),
                    ty: Ty::Bool,
                }
            }
            (_, "count_ones" | "leading_zeros" | "trailing_zeros", []) => {
                let own = self.unsigned(first, &number);
                number.e = self.hold(own.e, &own.ty, &mut stmts);
                let typed = self.typed(&U32);
                let count = |value: u8| constant(i64::from(value), typed.clone(), place);
                let bit = |at: u8| {
                    let mask = number.constant(1 << at);
                    let bit = number.op(BinaryOp::BitAnd, number.e.clone(), mask);
                    number.is(BinaryOp::Ne, bit, number.constant(0))
                };
                let e = match of.name {
                    "count_ones" => (0..bits).fold(count(0), |sum, at| {
                        let one = cast(bit(at), typed.clone());
                        binary(BinaryOp::Add, sum, one, typed.clone(), place)
                    }),
                    // The bits that are looked at first are the outermost branches.
                    "leading_zeros" => (0..bits).fold(count(bits), |other, at| {
                        either(bit(at), count(bits - 1 - at), other)
                    }),
                    _ => (0..bits)
                        .rev()
                        .fold(count(bits), |other, at| either(bit(at), count(at), other)),
                };
                Val { e, ty: U32 }
            }
            (_, "rotate_left" | "rotate_right", [by]) => {
                let own = self.unsigned(first, &number);
                number.e = self.hold(own.e, &own.ty, &mut stmts);
                let by = self.argument(by, &U32, &mut stmts)?;
                let by_ty = by.ty.clone();
                let word = |op, a, b| binary(op, a, b, by_ty.clone(), place);
                let of_bits = |value: u8| constant(i64::from(value), by_ty.clone(), place);
                let by = word(BinaryOp::BitAnd, by, of_bits(bits - 1));
                let back = word(BinaryOp::Sub, of_bits(bits), by.clone());
                let back = word(BinaryOp::BitAnd, back, of_bits(bits - 1));
                let (left, right) = if of.name == "rotate_left" {
                    (by, back)
                } else {
                    (back, by)
                };
                let high = number.op(BinaryOp::Shl, number.e.clone(), left);
                let low = number.op(BinaryOp::Shr, number.e.clone(), right);
                let both = number.op(BinaryOp::BitOr, high, low);
                let e = cast(both, self.typed(&ty));
                Val { e, ty }
            }
            (_, "pow" | "wrapping_pow", [times]) => {
                let context = self.here();
                // The number of factors has to be in the text.
                let Expr::Lit(_) = super::control::without_brackets(times) else {
                    return Ok(None);
                };
                let times = self.t.constant(times, &context)?;
                number.e = hold(self, &mut stmts);
                let mut value = Val {
                    e: number.constant(1),
                    ty: ty.clone(),
                };
                for _ in 0..times.min(128) {
                    let own = Val {
                        e: number.e.clone(),
                        ty: ty.clone(),
                    };
                    let checks = of.name == "pow";
                    let span = of.span.clone();
                    value = self.computed(BinaryOp::Mul, checks, value, own, place, span)?;
                }
                if times > 128 {
                    return self.error("a power this high is not supported", of.span.clone());
                }
                value
            }
            _ => return Ok(None),
        };
        Ok(Some(Val {
            e: sequence(stmts, made.e),
            ty: made.ty,
        }))
    }

    /// An argument of this type, evaluated now.
    fn argument(&mut self, e: &'a Expr, ty: &Ty, stmts: &mut Vec<Stmt>) -> Res<Node> {
        let value = self.expr_as(e, ty)?;
        Ok(self.hold(value.e, ty, stmts))
    }

    /// A number as one of the unsigned type of the same size.
    fn unsigned(&mut self, e: Node, number: &Number) -> Val {
        let ty = match number.ty {
            Ty::Int { bits, size, .. } => Ty::Int {
                bits,
                signed: false,
                size,
            },
            _ => number.ty.clone(),
        };
        let e = cast(e, self.typed(&ty));
        Val { e, ty }
    }

    fn saturated(number: &Number, op: BinaryOp, b: &Node, leaves: Node, result: Node) -> Node {
        let negative = number.is_negative(number.e.clone());
        let end = match (number.signed, op) {
            (false, BinaryOp::Sub) => number.constant(0),
            (false, _) => number.most(),
            (true, BinaryOp::Mul) => {
                let differ = number.is(BinaryOp::Ne, negative, number.is_negative(b.clone()));
                either(differ, number.least(), number.most())
            }
            (true, _) => either(negative, number.least(), number.most()),
        };
        either(leaves, end, result)
    }

    /// `None` if this fails, else `Some` of the result.
    fn checked(&mut self, fails: Node, result: Node, ty: Ty, place: Place) -> Val {
        let ty = self.t.option(ty);
        let e = self.tagged(&ty, not(fails), result, place);
        Val { e, ty }
    }

    fn pair(&mut self, first: (Node, Ty), second: Node, place: Place) -> Val {
        let ty = Ty::Tuple(vec![first.1, Ty::Bool]);
        let values = vec![
            (vec![Step::Member(0)], first.0),
            (vec![Step::Member(1)], second),
        ];
        let (id, pl) = self.temporary(&ty, place);
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        let set = super::build::stmt(kind, implied(place));
        Val {
            e: sequence(vec![set], super::build::load(pl.lvalue, place)),
            ty,
        }
    }

    /// `u64::from(e)`, `u8::try_from(e)`
    pub(super) fn integer_from(
        &mut self,
        ty: &Ty,
        name: &str,
        e: &'a Expr,
        place: Place,
    ) -> Res<Option<Val>> {
        let value = self.expr(e, None)?;
        Ok(self.integer_from_value(ty, name, value, place))
    }

    /// The same of a value.
    pub(super) fn integer_from_value(
        &mut self,
        ty: &Ty,
        name: &str,
        value: Val,
        place: Place,
    ) -> Option<Val> {
        let from = self.infer.shallow(&value.ty);
        let is_number =
            self.infer.is_integer(&from) || from == Ty::Bool || from == Ty::Char && name == "from";
        let (Some((least, most)), true) = (ty.range(), is_number) else {
            return None;
        };
        let typed = self.typed(ty);
        if name == "from" {
            let e = cast(value.e, typed);
            return Some(Val { e, ty: ty.clone() });
        }
        let mut stmts = Vec::new();
        let own = self.hold(value.e, &from, &mut stmts);
        let range = self.infer.settled(&from).range().unwrap_or_default();
        let mut fits = super::build::truth(true, place);
        for (op, end) in [(BinaryOp::Ge, least), (BinaryOp::Le, most)] {
            // Ends that the type does not reach hold of themselves.
            if (range.0..=range.1).contains(&end) {
                let end = constant(end as i64, own.ty.clone(), place);
                fits = and(fits, compare(op, own.clone(), end, place));
            }
        }
        let result = self.t.result(ty.clone(), Ty::Unit);
        let e = self.tagged(&result, not(fits), cast(own, typed), place);
        Some(Val {
            e: sequence(stmts, e),
            ty: result,
        })
    }
}
