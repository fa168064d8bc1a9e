//! The kinds of problems, and how serious one is.

use super::super::Source;
use crate::program::{Goal, PropertyKind};
use crate::reference::{Run, Shape};
use std::borrow::Cow;

/// The kind of problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::report) enum Rule {
    /// A happens-before cycle of this shape.
    Shape(Shape),
    /// Any other happens-before cycle.
    Cycle,
    /// An assertion fails, or a forbidden state is reached.
    Assertion,
    /// An access outside shared memory.
    Outside,
    /// Threads that wait forever.
    Stuck,
    /// Accesses that compilers may reorder.
    DataRace,
    /// A triangular race.
    TriangularRace,
    /// A fence that can be removed.
    Superfluous,
    /// An expectation of a corpus that is not met.
    Expectation,
    /// A text that is no program.
    Input,
    /// A defect of Fencepost.
    Internal,
    /// No answer, or one within bounds.
    Undecided,
}

impl Rule {
    /// Its name, which never changes: `SB`, `assertion`.
    pub(in crate::report) fn id(self) -> &'static str {
        match self {
            Rule::Shape(Shape::Named(name)) => name,
            Rule::Shape(Shape::Cycle(_)) | Rule::Cycle => "cycle",
            Rule::Assertion => "assertion",
            Rule::Outside => "outside",
            Rule::Stuck => "stuck",
            Rule::DataRace => "race",
            Rule::TriangularRace => "triangular-race",
            Rule::Superfluous => "superfluous-fence",
            Rule::Expectation => "expectation",
            Rule::Input => "input",
            Rule::Internal => "internal",
            Rule::Undecided => "undecided",
        }
    }

    /// What it is about, in one sentence.
    pub(in crate::report) fn about(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Rule::Shape(shape @ Shape::Named(_)) => {
                return Cow::Owned(format!(
                    "Delayed stores make happens-before cyclic: {shape}."
                ));
            }
            Rule::Shape(Shape::Cycle(_)) | Rule::Cycle => {
                "Delayed stores make happens-before cyclic."
            }
            Rule::Assertion => "An assertion fails, or a forbidden state is reached.",
            Rule::Outside => "An access is outside shared memory.",
            Rule::Stuck => "Threads wait forever.",
            Rule::DataRace => {
                "Plain accesses of two threads race, so compilers may reorder, merge or repeat them."
            }
            Rule::TriangularRace => "Two accesses race while a store of one thread is pending.",
            Rule::Superfluous => "A fence can be removed.",
            Rule::Expectation => "An expectation is not met.",
            Rule::Input => "The text is no program, or has a warning.",
            Rule::Internal => "Fencepost has a defect, so there is no verdict.",
            Rule::Undecided => "There is no answer, or only one within bounds.",
        })
    }

    pub(super) fn of_run(run: &Run) -> Self {
        run.happens_before()
            .shape()
            .map_or(Rule::Cycle, Rule::Shape)
    }

    pub(super) fn of_goal(source: &Source<'_>, goal: Goal) -> Self {
        match goal {
            Goal::Assert(_) => Rule::Assertion,
            Goal::Outside(_) => Rule::Outside,
            Goal::Property(number) => match source.program.properties()[number].kind {
                PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => {
                    Rule::Assertion
                }
                PropertyKind::Stuck | PropertyKind::Starved(_) => Rule::Stuck,
            },
        }
    }
}

/// How serious it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::report) enum Level {
    /// The answer is no.
    Error,
    /// Something to look at.
    Warning,
    /// Something to know.
    Note,
    /// The answer is open.
    Open,
}
