//! `fencepost fence`: the cheapest fences, for robustness or for the program's own properties.

use super::input::{self, Input};
use super::limits::Limits;
use super::{Exit, FenceArguments, Global, distinct, output, peak_rss_kib, streams};
use crate::encode::FenceKind;
use crate::fences::pairs::PairAlgorithm;
use crate::fences::{Algorithm, Costs, FenceOptions, FenceReport, Kinds, Outcome, cheapest_fences};
use crate::model::Model;
use crate::report::diff::unified;
use crate::report::{Measured, Repair, Source, json, text};
use crate::syntax::{Aim, rewrite_as};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &FenceArguments, global: &Global) -> Exit {
    let models = distinct(&arguments.model);
    if let Some(message) = contradiction(arguments).or_else(|| conflict(arguments, &models, global))
    {
        streams::complain(&message);
        return Exit::Usage;
    }
    let limits = Limits::new(global);
    let input = match input::read(&arguments.file, global, limits) {
        Ok(input) => Arc::new(input.with_positions_apart()),
        Err(exit) => return exit,
    };
    let (word, asked) = (arguments.cost.clone(), Arc::clone(&input));
    let costs = match limits
        .work(move || costs(&word, &asked))
        .whole("reading the costs")
    {
        Ok(Ok(costs)) => costs,
        Ok(Err(message)) => {
            streams::complain(&message);
            return Exit::Usage;
        }
        Err(exit) => return exit,
    };
    let mut worst = Exit::Holds;
    for (number, model) in models.into_iter().enumerate() {
        if number > 0 && !global.json {
            worst = worst.worst(streams::print("\n"));
        }
        let usual = FenceOptions::new(model, arguments.aim);
        let options = FenceOptions {
            algorithm: arguments.algorithm,
            kinds: arguments.kinds.clone(),
            costs: costs.clone(),
            all: arguments.all,
            minimise: arguments.minimise,
            k1: arguments.k1.unwrap_or(usual.k1),
            k2: arguments.k2,
            unroll: arguments.unroll,
            solver: global.solver,
            ..usual
        };
        worst = worst.worst(one(&input, &options, arguments, global, limits));
    }
    worst
}

/// What the arguments ask that nobody answers.
fn contradiction(arguments: &FenceArguments) -> Option<String> {
    let name = arguments.algorithm.name();
    match (arguments.algorithm, arguments.aim) {
        (Algorithm::Pairs(_), Aim::Robustness) => Some(format!(
            "`--algorithm {name}` orders the statements that assertions need: it goes with `--for \
             assertions`"
        )),
        (Algorithm::Pairs(_), Aim::Assertions) if arguments.minimise || arguments.all => {
            Some(format!(
                "`--algorithm {name}` finds one set of statement pairs: `--all` and `--minimise` \
                 go with `--algorithm hitting-set`"
            ))
        }
        (Algorithm::Ilp, Aim::Assertions) => Some(
            "`--algorithm ilp` eliminates attacks one by one: it goes with `--for robustness`"
                .to_owned(),
        ),
        (Algorithm::Ilp, Aim::Robustness) if arguments.all => Some(
            "`--algorithm ilp` finds one set: `--all` goes with `--algorithm hitting-set`"
                .to_owned(),
        ),
        (Algorithm::Auto | Algorithm::HittingSet | Algorithm::Ilp | Algorithm::Pairs(_), _) => None,
    }
}

