//! An invariant for the checker: the inductive engine's, with a step for each instruction.
//!
//! The engine's usual macro-steps are correct by an argument about instructions that commute. Single steps
//! need none, and the checker takes them. What the engine takes for granted, the widths of values, is made
//! part of the invariant: the range of each register at each location, and of each cell, as the analysis of
//! values finds it. Locations that no path leads to are excluded by a clause for each thread.

use super::NotMade;
use crate::facts::{ValueSet, Values};
use crate::induction::{Excluded, Finding, Invariant, Part, Refusal, Search};
use crate::program::{Goal, LocId, Program, PropertyKind, RegId, ThreadId};
use crate::solve::SolverKind;
use crate::verdict::{Budget, Stop};
use serde_json::{Value, json};

/// A wider range is left out: the checker would not enumerate it.
const WIDEST: i64 = 64;

/// The leaf that proves that no goal is reachable under SC.
pub(super) fn invariant(
    program: &Program,
    never: &[usize],
    budget: &Budget,
) -> Result<Value, NotMade> {
    let mut goals = program.goals();
    goals.retain(|goal| match goal {
        Goal::Property(number) => match program.properties()[*number].kind {
            PropertyKind::Exists => never.contains(number),
            PropertyKind::Forbid
            | PropertyKind::FinalAssert
            | PropertyKind::Stuck
            | PropertyKind::Starved(_) => true,
        },
        Goal::Assert(_) | Goal::Outside(_) => true,
    });
    let kind = SolverKind::default();
    let search = Search::of_single_steps(program, &goals, kind, budget);
    let mut search = search.map_err(|refusal| match refusal {
        Refusal::Unsupported(why) => NotMade::Reason(why),
        Refusal::Stopped => stopped(),
    })?;
    match search.decide(&goals) {
        Ok(Finding::Proved(invariant)) => Ok(leaf(program, &invariant)),
        Ok(Finding::Reached(..)) => Err(NotMade::because("the inductive engine reaches a goal")),
        Err(Stop::Cancelled) => Err(stopped()),
        Err(Stop::Defect(defect)) => Err(NotMade::Defect(defect)),
    }
}

fn stopped() -> NotMade {
    NotMade::because("no invariant was found within the budget")
}

fn leaf(program: &Program, invariant: &Invariant) -> Value {
    let values = Values::of(program);
    let threads = program.thread_ids().zip(&invariant.stops);
    let (mut dead, mut registers) = (Vec::new(), Vec::new());
    let mut clauses: Vec<Value> = invariant.clauses.iter().map(clause).collect();
    for (thread, stops) in threads {
        let automaton = program.thread(thread);
        let count = automaton.registers().len();
        let of_register = |reg: RegId| {
            let own = stops.dead.iter().find(|(other, _)| *other == reg);
            own.map_or(0, |&(_, value)| value)
        };
        let own: Vec<i32> = (0..count).map(|reg| of_register(reg.into())).collect();
        dead.push(own);
        let of_location = |loc: LocId| -> Vec<Value> {
            let all = (0..count).map(|reg| range(values.register_at(thread, loc, reg.into())));
            all.collect()
        };
        let locations = (0..automaton.locations().len()).map(LocId::from);
        registers.push(json!(
            locations.clone().map(of_location).collect::<Vec<_>>()
        ));
        let is_stop = |loc: &LocId| stops.stops.iter().any(|(stop, _)| stop == loc);
        let out: Vec<LocId> = locations.filter(|loc| !is_stop(loc)).collect();
        if !out.is_empty() {
            clauses.push(json!([at(thread, &out)]));
        }
    }
    let cells = program.cells().map(|cell| range(values.cell(cell)));
    json!({
        "kind": "inductive",
        "dead": dead,
        "registers": registers,
        "cells": cells.collect::<Vec<Value>>(),
        "clauses": clauses,
    })
}

fn range(values: &ValueSet) -> Value {
    let bounds = values.bounds();
    let narrow = bounds.filter(|&(low, high)| i64::from(high) - i64::from(low) < WIDEST);
    match (values.is_empty(), narrow) {
        (true, _) => json!([0, 0]),
        (false, Some((low, high))) => json!([low, high]),
        (false, None) => Value::Null,
    }
}

fn at(thread: ThreadId, locations: &[LocId]) -> Value {
    let locations: Vec<usize> = locations.iter().map(|loc| loc.index()).collect();
    json!(["at", thread.index(), locations])
}

fn clause(excluded: &Excluded) -> Value {
    let parts = excluded.0.iter().map(|part| match part {
        Part::At(thread, locations) => at(*thread, locations),
        Part::Register {
            thread,
            register,
            mask,
            bits,
        } => json!(["r", thread.index(), register.index(), mask, bits]),
        Part::Cell { cell, mask, bits } => json!(["c", cell.index(), mask, bits]),
    });
    parts.collect()
}
