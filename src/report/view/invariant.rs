//! Invariants of the inductive engine, in the names of the source.
//!
//! Each clause is a list of conditions that no reachable state satisfies together: where threads are,
//! and what registers and cells hold. The states are those between two steps that other threads can
//! notice.

use super::super::Source;
use crate::induction::{Excluded, Invariant, Part};
use crate::program::{LocId, Observable, ThreadId};
#[cfg(feature = "cli")]
use schemars::JsonSchema;
#[cfg(feature = "cli")]
use serde::Serialize;

// An invariant, prepared for output. In the schema it has no description of its own.
#[derive(Debug)]
#[cfg_attr(
    feature = "cli",
    derive(JsonSchema, Serialize),
    schemars(rename = "InvariantJson")
)]
pub(in super::super) struct InvariantView {
    /// The number of clauses.
    pub(in super::super) clauses: usize,
    /// For each clause the conditions that no reachable state satisfies together, with
    /// `--show-invariant`.
    #[cfg_attr(feature = "cli", serde(skip_serializing_if = "Option::is_none"))]
    pub(in super::super) excluded: Option<Vec<Vec<String>>>,
}

impl InvariantView {
    /// Without its clauses.
    pub(super) fn new(invariant: &Invariant) -> Self {
        Self {
            clauses: invariant.clauses.len(),
            excluded: None,
        }
    }

    /// With its clauses.
    pub(super) fn listed(source: &Source<'_>, invariant: &Invariant) -> Self {
        let clause = |Excluded(parts): &Excluded| {
            let parts = parts.iter().map(|part| condition(source, invariant, part));
            parts.collect()
        };
        Self {
            excluded: Some(invariant.clauses.iter().map(clause).collect()),
            ..Self::new(invariant)
        }
    }
}

fn condition(source: &Source<'_>, invariant: &Invariant, part: &Part) -> String {
    match part {
        Part::At(thread, stops) => at(source, invariant, *thread, stops),
        Part::Register {
            thread,
            register,
            mask,
            bits,
        } => {
            let name = source.observable(Observable::Register(*thread, *register));
            equals(&name, *mask, *bits)
        }
        Part::Cell { cell, mask, bits } => {
            equals(&source.observable(Observable::Cell(*cell)), *mask, *bits)
        }
    }
}

/// A condition on some bits of a value.
fn equals(name: &str, mask: i32, bits: i32) -> String {
    match (mask, bits) {
        (-1, value) => format!("{name} == {value}"),
        // The sign, which extends to all higher bits.
        (mask, 0) if mask < 0 && mask.count_zeros() == mask.trailing_zeros() => {
            let above = 1_i64 << mask.trailing_zeros();
            if above == 1 << 31 {
                format!("{name} >= 0")
            } else {
                format!("{name} & {mask} == 0")
            }
        }
        (mask, bits) => format!("{name} & {mask} == {bits}"),
    }
}

/// Where a thread is; the shorter of the stops listed and of all others.
fn at(source: &Source<'_>, invariant: &Invariant, thread: ThreadId, stops: &[LocId]) -> String {
    let all = invariant.stops[thread.index()].stops.iter();
    let others: Vec<LocId> = all
        .map(|&(loc, _)| loc)
        .filter(|loc| !stops.contains(loc))
        .collect();
    let (word, listed) = if stops.len() <= others.len() {
        ("at", stops)
    } else {
        ("not at", &others[..])
    };
    let automaton = source.program.thread(thread);
    let mut names: Vec<String> = Vec::new();
    for &loc in listed {
        let location = automaton.location(loc);
        let name = if location.labelled || location.origin.line == 0 {
            location.name.clone()
        } else {
            let text = source.quote(location.origin);
            let line = source.program.line_words(location.origin);
            text.map_or(line.clone(), |text| format!("`{text}` ({line})"))
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match &names[..] {
        [name] => format!("{} {word} {name}", automaton.name()),
        _ => format!("{} {word} ({})", automaton.name(), names.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_bits_are_shown_as_comparisons_where_they_are() {
        assert_eq!(equals("x", -1, 3), "x == 3");
        assert_eq!(equals("x", 5, 1), "x & 5 == 1");
        assert_eq!(equals("x", i32::MIN, 0), "x >= 0");
        assert_eq!(equals("x", -8, -8), "x & -8 == -8");
    }
}
