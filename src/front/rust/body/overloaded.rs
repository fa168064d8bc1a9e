//! Operators, indices and conversions that the text defines by traits: calls of the functions of its `impl`s.
//!
//! Which `impl` it is depends on the types of both operands. A pointer that is followed, and what is indexed, are taken by
//! `deref_mut` and `index_mut` where the place is written or borrowed mutably, as the compiler chooses.

use super::build::{and, compare, deref, expr, load, sequence, truth};
use super::call::Operand;
use super::lookup::{Given, Whose};
use super::method::Method;
use super::option::SOME;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, ExprKind};
use crate::rust::names::{Named, Target};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::{Context, Def, Res, payload};
use crate::text::Place;
use syn::{BinOp, Expr};

/// The trait of an operator of two operands, and its function.
fn trait_of(op: &BinOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinOp::Add(_) => ("Add", "add"),
        BinOp::Sub(_) => ("Sub", "sub"),
        BinOp::Mul(_) => ("Mul", "mul"),
        BinOp::Div(_) => ("Div", "div"),
        BinOp::Rem(_) => ("Rem", "rem"),
        BinOp::BitAnd(_) => ("BitAnd", "bitand"),
        BinOp::BitOr(_) => ("BitOr", "bitor"),
        BinOp::BitXor(_) => ("BitXor", "bitxor"),
        BinOp::Shl(_) => ("Shl", "shl"),
        BinOp::Shr(_) => ("Shr", "shr"),
        BinOp::AddAssign(_) => ("AddAssign", "add_assign"),
        BinOp::SubAssign(_) => ("SubAssign", "sub_assign"),
        BinOp::MulAssign(_) => ("MulAssign", "mul_assign"),
        BinOp::DivAssign(_) => ("DivAssign", "div_assign"),
        BinOp::RemAssign(_) => ("RemAssign", "rem_assign"),
        BinOp::BitAndAssign(_) => ("BitAndAssign", "bitand_assign"),
        BinOp::BitOrAssign(_) => ("BitOrAssign", "bitor_assign"),
        BinOp::BitXorAssign(_) => ("BitXorAssign", "bitxor_assign"),
        BinOp::ShlAssign(_) => ("ShlAssign", "shl_assign"),
        BinOp::ShrAssign(_) => ("ShrAssign", "shr_assign"),
        _ => return None,
    })
}

