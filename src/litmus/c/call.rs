//! Calls: the atomics of C11 and of the Linux kernel, and what a compiler for x86 generates for
//! them.
//!
//! Names are split into parts: `_explicit` calls end with memory orders; `_relaxed`, `_acquire` and
//! `_release` are the kernel's. The order of a locked instruction matters only for what compilers
//! may emit for it (`compiled`).

mod fetch;

use super::super::types::Type;
use super::ast::{Ast, AstKind};
use super::compiled::Operation;
use super::lower::Lowering;
use super::value::{Place, Value};
use crate::program::{BinaryOp, Expr, Fence, Op, RegId, Update};
use crate::text::{Diagnostic, Span};

/// A memory order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// The result of a call: nothing, or a value. The outer `None` is an error that has been reported.
type Called = Option<Option<Value>>;

impl Lowering<'_> {
    /// Lowers a call. Its value is left in `into` if it comes from memory.
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[Ast],
        into: Option<RegId>,
        span: &Span,
    ) -> Called {
        let call = Call {
            name,
            arguments,
            into,
            span,
        };
        match name {
            "smp_mb"
            | "smp_rmb"
            | "smp_wmb"
            | "barrier"
            | "smp_mb__before_atomic"
            | "smp_mb__after_atomic" => {
                call.count(self, 0)?;
                match name {
                    "smp_mb" => self.step(Op::Fence(Fence::Full), span),
                    "smp_wmb" => self.step(Op::Fence(Fence::Store), span),
                    _ => {}
                }
                Some(None)
            }
            "atomic_thread_fence" | "atomic_signal_fence" => {
                call.count(self, 1)?;
                let order = self.order(&arguments[0], &Order::ALL, name)?;
                match order {
                    _ if name == "atomic_signal_fence" => {}
                    Order::SeqCst => self.step(Op::Fence(Fence::Full), span),
                    Order::Release | Order::AcqRel => self.step(Op::Fence(Fence::Store), span),
                    Order::Relaxed | Order::Acquire => {}
                }
                Some(None)
            }
            "READ_ONCE" | "rcu_dereference" => {
                call.count(self, 1)?;
                let place = self.memory_place(&arguments[0])?;
                Some(Some(self.read(place, into, span)))
            }
            "WRITE_ONCE" | "rcu_assign_pointer" | "smp_store_mb" => {
                call.count(self, 2)?;
                let place = self.memory_place(&arguments[0])?;
                let value = self.value(&arguments[1])?;
                match name {
                    "WRITE_ONCE" => self.write(&place, value, span),
                    "rcu_assign_pointer" => self.release(&place, value, span),
                    _ => {
                        self.exchange(&place, value, None, span)?;
                    }
                }
                Some(None)
            }
            "smp_load_acquire" | "smp_store_release" => {
                let is_load = name == "smp_load_acquire";
                call.count(self, if is_load { 1 } else { 2 })?;
                let place = self.through(&arguments[0])?;
                if is_load {
                    return Some(Some(self.read(place, into, span)));
                }
                let value = self.value(&arguments[1])?;
                self.release(&place, value, span);
                Some(None)
            }
            _ => self.atomic(&call),
        }
    }

    /// Calls whose names are composed of parts.
    fn atomic(&mut self, call: &Call<'_>) -> Called {
        let (base, explicit) = match call.name.strip_suffix("_explicit") {
            Some(base) => (base, true),
            None => (call.name, false),
        };
        let kernel = |suffix: &str| base.strip_suffix(suffix).filter(|_| !explicit);
        let (base, suffix) = [
            ("_relaxed", Order::Relaxed),
            ("_acquire", Order::Acquire),
            ("_release", Order::Release),
        ]
        .into_iter()
        .find_map(|(suffix, order)| Some((kernel(suffix)?, Some(order))))
        .unwrap_or((base, None));
        match base {
            "atomic_load" | "atomic_read" => self.atomic_load(call, explicit),
            "atomic_store" | "atomic_set" | "atomic_init" => {
                self.atomic_store(call, base, explicit, suffix)
            }
            "atomic_exchange" | "xchg" | "atomic_xchg" => {
                let order = call.ordered(self, 2, explicit)?;
                let place = self.through(&call.arguments[0])?;
                let value = self.value(&call.arguments[1])?;
                let operand = self.convert(value, place.kind(), call.span)?;
                let start = self.edges.len();
                let update = Update::Exchange(operand.clone());
                let old = self.rmw(&place, update, call.into, call.span)?;
                if let (Place::Memory { addr, .. }, Expr::Var(into)) = (place, &old.e) {
                    self.operations.push(Operation {
                        edges: start..self.edges.len(),
                        into: *into,
                        addr,
                        op: None,
                        operand,
                        order,
                        span: call.span.clone(),
                    });
                }
                Some(Some(old))
            }
            "cmpxchg" | "atomic_cmpxchg" if !explicit => {
                call.count(self, 3)?;
                let place = self.through(&call.arguments[0])?;
                let expected = self.value(&call.arguments[1])?;
                let desired = self.value(&call.arguments[2])?;
                let old = self.compare_exchange(&place, expected, desired, call.into, call.span)?;
                Some(Some(old))
            }
            "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => {
                self.c11_compare_exchange(call, explicit)
            }
            _ => self.fetch(call, base, explicit),
        }
    }

    fn atomic_load(&mut self, call: &Call<'_>, explicit: bool) -> Called {
        call.count(self, if explicit { 2 } else { 1 })?;
        let place = self.through(&call.arguments[0])?;
        if explicit {
            let orders = [Order::Relaxed, Order::Acquire, Order::SeqCst];
            self.order(&call.arguments[1], &orders, "a load")?;
        }
        Some(Some(self.read(place, call.into, call.span)))
    }

    fn atomic_store(
        &mut self,
        call: &Call<'_>,
        base: &str,
        explicit: bool,
        suffix: Option<Order>,
    ) -> Called {
        call.count(self, if explicit { 3 } else { 2 })?;
        let place = self.through(&call.arguments[0])?;
        let value = self.value(&call.arguments[1])?;
        let order = if explicit {
            let orders = [Order::Relaxed, Order::Release, Order::SeqCst];
            self.order(&call.arguments[2], &orders, "a store")?
        } else if base == "atomic_store" {
            Order::SeqCst
        } else {
            suffix.unwrap_or(Order::Relaxed)
        };
        match order {
            Order::SeqCst => {
                self.exchange(&place, value, None, call.span)?;
            }
            Order::Release => self.release(&place, value, call.span),
            Order::Relaxed | Order::Acquire | Order::AcqRel => self.write(&place, value, call.span),
        }
        Some(None)
    }

    /// A store after all earlier ones.
    fn release(&mut self, place: &Place, value: Value, span: &Span) {
        self.step(Op::Fence(Fence::Store), span);
        self.write(place, value, span);
    }

    /// A locked instruction; returns the old value.
    fn rmw(
        &mut self,
        place: &Place,
        update: Update,
        into: Option<RegId>,
        span: &Span,
    ) -> Option<Value> {
        let Place::Memory { addr, kind } = place else {
            self.error("this is not a shared variable", span);
            return None;
        };
        let into = into.unwrap_or_else(|| self.temporary());
        let addr = addr.clone();
        self.step(Op::Rmw { into, addr, update }, span);
        Some(Value {
            e: Expr::Var(into),
            kind: *kind,
        })
    }

    fn exchange(
        &mut self,
        place: &Place,
        value: Value,
        into: Option<RegId>,
        span: &Span,
    ) -> Option<Value> {
        let value = self.convert(value, place.kind(), span)?;
        self.rmw(place, Update::Exchange(value), into, span)
    }

    fn compare_exchange(
        &mut self,
        place: &Place,
        expected: Value,
        desired: Value,
        into: Option<RegId>,
        span: &Span,
    ) -> Option<Value> {
        let expected = self.convert(expected, place.kind(), span)?;
        let desired = self.convert(desired, place.kind(), span)?;
        let update = Update::CompareExchange { expected, desired };
        self.rmw(place, update, into, span)
    }

    /// Returns whether it succeeded; if not, the old value is stored where the expected value was.
    fn c11_compare_exchange(&mut self, call: &Call<'_>, explicit: bool) -> Called {
        call.count(self, if explicit { 5 } else { 3 })?;
        if explicit {
            self.order(&call.arguments[3], &Order::ALL, call.name)?;
            let orders = [Order::Relaxed, Order::Acquire, Order::SeqCst];
            self.order(&call.arguments[4], &orders, "a failed exchange")?;
        }
        let place = self.through(&call.arguments[0])?;
        let span = call.span;
        let kept = if let AstKind::Address(local) = &call.arguments[1].kind {
            self.place(local)?
        } else {
            self.through(&call.arguments[1])?
        };
        let expected = self.read(kept.clone(), None, span);
        let desired = self.value(&call.arguments[2])?;
        let old = self.compare_exchange(&place, expected.clone(), desired, None, span)?;
        let result = self.temporary();
        let value = Expr::binary(BinaryOp::Eq, old.e.clone(), expected.e);
        self.step(
            Op::Assign {
                into: result,
                value,
            },
            span,
        );
        match &kept {
            // On success it holds this value already.
            Place::Local(..) => self.write(&kept, old, span),
            Place::Memory { .. } => {
                let (failed, join) = (self.location(span), self.location(span));
                let succeeded = Expr::Var(result);
                let not = Expr::unary(crate::program::UnaryOp::Not, succeeded.clone());
                self.edge(Op::Assume(not), failed, span);
                self.edge(Op::Assume(succeeded), join, span);
                self.here = failed;
                self.write(&kept, old, span);
                self.edge(Op::Skip, join, span);
                self.here = join;
            }
        }
        Some(Some(Value::int(Expr::Var(result))))
    }

    /// The cell that an argument denotes.
    fn memory_place(&mut self, ast: &Ast) -> Option<Place> {
        match self.place(ast)? {
            place @ Place::Memory { .. } => Some(place),
            Place::Local(..) => {
                self.error("a local variable is not a shared variable", &ast.span);
                None
            }
        }
    }

    /// The cell that an argument points to.
    fn through(&mut self, ast: &Ast) -> Option<Place> {
        let value = self.value(ast)?;
        self.pointed(value, &ast.span)
    }

    fn order(&mut self, ast: &Ast, allowed: &[Order], what: &str) -> Option<Order> {
        let name = if let AstKind::Name(name) = &ast.kind {
            name.as_str()
        } else {
            ""
        };
        let order = match name {
            "memory_order_relaxed" => Some(Order::Relaxed),
            "memory_order_acquire" | "memory_order_consume" => Some(Order::Acquire),
            "memory_order_release" => Some(Order::Release),
            "memory_order_acq_rel" => Some(Order::AcqRel),
            "memory_order_seq_cst" => Some(Order::SeqCst),
            _ => None,
        };
        match order {
            Some(order) if allowed.contains(&order) => Some(order),
            Some(_) => {
                self.error(format!("{what} cannot use this memory order"), &ast.span);
                None
            }
            None => {
                self.report(
                    Diagnostic::error("expected a memory order", ast.span.clone())
                        .label("as in `memory_order_relaxed`"),
                );
                None
            }
        }
    }
}

