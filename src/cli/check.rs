//! `fencepost check`: one question a memory model, the worst answer decides the exit code.

mod litmus;

use super::input::{self, Input};
use super::limits::Limits;
use super::{CheckArguments, Exit, Global, core, distinct, output, peak_rss_kib, streams};
use crate::check::{CheckOptions, CheckReport, check};
use crate::explicit::Run;
use crate::report::{Measured, Source, dot, json, text};
use crate::verdict::{Reason, Verdict};
use crate::visible::visible;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &CheckArguments, global: &Global) -> Exit {
    let limits = Limits::new(global);
    let input = match input::read(&arguments.file, global, limits) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let mut worst = Exit::Holds;
    let models = distinct(&arguments.model);
    for (number, model) in models.into_iter().enumerate() {
        if number > 0 && !global.json {
            worst = worst.worst(streams::print("\n"));
        }
        let options = CheckOptions {
            engine: arguments.engine,
            unroll: arguments.unroll,
            extension: arguments.extension,
            solver: global.solver,
            ..CheckOptions::new(model)
        };
        worst = worst.worst(one(&input, &options, arguments, global, limits));
    }
    worst
}

/// Answers for one model.
fn one(
    input: &Arc<Input>,
    options: &CheckOptions,
    arguments: &CheckArguments,
    global: &Global,
    limits: Limits,
) -> Exit {
    let started = Instant::now();
    let (asked, with) = (Arc::clone(input), options.clone());
    let ended = limits.run(move |budget| check(&asked.program, &with, budget));
    let undecided = |reason: &Reason| CheckReport::undecided(&input.program, options, reason);
    let report = match ended.answered(undecided) {
        Ok(report) => report,
        Err(exit) => return exit,
    };
    let measured = Measured {
        seconds: Some(started.elapsed().as_secs_f64()),
        peak_rss_kib: peak_rss_kib(),
    };
    let source = Source {
        file: &input.file,
        text: &input.text,
        format: input.format,
        program: &input.program,
    };
    let states = match &input.litmus {
        Some(test) => match litmus::states(input, test, &report, limits) {
            Ok(states) => Some((test, states)),
            Err(exit) => return exit,
        },
        None => None,
    };
    let answer = states.as_ref().map(|(test, states)| (*test, states));
    let evidence = || {
        let style = streams::style(global);
        text::check(&source, &report, &measured, style)
    };
    let models = distinct(&arguments.model);
    let written = match answer {
        _ if global.json => streams::print_json(json::check(&source, &report, answer, &measured)),
        Some((test, states)) => {
            let shown = litmus::text(&source, test, states, &models, report.model, global);
            if global.verbose || litmus::goes_astray(&report) {
                streams::print(&format!("{}\n{}", visible(&shown), evidence()))
            } else {
                streams::show(&shown)
            }
        }
        None => streams::print(&evidence()),
    };
    let alone = exit(&report, arguments);
    let decided = answer.map_or(alone, |(test, states)| {
        litmus::exit(test, states, &report, alone)
    });
    let drawn = draw_cycle(&source, &report, arguments);
    let core = core::write(arguments.litmus.as_deref(), &source, shown_run(&report));
    written.worst(drawn).worst(core).worst(decided)
}

/// The run that the report shows: of the violation, or else of the first observation.
fn shown_run(report: &CheckReport) -> Option<&Run> {
    if let Verdict::Violated((_, run)) = report.verdict() {
        return Some(run);
    }
    let mut observed = report.observations.iter();
    observed.find_map(|answer| match &answer.verdict {
        Verdict::Violated(run) => Some(run),
        Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    })
}

fn exit(report: &CheckReport, arguments: &CheckArguments) -> Exit {
    match report.verdict() {
        Verdict::Holds => Exit::Holds,
        Verdict::HoldsWithin(_) if arguments.accept_bounded => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => Exit::Undecided,
    }
}

/// Writes the cycle where the user asked for it, if there is one.
fn draw_cycle(source: &Source<'_>, report: &CheckReport, arguments: &CheckArguments) -> Exit {
    let Some(path) = &arguments.cycle else {
        return Exit::Holds;
    };
    let Verdict::Violated((_, run)) = report.verdict() else {
        streams::complain("no cycle was written: there is no violation");
        return Exit::Holds;
    };
    let Some(drawing) = dot::cycle(source, run) else {
        streams::complain("no cycle was written: the violation has none");
        return Exit::Holds;
    };
    output::write(path, &drawing)
}
