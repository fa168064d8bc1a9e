//! Invariants as data: clauses over where threads are and what registers and cells hold.
//!
//! Each clause is written as the set of states that it excludes. The states are those between
//! macro-steps: see [`StopSet`]. So a reader needs the stops, and which registers matter there, in order
//! to check an invariant; both are part of it.

use super::Subject;
use super::solver::Cube;
use super::system::System;
use crate::cnf::{Bits, Cnf};
use crate::program::{Addr, LocId, RegId, ThreadId};
use std::collections::BTreeMap;

/// Where the macro-steps of a thread end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopSet {
    /// The locations, each with the registers that matter there. Registers that do not matter count
    /// as [`dead`](StopSet::dead).
    pub stops: Vec<(LocId, Vec<RegId>)>,
    /// For each register that matters somewhere, the value that it counts as elsewhere.
    pub dead: Vec<(RegId, i32)>,
}

/// A part of an excluded set of states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// The thread is at one of these stops.
    At(ThreadId, Vec<LocId>),
    /// These bits of the register have these values: `value & mask == bits`.
    Register {
        /// The thread.
        thread: ThreadId,
        /// Its register.
        register: RegId,
        /// Which bits.
        mask: i32,
        /// Their values.
        bits: i32,
    },
    /// These bits of the cell have these values: `value & mask == bits`.
    Cell {
        /// The cell.
        cell: Addr,
        /// Which bits.
        mask: i32,
        /// Their values.
        bits: i32,
    },
}

/// A clause: no reachable state satisfies all of these parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Excluded(pub Vec<Part>);

impl Excluded {
    /// Whether there are states that it excludes, as far as stops are concerned.
    fn is_about_stops(&self) -> bool {
        self.0.iter().all(|part| match part {
            Part::At(_, stops) => !stops.is_empty(),
            Part::Register { .. } | Part::Cell { .. } => true,
        })
    }
}

/// An inductive invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// By thread.
    pub stops: Vec<StopSet>,
    /// The clauses, in ascending order.
    pub clauses: Vec<Excluded>,
}

impl Invariant {
    /// The complement of these cubes.
    pub(super) fn of(system: &System, cubes: &[Cube]) -> Self {
        let clauses = cubes.iter().map(|cube| excluded(system, cube));
        // Some numbers are the code of no stop.
        let mut clauses: Vec<Excluded> = clauses.filter(Excluded::is_about_stops).collect();
        clauses.sort();
        let stops = system.program.thread_ids().map(|thread| {
            let list = system.threads[thread.index()].stops.list.iter();
            let stops = list
                .enumerate()
                .map(|(code, &loc)| (loc, system.live_at(thread, code)));
            StopSet {
                stops: stops.collect(),
                dead: system.dead_values(thread),
            }
        });
        Self {
            stops: stops.collect(),
            clauses,
        }
    }
}

fn excluded(system: &System, cube: &Cube) -> Excluded {
    let mut fixed: BTreeMap<usize, BTreeMap<usize, bool>> = BTreeMap::new();
    for lit in &cube.0 {
        let bit = system.bits[lit.bit as usize];
        let bits = fixed.entry(bit.variable).or_default();
        bits.insert(bit.position, lit.value);
    }
    let parts = fixed.into_iter().map(|(number, fixed)| {
        let variable = &system.variables[number];
        let (mask, bits) = masked(&variable.value, &fixed);
        match variable.subject {
            Subject::Thread(thread) => {
                let list = system.threads[thread.index()].stops.list.iter().enumerate();
                let matching = list.filter(|&(code, _)| code as i32 & mask == bits);
                Part::At(thread, matching.map(|(_, &loc)| loc).collect())
            }
            Subject::Register(thread, register) => Part::Register {
                thread,
                register,
                mask,
                bits,
            },
            Subject::Cell(cell) => Part::Cell { cell, mask, bits },
        }
    });
    Excluded(parts.collect())
}

/// Which bits of a number are fixed, as a mask, and their values. The mask is -1 if they determine the
/// number.
fn masked(value: &Bits, fixed: &BTreeMap<usize, bool>) -> (i32, i32) {
    let (mut mask, mut bits, mut whole) = (0, 0, true);
    for position in 0..value.width() {
        let lit = value.bit(position);
        let constant = lit.var() == Cnf::TRUE.var();
        // The last bit extends to all higher positions.
        let covered = if position + 1 == value.width() {
            -1 << position
        } else {
            1 << position
        };
        let set = if let Some(&set) = fixed.get(&position) {
            mask |= covered;
            set
        } else {
            whole &= constant;
            constant && lit == Cnf::TRUE
        };
        if set {
            bits |= covered;
        }
    }
    if whole {
        (-1, bits)
    } else {
        (mask, bits & mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_determine_a_number_are_shown_as_the_number() {
        let mut cnf = Cnf::new();
        let at = |bits: &[(usize, bool)]| bits.iter().copied().collect();
        // From 0 to 5: three bits, and a sign that is constant.
        let value = Bits::fresh(&mut cnf, 0, 5);
        assert_eq!(
            masked(&value, &at(&[(0, true), (1, false), (2, true)])),
            (-1, 5)
        );
        assert_eq!(masked(&value, &at(&[(0, true), (2, false)])), (5, 1));
        // From -3 to 5: three bits, and a sign.
        let value = Bits::fresh(&mut cnf, -3, 5);
        let minus_two = at(&[(0, false), (1, true), (2, true), (3, true)]);
        assert_eq!(masked(&value, &minus_two), (-1, -2));
        assert_eq!(masked(&value, &at(&[(3, true)])), (-8, -8));
        assert_eq!(masked(&value, &at(&[(3, false), (0, true)])), (-7, 1));
        // From -6 to -5: the sign is constant.
        let value = Bits::fresh(&mut cnf, -6, -5);
        assert_eq!(
            masked(&value, &at(&[(0, false), (1, true), (2, false)])),
            (-1, -6)
        );
    }
}
