//! The bounded engine's seat: goals in, answers inside unrolling bounds out.
//!
//! What it is to fill in: one open question of `reach` for the program and model, all goals asked
//! by switches, loops followed up to `options.unroll` times (its own choice if absent). A goal that
//! is refuted without the frontier in the core *holds*; one that is refuted with it holds *within*
//! the bounds that the core names; a model becomes steps, and [`super::replayed`] makes them
//! evidence.

use super::{Answered, CheckOptions, Defect};
use crate::program::{Goal, Program};
use crate::verdict::Budget;

/// The goals' answers, in their order; `None` where the engine does not take the question.
#[expect(clippy::unnecessary_wraps, reason = "the engines share one shape")]
pub(super) fn answer(
    _program: &Program,
    _goals: &[Goal],
    _options: &CheckOptions,
    _budget: &Budget,
) -> Result<Option<Answered>, Defect> {
    Ok(None)
}
