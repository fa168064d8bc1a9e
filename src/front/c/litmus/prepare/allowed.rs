//! What the functions of a test may not do.
//!
//! Shared variables have no order, and a number is no address: there is no arithmetic on addresses, but
//! for elements of arrays with constant indices. Threads run from their beginnings to their ends.

use super::super::Cells;
use super::Prepare;
use crate::lower::operation::Meaning;
use crate::lower::typed::{BinaryOp, Callee, Expr, ExprKind, Local, Lvalue, LvalueKind};
use crate::text::Place;

impl Prepare<'_, '_> {
    /// The parameter that an lvalue is.
    fn parameter(&self, lvalue: &Lvalue) -> Option<&Local> {
        match lvalue.kind {
            LvalueKind::Local(local) if self.is_thread && local.0 < self.parameters => {
                Some(&self.locals[local.0])
            }
            LvalueKind::Local(_)
            | LvalueKind::Object(_)
            | LvalueKind::Deref(_)
            | LvalueKind::Member(..)
            | LvalueKind::Bits(..)
            | LvalueKind::Element(..) => None,
        }
    }

    pub(super) fn changed(&mut self, lvalue: &Lvalue) {
        if let Some(parameter) = self.parameter(lvalue) {
            let message = format!("the parameter `{}` cannot be changed", parameter.name);
            self.error(message, lvalue.place);
        }
    }

    pub(super) fn call(&mut self, callee: &Callee, place: Place) {
        match callee {
            Callee::Pointer(_) => {
                self.error(
                    "calls through pointers are not supported in litmus tests",
                    place,
                );
            }
            Callee::Library(entry) if !is_of_tests(entry.meaning) => {
                let message = format!("`{}` is not supported in litmus tests", entry.name);
                let error = self.check.error(message, place);
                self.check.report(error.note(
                    "the threads of a test are its functions, which run from their beginnings to their ends",
                ));
            }
            Callee::Library(_) | Callee::Defined(_) => {}
        }
    }

    pub(super) fn address_arithmetic(&mut self, op: BinaryOp, a: &Expr, b: &Expr, place: Place) {
        match op {
            BinaryOp::PointerAdd => {
                let parameter = if let ExprKind::Load(lvalue) = &a.kind {
                    self.parameter(lvalue)
                } else {
                    None
                };
                let named = |cells: &&Cells| parameter.is_some_and(|p| p.name == cells.name);
                match (self.cells.iter().find(named), &b.kind) {
                    (None, _) => self.no_arithmetic(place),
                    (Some(cells), ExprKind::Const(at)) => {
                        let count = cells.init.len();
                        if usize::try_from(*at).is_ok_and(|at| at < count) {
                            return;
                        }
                        let (name, s) = (&cells.name, if count == 1 { "" } else { "s" });
                        let message =
                            format!("index out of bounds: `{name}` has {count} element{s}");
                        self.error(message, b.place);
                    }
                    (Some(_), _) => self.error("an index must be a constant", b.place),
                }
            }
            BinaryOp::PointerSub | BinaryOp::PointerDiff => self.no_arithmetic(place),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge if a.ty.is_pointer() => {
                self.no_arithmetic(place);
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {}
        }
    }

    pub(super) fn no_arithmetic(&mut self, place: Place) {
        self.error("addresses can only be compared, with `==` and `!=`", place);
    }
}

/// Whether a function of a library has a meaning in tests: neither assertions nor threads, and nothing
/// that ends a thread without its final values.
fn is_of_tests(meaning: Meaning) -> bool {
    match meaning {
        Meaning::Load(_)
        | Meaning::Store(_)
        | Meaning::Exchange(_)
        | Meaning::Fetch { .. }
        | Meaning::CompareExchange { .. }
        | Meaning::TestAndSet(_)
        | Meaning::Clear(_)
        | Meaning::ThreadFence(_)
        | Meaning::FullFence
        | Meaning::StoreFence
        | Meaning::CompilerBarrier
        | Meaning::Lock(_)
        | Meaning::FairLock(_)
        | Meaning::TryLock(..)
        | Meaning::Unlock(_)
        | Meaning::Held
        | Meaning::Assume
        | Meaning::Limit
        | Meaning::AtomicBegin
        | Meaning::AtomicEnd
        | Meaning::ReadSection(_)
        | Meaning::Ignore => true,
        Meaning::PthreadCreate
        | Meaning::ThrdCreate
        | Meaning::Spawn
        | Meaning::Start
        | Meaning::Later
        | Meaning::OwnNumber(_)
        | Meaning::NextNumber
        | Meaning::Round(_)
        | Meaning::ScopeBegin
        | Meaning::ScopeEnd
        | Meaning::Join
        | Meaning::ThreadExit
        | Meaning::ThreadSelf
        | Meaning::Park
        | Meaning::SystemCall
        | Meaning::Unpark
        | Meaning::MutexInit
        | Meaning::MutexType
        | Meaning::NewKey
        | Meaning::SetsValue
        | Meaning::AtExit
        | Meaning::OrderlyExit
        | Meaning::NoConstructor
        | Meaning::Text(_)
        | Meaning::LeavesOut(_)
        | Meaning::TakesSignals
        | Meaning::ConditionWait(_)
        | Meaning::ConditionInit
        | Meaning::ConditionSignal { .. }
        | Meaning::BarrierInit
        | Meaning::BarrierWait
        | Meaning::SemaphoreInit
        | Meaning::SemaphoreWait
        | Meaning::SemaphoreTryWait
        | Meaning::SemaphorePost
        | Meaning::Once
        | Meaning::Malloc
        | Meaning::AlignedAlloc
        | Meaning::Realloc
        | Meaning::AllocateAt
        | Meaning::Calloc
        | Meaning::Free
        | Meaning::CopyBytes
        | Meaning::HandOut
        | Meaning::Print
        | Meaning::FillText
        | Meaning::Alloca
        | Meaning::Unmap
        | Meaning::CallNumber
        | Meaning::ErrorNumber
        | Meaning::SetsError
        | Meaning::ArgumentList
        | Meaning::NextArgument
        | Meaning::FillBytes
        | Meaning::AnyBytes
        | Meaning::CompareBytes
        | Meaning::Assert
        | Meaning::Fail
        | Meaning::Exit
        | Meaning::Refuse(..)
        | Meaning::Container
        | Meaning::Fill { .. }
        | Meaning::Bits { .. }
        | Meaning::Narrowed
        | Meaning::Upper
        | Meaning::Overflow(..)
        | Meaning::CleanupBegin
        | Meaning::CleanupEnd
        | Meaning::Handler
        | Meaning::Nondet { .. } => false,
    }
}
