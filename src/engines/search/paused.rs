//! A search that has stopped, for a later one about the same.

use super::{Question, Reduction, Visited};
use crate::model::Model;
use crate::program::{Goal, Program};

/// A search that has stopped for the number of its states.
pub struct Paused {
    program: Program,
    model: Model,
    goals: Vec<Goal>,
    reduction: Reduction,
    visited: Visited,
}

impl Paused {
    /// A search for the answer to this, as far as it got.
    pub fn new(question: Question<'_>, visited: Visited) -> Self {
        Self {
            program: question.program.clone(),
            model: question.model,
            goals: question.goals.to_vec(),
            reduction: question.reduction,
            visited,
        }
    }

    /// What has been visited.
    pub fn into_visited(self) -> Visited {
        self.visited
    }

    /// What it was about.
    pub fn question(&self) -> Question<'_> {
        Question {
            program: &self.program,
            model: self.model,
            goals: &self.goals,
            reduction: self.reduction,
        }
    }
}
