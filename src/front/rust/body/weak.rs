//! What the library needs of counted pointers for `Weak` ones, which it has itself (`prelude/arc.rs`, `prelude/rc.rs`).
//!
//! A `Weak` pointer is an `Arc` or an `Rc` that is not counted as one. Where there are any to a type, what such pointers point
//! to has the number of them as its last part; all others together count as one of them.

use super::build::{assign, compare, constant, declare, expr, load, sequence, unit, when};
use super::call::Operand;
use super::memory::Known;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, BinaryOp, ExprKind, Stmt};
use crate::rust::names::{Named, Target};
use crate::rust::source::{implied, span};
use crate::rust::types::{Ptr, Ty, U32};
use crate::rust::unit::{Context, Def, Res};
use crate::text::Place;
use syn::Expr;

/// Whether a function that is known to the library alone is about counted pointers.
pub(super) fn is_about_counts(name: &str) -> bool {
    matches!(
        name,
        "no_arc" | "new_arc" | "is_no_arc" | "strong" | "weak" | "content" | "end_weak"
    )
}

impl<'a> Body<'_, 'a> {
    /// The place of the number of `Weak` pointers to an object, if they are counted.
    pub(super) fn weak_count(
        &mut self,
        (kind, to): (Ptr, &Ty),
        pointer: &typed::Expr,
        place: Place,
    ) -> Res<Option<Pl>> {
        let to = self.infer.settled(to);
        if !self.t.has_weak(&to) {
            return Ok(None);
        }
        let Some(inner) = self.t.counted(kind, &to) else {
            return Ok(None);
        };
        let whole = Pl {
            lvalue: super::build::deref(pointer.clone(), place),
            ty: inner,
        };
        self.part(&whole, "2", place).map(Some)
    }

    /// The end of a `Weak` pointer, or of the one that all others are: the memory ends with the last.
    pub(super) fn end_weak(
        &mut self,
        (kind, to): (Ptr, &Ty),
        pointer: typed::Expr,
        stmts: &mut Vec<Stmt>,
        place: Place,
    ) -> Res<()> {
        let Some(weak) = self.weak_count((kind, to), &pointer, place)? else {
            stmts.push(Self::free(pointer, place));
            return Ok(());
        };
        let is_last = self.subtract(kind, &weak, stmts, place);
        let mut last = Self::acquire(kind, place);
        last.push(Self::free(pointer, place));
        stmts.push(when(is_last, last));
        Ok(())
    }

    /// Calls a function of `Arc` or `Rc` that the library has.
    pub(super) fn beside_weak(
        &mut self,
        kind: Ptr,
        of: &Known<'_>,
        operands: Vec<Operand<'a>>,
    ) -> Res<Option<Val>> {
        let module = if kind == Ptr::Rc { "rc" } else { "arc" };
        self.library_function(&[module, of.name], operands, of)
    }

    /// Calls a function of the library by its path there; `None` if there is none.
    pub(super) fn library_function(
        &mut self,
        path: &[&str],
        operands: Vec<Operand<'a>>,
        of: &Known<'_>,
    ) -> Res<Option<Val>> {
        let path: Vec<String> = path.iter().map(|&part| part.to_owned()).collect();
        let Some(Target::Item(module, Named::Fn(item))) = self.t.names.in_library(&path) else {
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
        self.call_function(def, context, None, operands, of.want, of.place)
            .map(Some)
    }

    /// A function that is known to the library alone.
    pub(super) fn count_function(&mut self, of: &Known<'_>, arguments: &[&'a Expr]) -> Res<Val> {
        let place = of.place;
        let [argument] = arguments else {
            let Some(ty @ Ty::Ptr(..)) = of.want.map(|ty| self.infer.shallow(ty)) else {
                return self.error("the type of this pointer is not known", of.span.clone());
            };
            if of.name == "no_arc" {
                let typed = self.typed(&ty);
                let e = constant(0, typed, place);
                return Ok(Val { e, ty });
            }
            return self.without_value(ty, place);
        };
        let reference = self.expr(argument, None)?;
        let mut ty = self.infer.shallow(&reference.ty);
        while let Ty::Ptr(Ptr::Ref, to) = &ty {
            ty = self.infer.shallow(to);
        }
        let kind = match ty {
            Ty::Ptr(Ptr::Rc, _) => Ptr::Rc,
            _ => Ptr::Arc,
        };
        let (pointer, to) = self.pointer_at(reference, kind, span(*argument))?;
        let pointer_ty = Ty::pointer(kind, to.clone());
        if of.name == "is_no_arc" {
            let null = constant(0, pointer.ty.clone(), place);
            let e = compare(BinaryOp::Eq, pointer, null, place);
            return Ok(Val { e, ty: Ty::Bool });
        }
        self.t.ask_for_weak(self.infer.settled(&to));
        let mut stmts = Vec::new();
        let pointer = self.hold(pointer, &pointer_ty, &mut stmts);
        if of.name == "end_weak" {
            self.end_weak((kind, &to), pointer, &mut stmts, place)?;
            return Ok(Val {
                e: sequence(stmts, unit(place)),
                ty: Ty::Unit,
            });
        }
        let found = match of.name {
            "weak" => self.weak_count((kind, &to), &pointer, place)?,
            name => self
                .counted(kind, &to, &pointer, place)?
                .map(|(strong, value)| if name == "strong" { strong } else { value }),
        };
        let ty = match (of.name, kind) {
            ("content", _) => to,
            (_, Ptr::Rc) => U32,
            (_, _) => Ty::Atomic(Box::new(U32)),
        };
        let ty = Ty::pointer(Ptr::Ref, ty);
        let e = match found {
            Some(found) => self.address_of(found.lvalue, place),
            // The next translation has the counts.
            None => {
                let typed = self.typed(&ty);
                constant(0, typed, place)
            }
        };
        Ok(Val {
            e: sequence(stmts, e),
            ty,
        })
    }

    /// A new object without a value, to which there is one `Weak` pointer.
    fn without_value(&mut self, pointer: Ty, place: Place) -> Res<Val> {
        let Ty::Ptr(kind, to) = pointer.clone() else {
            return Err(self.t.reported());
        };
        self.t.ask_for_weak(self.infer.settled(&to));
        let name = match self.infer.settled(&to) {
            Ty::Adt(id, _) => self.t.names.adts[id].name().to_string(),
            _ => "heap".to_owned(),
        };
        let typed = self.typed(&pointer);
        let new = expr(ExprKind::New(name), typed, place);
        let (id, pl) = self.temporary(&pointer, place);
        let mut stmts = vec![declare(id, vec![(Vec::new(), new)], implied(place))];
        let own = load(pl.lvalue, place);
        let numbers = [
            (self.counted(kind, &to, &own, place)?.map(|(of, _)| of), 0),
            (self.weak_count((kind, &to), &own, place)?, 1),
        ];
        for (count, number) in numbers {
            if let Some(count) = count {
                let mut lvalue = count.lvalue;
                lvalue.ty.atomic = false;
                let number = constant(number, lvalue.ty.clone(), place);
                stmts.push(Self::effect(assign(lvalue, number, place)));
            }
        }
        Ok(Val {
            e: sequence(stmts, own),
            ty: pointer,
        })
    }
}
