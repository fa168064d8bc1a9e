//! Locks of readers and a writer in which a writer that waits goes first: those of Linux, and of Rust's `std`.
//!
//! So a thread that locks twice to read waits forever if a writer comes in between. That matters only where waiting
//! forever is a property: otherwise who goes first adds no execution, since a writer may always come later.
//!
//! A hidden cell beside the lock has a bit for each writer that waits. A reader waits until there is none, or does not:
//! Linux lets readers pass in some cases (Linux 6.12, `rwsem_down_read_slowpath`: it steals the lock unless other
//! readers have it; `queued_read_lock_slowpath`: in interrupts), and a reader that looked before the writer came
//! has passed it, too.
//!
//! **Incomplete:** of a lock whose address is not known when the program is read, readers pass.

use super::Lowering;
use super::locks::cell;
use super::objects::Storage;
use super::value::{Value, binary, c};
use crate::lower::operation::Lock;
use crate::program::{BinaryOp, FetchOp, Update};
use crate::text::Place;

impl Lowering<'_> {
    /// Spins until the lock is taken; of a fair one, writers that wait may go first.
    pub(super) fn lock_fairly(
        &mut self,
        is_fair: bool,
        lock: Lock,
        address: &Value,
        place: Place,
    ) -> Value {
        let writers = if is_fair {
            self.waiting_writers(address)
        } else {
            None
        };
        match writers {
            Some(writers) => self.fair_lock(&writers, lock, address, place),
            None => self.lock(lock, address, place),
        }
        Value::ZERO
    }

    fn fair_lock(&mut self, writers: &Value, lock: Lock, address: &Value, place: Place) {
        if lock == Lock::Read {
            let queues = self.any_value(0, 1, place);
            let (queued, passes) = self.split(queues, place);
            self.state = queued;
            self.spin(place, |this| {
                let waiting = this.hidden(|this| this.read(writers, &cell(), place));
                let waiting = this.dynamic_of(&waiting, None, place);
                binary(BinaryOp::Eq, waiting, c(0))
            });
            let queued = self.state.take();
            let ends = queued.into_iter().chain(passes).collect();
            self.state = self.join(ends, place);
            self.lock(lock, address, place);
            return;
        }
        let Some(bit) = self.own_bit(place) else {
            return;
        };
        let waits = Update::Fetch(FetchOp::Or, c(bit));
        self.hidden(|this| this.locked(writers, waits, place));
        self.lock(lock, address, place);
        let waits_no_more = Update::Fetch(FetchOp::And, c(!bit));
        self.hidden(|this| this.locked(writers, waits_no_more, place));
    }

    /// The cell of the writers that wait for a lock, if it matters.
    fn waiting_writers(&mut self, lock: &Value) -> Option<Value> {
        let is_asked = self.options.forbid_stuck && self.state.is_some() && self.is_dynamic(lock);
        let known = lock.known().filter(|_| is_asked)?;
        if let Some(made) = self.waits.writers.get(&known) {
            return Some(Value::Known(*made));
        }
        let made = self.place("writers", &cell(), Storage::Hidden);
        self.waits.writers.insert(known, made);
        Some(Value::Known(made))
    }
}
