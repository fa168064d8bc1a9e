//! Value analysis: the values that a register may have at each location, and a cell at any time.
//!
//! The analysis is flow-sensitive for registers but not for cells: a cell has one set, its initial
//! value and every value that some store, locked instruction or atomic block may write to it. A
//! load returns a value of that set under every model, because buffers only delay stores; and the
//! result does not depend on how many copies of a thread run. Both kinds of sets grow together
//! until nothing changes. The result is the least fixpoint of this abstraction, except for
//! widening:
//!
//! * lists grow up to 64 values one by one;
//! * an interval that grows at a loop head, or in a cell, is extended to the next constant of the
//!   program, and after a few such steps to the end of the value range.
//!
//! Only live registers are stored at each location: temporaries are soon dead, and straight-line
//! code with a thousand of them costs a thousand entries rather than a million.
//!
//! **Invariant.** In each execution that reaches a location every live register has a value in its
//! set there, and each cell and each buffered store to it a value in the cell's set.

mod fixpoint;

use super::eval::eval;
use super::liveness::Liveness;
use super::refine::refine;
use super::set::ValueSet;
use crate::program::{Addr, Expr, FIRST_ADDRESS, LocId, Op, Program, RegId, Site, ThreadId};
use std::sync::Arc;

/// The values of all registers and cells.
#[derive(Clone, Debug)]
pub struct Values {
    threads: Vec<ThreadValues>,
    cells: Vec<ValueSet>,
}

#[derive(Clone, Debug)]
struct ThreadValues {
    /// The register sets at each location; `None` if it is unreachable.
    at: Vec<Option<RegisterSets>>,
    /// By register: the initial value and all values that are ever assigned.
    ever: Vec<ValueSet>,
}

/// The sets of the registers that are live at one location, none of them empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RegisterSets(Vec<(RegId, ValueSet)>);

/// The cells that an access may touch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidates {
    /// The cells, by address.
    pub cells: Vec<Addr>,
    /// Whether the address may also denote something other than a cell.
    pub outside: bool,
}

impl Values {
    /// The values of a program, computed once.
    pub fn of(program: &Program) -> Arc<Self> {
        program.computed(|program| fixpoint::solve(program, &Liveness::of(program)))
    }

    /// The values that a register may have at a location; empty if the location is unreachable. For
    /// a register that is dead there: all values that it ever has.
    pub fn register_at(&self, thread: ThreadId, loc: LocId, reg: RegId) -> &ValueSet {
        let values = &self.threads[thread.index()];
        match &values.at[loc.index()] {
            None => &ValueSet::EMPTY,
            Some(state) => state.find(reg).unwrap_or_else(|| &values.ever[reg.index()]),
        }
    }

    /// All values that a register ever has.
    pub fn register_ever(&self, thread: ThreadId, reg: RegId) -> &ValueSet {
        &self.threads[thread.index()].ever[reg.index()]
    }

    /// The values that are ever in a cell or in a buffered store to it.
    pub fn cell(&self, addr: Addr) -> &ValueSet {
        &self.cells[addr.index()]
    }

    /// Whether a thread may reach a location.
    pub fn reachable(&self, thread: ThreadId, loc: LocId) -> bool {
        self.threads[thread.index()].at[loc.index()].is_some()
    }

    /// The values that an expression may have at a location.
    pub fn eval_at(&self, thread: ThreadId, loc: LocId, e: &Expr<RegId>) -> ValueSet {
        if self.reachable(thread, loc) {
            eval(e, |reg| self.register_at(thread, loc, reg).clone())
        } else {
            ValueSet::EMPTY
        }
    }

    /// The cells that the access at a site may touch. Empty if the site is not an access or is
    /// unreachable.
    pub fn addresses(&self, program: &Program, site: Site) -> Candidates {
        let instruction = program.instruction(site);
        let set = match instruction.op.address() {
            Some(addr) => self.eval_at(site.thread, instruction.from, addr),
            None => ValueSet::EMPTY,
        };
        let inside = set.meet(&cells_of(program));
        Candidates {
            outside: !set.is_subset(&inside),
            cells: members(&inside).map(Addr).collect(),
        }
    }

    /// The register sets at a location; `None` if it is unreachable.
    pub(super) fn state_at(&self, thread: ThreadId, loc: LocId) -> Option<&RegisterSets> {
        self.threads[thread.index()].at[loc.index()].as_ref()
    }

