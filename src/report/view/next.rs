//! The next step that a result suggests, and its wording.

use super::FencesView;
use crate::check::CheckReport;
use crate::fences::{Obstacle, Outcome};
use crate::formats::Format;
use crate::model::Model;
use crate::program::{Aim, Goal};
use crate::reference::Run;
use crate::report::evidence;
use crate::robustness::RobustReport;
use crate::verdict::{Reason, Verdict};

/// A next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::report) enum NextStep {
    /// None: the program fails under sequential consistency, too.
    WrongWithoutWeakMemory,
    /// Fences that preserve the properties.
    FencesForAssertions,
    /// Fences that make the program robust, or a check of its properties.
    FencesForRobustness,
    /// The same where the properties hold as it is.
    FencesAllTheSame,
    /// A larger loop bound, for this command.
    Unroll(&'static str, u32),
    /// The engines that model every buffer.
    OtherEngines,
    /// A property to check, as one is written in this format.
    StateProperties(Format),
    MoreTime,
    MoreMemory,
    FewerStates,
    /// Robustness itself instead of triangular races.
    DecideRobustness,
    /// Fences with a larger loop bound, or accepting the bounded result.
    UnrollOrAccept,
    /// Showing or writing the change.
    ShowOrWrite,
    /// Writing the change that is shown.
    Write,
    /// Checking the written file, with the command for this aim.
    CheckWritten(String, Aim),
    /// The failure under sequential consistency.
    CheckUnderSc,
    /// New fences, in addition to the program's own.
    WithoutMinimise,
}

impl NextStep {
    /// The step as a sentence about this file and model.
    pub(in crate::report) fn words(&self, file: &str, model: Model) -> String {
        let model = model.name();
        match self {
            NextStep::WrongWithoutWeakMemory => {
                "no fence can prevent this: the execution reorders nothing and is possible under \
                 sequential consistency too."
                    .to_owned()
            }
            NextStep::FencesForAssertions => format!(
                "run `fencepost fence {file} --model {model} --for assertions` to find the cheapest \
                 fences that prevent this."
            ),
            NextStep::FencesForRobustness => format!(
                "run `fencepost fence {file} --model {model}` to find the cheapest fences that \
                 prevent this, or `fencepost check {file} --model {model}` to see whether the \
                 program's own properties can fail."
            ),
            NextStep::FencesAllTheSame => format!(
                "run `fencepost fence {file} --model {model}` to find the cheapest fences that prevent this, if more \
                 matters than the program's properties say."
            ),
            NextStep::Unroll(command, unroll) => format!(
                "run `fencepost {command} {file} --model {model} --unroll {unroll}` to unroll loops \
                 further, or use `--engine explicit`, which needs no bound if the state space is \
                 finite."
            ),
            NextStep::OtherEngines => format!(
                "run `fencepost check {file} --model {model} --engine auto` to try the engines that \
                 model every buffer, too."
            ),
            NextStep::StateProperties(format) => {
                let property = match format {
                    Format::Fence | Format::Trencher => "add a property (`forbid` or `assert`)",
                    Format::Litmus | Format::LitmusC => "add a final condition (`exists` or `forall`)",
                    Format::C => "add an `assert(…)`, or `--forbid-stuck` to look for threads that wait forever",
                    Format::Rust => "add an `assert!(…)`, or `--forbid-stuck` to look for threads that wait forever",
                };
                format!("{property}, or run `fencepost robust {file}`, which needs no property.")
            }
            NextStep::MoreTime => {
                "allow more time with `--timeout`, or use fewer threads.".to_owned()
            }
            NextStep::MoreMemory => {
                "allow more memory with `--memory`, or use fewer threads or smaller arrays."
                    .to_owned()
            }
            NextStep::FewerStates => {
                "use fewer threads, smaller data, or `--engine bmc`, which does not enumerate states."
                    .to_owned()
            }
            NextStep::DecideRobustness => format!(
                "run `fencepost robust {file} --model {model}` to decide whether the program is \
                 robust."
            ),
            NextStep::UnrollOrAccept => {
                "run it again with a larger `--unroll`, or pass `--accept-bounded` to treat this as \
                 success."
                    .to_owned()
            }
            NextStep::ShowOrWrite => {
                "add `--diff` to see the change, or `--write OUT` to make it.".to_owned()
            }
            NextStep::Write => "add `--write OUT` to make the change below.".to_owned(),
            NextStep::CheckWritten(out, Aim::Robustness) => {
                format!("run `fencepost robust {out} --model {model}` to check the new file.")
            }
            NextStep::CheckWritten(out, Aim::Assertions) => {
                format!("run `fencepost check {out} --model {model}` to check the new file.")
            }
            NextStep::CheckUnderSc => {
                format!("run `fencepost check {file} --model sc` to see the bug without weak memory.")
            }
            NextStep::WithoutMinimise => {
                "omit `--minimise` to look for places for more fences.".to_owned()
            }
        }
    }

