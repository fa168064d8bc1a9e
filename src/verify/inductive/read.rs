//! Invariants as they are written.
//!
//! ```text
//! {"dead": [[0, 0], …], "registers": [[[[0, 7], null], …], …], "cells": [[0, 1], …],
//!  "clauses": [[["at", 0, [3, 4]], ["r", 1, 0, -1, 2], ["c", 0, 1, 0]], …]}
//! ```

use super::search::{Part, Place};
use super::{Invariant, Range};
use crate::Refusal;
use crate::program::Program;
use serde_json::Value;

/// An invariant has at most this many clauses.
const MOST_CLAUSES: usize = 10_000;

impl Invariant {
    /// The invariant of a leaf.
    ///
    /// # Errors
    ///
    /// If it is not one of the program.
    pub(crate) fn read(leaf: &Value, program: &Program) -> Result<Self, Refusal> {
        Self::parsed(leaf, program)
            .ok_or_else(|| Refusal::refuted("the invariant is none of the program"))
    }

    fn parsed(leaf: &Value, program: &Program) -> Option<Self> {
        let clauses = leaf["clauses"].as_array()?;
        let of_threads = |value: &Value| -> Option<Vec<Value>> {
            let all = value.as_array()?.clone();
            (all.len() == program.threads.len()).then_some(all)
        };
        let mut dead = Vec::new();
        for (values, thread) in of_threads(&leaf["dead"])?.iter().zip(&program.threads) {
            let values = values.as_array()?.iter().map(number);
            let values: Vec<i32> = values.collect::<Option<_>>()?;
            dead.push(values);
            (dead.last()?.len() == thread.registers.len()).then_some(())?;
        }
        let mut registers = Vec::new();
        for (locations, thread) in of_threads(&leaf["registers"])?.iter().zip(&program.threads) {
            let locations = locations.as_array()?.iter().map(ranges);
            let locations: Vec<Vec<Range>> = locations.collect::<Option<_>>()?;
            let fits = |ranges: &Vec<Range>| ranges.len() == thread.registers.len();
            (locations.len() == thread.locations.len() && locations.iter().all(fits))
                .then_some(())?;
            registers.push(locations);
        }
        let cells = ranges(&leaf["cells"])?;
        let cubes = clauses.iter().map(|clause| cube(clause, program));
        let cubes: Vec<Vec<Part>> = cubes.collect::<Option<_>>()?;
        (cells.len() == program.cells.len() && cubes.len() <= MOST_CLAUSES).then_some(Self {
            dead,
            registers,
            cells,
            cubes,
        })
    }
}

fn number(value: &Value) -> Option<i32> {
    i32::try_from(value.as_i64()?).ok()
}

fn index(value: &Value, limit: usize) -> Option<usize> {
    let number = usize::try_from(value.as_u64()?).ok()?;
    (number < limit).then_some(number)
}

fn ranges(value: &Value) -> Option<Vec<Range>> {
    let range = |value: &Value| -> Option<Range> {
        if value.is_null() {
            return Some(None);
        }
        let (low, high) = (number(&value[0])?, number(&value[1])?);
        (low <= high).then_some(Some((low, high)))
    };
    value.as_array()?.iter().map(range).collect()
}

fn cube(clause: &Value, program: &Program) -> Option<Vec<Part>> {
    clause
        .as_array()?
        .iter()
        .map(|part| part_of(part, program))
        .collect()
}

fn part_of(part: &Value, program: &Program) -> Option<Part> {
    match part[0].as_str()? {
        "at" => {
            let t = index(&part[1], program.threads.len())?;
            let mut locations = vec![false; program.threads[t].locations.len()];
            for at in part[2].as_array()? {
                let at = index(at, locations.len())?;
                locations[at] = true;
            }
            Some(Part::At(t, locations))
        }
        "r" => {
            let t = index(&part[1], program.threads.len())?;
            let register = index(&part[2], program.threads[t].registers.len())?;
            bits(Place::Register(t, register), &part[3], &part[4])
        }
        "c" => {
            let place = Place::Cell(index(&part[1], program.cells.len())?);
            bits(place, &part[2], &part[3])
        }
        _ => None,
    }
}

/// Bits that the mask leaves out are none of the condition.
fn bits(place: Place, mask: &Value, bits: &Value) -> Option<Part> {
    let (mask, bits) = (number(mask)?, number(bits)?);
    (bits & !mask == 0).then_some(Part::Bits(place, mask, bits))
}
