//! `errno`: a variable of each thread, which calls of the C library change.
//!
//! ```text
//!   r = sem_trywait(&s)  ─▶ …; errno = r == 0 ? errno or the number of any error : the number of any error
//!   errno                ─▶ the last local of the thread's routine
//! ```
//!
//! No function of the library sets `errno` to 0 (C17, 7.5), and one that fails and says so has set it. One that
//! succeeds may have set it all the same: more than in reality, never less. Otherwise it stays what it is, which may
//! be any number if the program has assigned it. It begins as 0. A function of a library that is written in C may
//! change it where it begins, and says where it fails ([`Meaning::SetsError`]).
//!
//! What changes no `errno` are operations that are no calls of this library, or that Linux and its libraries are known
//! to do without it: those of memory, and of locks, which return the number of an error.

use super::Lowering;
use super::env::Home;
use super::value::{Value, binary, c, int};
use crate::lower::operation::Meaning;
use crate::lower::typed::FunctionId;
use crate::program::BinaryOp;
use crate::text::Place;

/// The highest error of Linux.
const LAST: i32 = 133;

/// How a call sets `errno`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sets {
    /// It does not.
    Never,
    /// Perhaps.
    Perhaps,
    /// Certainly if it yields anything but 0; perhaps otherwise.
    UnlessZero,
    /// Certainly if it yields 0.
    IfZero,
}

fn sets(meaning: Meaning) -> Sets {
    match meaning {
        Meaning::SemaphoreTryWait
        | Meaning::Fill {
            low: -1, high: 0, ..
        } => Sets::UnlessZero,
        Meaning::Malloc | Meaning::Calloc | Meaning::Realloc => Sets::IfZero,
        meaning if is_without(meaning) => Sets::Never,
        _ => Sets::Perhaps,
    }
}

/// Whether an operation changes no `errno`.
fn is_without(meaning: Meaning) -> bool {
    matches!(
        meaning,
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
            | Meaning::Join
            | Meaning::ThreadSelf
            | Meaning::MutexInit
            | Meaning::Lock(_)
            | Meaning::TryLock(..)
            | Meaning::Unlock(_)
            | Meaning::ConditionSignal { .. }
            | Meaning::CopyBytes
            | Meaning::FillBytes
            | Meaning::CompareBytes
            | Meaning::ArgumentList
            | Meaning::NextArgument
            | Meaning::Assert
            | Meaning::Assume
            | Meaning::Limit
            | Meaning::Bits { .. }
            | Meaning::Narrowed
            | Meaning::Upper
            | Meaning::Overflow(..)
            | Meaning::AtomicBegin
            | Meaning::AtomicEnd
            | Meaning::ErrorNumber
            | Meaning::SetsError
    )
}

impl Lowering<'_> {
    /// The address of `errno`.
    pub(super) fn error_number(&mut self) -> Value {
        self.now.asks_error = true;
        let address = self.error_address();
        Value::Known(address.unwrap_or(0))
    }

    /// The routine of a thread begins.
    pub(super) fn clear_error(&mut self, depth: usize, place: Place) {
        if depth == 0 && self.learned.asks_error {
            self.set_error(Value::ZERO, place);
        }
    }

    /// A call fails: `errno` is the number of some error.
    pub(super) fn fails(&mut self, place: Place) -> Value {
        if self.learned.asks_error && self.state.is_some() {
            let error = self.any_value(1, LAST, place);
            self.set_error(error, place);
        }
        Value::ZERO
    }

    /// A function of the text or of a library begins. Those of the text change `errno` where they say so.
    pub(super) fn perhaps_fails(&mut self, id: FunctionId, place: Place) {
        let is_written = self.positions.is_written(self.unit.functions[id.0].place);
        if self.learned.asks_error && !is_written {
            self.perhaps_sets(place);
        }
    }

    /// A call that has not failed may have set `errno` all the same, and may have left it.
    fn perhaps_sets(&mut self, place: Place) {
        if self.state.is_none() {
            return;
        }
        let error = self.any_value(0, LAST, place);
        let (set, left) = self.split(error.clone(), place);
        self.state = set;
        self.set_error(error, place);
        let both = [self.state.take(), left];
        self.state = self.join(both.into_iter().flatten().collect(), place);
    }

    /// A call of a library has yielded this.
    pub(super) fn error_after(&mut self, meaning: Meaning, yielded: &Value, place: Place) {
        if !self.learned.asks_error || self.state.is_none() {
            return;
        }
        let compared = match sets(meaning) {
            Sets::Never => return,
            Sets::Perhaps => None,
            Sets::UnlessZero => Some(BinaryOp::Ne),
            Sets::IfZero => Some(BinaryOp::Eq),
        };
        let is_failed = match (compared, yielded) {
            (None, _) => Value::ZERO,
            (Some(BinaryOp::Eq), Value::Known(value)) => Value::Known(i64::from(*value == 0)),
            (Some(_), Value::Known(value)) => Value::Known(i64::from(*value != 0)),
            (Some(op), Value::Unknown(e)) => Value::Unknown(binary(op, e.clone(), c(0))),
        };
        let (failed, done) = self.split(is_failed, place);
        self.state = failed;
        self.fails(place);
        let failed = std::mem::replace(&mut self.state, done);
        self.perhaps_sets(place);
        let both = [failed, self.state.take()];
        self.state = self.join(both.into_iter().flatten().collect(), place);
    }

    fn set_error(&mut self, error: Value, place: Place) {
        if let Some(address) = self.error_address() {
            self.write(&Value::Known(address), &int(), error, place);
        }
    }

    /// The last local of what the thread executes.
    fn error_address(&self) -> Option<i64> {
        let frame = self.env()?.frames.first()?;
        let last = frame.homes.last().filter(|_| self.unit.has_error_number);
        last.map(Home::address)
    }
}
