//! What the user may do next: which step it is, and what it is called.

use super::FencesView;
use crate::check::CheckReport;
use crate::explicit::Run;
use crate::fences::{Obstacle, Outcome};
use crate::model::Model;
use crate::program::{Aim, Goal};
use crate::report::evidence;
use crate::robustness::RobustReport;
use crate::verdict::{Reason, Verdict};

/// A step that helps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::report) enum NextStep {
    /// None: it is wrong without weak memory.
    WrongWithoutWeakMemory,
    /// Fences that keep the properties.
    FencesForAssertions,
    /// Fences that make the program robust; or a look at its properties.
    FencesForRobustness,
    /// Loops followed further, by this command.
    FollowFurther(&'static str, u32),
    /// The engines that model every buffer.
    OtherEngines,
    /// Something to check.
    StateProperties,
    MoreTime,
    MoreMemory,
    FewerStates,
    /// Robustness itself, instead of races.
    DecideRobustness,
    /// Fences, checked with loops followed further.
    FollowFurtherOrAccept,
    /// A look at the change, or making it.
    ShowOrWrite,
    /// Making the change that is shown.
    Write,
    /// A look at what was written, by the command for this aim.
    LookAt(String, Aim),
    /// A look at what is wrong without weak memory.
    CheckUnderSc,
    /// Places for more fences.
    WithoutMinimise,
}

impl NextStep {
    /// The step as a sentence, given the file that was asked about and the model.
    pub(in crate::report) fn words(&self, file: &str, model: Model) -> String {
        let model = model.name();
        match self {
            NextStep::WrongWithoutWeakMemory => {
                "no fence repairs this: the run reorders nothing and happens under sequential \
                 consistency too."
                    .to_owned()
            }
            NextStep::FencesForAssertions => format!(
                "`fencepost fence {file} --model {model} --for assertions` finds the cheapest fences \
                 against this, or reports that none helps."
            ),
            NextStep::FencesForRobustness => format!(
                "`fencepost fence {file} --model {model}` finds the cheapest fences against this; \
                 `fencepost check {file} --model {model}` tells whether the program's own \
                 properties are at stake."
            ),
            NextStep::FollowFurther(command, unroll) => format!(
                "`fencepost {command} {file} --model {model} --unroll {unroll}` follows loops \
                 further, and `--engine explicit` decides them where data are finite."
            ),
            NextStep::OtherEngines => format!(
                "`fencepost check {file} --model {model} --engine auto` asks the engines that model \
                 every buffer, too."
            ),
            NextStep::StateProperties => format!(
                "state what must not happen, as `forbid` or `assert`, or ask `fencepost robust \
                 {file}`, which needs no property."
            ),
            NextStep::MoreTime => {
                "give it more time with `--timeout`, or ask fewer threads.".to_owned()
            }
            NextStep::MoreMemory => {
                "give it more memory with `--memory`, or use fewer threads or smaller arrays."
                    .to_owned()
            }
            NextStep::FewerStates => {
                "fewer threads, smaller data or `--engine bmc`, which does not count states."
                    .to_owned()
            }
            NextStep::DecideRobustness => format!(
                "`fencepost robust {file} --model {model}` decides whether weak memory adds any \
                 behaviour."
            ),
            NextStep::FollowFurtherOrAccept => {
                "the same with a larger `--unroll` follows loops further; `--accept-bounded` takes \
                 this for an answer."
                    .to_owned()
            }
            NextStep::ShowOrWrite => {
                "the same with `--diff` shows the change, `--write OUT` makes it.".to_owned()
            }
            NextStep::Write => "`--write OUT` makes the change below.".to_owned(),
            NextStep::LookAt(out, Aim::Robustness) => {
                format!("`fencepost robust {out} --model {model}` looks at what was written.")
            }
            NextStep::LookAt(out, Aim::Assertions) => {
                format!("`fencepost check {out} --model {model}` looks at what was written.")
            }
            NextStep::CheckUnderSc => {
                format!("`fencepost check {file} --model sc` shows the bug without weak memory.")
            }
            NextStep::WithoutMinimise => {
                "without `--minimise`, places for more fences are looked for.".to_owned()
            }
        }
    }

    /// What helps where there is no answer for this reason, if anything does.
    fn against(reason: &Reason) -> Option<Self> {
        match reason {
            Reason::Stopped => Some(NextStep::MoreTime),
            Reason::Memory(_) => Some(NextStep::MoreMemory),
            Reason::StateBudget(_) => Some(NextStep::FewerStates),
            Reason::Decided(_) | Reason::Unsupported(_) | Reason::Overflow(_) => None,
        }
    }
}

/// The step after a check.
pub(super) fn check(report: &CheckReport, verdict: &Verdict<(Goal, &Run)>) -> Option<NextStep> {
    match verdict {
        Verdict::Violated((_, run)) => Some(match report.model {
            Model::Sc => NextStep::WrongWithoutWeakMemory,
            Model::Tso | Model::Pso | Model::Pgas if evidence::cycle(run).is_none() => {
                NextStep::WrongWithoutWeakMemory
            }
            Model::Tso | Model::Pso | Model::Pgas => NextStep::FencesForAssertions,
        }),
        Verdict::HoldsWithin(_) => {
            let times = report.unroll;
            let times = times.map_or(8, |times| times.saturating_mul(2).max(1));
            Some(NextStep::FollowFurther("check", times))
        }
        Verdict::Unknown(Reason::Unsupported(_)) if report.story.is_some() => {
            Some(NextStep::OtherEngines)
        }
        Verdict::Unknown(reason) => NextStep::against(reason),
        Verdict::Holds if report.answers.is_empty() && report.observations.is_empty() => {
            Some(NextStep::StateProperties)
        }
        Verdict::Holds => None,
    }
}

/// The step after robustness was asked.
pub(super) fn robust(report: &RobustReport, verdict: &Verdict<&Run>) -> Option<NextStep> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Violated(_) => Some(NextStep::FencesForRobustness),
        Verdict::HoldsWithin(_) => {
            let times = report.unroll.map_or(8, |times| times.saturating_mul(2));
            Some(NextStep::FollowFurther("robust", times.max(1)))
        }
        Verdict::Unknown(reason) => NextStep::against(reason),
    }
}

/// The step after fences were asked for.
pub(super) fn fences(view: &FencesView<'_>) -> Option<NextStep> {
    let report = view.report;
    match &report.outcome {
        Outcome::Found(found) if found.bounds.is_some() => Some(NextStep::FollowFurtherOrAccept),
        Outcome::Found(found) => {
            let changes = if report.minimise {
                !view.removable.is_empty()
            } else {
                !found.sets[0].is_empty()
            };
            match (view.repair.diff, view.repair.written) {
                _ if !changes => None,
                (None, None) => Some(NextStep::ShowOrWrite),
                (Some(_), None) => Some(NextStep::Write),
                (_, Some("-")) => None,
                (_, Some(out)) => Some(NextStep::LookAt(out.to_owned(), report.aim)),
            }
        }
        Outcome::Impossible {
            obstacle: Obstacle::Sequential,
            ..
        } => Some(NextStep::CheckUnderSc),
        Outcome::Impossible { .. } if report.minimise => Some(NextStep::WithoutMinimise),
        Outcome::Impossible { .. } => None,
        // How many configurations are visited is not for the user to say here.
        Outcome::Undecided(Reason::StateBudget(_)) => Some(NextStep::MoreTime),
        Outcome::Undecided(reason) => NextStep::against(reason),
    }
}
