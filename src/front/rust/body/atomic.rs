//! Operations on atomics.

use super::build::{
    assign, block, compare, constant, declare, expr, known, load, sequence, stmt, truth, word,
};
use super::method::Method;
use super::order::assigns;
use super::path::order_number;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, ExprKind, Stmt, StmtKind};
use crate::lower::{
    direct,
    operation::{Operation, Order},
};
use crate::rust::source::implied;
use crate::rust::types::Ty;
use crate::rust::unit::{Res, TAG, payload, void};
use crate::text::Place;
use syn::Expr;

/// The operations whose result is computed from the value before and the argument.
enum Fetch {
    /// By one instruction.
    Operation(&'static Operation),
    /// By a loop of compare-exchanges.
    Max,
    Min,
    Nand,
}

/// A maximum or minimum with an extreme value of the type changes nothing, or stores that value: compilers treat it as they
/// treat `fetch_or(0)` and `swap`.
fn extreme(fetch: Fetch, operand: Val, ty: &Ty) -> (Fetch, Val) {
    let (ExprKind::Const(known), Some((least, most))) = (&operand.e.kind, ty.range()) else {
        return (fetch, operand);
    };
    let known = i128::from(*known);
    let known = if least == 0 && known < 0 {
        known + (1 << 64)
    } else {
        known
    };
    let (same, other) = match fetch {
        Fetch::Max => (least, most),
        Fetch::Min => (most, least),
        Fetch::Operation(_) | Fetch::Nand => return (fetch, operand),
    };
    if known == same {
        let mut none = operand;
        none.e.kind = ExprKind::Const(0);
        (Fetch::Operation(&direct::FETCH_OR), none)
    } else if known == other {
        (Fetch::Operation(&direct::SWAP), operand)
    } else {
        (fetch, operand)
    }
}

impl<'a> Body<'_, 'a> {
    pub(super) fn atomic_method(
        &mut self,
        pl: &Pl,
        of_what: &Ty,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let typed = self.typed(of_what);
        let value = |e, ty: &Ty| Some(Val { e, ty: ty.clone() });
        let fetch = match of.name {
            "load" => {
                let arguments = self.exactly(of, 1)?;
                let order = self.expr_as(arguments[0], &Ty::Ordering)?;
                let object = self.address_of(pl.lvalue.clone(), place);
                let e = known(&direct::LOAD, vec![object, order.e], typed, place);
                return Ok(value(e, of_what));
            }
            "unsync_load" => {
                self.exactly(of, 0)?;
                let object = self.address_of(pl.lvalue.clone(), place);
                let order = constant(order_number(Order::Relaxed), word(), place);
                let e = known(&direct::LOAD, vec![object, order], typed, place);
                return Ok(value(e, of_what));
            }
            "store" => {
                let arguments = self.exactly(of, 2)?;
                let object = self.address_of(pl.lvalue.clone(), place);
                let new = self.expr_as(arguments[0], of_what)?;
                let order = self.expr_as(arguments[1], &Ty::Ordering)?;
                let e = known(&direct::STORE, vec![object, new.e, order.e], void(), place);
                return Ok(value(e, &Ty::Unit));
            }
            "compare_exchange" | "compare_exchange_weak" => {
                let mut stmts = Vec::new();
                let (old, expected) = self.compare_exchange(pl, of_what, of, &mut stmts)?;
                let old = self.hold(old, of_what, &mut stmts);
                let failed = compare(BinaryOp::Ne, old.clone(), expected, place);
                let ty = self.t.result(of_what.clone(), of_what.clone());
                let e = self.tagged(&ty, failed, old, place);
                return Ok(value(sequence(stmts, e), &ty));
            }
            "fetch_update" => return self.fetch_update(pl, of_what, of).map(Some),
            "get_mut" => {
                self.exactly(of, 0)?;
                let mut lvalue = pl.lvalue.clone();
                lvalue.ty.atomic = false;
                let e = self.address_of(lvalue, place);
                return Ok(value(
                    e,
                    &Ty::pointer(crate::rust::types::Ptr::Ref, of_what.clone()),
                ));
            }
            "into_inner" => {
                self.exactly(of, 0)?;
                return Ok(value(load(pl.lvalue.clone(), place), of_what));
            }
            "swap" => Fetch::Operation(&direct::SWAP),
            "fetch_add" if *of_what != Ty::Bool => Fetch::Operation(&direct::FETCH_ADD),
            "fetch_sub" if *of_what != Ty::Bool => Fetch::Operation(&direct::FETCH_SUB),
            "fetch_and" => Fetch::Operation(&direct::FETCH_AND),
            "fetch_or" => Fetch::Operation(&direct::FETCH_OR),
            "fetch_xor" => Fetch::Operation(&direct::FETCH_XOR),
            "fetch_nand" => Fetch::Nand,
            "fetch_max" => Fetch::Max,
            "fetch_min" => Fetch::Min,
            _ => return Ok(None),
        };
        let arguments = self.exactly(of, 2)?;
        let object = self.address_of(pl.lvalue.clone(), place);
        let operand = self.expr_as(arguments[0], of_what)?;
        let order = self.expr_as(arguments[1], &Ty::Ordering)?;
        let (fetch, operand) = extreme(fetch, operand, of_what);
        let e = match fetch {
            Fetch::Operation(entry) => known(entry, vec![object, operand.e, order.e], typed, place),
            Fetch::Max | Fetch::Min | Fetch::Nand => {
                let mut stmts = Vec::new();
                let operand = self.hold(operand.e, of_what, &mut stmts);
                let order = self.hold(order.e, &Ty::Ordering, &mut stmts);
                let update = |old: typed::Expr| {
                    let is_first = |op| compare(op, old.clone(), operand.clone(), place);
                    let choose = |condition| {
                        let (a, b) = (Box::new(old.clone()), Box::new(operand.clone()));
                        let kind = ExprKind::Conditional(Box::new(condition), a, b);
                        expr(kind, old.ty.clone(), place)
                    };
                    match fetch {
                        Fetch::Max => choose(is_first(BinaryOp::Ge)),
                        Fetch::Min => choose(is_first(BinaryOp::Le)),
                        Fetch::Nand | Fetch::Operation(_) => {
                            Self::nand(&old, &operand, of_what, place)
                        }
                    }
                };
                self.update_loop(&object, of_what, &order, update, stmts, place)
            }
        };
        Ok(value(e, of_what))
    }