impl<'a> Body<'_, 'a> {
    /// Whether operators of this type are those of the text: it is one of its types, or refers to one.
    pub(super) fn is_own(&self, ty: &Ty) -> bool {
        match self.infer.shallow(ty) {
            Ty::Adt(..) => true,
            Ty::Ptr(Ptr::Ref, to) => self.is_own(&to),
            _ => false,
        }
    }

    /// `a op b`, if the text defines it.
    pub(super) fn operated(
        &mut self,
        op: &BinOp,
        a: Val,
        b: Val,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Option<Val>> {
        let Some((of, name)) = trait_of(op) else {
            return Ok(None);
        };
        let given = Given {
            arguments: vec![self.infer.shallow(&b.ty)],
            result: None,
        };
        let Some((def, context)) = self.function_for(&a.ty, name, Whose::Known(of), &given) else {
            return Ok(None);
        };
        let operands = vec![Operand::Made(b)];
        self.call_function(def, context, Some(a.e), operands, want, place)
            .map(Some)
    }

    /// `a op= b`, if the text defines it: the place comes first.
    pub(super) fn operated_at(
        &mut self,
        e: &'a syn::ExprBinary,
        into: &Pl,
        place: Place,
    ) -> Res<Option<Val>> {
        let address = self.address_of(into.lvalue.clone(), place);
        let b = self.expr(&e.right, None)?;
        let Some((of, name)) = trait_of(&e.op) else {
            return Ok(None);
        };
        let given = Given {
            arguments: vec![self.infer.shallow(&b.ty)],
            result: None,
        };
        let own = self.infer.shallow(&into.ty);
        let Some((def, context)) = self.function_for(&own, name, Whose::Known(of), &given) else {
            return Ok(None);
        };
        let operands = vec![Operand::Made(b)];
        self.call_function(def, context, Some(address), operands, None, place)
            .map(Some)
    }

    /// `-a` and `!a`, if the text defines it.
    pub(super) fn operated_alone(
        &mut self,
        (of, name): (&str, &str),
        a: &Val,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Option<Val>> {
        if !self.is_own(&a.ty) {
            return Ok(None);
        }
        let own = self.infer.shallow(&a.ty);
        let Some((def, context)) = self.function_in(&own, name, Whose::Known(of)) else {
            return Ok(None);
        };
        self.call_function(def, context, Some(a.e.clone()), Vec::new(), want, place)
            .map(Some)
    }

    /// `a[b]`, if the text defines it for what is indexed.
    pub(super) fn indexed_by(
        &mut self,
        base: &Pl,
        index: &'a Expr,
        place: Place,
    ) -> Res<Option<Pl>> {
        let own = self.infer.shallow(&base.ty);
        let mut stmts = Vec::new();
        let changes = super::order::assigns_in(index);
        let base = self.steady(base.clone(), changes, &mut stmts, place);
        let address = self.address_of(base.lvalue, place);
        let mutably = std::mem::take(&mut self.mutably);
        let index = self.expr(index, None);
        self.mutably = mutably;
        let index = index?;
        let given = Given {
            arguments: vec![self.infer.shallow(&index.ty)],
            result: None,
        };
        let Some((def, context)) = self.by_access("Index", "index", &own, &given) else {
            return Ok(None);
        };
        let operands = vec![Operand::Made(index)];
        let found = self.call_function(def, context, Some(address), operands, None, place)?;
        let Ty::Ptr(_, to) = self.infer.shallow(&found.ty) else {
            return Ok(None);
        };
        Ok(Some(Pl {
            lvalue: deref(sequence(stmts, found.e), place),
            ty: *to,
        }))
    }

    /// Whether the text defines what indexing this type does.
    pub(super) fn is_indexed(&mut self, ty: &Ty) -> bool {
        let ty = self.infer.shallow(ty);
        matches!(ty, Ty::Adt(..))
            && self
                .function_in(&ty, "index", Whose::Known("Index"))
                .is_some()
    }

    /// The function of a trait such as `Deref`, or of its mutable form where the place is written.
    pub(super) fn by_access(
        &mut self,
        of: &str,
        name: &str,
        own: &Ty,
        given: &Given,
    ) -> Option<super::lookup::Found<'a>> {
        let (of_mut, name_mut) = (format!("{of}Mut"), format!("{name}_mut"));
        let mutable = self.function_for(own, &name_mut, Whose::Known(&of_mut), given);
        if mutable.is_some() {
            if self.mutably {
                return mutable;
            }
            self.shared += 1;
        }
        self.function_for(own, name, Whose::Known(of), given)
    }

    /// Something that is made where a place is written or borrowed mutably.
    pub(super) fn written_at<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.mutably, true);
        let made = make(self);
        self.mutably = outside;
        made
    }

    /// `a < b` and its like by `partial_cmp` of the text.
    pub(super) fn ordered_by(
        &mut self,
        op: BinaryOp,
        a: &Val,
        b: &Val,
        place: Place,
    ) -> Res<Option<Val>> {
        let name = match op {
            BinaryOp::Lt => "lt",
            BinaryOp::Le => "le",
            BinaryOp::Gt => "gt",
            _ => "ge",
        };
        let ty = self.infer.shallow(&a.ty);
        let mut stmts = Vec::new();
        let mut borrowed = |body: &mut Self, value: &Val| {
            let pl = body.spill(value.clone(), &mut stmts);
            Val {
                e: body.address_of(pl.lvalue, place),
                ty: Ty::pointer(Ptr::Ref, pl.ty),
            }
        };
        let (own, other) = (borrowed(self, a), borrowed(self, b));
        let given = Given {
            arguments: vec![other.ty.clone()],
            result: None,
        };
        let whose = Whose::Known("PartialOrd");
        if let Some((def, context)) = self.function_for(&ty, name, whose, &given) {
            let operands = vec![Operand::Made(other)];
            let value = self.call_function(def, context, Some(own.e), operands, None, place)?;
            let e = sequence(stmts, value.e);
            return Ok(Some(Val { e, ty: Ty::Bool }));
        }
        let Some((def, context)) = self.function_for(&ty, "partial_cmp", whose, &given) else {
            return Ok(None);
        };
        let operands = vec![Operand::Made(other)];
        let value = self.call_function(def, context, Some(own.e), operands, None, place)?;
        let found = self.spill(value, &mut stmts);
        let order = self.part(&found, &payload("Some", "0"), place)?;
        let order = load(order.lvalue, place);
        let equal = super::build::constant(0, order.ty.clone(), place);
        let fits = compare(op, order, equal, place);
        let is_some = self.is_variant(&found, SOME, place)?;
        let e = and(is_some.unwrap_or_else(|| truth(true, place)), fits);
        Ok(Some(Val {
            e: sequence(stmts, e),
            ty: Ty::Bool,
        }))
    }

    /// `cmp` and `partial_cmp` as `derive` makes them, `max` and `min`, of a type that is no number.
    pub(super) fn order_method(
        &mut self,
        pl: &Pl,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let [argument] = &of.arguments.iter().collect::<Vec<_>>()[..] else {
            return Ok(None);
        };
        let ty = self.infer.settled(&pl.ty);
        let is_own = matches!(ty, Ty::Adt(..) | Ty::Tuple(_) | Ty::Bool);
        if !is_own {
            return Ok(None);
        }
        let mut stmts = Vec::new();
        match of.name {
            "cmp" | "partial_cmp" => {
                let own = self.steady(pl.clone(), true, &mut stmts, place);
                let other = self.expr_as(argument, &Ty::pointer(Ptr::Ref, ty.clone()))?;
                let other = Val {
                    e: self.hold(other.e, &other.ty, &mut stmts),
                    ty: other.ty,
                };
                let other = Pl {
                    lvalue: deref(other.e, place),
                    ty,
                };
                let value = |pl: &Pl| Val {
                    e: load(pl.lvalue.clone(), place),
                    ty: pl.ty.clone(),
                };
                let word = |value| super::build::constant(value, super::build::word(), place);
                let span = of.span.clone();
                let (a, b) = (value(&own), value(&other));
                let less =
                    self.compared(BinaryOp::Lt, a.clone(), b.clone(), place, span.clone())?;
                let same = self.compared(BinaryOp::Eq, a, b, place, span)?;
                let either = |is: typed::Expr, a: typed::Expr, b: typed::Expr| {
                    let ty = a.ty.clone();
                    let kind = ExprKind::Conditional(Box::new(is), Box::new(a), Box::new(b));
                    expr(kind, ty, place)
                };
                let e = either(less.e, word(-1), either(same.e, word(0), word(1)));
                let (e, ty) = if of.name == "cmp" {
                    (e, Ty::Ordering)
                } else {
                    let ty = self.t.option(Ty::Ordering);
                    (self.tagged(&ty, truth(true, place), e, place), ty)
                };
                Ok(Some(Val {
                    e: sequence(stmts, e),
                    ty,
                }))
            }
            name => {
                let path = ["std", "cmp", name].map(str::to_owned);
                let Target::Item(module, Named::Fn(item)) =
                    self.t.names.resolve(self.module(), &path)
                else {
                    return Ok(None);
                };
                let context = Context {
                    module,
                    subst: self.generics_of(&item.sig, of.span.end),
                    ..Context::default()
                };
                let def = Def {
                    sig: &item.sig,
                    block: &item.block,
                };
                let own = self.load_place(pl.clone(), &e.receiver, place)?;
                let operands = vec![Operand::Made(own), Operand::Written(argument)];
                self.call_function(def, context, None, operands, of.want, place)
                    .map(Some)
            }
        }
    }

    /// `a.into()`, if the text defines it by `From` of the type that is wanted.
    pub(super) fn converts(
        &mut self,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let (of_trait, name) = match (of.name, of.arguments.len()) {
            ("into", 0) => ("From", "from"),
            ("try_into", 0) => ("TryFrom", "try_from"),
            _ => return Ok(None),
        };
        let wanted = of.want.map(|ty| self.infer.shallow(ty));
        let target = match (wanted, name) {
            (Some(Ty::Adt(id, arguments)), "try_from") if id == self.t.names.lang.result => {
                self.infer.shallow(&arguments[0])
            }
            (None | Some(Ty::Var(_)), "try_from") => {
                let target = self.infer.fresh(of.span.start, true);
                let settled = self.infer.settled(&target);
                let found = self.integer_from(&settled, name, &e.receiver, of.place)?;
                let ty = self.t.result(target, Ty::Unit);
                return Ok(found.map(|found| Val { e: found.e, ty }));
            }
            (_, "try_from") | (None | Some(Ty::Var(_)), _) => return Ok(None),
            (Some(wanted), _) => wanted,
        };
        if name == "try_from"
            && let Some(value) = self.integer_from(&target, name, &e.receiver, of.place)?
        {
            return Ok(Some(value));
        }
        // Only its type counts here.
        let own = self.type_only(&e.receiver)?;
        let given = Given {
            arguments: Vec::new(),
            result: of.want.map(|ty| self.infer.shallow(ty)),
        };
        if self
            .function_for(&own, of.name, Whose::Any, &given)
            .is_some()
        {
            return Ok(None);
        }
        if own == target && name == "from" {
            return self.expr(&e.receiver, None).map(Some);
        }
        let given = Given {
            arguments: vec![own],
            result: None,
        };
        let whose = Whose::Known(of_trait);
        let Some((def, context)) = self.function_for(&target, name, whose, &given) else {
            return Ok(None);
        };
        let operands = vec![Operand::Written(&e.receiver)];
        self.call_function(def, context, None, operands, None, of.place)
            .map(Some)
    }
}
