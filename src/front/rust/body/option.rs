//! `Option` and `Result`.

use super::build::{constant, declare, known, load, not, sequence, truth, unit, when};
use super::method::Method;
use super::{Body, Pl, Val};
use crate::lower::direct;
use crate::lower::typed::{self, Initialised, Step, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Res, void};
use crate::text::Place;
use syn::Expr;

/// Whether a method takes the value itself.
pub(super) fn consumes(name: &str) -> bool {
    matches!(
        name,
        "unwrap"
            | "expect"
            | "unwrap_err"
            | "unwrap_or"
            | "unwrap_or_else"
            | "ok"
            | "err"
            | "map"
            | "unwrap_or_default"
            | "and_then"
    )
}

impl<'a> Body<'_, 'a> {
    /// A value with this tag and, where the tag applies, this value.
    pub(super) fn tagged(
        &mut self,
        ty: &Ty,
        tag: typed::Expr,
        value: Option<typed::Expr>,
        place: Place,
    ) -> typed::Expr {
        let mut stmts = Vec::new();
        let mut values = vec![(vec![Step::Member(0)], tag)];
        let value = value.filter(|value| {
            let has_cells = !value.ty.is_void();
            if !has_cells {
                stmts.push(Self::effect(value.clone()));
            }
            has_cells
        });
        if let Some(value) = value {
            let parts = ["value", "error"].map(|name| self.member_number(ty, name));
            let members: Vec<usize> = parts.into_iter().flatten().collect();
            let is_known = matches!(values[0].1.kind, typed::ExprKind::Const(_));
            match (&members[..], is_known) {
                ([member], _) => values.push((vec![Step::Member(*member)], value)),
                (members, _) => {
                    // Both are this value: which one counts is said by the tag.
                    for member in members {
                        let of = self.typed(ty);
                        let fits = self.member_type(&of, *member).kind == value.ty.kind;
                        if fits {
                            values.push((vec![Step::Member(*member)], value.clone()));
                        }
                    }
                }
            }
        }
        let (id, pl) = self.temporary(ty, place);
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        stmts.push(super::build::stmt(kind, implied(place)));
        sequence(stmts, load(pl.lvalue, place))
    }

    /// What is in the `Option` that is wanted.
    pub(super) fn wanted_option(&mut self, want: Option<&Ty>, start: usize) -> Ty {
        match want.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Option(inner)) => *inner,
            _ => self.infer.fresh(start, false),
        }
    }

    pub(super) fn none(&mut self, inner: Ty, place: Place) -> Val {
        let ty = Ty::Option(Box::new(inner));
        let e = self.tagged(&ty, truth(false, place), None, place);
        Val { e, ty }
    }

    /// The type of `Some::<T>`, `Ok::<T, E>` or `Err::<T, E>`, if it is written.
    pub(super) fn variant_given(&mut self, name: &str, func: &'a Expr) -> Res<Option<Ty>> {
        let Expr::Path(path) = super::control::without_brackets(func) else {
            return Ok(None);
        };
        let last = path.path.segments.last().map(|last| &last.arguments);
        let Some(syn::PathArguments::AngleBracketed(given)) = last else {
            return Ok(None);
        };
        let mut types = Vec::new();
        for argument in &given.args {
            if let syn::GenericArgument::Type(ty) = argument {
                types.push(Box::new(self.written(ty)?));
            }
        }
        let mut types = types.into_iter();
        Ok(match (name, types.next(), types.next()) {
            ("Some", Some(ty), None) => Some(Ty::Option(ty)),
            ("Ok" | "Err", Some(ty), Some(error)) => Some(Ty::Result(ty, error)),
            _ => None,
        })
    }

    /// `Some(e)`, `Ok(e)`, `Err(e)`
    pub(super) fn variant_value(
        &mut self,
        name: &str,
        e: &'a Expr,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let start = place.start as usize;
        let ty = match (name, want.map(|ty| self.infer.shallow(ty))) {
            ("Some", Some(ty @ Ty::Option(_))) | ("Ok" | "Err", Some(ty @ Ty::Result(..))) => ty,
            ("Some", _) => Ty::Option(Box::new(self.infer.fresh(start, false))),
            _ => {
                let value = self.infer.fresh(start, false);
                let error = self.infer.fresh(start, false);
                Ty::Result(Box::new(value), Box::new(error))
            }
        };
        let (part, is_first) = match (&ty, name) {
            (Ty::Option(ty), _) | (Ty::Result(ty, _), "Ok") => (ty, true),
            (Ty::Result(_, ty), _) => (ty, false),
            _ => return self.error("this value is not supported", span(e)),
        };
        let part = (**part).clone();
        let value = self.expr_as(e, &part)?;
        let member = self.member_number(&ty, if is_first { "value" } else { "error" });
        let mut stmts = Vec::new();
        let mut values = vec![(vec![Step::Member(0)], truth(is_first, place))];
        match member {
            Some(member) => values.push((vec![Step::Member(member)], value.e)),
            None => stmts.push(Self::effect(value.e)),
        }
        let (id, pl) = self.temporary(&ty, place);
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        stmts.push(super::build::stmt(kind, implied(place)));
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty,
        })
    }

    /// A violation.
    pub(super) fn failure(place: Place) -> typed::Stmt {
        Self::effect(known(&direct::FAIL, Vec::new(), void(), place))
    }

    fn part_value(&mut self, pl: &Pl, name: &str, place: Place) -> Res<Val> {
        let part = self.part(pl, name, place)?;
        if part.lvalue.ty.is_void() {
            return Ok(Val {
                e: unit(place),
                ty: part.ty,
            });
        }
        Ok(Val {
            e: load(part.lvalue, place),
            ty: part.ty,
        })
    }

    pub(super) fn option_method(
        &mut self,
        pl: &Pl,
        ty: &Ty,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let mut stmts = Vec::new();
        if consumes(of.name) && self.needs_drop(ty) && self.is_place(&e.receiver) {
            stmts.extend(self.moved_out(&pl.lvalue, place, &span(&e.receiver))?);
        }
        let value = self.option_result(pl, ty, of, &mut stmts)?;
        Ok(value.map(|value| Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        }))
    }

    /// The same on a value without a place, which nothing drops.
    pub(super) fn option_of_value(&mut self, value: &Val, of: &Method<'_, 'a>) -> Res<Option<Val>> {
        let ty = self.infer.shallow(&value.ty);
        if !consumes(of.name) || !matches!(ty, Ty::Option(_) | Ty::Result(..)) {
            return Ok(None);
        }
        let mut stmts = Vec::new();
        let pl = self.spill(value.clone(), &mut stmts);
        let made = self.option_result(&pl, &ty, of, &mut stmts)?;
        Ok(made.map(|made| Val {
            e: sequence(stmts, made.e),
            ty: made.ty,
        }))
    }

    fn option_result(
        &mut self,
        pl: &Pl,
        ty: &Ty,
        of: &Method<'_, 'a>,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        let is_option = matches!(ty, Ty::Option(_));
        let tag_name = if is_option { "is_some" } else { "is_ok" };
        let tag = self.part(pl, tag_name, place)?;
        let tag = load(tag.lvalue, place);
        let boolean = |e| Some(Val { e, ty: Ty::Bool });
        Ok(match (of.name, of.arguments.len()) {
            ("is_some", 0) if is_option => boolean(tag),
            ("is_none", 0) if is_option => boolean(not(tag)),
            ("is_ok", 0) if !is_option => boolean(tag),
            ("is_err", 0) if !is_option => boolean(not(tag)),
            ("unwrap", 0) | ("expect", 1) => {
                stmts.push(when(not(tag), vec![Self::failure(place)]));
                Some(self.part_value(pl, "value", place)?)
            }
            ("unwrap_err" | "expect_err", _) if !is_option => {
                stmts.push(when(tag, vec![Self::failure(place)]));
                Some(self.part_value(pl, "error", place)?)
            }
            ("unwrap_or" | "unwrap_or_default", _) => {
                let value = self.part(pl, "value", place)?;
                let other = match of.arguments.first() {
                    Some(e) => self.expr_as(e, &value.ty)?.e,
                    None => {
                        let typed = self.typed(&value.ty);
                        if !typed.is_scalar() {
                            return Ok(None);
                        }
                        constant(0, typed, place)
                    }
                };
                let typed = self.typed(&value.ty);
                let (id, other_pl) = self.temporary(&value.ty, place);
                let other = if typed.is_void() {
                    self.hold(other, &value.ty, stmts)
                } else {
                    stmts.push(declare(id, vec![(Vec::new(), other)], implied(place)));
                    load(other_pl.lvalue.clone(), place)
                };
                let chosen = load(value.lvalue, place);
                let chosen = self.either(tag.clone(), chosen, other, &value.ty, stmts);
                // What is not chosen ends.
                self.drop_if(tag, &other_pl, of, stmts)?;
                self.drop_part(pl, "error", of, stmts)?;
                Some(chosen)
            }
            ("unwrap_or_else", 1) => {
                let value = self.part(pl, "value", place)?;
                let arguments = if is_option {
                    Vec::new()
                } else {
                    vec![self.part_value(pl, "error", place)?]
                };
                let other =
                    self.inline_closure(&of.arguments[0], &arguments, Some(&value.ty), place)?;
                let other = self.coerce(other, &value.ty, of.span.clone())?;
                Some(self.either(tag, load(value.lvalue, place), other.e, &value.ty, stmts))
            }
            ("ok", 0) if !is_option => {
                let value = self.part_value(pl, "value", place)?;
                let ty = Ty::Option(Box::new(value.ty));
                let e = self.tagged(&ty, tag, Some(value.e), place);
                self.drop_part(pl, "error", of, stmts)?;
                Some(Val { e, ty })
            }
            ("err", 0) if !is_option => {
                let value = self.part_value(pl, "error", place)?;
                let ty = Ty::Option(Box::new(value.ty));
                let e = self.tagged(&ty, not(tag), Some(value.e), place);
                self.drop_part(pl, "value", of, stmts)?;
                Some(Val { e, ty })
            }
            ("map", 1) if is_option => {
                let value = self.part_value(pl, "value", place)?;
                let start = of.span.start;
                let inner = self.infer.fresh(start, false);
                let ty = Ty::Option(Box::new(inner.clone()));
                let mapped =
                    self.inline_closure(&of.arguments[0], &[value], Some(&inner), place)?;
                let (result, result_pl) = self.temporary(&ty, place);
                let off = vec![(vec![Step::Member(0)], truth(false, place))];
                let declared = StmtKind::Declare(result, off, Initialised::Yes);
                stmts.push(super::build::stmt(declared, implied(place)));
                let some = self.tagged(&ty, truth(true, place), Some(mapped.e), place);
                let set = super::build::assign(result_pl.lvalue.clone(), some, place);
                stmts.push(when(tag, vec![Self::effect(set)]));
                Some(Val {
                    e: load(result_pl.lvalue, place),
                    ty,
                })
            }
            ("replace", 1) if is_option => {
                let value = self.part(pl, "value", place)?;
                let new = self.expr_as(&of.arguments[0], &value.ty)?;
                let new = self.hold(new.e, &value.ty, stmts);
                let old = load(pl.lvalue.clone(), place);
                let old = self.hold(old, ty, stmts);
                let some = self.tagged(ty, truth(true, place), Some(new), place);
                let set = super::build::assign(pl.lvalue.clone(), some, place);
                stmts.push(Self::effect(set));
                Some(Val {
                    e: old,
                    ty: ty.clone(),
                })
            }
            ("take", 0) if is_option => {
                let old = load(pl.lvalue.clone(), place);
                let old = self.hold(old, ty, stmts);
                let tag = self.part(pl, tag_name, place)?;
                let off = super::build::assign(tag.lvalue, truth(false, place), place);
                stmts.push(Self::effect(off));
                Some(Val {
                    e: old,
                    ty: ty.clone(),
                })
            }
            ("clone" | "copied" | "as_ref", 0) if !self.needs_drop(ty) && of.name == "clone" => {
                Some(Val {
                    e: load(pl.lvalue.clone(), place),
                    ty: ty.clone(),
                })
            }
            _ => None,
        })
    }

    /// Drops a part of a `Result` of which the other one is used, if it has a value.
    fn drop_part(
        &mut self,
        pl: &Pl,
        name: &str,
        of: &Method<'_, 'a>,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Res<()> {
        let ty = self.infer.settled(&pl.ty);
        if let (Ty::Result(..), Some(holds)) = (&ty, self.holds(&ty, pl, name, of.place)?) {
            let part = self.part(pl, name, of.place)?;
            self.drop_if(holds, &part, of, stmts)?;
        }
        Ok(())
    }

    /// Drops what is in a place if a condition holds.
    fn drop_if(
        &mut self,
        condition: typed::Expr,
        pl: &Pl,
        of: &Method<'_, 'a>,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Res<()> {
        if self.needs_drop(&pl.ty) {
            let mut inner = Vec::new();
            self.drop_place(pl, implied(of.place), &of.span, &mut inner)?;
            stmts.push(when(condition, inner));
        }
        Ok(())
    }

    /// One of two values; the second one is evaluated only if it is chosen.
    fn either(
        &mut self,
        tag: typed::Expr,
        value: typed::Expr,
        other: typed::Expr,
        ty: &Ty,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Val {
        let place = value.place;
        let (id, pl) = self.temporary(ty, place);
        stmts.push(declare(id, Vec::new(), implied(place)));
        let set = |e| {
            vec![Self::effect(super::build::assign(
                pl.lvalue.clone(),
                e,
                place,
            ))]
        };
        let then = Box::new(super::build::block(set(value), implied(place)));
        let otherwise = Box::new(super::build::block(set(other), implied(place)));
        let kind = StmtKind::If(tag, then, Some(otherwise));
        stmts.push(super::build::stmt(kind, implied(place)));
        Val {
            e: load(pl.lvalue, place),
            ty: ty.clone(),
        }
    }

    /// `e?`
    pub(super) fn question_mark(&mut self, e: &'a syn::ExprTry) -> Res<Val> {
        let place = at(e);
        let value = self.expr(&e.expr, None)?;
        let ty = self.infer.shallow(&value.ty);
        let returns = self.returns.last().map(|target| target.ty.clone());
        let returns = returns.map_or(Ty::Unit, |ty| self.infer.shallow(&ty));
        let mut stmts = Vec::new();
        let pl = self.spill(value, &mut stmts);
        let (tag, failed) = match (&ty, &returns) {
            (Ty::Option(_), Ty::Option(inner)) => {
                let inner = (**inner).clone();
                ("is_some", self.none(inner, place))
            }
            (Ty::Result(..), Ty::Result(_, error)) => {
                let own = self.part_value(&pl, "error", place)?;
                let own = self.coerce(own, error, span(e))?;
                let failed = self.error_value(&returns, own.e, place);
                ("is_ok", failed)
            }
            _ => {
                return self.refuse(
                    "`?` is only supported on an `Option` or a `Result` in a function that returns one",
                    span(e),
                    "write a `match`",
                );
            }
        };
        let tag = self.part(&pl, tag, place)?;
        let mut leave = Vec::new();
        self.return_from(Some(failed), implied(place), &mut leave)?;
        stmts.push(when(not(load(tag.lvalue, place)), leave));
        let value = self.part_value(&pl, "value", place)?;
        Ok(Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        })
    }

    /// `Err(e)`
    pub(super) fn error_value(&mut self, ty: &Ty, error: typed::Expr, place: Place) -> Val {
        let mut values = vec![(vec![Step::Member(0)], truth(false, place))];
        if let Some(member) = self.member_number(ty, "error") {
            values.push((vec![Step::Member(member)], error));
        }
        let (id, pl) = self.temporary(ty, place);
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        let set = super::build::stmt(kind, implied(place));
        Val {
            e: sequence(vec![set], load(pl.lvalue, place)),
            ty: ty.clone(),
        }
    }
}
