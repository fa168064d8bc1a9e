//! What threads wait for, where waiting forever is a property of the program.
//!
//! Otherwise a thread that waits for another one simply has no execution that goes on, and
//! `pthread_cond_wait` may return at any time, which is right for everything that is reached. Here, waits
//! are loops, and a condition variable holds a bit for each thread that waits at it: a signal clears one
//! of them, a broadcast all. A wait may still end for no reason (POSIX, `pthread_cond_wait`), but it need
//! not: whether it does is chosen when it begins. A barrier holds such bits, too: threads that meet later
//! let none of the earlier ones wait again.
//!
//! A thread that is parked in Rust waits for its token, in a cell of its own.
//!
//! The process ends where `main` returns or `exit` is called. After that no thread waits. A thread that
//! goes no further for another reason, such as an assumption that fails, has not ended, and does not wait.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::code::{Code, Loc};
use super::locks::cell;
use super::thread::Placed;
use super::value::{Value, binary, c, not};
use crate::lower::operation::{Idle, Lock};
use crate::program::{
    self, Addr, BinaryOp, FetchOp, LocId, Observable, Op, Origin, ProgramBuilder, PropertyKind,
    RegId, Role, ThreadId, Update,
};
use crate::text::{Diagnostic, Place};
use std::collections::BTreeMap;

/// As many threads can wait at a condition variable or a barrier.
const MOST_WAITING: usize = 31;

type Predicate = program::Expr<Observable>;

/// The threads of the program, as far as waiting forever is concerned.
#[derive(Default, Debug)]
pub(super) struct Waits {
    /// Where the process ends: the thread, and its location.
    over: Vec<(usize, Loc)>,
    /// Whether `main` may end alone, by `pthread_exit`.
    main_ends_alone: bool,
    /// The choices of a thread that is woken, by thread and instruction.
    choices: Vec<(usize, usize)>,
    /// The cells of those that sleep at a futex, by its address and whether it is private.
    pub(super) sleepers: BTreeMap<(i64, bool), i64>,
    /// The cells of the writers that wait for a lock, by its address (`fair`).
    pub(super) writers: BTreeMap<i64, i64>,
}

/// A thread that is part of the program.
pub(super) struct Finished {
    /// Its number.
    pub(super) number: usize,
    /// The flag that it waits for before it starts.
    pub(super) start: Option<i64>,
    pub(super) placed: Placed,
}