    /// The sets of these live registers after an instruction, given the sets before it; `None` if
    /// it cannot be passed.
    pub(super) fn after(
        &self,
        program: &Program,
        op: &Op,
        before: &RegisterSets,
        live: &[RegId],
    ) -> Option<RegisterSets> {
        let mut narrowed = Vec::new();
        let mut target = None;
        match op {
            Op::Skip
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd
            | Op::Store { .. }
            | Op::Load { .. }
            | Op::Rmw { .. } => {}
            Op::Assign { into, value } => target = Some((*into, before.eval(value))),
            Op::Havoc { into, low, high } => {
                target = Some((*into, ValueSet::interval(*low, *high)));
            }
            Op::Assume(e) => narrowed = refine(e, true, |reg| before.get(reg))?,
        }
        if let Some(addr) = op.address() {
            // An access outside shared memory is not passed.
            let cells = before.eval(addr).meet(&cells_of(program));
            if cells.is_empty() {
                return None;
            }
            if let Expr::Var(reg) = addr {
                narrowed.push((*reg, cells.clone()));
            }
            if let Op::Load { into, .. } | Op::Rmw { into, .. } = op {
                target = Some((*into, self.contents(&cells)));
            }
        }
        let mut known = before.0.iter().peekable();
        let after = live.iter().map(|&reg| {
            while known.next_if(|(other, _)| *other < reg).is_some() {}
            let set = match (&target, known.peek()) {
                (Some((into, set)), _) if *into == reg => set.clone(),
                (_, Some((other, set))) if *other == reg => {
                    let new = narrowed.iter().find(|(other, _)| *other == reg);
                    new.map_or(set, |(_, set)| set).clone()
                }
                _ => ValueSet::FULL,
            };
            (reg, set)
        });
        Some(RegisterSets(after.collect()))
    }

    /// The values that any of these cells may hold.
    pub(super) fn contents(&self, cells: &ValueSet) -> ValueSet {
        members(cells).fold(ValueSet::EMPTY, |set, addr| set.join(self.cell(Addr(addr))))
    }
}

impl RegisterSets {
    fn find(&self, reg: RegId) -> Option<&ValueSet> {
        let position = self.0.binary_search_by_key(&reg, |(other, _)| *other);
        position.ok().map(|position| &self.0[position].1)
    }

    /// A register's set; the full set for dead registers.
    pub(super) fn get(&self, reg: RegId) -> ValueSet {
        self.find(reg).cloned().unwrap_or(ValueSet::FULL)
    }

    /// Replaces a register's set, if the register is live.
    pub(super) fn set(&mut self, reg: RegId, set: ValueSet) {
        if let Ok(position) = self.0.binary_search_by_key(&reg, |(other, _)| *other) {
            self.0[position].1 = set;
        }
    }

    /// The possible values of an expression.
    pub(super) fn eval(&self, e: &Expr<RegId>) -> ValueSet {
        eval(e, |reg| self.get(reg))
    }

    /// Joins the sets of another path: each set that does not contain the new one is combined with
    /// it by `grow`. Returns whether any set changed. Requires the same registers.
    pub(super) fn absorb(
        &mut self,
        other: &Self,
        mut grow: impl FnMut(&ValueSet, &ValueSet) -> ValueSet,
    ) -> bool {
        let mut changed = false;
        for ((_, old), (_, new)) in self.0.iter_mut().zip(&other.0) {
            if !new.is_subset(old) {
                *old = grow(old, new);
                changed = true;
            }
        }
        changed
    }
}

/// The addresses of all cells.
pub(super) fn cells_of(program: &Program) -> ValueSet {
    ValueSet::interval(
        FIRST_ADDRESS,
        FIRST_ADDRESS + program.cell_count() as i32 - 1,
    )
}

