//! What people read: the verdict in one sentence, the evidence in the user's own lines, what next.
//!
//! ```text
//! Violated under TSO: `forbid t0@critical && t1@critical;` (line 33) is reached, after 12 steps.
//!
//!      t0                          t1                          in the buffers
//!  1   16: flag0 = 1;                                          t0: flag0=1
//!  …
//! ```
//!
//! **Invariant.** A bounded "no" is never worded as a proof, and a row is never shown that the
//! reference has not replayed.

mod fences;
mod races;
mod robust;
mod story;

pub use fences::fences;
pub use races::races;
pub use robust::robust;

use super::paper::{Color, Paper, word_color};
use super::{Detail, Measured, Source, Style, evidence};
use crate::check::CheckReport;
use crate::explicit::Run;
use crate::model::Model;
use crate::program::Goal;
use crate::verdict::{Bounds, Reason, Verdict};

/// The report on a check, each line ended.
pub fn check(
    source: &Source<'_>,
    report: &CheckReport,
    measured: &Measured,
    style: Style,
) -> String {
    let mut out = Paper::new(style);
    let verdict = report.verdict();
    // Where only observations are asked for and all were decided, they are the answer.
    let only_observations = report.answers.is_empty() && !report.observations.is_empty();
    if !only_observations || !matches!(verdict, Verdict::Holds) {
        let sentence = verdict_sentence(source, report, &verdict);
        out.sentence(&sentence, word_color(&verdict));
    }
    observations(&mut out, source, report);
    if style.detail == Detail::Verdict {
        return out.finish();
    }
    if let Verdict::Violated((goal, run)) = &verdict {
        out.run(source, Some(*goal), run);
    } else {
        for observation in &report.observations {
            if let Verdict::Violated(run) = &observation.verdict {
                out.run(source, Some(observation.goal), run);
            }
        }
    }
    if let Some(run) = &report.overflow {
        out.run(source, None, run);
    }
    if let Some(told) = &report.story {
        story::story(&mut out, source, told);
    }
    if let Some(vacuity) = &report.vacuity {
        out.vacuity(source, vacuity);
    }
    if let Some(next) = next_step(source, report, &verdict) {
        out.blank();
        out.paragraph(&format!("Next: {next}"));
    }
    if style.detail == Detail::Everything {
        out.figures(report.engine, &report.stats, measured);
    }
    out.finish()
}

