//! Every corpus file: one test per expectation, and one that runs the expectations of `check` and
//! `robust` with each engine and method separately. By default only one of them answers, so errors of
//! the others would go unnoticed.

use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::cli::{corpus_files, corpus_options};
use fencepost::internals::expect::{self, Judgement, Tools};
use fencepost::internals::formats::{ExpectationKind, Outcome, Parsed, parse_bytes_with};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{Method, RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::Program;
use libtest_mimic::{Arguments, Failed, Trial};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{fs, io, thread};

/// The maximum number of states for a single expectation of the corpus.
const STATES: usize = 5_000_000;
/// The maximum number of states for one engine alone. Beyond that, the engine claims nothing.
const ALONE: usize = 5_000;
/// The work for one engine alone, in bytes of proof. An engine that is stopped claims nothing either.
const WORK: u64 = 8 << 20;
/// The time for one engine alone, where what takes long is not counted as work.
const PATIENCE: Duration = Duration::from_secs(5);

fn main() -> io::Result<ExitCode> {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    Ok(libtest_mimic::run(&arguments, trials(&root)?).exit_code())
}

fn trials(root: &Path) -> io::Result<Vec<Trial>> {
    let mut files = Vec::new();
    corpus_files(root, &mut files)?;
    files.sort();
    // Reading takes a sixth of the time, before the first test runs: so it is done in parallel, too.
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let parts = files.chunks(files.len().div_ceil(threads).max(1));
    thread::scope(|scope| {
        let read = |part: &'_ [PathBuf]| -> io::Result<Vec<Trial>> {
            let all: io::Result<Vec<_>> = part.iter().map(|file| trials_of(root, file)).collect();
            Ok(all?.into_iter().flatten().collect())
        };
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
        let mut trials = Vec::new();
        for part in parts {
            let part = part
                .join()
                .map_err(|_| io::Error::other("a file cannot be read"))?;
            trials.extend(part?);
        }
        Ok(trials)
    })
}

fn trials_of(root: &Path, file: &Path) -> io::Result<Vec<Trial>> {
    let mut trials = Vec::new();
    let bytes = fs::read(file)?;
    let below = file.strip_prefix(root).unwrap_or(file);
    let name = below.display().to_string();
    let options = corpus_options(file).map_err(io::Error::other)?;
    let (text, _, parsed) = parse_bytes_with(&options, &bytes, &name, None);
    let parsed = Arc::new(parsed);
    let complaints = expect::whole_file(&parsed);
    trials.push(Trial::test(
        format!("{name} is a corpus file"),
        move || match complaints.as_slice() {
            [] => Ok(()),
            some => Err(some.join("\n").into()),
        },
    ));
    for (index, expectation) in parsed.expectations.iter().enumerate() {
        let Some(kind) = expect::kind(expectation) else {
            continue;
        };
        let words = expect::words(&text, expectation);
        let line = expectation.origin.line;
        let shared = Arc::clone(&parsed);
        let trial = Trial::test(format!("{name}:{line} {words}"), move || {
            judge(&shared, index)
        });
        trials.push(trial.with_kind(kind));
    }
    if parsed.program.is_some() {
        let trial = Trial::test(format!("{name} by each engine"), move || by_each(&parsed));
        trials.push(trial.with_kind("engines"));
    }
    Ok(trials)
}

fn judge(parsed: &Parsed, index: usize) -> Result<(), Failed> {
    let budget = Budget::default().with_states(STATES);
    match expect::judge(
        parsed,
        &parsed.expectations[index],
        Tools::default(),
        &budget,
    ) {
        Ok(Judgement::Met) => Ok(()),
        Ok(Judgement::Missed {
            expected, found, ..
        }) => Err(format!("expected {expected}, found {found}").into()),
        Err(defect) => Err(format!("internal error: {defect}").into()),
    }
}

/// No engine or method contradicts the expectations of the file.
fn by_each(parsed: &Parsed) -> Result<(), Failed> {
    let Some(program) = &parsed.program else {
        return Ok(());
    };
    let mut wrong = Vec::new();
    for expectation in &parsed.expectations {
        let line = expectation.origin.line;
        let answers = match expectation.kind {
            ExpectationKind::Check(model, outcome) => {
                let denied = match outcome {
                    Outcome::Holds | Outcome::Within | Outcome::Nothing => "violated",
                    Outcome::Violated => "holds",
                };
                checked(program, model, denied)?
            }
            ExpectationKind::Robust(model, yes) => {
                attacked(program, model, if yes { "violated" } else { "holds" })?
            }
            ExpectationKind::About(_)
            | ExpectationKind::Attacks { .. }
            | ExpectationKind::Fence { .. }
            | ExpectationKind::Observed(..)
            | ExpectationKind::Error(_) => Vec::new(),
        };
        wrong.extend(
            answers
                .into_iter()
                .map(|answer| format!("line {line}: {answer}")),
        );
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}

/// Runs one engine alone, within its limits.
fn alone<T>(run: impl FnOnce(&Budget) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget::with_stop(Arc::clone(&stop))
        .with_states(ALONE)
        .with_work(WORK);
    let (ended, end) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let answer = run(&budget);
    drop(ended);
    watch.join().expect("the watch only waits");
    answer
}

fn is<W>(verdict: &Verdict<W>, denied: &str) -> bool {
    verdict.word() == denied
}

/// The engines that return the denied verdict.
fn checked(program: &Program, model: Model, denied: &str) -> Result<Vec<String>, Failed> {
    let mut wrong = Vec::new();
    for engine in [Engine::Bmc, Engine::Explicit, Engine::Lazy] {
        if engine == Engine::Lazy && model != Model::Tso {
            continue;
        }
        let options = CheckOptions::new(model).engine(engine).unroll(2);
        let report = alone(|budget| check(program, &options, budget));
        let report = report.map_err(|defect| format!("{engine:?}: internal error: {defect}"))?;
        if is(&report.verdict(), denied) {
            wrong.push(format!("{} returns {denied}", engine.name()));
        }
    }
    Ok(wrong)
}

/// The methods and engines that return the denied verdict.
fn attacked(program: &Program, model: Model, denied: &str) -> Result<Vec<String>, Failed> {
    let mut wrong = Vec::new();
    for method in [Method::Locality, Method::Singularity, Method::Direct] {
        for engine in [Engine::Bmc, Engine::Explicit] {
            if method == Method::Direct && engine == Engine::Explicit {
                continue;
            }
            let options = RobustOptions::new(model)
                .method(method)
                .engine(engine)
                .unroll(1)
                .until(Until::Violated);
            let report = alone(|budget| robust(program, &options, budget));
            let report = report.map_err(|defect| {
                format!(
                    "{}, {}: internal error: {defect}",
                    method.name(),
                    engine.name()
                )
            })?;
            if is(&report.verdict(), denied) {
                wrong.push(format!("{} by {}: {denied}", method.name(), engine.name()));
            }
        }
    }
    Ok(wrong)
}
