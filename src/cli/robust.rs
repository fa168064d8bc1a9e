//! `fencepost robust`: does weak memory add any behaviour?

use super::input::{self, Input};
use super::limits::Limits;
use super::{Exit, Global, Notion, RobustArguments, core, distinct, output, peak_rss_kib, streams};
use crate::check::Engine;
use crate::check::Until;
use crate::model::Model;
use crate::report::{Measured, Source, dot, json, text};
use crate::robustness::{
    Method, RaceReport, RobustOptions, RobustReport, load_bearing, robust, triangular,
};
use crate::verdict::{Defect, Reason, Verdict};
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &RobustArguments, global: &Global) -> Exit {
    if let Some(message) = contradiction(arguments) {
        streams::complain(message);
        return Exit::Usage;
    }
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
        let answer = match arguments.notion {
            Notion::Trace => one,
            Notion::Trf => races,
        };
        worst = worst.worst(answer(&input, model, arguments, global, limits));
    }
    worst
}

/// Why these arguments ask for nothing, whatever the program, if they do.
fn contradiction(arguments: &RobustArguments) -> Option<&'static str> {
    let RobustArguments { method, engine, .. } = arguments;
    if arguments.notion == Notion::Trf {
        return None;
    }
    if *method == Method::Direct && *engine == Engine::Explicit {
        return Some(
            "`--method direct` searches formulas and has no `--engine explicit`; `--method \
             locality` has",
        );
    }
    if *method == Method::Singularity && arguments.model.contains(&Model::Tso) {
        return Some(
            "`--method singularity` is for PSO and PGAS: one delayed store is not enough under \
             `--model tso`; `--method locality` is for all models",
        );
    }
    None
}

fn options(model: Model, arguments: &RobustArguments, global: &Global) -> RobustOptions {
    RobustOptions {
        method: arguments.method,
        engine: arguments.engine,
        unroll: arguments.unroll,
        solver: global.solver,
        reduction: arguments.reduction,
        until: if arguments.first {
            Until::Violated
        } else {
            Until::AllAnswered
        },
        shard: arguments.shard.map(|shard| (shard.index - 1, shard.of)),
        ..RobustOptions::new(model)
    }
}

/// Looks for triangular races under one model.
fn races(
    input: &Arc<Input>,
    model: Model,
    arguments: &RobustArguments,
    global: &Global,
    limits: Limits,
) -> Exit {
    let started = Instant::now();
    let (asked, with) = (Arc::clone(input), options(model, arguments, global));
    let ended = limits.run(move |budget| triangular(&asked.program, &with, budget));
    let report = match ended.answered(|reason| RaceReport::undecided(model, reason.clone())) {
        Ok(report) => report,
        Err(exit) => return exit,
    };
    let measured = measured(started);
    let source = source(input);
    let written = if global.json {
        streams::print_json(json::races(&source, &report, &measured))
    } else {
        let style = streams::style(global);
        streams::print(&text::races(&source, &report, &measured, style))
    };
    written.worst(exit(&report.verdict(), arguments))
}

fn measured(started: Instant) -> Measured {
    Measured {
        seconds: Some(started.elapsed().as_secs_f64()),
        peak_rss_kib: peak_rss_kib(),
    }
}

fn source(input: &Input) -> Source<'_> {
    Source {
        file: &input.file,
        text: &input.text,
        format: input.format,
        program: &input.program,
    }
}

/// Answers for one model.
fn one(
    input: &Arc<Input>,
    model: Model,
    arguments: &RobustArguments,
    global: &Global,
    limits: Limits,
) -> Exit {
    let options = options(model, arguments, global);
    let started = Instant::now();
    let (asked, with) = (Arc::clone(input), options.clone());
    // A part of the attacks decides nothing that could rest on something.
    let explains = !global.quiet && options.shard.is_none();
    let ended = limits.run(move |budget| {
        let mut report = robust(&asked.program, &with, budget)?;
        if explains && report.verdict() == Verdict::Holds && report.by_definition.is_none() {
            report.load_bearing = load_bearing(&asked.program, &with, budget)?;
        }
        Ok::<_, Defect>(report)
    });
    let undecided = |reason: &Reason| RobustReport::undecided(&input.program, &options, reason);
    let report = match ended.answered(undecided) {
        Ok(report) => report,
        Err(exit) => return exit,
    };
    let (measured, source) = (measured(started), source(input));
    let written = if global.json {
        streams::print_json(json::robust(&source, &report, &measured))
    } else {
        let style = streams::style(global);
        streams::print(&text::robust(&source, &report, &measured, style))
    };
    let drawn = draw(&source, &report, arguments);
    let verdict = report.verdict();
    let run = match &verdict {
        Verdict::Violated(run) => Some(&**run),
        Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    };
    let core = core::write(arguments.litmus.as_deref(), &source, run);
    written
        .worst(drawn)
        .worst(core)
        .worst(exit(&report.verdict(), arguments))
}

fn exit<W>(verdict: &Verdict<W>, arguments: &RobustArguments) -> Exit {
    match verdict {
        Verdict::Holds => Exit::Holds,
        Verdict::HoldsWithin(_) if arguments.accept_bounded => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => Exit::Undecided,
    }
}

/// Draws the first attack's cycle where the user asked for it.
fn draw(source: &Source<'_>, report: &RobustReport, arguments: &RobustArguments) -> Exit {
    let (path, svg) = match (&arguments.dot, &arguments.svg) {
        (Some(path), _) => (path, false),
        (None, Some(path)) => (path, true),
        (None, None) => return Exit::Holds,
    };
    let draw = if svg { dot::cycle_svg } else { dot::cycle };
    let drawing = match report.verdict() {
        Verdict::Violated(run) => draw(source, run),
        Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    };
    let Some(drawing) = drawing else {
        streams::complain("no cycle was drawn: none was found");
        return Exit::Holds;
    };
    output::write(path, &drawing)
}