impl Order {
    const ALL: [Order; 5] = [
        Order::Relaxed,
        Order::Acquire,
        Order::Release,
        Order::AcqRel,
        Order::SeqCst,
    ];
}

impl Place {
    fn kind(&self) -> Type {
        match self {
            Place::Local(_, kind) | Place::Memory { kind, .. } => *kind,
        }
    }
}

/// A call that is being lowered.
struct Call<'c> {
    name: &'c str,
    arguments: &'c [Ast],
    into: Option<RegId>,
    span: &'c Span,
}

impl Call<'_> {
    /// Reports an error unless there are this many arguments.
    fn count(&self, lowering: &mut Lowering<'_>, count: usize) -> Option<()> {
        let found = self.arguments.len();
        if found == count {
            return Some(());
        }
        let message = format!("`{}` takes {count} arguments, not {found}", self.name);
        lowering.error(message, self.span);
        None
    }

    /// Like [`Self::count`], with a memory order after the arguments if the call is explicit;
    /// returns the order. Calls without one are C11's sequentially consistent ones, or the
    /// kernel's, which compilers do not change.
    fn ordered(&self, lowering: &mut Lowering<'_>, count: usize, explicit: bool) -> Option<Order> {
        self.count(lowering, count + usize::from(explicit))?;
        if explicit {
            return lowering.order(&self.arguments[count], &Order::ALL, self.name);
        }
        Some(Order::SeqCst)
    }
}
