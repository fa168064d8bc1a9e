//! Values.

use super::build::{constant, declare, load, sequence, unit};
use super::{Body, Pl, Val};
use crate::lower::typed;
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Slot, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

/// Expressions nest no deeper than this.
pub(super) const MOST_DEPTH: usize = 1000;

impl<'a> Body<'_, 'a> {
    /// A value of this type.
    pub(super) fn expr_as(&mut self, e: &'a Expr, ty: &Ty) -> Res<Val> {
        let value = self.expr(e, Some(ty))?;
        match e {
            Expr::Reference(of) if of.mutability.is_some() => {
                self.written_at(|body| body.coerce(value, ty, span(e)))
            }
            _ => self.coerce(value, ty, span(e)),
        }
    }

    /// A value of this type, into which references and values that never are there are converted.
    pub(super) fn coerce(&mut self, value: Val, want: &Ty, of: Span) -> Res<Val> {
        let place = value.e.place;
        if let Some(object) = self.as_object(&value, want, &of)? {
            return Ok(object);
        }
        let (own, wanted) = (self.infer.shallow(&value.ty), self.infer.shallow(want));
        match (&own, &wanted) {
            (Ty::Never, Ty::Never | Ty::Var(_)) => Ok(value),
            (Ty::Never, _) => {
                let e = self.never(value.e, &wanted, place);
                Ok(Val { e, ty: wanted })
            }
            (Ty::Ptr(..), Ty::Adt(id, arguments)) if *id == self.t.names.lang.slice => {
                let element = arguments[0].clone();
                self.as_slice(value, &element, &of)
            }
            (Ty::Ptr(_, a), Ty::Ptr(kind @ (Ptr::Ref | Ptr::Raw), b)) => {
                let (inner, target) = (self.infer.shallow(a), self.infer.shallow(b));
                let deeper = match (&inner, &target) {
                    (_, Ty::Ptr(..) | Ty::Var(_))
                    | (Ty::Ptr(..) | Ty::Guard(..), Ty::Guard(..))
                    | (Ty::Slot(..), Ty::Slot(..)) => false,
                    (Ty::Adt(i, _), Ty::Adt(j, _)) => i != j,
                    (Ty::Slot(slot, _), _) => *slot == Slot::Manual,
                    (inner, _) => matches!(inner, Ty::Ptr(..) | Ty::Guard(..) | Ty::Adt(..)),
                };
                if deeper {
                    let pl = Pl {
                        lvalue: super::build::deref(value.e, place),
                        ty: inner,
                    };
                    if let Some(pl) = self.deref_once(&pl, place)? {
                        let e = self.borrowed(&pl, place);
                        let ty = Ty::pointer(*kind, pl.ty);
                        return self.coerce(Val { e, ty }, want, of);
                    }
                    return Err(self.mismatch(want, &value.ty, of));
                }
                self.unify(&target, &inner, of)?;
                Ok(Val {
                    e: value.e,
                    ty: wanted,
                })
            }
            _ => {
                self.unify(want, &value.ty, of)?;
                Ok(value)
            }
        }
    }

    /// An expression that has no value, as one of a type.
    fn never(&mut self, e: typed::Expr, ty: &Ty, place: Place) -> typed::Expr {
        let typed = self.typed(ty);
        let stmts = vec![Self::effect(e)];
        if typed.is_void() {
            return sequence(stmts, unit(place));
        }
        if typed.is_scalar() && !matches!(typed.kind, typed::TypeKind::Pointer(_)) {
            return sequence(stmts, constant(0, typed, place));
        }
        let (id, pl) = self.temporary(ty, place);
        let mut stmts = stmts;
        stmts.push(declare(id, Vec::new(), implied(place)));
        sequence(stmts, load(pl.lvalue, place))
    }

    /// A value; of the wanted type, as far as that helps to find out which it has.
    pub(super) fn expr(&mut self, e: &'a Expr, want: Option<&Ty>) -> Res<Val> {
        self.depth += 1;
        let mutably = std::mem::take(&mut self.mutably);
        let value = if self.depth > MOST_DEPTH {
            self.error("expressions nest too deeply", span(e))
        } else {
            self.value(e, want)
        };
        self.mutably = mutably;
        self.depth -= 1;
        value
    }

    fn value(&mut self, e: &'a Expr, want: Option<&Ty>) -> Res<Val> {
        let place = at(e);
        match e {
            Expr::Paren(e) => self.expr(&e.expr, want),
            Expr::Group(e) => self.expr(&e.expr, want),
            Expr::Lit(e) => self.literal(&e.lit, want, false),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) if self.is_place(e) => {
                let pl = self.place(e)?;
                self.load_place(pl, e, place)
            }
            Expr::Path(path) => self.path_value(path, want),
            Expr::Unary(of) => match of.op {
                syn::UnOp::Deref(_) => {
                    let pl = self.place(e)?;
                    self.load_place(pl, e, place)
                }
                syn::UnOp::Neg(_) => self.negated(of, want),
                syn::UnOp::Not(_) => self.inverted(of, want),
                _ => self.error("this operator is not supported", span(e)),
            },
            Expr::Binary(of) => self.binary(of, want),
            Expr::Assign(of) => self.assignment(of),
            Expr::Cast(of) => self.cast(of),
            Expr::Reference(of) => self.reference(&of.expr, of.mutability.is_some(), want, place),
            Expr::RawAddr(of) => {
                let is_mutable = matches!(of.mutability, syn::PointerMutability::Mut(_));
                let value = self.reference(&of.expr, is_mutable, None, place)?;
                let ty = match value.ty {
                    Ty::Ptr(_, to) => Ty::Ptr(Ptr::Raw, to),
                    ty => ty,
                };
                Ok(Val { e: value.e, ty })
            }
            Expr::Tuple(of) if of.elems.is_empty() => Ok(Val {
                e: unit(place),
                ty: Ty::Unit,
            }),
            Expr::Tuple(_) | Expr::Struct(_) | Expr::Array(_) | Expr::Repeat(_) => {
                self.aggregate(e, want, place)
            }
            Expr::Call(of) => self.call(of, want),
            Expr::MethodCall(of) => self.method(of, want),
            Expr::Macro(of) => self.macro_call(&of.mac, want),
            Expr::Block(of) if of.label.is_none() => self.block_value(&of.block, want),
            Expr::Unsafe(of) => self.block_value(&of.block, want),
            Expr::Const(of) => self.block_value(&of.block, want),
            Expr::If(_) | Expr::Match(_) | Expr::Loop(_) | Expr::Block(_) => {
                self.with_result(want, place, |body, into| {
                    let mut stmts = Vec::new();
                    body.control_statement(e, into, &mut stmts)?;
                    Ok(stmts)
                })
            }
            Expr::While(_) | Expr::ForLoop(_) => {
                let mut stmts = Vec::new();
                self.control_statement(e, None, &mut stmts)?;
                Ok(Val {
                    e: sequence(stmts, unit(place)),
                    ty: Ty::Unit,
                })
            }
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                let mut stmts = Vec::new();
                self.control_statement(e, None, &mut stmts)?;
                Ok(Val {
                    e: sequence(stmts, unit(place)),
                    ty: Ty::Never,
                })
            }
            Expr::Try(of) => self.question_mark(of),
            // What the library is given is part of the function that calls it.
            Expr::Closure(_) if self.t.is_library(&span(e)) => {
                let mut stmts = Vec::new();
                let callable = self.callable(e, &mut stmts)?;
                let value = self.closure_value(callable, place);
                Ok(Val {
                    e: sequence(stmts, value.e),
                    ty: value.ty,
                })
            }
            Expr::Closure(closure) => self.held_closure(closure),
            Expr::Range(of) => self.range(of, want, place),
            Expr::Await(_) | Expr::Async(_) => self.refuse(
                "`async` is not supported",
                span(e),
                "write threads: the program is what they do",
            ),
            _ => self.error("an expression of this kind is not supported", span(e)),
        }
    }

    /// The value in a place: moved out of a variable, if it has to be dropped.
    pub(super) fn load_place(&mut self, pl: Pl, e: &Expr, place: Place) -> Res<Val> {
        let ty = self.infer.shallow(&pl.ty);
        if pl.lvalue.ty.is_void() {
            return Ok(Val { e: unit(place), ty });
        }
        if let Ty::Atomic(_) = ty {
            // What is moved is not shared: it is copied as a plain number is.
            let mut lvalue = pl.lvalue;
            lvalue.ty.atomic = false;
            let e = load(lvalue, place);
            return Ok(Val { e, ty });
        }
        if let Ty::Mutex(_) | Ty::RwLock(_) | Ty::Condvar = ty
            && !self.t.is_library(&span(e))
        {
            return self.refuse(
                "a value of this type cannot be moved to another place",
                span(e),
                "put it into an `Arc` or a static, or take a reference",
            );
        }
        if self.needs_drop(&ty) {
            return self.moved_value(&pl, place, &span(e));
        }
        // What the library moves is not shared yet.
        let mut lvalue = pl.lvalue;
        lvalue.ty.atomic = false;
        let e = load(lvalue, place);
        Ok(Val { e, ty })
    }

    /// A number, a boolean or a text.
    pub(super) fn literal(&mut self, of: &syn::Lit, want: Option<&Ty>, negative: bool) -> Res<Val> {
        let place = at(of);
        match of {
            syn::Lit::Bool(of) => Ok(Val {
                e: super::build::truth(of.value, place),
                ty: Ty::Bool,
            }),
            syn::Lit::Int(of) => {
                let ty = match (of.suffix(), want.map(|ty| self.infer.shallow(ty))) {
                    ("", Some(ty)) if self.infer.is_integer(&ty) => ty,
                    ("", _) => self.infer.fresh(span(of).start, true),
                    (suffix, _) => match Ty::integer(suffix) {
                        Some(ty) => ty,
                        None => {
                            return self.error(
                                format!("numbers of type `{suffix}` are not supported"),
                                span(of),
                            );
                        }
                    },
                };
                let value = of.base10_parse::<i128>();
                let settled = self.infer.settled(&ty);
                let value = value
                    .ok()
                    .map(|value| if negative { -value } else { value });
                let range = settled.range().unwrap_or_default();
                let Some(value) = value else {
                    return self.error(format!("the number {of} is not supported"), span(of));
                };
                if !(range.0..=range.1).contains(&value) {
                    // What comes later may say that it is of another type: then this is forgotten.
                    let shown = self.t.shown(&settled);
                    let message = format!("the number {of} does not fit into `{shown}`");
                    let _reported = self.t.error(message, span(of));
                }
                let typed = self.typed(&ty);
                Ok(Val {
                    e: constant(value as i64, typed, place),
                    ty,
                })
            }
            syn::Lit::Byte(of) => {
                let ty = Ty::Int {
                    bits: 8,
                    signed: false,
                    size: false,
                };
                let typed = self.typed(&ty);
                Ok(Val {
                    e: constant(i64::from(of.value()), typed, place),
                    ty,
                })
            }
            syn::Lit::Char(of) => {
                let typed = self.typed(&Ty::Char);
                Ok(Val {
                    e: constant(i64::from(u32::from(of.value())), typed, place),
                    ty: Ty::Char,
                })
            }
            syn::Lit::Str(_) => Ok(Val {
                e: unit(place),
                ty: Ty::Text,
            }),
            _ => self.refuse(
                "a literal of this kind is not supported",
                span(of),
                "booleans and integers are",
            ),
        }
    }

    // Structures, tuples, arrays.
}
