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

/// The macros of assembly.
const ASSEMBLY: [&str; 3] = ["asm", "global_asm", "naked_asm"];

/// The macros whose arguments are read.
const READ: [&str; 14] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "dbg",
    "matches",
    "panic",
    "print",
    "println",
    "eprintln",
    "format",
    "vec",
];

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
        if ASSEMBLY.contains(&&*name) {
            return self.refuse(
                "inline assembly is not supported",
                span(of),
                "write `fence(Ordering::SeqCst)` for `mfence`, `compiler_fence` for an empty template, and methods of \
                 atomics for locked instructions",
            );
        }
        let list: &'a [Expr] = match macros.get(of) {
            Some(Arguments::Matches(e, pattern, guard)) => {
                return self.matches(e, pattern, guard.as_deref(), place);
            }
            Some(Arguments::List(list)) => list,
            Some(Arguments::Other) | None if !READ.contains(&&*name) => {
                return self.unknown_macro(&name, of);
            }
            Some(Arguments::Repeat(value, length)) => {
                return self.repeated(value, length, want, (place, span(of)));
            }
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
                let op = if name.ends_with("eq") {
                    BinaryOp::Eq
                } else {
                    BinaryOp::Ne
                };
                let a = self.looked_at(a, None)?;
                let b = self.looked_at(b, self.wanted_beside(&a.ty))?;
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
            (
                "println" | "print" | "eprintln" | "eprint" | "dbg" | "format" | "format_args",
                list,
            ) => {
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
                let value = self.reference(e, false, None, place)?;
                let ty = match value.ty {
                    Ty::Ptr(_, to) => Ty::Ptr(Ptr::Raw, to),
                    ty => ty,
                };
                Ok(Val { e: value.e, ty })
            }
            ("vec", list) => self.vector(list, want, (place, span(of))),
            _ => self.unknown_macro(&name, of),
        }
    }

    fn unknown_macro(&mut self, name: &str, of: &syn::Macro) -> Res<Val> {
        self.refuse(
            format!("the macro `{name}!` is not supported"),
            span(of),
            "macros of this file are expanded, those of other crates are not: write what it expands to",
        )
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
