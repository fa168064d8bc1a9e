//! The values of `Option` and `Result` that the language itself makes, and `?`.

use super::build::{load, not, sequence, unit, when};
use super::call::Operand;
use super::lookup::{Given, Whose};
use super::{Body, Pl, Val};
use crate::lower::typed::{self, Initialised, Step, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Res, TAG, payload};
use crate::text::Place;

/// The numbers of the variants.
pub(super) const NONE: usize = 0;
pub(super) const SOME: usize = 1;
pub(super) const OK: usize = 0;
pub(super) const ERR: usize = 1;

impl<'a> Body<'_, 'a> {
    /// An `Option` that is `Some`, or a `Result` that is `Err`, if the tag is 1; it holds this value in either case, as far as
    /// that fits.
    pub(super) fn tagged(
        &mut self,
        ty: &Ty,
        tag: typed::Expr,
        value: typed::Expr,
        place: Place,
    ) -> typed::Expr {
        let mut stmts = Vec::new();
        let is_known = matches!(tag.kind, typed::ExprKind::Const(_));
        let mut values = vec![(vec![Step::Member(0)], tag)];
        if value.ty.is_void() {
            stmts.push(Self::effect(value));
        } else {
            let held: &[&str] = if is_known {
                &["Some", "Ok"]
            } else {
                &["Some", "Ok", "Err"]
            };
            // Which of them counts is said by the tag.
            for of in held {
                let Some(member) = self.member_number(ty, &payload(of, "0")) else {
                    continue;
                };
                let of = self.typed(ty);
                if self.member_type(&of, member).kind == value.ty.kind {
                    values.push((vec![Step::Member(member)], value.clone()));
                }
            }
        }
        let (id, pl) = self.temporary(ty, place);
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        stmts.push(super::build::stmt(kind, implied(place)));
        sequence(stmts, load(pl.lvalue, place))
    }

    /// The value of a part.
    fn part_value(&mut self, pl: &Pl, name: &str, place: Place) -> Res<Val> {
        let part = self.part(pl, name, place)?;
        let e = if part.lvalue.ty.is_void() {
            unit(place)
        } else {
            load(part.lvalue, place)
        };
        Ok(Val { e, ty: part.ty })
    }

    /// `e?`
    pub(super) fn question_mark(&mut self, e: &'a syn::ExprTry) -> Res<Val> {
        let place = at(e);
        let value = self.expr(&e.expr, None)?;
        let ty = self.infer.shallow(&value.ty);
        let returns = self.returns.last().map(|target| target.ty.clone());
        let returns = returns.map_or(Ty::Unit, |ty| self.infer.shallow(&ty));
        let lang = self.t.names.lang;
        // What a closure yields may not be known yet: it is the same kind, of any content.
        if let (Ty::Adt(id, of), Ty::Var(_)) = (&ty, &returns)
            && [lang.option, lang.result].contains(id)
        {
            let mark = span(&e.question_token).start;
            let contents = of.iter().map(|_| self.infer.fresh(mark, false));
            let kind = Ty::Adt(*id, contents.collect());
            self.infer.unify(&returns, &kind);
        }
        let returns = self.infer.shallow(&returns);
        let mut stmts = Vec::new();
        let pl = self.spill(value, &mut stmts);
        let (failed, part) = match (&ty, &returns) {
            (Ty::Adt(a, _), Ty::Adt(b, _)) if [*a, *b] == [lang.option; 2] => {
                let none = self.constructed(&returns, Some(NONE), Vec::new(), None, place)?;
                (none, payload("Some", "0"))
            }
            (Ty::Adt(a, _), Ty::Adt(b, errors)) if [*a, *b] == [lang.result; 2] => {
                let own = self.part_value(&pl, &payload("Err", "0"), place)?;
                let own = self.converted(own, &errors[1].clone(), place)?;
                let error = vec![Operand::Made(own)];
                let err = self.constructed(&returns, Some(ERR), error, None, place)?;
                (err, payload("Ok", "0"))
            }
            _ => {
                return self.refuse(
                    "`?` is only supported on an `Option` or a `Result` in a function that returns one",
                    span(e),
                    "write a `match`",
                );
            }
        };
        let tag = self.part(&pl, TAG, place)?;
        let tag = load(tag.lvalue, place);
        let mut leave = Vec::new();
        self.return_from(Some(failed), implied(place), &mut leave)?;
        let fails = if part.starts_with("Some") {
            not(tag)
        } else {
            tag
        };
        stmts.push(when(fails, leave));
        let value = self.part_value(&pl, &part, place)?;
        Ok(Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        })
    }

    /// An error as one of another type, by `From`.
    fn converted(&mut self, own: Val, want: &Ty, place: Place) -> Res<Val> {
        let known = self.infer.now();
        if self.infer.unify(want, &own.ty) {
            return Ok(own);
        }
        self.infer.undo(known);
        let given = Given {
            arguments: vec![self.infer.shallow(&own.ty)],
            result: None,
        };
        match self.function_for(want, "from", Whose::Known("From"), &given) {
            Some((def, context)) => {
                let operands = vec![Operand::Made(own)];
                self.call_function(def, context, None, operands, None, place)
            }
            None => {
                let of = place.start as usize..place.end as usize;
                Err(self.mismatch(want, &own.ty, of))
            }
        }
    }

    /// What says that the value in a place is this variant; `None` if it can be no other.
    pub(super) fn is_variant(
        &mut self,
        pl: &Pl,
        variant: usize,
        place: Place,
    ) -> Res<Option<typed::Expr>> {
        let Ty::Adt(id, _) = self.infer.shallow(&pl.ty) else {
            return Ok(None);
        };
        let of = &self.t.names.adts[id];
        let count = of.variants().len();
        if count <= 1 {
            return Ok(None);
        }
        if of.is_number() {
            let number = self.t.variants(id)?[variant];
            let own = load(pl.lvalue.clone(), place);
            let value = super::build::constant(i64::from(number), own.ty.clone(), place);
            return Ok(Some(super::build::compare(
                typed::BinaryOp::Eq,
                own,
                value,
                place,
            )));
        }
        let tag = self.part(pl, TAG, place)?;
        let tag = load(tag.lvalue, place);
        Ok(Some(match (count, variant) {
            (2, 0) => not(tag),
            (2, _) => tag,
            (_, variant) => {
                let value = super::build::constant(variant as i64, tag.ty.clone(), place);
                super::build::compare(typed::BinaryOp::Eq, tag, value, place)
            }
        }))
    }
}
