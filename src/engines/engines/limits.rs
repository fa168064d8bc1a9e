//! Relates an answer about a program with limits to the program that it was made from.
//!
//! The limited program ends where a value leaves 32 bits. What it reaches, the original reaches
//! too: no value on the way has left 32 bits. What it does not reach, the original does not reach
//! either, provided that the limited program never ends early.

use super::GoalAnswer;
use crate::program::{Goal, Origin, Program};
use crate::reference::Run;
use crate::verdict::{Reason, Verdict};

/// Whether a program reaches one of its limits.
pub(crate) struct Limits {
    /// Violated if a limit is reached, with the origin of that limit.
    verdict: Verdict<Origin>,
    /// The computation that reaches the limit.
    pub(crate) run: Option<Run>,
}

/// The goals that are a program's limits.
pub(crate) fn limits(program: &Program) -> Vec<Goal> {
    program.limits().iter().copied().map(Goal::Assert).collect()
}

impl Limits {
    /// Combines the answers about all limits of a program.
    pub(crate) fn new(program: &Program, answers: Vec<GoalAnswer>) -> Self {
        let verdicts = answers.into_iter().map(|answer| {
            let origin = match answer.goal {
                Goal::Assert(site) | Goal::Outside(site) => program.instruction(site).origin,
                Goal::Property(number) => program.properties()[number].origin,
            };
            answer.verdict.map(|run| (origin, run))
        });
        let mut found = None;
        let verdict = Verdict::all(verdicts).map(|(origin, run)| {
            found = Some(run);
            origin
        });
        Self {
            verdict,
            run: found,
        }
    }

    /// The verdict on the original, given the verdict on the limited program.
    pub(crate) fn apply<W>(&self, verdict: Verdict<W>) -> Verdict<W> {
        match (&verdict, &self.verdict) {
            (Verdict::Violated(_) | Verdict::Unknown(_), _) | (_, Verdict::Holds) => verdict,
            (_, Verdict::Violated(origin)) => Verdict::Unknown(Reason::Overflow(*origin)),
            (_, Verdict::Unknown(reason)) => Verdict::Unknown(reason.clone()),
            (_, Verdict::HoldsWithin(bounds)) => {
                Verdict::all([verdict, Verdict::HoldsWithin(bounds.clone())])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Program, Site};
    use crate::verdict::Bounds;

    fn limited(verdict: Verdict<Run>) -> Limits {
        let text = "thread t { local r; assert(r); }";
        let program: Program = crate::formats::parse(text).program.expect("a program");
        let goal = program.goals()[0];
        assert_eq!(
            goal,
            Goal::Assert(Site {
                thread: 0.into(),
                instr: 0.into()
            })
        );
        Limits::new(&program, vec![GoalAnswer { goal, verdict }])
    }

    #[test]
    fn only_a_violation_survives_a_limit_that_may_be_reached() {
        fn within<W>() -> Verdict<W> {
            Verdict::HoldsWithin(Bounds::default())
        }
        fn stopped<W>() -> Verdict<W> {
            Verdict::Unknown(Reason::Stopped)
        }
        for (at_limits, holds, bounded) in [
            (Verdict::Holds, "holds", "within"),
            (within(), "within", "within"),
            (stopped(), "unknown", "unknown"),
        ] {
            let limits = limited(at_limits);
            assert_eq!(limits.apply::<()>(Verdict::Holds).word(), holds);
            assert_eq!(limits.apply::<()>(within()).word(), bounded);
            assert_eq!(limits.apply(Verdict::Violated(())).word(), "violated");
            assert_eq!(limits.apply::<()>(stopped()).word(), "unknown");
        }
    }
}
