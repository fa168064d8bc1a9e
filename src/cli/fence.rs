//! `fencepost fence`: the cheapest fences, for robustness or for the program's own properties.

use super::input::{self, Input};
use super::limits::{self, Ended, Limits};
use super::{Exit, FenceArguments, Global, peak_rss_kib, streams};
use crate::encode::FenceKind;
use crate::fences::{Costs, FenceOptions, FenceReport, Kinds, Outcome, cheapest_fences};
use crate::model::Model;
use crate::report::{Measured, Source, json, text};
use crate::syntax::Aim;
use crate::verdict::Reason;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &FenceArguments, global: &Global) -> Exit {
    limits::catch_interrupts();
    let input = match input::read(&arguments.file, global) {
        Ok(input) => Arc::new(input),
        Err(exit) => return exit,
    };
    let costs = match costs(&arguments.cost, &input) {
        Ok(costs) => costs,
        Err(message) => {
            streams::complain(&message);
            return Exit::Usage;
        }
    };
    let limits = Limits::new(global.timeout);
    let mut worst = Exit::Holds;
    let mut models: Vec<Model> = Vec::new();
    for &model in &arguments.model {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    for (number, model) in models.into_iter().enumerate() {
        if number > 0 && !global.json {
            worst = worst.worst(streams::print("\n"));
        }
        let options = FenceOptions {
            algorithm: arguments.algorithm,
            kinds: arguments.kinds.clone(),
            costs: costs.clone(),
            all: arguments.all,
            minimise: arguments.minimise,
            unroll: arguments.unroll,
            solver: global.solver,
            ..FenceOptions::new(model, arguments.aim)
        };
        worst = worst.worst(one(&input, &options, arguments, global, limits));
    }
    worst
}

/// Answers for one model.
fn one(
    input: &Arc<Input>,
    options: &FenceOptions,
    arguments: &FenceArguments,
    global: &Global,
    limits: Limits,
) -> Exit {
    let started = Instant::now();
    let report = match ask(input, options, limits) {
        Ok(report) => report,
        Err(exit) => return exit,
    };
    let other = match other(input, options, &report, global, limits) {
        Ok(other) => other,
        Err(exit) => return exit,
    };
    let measured = Measured {
        seconds: Some(started.elapsed().as_secs_f64()),
        peak_rss_kib: peak_rss_kib(),
    };
    let source = Source {
        file: &input.file,
        text: &input.text,
        program: &input.program,
    };
    let written = if global.json {
        match json::fences(&source, &report, other.as_ref(), &measured) {
            Ok(line) => streams::print(&(line + "\n")),
            Err(error) => {
                streams::complain(&format!("internal error: {error}"));
                Exit::Internal
            }
        }
    } else {
        let style = streams::style(global);
        streams::print(&text::fences(
            &source,
            &report,
            other.as_ref(),
            &measured,
            style,
        ))
    };
    let exit = match &report.outcome {
        Outcome::Found(found) if found.bounds.is_some() && !arguments.accept_bounded => {
            Exit::Undecided
        }
        Outcome::Found(found) if !found.optimal => Exit::Undecided,
        Outcome::Found(_) => Exit::Holds,
        Outcome::Impossible { .. } => Exit::Violated,
        Outcome::Undecided(_) => Exit::Undecided,
    };
    written.worst(exit)
}

fn ask(input: &Arc<Input>, options: &FenceOptions, limits: Limits) -> Result<FenceReport, Exit> {
    let (asked, with) = (Arc::clone(input), options.clone());
    let ended = limits.run(move |budget| cheapest_fences(&asked.program, &with, budget));
    match ended {
        Ended::Answered(Ok(report)) => Ok(report),
        Ended::Answered(Err(defect)) => {
            streams::complain(&format!(
                "internal error: {defect}. No verdict. Please report this with the input."
            ));
            Err(Exit::Internal)
        }
        Ended::Panicked => Err(Exit::Internal),
        Ended::Abandoned => Ok(FenceReport::undecided(options, Reason::Stopped)),
    }
}

/// The answer for the other aim, where it is another one.
fn other(
    input: &Arc<Input>,
    options: &FenceOptions,
    report: &FenceReport,
    global: &Global,
    limits: Limits,
) -> Result<Option<FenceReport>, Exit> {
    let aim = match options.aim {
        Aim::Robustness => Aim::Assertions,
        Aim::Assertions => Aim::Robustness,
    };
    if global.quiet || !crate::fences::has_goals(&input.program) {
        return Ok(None);
    }
    let options = FenceOptions {
        aim,
        all: false,
        algorithm: crate::fences::Algorithm::Auto,
        ..options.clone()
    };
    let other = ask(input, &options, limits)?;
    let same = match (&report.outcome, &other.outcome) {
        (Outcome::Found(a), Outcome::Found(b)) => {
            a.cost == b.cost && (a.cost == 0 || a.sets.contains(&b.sets[0]))
        }
        (_, Outcome::Undecided(_)) => true,
        _ => false,
    };
    Ok((!same).then_some(other))
}

/// What the user says that fences cost: `unit`, `loops`, or a file.
fn costs(word: &str, input: &Input) -> Result<Costs, String> {
    match word {
        "unit" => Ok(Costs::Unit),
        "loops" => Ok(Costs::Loops),
        file => {
            let bytes = input::bytes(Path::new(file))?;
            let text = String::from_utf8_lossy(&bytes);
            Costs::read(&text, &input.program)
                .map_err(|(line, message)| format!("{file}:{line}: {message}"))
        }
    }
}

/// `full`, `store=2`, …
pub(super) fn kind(text: &str) -> Result<(FenceKind, u32), String> {
    let (name, factor) = match text.split_once('=') {
        Some((name, factor)) => {
            let factor = factor.parse().ok().filter(|&factor: &u32| factor <= 10_000);
            let factor = factor.ok_or("expected a factor up to 10000, as in `store=2`")?;
            (name, factor)
        }
        None => (text, 1),
    };
    let kind = match name {
        "full" => FenceKind::Full,
        "store" => FenceKind::Store,
        "xchg" => FenceKind::Exchange,
        _ => {
            return Err(format!(
                "unknown kind `{name}`: expected full, store or xchg"
            ));
        }
    };
    Ok((kind, factor))
}

/// `full,store=2,xchg`
pub(super) fn kinds(text: &str) -> Result<Kinds, String> {
    let mut kinds: Vec<(FenceKind, u32)> = Vec::new();
    for part in text.split(',') {
        let (kind, factor) = kind(part.trim())?;
        if kinds.iter().any(|&(known, _)| known == kind) {
            return Err(format!("`{text}` names a kind twice"));
        }
        kinds.push((kind, factor));
    }
    Ok(Kinds(kinds))
}

/// `robustness` or `assertions`
pub(super) fn aim(text: &str) -> Result<Aim, String> {
    match text {
        "robustness" => Ok(Aim::Robustness),
        "assertions" => Ok(Aim::Assertions),
        _ => Err(format!(
            "unknown aim `{text}`: expected robustness or assertions"
        )),
    }
}