/// The values of a set one by one.
fn members(set: &ValueSet) -> impl Iterator<Item = i32> {
    let listed = set.values().map(<[i32]>::iter);
    let range = match (set.values(), set.bounds()) {
        (None, Some((low, high))) => Some(low..=high),
        _ => None,
    };
    let listed = listed.into_iter().flatten().copied();
    listed.chain(range.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sketch, and, c, eq, lt, ne, plus, r};
    use std::time::{Duration, Instant};

    const T: ThreadId = ThreadId(0);

    fn set(values: &[i32]) -> ValueSet {
        ValueSet::of(values.iter().copied())
    }

    #[test]
    fn a_cell_has_its_initial_value_and_the_stored_values() {
        // Message passing: t0 stores 5 and a flag, t1 waits for the flag and reads the value.
        let program = Sketch::new(2)
            .thread(0, |t| {
                t.store(1, c(5)).store(2, c(1));
            })
            .thread(2, |t| {
                t.load(0, 2).assume(eq(r(0), 1)).load(1, 1);
            })
            .build();
        let values = Values::of(&program);
        assert_eq!(*values.cell(Addr(1)), set(&[0, 5]));
        let t1 = ThreadId(1);
        assert_eq!(*values.register_at(t1, LocId(1), RegId(0)), set(&[0, 1]));
        // Dead after the condition: all values that it ever has.
        assert_eq!(*values.register_at(t1, LocId(2), RegId(0)), set(&[0, 1]));
        assert!(values.reachable(t1, LocId(3)));
    }

    #[test]
    fn a_location_that_no_value_allows_is_unreachable() {
        let program = Sketch::new(1)
            .thread(1, |t| {
                t.load(0, 1).assume(eq(r(0), 7)).store(1, c(7));
            })
            .build();
        let values = Values::of(&program);
        assert!(!values.reachable(T, LocId(2)));
        assert!(!values.reachable(T, LocId(3)));
        assert_eq!(*values.cell(Addr(1)), set(&[0]));
        let dead = Site {
            thread: T,
            instr: 2_usize.into(),
        };
        assert!(values.addresses(&program, dead).cells.is_empty());
    }

    #[test]
    fn a_pointer_leads_to_the_cells_whose_addresses_were_stored() {
        // Cell 1 holds null or a pointer to 3 or 4.
        let program = Sketch::new(4)
            .thread(2, |t| {
                t.load(0, 1).load_at(1, r(0)).store(2, r(1));
            })
            .thread(0, |t| {
                t.store(1, c(3)).store(1, c(4)).store(4, c(9));
            })
            .build();
        let values = Values::of(&program);
        let site = Site {
            thread: T,
            instr: 1_usize.into(),
        };
        let candidates = values.addresses(&program, site);
        assert_eq!(candidates.cells, [Addr(3), Addr(4)]);
        assert!(candidates.outside);
        assert_eq!(*values.cell(Addr(2)), set(&[0, 9]));
    }

    #[test]
    fn a_counter_is_bounded_by_its_loop_condition() {
        // while (i < 100) i := i + 1; store i
        let program = Sketch::new(1)
            .thread(1, |t| {
                t.edge(0, Op::Assume(lt(r(0), 100)), 1);
                t.edge(
                    1,
                    Op::Assign {
                        into: RegId(0),
                        value: plus(r(0), 1),
                    },
                    0,
                );
                t.edge(0, Op::Assume(eq(lt(r(0), 100), 0)), 2);
                t.edge(
                    2,
                    Op::Store {
                        addr: c(1),
                        value: r(0),
                    },
                    3,
                );
            })
            .build();
        let values = Values::of(&program);
        let head = values.register_at(T, LocId(0), RegId(0));
        assert_eq!(*head, ValueSet::interval(0, 100));
        assert_eq!(*values.register_at(T, LocId(2), RegId(0)), set(&[100]));
        assert_eq!(*values.cell(Addr(1)), set(&[0, 100]));
    }

    #[test]
    fn a_cell_that_grows_forever_may_hold_every_value() {
        let program = Sketch::new(1)
            .thread(1, |t| {
                t.edge(
                    0,
                    Op::Load {
                        into: RegId(0),
                        addr: c(1),
                    },
                    1,
                );
                t.edge(
                    1,
                    Op::Store {
                        addr: c(1),
                        value: plus(r(0), 1),
                    },
                    0,
                );
            })
            .build();
        assert_eq!(*Values::of(&program).cell(Addr(1)), ValueSet::FULL);
    }

    #[test]
    fn a_lock_is_taken_or_free() {
        let program = Sketch::new(1)
            .thread(1, |t| {
                t.cas(0, 1, c(0), c(1))
                    .assume(and(ne(r(0), 1), ne(r(0), 2)))
                    .store(1, c(0));
            })
            .build();
        let values = Values::of(&program);
        assert_eq!(*values.cell(Addr(1)), set(&[0, 1]));
    }

    #[test]
    fn two_thousand_instructions_with_a_thousand_temporaries_are_fast() {
        let program = Sketch::new(8)
            .thread(1000, |t| {
                for i in 0..1000 {
                    t.load(i, 1 + (i % 8) as i32)
                        .store(1 + ((i + 3) % 8) as i32, plus(r(i), 1));
                }
            })
            .build();
        let start = Instant::now();
        let values = Values::of(&program);
        // Some 2 ms: a state with all registers at each location would take seconds.
        assert!(start.elapsed() < Duration::from_millis(200));
        assert_eq!(*values.cell(Addr(1)), ValueSet::FULL);
    }
}