    fn nand(a: &typed::Expr, b: &typed::Expr, ty: &Ty, place: Place) -> typed::Expr {
        let typed = a.ty.clone();
        let both =
            super::build::binary(BinaryOp::BitAnd, a.clone(), b.clone(), typed.clone(), place);
        let (least, most) = ty.range().unwrap_or_default();
        // All bits set: -1, or the greatest unsigned number.
        let ones = if least < 0 { -1 } else { most as i64 };
        let ones = constant(ones, typed.clone(), place);
        super::build::binary(BinaryOp::BitXor, both, ones, typed, place)
    }

    /// A loop that tries to replace the value until no other thread comes in between; the value before.
    fn update_loop(
        &mut self,
        object: &typed::Expr,
        of_what: &Ty,
        order: &typed::Expr,
        update: impl FnOnce(typed::Expr) -> typed::Expr,
        mut stmts: Vec<Stmt>,
        place: Place,
    ) -> typed::Expr {
        let inside = implied(place);
        let typed = self.typed(of_what);
        let relaxed = || constant(order_number(Order::Relaxed), word(), place);
        let (old, old_pl) = self.temporary(of_what, place);
        stmts.push(declare(old, Vec::new(), inside));
        let seen = known(
            &direct::LOAD,
            vec![object.clone(), relaxed()],
            typed.clone(),
            place,
        );
        let first = Self::effect(assign(old_pl.lvalue.clone(), seen, place));
        let own = load(old_pl.lvalue.clone(), place);
        let new = update(own.clone());
        let arguments = vec![object.clone(), own.clone(), new, order.clone(), relaxed()];
        let found = known(&direct::COMPARE_EXCHANGE, arguments, typed, place);
        let done = compare(BinaryOp::Eq, found, own.clone(), place);
        let leave = vec![stmt(StmtKind::Break, inside)];
        let body = block(vec![first, super::build::when(done, leave)], inside);
        let always = truth(true, place);
        stmts.push(stmt(StmtKind::While(always, Box::new(body)), inside));
        sequence(stmts, own)
    }

