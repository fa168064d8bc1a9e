//! System calls, and futexes above all: sleeping while a word of memory has a value.
//!
//! The kernel counts the sleepers of a word by a locked instruction before it compares the word, and a
//! wake-up looks at this count after a full barrier (Linux 6.12, `kernel/futex/waitwake.c`). So both drain
//! the store buffer, and a sleeper whose comparison comes before the wake-up is found by it.
//!
//! Where waiting forever is a property, a hidden cell beside the word holds a bit for each thread that
//! sleeps there. The comparison and this bit are one step, as under the lock of the kernel's bucket. A wait
//! without a timeout may return for no reason, and need not; one with a timeout returns at last. Both may
//! use up a wake-up first. The cell of a word whose address is known at run time only is chosen by the address, among those of
//! all words of its size: which these are is found out by an earlier walk. Otherwise a wait may return at any time, and what a wake-up returns is any number
//! that is not too large.
//!
//! **Absent.** Requeuing, wake-ups of some number between one and all, bit sets, and locks that the kernel
//! hands over. Which error there was is not known.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::env::{Env, State};
use super::locks::cell;
use super::objects::Storage;
use super::value::{Value, binary, c, not};
use super::view::unqualified;
use crate::lower::operation::Order;
use crate::lower::typed::{Type, TypeKind};
use crate::program::{self, BinaryOp, Fence, FetchOp, Op, Ordering, RegId, Update};
use crate::text::{Diagnostic, Place};
use std::collections::BTreeMap;

/// The numbers of system calls on x86-64.
const FUTEX: i64 = 202;
const GETTID: i64 = 186;
const MEMBARRIER: i64 = 324;

/// Flags of an operation: between threads of one process; the clock of the timeout.
const PRIVATE: i64 = 128;
const REALTIME: i64 = 256;

/// A futex whose address is known at run time only can be one of this many words.
const MOST_WORDS: usize = 24;

/// As many threads as this are all that there can be.
const ALL: i64 = 31;

/// What is done with a futex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Command {
    Wait,
    Wake,
}

/// Numbers and commands, and whether a set of bits is given.
const COMMANDS: &[(i64, Command, bool)] = &[
    (0, Command::Wait, false),
    (1, Command::Wake, false),
    (9, Command::Wait, true),
    (10, Command::Wake, true),
];

