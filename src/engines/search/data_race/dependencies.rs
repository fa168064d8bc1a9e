//! Dependencies: the order that the kernel's memory model keeps after loads by `READ_ONCE` and its kind.
//!
//! Such a load takes nothing for its thread, unlike one that acquires, but what depends on it stays after
//! it, in compilers and on machines:
//!
//! * (addr) every access whose address depends on the value: `p = rcu_dereference(gp); x = p->field`;
//! * (data), (ctrl) stores that are not plain, of a value that depends on it, or after a branch that does.
//!   Compilers may move plain stores out of branches, and machines execute loads before branches are
//!   decided;
//! * (cumul) what a release publishes includes what the thread has read from before.
//!
//! The rules are those of `linux-kernel.cat`: `w-pre-bounded`, `r-pre-bounded`, `ppo` and `A-cumul`. As
//! there, a plain load passes nothing on: the next link of a list is read by `READ_ONCE`, too.
//!
//! **Incomplete:** a dependency that goes through memory, where a thread stores a value and loads it again,
//! is lost (`carry-dep`).

use super::clocks::{Clock, STORE};
use super::future::Future;
use crate::program::{Expr, Op, RegId, ThreadId};
use crate::reference::machine::Machine;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Clone)]
pub(super) struct Dependencies {
    /// By register, as an index into `Config::registers`: what its value depends on. Those that depend
    /// on nothing are not listed.
    carried: BTreeMap<usize, Clock>,
    /// By thread: what its branches depended on.
    control: Vec<Clock>,
    /// By thread: everything that was read.
    observed: Vec<Clock>,
}

impl Dependencies {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            carried: BTreeMap::new(),
            control: vec![0; threads],
            observed: vec![0; threads],
        }
    }

    pub(super) fn pack(&self, out: &mut Vec<u8>) {
        for clock in self.control.iter().chain(&self.observed) {
            // Most programs have none.
            if *clock == 0 {
                out.push(0);
            } else {
                out.push(1);
                out.extend(clock.to_le_bytes());
            }
        }
        for (slot, clock) in &self.carried {
            out.extend((*slot as u32).to_le_bytes());
            out.extend(clock.to_le_bytes());
        }
    }

    /// Everything that a thread has read, which its releases publish.
    pub(super) fn observed(&self, t: usize) -> Clock {
        self.observed[t]
    }

    /// What an access comes after because it depends on it; `stores` if it is a store that is not plain.
    pub(super) fn follows(
        &self,
        machine: &Machine<'_>,
        thread: ThreadId,
        op: &Op,
        stores: bool,
    ) -> Clock {
        let Some(addr) = op.address() else {
            return 0;
        };
        if stores {
            let operands = op.operands().into_iter();
            let of = operands.map(|e| {
                let (data, control) = self.of(machine, thread, e);
                data | control
            });
            of.fold(self.control[thread.index()], |all, of| all | of)
        } else {
            self.of(machine, thread, addr).0
        }
    }

    /// Follows a step; `read` is what it reads from, if compilers keep what depends on it.
    pub(super) fn step(
        &mut self,
        machine: &Machine<'_>,
        thread: ThreadId,
        op: &Op,
        read: Option<Clock>,
    ) {
        let t = thread.index();
        let carried = match op {
            Op::Load { addr, .. } => read.map_or(0, |read| {
                self.observed[t] |= read;
                read | self.of(machine, thread, addr).0
            }),
            Op::Assign { value, .. } => {
                let (data, control) = self.of(machine, thread, value);
                self.control[t] |= control;
                data
            }
            Op::Assume(e) => {
                let (data, control) = self.of(machine, thread, e);
                self.control[t] |= data | control;
                return;
            }
            Op::Havoc { .. } | Op::Rmw { .. } => 0,
            Op::Skip
            | Op::Assert(_)
            | Op::Store { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => return,
        };
        let Some(into) = op.target() else {
            return;
        };
        let slot = machine.slot(thread, into);
        if carried == 0 {
            self.carried.remove(&slot);
        } else {
            self.carried.insert(slot, carried);
        }
    }

    /// What the value of an expression depends on, and what the choices between its parts do.
    fn of(&self, machine: &Machine<'_>, thread: ThreadId, e: &Expr<RegId>) -> (Clock, Clock) {
        if self.carried.is_empty() {
            return (0, 0);
        }
        match e {
            Expr::Const(_) => (0, 0),
            Expr::Var(reg) => {
                let slot = machine.slot(thread, *reg);
                (self.carried.get(&slot).copied().unwrap_or_default(), 0)
            }
            Expr::Unary(_, a) => self.of(machine, thread, a),
            Expr::Binary(_, a, b) => {
                let (a, b) = (self.of(machine, thread, a), self.of(machine, thread, b));
                (a.0 | b.0, a.1 | b.1)
            }
            Expr::Conditional(parts) => {
                let [choice, a, b] = &**parts;
                let choice = self.of(machine, thread, choice);
                let (a, b) = (self.of(machine, thread, a), self.of(machine, thread, b));
                (a.0 | b.0, choice.0 | choice.1 | a.1 | b.1)
            }
        }
    }

    /// Removes the other accesses.
    pub(super) fn retain(&mut self, kept: Clock) {
        for clock in self.control.iter_mut().chain(&mut self.observed) {
            *clock &= kept;
        }
        self.carried.retain(|_, clock| {
            *clock &= kept;
            *clock != 0
        });
    }

    /// Removes what makes no difference for later races, given what a thread knows, where its registers
    /// are, and which of them are dead.
    pub(super) fn forget(
        &mut self,
        thread: ThreadId,
        future: &Future,
        known: Clock,
        (slots, dead): (Range<usize>, &[usize]),
    ) {
        let t = thread.index();
        let matters = future.races_with & !known;
        self.control[t] &= matters;
        if future.kinds & (1 << STORE) == 0 {
            self.control[t] = 0;
        }
        self.observed[t] &= !known;
        if !future.publishes {
            self.observed[t] = 0;
        }
        for (_, clock) in self.carried.range_mut(slots) {
            *clock &= matters;
        }
        for slot in dead {
            self.carried.remove(slot);
        }
        self.carried.retain(|_, clock| *clock != 0);
    }
}
