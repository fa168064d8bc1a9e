//! The macros that are known.

use super::build::{declare, known, sequence, unit};
use super::{Body, Val};
use crate::lower::direct;
use crate::lower::typed::{self, BinaryOp};
use crate::rust::macros::Arguments;
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::{Res, void};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    pub(super) fn macro_call(&mut self, of: &'a syn::Macro, want: Option<&Ty>) -> Res<Val> {
        let place = at(of);
        let name = of.path.segments.last().map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        if name == "cfg" {
            let Some(holds) = self.t.names.holds_here(of) else {
                return self.error("this condition has no meaning", span(of));
            };
            return Ok(Val {
                e: super::build::truth(holds, place),
                ty: Ty::Bool,
            });
        }
        let macros = self.t.macros;
        if let Some(reason) = macros.reason(of) {
            let message = format!("`{name}!` is not expanded: {reason}");
            return self.error(message, span(&of.path));
        }
        if let "stringify" | "concat" | "file" | "module_path" = &*name {
            return Ok(Val {
                e: unit(place),
                ty: Ty::Text,
            });
        }
        let list: &'a [Expr] = match macros.get(of) {
            Some(Arguments::Matches(e, pattern, guard)) => {
                return self.matches(e, pattern, guard.as_deref(), place);
            }
            Some(Arguments::List(list)) => list,
            Some(Arguments::Other) | None => {
                return self.error(
                    format!("the arguments of `{name}!` are not understood"),
                    span(of),
                );
            }
        };
        if name.starts_with("debug_assert") && self.t.names.omits_debug(of) {
            return Ok(Val {
                e: unit(place),
                ty: Ty::Unit,
            });
        }
        let asserts = |condition: typed::Expr| {
            let e = known(&direct::ASSERT, vec![condition], void(), place);
            Val { e, ty: Ty::Unit }
        };
        match (&*name, list) {
            ("assert" | "debug_assert", [condition, ..]) => {
                let condition = self.with_temps(|body| body.expr_as(condition, &Ty::Bool))?;
                Ok(asserts(condition.e))
            }
            ("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne", [a, b, ..]) => {
                let op = if name.ends_with("eq") { BinaryOp::Eq } else { BinaryOp::Ne };
                let a = self.looked_at(a, None)?;
                let b = self.looked_at(b, Some(&a.ty))?;
                let mut stmts = Vec::new();
                let a = self.before(a, &[&b.e], &mut stmts);
                let condition = self.compared(op, a, b, place, span(of))?;
                Ok(asserts(sequence(stmts, condition.e)))
            }
            ("panic" | "unreachable" | "todo" | "unimplemented", _) => {
                let e = known(&direct::FAIL, Vec::new(), void(), place);
                Ok(Val { e, ty: Ty::Never })
            }
            ("dbg", [e]) => self.expr(e, want),
            ("println" | "print" | "eprintln" | "eprint" | "dbg" | "format" | "format_args", list) => {
                let is_text = name.starts_with("format");
                let mut stmts = Vec::new();
                for e in list {
                    self.shown_value(e, &mut stmts)?;
                }
                Ok(Val {
                    e: sequence(stmts, unit(place)),
                    ty: if is_text { Ty::Text } else { Ty::Unit },
                })
            }
            ("addr_of" | "addr_of_mut", [e]) => {
                let value = self.reference(e, None, place)?;
                let ty = match value.ty {
                    Ty::Ptr(_, to) => Ty::Ptr(Ptr::Raw, to),
                    ty => ty,
                };
                Ok(Val { e: value.e, ty })
            }
            ("vec", list) => {
                let ty = match want.map(|ty| self.infer.shallow(ty)) {
                    Some(Ty::Handles(result)) => *result,
                    _ => self.infer.fresh(span(of).start, false),
                };
                let (handle, all) = (Ty::Handle(Box::new(ty.clone())), Ty::Handles(Box::new(ty)));
                let (id, pl) = self.temporary(&all, place);
                let kind = typed::StmtKind::Declare(id, Vec::new(), typed::Initialised::Yes);
                let mut stmts = vec![super::build::stmt(kind, implied(place))];
                for e in list {
                    let value = self.expr(e, Some(&handle))?;
                    let found = self.infer.shallow(&value.ty);
                    if !matches!(found, Ty::Handle(_) | Ty::Var(_) | Ty::Never) {
                        return self.refuse(
                            "a `Vec` of data is not supported",
                            span(e),
                            "use an array; a `Vec` holds handles of threads",
                        );
                    }
                    let value = self.coerce(value, &handle, span(e))?;
                    let value = self.hold(value.e, &handle, &mut stmts);
                    let pushed = self.push_handle(&pl.lvalue, value, place);
                    stmts.extend(pushed);
                }
                Ok(Val {
                    e: sequence(stmts, super::build::load(pl.lvalue, place)),
                    ty: all,
                })
            }
            _ => self.refuse(
                format!("the macro `{name}!` is not supported"),
                span(of),
                "write what it expands to; `assert!` and its like, `panic!`, `matches!` and output are known",
            ),
        }
    }

    /// Evaluates a value that is written somewhere: it is borrowed, so nothing is moved.
    fn shown_value(&mut self, e: &'a Expr, stmts: &mut Vec<typed::Stmt>) -> Res<()> {
        let place = at(e);
        let e = match e {
            // An argument with a name.
            Expr::Assign(of) => &*of.right,
            e => e,
        };
        if self.is_place(e) {
            let pl = self.place(e)?;
            let ends = self.needs_drop(&pl.ty);
            if ends || matches!(self.infer.shallow(&pl.ty), Ty::Mutex(_) | Ty::RwLock(_)) {
                let address = self.address_of(pl.lvalue, place);
                stmts.push(Self::effect(address));
                return Ok(());
            }
        }
        let value = self.looked_at(e, None)?;
        if value.e.ty.is_void() {
            stmts.push(Self::effect(value.e));
        } else {
            let (id, _) = self.temporary(&value.ty, place);
            stmts.push(declare(id, vec![(Vec::new(), value.e)], implied(place)));
        }
        Ok(())
    }
}