impl Lowering<'_> {
    /// The process ends here.
    pub(super) fn end_process(&mut self) {
        if let Some(state) = self.state.take() {
            self.waits.over.push((self.current, state.at));
        }
    }

    /// `main` returns here.
    pub(super) fn return_from_main(&mut self, at: Loc) {
        self.waits.over.push((self.current, at));
    }

    /// A thread ends here, and no other one.
    pub(super) fn end_alone(&mut self) {
        self.waits.main_ends_alone |= self.current == 0;
    }

    /// The bit of the thread at hand among those that wait; `None` if there are too many threads.
    pub(super) fn own_bit(&mut self, place: Place) -> Option<i32> {
        if self.current >= MOST_WAITING {
            self.error("too many threads to tell which of them wait here", place);
            return None;
        }
        Some(1 << self.current)
    }

    /// `pthread_cond_wait`.
    pub(super) fn wait_at_condition(&mut self, lock: Lock, arguments: &[Evaluated], place: Place) {
        let Some(bit) = self.own_bit(place) else {
            return;
        };
        let (condition, _) = self.object(arguments);
        let mutex = value_of(arguments, 1);
        if self.state.is_none() {
            return;
        }
        let into = self.temporary();
        let (low, high) = (0, 1);
        self.emit(Op::Havoc { into, low, high }, place);
        let (for_no_reason, woken) = self.split(Value::Unknown(program::Expr::Var(into)), place);
        self.state = woken;
        let address = Value::Unknown(self.pointer_bits(&condition, place));
        // Only the lock orders what the threads do.
        let wait = Update::Fetch(FetchOp::Or, c(bit));
        self.hidden(|this| this.locked(&address, wait, place));
        self.unlock(lock, &mutex, place);
        self.spin(place, |this| {
            let waiting = this.hidden(|this| this.read(&address, &cell(), place));
            let waiting = this.dynamic_of(&waiting, None, place);
            not(binary(BinaryOp::BitAnd, waiting, c(bit)))
        });
        let woken = self.state.take();
        self.state = for_no_reason;
        self.unlock(lock, &mutex, place);
        let both = self.state.take().into_iter().chain(woken).collect();
        self.state = self.join(both, place);
        self.lock(lock, &mutex, place);
    }

    /// `pthread_cond_timedwait`: it waits, and ends without being woken. What wakes one thread before may have woken this one,
    /// and then no other.
    pub(super) fn wait_at_condition_for_a_time(
        &mut self,
        lock: Lock,
        arguments: &[Evaluated],
        place: Place,
    ) {
        let Some(bit) = self.own_bit(place) else {
            return;
        };
        let (condition, _) = self.object(arguments);
        let mutex = value_of(arguments, 1);
        if self.state.is_none() {
            return;
        }
        let address = Value::Unknown(self.pointer_bits(&condition, place));
        let wait = Update::Fetch(FetchOp::Or, c(bit));
        self.hidden(|this| this.locked(&address, wait, place));
        self.unlock(lock, &mutex, place);
        let end = Update::Fetch(FetchOp::And, c(!bit));
        self.hidden(|this| this.locked(&address, end, place));
        self.lock(lock, &mutex, place);
    }

    /// `pthread_cond_signal`, or `pthread_cond_broadcast`. It looks first, unless it is a locked
    /// instruction in any case.
    pub(super) fn wake(&mut self, all: bool, idle: Idle, arguments: &[Evaluated], place: Place) {
        let (condition, _) = self.object(arguments);
        if self.state.is_none() {
            return;
        }
        let address = Value::Unknown(self.pointer_bits(&condition, place));
        self.hidden(|this| {
            if idle == Idle::Locked {
                this.wake_waiting(all, &address, place);
                return;
            }
            let waiting = this.read(&address, &cell(), place);
            let waiting = this.dynamic_of(&waiting, None, place);
            let (some, none) = this.split(Value::Unknown(waiting), place);
            this.state = some;
            this.wake_waiting(all, &address, place);
            let both = this.state.take().into_iter().chain(none).collect();
            this.state = this.join(both, place);
        });
    }

    /// Wakes all threads that wait, or one if there is one, by a locked instruction. Yields the bits of
    /// those that waited.
    pub(super) fn wake_waiting(
        &mut self,
        all: bool,
        address: &Value,
        place: Place,
    ) -> program::Expr<RegId> {
        if self.state.is_none() {
            return c(0);
        }
        if all {
            let waited = self.locked(address, Update::Exchange(c(0)), place);
            return self.dynamic_of(&waited, None, place);
        }
        self.emit(Op::AtomicBegin, place);
        let waiting = self.read(address, &cell(), place);
        let waiting = self.dynamic_of(&waiting, None, place);
        let (some, none) = self.split(Value::Unknown(waiting.clone()), place);
        self.state = some;
        let into = self.temporary();
        let (low, high) = (0, MOST_WAITING as i32 - 1);
        self.emit(Op::Havoc { into, low, high }, place);
        let choice = self.code.instructions.len() - 1;
        self.waits.choices.push((self.current, choice));
        let bit = binary(BinaryOp::Shl, c(1), program::Expr::Var(into));
        let is_waiting = binary(BinaryOp::BitAnd, waiting.clone(), bit.clone());
        self.emit(Op::Assume(is_waiting), place);
        let left = binary(BinaryOp::BitXor, waiting.clone(), bit);
        self.write(address, &cell(), Value::Unknown(left), place);
        let both = self.state.take().into_iter().chain(none).collect();
        self.state = self.join(both, place);
        self.emit(Op::AtomicEnd, place);
        waiting
    }

    /// `park`: waits for the token of this thread, and takes it by a locked instruction. It may also
    /// return for no reason, which is chosen when it begins; the token stays then. Where waiting forever
    /// is no property, that is all it does. `park_timeout` takes the token if it is there, and returns.
    pub(super) fn park(&mut self, is_untimed: bool, place: Place) {
        let Value::Known(own) = self.own_handle() else {
            return;
        };
        if self.state.is_none() || !self.options.forbid_stuck {
            return;
        }
        let Some(token) = self.token(own) else {
            return;
        };
        if !is_untimed {
            self.locked(&Value::Known(token), Update::Exchange(c(0)), place);
            return;
        }
        let into = self.temporary();
        let (low, high) = (0, 1);
        self.emit(Op::Havoc { into, low, high }, place);
        let (for_no_reason, woken) = self.split(Value::Unknown(program::Expr::Var(into)), place);
        self.state = woken;
        self.spin(place, |this| {
            let into = this.temporary();
            this.emit(
                Op::Load {
                    into,
                    addr: c(token as i32),
                },
                place,
            );
            program::Expr::Var(into)
        });
        self.locked(&Value::Known(token), Update::Exchange(c(0)), place);
        let both = self.state.take().into_iter().chain(for_no_reason).collect();
        self.state = self.join(both, place);
    }

    /// `unpark`: gives a thread its token, by a store after all earlier ones. That is all that is
    /// promised: it drains no buffer.
    pub(super) fn unpark(&mut self, arguments: &[Evaluated], place: Place) {
        let Some(handle) = arguments.first() else {
            return;
        };
        if self.state.is_none() || !self.options.forbid_stuck {
            return;
        }
        let Some(token) = handle.value.known().and_then(|handle| self.token(handle)) else {
            self.report(
                Diagnostic::error(
                    "which thread is unparked here is not known when the program is read",
                    self.positions.span(place),
                )
                .note("pass the handle of the thread to where it is used, or check without `forbid stuck`"),
            );
            return;
        };
        self.store_fence(place);
        self.emit(
            Op::Store {
                addr: c(token as i32),
                value: c(1),
            },
            place,
        );
    }

    /// Now that all threads are known: only one of them is woken.
    pub(super) fn limit_choices(&mut self) {
        let last = self.threads.len().min(MOST_WAITING) as i32 - 1;
        for &(thread, instr) in &self.waits.choices {
            let code = self.threads[thread].code.as_mut();
            let instr = code.and_then(|code| code.instructions.get_mut(instr));
            let Some(instr) = instr else {
                continue;
            };
            if let Op::Havoc { into, low, .. } = instr.op {
                let high = last;
                instr.op = Op::Havoc { into, low, high };
            }
        }
    }

    /// The thread waits forever for itself.
    pub(super) fn wait_forever(&mut self, place: Place) {
        if let Some(state) = self.state.take()
            && self.options.forbid_stuck
        {
            let origin = self.origin(place);
            self.code.edge(state.at, Op::Skip, state.at, origin);
        }
    }

    /// Whether a thread may end, or end the process.
    pub(super) fn may_end<E>(&self, number: usize, ends: &[(Loc, E)]) -> bool {
        !ends.is_empty() || self.waits.over.iter().any(|&(of, _)| of == number)
    }

    /// Where a thread goes no further and has not ended, it keeps an instruction that is never executed.
    pub(super) fn bar_others<E>(&self, number: usize, code: &mut Code, ends: &[(Loc, E)]) {
        let mut is_closed = vec![true; code.locations.len()];
        let leaves = code.instructions.iter().map(|instr| instr.from);
        let over = self.waits.over.iter().filter(|(of, _)| *of == number);
        for at in leaves
            .chain(ends.iter().map(|end| end.0))
            .chain(over.map(|over| over.1))
        {
            is_closed[at] = false;
        }
        for at in (0..is_closed.len()).filter(|&at| is_closed[at]) {
            let origin = code.locations[at];
            code.edge(at, Op::Assume(c(0)), at, origin);
            if let Some(last) = code.last() {
                last.role = Role::End;
            }
        }
    }

    /// States that the threads never wait forever: those that do anything.
    pub(super) fn forbid_waiting(&self, builder: &mut ProgramBuilder, threads: &[Finished]) {
        let placed = |number: usize| {
            let found = threads.iter().find(|thread| thread.number == number);
            found.map(|thread| &thread.placed)
        };
        let at = |thread: ThreadId, loc: LocId| Predicate::Var(Observable::At(thread, loc));
        let mut goes_on = Predicate::Const(1);
        for &(number, loc) in &self.waits.over {
            goes_on = match placed(number) {
                Some(of) => match of.locations.get(&loc) {
                    Some(&loc) => Predicate::binary(
                        BinaryOp::And,
                        goes_on,
                        Predicate::unary(program::UnaryOp::Not, at(of.thread, loc)),
                    ),
                    None => goes_on,
                },
                // A thread that does nothing ends the process at once.
                None => Predicate::Const(0),
            };
        }
        if self.waits.main_ends_alone {
            // Threads that were never created do not wait.
            let mut some = Predicate::Const(0);
            for thread in threads {
                let of = &thread.placed;
                let mut here = Predicate::Const(1);
                for &end in &of.ends {
                    let open = Predicate::unary(program::UnaryOp::Not, at(of.thread, end));
                    here = Predicate::binary(BinaryOp::And, here, open);
                }
                if let Some(start) = thread.start {
                    let started = Predicate::Var(Observable::Cell(Addr(start as i32)));
                    here = Predicate::binary(BinaryOp::And, here, started);
                }
                some = Predicate::binary(BinaryOp::Or, some, here);
            }
            goes_on = Predicate::binary(BinaryOp::And, goes_on, some);
        }
        builder.property(PropertyKind::Stuck, goes_on, Origin::default());
    }
}