impl Lowering<'_> {
    /// `syscall`: argument 0 is the number of the call.
    pub(super) fn system_call(
        &mut self,
        arguments: &[Evaluated],
        used: bool,
        place: Place,
    ) -> Value {
        if self.state.is_none() {
            return Value::ZERO;
        }
        match value_of(arguments, 0) {
            Value::Known(FUTEX) => self.futex(arguments, used, place),
            Value::Known(GETTID) => {
                self.refuse_in_copies("a handle", place);
                self.own_handle()
            }
            Value::Known(MEMBARRIER) => self.membarrier(arguments, place),
            Value::Known(number) => {
                self.refuse_call(&format!("system call {number} is not supported"), place)
            }
            Value::Unknown(_) => self.refuse_call(
                "which system call this is is not known when the program is read",
                place,
            ),
        }
    }

    pub(super) fn refuse_call(&mut self, message: &str, place: Place) -> Value {
        self.report(
            Diagnostic::error(message, self.positions.span(place)).note(
                "supported are `SYS_gettid`, `SYS_membarrier`, and `SYS_futex` with `FUTEX_WAIT` and `FUTEX_WAKE` of one or \
                 of all threads (`INT_MAX`), also private, and as `…_BITSET` with `FUTEX_BITSET_MATCH_ANY`",
            ),
        );
        Value::ZERO
    }

    /// Arguments: the number of the call, the word, the operation, a value, a timeout, a second word, a set
    /// of bits.
    fn futex(&mut self, arguments: &[Evaluated], used: bool, place: Place) -> Value {
        let Value::Known(operation) = value_of(arguments, 2) else {
            let message =
                "which operation on a futex this is is not known when the program is read";
            return self.refuse_call(message, place);
        };
        let number = operation & !(PRIVATE | REALTIME);
        let Some(&(_, command, has_bits)) = COMMANDS.iter().find(|row| row.0 == number) else {
            let message = format!("operation {number} on a futex is not supported");
            return self.refuse_call(&message, place);
        };
        if operation & REALTIME != 0 && number != 9 {
            return self.refuse_call("this operation on a futex takes no clock", place);
        }
        let needed = match (command, has_bits) {
            (_, true) => 7,
            (Command::Wait, false) => 5,
            (Command::Wake, false) => 4,
        };
        if arguments.len() < needed {
            let message = format!("this operation on a futex takes {needed} arguments");
            return self.refuse_call(&message, place);
        }
        let any_bits = matches!(value_of(arguments, 6), Value::Known(bits) if bits as i32 == -1);
        if has_bits && !any_bits {
            return self.refuse_call("sets of bits of a futex are not supported", place);
        }
        let word = value_of(arguments, 1);
        let is_private = operation & PRIVATE != 0;
        match command {
            Command::Wait => self.wait_at_word(&word, is_private, arguments, place),
            Command::Wake => self.wake_at_word(&word, is_private, arguments, used, place),
        }
    }

    /// The cell of the sleepers at a word; `None` if the next walk finds it. Threads that name the word as private and
    /// those that do not do not meet.
    fn sleepers(
        &mut self,
        word: &Value,
        is_private: bool,
        arguments: &[Evaluated],
        place: Place,
    ) -> Option<Value> {
        match word {
            Value::Known(known) if Env::is_virtual(*known) => {
                self.pointer_bits(word, place);
                None
            }
            Value::Known(known) => Some(Value::Known(self.sleepers_at((*known, is_private)))),
            Value::Unknown(address) => {
                let address = address.clone();
                self.sleepers_at_any(address, is_private, arguments, place)
            }
        }
    }

    fn sleepers_at(&mut self, key: (i64, bool)) -> i64 {
        if let Some(known) = self.waits.sleepers.get(&key) {
            return *known;
        }
        let made = self.place("futex", &cell(), Storage::Hidden);
        self.waits.sleepers.insert(key, made);
        made
    }

    /// The same of a word whose address is known only when the program runs: the cell of one of all words of this size.
    fn sleepers_at_any(
        &mut self,
        address: program::Expr<RegId>,
        is_private: bool,
        arguments: &[Evaluated],
        place: Place,
    ) -> Option<Value> {
        self.now.words.get_or_insert_default();
        let pointee = arguments.get(1).and_then(|given| given.ty.pointee());
        let only_atomic = pointee.is_some_and(|ty| ty.atomic);
        let words = self.learned.words.as_ref()?.iter();
        let words: Vec<i64> = words
            .filter(|(_, is_atomic)| **is_atomic || !only_atomic)
            .map(|(word, _)| *word)
            .collect();
        if words.is_empty() || words.len() > MOST_WORDS {
            self.report(
                Diagnostic::error(
                    "which futex this is is not known when the program is read",
                    self.positions.span(place),
                )
                .note(format!("{} words of memory could be the one", words.len()))
                .note(
                    "pass the address of a variable that is named, or check without `forbid stuck`",
                ),
            );
            return None;
        }
        let address = self.copy(address, place);
        let (mut found, mut is_one) = (None, c(0));
        for word in words {
            let own = c(self.sleepers_at((word, is_private)) as i32);
            let is_this = binary(BinaryOp::Eq, address.clone(), c(word as i32));
            is_one = binary(BinaryOp::BitOr, is_one, is_this.clone());
            found = Some(match found {
                None => own,
                Some(others) => program::Expr::conditional(is_this, own, others),
            });
        }
        self.limit(is_one, place);
        Some(Value::Unknown(self.copy(found?, place)))
    }

    /// Takes note of the words of 32 bits in memory, and whether they are atomic, if the next walk has to know.
    pub(super) fn note_words(&mut self) {
        let asked = self.now.words.is_some() || self.learned.words.is_some();
        if !asked || self.memory.placed.is_empty() {
            return;
        }
        let mut words = BTreeMap::new();
        for object in &self.memory.placed {
            let scalars = self.memory.scalars_of(object);
            for (cell, scalar) in object.range().zip(scalars) {
                if let TypeKind::Int { bits: 32, .. } = scalar.ty.kind {
                    words.insert(cell, scalar.ty.atomic);
                }
            }
        }
        self.now.words = Some(words);
    }

    /// Both begin with an instruction that drains the store buffer; nothing is promised by that.
    fn enter_kernel(&mut self, place: Place) {
        self.emit_as(Op::Fence(Fence::Full), Ordering::Relaxed, place);
    }

    /// `FUTEX_WAIT`: 0 where the thread was woken, or for no reason; -1 where the word differs, or time was
    /// up.
    fn wait_at_word(
        &mut self,
        word: &Value,
        is_private: bool,
        arguments: &[Evaluated],
        place: Place,
    ) -> Value {
        let result = self.temporary();
        let timeout = value_of(arguments, 4);
        self.enter_kernel(place);
        let paths = if self.options.forbid_stuck {
            let bit = self.own_bit(place);
            let sleepers = self.sleepers(word, is_private, arguments, place);
            let (Some(bit), Some(sleepers)) = (bit, sleepers) else {
                return Value::ZERO;
            };
            self.emit(Op::AtomicBegin, place);
            let (same, differs) = self.compare_word(word, arguments, place);
            self.state = same;
            self.hidden(|this| {
                let others = this.read(&sleepers, &cell(), place);
                let others = this.dynamic_of(&others, None, place);
                let all = binary(BinaryOp::BitOr, others, c(bit));
                this.write(&sleepers, &cell(), Value::Unknown(all), place);
            });
            self.emit(Op::AtomicEnd, place);
            let sleeping = self.state.take();
            self.state = differs;
            self.emit(Op::AtomicEnd, place);
            self.set(result, c(-1), place);
            let differs = self.state.take();
            let mut paths = self.sleep((&sleepers, bit), sleeping, &timeout, result, place);
            paths.extend(differs);
            paths
        } else {
            let (same, differs) = self.compare_word(word, arguments, place);
            self.state = same;
            let (timed, untimed) = self.split(timeout.clone(), place);
            self.state = timed;
            let (into, low, high) = (result, -1, 0);
            self.emit(Op::Havoc { into, low, high }, place);
            let timed = self.state.take();
            self.state = untimed;
            self.set(result, c(0), place);
            let untimed = self.state.take();
            self.state = differs;
            self.set(result, c(-1), place);
            let differs = self.state.take();
            timed.into_iter().chain(untimed).chain(differs).collect()
        };
        self.state = self.join(paths, place);
        Value::Unknown(program::Expr::Var(result))
    }

    /// The paths where the word has the value, and where it has not.
    fn compare_word(
        &mut self,
        word: &Value,
        arguments: &[Evaluated],
        place: Place,
    ) -> (Option<State>, Option<State>) {
        let ty = word_type(arguments);
        let found = self.with_order(Order::Once, |this| this.read(word, &ty, place));
        let wanted = match arguments.get(3) {
            Some(given) => self.convert(given.value.clone(), given.ty, &ty, place),
            None => Value::ZERO,
        };
        let equal = match (&found, &wanted) {
            (Value::Known(found), Value::Known(wanted)) => Value::Known(i64::from(found == wanted)),
            (found, wanted) => {
                let found = self.dynamic_of(found, Some(&ty), place);
                let wanted = self.dynamic_of(wanted, Some(&ty), place);
                Value::Unknown(binary(BinaryOp::Eq, found, wanted))
            }
        };
        self.split(equal, place)
    }

    /// The paths on which a thread that sleeps goes on.
    fn sleep(
        &mut self,
        (sleepers, bit): (&Value, i32),
        sleeping: Option<State>,
        timeout: &Value,
        result: RegId,
        place: Place,
    ) -> Vec<State> {
        let leave = Update::Fetch(FetchOp::And, c(!bit));
        self.state = sleeping;
        let (timed, untimed) = self.split(timeout.clone(), place);
        let mut paths = Vec::new();
        // Time may be up after the thread was woken.
        self.state = timed;
        if self.state.is_some() {
            let before = self.hidden(|this| this.locked(sleepers, leave.clone(), place));
            let before = self.dynamic_of(&before, None, place);
            let still = binary(BinaryOp::BitAnd, before, c(bit));
            let over = program::Expr::conditional(still, c(-1), c(0));
            self.set(result, over, place);
            paths.extend(self.state.take());
        }
        self.state = untimed;
        if self.state.is_some() {
            let into = self.temporary();
            let (low, high) = (0, 1);
            self.emit(Op::Havoc { into, low, high }, place);
            let (for_no_reason, woken) =
                self.split(Value::Unknown(program::Expr::Var(into)), place);
            self.state = for_no_reason;
            self.hidden(|this| this.locked(sleepers, leave, place));
            self.set(result, c(0), place);
            paths.extend(self.state.take());
            self.state = woken;
            self.spin(place, |this| {
                let waiting = this.hidden(|this| this.read(sleepers, &cell(), place));
                let waiting = this.dynamic_of(&waiting, None, place);
                not(binary(BinaryOp::BitAnd, waiting, c(bit)))
            });
            self.set(result, c(0), place);
            paths.extend(self.state.take());
        }
        paths
    }

    /// `FUTEX_WAKE`: how many threads were woken.
    fn wake_at_word(
        &mut self,
        word: &Value,
        is_private: bool,
        arguments: &[Evaluated],
        used: bool,
        place: Place,
    ) -> Value {
        let count = match value_of(arguments, 3) {
            Value::Known(count) if count == 1 || count >= ALL => count.min(ALL),
            Value::Known(_) | Value::Unknown(_) => {
                let message = "a wake-up is of one thread, or of all (`INT_MAX`)";
                return self.refuse_call(message, place);
            }
        };
        self.enter_kernel(place);
        if !self.options.forbid_stuck {
            if !used {
                return Value::ZERO;
            }
            let into = self.temporary();
            let (low, high) = (0, count as i32);
            self.emit(Op::Havoc { into, low, high }, place);
            return Value::Unknown(program::Expr::Var(into));
        }
        let Some(sleepers) = self.sleepers(word, is_private, arguments, place) else {
            return Value::ZERO;
        };
        let slept = self.hidden(|this| this.wake_waiting(count > 1, &sleepers, place));
        let woken = if count > 1 {
            ones(slept)
        } else {
            not(not(slept))
        };
        Value::Unknown(self.copy(woken, place))
    }
}

