//! `fencepost check` of a litmus test: its final states, before our own evidence.
//!
//! The states come from the step-by-step reference, the verdict from the engine that was asked. Where
//! both know the answer they must agree; where one knows it, that is the answer: a property that is
//! proved needs no list of states, and a list that is complete needs no proof.

use super::super::input::Input;
use super::super::limits::{Ended, Limits};
use super::super::reasons::Stoppable as _;
use super::super::{Exit, Global, streams};
use crate::check::CheckReport;
use crate::explicit::explore;
use crate::model::Model;
use crate::program::Goal;
use crate::report::{FinalStates, Source, litmus};
use crate::syntax::{LitmusTest, Quantifier};
use crate::verdict::Verdict;
use std::sync::Arc;

/// So many configurations are visited for the list of final states. It comes on top of a verdict,
/// so it must not take longer than people wait for a list.
const MOST_CONFIGURATIONS: usize = 60_000;

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
    // Threads that leave shared memory end in no final state: the engine is asked of more then.
    let told = condition(report, test.quantifier).filter(|_| !goes_astray(report));
    if let (Some(a), Some(b)) = (told, states.decided(test.quantifier))
        && a != b
    {
        streams::complain(
            "internal error: the engine and the final states disagree. No verdict. Please report \
             this with the input.",
        );
        return Err(Exit::Internal);
    }
    Ok(states.with_answer(told))
}

/// The states as text; the one line that says most where the user wants little, with the model
/// behind it where there are several.
pub(super) fn text(
    source: &Source<'_>,
    test: &LitmusTest,
    states: &FinalStates,
    models: &[Model],
    model: Model,
    global: &Global,
) -> String {
    match (global.quiet, models) {
        (false, _) => litmus(source.program, test, states, model),
        (true, [] | [_]) => states.sentence(test),
        (true, _) => format!("{}Model {model}\n", states.sentence(test)),
    }
}

/// What the answer means for the exit code, given what the report alone means for it. What is missing
/// in the list, and that there is nothing in it, is said.
pub(super) fn exit(
    test: &LitmusTest,
    states: &FinalStates,
    report: &CheckReport,
    alone: Exit,
) -> Exit {
    let (name, model) = (&test.name, report.model);
    match states.incomplete() {
        Some(reason) => streams::complain(&format!(
            "not all final states of `{name}` under {model} are known: {reason}"
        )),
        None if states.count() == 0 => {
            let none = match test.filter {
                None => format!("no execution of `{name}` ends under {model}"),
                Some(_) => format!("no final state of `{name}` under {model} passes its filter"),
            };
            streams::complain(&format!("warning: {none}: its condition says nothing"));
        }
        None => {}
    }
    if goes_astray(report) {
        return match states.incomplete() {
            None => alone,
            Some(_) => alone.worst(Exit::Undecided),
        };
    }
    match (test.quantifier, states.holds(test.quantifier)) {
        (_, None) => alone.worst(Exit::Undecided),
        (Quantifier::Exists, Some(_)) | (_, Some(true)) => Exit::Holds,
        (Quantifier::NotExists | Quantifier::ForAll, Some(false)) => Exit::Violated,
    }
}

fn enumerate(
    input: &Arc<Input>,
    test: &LitmusTest,
    model: Model,
    limits: Limits,
) -> Result<FinalStates, Exit> {
    let asked = Arc::clone(input);
    match limits.run(move |budget| {
        explore(
            &asked.program,
            model,
            &budget.with_states(MOST_CONFIGURATIONS),
        )
    }) {
        Ended::Answered(exploration) => Ok(FinalStates::new(test, &exploration)),
        Ended::Stopped(mut exploration, reason) => {
            exploration.incomplete.stopped_by(&reason);
            Ok(FinalStates::new(test, &exploration))
        }
        Ended::Abandoned(reason) => Ok(FinalStates::unknown(reason)),
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