/// What cannot be read or written in one go.
fn conflict(arguments: &FenceArguments, models: &[Model], global: &Global) -> Option<String> {
    let written = arguments.write.as_deref();
    let bounded = match arguments.algorithm {
        Algorithm::Pairs(PairAlgorithm::Robmc | PairAlgorithm::RobmcEt) => true,
        Algorithm::Pairs(PairAlgorithm::Te | PairAlgorithm::Fi)
        | Algorithm::Auto
        | Algorithm::HittingSet
        | Algorithm::Ilp => false,
    };
    if arguments.file.as_os_str() == "-" && arguments.cost == "-" {
        Some("the program and the costs cannot both be standard input".to_owned())
    } else if written.is_some() && models.len() > 1 {
        Some("`--write` takes the fences of one model: ask for one `--model`".to_owned())
    } else if written == Some(Path::new("-")) && global.json {
        Some("`--write -` and `--json` both want standard output".to_owned())
    } else if !bounded && (arguments.k1.is_some() || arguments.k2.is_some()) {
        Some("`--k1` and `--k2` go with `--algorithm robmc` or `robmc-et`".to_owned())
    } else if let (Some(k1), Some(k2)) = (arguments.k1, arguments.k2)
        && k1 > k2
    {
        Some(format!("`--k1 {k1}` is greater than `--k2 {k2}`"))
    } else {
        None
    }
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
    let repaired = repaired(input, &report, arguments);
    let text = repaired.as_ref().ok().and_then(Option::as_deref);
    let diff = text.filter(|_| arguments.diff).map(|new| {
        let path = arguments.write.as_deref().filter(|path| !is_stdout(path));
        let name = path.map_or_else(|| input.file.clone(), |path| path.display().to_string());
        unified(&input.file, &input.text, &name, new)
    });
    let kept = match &repaired {
        Ok(text) => keep(arguments, input.mark, text.as_deref()),
        Err(why) => Err(why.clone()),
    };
    let written = arguments.write.as_ref().filter(|_| kept.is_ok());
    let written = written.map(|path| path.display().to_string());
    let repair = Repair {
        diff: diff.as_deref(),
        written: written.as_deref(),
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
    let printed = if global.json {
        streams::print_json(json::fences(
            &source,
            &report,
            other.as_ref(),
            repair,
            &measured,
        ))
    } else {
        let style = streams::style(global);
        let report = text::fences(&source, &report, other.as_ref(), repair, &measured, style);
        if arguments.write.as_deref().is_some_and(is_stdout) {
            streams::diagnose(&report);
            text.map_or(Exit::Holds, |text| {
                streams::print(&format!("{}{text}", input.mark))
            })
        } else {
            streams::print(&report)
        }
    };
    let kept = match kept {
        Ok(()) => Exit::Holds,
        Err(message) => {
            streams::complain(&message);
            // That there is nothing to write was said by the answer itself.
            if text.is_none() && repaired.is_ok() {
                Exit::Holds
            } else {
                Exit::Usage
            }
        }
    };
    let exit = match &report.outcome {
        Outcome::Found(found) if found.bounds.is_some() && !arguments.accept_bounded => {
            Exit::Undecided
        }
        Outcome::Found(found) if !found.optimal && report.pairs.is_none() => Exit::Undecided,
        Outcome::Found(_) => Exit::Holds,
        Outcome::Impossible { .. } => Exit::Violated,
        Outcome::Undecided(_) => Exit::Undecided,
    };
    printed.worst(kept).worst(exit)
}

/// Writes the repaired program to the file that the user named.
///
/// # Errors
///
/// What to tell the user if it is not there afterwards.
fn keep(arguments: &FenceArguments, mark: &str, repaired: Option<&str>) -> Result<(), String> {
    let Some(path) = &arguments.write else {
        return Ok(());
    };
    let name = path.display();
    let text =
        repaired.ok_or_else(|| format!("`{name}` was not written: no set of fences was found"))?;
    if is_stdout(path) {
        return Ok(());
    }
    let text = format!("{mark}{text}");
    output::replace(path, text.as_bytes()).map_err(|error| output::cannot_write(path, &error))
}

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The text with the first set found in it, if one was found and somebody wants it.
///
/// # Errors
///
/// Why the text cannot be changed so.
fn repaired(
    input: &Input,
    report: &FenceReport,
    arguments: &FenceArguments,
) -> Result<Option<String>, String> {
    if arguments.write.is_none() && !arguments.diff {
        return Ok(None);
    }
    let Some(changes) = report.changes(&input.program) else {
        return Ok(None);
    };
    let changed = rewrite_as(input.format, &input.text, &input.program, &changes);
    let text = changed.map_err(|unwritable| {
        format!(
            "the fences were found, but the text cannot be changed: {}: {unwritable}",
            input.file
        )
    })?;
    Ok(Some(text))
}

fn ask(input: &Arc<Input>, options: &FenceOptions, limits: Limits) -> Result<FenceReport, Exit> {
    let (asked, with) = (Arc::clone(input), options.clone());
    let ended = limits.run(move |budget| cheapest_fences(&asked.program, &with, budget));
    ended.answered(|reason| FenceReport::undecided(options, reason.clone()))
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
        algorithm: Algorithm::Auto,
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
            let factor = factor
                .parse()
                .ok()
                .filter(|factor: &u32| (1..=10_000).contains(factor));
            let factor = factor.ok_or("expected a factor from 1 to 10000, as in `store=2`")?;
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
