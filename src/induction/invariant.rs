//! Invariants as data: clauses over where threads are and what registers and cells hold.
//!
//! Each clause is written as the set of states that it excludes. The states are those between
//! macro-steps: see [`StopSet`]. So a reader needs the stops, and which registers matter there, in order
//! to check an invariant; both are part of it.

use super::Subject;
use super::solver::Cube;
use super::system::System;
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
    pub(super) fn of(system: &System<'_>, cubes: &[Cube]) -> Self {
        let mut clauses: Vec<Excluded> = cubes.iter().map(|cube| excluded(system, cube)).collect();
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

fn excluded(system: &System<'_>, cube: &Cube) -> Excluded {
    let mut masks: BTreeMap<usize, (i32, i32)> = BTreeMap::new();
    for lit in &cube.0 {
        let bit = system.bits[lit.bit as usize];
        let (mask, bits) = masks.entry(bit.variable).or_default();
        // The sign extends to all higher positions.
        let is_sign = bit.position + 1 == system.variables[bit.variable].value.width();
        let covered = if is_sign {
            -1 << bit.position
        } else {
            1 << bit.position
        };
        *mask |= covered;
        *bits |= if lit.value { covered } else { 0 };
    }
    let parts =
        masks.into_iter().map(
            |(number, (mask, bits))| match system.variables[number].subject {
                Subject::Thread(thread) => {
                    let list = system.threads[thread.index()].stops.list.iter();
                    let matching = list
                        .enumerate()
                        .filter(|&(code, _)| code as i32 & mask == bits);
                    Part::At(thread, matching.map(|(_, &loc)| loc).collect())
                }
                Subject::Register(thread, register) => Part::Register {
                    thread,
                    register,
                    mask,
                    bits,
                },
                Subject::Cell(cell) => Part::Cell { cell, mask, bits },
            },
        );
    Excluded(parts.collect())
}
