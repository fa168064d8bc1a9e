//! Operators, assignments, conversions.
//!
//! As in debug builds, it is a violation if the result of `+`, `-` or `*` is not a value of its type;
//! with wrapping arithmetic, as in release builds, it is reduced to one, and so is the number of bits
//! that a value is shifted by. A quotient that does not exist is a violation in both.

use super::build::{and, cast, constant, declare, deref, expr, load, not, or, sequence};
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, ExprKind, Stmt};
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::{BinOp, Expr};

/// The operator, and whether it may leave its type.
pub(super) fn arithmetic(op: &BinOp) -> Option<(BinaryOp, bool)> {
    Some(match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => (BinaryOp::Add, true),
        BinOp::Sub(_) | BinOp::SubAssign(_) => (BinaryOp::Sub, true),
        BinOp::Mul(_) | BinOp::MulAssign(_) => (BinaryOp::Mul, true),
        BinOp::Div(_) | BinOp::DivAssign(_) => (BinaryOp::Div, false),
        BinOp::Rem(_) | BinOp::RemAssign(_) => (BinaryOp::Rem, false),
        BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => (BinaryOp::BitAnd, false),
        BinOp::BitOr(_) | BinOp::BitOrAssign(_) => (BinaryOp::BitOr, false),
        BinOp::BitXor(_) | BinOp::BitXorAssign(_) => (BinaryOp::BitXor, false),
        BinOp::Shl(_) | BinOp::ShlAssign(_) => (BinaryOp::Shl, true),
        BinOp::Shr(_) | BinOp::ShrAssign(_) => (BinaryOp::Shr, true),
        _ => return None,
    })
}

/// Whether the result goes to the left operand.
pub(super) fn assigns(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

fn comparison(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Gt(_) => BinaryOp::Gt,
        BinOp::Ge(_) => BinaryOp::Ge,
        _ => return None,
    })
}

/// Whether the value of an expression is that of a block.
fn is_control(e: &Expr) -> bool {
    matches!(
        super::control::without_brackets(e),
        Expr::Block(_) | Expr::Unsafe(_) | Expr::If(_) | Expr::Match(_) | Expr::Loop(_)
    )
}

