//! Places for fences, and what fences cost there: computed from the program, not taken from the certificate.
//!
//! A fence may be at each location outside atomic blocks that an instruction leaves, unless the text says
//! `@nofence`, or `@exchange`, there. Of these, all that are *useful* have to be listed, each once, and no
//! place without one of them: a cheapest set has no place that is not useful.
//!
//! ```text
//! useful   a store may be buffered there, and a later load may follow before the buffer is emptied; under
//!          PSO and PGAS, a load or a store
//! ```
//!
//! *Why.* If nothing is buffered, a fence does nothing. If nothing follows that a buffered store could be
//! delayed past, then the thread can as well wait at the fence until its buffer is empty: what it does
//! after it is not seen by others before that.
//!
//! A fence costs what `@cost` says. Without that it costs the same everywhere, 1 unless the certificate names
//! another number; or what the certificate states for each location, and then the sentence lists these
//! costs. A place is several locations where the text that the automaton was made from is one,
//! and costs as much as all of them. That, too, is stated.

use super::Refusal;
use super::leaves::{index, list};
use super::machine::Model;
use super::program::{Op, Program, Thread};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// More costs are not listed in a sentence.
const MOST_LISTED: usize = 20;

/// No cost is larger.
const MAX_COST: u64 = 1_000_000;

/// The places of a certificate.
pub(super) struct Places {
    pub(super) points: Vec<Vec<(usize, usize)>>,
    pub(super) costs: Vec<u64>,
    /// What the costs are.
    pub(super) words: String,
}

/// What the text says of fences at a location.
#[derive(Clone, Copy)]
enum Written {
    Forbidden,
    Usual,
    Cost(u64),
    /// The larger of this and the usual one.
    AtLeast(u64),
}

fn written(thread: &Thread, at: usize) -> Written {
    let mut found: Option<Written> = None;
    for &number in &thread.leaving[at] {
        let place = thread.instructions[number].place.as_str();
        let cost = place.strip_prefix("cost ").map(str::parse);
        let this = match (place, cost) {
            ("", _) => Written::Usual,
            (_, Some(Ok(cost))) => Written::Cost(cost),
            _ => return Written::Forbidden,
        };
        found = Some(match (found, this) {
            (None, this) => this,
            (Some(Written::Forbidden), _) | (_, Written::Forbidden) => Written::Forbidden,
            (Some(Written::Usual), Written::Usual) => Written::Usual,
            (Some(Written::Cost(a)), Written::Cost(b)) => Written::Cost(a.max(b)),
            (Some(Written::AtLeast(a)), Written::Cost(b) | Written::AtLeast(b))
            | (Some(Written::Cost(a)), Written::AtLeast(b)) => Written::AtLeast(a.max(b)),
            (Some(Written::Cost(a) | Written::AtLeast(a)), Written::Usual)
            | (Some(Written::Usual), Written::Cost(a) | Written::AtLeast(a)) => Written::AtLeast(a),
        });
    }
    found.unwrap_or(Written::Forbidden)
}

/// The places that a certificate lists.
///
/// # Errors
///
/// If they are not those of the program, or the costs are not those of its text.
pub(super) fn places(value: &Value, program: &Program, model: Model) -> Result<Places, Refusal> {
    let useful = useful(program, model);
    let stated = match value["costs"].as_str() {
        Some("unit") => false,
        Some("stated") => true,
        _ => {
            return Err(Refusal::unreadable(
                "`costs` is neither `unit` nor `stated`",
            ));
        }
    };
    let factor = value["factor"]
        .as_u64()
        .filter(|&factor| factor <= MAX_COST);
    let factor = factor.ok_or_else(|| Refusal::unreadable("`factor` is missing"))?;
    let usual = if value["usual"].is_null() {
        Some(1)
    } else {
        let named = value["usual"].as_u64();
        named.filter(|&cost| cost <= MAX_COST && !stated)
    };
    let usual = usual.ok_or_else(|| Refusal::unreadable("`usual` is no cost of all fences"))?;
    let mut places = Places {
        points: Vec::new(),
        costs: Vec::new(),
        words: String::new(),
    };
    let mut taken = BTreeSet::new();
    let mut found: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
    for place in list(value, "places")? {
        let (mut points, mut sum) = (Vec::new(), 0_u64);
        let each = list(place, "each")?;
        let listed = list(place, "points")?;
        if listed.is_empty() || each.len() != listed.len() {
            return Err(Refusal::unreadable("a place without one cost per location"));
        }
        for (point, cost) in listed.iter().zip(each) {
            let point = (index(&point[0])?, index(&point[1])?);
            if !is_allowed(program, point) || !taken.insert(point) {
                return Err(Refusal::refuted(format!(
                    "no place for a fence, or one that is listed twice: {point:?}"
                )));
            }
            let cost = index(cost)? as u64;
            let (least, most) = match written(&program.threads[point.0], point.1) {
                Written::Cost(cost) => (cost, cost),
                Written::AtLeast(cost) if stated => (cost, MAX_COST),
                Written::AtLeast(cost) => (cost.max(usual), cost.max(usual)),
                Written::Usual if stated => (0, MAX_COST),
                Written::Usual | Written::Forbidden => (usual, usual),
            };
            let scaled = |cost: u64| cost.saturating_mul(factor).min(MAX_COST);
            if !(scaled(least)..=scaled(most)).contains(&cost) {
                return Err(Refusal::refuted(format!(
                    "the cost {cost} at {point:?} is not that of the program's text"
                )));
            }
            found.entry(cost).or_default().push(point);
            points.push(point);
            sum = sum.saturating_add(cost);
        }
        if !points.iter().any(|point| useful.contains(point)) {
            return Err(Refusal::refuted(format!(
                "no place where a fence may be of use: {points:?}"
            )));
        }
        places.points.push(points);
        places.costs.push(sum.min(MAX_COST));
    }
    if let Some((thread, at)) = useful.iter().find(|point| !taken.contains(point)) {
        let thread = &program.threads[*thread];
        return Err(Refusal::refuted(format!(
            "thread {}: {} is a place for a fence that is not listed",
            thread.name, thread.locations[*at]
        )));
    }
    let together = places
        .points
        .iter()
        .filter(|points| points.len() > 1)
        .count();
    let words = if stated {
        listed(program, &found)
    } else {
        let usual = usual.saturating_mul(factor).min(MAX_COST);
        match (found.keys().all(|&cost| cost == usual), factor) {
            (true, _) => format!("if each fence costs {usual}"),
            (false, 1) => format!("if a fence costs {usual}, or what `@cost` in the program says"),
            (false, _) => {
                format!(
                    "if a fence costs {usual}, or {factor} times what `@cost` in the program says"
                )
            }
        }
    };
    places.words = words + &several(together);
    Ok(places)
}

