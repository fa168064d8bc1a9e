//! From a model of the formula to a computation that the reference has replayed.
//!
//! A model fixes each thread's path and an order of the events in memory. This module turns them
//! into steps. The order is partial: `turns` chooses the next event among those that may come next,
//! and `schedule` turns a sequence of events into steps, and adds the instructions that are not
//! events and the stores that leave their buffers.
//!
//! ```text
//!   model ──▶ paths, conditional edges ──turns──▶ event sequence ──schedule──▶ steps ──▶ Run
//! ```
//!
//! **Invariant.** Every step is taken by `reference` under the operational rules. A step that it
//! rejects is a defect of Fencepost, reported as such and never as a verdict.

mod schedule;
mod turns;

use crate::encode::{Encoding, Passage};
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::{ReplayError, Run};
use rustsat::types::Lit;
use schedule::Schedule;
use std::fmt;
use turns::Turns;

/// A computation that the reference rejects, or that does not reach its goal: the encoder and the
/// reference disagree about the semantics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a witness does not replay: {}", self.message)
    }
}

impl std::error::Error for Mismatch {}

impl From<ReplayError> for Mismatch {
    fn from(error: ReplayError) -> Self {
        Self {
            message: format!("step {}: {}", error.at, error.message),
        }
    }
}

/// The computation that a model describes, after the reference has replayed it and confirmed that
/// it reaches the goal.
///
/// `program` is the whole program; the encoding may be of a slice of it.
///
/// # Errors
///
/// If the reference rejects it.
pub(crate) fn witness(
    program: &Program,
    model: Model,
    goal: Goal,
    encoding: &Encoding,
    value: impl Fn(Lit) -> bool,
) -> Result<Run, Mismatch> {
    let run = computation(program, model, Some(goal), encoding, value)?;
    if run.reached.contains(&goal) {
        Ok(run)
    } else {
        Err(Mismatch {
            message: format!("the computation does not reach {goal:?}"),
        })
    }
}

/// The computation that a model describes, after the reference has replayed it and found a cycle in
/// happens-before. No thread executes anything after its last access, and the delayed stores reach
/// memory last, in program order.
///
/// # Errors
///
/// If the reference rejects it.
pub(crate) fn cyclic_witness(
    program: &Program,
    model: Model,
    encoding: &Encoding,
    value: impl Fn(Lit) -> bool,
) -> Result<Run, Mismatch> {
    let run = computation(program, model, None, encoding, value)?;
    if run.happens_before().is_cyclic() {
        Ok(run)
    } else {
        Err(Mismatch {
            message: "the computation has no cycle in happens-before".to_owned(),
        })
    }
}

/// The computation that a model describes, replayed.
fn computation(
    program: &Program,
    model: Model,
    goal: Option<Goal>,
    encoding: &Encoding,
    value: impl Fn(Lit) -> bool,
) -> Result<Run, Mismatch> {
    let paths: Vec<Vec<&Passage>> = program
        .thread_ids()
        .map(|thread| encoding.path(thread, &value))
        .collect();
    let mut turns = Turns::new(encoding, &paths);
    let mut order = encoding.order.linear(&value, |ready| turns.choose(ready));
    if let Some(end) = encoding.end() {
        turns.sort_after(&mut order, end);
    }
    // The position of each event in the memory order.
    let mut positions = vec![usize::MAX; encoding.events().len()];
    for (position, node) in order.iter().enumerate() {
        for &event in turns.at(*node) {
            positions[event.index()] = position;
        }
    }
    let choices = paths
        .iter()
        .map(|path| {
            let chosen = |p: &&Passage| p.choice.as_ref()?.value(|lit| Some(value(lit)));
            path.iter().map(chosen).collect()
        })
        .collect();
    let mut schedule = Schedule::new(program, model, paths, choices, positions);
    for node in &order {
        for &event in turns.at(*node) {
            schedule.take(encoding, event)?;
        }
    }
    schedule.finish(goal)
}
