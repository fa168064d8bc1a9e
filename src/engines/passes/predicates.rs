//! Waiting as a predicate of one configuration, for engines that decide only these.
//!
//! **Theorem.** [`Stated`]: as far as it says so, threads wait forever exactly in the configurations that satisfy
//! a predicate over their locations and the cells. So `forbid stuck` is a `forbid`, and an execution that
//! reaches one reaches the other.
//!
//! It is asked about goals that are about waiting, and only by engines that need it. What cannot be stated stays
//! undecided there.

use super::{Below, Pass, PassName, When};
use crate::facts::Stated;
use crate::problem::{Found, Problem};
use crate::program::{Goal, Program};
use crate::verdict::{Defect, Reason, Verdict};

/// The row in the table of passes.
pub(crate) const PREDICATES: Pass = Pass {
    name: PassName::Predicates,
    decide,
};

/// Why an engine that decides predicates does not decide whether threads wait forever.
pub(crate) const NOT_STATED: &str = "whether threads wait forever is decided by `--engine explicit` only here: it depends on what \
     other threads may still do, on where a thread is that waits already, or on a wait that does too much to be a \
     predicate";

fn decide(problem: &Problem<'_>, _: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    if !problem
        .queries
        .iter()
        .any(|&goal| waiting(problem.program, goal).is_some())
    {
        return Ok(None);
    }
    let stated = Stated::of(problem.program);
    let mut found = below(&Problem {
        program: &stated.program,
        ..*problem
    })?;
    for answer in &mut found.answers {
        let is_open = waiting(problem.program, answer.query)
            .is_some_and(|number| stated.open.contains(&number));
        if is_open && matches!(answer.verdict, Verdict::Holds | Verdict::HoldsWithin(_)) {
            answer.verdict = Verdict::Unknown(Reason::Unsupported(NOT_STATED.to_owned()));
        }
    }
    Ok(Some(found))
}

/// The number of the property, if the goal is about threads that wait.
pub(crate) fn waiting(program: &Program, goal: Goal) -> Option<usize> {
    match goal {
        Goal::Property(number) => {
            let kind = program.properties()[number].kind;
            kind.is_about_waiting().then_some(number)
        }
        Goal::Assert(_) | Goal::Outside(_) => None,
    }
}