    /// The instruction itself; what it yields, and the expected value, held.
    fn compare_exchange(
        &mut self,
        pl: &Pl,
        of_what: &Ty,
        of: &Method<'_, 'a>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<(typed::Expr, typed::Expr)> {
        let arguments = self.exactly(of, 4)?;
        let place = of.place;
        let object = self.address_of(pl.lvalue.clone(), place);
        let expected = self.expr_as(arguments[0], of_what)?;
        let expected = self.hold(expected.e, of_what, stmts);
        let new = self.expr_as(arguments[1], of_what)?;
        let success = self.expr_as(arguments[2], &Ty::Ordering)?;
        let failure = self.expr_as(arguments[3], &Ty::Ordering)?;
        let typed = self.typed(of_what);
        let arguments = vec![object, expected.clone(), new.e, success.e, failure.e];
        let old = known(&direct::COMPARE_EXCHANGE, arguments, typed, place);
        Ok((old, expected))
    }

    /// `x.compare_exchange(…).is_ok()`, without a result that nothing else looks at.
    pub(super) fn exchange_succeeds(
        &mut self,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let (Expr::MethodCall(inner), "is_ok" | "is_err") = (&*e.receiver, of.name) else {
            return Ok(None);
        };
        let name = inner.method.to_string();
        if !matches!(&*name, "compare_exchange" | "compare_exchange_weak")
            || !of.arguments.is_empty()
        {
            return Ok(None);
        }
        let place = crate::rust::source::at(inner);
        let pl = self.place(&inner.receiver)?;
        let found = self.deref_until(pl, place, |body, pl| {
            matches!(body.infer.shallow(&pl.ty), Ty::Atomic(_))
        })?;
        let Some(pl) = found else {
            return self.error(
                format!("this value has no method `{name}`"),
                of.span.clone(),
            );
        };
        let Ty::Atomic(of_what) = self.infer.shallow(&pl.ty) else {
            return Ok(None);
        };
        let inner = Method {
            name: &name,
            arguments: &inner.args,
            place,
            span: crate::rust::source::span(inner),
            want: None,
        };
        let mut stmts = Vec::new();
        let pl = self.steady(pl, assigns(inner.arguments), &mut stmts, place);
        let (old, expected) = self.compare_exchange(&pl, &of_what, &inner, &mut stmts)?;
        let op = if of.name == "is_ok" {
            BinaryOp::Eq
        } else {
            BinaryOp::Ne
        };
        let e = compare(op, old, expected, place);
        Ok(Some(Val {
            e: sequence(stmts, e),
            ty: Ty::Bool,
        }))
    }

    /// `fetch_update`: a load, and compare-exchanges until one succeeds or the closure gives up.
    fn fetch_update(&mut self, pl: &Pl, of_what: &Ty, of: &Method<'_, 'a>) -> Res<Val> {
        let arguments = self.exactly(of, 3)?;
        let place = of.place;
        let inside = implied(place);
        let typed = self.typed(of_what);
        let success = self.expr_as(arguments[0], &Ty::Ordering)?;
        let failure = self.expr_as(arguments[1], &Ty::Ordering)?;
        let object = self.address_of(pl.lvalue.clone(), place);
        let result = self.t.result(of_what.clone(), of_what.clone());
        let mut stmts = Vec::new();
        let (old, old_pl) = self.temporary(of_what, place);
        let (failed, failed_pl) = self.temporary(&Ty::Bool, place);
        let first = known(
            &direct::LOAD,
            vec![object.clone(), failure.e.clone()],
            typed.clone(),
            place,
        );
        stmts.push(declare(old, vec![(Vec::new(), first)], inside));
        let set = vec![(Vec::new(), truth(true, place))];
        stmts.push(declare(failed, set, inside));
        let own = || load(old_pl.lvalue.clone(), place);
        let option = self.t.option(of_what.clone());
        let argument = Val {
            e: own(),
            ty: of_what.clone(),
        };
        let new = self.inline_closure(arguments[2], &[argument], Some(&option), place)?;
        let mut body = Vec::new();
        let new = self.spill(new, &mut body);
        let is_some = self.part(&new, TAG, place)?;
        let value = self.part(&new, &payload("Some", "0"), place)?;
        let leave = || vec![stmt(StmtKind::Break, inside)];
        let gives_up = super::build::not(load(is_some.lvalue, place));
        body.push(super::build::when(gives_up, leave()));
        let arguments = vec![
            object,
            own(),
            load(value.lvalue, place),
            success.e,
            failure.e,
        ];
        let found = known(&direct::COMPARE_EXCHANGE, arguments, typed, place);
        let found = self.hold(found, of_what, &mut body);
        let done = compare(BinaryOp::Eq, found.clone(), own(), place);
        let mut succeeded = vec![Self::effect(assign(
            failed_pl.lvalue.clone(),
            truth(false, place),
            place,
        ))];
        succeeded.extend(leave());
        body.push(super::build::when(done, succeeded));
        body.push(Self::effect(assign(old_pl.lvalue.clone(), found, place)));
        let body = Box::new(block(body, inside));
        stmts.push(stmt(StmtKind::While(truth(true, place), body), inside));
        let e = self.tagged(&result, load(failed_pl.lvalue, place), own(), place);
        Ok(Val {
            e: sequence(stmts, e),
            ty: result,
        })
    }
}