/// The costs that only the certificate states.
fn listed(program: &Program, costs: &BTreeMap<u64, Vec<(usize, usize)>>) -> String {
    // The cost of the most locations, and the lowest of these, is that of the others.
    let common = costs.iter().rev().max_by_key(|(_, points)| points.len());
    let Some((&common, _)) = common else {
        return "whatever a fence costs".to_owned();
    };
    let rest = costs.iter().filter(|&(&cost, _)| cost != common);
    let mut rest: Vec<String> = rest
        .flat_map(|(cost, points)| {
            points.iter().map(move |&(t, at)| {
                let thread = &program.threads[t];
                format!("{cost} at {}@{}", thread.name, thread.locations[at])
            })
        })
        .collect();
    let left_out = rest.len().saturating_sub(MOST_LISTED);
    rest.truncate(MOST_LISTED);
    if left_out > 0 {
        rest.push(format!("something else at {left_out} more locations"));
    }
    let range = match (costs.first_key_value(), costs.last_key_value()) {
        (Some((low, _)), Some((high, _))) if low != high => format!("{low} to {high}"),
        (Some(_) | None, _) => common.to_string(),
    };
    let words = format!("if a fence costs what the certificate states ({range})");
    if rest.is_empty() {
        words
    } else {
        format!("{words}: {}, and {common} elsewhere", rest.join(", "))
    }
}

/// That some places are several locations.
fn several(together: usize) -> String {
    if together == 0 {
        return String::new();
    }
    let places = if together == 1 {
        "place is"
    } else {
        "places are"
    };
    format!(", and {together} {places} several locations that get their fences together")
}

/// Whether the text allows a fence at a location.
fn is_allowed(program: &Program, (t, at): (usize, usize)) -> bool {
    let in_program = |thread: &Thread| !matches!(written(thread, at), Written::Forbidden);
    program.may_be_fenced(t, at) && program.threads.get(t).is_some_and(in_program)
}

/// The locations where a fence may be of use.
pub fn useful(program: &Program, model: Model) -> BTreeSet<(usize, usize)> {
    let mut useful = BTreeSet::new();
    for (t, thread) in program.threads.iter().enumerate() {
        let (pending, ahead) = facts(thread, model);
        for at in 0..thread.locations.len() {
            if is_allowed(program, (t, at)) && pending[at] && ahead[at] {
                useful.insert((t, at));
            }
        }
    }
    useful
}

/// By location: whether a store may be buffered; and whether something may follow, before the buffer is
/// emptied, that it could be delayed past.
fn facts(thread: &Thread, model: Model) -> (Vec<bool>, Vec<bool>) {
    let count = thread.locations.len();
    let (mut pending, mut ahead) = (vec![false; count], vec![false; count]);
    if model == Model::Sc {
        return (pending, ahead);
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    let is_store = |number: usize| {
        let instruction = &thread.instructions[number];
        let is_buffered =
            !thread.inside[instruction.from] || thread.words[instruction.from].is_some();
        matches!(instruction.op, Op::Store(..)) && is_buffered
    };
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    for (number, instruction) in thread.instructions.iter().enumerate() {
        before[instruction.to].push(number);
        if is_store(number) {
            forward.push(instruction.to);
        }
        let passes =
            matches!(instruction.op, Op::Load(..)) || model.reorders_stores() && is_store(number);
        if passes {
            backward.push(instruction.from);
        }
    }
    while let Some(at) = forward.pop() {
        if !std::mem::replace(&mut pending[at], true) {
            let next = thread.leaving[at]
                .iter()
                .map(|&number| &thread.instructions[number]);
            forward.extend(next.filter(|i| !i.op.drains()).map(|i| i.to));
        }
    }
    while let Some(at) = backward.pop() {
        if !std::mem::replace(&mut ahead[at], true) {
            let last = before[at]
                .iter()
                .map(|&number| &thread.instructions[number]);
            backward.extend(last.filter(|i| !i.op.drains()).map(|i| i.from));
        }
    }
    (pending, ahead)
}