impl<'a> Body<'_, 'a> {
    pub(super) fn binary(&mut self, e: &'a syn::ExprBinary, want: Option<&Ty>) -> Res<Val> {
        let place = at(e);
        match e.op {
            BinOp::And(_) | BinOp::Or(_) => {
                let a = self.with_temps(|body| body.expr_as(&e.left, &Ty::Bool))?;
                let b = self.with_temps(|body| body.expr_as(&e.right, &Ty::Bool))?;
                let both = if matches!(e.op, BinOp::And(_)) {
                    and(a.e, b.e)
                } else {
                    or(a.e, b.e)
                };
                return Ok(Val {
                    e: typed::Expr { place, ..both },
                    ty: Ty::Bool,
                });
            }
            _ => {}
        }
        if let Some(op) = comparison(&e.op) {
            // What is compared with a number has its type.
            let a = self.looked_at(&e.left, None)?;
            let b = self.looked_at(&e.right, self.wanted_beside(&a.ty))?;
            let mut stmts = Vec::new();
            let a = self.before(a, &[&b.e], &mut stmts);
            let value = self.compared(op, a, b, place, span(e))?;
            return Ok(Val {
                e: sequence(stmts, value.e),
                ty: value.ty,
            });
        }
        if assigns(&e.op) {
            return self.compound(e, place);
        }
        let Some((op, may_leave)) = arithmetic(&e.op) else {
            return self.error("this operator is not supported", span(e));
        };
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        // The result of an operator of the text may be of another type.
        let number = want.filter(|ty| self.infer.is_integer(ty) && !is_control(&e.left));
        let a = self.expr(&e.left, number)?;
        let is_own = self.is_own(&a.ty);
        let number = self.through_number(&a.ty);
        let b = self.expr(
            &e.right,
            if shifts || is_own {
                None
            } else {
                Some(&number)
            },
        )?;
        let a = if is_own || self.is_own(&b.ty) {
            let mut stmts = Vec::new();
            let a = self.before(a, &[&b.e], &mut stmts);
            if let Some(value) = self.operated(&e.op, a.clone(), b.clone(), want, place)? {
                return Ok(Val {
                    e: sequence(stmts, value.e),
                    ty: value.ty,
                });
            }
            a
        } else {
            a
        };
        let a = self.through(a);
        let b = self.through(b);
        if !shifts {
            self.unify(&a.ty, &b.ty, span(&e.right))?;
        }
        let mut stmts = Vec::new();
        let a = self.before(a, &[&b.e], &mut stmts);
        let value = self.computed(op, may_leave, a, b, place, span(e))?;
        Ok(Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        })
    }

    /// An operand that is not moved: a value without a place ends with the expression around.
    pub(super) fn looked_at(&mut self, e: &'a Expr, want: Option<&Ty>) -> Res<Val> {
        if self.is_place(e) {
            let pl = self.place(e)?;
            if self.needs_drop(&pl.ty) {
                return Ok(Val {
                    e: load(pl.lvalue, at(e)),
                    ty: pl.ty,
                });
            }
            return self.load_place(pl, e, at(e));
        }
        let value = self.expr(e, want)?;
        if !self.needs_drop(&value.ty) {
            return Ok(value);
        }
        let pl = self.keep(value, &span(e))?;
        Ok(Val {
            e: load(pl.lvalue, at(e)),
            ty: pl.ty,
        })
    }

    /// The type of what a reference to a number refers to.
    fn through_number(&self, ty: &Ty) -> Ty {
        match self.infer.shallow(ty) {
            Ty::Ptr(Ptr::Ref, to) => *to,
            ty => ty,
        }
    }

    /// What a reference refers to, where a number is needed.
    pub(super) fn through(&mut self, value: Val) -> Val {
        match self.infer.shallow(&value.ty) {
            Ty::Ptr(Ptr::Ref, to) => {
                let place = value.e.place;
                Val {
                    e: load(deref(value.e, place), place),
                    ty: *to,
                }
            }
            _ => value,
        }
    }

    /// `a op b`
    pub(super) fn computed(
        &mut self,
        op: BinaryOp,
        may_leave: bool,
        a: Val,
        b: Val,
        place: Place,
        of: Span,
    ) -> Res<Val> {
        let is_bits = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        let ty = self.infer.shallow(&a.ty);
        let is_boolean = ty == Ty::Bool;
        if !(self.infer.is_integer(&ty) || is_boolean && is_bits) {
            let shown = self.t.shown(&self.infer.deep(&ty));
            return self.refuse(
                format!("this operator is not supported for `{shown}`"),
                of,
                "integers have it, types whose `impl` of it is in the text, and the operators of bits, booleans too",
            );
        }
        let typed = self.typed(&ty);
        let wraps = self.t.options.wraps;
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let checks = divides || may_leave && !wraps;
        let b = match self.infer.settled(&ty) {
            Ty::Int { bits, .. } if wraps && matches!(op, BinaryOp::Shl | BinaryOp::Shr) => {
                // The lower bits of the number say by how much is shifted.
                let mask = constant(i64::from(bits) - 1, b.e.ty.clone(), place);
                let by = b.e.ty.clone();
                super::build::binary(BinaryOp::BitAnd, b.e, mask, by, place)
            }
            _ => b.e,
        };
        let (a, b) = (Box::new(a.e), Box::new(b));
        let kind = if checks {
            ExprKind::Checked(op, a, b)
        } else {
            ExprKind::Binary(op, a, b)
        };
        Ok(Val {
            e: expr(kind, typed, place),
            ty,
        })
    }

    /// Puts a value into a variable.
    pub(super) fn spill(&mut self, value: Val, stmts: &mut Vec<Stmt>) -> Pl {
        let place = value.e.place;
        let (id, pl) = self.temporary(&value.ty, place);
        if value.e.ty.is_void() {
            stmts.push(Self::effect(value.e));
        } else {
            stmts.push(declare(id, vec![(Vec::new(), value.e)], implied(place)));
        }
        pl
    }

    // One operand.

    pub(super) fn negated(&mut self, e: &'a syn::ExprUnary, want: Option<&Ty>) -> Res<Val> {
        let place = at(e);
        let want = want.filter(|ty| self.infer.is_integer(ty));
        if let Expr::Lit(of) = &*e.expr {
            let mut value = self.literal(&of.lit, want, true)?;
            value.e.place = place;
            return Ok(value);
        }
        let value = self.expr(&e.expr, want)?;
        if let Some(value) = self.operated_alone(("Neg", "neg"), &value, want, place)? {
            return Ok(value);
        }
        let value = self.through(value);
        let typed = self.typed(&value.ty);
        let zero = Val {
            e: constant(0, typed, place),
            ty: value.ty.clone(),
        };
        self.computed(BinaryOp::Sub, true, zero, value, place, span(e))
    }

    pub(super) fn inverted(&mut self, e: &'a syn::ExprUnary, want: Option<&Ty>) -> Res<Val> {
        let place = at(e);
        let want = want.filter(|ty| self.infer.is_integer(ty));
        let value = self.expr(&e.expr, want)?;
        if let Some(value) = self.operated_alone(("Not", "not"), &value, want, place)? {
            return Ok(value);
        }
        let value = self.through(value);
        let ty = self.infer.shallow(&value.ty);
        if ty == Ty::Bool {
            let e = typed::Expr {
                place,
                ..not(value.e)
            };
            return Ok(Val { e, ty });
        }
        let settled = self.infer.settled(&ty);
        let typed = self.typed(&ty);
        let ones = match settled {
            Ty::Int { signed: true, .. } | Ty::Int { bits: 64, .. } => -1,
            Ty::Int { bits, .. } => (1_i64 << bits) - 1,
            _ => 0,
        };
        let ones = Val {
            e: constant(ones, typed, place),
            ty: ty.clone(),
        };
        self.computed(BinaryOp::BitXor, false, value, ones, place, span(e))
    }

    pub(super) fn cast(&mut self, e: &'a syn::ExprCast) -> Res<Val> {
        let place = at(e);
        let to = self.written(&e.ty)?;
        let want = match &*e.expr {
            Expr::Lit(_) => Some(&to),
            _ => None,
        };
        let value = self.expr(&e.expr, want.filter(|ty| self.infer.is_integer(ty)))?;
        let from = self.infer.shallow(&value.ty);
        let target = self.infer.shallow(&to);
        if let Ty::Var(_) = target {
            self.unify(&to, &from, span(e))?;
            return Ok(value);
        }
        let typed = self.typed(&target);
        match (&from, &target) {
            (Ty::Int { bits: 8, .. }, Ty::Char) => Ok(Val {
                e: typed::Expr {
                    place,
                    ..cast(value.e, typed)
                },
                ty: target,
            }),
            (_, Ty::Int { .. })
                if self.infer.is_integer(&from)
                    || from != Ty::Ordering
                        && self.is_scalar(&from)
                        && !matches!(from, Ty::Ptr(..)) =>
            {
                Ok(Val {
                    e: typed::Expr {
                        place,
                        ..cast(value.e, typed)
                    },
                    ty: target,
                })
            }
            (Ty::Ptr(_, _), Ty::Ptr(_, b)) => {
                let b = (**b).clone();
                self.no_other_number(&value.ty, &b, &span(e))?;
                if let Some(first) = self.first_of(&value, &b, place) {
                    return Ok(first);
                }
                let pointer = Ty::pointer(Ptr::Raw, b.clone());
                let value = self.coerce(value, &pointer, span(e))?;
                Ok(Val {
                    e: value.e,
                    ty: pointer,
                })
            }
            _ if from == target => Ok(value),
            _ => {
                let (from, to) = (
                    self.t.shown(&self.infer.deep(&from)),
                    self.t.shown(&self.infer.deep(&target)),
                );
                let note = match (&value.ty, &target) {
                    (Ty::Ptr(..), _) => {
                        "an address is not a number here: keep the pointer itself, in an `AtomicPtr` if it is shared, \
                         and a mark beside it"
                    }
                    (_, Ty::Ptr(..)) => {
                        "no variable has a given address: make a `static` of what is there"
                    }
                    _ => "those between integers and from booleans are",
                };
                self.refuse(
                    format!("a conversion from `{from}` to `{to}` is not supported"),
                    span(e),
                    note,
                )
            }
        }
    }

    /// A pointer to a number is not converted to one to a number of another type: it would be a part of the first one, or more.
    fn no_other_number(&mut self, from: &Ty, to: &Ty, of: &Span) -> Res<()> {
        let Ty::Ptr(_, from) = self.infer.shallow(from) else {
            return Ok(());
        };
        let bits = |ty: &Ty| match self.infer.deep(ty) {
            Ty::Atomic(of) => match *of {
                Ty::Int { bits, .. } => Some(bits),
                _ => None,
            },
            Ty::Int { bits, .. } => Some(bits),
            _ => None,
        };
        match (bits(&from), bits(to)) {
            (Some(a), Some(b)) if a != b => {
                let (from, to) = (self.t.shown(&from), self.t.shown(to));
                self.refuse(
                    format!("a pointer to `{from}` is not converted to one to `{to}`"),
                    of.clone(),
                    "access the whole number, and take a part of it by shifts",
                )
            }
            _ => Ok(()),
        }
    }

    /// `&e`
    pub(super) fn reference(
        &mut self,
        e: &'a Expr,
        is_mutable: bool,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let slice = if is_mutable {
            self.written_at(|body| body.part_of_slice(e, place))?
        } else {
            self.part_of_slice(e, place)?
        };
        if let Some(slice) = slice {
            return Ok(slice);
        }
        let inner = match want.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Ptr(_, to)) => Some(*to).filter(|to| self.object_of(to).is_none()),
            _ => None,
        };
        let pl = if self.is_place(e) {
            if is_mutable {
                self.written_at(|body| body.place(e))?
            } else {
                self.place(e)?
            }
        } else {
            let value = self.expr(e, inner.as_ref())?;
            if value.e.ty.is_void() {
                // A reference to nothing has no address that matters.
                let (_, pl) = self.temporary(&Ty::Bool, place);
                let address = self.address_of(pl.lvalue, place);
                return Ok(Val {
                    e: sequence(vec![Self::effect(value.e)], address),
                    ty: Ty::pointer(Ptr::Ref, value.ty),
                });
            }
            self.keep(value, &span(e))?
        };
        let address = self.borrowed(&pl, place);
        Ok(Val {
            e: address,
            ty: Ty::pointer(Ptr::Ref, pl.ty),
        })
    }
}