/// The type of a futex: that of what the pointer points to, if that has 32 bits.
fn word_type(arguments: &[Evaluated]) -> Type {
    let pointee = arguments.get(1).and_then(|given| given.ty.pointee());
    let word = pointee.filter(|ty| matches!(ty.kind, TypeKind::Int { bits: 32, .. }));
    let unsigned = TypeKind::Int {
        bits: 32,
        signed: false,
    };
    word.map_or(
        Type {
            kind: unsigned,
            atomic: false,
            volatile: false,
        },
        unqualified,
    )
}

/// How many bits of a number that is not negative are set.
fn ones(e: program::Expr<RegId>) -> program::Expr<RegId> {
    let shifted = |e: &program::Expr<RegId>, by| binary(BinaryOp::Shr, e.clone(), c(by));
    let masked = |e, mask| binary(BinaryOp::BitAnd, e, c(mask));
    let mut sum = e;
    for (by, mask) in [
        (1, 0x5555_5555),
        (2, 0x3333_3333),
        (4, 0x0f0f_0f0f),
        (8, 0x00ff_00ff),
        (16, 0x0000_ffff),
    ] {
        let upper = masked(shifted(&sum, by), mask);
        sum = binary(BinaryOp::Add, masked(sum, mask), upper);
    }
    sum
}
