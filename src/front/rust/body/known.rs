//! The functions of known crates, and what they make.

use super::build::{constant, declare, known, load, sequence, unit};
use super::memory::Known;
use super::{Body, Pl, Val};
use crate::lower::direct;
use crate::lower::typed::{self, ExprKind, LocalId, Stmt};
use crate::rust::source::{implied, span};
use crate::rust::types::{Ptr, Slot, Ty};
use crate::rust::unit::{Res, void};
use crate::text::{Place, Span};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// Calls a function of a known crate.
    pub(super) fn known_function(
        &mut self,
        path: &[String],
        e: &'a syn::ExprCall,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let last = path.last().map_or("", String::as_str);
        let before = path.len().checked_sub(2).map_or("", |at| path[at].as_str());
        let arguments: Vec<&'a Expr> = e.args.iter().collect();
        let simple = |entry, place| Val {
            e: known(entry, Vec::new(), void(), place),
            ty: Ty::Unit,
        };
        let of = Known {
            of: before,
            name: last,
            want,
            given: self.type_given(&e.func)?,
            place,
            span: span(e),
        };
        if let Some(value) = self.memory_function(&of, &arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.shared_function(&of, &arguments)? {
            return Ok(value);
        }
        if before == "intrinsics"
            && let Some(value) = self.intrinsic(&of, &arguments)?
        {
            return Ok(value);
        }
        match (before, last, &arguments[..]) {
            ("atomic_wait", "wait", [word, value]) => self.futex(word, Some(value), 0, place),
            ("atomic_wait", "wake_one", [word]) => self.futex(word, None, 1, place),
            ("atomic_wait", "wake_all", [word]) => {
                self.futex(word, None, i64::from(i32::MAX), place)
            }
            ("Default", "default", []) => {
                let ty = match want {
                    Some(ty) => ty.clone(),
                    None => self.infer.fresh(span(e).start, false),
                };
                self.default_of(&ty, place, &span(e))
            }
            ("Clone", "clone", [inner]) => {
                let of = want.map(|want| Ty::pointer(Ptr::Ref, want.clone()));
                let value = self.expr(inner, of.as_ref())?;
                match self.infer.shallow(&value.ty) {
                    Ty::Ptr(Ptr::Ref, to) => {
                        let pl = Pl {
                            lvalue: super::build::deref(value.e, place),
                            ty: *to,
                        };
                        self.clone_at(&pl, place, &span(e))
                    }
                    _ => self.refuse(
                        "what is cloned here is not known",
                        span(e),
                        "call `clone` as a method",
                    ),
                }
            }
            ("atomic", "fence", [order]) => {
                let order = self.expr_as(order, &Ty::Ordering)?;
                Ok(Val {
                    e: known(&direct::FENCE, vec![order.e], void(), place),
                    ty: Ty::Unit,
                })
            }
            ("atomic", "compiler_fence", [order]) => {
                let order = self.expr_as(order, &Ty::Ordering)?;
                let e = known(&direct::COMPILER_FENCE, vec![order.e], void(), place);
                Ok(Val { e, ty: Ty::Unit })
            }
            ("hint", "spin_loop", [])
            | ("atomic", "spin_loop_hint", [])
            | ("thread", "yield_now", []) => Ok(simple(&direct::IGNORE, place)),
            ("thread", "sleep", [time]) if is_stated(time) => Ok(simple(&direct::IGNORE, place)),
            ("thread", "sleep" | "park_timeout", [time]) => {
                let operands = vec![super::call::Operand::Written(time)];
                let called = self.library_function(&["thread", last], operands, &of)?;
                called.map_or_else(|| self.error("this call is not supported", span(e)), Ok)
            }
            ("thread", "spawn", [closure]) => self.spawn(closure, place),
            ("thread", "scope", [closure]) => self.scope(closure, want, place),
            ("thread" | "", "park", []) => Ok(Self::park(place)),
            ("thread" | "", "current", []) => {
                let typed = self.typed(&Ty::Thread);
                Ok(Val {
                    e: known(&direct::CURRENT, Vec::new(), typed, place),
                    ty: Ty::Thread,
                })
            }
            ("Condvar", "new", []) => {
                let (id, pl) = self.temporary(&Ty::Condvar, place);
                let kind = typed::StmtKind::Declare(id, Vec::new(), typed::Initialised::Yes);
                let set = super::build::stmt(kind, implied(place));
                Ok(Val {
                    e: sequence(vec![set], load(pl.lvalue, place)),
                    ty: Ty::Condvar,
                })
            }
            ("Builder", "new", []) if path.iter().rev().nth(2).is_some_and(|of| of == "model") => {
                Ok(Val {
                    e: constant(0, super::build::word(), place),
                    ty: Ty::Model,
                })
            }
            ("", "model", [closure]) => {
                self.is_called_once = true;
                self.inline_closure(closure, &[], None, place)
            }
            ("", name, [closure, ..]) if name.starts_with("check_") => {
                self.is_called_once = true;
                self.inline_closure(closure, &[], None, place)
            }
            ("Arc" | "Rc" | "Box", "new", [inner]) => {
                let kind = match before {
                    "Box" => Ptr::Box,
                    "Rc" => Ptr::Rc,
                    _ => Ptr::Arc,
                };
                let inner_ty = match want.map(|ty| self.infer.shallow(ty)) {
                    Some(Ty::Ptr(own, inner))
                        if own == kind && !matches!(self.infer.shallow(&inner), Ty::Dyn(_)) =>
                    {
                        *inner
                    }
                    _ => self.infer.fresh(span(e).start, false),
                };
                self.allocate(kind, inner, inner_ty, place)
            }
            ("Arc" | "Rc", "clone", [inner]) => {
                let value = self.expr(inner, None)?;
                self.clone_of(value, span(e))
            }
            ("Arc" | "Rc", "ptr_eq", [a, b]) | ("ptr", "eq" | "addr_eq", [a, b]) => {
                let (mut a, mut b) = (self.expr(a, None)?, self.expr(b, None)?);
                if before != "ptr" {
                    let kind = if before == "Rc" { Ptr::Rc } else { Ptr::Arc };
                    for value in [&mut a, &mut b] {
                        let (e, to) = self.pointer_at(value.clone(), kind, span(e))?;
                        let ty = Ty::pointer(kind, to);
                        *value = Val { e, ty };
                    }
                }
                let mut stmts = Vec::new();
                let a = self.before(a, &[&b.e], &mut stmts);
                let e = super::build::compare(typed::BinaryOp::Eq, a.e, b.e, place);
                Ok(Val {
                    e: sequence(stmts, e),
                    ty: Ty::Bool,
                })
            }
            ("" | "mem", "drop", [inner]) => {
                let value = self.expr(inner, None)?;
                let e = if self.needs_drop(&value.ty) {
                    let (stmts, _) = self.drop_now(value, place, &span(e))?;
                    sequence(stmts, unit(place))
                } else {
                    value.e
                };
                Ok(Val { e, ty: Ty::Unit })
            }
            ("mem" | "", "size_of" | "align_of", []) => {
                let ty = self.type_after(&e.func)?;
                let size = ty.and_then(|ty| size_of(&self.infer.settled(&ty), last == "align_of"));
                match size {
                    Some(size) => self.number(size, &crate::rust::types::USIZE, place, span(e)),
                    None => self.refuse(
                        "the size of this type is not known",
                        span(e),
                        "those of numbers, pointers and arrays of them are",
                    ),
                }
            }
            ("process", "exit" | "abort", _) => self.refuse(
                "the end of the process is not supported",
                span(e),
                "return from the function",
            ),
            (_, "new", [_]) if Self::is_transparent(before) => {
                let ty = match want {
                    Some(ty) => ty.clone(),
                    None => self.infer.fresh(span(e).start, false),
                };
                let Some((inner, part, member)) = self.transparent(e, &ty)? else {
                    return self.error("this call is not supported", span(e));
                };
                let mut stmts = Vec::new();
                let mut values = self.values_of(inner, &part, &mut stmts)?;
                if let Some(member) = member {
                    for (path, _) in &mut values {
                        path.insert(0, typed::Step::Member(member));
                    }
                }
                let (id, pl) = self.temporary(&ty, place);
                let kind = typed::StmtKind::Declare(id, values, typed::Initialised::Yes);
                stmts.push(super::build::stmt(kind, implied(place)));
                Ok(Val {
                    e: sequence(stmts, load(pl.lvalue, place)),
                    ty,
                })
            }
            _ => self.refuse(
                format!("`{}` is not supported", path.join("::")),
                span(&e.func),
                "write what it does with atomics, or leave it out",
            ),
        }
    }

    /// `T` of `f::<T>`
    fn type_after(&mut self, func: &'a Expr) -> Res<Option<Ty>> {
        let Expr::Path(path) = super::control::without_brackets(func) else {
            return Ok(None);
        };
        let last = path.path.segments.last();
        let Some(syn::PathArguments::AngleBracketed(given)) = last.map(|of| &of.arguments) else {
            return Ok(None);
        };
        match given.args.first() {
            Some(syn::GenericArgument::Type(ty)) => self.written(ty).map(Some),
            _ => Ok(None),
        }
    }

    /// `T` of `Type::<T>::f`
    fn type_given(&mut self, func: &'a Expr) -> Res<Option<Ty>> {
        let Expr::Path(path) = super::control::without_brackets(func) else {
            return Ok(None);
        };
        let before = path.path.segments.iter().rev().nth(1);
        let Some(syn::PathArguments::AngleBracketed(given)) = before.map(|of| &of.arguments) else {
            return Ok(None);
        };
        match given.args.first() {
            Some(syn::GenericArgument::Type(ty)) => self.written(ty).map(Some),
            _ => Ok(None),
        }
    }

    /// `atomic_wait::wait` while a word has this value, or `wake_one` and `wake_all` of so many threads that wait for it: the
    /// system calls that Linux has for it.
    fn futex(
        &mut self,
        word: &'a Expr,
        value: Option<&'a Expr>,
        count: i64,
        place: Place,
    ) -> Res<Val> {
        /// The numbers of the call, and of its operations within a process.
        const FUTEX: i64 = 202;
        const WAIT: i64 = 128;
        const WAKE: i64 = 129;
        let of = span(word);
        let own = self.place(word)?;
        let found = self.deref_until(own, place, |body, pl| {
            matches!(body.infer.shallow(&pl.ty), Ty::Atomic(_))
        })?;
        let Some(word) = found else {
            return self.error("this is no reference to an atomic", of);
        };
        let mut stmts = Vec::new();
        let address = self.address_of(word.lvalue, place);
        let pointer = Ty::pointer(Ptr::Raw, word.ty);
        let address = self.hold(address, &pointer, &mut stmts);
        let operation = if value.is_some() { WAIT } else { WAKE };
        let value = match value {
            Some(value) => self.expr_as(value, &crate::rust::types::U32)?.e,
            None => constant(count, super::build::word(), place),
        };
        let number = |value| constant(value, super::build::long(), place);
        let null = constant(0, address.ty.clone(), place);
        let arguments = vec![number(FUTEX), address, number(operation), value, null];
        let call = known(&direct::SYSTEM_CALL, arguments, super::build::long(), place);
        stmts.push(Self::effect(call));
        Ok(Val {
            e: sequence(stmts, unit(place)),
            ty: Ty::Unit,
        })
    }

    pub(super) fn is_transparent(name: &str) -> bool {
        name.starts_with("Atomic")
            || matches!(
                name,
                "UnsafeCell" | "Cell" | "Mutex" | "RwLock" | "ManuallyDrop" | "MaybeUninit"
            )
    }

    /// Drops a value here.
    pub(super) fn drop_now(
        &mut self,
        value: Val,
        place: Place,
        of: &Span,
    ) -> Res<(Vec<Stmt>, LocalId)> {
        let mut stmts = Vec::new();
        let ty = value.ty.clone();
        let (id, pl) = self.temporary(&ty, place);
        stmts.push(declare(id, vec![(Vec::new(), value.e)], implied(place)));
        self.drop_place(&pl, place, of, &mut stmts)?;
        Ok((stmts, id))
    }

    /// Evaluates a value now.
    pub(super) fn hold_typed(&mut self, e: typed::Expr, stmts: &mut Vec<Stmt>) -> typed::Expr {
        if matches!(e.kind, ExprKind::Const(_)) {
            return e;
        }
        let place = e.place;
        let ty = e.ty.clone();
        let Some(frame) = self.frames.last_mut() else {
            return e;
        };
        frame.locals.push(typed::Local {
            name: "temporary".to_owned(),
            ty: ty.clone(),
            addressed: false,
            temporary: false,
        });
        let id = LocalId(frame.locals.len() - 1);
        stmts.push(declare(id, vec![(Vec::new(), e)], implied(place)));
        load(super::build::local(id, ty, place), place)
    }

    /// The part of an object that a way leads to, which nothing else can access yet.
    pub(super) fn follow(
        &mut self,
        mut lvalue: typed::Lvalue,
        path: &[typed::Step],
        place: Place,
    ) -> typed::Lvalue {
        for step in path {
            lvalue = match (step, &lvalue.ty.kind) {
                (typed::Step::Member(member), _) => {
                    let ty = self.member_type(&lvalue.ty, *member);
                    super::build::member(lvalue, *member, ty, place)
                }
                (typed::Step::Element(number), typed::TypeKind::Array(element, _)) => {
                    let ty = (**element).clone();
                    let index = constant(i64::from(*number), super::build::long(), place);
                    super::build::element(lvalue, index, ty, place)
                }
                (typed::Step::Element(_), _) => lvalue,
            };
        }
        lvalue.ty.atomic = false;
        lvalue
    }

    /// A call that makes a value from another one without changing it: what is inside, its type, and the
    /// member that it is.
    pub(super) fn transparent(
        &mut self,
        e: &'a syn::ExprCall,
        ty: &Ty,
    ) -> Res<Option<(&'a Expr, Ty, Option<usize>)>> {
        let Expr::Path(path) = &*e.func else {
            return Ok(None);
        };
        let words = super::path::words_with_type(path);
        if words.last().is_none_or(|last| last != "new") || e.args.len() != 1 {
            return Ok(None);
        }
        let Some(known) = self.aliased(&words) else {
            return Ok(None);
        };
        let Some(name) = known.len().checked_sub(2).map(|at| known[at].clone()) else {
            return Ok(None);
        };
        let inner = if let Some(inner) = Ty::atomic(&name) {
            self.unify(ty, &Ty::Atomic(Box::new(inner.clone())), span(e))?;
            return Ok(Some((&e.args[0], inner, None)));
        } else {
            self.infer.fresh(span(e).start, false)
        };
        let boxed = Box::new(inner.clone());
        let (own, member) = match name.as_str() {
            "AtomicPtr" => {
                let pointer = Ty::pointer(Ptr::Raw, inner);
                self.unify(ty, &Ty::Atomic(Box::new(pointer.clone())), span(e))?;
                return Ok(Some((&e.args[0], pointer, None)));
            }
            "UnsafeCell" => (Ty::Cell(boxed), None),
            "Cell" => (Ty::Slot(Slot::Cell, boxed), None),
            "ManuallyDrop" => (Ty::Slot(Slot::Manual, boxed), None),
            "MaybeUninit" => (Ty::Slot(Slot::Uninit, boxed), Some(0)),
            "Mutex" => (Ty::Mutex(boxed), Some(1)),
            "RwLock" => (Ty::RwLock(boxed), Some(1)),
            _ => return Ok(None),
        };
        self.unify(ty, &own, span(e))?;
        Ok(Some((&e.args[0], inner, member)))
    }
}

/// Whether a time is `Duration::from_…` of numbers, which has no effect.
fn is_stated(e: &Expr) -> bool {
    match super::control::without_brackets(e) {
        Expr::Call(of) => {
            let is_made = matches!(&*of.func, Expr::Path(path)
                if path.path.segments.iter().rev().nth(1).is_some_and(|of| of.ident == "Duration"));
            is_made && of.args.iter().all(|e| matches!(e, Expr::Lit(_)))
        }
        _ => false,
    }
}

/// The size of a type, or what its addresses are multiples of, as far as the language says that.
fn size_of(ty: &Ty, is_alignment: bool) -> Option<i128> {
    Some(match ty {
        Ty::Bool => 1,
        Ty::Char => 4,
        Ty::Int { bits, .. } => i128::from(*bits) / 8,
        Ty::Atomic(of) | Ty::Cell(of) => return size_of(of, is_alignment),
        Ty::Ptr(_, to) if !matches!(**to, Ty::Dyn(_) | Ty::Var(_)) => 8,
        Ty::Array(of, _) if is_alignment => return size_of(of, true),
        Ty::Array(of, count) => size_of(of, false)? * i128::from(*count),
        _ => return None,
    })
}