fn verdict_sentence(
    source: &Source<'_>,
    report: &CheckReport,
    verdict: &Verdict<(Goal, &Run)>,
) -> String {
    let model = report.model;
    match verdict {
        Verdict::Violated((goal, run)) => {
            let steps = counted(run.moments.len() as u64, "step");
            let reached = source.goal_reached(*goal);
            format!("Violated under {model}: {reached}, after {steps}.")
        }
        Verdict::Holds if report.answers.is_empty() => format!(
            "Nothing to check under {model}: the program has no assertion, no forbidden state and no \
             address that could lie outside shared memory."
        ),
        Verdict::Holds => {
            let goals = counted(report.answers.len() as u64, "goal");
            let states = report.stats.states.map(|states| counted(states, "state"));
            let effort: Vec<String> = [Some(goals), states].into_iter().flatten().collect();
            format!(
                "Holds under {model}, for all executions ({}).",
                effort.join(", ")
            )
        }
        Verdict::HoldsWithin(bounds) => format!(
            "No violation found under {model}, within bounds: {}. This is not a proof.",
            bounds_words(source, bounds, report.unroll)
        ),
        Verdict::Unknown(reason) => {
            let open = report
                .answers
                .iter()
                .chain(&report.observations)
                .filter(|answer| matches!(answer.verdict, Verdict::Unknown(_)))
                .count();
            let all = report.answers.len() + report.observations.len();
            let share = if open == all {
                String::new()
            } else {
                format!(" ({open} of {all} goals are open)")
            };
            format!("Undecided under {model}{share}: {}.", source.why(reason))
        }
    }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn bounds_words(source: &Source<'_>, bounds: &Bounds, unroll: Option<u32>) -> String {
    let loops: Vec<String> = bounds
        .loops
        .iter()
        .map(|cut| {
            let thread = source.program.thread(cut.thread);
            let place = if cut.origin.line == 0 {
                format!("at {}", thread.location(cut.head).name)
            } else {
                format!("in line {}", cut.origin.line)
            };
            let times = counted(cut.iterations.into(), "time");
            format!("the loop {place} of {} was followed {times}", thread.name())
        })
        .collect();
    match (loops.is_empty(), unroll) {
        (false, _) => loops.join(", "),
        (true, Some(times)) => format!("loops were followed {times} times"),
        (true, None) => "loops were cut".to_owned(),
    }
}

/// What helps where memory was short.
const MORE_MEMORY: &str =
    "give it more memory with `--memory`, or use fewer threads or smaller arrays.";

fn next_step(
    source: &Source<'_>,
    report: &CheckReport,
    verdict: &Verdict<(Goal, &Run)>,
) -> Option<String> {
    let file = source.file;
    match verdict {
        Verdict::Violated((_, run))
            if report.model == Model::Sc || evidence::cycle(run).is_none() =>
        {
            Some(
                "no fence repairs this: the run reorders nothing and happens under sequential \
                 consistency too."
                    .to_owned(),
            )
        }
        Verdict::Violated(_) => Some(format!(
            "`fencepost fence {file} --model {} --for assertions` finds the cheapest fences against \
             this, or tells that none help.",
            report.model.name(),
        )),
        Verdict::HoldsWithin(_) => Some(format!(
            "`fencepost check {file} --model {} --unroll {}` follows loops further, and \
             `--engine explicit` decides them where data are finite.",
            report.model.name(),
            report
                .unroll
                .map_or(8, |times| times.saturating_mul(2).max(1)),
        )),
        Verdict::Unknown(Reason::Stopped) => {
            Some("give it more time with `--timeout`, or ask fewer threads.".to_owned())
        }
        Verdict::Unknown(Reason::Memory(_)) => Some(MORE_MEMORY.to_owned()),
        Verdict::Unknown(Reason::StateBudget(_)) => Some(
            "fewer threads, smaller data or `--engine bmc`, which does not count states."
                .to_owned(),
        ),
        Verdict::Unknown(Reason::Unsupported(_)) if report.story.is_some() => Some(format!(
            "`fencepost check {file} --model {} --engine auto` asks the engines that model every \
             buffer, too.",
            report.model.name(),
        )),
        Verdict::Holds if report.answers.is_empty() && report.observations.is_empty() => {
            Some(format!(
                "state what must not happen, as `forbid` or `assert`, or ask `fencepost robust {file}`, \
                 which needs no property."
            ))
        }
        Verdict::Unknown(Reason::Unsupported(_) | Reason::Overflow(_)) | Verdict::Holds => None,
    }
}

fn observations(out: &mut Paper, source: &Source<'_>, report: &CheckReport) {
    for observation in &report.observations {
        let Goal::Property(index) = observation.goal else {
            continue;
        };
        let origin = source.goal_origin(observation.goal);
        let quoted = source
            .quote(origin)
            .unwrap_or_else(|| source.property(index));
        let model = report.model;
        let text = match &observation.verdict {
            Verdict::Violated(_) => format!("Observed under {model}: `{quoted}`"),
            Verdict::Holds => format!("Never observed under {model}: `{quoted}`"),
            Verdict::HoldsWithin(_) => {
                format!("Not observed within bounds under {model}: `{quoted}`")
            }
            Verdict::Unknown(_) => format!("Undecided under {model}: `{quoted}`"),
        };
        out.sentence(&text, Color::Heading);
    }
}
