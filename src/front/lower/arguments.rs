//! The arguments of library functions: what each of them is for, and its value.
//!
//! Each argument is evaluated once, from left to right, before anything that the call does, as C demands
//! of every call (C11 6.5.2.2p10) and Rust of its order. An operation gets values, so it cannot evaluate
//! an argument again or after its effect. C leaves the order among arguments open: where that matters,
//! the order from left to right is one that compilers may choose.
//!
//! **Absent.** What is not a value: the conditions of assertions and assumptions, which have parts; the
//! size of an allocation, whose type decides; the structures that a thread is created with.

use super::Lowering;
use super::scan::look;
use super::value::{Value, int};
use crate::lower::operation::{Expected, Meaning, Order};
use crate::lower::typed::{Expr, Type, TypeKind};
use crate::text::{Diagnostic, Place};

/// An argument that has been evaluated.
#[derive(Clone, Debug)]
pub(super) struct Evaluated<'e> {
    pub(super) value: Value,
    pub(super) ty: &'e Type,
    pub(super) place: Place,
}

/// What an argument is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// It points to an object that is accessed.
    Object,
    /// A value in the type of the object of the first argument.
    Stored,
    Value,
    /// Nothing but what its evaluation does.
    Effect,
    /// Compilers drop it without evaluating it, as those after the operands of `__sync_…`.
    Dropped,
}

impl Lowering<'_> {
    /// Evaluates the arguments of a call.
    pub(super) fn arguments<'e>(
        &mut self,
        meaning: Meaning,
        arguments: &'e [Expr],
        place: Place,
    ) -> Vec<Evaluated<'e>> {
        let mut evaluated: Vec<Evaluated<'e>> = Vec::new();
        for (at, e) in arguments.iter().enumerate() {
            let value = match self.purpose(meaning, at, e) {
                Purpose::Object => self.accessible(e),
                Purpose::Value => self.eval(e),
                Purpose::Stored => {
                    let ty = self.object(&evaluated).1;
                    if let Some(address) = self.allocation(e, &ty) {
                        address
                    } else {
                        let value = self.eval(e);
                        self.convert(value, &e.ty, &ty, place)
                    }
                }
                Purpose::Effect => {
                    self.effect(e, e.place);
                    Value::ZERO
                }
                Purpose::Dropped => Value::ZERO,
            };
            let value = self.pinned(value, &arguments[at + 1..], e.place);
            let (ty, place) = (&e.ty, e.place);
            evaluated.push(Evaluated { value, ty, place });
        }
        evaluated
    }

    /// What the argument with this number is for here. Where all threads have ended, a thread is joined
    /// without a look at its handle.
    fn purpose(&mut self, meaning: Meaning, at: usize, e: &Expr) -> Purpose {
        match meaning {
            Meaning::Join if self.is_after_all() => Purpose::Effect,
            _ => purpose_of(meaning, at, e),
        }
    }

    /// A value that stays what it is while these expressions are evaluated: a variable in a register may
    /// change.
    pub(super) fn pinned(&mut self, value: Value, later: &[Expr], place: Place) -> Value {
        match value {
            Value::Unknown(e) if later.iter().any(acts) => Value::Unknown(self.copy(e, place)),
            value => value,
        }
    }

    /// What the first argument points to: its address and its type. A structure of one scalar, such as
    /// `atomic_flag`, is that scalar.
    pub(super) fn object(&mut self, arguments: &[Evaluated]) -> (Value, Type) {
        let Some(pointer) = arguments.first() else {
            return (Value::ZERO, int());
        };
        let pointee = pointer.ty.pointee().cloned().unwrap_or_else(int);
        let ty = self.scalars(&pointee).into_iter().next();
        (pointer.value.clone(), ty.unwrap_or_else(int))
    }

    /// The same, and the second argument, which is stored there.
    pub(super) fn object_and_value(&mut self, arguments: &[Evaluated]) -> (Value, Type, Value) {
        let (address, ty) = self.object(arguments);
        (address, ty, value_of(arguments, 1))
    }

    /// A memory order, which may be the last argument (or, of a compare-exchange, the one before).
    pub(super) fn order(
        &mut self,
        order: Order,
        arguments: &[Evaluated],
        from_end: usize,
    ) -> Order {
        if order != Order::Argument {
            return order;
        }
        let Some(given) = arguments.iter().rev().nth(from_end) else {
            return Order::SeqCst;
        };
        match given.value {
            Value::Known(0) => Order::Relaxed,
            Value::Known(1 | 2) => Order::Acquire,
            Value::Known(3) => Order::Release,
            Value::Known(4) => Order::AcqRel,
            Value::Known(5) => Order::SeqCst,
            Value::Known(_) | Value::Unknown(_) => {
                let message = "a memory order must be a constant";
                let error = Diagnostic::error(message, self.positions.span(given.place));
                self.report(error.note("write the operation once for each order"));
                Order::SeqCst
            }
        }
    }

    /// The order of an exchange that fails. Compilers of C warn of a release, and emit the same code; it
    /// counts as the order of its load. Only C compares by a pointer to what is expected.
    pub(super) fn failure_order(
        &mut self,
        expected: Expected,
        order: Order,
        arguments: &[Evaluated],
    ) -> Order {
        let what = "a failed exchange";
        if expected == Expected::ByValue || self.test.is_some() {
            return self.order_of(what, order, arguments, &[3, 4]);
        }
        let given = self.order(order, arguments, 0);
        let load = match given {
            Order::Release => Order::Relaxed,
            Order::AcqRel => Order::Acquire,
            Order::Relaxed | Order::Once | Order::Acquire | Order::SeqCst | Order::Argument => {
                return given;
            }
        };
        if let Some(last) = arguments.last() {
            self.warn(
                Diagnostic::warning(
                    format!("{what} stores nothing, so it cannot release"),
                    self.positions.span(last.place),
                )
                .note("it is treated as the load that it is: relaxed, or acquire"),
            );
        }
        load
    }

    /// The order of an access that cannot have all of them: these numbers are errors.
    pub(super) fn order_of(
        &mut self,
        what: &str,
        order: Order,
        arguments: &[Evaluated],
        refused: &[i64],
    ) -> Order {
        if order == Order::Argument
            && let Some(given) = arguments.last()
            && let Value::Known(number) = given.value
            && refused.contains(&number)
        {
            self.error(format!("{what} cannot use this memory order"), given.place);
        }
        self.order(order, arguments, 0)
    }
}

