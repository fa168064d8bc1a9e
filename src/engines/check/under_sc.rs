//! A violation, compared with sequential consistency: can it happen without store buffers, too?
//!
//! Fences only remove what store buffers add. So the answer decides what to do next: where the goal
//! cannot be reached under SC, delayed stores are the cause, and enough fences prevent it; where it can,
//! no fence helps.
//!
//! **Bounded:** this only adds to a violation that was found, so the search is short
//! ([`ALLOWED`]).

use super::{CheckOptions, CheckReport, decide_goals};
use crate::check::Engine;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::Run;
use crate::verdict::{Budget, Defect, Reason, Verdict};
use crate::work::{BRIEF, Work};

/// How much it may cost.
const ALLOWED: Work = BRIEF.times(2);

/// Whether the goal can be reached under SC, by a short search: with the options of the check, but
/// with any engine.
///
/// # Errors
///
/// If the reference rejects an engine's evidence.
pub fn check_under_sc(
    program: &Program,
    goal: Goal,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Verdict<Run>, Defect> {
    let options = CheckOptions {
        model: Model::Sc,
        engine: Engine::Auto,
        ..options.clone()
    };
    let brief = ALLOWED.of_all(budget);
    let report = decide_goals(program, &[goal], &options, &brief)?;
    let mut answers = report.answers.into_iter().chain(report.observations);
    let answer = answers.next().map(|answer| answer.verdict);
    Ok(answer.unwrap_or(Verdict::Unknown(Reason::Stopped)))
}

impl CheckReport {
    /// The report with what was [found out](check_under_sc) about its violation under SC.
    #[must_use]
    pub fn compared<W>(self, under_sc: Verdict<W>) -> Self {
        Self {
            under_sc: Some(under_sc.map(|_| ())),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::formats::parse;

    /// The answer for the violation that is found under TSO.
    fn compared(text: &str) -> Verdict<()> {
        let program = parse(text).into_program().expect("it parses");
        let options = CheckOptions::new(Model::Tso);
        let budget = Budget::default();
        let report = check(&program, &options, &budget).expect("no defect");
        assert_eq!(report.under_sc, None);
        let Verdict::Violated((goal, _)) = report.verdict() else {
            panic!("it is violated under TSO: {text}");
        };
        let found = check_under_sc(&program, goal, &options, &budget).expect("no defect");
        report.compared(found).under_sc.expect("it was compared")
    }

    #[test]
    fn what_only_a_delayed_store_can_cause_holds_under_sc() {
        let buffering = "shared x, y;
            thread t0 { local r; x = 1; r = y; }
            thread t1 { local r; y = 1; r = x; }
            final assert t0.r == 1 || t1.r == 1;";
        assert_eq!(compared(buffering), Verdict::Holds);
    }

    #[test]
    fn what_needs_no_delay_is_violated_under_sc() {
        let racy = "shared x, y;
            thread t0 { local r; x = 1; r = y; assert(r == 0); }
            thread t1 { y = 1; }";
        assert_eq!(compared(racy), Verdict::Violated(()));
    }

    #[test]
    fn the_goal_that_was_violated_is_the_one_that_is_compared() {
        // Under SC the second assertion fails, but not the first one.
        let both = "shared x, y;
            thread t0 { local r; x = 1; r = y; }
            thread t1 { local r; y = 1; r = x; }
            final assert t0.r == 1 || t1.r == 1;
            final assert x == 0;";
        let program = parse(both).into_program().expect("it parses");
        let options = CheckOptions::new(Model::Tso);
        let under_sc = |goal| {
            check_under_sc(&program, Goal::Property(goal), &options, &Budget::default())
                .expect("no defect")
                .map(|_| ())
        };
        assert_eq!(under_sc(0), Verdict::Holds);
        assert_eq!(under_sc(1), Verdict::Violated(()));
    }
}