    /// The step that may lead to an answer, given the reason why there is none.
    fn against(reason: &Reason) -> Option<Self> {
        match reason {
            Reason::Stopped | Reason::Time(_) => Some(NextStep::MoreTime),
            Reason::Memory(_) => Some(NextStep::MoreMemory),
            Reason::StateBudget(_) => Some(NextStep::FewerStates),
            Reason::Interrupted
            | Reason::Decided(_)
            | Reason::Copies(_)
            | Reason::Unsupported(_)
            | Reason::Overflow(_) => None,
        }
    }
}

/// The step after a check.
pub(super) fn check(
    report: &CheckReport,
    verdict: &Verdict<(Goal, &Run)>,
    format: Format,
) -> Option<NextStep> {
    match verdict {
        Verdict::Violated((_, run)) => after_violation(report, run),
        Verdict::HoldsWithin(_) => {
            let times = report.unroll;
            let times = times.map_or(8, |times| times.saturating_mul(2).max(1));
            Some(NextStep::Unroll("check", times))
        }
        Verdict::Unknown(Reason::Unsupported(_)) if report.history.is_some() => {
            Some(NextStep::OtherEngines)
        }
        Verdict::Unknown(reason) => NextStep::against(reason),
        Verdict::Holds if report.checks_nothing() => Some(NextStep::StateProperties(format)),
        Verdict::Holds => None,
    }
}

/// The step after a violation: fences, unless they cannot prevent it.
fn after_violation(report: &CheckReport, run: &Run) -> Option<NextStep> {
    let reorders = evidence::cycle(run).is_some();
    match (report.model, &report.under_sc) {
        (Model::Sc, _) => Some(NextStep::WrongWithoutWeakMemory),
        // The report has said so, and an execution without reordering is one under SC.
        (_, Some(Verdict::Violated(()))) => reorders.then_some(NextStep::CheckUnderSc),
        (_, Some(Verdict::Holds)) => Some(NextStep::FencesForAssertions),
        (_, Some(Verdict::HoldsWithin(_) | Verdict::Unknown(_)) | None) if reorders => {
            Some(NextStep::FencesForAssertions)
        }
        (_, Some(Verdict::HoldsWithin(_) | Verdict::Unknown(_)) | None) => {
            Some(NextStep::WrongWithoutWeakMemory)
        }
    }
}

/// The step after `robust`.
pub(super) fn robust(report: &RobustReport, verdict: &Verdict<&Run>) -> Option<NextStep> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Violated(_) if report.harmless => Some(NextStep::FencesAllTheSame),
        Verdict::Violated(_) => Some(NextStep::FencesForRobustness),
        Verdict::HoldsWithin(_) => {
            let times = report.unroll.map_or(8, |times| times.saturating_mul(2));
            Some(NextStep::Unroll("robust", times.max(1)))
        }
        Verdict::Unknown(reason) => NextStep::against(reason),
    }
}

/// The step after `fence`.
pub(super) fn fences(view: &FencesView<'_>) -> Option<NextStep> {
    let (report, arguments) = (view.report, view.common.source.arguments);
    match &report.outcome {
        Outcome::Found(found) if found.bounds.is_some() => Some(NextStep::UnrollOrAccept),
        Outcome::Found(_) => {
            let changes = if report.minimise {
                !view.removable.is_empty()
            } else {
                !view.set.is_empty()
            };
            match (view.repair.diff, view.repair.written) {
                _ if !changes => None,
                (None, []) => Some(NextStep::ShowOrWrite),
                (Some(_), []) => Some(NextStep::Write),
                (_, [out]) if out == "-" => None,
                (_, _) if view.repair.in_place && !arguments.is_empty() => {
                    Some(NextStep::CheckWritten(arguments.to_owned(), report.aim))
                }
                (_, [out, ..]) => Some(NextStep::CheckWritten(out.clone(), report.aim)),
            }
        }
        Outcome::Impossible {
            obstacle: Obstacle::Sequential,
            ..
        } => Some(NextStep::CheckUnderSc),
        Outcome::Impossible { .. } if report.minimise => Some(NextStep::WithoutMinimise),
        Outcome::Impossible { .. } => None,
        // `fence` has no option for the number of states.
        Outcome::Undecided(Reason::StateBudget(_)) => Some(NextStep::MoreTime),
        Outcome::Undecided(reason) => NextStep::against(reason),
    }
}