/// The value of an argument; 0 if there is none.
pub(super) fn value_of(arguments: &[Evaluated], at: usize) -> Value {
    let given = arguments.get(at);
    given.map_or(Value::ZERO, |given| given.value.clone())
}

/// Whether the evaluation of an expression may change anything.
pub(super) fn acts(e: &Expr) -> bool {
    let seen = look(&[], &[e]);
    seen.reaches_out || !seen.assigned.is_empty()
}

/// What the argument with this number is for, by the function alone.
fn purpose_of(meaning: Meaning, at: usize, e: &Expr) -> Purpose {
    use Purpose::{Dropped, Effect, Object, Stored, Value};
    let at_most = |purposes: &[Purpose], beyond| purposes.get(at).copied().unwrap_or(beyond);
    // The orders come after the operands.
    let beyond = |order| match order {
        Order::Argument => Value,
        Order::Relaxed
        | Order::Once
        | Order::Acquire
        | Order::Release
        | Order::AcqRel
        | Order::SeqCst => Dropped,
    };
    match meaning {
        Meaning::Load(order) | Meaning::TestAndSet(order) | Meaning::Clear(order) => {
            at_most(&[Object], beyond(order))
        }
        Meaning::Store(order) | Meaning::Exchange(order) | Meaning::Fetch { order, .. } => {
            // The order of the kernel makes no difference.
            at_most(&[Object, Stored], beyond(order))
        }
        Meaning::CompareExchange {
            expected, order, ..
        } => {
            let compared = match expected {
                Expected::ByPointer => Value,
                Expected::ByValue => Stored,
            };
            at_most(&[Object, compared, Stored], beyond(order))
        }
        Meaning::Container => at_most(&[Value], Dropped),
        Meaning::Overflow(..) => at_most(&[Value, Value, Object], Effect),
        Meaning::Fill { from, .. } if at >= usize::from(from) => Value,
        Meaning::Handler if at == 1 && e.ty.pointee().is_some_and(Type::is_function) => Value,
        Meaning::Handler => at_most(&[Effect, Effect, Value], Effect),
        // A word of memory.
        Meaning::SystemCall if at == 1 && e.ty.pointee().is_some() => Object,
        Meaning::Bits { .. }
        | Meaning::Narrowed
        | Meaning::Upper
        | Meaning::NewKey
        | Meaning::AtExit
        | Meaning::NoConstructor
        | Meaning::ThreadFence(_)
        | Meaning::Join
        | Meaning::OwnNumber(_)
        | Meaning::NextNumber
        | Meaning::Round(_)
        | Meaning::ThreadExit
        | Meaning::Unpark
        | Meaning::SystemCall => Value,
        Meaning::FillText | Meaning::Text(_) | Meaning::NextArgument | Meaning::Print => {
            at_most(&[Value], Effect)
        }
        Meaning::MutexType => at_most(&[Effect, Value], Effect),
        Meaning::MutexInit if matches!(e.ty.kind, TypeKind::Int { .. }) => Value,
        Meaning::MutexInit
        | Meaning::Lock(_)
        | Meaning::FairLock(_)
        | Meaning::TryLock(..)
        | Meaning::Unlock(_)
        | Meaning::ConditionInit
        | Meaning::ConditionSignal { .. }
        | Meaning::BarrierWait
        | Meaning::SemaphoreWait
        | Meaning::SemaphoreTryWait
        | Meaning::Held
        | Meaning::SemaphorePost => at_most(&[Object], Effect),
        Meaning::ConditionWait(_) => at_most(&[Object, Object], Effect),
        Meaning::BarrierInit | Meaning::SemaphoreInit => at_most(&[Object, Effect, Value], Effect),
        Meaning::Once => at_most(&[Object, Value], Effect),
        Meaning::CleanupBegin | Meaning::HandOut => at_most(&[Value, Value], Effect),
        Meaning::CopyBytes | Meaning::CompareBytes => at_most(&[Object, Object, Value], Effect),
        Meaning::FillBytes | Meaning::AnyBytes => at_most(&[Object, Value, Value], Effect),
        Meaning::StoreFence
        | Meaning::CompilerBarrier
        | Meaning::ScopeBegin
        | Meaning::ScopeEnd
        | Meaning::ThreadSelf
        | Meaning::Park
        | Meaning::Fail
        | Meaning::Exit
        | Meaning::OrderlyExit
        | Meaning::SetsValue
        | Meaning::CallNumber
        | Meaning::ErrorNumber
        | Meaning::SetsError
        | Meaning::ArgumentList
        | Meaning::Refuse(..)
        | Meaning::Nondet { .. }
        | Meaning::Fill { .. }
        | Meaning::LeavesOut(_)
        | Meaning::TakesSignals
        | Meaning::CleanupEnd
        | Meaning::AtomicBegin
        | Meaning::AtomicEnd
        | Meaning::ReadSection(_)
        | Meaning::Ignore => Effect,
        // Nothing is made of what a full fence is given; all others evaluate their arguments themselves.
        Meaning::FullFence
        | Meaning::PthreadCreate
        | Meaning::ThrdCreate
        | Meaning::Spawn
        | Meaning::Start
        | Meaning::Later
        | Meaning::Malloc
        | Meaning::AlignedAlloc
        | Meaning::Realloc
        | Meaning::AllocateAt
        | Meaning::Calloc
        | Meaning::Alloca
        | Meaning::Unmap
        | Meaning::Free
        | Meaning::Assert
        | Meaning::Assume
        | Meaning::Limit => Dropped,
    }
}
