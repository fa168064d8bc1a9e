//! `fencepost check` of a litmus test: its final states, before our own evidence.
//!
//! The states come from the step-by-step reference, the verdict from the engine that was asked. Where
//! both know the answer they must agree.

use super::super::input::Input;
use super::super::limits::{Ended, Limits};
use super::super::{Exit, Global, streams};
use crate::check::CheckReport;
use crate::explicit::explore;
use crate::model::Model;
use crate::program::Goal;
use crate::report::{FinalStates, Source, litmus};
use crate::syntax::{LitmusTest, Quantifier};
use crate::verdict::{Reason, Verdict};
use std::sync::Arc;

/// The final states of a test, given the report on its goals.
///
/// # Errors
///
/// [`Exit::Internal`] if they are not what the report says, which is then said.
pub(super) fn states(
    input: &Arc<Input>,
    test: &LitmusTest,
    report: &CheckReport,
    limits: Limits,
) -> Result<FinalStates, Exit> {
    let states = enumerate(input, test, report.model, limits)?;
    let decided = condition(report, test.quantifier);
    if let (Some(a), Some(b)) = (decided, states.holds(test.quantifier))
        && a != b
        && !goes_astray(report)
    {
        streams::complain(
            "internal error: the engine and the final states disagree. No verdict. Please report \
             this with the input.",
        );
        return Err(Exit::Internal);
    }
    Ok(states)
}

/// The states as text; the one line that says most where the user wants little.
pub(super) fn text(
    source: &Source<'_>,
    test: &LitmusTest,
    states: &FinalStates,
    model: Model,
    global: &Global,
) -> String {
    if global.quiet {
        states.sentence(test)
    } else {
        litmus(source.program, test, states, model)
    }
}

/// What the states mean for the exit code. That some may be missing is said.
pub(super) fn exit(test: &LitmusTest, states: &FinalStates, model: Model) -> Exit {
    match states.incomplete() {
        None => Exit::Holds,
        Some(reason) => {
            streams::complain(&format!(
                "not all final states of `{}` under {model} are known: {reason}",
                test.name
            ));
            Exit::Undecided
        }
    }
}

fn enumerate(
    input: &Arc<Input>,
    test: &LitmusTest,
    model: Model,
    limits: Limits,
) -> Result<FinalStates, Exit> {
    let asked = Arc::clone(input);
    match limits.run(move |budget| explore(&asked.program, model, budget)) {
        Ended::Answered(exploration) => Ok(FinalStates::new(test, &exploration)),
        Ended::Abandoned => Ok(FinalStates::unknown(Reason::Stopped)),
        Ended::Panicked => Err(Exit::Internal),
    }
}

/// Whether some access may leave shared memory: then threads stop there, in no final state, and the
/// evidence behind the verdict has to be shown, because the states do not tell it.
pub(super) fn goes_astray(report: &CheckReport) -> bool {
    report.answers.iter().any(|answer| match answer.goal {
        Goal::Outside(_) | Goal::Assert(_) => !matches!(answer.verdict, Verdict::Holds),
        Goal::Property(_) => false,
    })
}

/// Whether the condition holds, by the engine's answer.
fn condition(report: &CheckReport, quantifier: Quantifier) -> Option<bool> {
    let answers = report.answers.iter().chain(&report.observations);
    let mut property = answers.filter(|answer| matches!(answer.goal, Goal::Property(_)));
    let reached = match property.next()?.verdict {
        Verdict::Holds => false,
        Verdict::Violated(_) => true,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => return None,
    };
    Some(match quantifier {
        Quantifier::Exists => reached,
        Quantifier::NotExists | Quantifier::ForAll => !reached,
    })
}
