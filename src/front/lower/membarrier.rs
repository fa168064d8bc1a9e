//! `membarrier`: barriers that one thread executes for all threads of the process.
//!
//! | command | here |
//! |---|---|
//! | global, also expedited; private expedited | waits until the buffers of all threads are empty |
//! | to register | succeeds |
//! | query | any set of commands |
//!
//! The kernel interrupts every processor that executes a thread of the process, by which its buffer is drained
//! (Linux 6.12, `kernel/sched/membarrier.c`), or waits until each has drained it.
//!
//! A private barrier fails, and is none, if the process has not registered for it. Here it has if some thread does
//! so anywhere: that it did not do so in time is not seen.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::value::Value;
use crate::program::{Fence, Op};
use crate::text::Place;

const QUERY: i64 = 0;
/// Global, and global in a hurry, for which only the receivers register.
const GLOBAL: [i64; 2] = [1, 2];
/// Private barriers, also those that synchronise instructions.
const PRIVATE: [i64; 2] = [8, 32];
const REGISTER: [i64; 3] = [4, 16, 64];

impl Lowering<'_> {
    /// `syscall(SYS_membarrier, command, …)`
    pub(super) fn membarrier(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        match value_of(arguments, 1) {
            Value::Known(QUERY) => self.any_value(0, i32::MAX, place),
            Value::Known(command) if REGISTER.contains(&command) => {
                self.now.registers = true;
                Value::ZERO
            }
            Value::Known(command)
                if GLOBAL.contains(&command)
                    || PRIVATE.contains(&command) && self.learned.registers =>
            {
                self.emit(Op::Fence(Fence::All), place);
                Value::ZERO
            }
            Value::Known(command) if PRIVATE.contains(&command) => Value::Known(-1),
            Value::Known(command) => self.refuse_call(
                &format!("command {command} of `membarrier` is not supported"),
                place,
            ),
            Value::Unknown(_) => self.refuse_call(
                "which command of `membarrier` this is is not known when the program is read",
                place,
            ),
        }
    }
}
