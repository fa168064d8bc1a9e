//! Locked arithmetic: `atomic_fetch_add`, `atomic_add_return`, `atomic_inc`, `atomic_dec_and_test`.

use super::super::compiled::Operation;
use super::super::lower::Lowering;
use super::super::value::{Place, Value};
use super::{Call, Called, Order};
use crate::program::{BinaryOp, Expr, FetchOp, Op, Update};
use crate::text::Diagnostic;

impl Lowering<'_> {
    /// `atomic_fetch_add`, `atomic_add_return`, `atomic_inc`, `atomic_dec_and_test`, …
    pub(super) fn fetch(&mut self, call: &Call<'_>, base: &str, explicit: bool) -> Called {
        let unknown = |lowering: &mut Self| {
            lowering.report(
                Diagnostic::error(
                    format!("unknown function `{}`", call.name),
                    call.span.clone(),
                )
                .label("not a supported function")
                .note(
                    "supported functions: of C11, atomic_load, atomic_store, atomic_exchange, \
                         atomic_compare_exchange_strong and _weak, atomic_fetch_add, _sub, _and, \
                         _or, _xor, with or without _explicit; atomic_thread_fence; of the kernel, \
                         READ_ONCE, WRITE_ONCE, smp_mb, smp_rmb, smp_wmb, smp_store_release, \
                         smp_load_acquire, xchg, cmpxchg, atomic_read, atomic_set, atomic_inc, \
                         atomic_add, atomic_add_return, atomic_fetch_add and similar ones",
                ),
            );
        };
        let Some(rest) = base.strip_prefix("atomic_") else {
            unknown(self);
            return None;
        };
        let (rest, before) = match rest.strip_prefix("fetch_") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (word, after, test) =
            match (rest.strip_suffix("_return"), rest.strip_suffix("_and_test")) {
                (Some(word), _) if !before => (word, true, false),
                (_, Some(word)) if !before => (word, false, true),
                _ => (rest, false, false),
            };
        let (op, one) = match word {
            "add" => (BinaryOp::Add, false),
            "sub" => (BinaryOp::Sub, false),
            "and" => (BinaryOp::BitAnd, false),
            "or" => (BinaryOp::BitOr, false),
            "xor" => (BinaryOp::BitXor, false),
            "inc" => (BinaryOp::Add, true),
            "dec" => (BinaryOp::Sub, true),
            _ => {
                unknown(self);
                return None;
            }
        };
        let order = call.ordered(self, if one { 1 } else { 2 }, explicit)?;
        let (place, operand) = if one {
            (
                self.through(&call.arguments[0])?,
                Value::int(Expr::Const(1)),
            )
        } else {
            // C11 names the cell first, the kernel last.
            let (a, b) = (&call.arguments[0], &call.arguments[1]);
            let (first, second) = (self.value(a)?, self.value(b)?);
            if first.kind.stars > 0 {
                (self.pointed(first, &a.span)?, second)
            } else {
                (self.pointed(second, &b.span)?, first)
            }
        };
        let (old, new) = self.fetch_op(op, &place, operand, call, order)?;
        Some(if test {
            Some(Value::int(Expr::binary(
                BinaryOp::Eq,
                new.e,
                Expr::Const(0),
            )))
        } else if after {
            Some(new)
        } else if before {
            Some(old)
        } else {
            None
        })
    }

    /// A locked operation; returns the old and the new value.
    fn fetch_op(
        &mut self,
        op: BinaryOp,
        place: &Place,
        operand: Value,
        call: &Call<'_>,
        order: Order,
    ) -> Option<(Value, Value)> {
        let span = call.span;
        let Place::Memory { addr, kind } = place else {
            self.error("this is not a shared variable", span);
            return None;
        };
        let operand = Value {
            e: self.convert(operand, *kind, span)?,
            kind: *kind,
        };
        let narrow = kind.stars == 0 && kind.size().bytes() < 4;
        if kind.stars > 0 || narrow {
            self.error(
                format!("arithmetic on the type `{}` is not supported", kind.name()),
                span,
            );
            return None;
        }
        let into = match call.into {
            // The register may occur in the operand.
            Some(into) if !operand.e.vars().contains(&into) => into,
            _ => self.temporary(),
        };
        let old = Value {
            e: Expr::Var(into),
            kind: *kind,
        };
        // Also reports what cannot be computed in 32 bits.
        let new = self.combine(op, old.clone(), operand.clone(), span)?;
        // No locked instruction is a fetch-and-xor: an atomic block is equivalent.
        let fetch = [
            (BinaryOp::Add, FetchOp::Add),
            (BinaryOp::Sub, FetchOp::Sub),
            (BinaryOp::BitAnd, FetchOp::And),
            (BinaryOp::BitOr, FetchOp::Or),
        ]
        .into_iter()
        .find_map(|(known, fetch)| (known == op).then_some(fetch));
        let start = self.edges.len();
        let addr = addr.clone();
        if let Some(fetch) = fetch {
            let (addr, update) = (addr.clone(), Update::Fetch(fetch, operand.e.clone()));
            self.step(Op::Rmw { into, addr, update }, span);
        } else {
            let value = new.e.clone();
            self.step(Op::AtomicBegin, span);
            self.step(
                Op::Load {
                    into,
                    addr: addr.clone(),
                },
                span,
            );
            let store = Op::Store {
                addr: addr.clone(),
                value,
            };
            self.step(store, span);
            self.step(Op::AtomicEnd, span);
        }
        self.operations.push(Operation {
            edges: start..self.edges.len(),
            into,
            addr,
            op: Some(op),
            operand: operand.e,
            order,
            span: span.clone(),
        });
        Some((old, new))
    }
}
