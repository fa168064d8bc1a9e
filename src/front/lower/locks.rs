//! Locks, semaphores, and what is done once, as instructions on hidden cells.

use super::Lowering;
use super::arguments::Evaluated;
use super::code::Holds;
use super::deferred::{Gap, Question, Reads};
use super::objects::of_library;
use super::value::{Value, binary, c, int, not};
use crate::lower::operation::{Idle, Lock, Order};
use crate::lower::typed::{LibraryType, Type};
use crate::program::{self, BinaryOp, FetchOp, Op, Ordering, RegId, Role, Update};
use crate::text::{Diagnostic, Place};

/// What a `pthread_once_t` holds while its routine runs, and afterwards; at first it holds 0.
const RUNNING: i32 = 1;
const DONE: i32 = 2;

/// The type of the cells of locks and the like.
pub(super) fn cell() -> Type {
    Type {
        atomic: true,
        ..int()
    }
}

impl Lowering<'_> {
    /// A lock that is free holds 0, one that is taken this number, which is the thread's own. A lock
    /// for readers and a writer holds the number of readers, or minus the number of the writer. A
    /// litmus test may observe its locks: they hold 0 or 1, and nothing is checked.
    fn owner(&self) -> i32 {
        if self.test.is_some() {
            1
        } else {
            self.current as i32 + 1
        }
    }

    /// One attempt to take a lock; whether it succeeded.
    fn attempt(&mut self, lock: Lock, address: &Value, place: Place) -> program::Expr<RegId> {
        let free = |old: program::Expr<RegId>| binary(BinaryOp::Eq, old, c(0));
        match lock {
            Lock::Pthread | Lock::C11 | Lock::Spin => {
                let update = Update::CompareExchange {
                    expected: c(0),
                    desired: c(self.owner()),
                };
                match self.try_to_take(address, update, place) {
                    Value::Unknown(old) => free(old),
                    Value::Known(_) => c(1),
                }
            }
            Lock::Write | Lock::ReadOrWrite => {
                let update = Update::CompareExchange {
                    expected: c(0),
                    desired: c(-self.owner()),
                };
                match self.try_to_take(address, update, place) {
                    Value::Unknown(old) => free(old),
                    Value::Known(_) => c(1),
                }
            }
            Lock::Read => {
                let ty = cell();
                let seen = self.hidden(|this| this.read_prepared(address, &ty, place));
                let seen = match seen {
                    Value::Unknown(seen) => seen,
                    Value::Known(readers @ 0..) => {
                        self.write(address, &ty, Value::Known(readers + 1), place);
                        return c(1);
                    }
                    Value::Known(_) => return c(0),
                };
                let update = Update::CompareExchange {
                    expected: seen.clone(),
                    desired: program::Expr::conditional(
                        binary(BinaryOp::Ge, seen.clone(), c(0)),
                        binary(BinaryOp::Add, seen.clone(), c(1)),
                        seen.clone(),
                    ),
                };
                match self.try_to_take(address, update, place) {
                    Value::Unknown(old) => binary(
                        BinaryOp::And,
                        binary(BinaryOp::Eq, old, seen.clone()),
                        binary(BinaryOp::Ge, seen, c(0)),
                    ),
                    Value::Known(_) => c(1),
                }
            }
        }
    }

    /// Spins until the lock is taken.
    pub(super) fn lock(&mut self, lock: Lock, address: &Value, place: Place) {
        if self.state.is_none() {
            return;
        }
        if !self.is_dynamic(address) {
            let own = i64::from(self.owner());
            let taken = match (lock, self.read_prepared(address, &cell(), place)) {
                (Lock::Read, Value::Known(readers @ 0..)) => readers + 1,
                (Lock::Read, Value::Unknown(_)) => 1,
                (Lock::Pthread | Lock::C11 | Lock::Spin, Value::Known(0) | Value::Unknown(_)) => {
                    own
                }
                (Lock::Write | Lock::ReadOrWrite, Value::Known(0) | Value::Unknown(_)) => -own,
                // It is held, and only this thread could release it.
                (_, Value::Known(_)) => {
                    self.wait_forever(place);
                    return;
                }
            };
            self.write(address, &cell(), Value::Known(taken), place);
            return;
        }
        let known = address.known();
        let address = Value::Unknown(self.pointer_bits(address, place));
        self.spin(place, |this| this.attempt(lock, &address, place));
        if let (Some(known), Some(last)) = (known, self.code.last()) {
            last.holds = Some(Holds::Takes(known, lock != Lock::Read));
        }
    }

    /// Repeats attempts until one succeeds.
    pub(super) fn spin(
        &mut self,
        place: Place,
        attempt: impl FnOnce(&mut Self) -> program::Expr<RegId>,
    ) {
        let Some(state) = &self.state else {
            return;
        };
        let head = state.at;
        let success = attempt(self);
        let origin = self.origin(place);
        if let Some(state) = &mut self.state {
            let retry = Op::Assume(not(success.clone()));
            self.code.edge(state.at, retry, head, origin);
        }
        self.emit(Op::Assume(success), place);
    }

    pub(super) fn unlock(&mut self, lock: Lock, address: &Value, place: Place) {
        if self.state.is_none() {
            return;
        }
        let ty = cell();
        let own = self.owner();
        if !self.is_dynamic(address) {
            let Value::Known(held) = self.read_prepared(address, &ty, place) else {
                self.write(address, &ty, Value::ZERO, place);
                return;
            };
            let reads = matches!(lock, Lock::Read | Lock::ReadOrWrite) && held > 0;
            let owns = match lock {
                Lock::Pthread | Lock::C11 | Lock::Spin => held == i64::from(own),
                Lock::Write | Lock::ReadOrWrite => held == -i64::from(own),
                Lock::Read => false,
            };
            if reads || owns {
                let left = if reads { held - 1 } else { 0 };
                self.write(address, &ty, Value::Known(left), place);
            } else {
                self.check_held(c(0), None, place);
                self.state = None;
            }
            return;
        }
        self.with_order(Order::Release, |this| {
            this.unlock_cell(lock, address, place);
        });
    }

    /// Releases a lock in memory.
    fn unlock_cell(&mut self, lock: Lock, address: &Value, place: Place) {
        let (ty, own) = (cell(), self.owner());
        let known = address.known();
        let is = |seen: program::Expr<RegId>, value: i32| binary(BinaryOp::Eq, seen, c(value));
        match lock {
            Lock::Pthread => {
                let Value::Unknown(old) = self.locked(address, Update::Exchange(c(0)), place)
                else {
                    return;
                };
                self.check_held(is(old, own), known, place);
            }
            Lock::C11 | Lock::Spin | Lock::Write => {
                let own = if lock == Lock::Write { -own } else { own };
                if self.test.is_none() {
                    let Value::Unknown(seen) = self.read_prepared(address, &ty, place) else {
                        return;
                    };
                    if let Some(last) = self.code.last() {
                        last.checks = known;
                    }
                    self.check_held(is(seen, own), known, place);
                }
                self.store_fence(place);
                self.write(address, &ty, Value::ZERO, place);
            }
            Lock::Read => {
                let update = Update::Fetch(FetchOp::Sub, c(1));
                let Value::Unknown(old) = self.locked(address, update, place) else {
                    return;
                };
                self.check_held(binary(BinaryOp::Gt, old, c(0)), known, place);
            }
            Lock::ReadOrWrite => {
                // One reader less, or free: the writer is the only one to hold it.
                let Value::Unknown(seen) = self.read_prepared(address, &ty, place) else {
                    return;
                };
                let reads = binary(BinaryOp::Gt, seen.clone(), c(0));
                let writes = is(seen, -own);
                let held = binary(BinaryOp::Or, reads, writes.clone());
                self.check_held(held, known, place);
                let amount = program::Expr::conditional(writes, c(-own), c(1));
                self.locked(address, Update::Fetch(FetchOp::Sub, amount), place);
            }
        }
        if let Some(last) = self.code.last() {
            last.holds = Some(Holds::Releases(known));
        }
    }

    /// A violation unless this thread holds the lock. Of readers, any may hold it.
    fn check_held(&mut self, held: program::Expr<RegId>, lock: Option<i64>, place: Place) {
        if self.test.is_some() {
            return;
        }
        for (op, role) in [
            (Op::Assert(held.clone()), Role::Unlock),
            (Op::Assume(held), Role::Written),
        ] {
            self.emit(op, place);
            if let Some(last) = self.code.last() {
                last.checks = lock;
                last.role = role;
            }
        }
    }

    pub(super) fn take_semaphore(&mut self, address: &Value, place: Place) {
        let address = Value::Unknown(self.pointer_bits(address, place));
        self.spin(place, |this| {
            let seen = this.hidden(|this| this.read_prepared(&address, &cell(), place));
            let Value::Unknown(seen) = seen else {
                return c(1);
            };
            let update = Update::CompareExchange {
                expected: seen.clone(),
                desired: program::Expr::conditional(
                    binary(BinaryOp::Gt, seen.clone(), c(0)),
                    binary(BinaryOp::Sub, seen.clone(), c(1)),
                    seen.clone(),
                ),
            };
            match this.try_to_take(&address, update, place) {
                Value::Unknown(old) => binary(
                    BinaryOp::And,
                    binary(BinaryOp::Eq, old, seen.clone()),
                    binary(BinaryOp::Gt, seen, c(0)),
                ),
                Value::Known(_) => c(1),
            }
        });
    }

    /// `sem_trywait`: a load if the semaphore is 0, which yields -1.
    pub(super) fn try_semaphore(&mut self, address: &Value, place: Place) -> Value {
        let takes = |seen: program::Expr<RegId>| {
            let positive = binary(BinaryOp::Gt, seen.clone(), c(0));
            (positive, binary(BinaryOp::Sub, seen, c(1)))
        };
        Value::Unknown(self.look_and_update(address, (-1, 0), takes, place))
    }

    /// What a lock or semaphore holds: 0 if it is free, or the count.
    pub(super) fn held(&mut self, address: &Value, place: Place) -> Value {
        self.read_prepared(address, &cell(), place)
    }

    /// One attempt to take a lock, as by `trylock`; whether it succeeded. It is a locked instruction
    /// where it succeeds. Where the lock is taken, most look first: then it is a load.
    pub(super) fn try_lock(
        &mut self,
        lock: Lock,
        idle: Idle,
        address: &Value,
        place: Place,
    ) -> program::Expr<RegId> {
        if idle == Idle::Locked {
            return self.attempt(lock, address, place);
        }
        let own = self.owner();
        let taken = match lock {
            Lock::Pthread | Lock::C11 | Lock::Spin => c(own),
            Lock::Write | Lock::ReadOrWrite => c(-own),
            Lock::Read => {
                let takes = |seen: program::Expr<RegId>| {
                    let free = binary(BinaryOp::Ge, seen.clone(), c(0));
                    (free, binary(BinaryOp::Add, seen, c(1)))
                };
                return self.look_and_update(address, (0, 1), takes, place);
            }
        };
        let takes = |seen| (binary(BinaryOp::Eq, seen, c(0)), taken);
        self.look_and_update(address, (0, 1), takes, place)
    }

    /// Loads a cell, and, if that allows it, changes it by a compare-exchange. This is repeated if the
    /// cell changes in between, so it fails only because of what it found. `update` yields the condition
    /// and the new value.
    fn look_and_update(
        &mut self,
        address: &Value,
        (failure, success): (i32, i32),
        update: impl FnOnce(program::Expr<RegId>) -> (program::Expr<RegId>, program::Expr<RegId>),
        place: Place,
    ) -> program::Expr<RegId> {
        let address = Value::Unknown(self.pointer_bits(address, place));
        let Some(head) = self.state.as_ref().map(|state| state.at) else {
            return c(failure);
        };
        let result = self.temporary();
        let seen = self.hidden(|this| this.read_prepared(&address, &cell(), place));
        let seen = self.dynamic_of(&seen, None, place);
        let (possible, desired) = update(seen.clone());
        let (yes, no) = self.split(Value::Unknown(possible), place);
        let mut ends = Vec::new();
        self.state = no;
        self.set(result, c(failure), place);
        ends.extend(self.state.take());
        self.state = yes;
        let update = Update::CompareExchange {
            expected: seen.clone(),
            desired,
        };
        let old = self.try_to_take(&address, update, place);
        let old = self.dynamic_of(&old, None, place);
        let taken = binary(BinaryOp::Eq, old, seen);
        let (yes, no) = self.split(Value::Unknown(taken), place);
        self.again(no, head, place);
        self.state = yes;
        self.set(result, c(success), place);
        ends.extend(self.state.take());
        self.state = self.join(ends, place);
        program::Expr::Var(result)
    }

    /// Refuses kinds of mutexes that can be locked twice, or report errors.
    pub(super) fn plain_mutex(&mut self, kind: Option<&Evaluated>, is_plain: impl Fn(i64) -> bool) {
        if let Some(kind) = kind.filter(|kind| !kind.value.known().is_some_and(is_plain))
            && self.state.is_some()
        {
            let message = "of the kinds of mutexes, only the plain one is known here";
            let error = Diagnostic::error(message, self.positions.span(kind.place));
            let note = "with the built-in <pthread.h> and <threads.h> all are, if the text calls them by their names";
            self.report(error.note(note));
        }
    }

    /// `pthread_cond_init`. One that is not automatic or allocated needs none.
    pub(super) fn init_condition(&mut self, arguments: &[Evaluated], place: Place) {
        let (address, _) = self.object(arguments);
        let object = address.known().and_then(|at| self.memory.object_at(at));
        if object.is_none_or(|object| object.on_heap || object.owner.is_some()) {
            let ty = of_library(LibraryType::Condition);
            self.write(&address, &ty, Value::ZERO, place);
        }
    }

    /// A condition variable is used: it has to be initialised.
    pub(super) fn use_condition(&mut self, arguments: &[Evaluated], place: Place) {
        let (address, _) = self.object(arguments);
        if self.state.is_none() || self.test.is_some() {
            return;
        }
        if self.is_dynamic(&address) {
            let pointer = self.pointer_bits(&address, place);
            self.emit_as(Op::Skip, Ordering::Relaxed, place);
            self.accessed(None, Reads::Prepared);
            let instr = self.code.instructions.len() - 1;
            let question = Question::Prepared { pointer };
            self.code.gaps.push(Gap { instr, question });
        } else {
            self.read_prepared(&address, &cell(), place);
        }
    }

    /// `pthread_once`: a load if the routine has already run.
    pub(super) fn once(&mut self, address: &Value, routine: &Evaluated, place: Place) {
        if self.state.is_none() {
            return;
        }
        let Some(id) = self.function_of(&routine.value) else {
            self.error("which function is called here is not known", routine.place);
            return;
        };
        if !self.is_dynamic(address) {
            if self.read_prepared(address, &cell(), place) != Value::Known(i64::from(DONE)) {
                self.inline(id, Vec::new(), false, place);
                self.write(address, &cell(), Value::Known(i64::from(DONE)), place);
            }
            return;
        }
        // The routine may change what the address was computed from.
        let address = self.pointer_bits(address, place);
        let address = Value::Unknown(self.copy(address, place));
        let Some(head) = self.state.as_ref().map(|state| state.at) else {
            return;
        };
        let seen = self.with_order(Order::Acquire, |this| {
            this.read_prepared(&address, &cell(), place)
        });
        let seen = self.dynamic_of(&seen, None, place);
        let done = binary(BinaryOp::Eq, seen, c(DONE));
        let (done, open) = self.split(Value::Unknown(done), place);
        self.state = open;
        let update = Update::CompareExchange {
            expected: c(0),
            desired: c(RUNNING),
        };
        let old = self.try_to_take(&address, update, place);
        let old = self.dynamic_of(&old, None, place);
        let (other, first) = self.split(Value::Unknown(old), place);
        self.again(other, head, place);
        self.state = first;
        self.inline(id, Vec::new(), false, place);
        self.store_fence(place);
        let done_now = Value::Known(i64::from(DONE));
        self.with_order(Order::Release, |this| {
            this.write(&address, &cell(), done_now, place);
        });
        let both = self.state.take().into_iter().chain(done).collect();
        self.state = self.join(both, place);
    }

    /// Assigns a value to a register.
    pub(super) fn set(&mut self, into: RegId, value: program::Expr<RegId>, place: Place) {
        self.emit(Op::Assign { into, value }, place);
    }

    /// Goes back to an earlier location.
    fn again(&mut self, state: Option<super::env::State>, head: super::code::Loc, place: Place) {
        if let Some(state) = state {
            let origin = self.origin(place);
            self.code.edge(state.at, Op::Skip, head, origin);
        }
    }
}
