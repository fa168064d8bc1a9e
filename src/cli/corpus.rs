//! `fencepost corpus`: checks the expectations of all programs in a directory.
//!
//! Expectations are `//:` lines, `#:` lines in Trencher's format, and `(*: … *)` comments in litmus
//! tests. Files are processed in parallel and reported in the order of their paths. An expectation
//! that was interrupted, or ran out of memory, is reported as "not run": neither met nor missed.

mod bless;
mod certify;
mod merge;
mod totals;

use self::bless::Rewriting;
use self::totals::Totals;
use super::driver::{self, Session, Stream};
use super::exit::Exit;
use super::guard::guarded;
use super::limits::{Ended, is_interrupted};
use super::values::{DrawTo, drawing, shard};
use super::{input, jobs, output, packages, program, streams};
use crate::certificate::Certificate;
use crate::expect::{self, Finding, Judgement};
use crate::formats::{self, Format, ParseOptions, Parsed};
use crate::report::draw::Drawing;
use crate::report::{
    CorpusFile, CorpusLine, CorpusShard, LineResult, MessageFormat, Report, Shard, Source, junit,
    page,
};
use crate::verdict::{Budget, Reason};
use clap::Args;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, io};

#[derive(Args, Debug)]
pub(super) struct Corpus {
    /// Directory to search, recursively
    #[arg(required_unless_present = "merge")]
    dir: Option<PathBuf>,
    /// Only files whose path within the directory contains this text
    filter: Option<String>,
    /// Only every N-th file, starting with the I-th (from 1)
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Rewrite the expectations that were missed with the actual results
    #[arg(long)]
    bless: bool,
    /// With `--bless`, also weaken expectations, such as `holds` to `within`
    #[arg(long, requires = "bless")]
    force: bool,
    /// Make a certificate of each answer that has one, check it, and count them
    #[arg(long)]
    certify: bool,
    /// List the N slowest files at the end
    #[arg(long, value_name = "N")]
    durations: Option<usize>,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "OUT")]
    junit: Option<PathBuf>,
    /// Write the results to this file as a page with a table (`.html`)
    #[arg(long, value_name = "OUT", value_parser = drawing)]
    draw: Option<DrawTo>,
    /// Print the results of all shards as those of a single run: files with what each shard printed
    /// with `--json`
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["dir", "filter", "shard", "bless", "certify", "durations", "junit", "draw"])]
    merge: Vec<PathBuf>,
}

impl Corpus {
    fn directory(&self) -> &Path {
        self.dir.as_deref().unwrap_or(Path::new("."))
    }

    /// The stream of the reports.
    fn stream(&self) -> Stream {
        match &self.junit {
            Some(path) if path.as_os_str() == "-" => Stream::Error,
            Some(_) | None => Stream::Output,
        }
    }
}

/// The result for one file.
#[derive(Default)]
struct Outcome {
    file: CorpusFile,
    /// The new contents of the file under `--bless`, if anything changes.
    rewriting: Option<Rewriting>,
    /// How long the file took.
    elapsed: Duration,
}

impl Outcome {
    /// No result yet for this file.
    fn of(file: &Path, arguments: &Corpus) -> Self {
        let mut outcome = Self::default();
        outcome.file.name = name(file, arguments.directory());
        outcome.file.path = file.display().to_string();
        outcome
    }

    /// That of a file for which there is none because of a defect, which has been reported.
    fn failed(file: &Path, arguments: &Corpus) -> Self {
        let mut outcome = Self::of(file, arguments);
        outcome.file.defect = true;
        outcome.file.lines.push(whole("internal error".to_owned()));
        outcome
    }
}

/// The line of a file as a whole.
fn line_of_file(result: LineResult) -> CorpusLine {
    CorpusLine {
        number: 0,
        text: "the file".to_owned(),
        kind: "file".into(),
        seconds: None,
        result,
        certificate: None,
    }
}

/// What was found instead of expectations that can be checked.
fn whole(found: String) -> CorpusLine {
    let expected = "expectations that can be checked".to_owned();
    line_of_file(LineResult::failed(expected, found))
}

/// Prints the results of all shards, which are in these files.
pub(super) fn merged(outputs: &[PathBuf], session: &Session) -> Exit {
    merge::run(outputs, session)
}

/// Runs the command.
pub(super) fn run(arguments: &Corpus, session: &Session) -> Exit {
    if !arguments.merge.is_empty() {
        return merged(&arguments.merge, session);
    }
    let is_picture = |to: &DrawTo| to.format != Drawing::Html;
    if arguments.draw.as_ref().is_some_and(is_picture) {
        streams::print_message(output::PAGES_ONLY);
        return Exit::Usage;
    }
    let (files, of_all) = match select(arguments) {
        Ok(selected) => selected,
        Err(exit) => return exit,
    };
    let Ok(pool) = ThreadPoolBuilder::new()
        .num_threads(jobs::number(&session.global))
        .build()
    else {
        streams::print_message("cannot start that many jobs");
        return Exit::Usage;
    };
    let (send, receive) = channel();
    thread::scope(|scope| {
        let files = &files;
        scope.spawn(move || {
            pool.install(|| {
                files
                    .iter()
                    .enumerate()
                    .par_bridge()
                    .for_each_with(send, |send, (index, file)| {
                        let start = Instant::now();
                        let mut outcome = guarded(|| execute(file, arguments, session))
                            .unwrap_or_else(|_| Outcome::failed(file, arguments));
                        outcome.elapsed = start.elapsed();
                        // Sending fails only if the receiving thread has panicked.
                        let _ = send.send((index, outcome));
                    });
            });
        });
        report_in_order(files, of_all, &receive, arguments, session)
    })
}

/// The files of this run, sorted by path, and the number of files of all shards.
fn select(arguments: &Corpus) -> Result<(Vec<PathBuf>, usize), Exit> {
    let mut files = Vec::new();
    collect(arguments.directory(), &mut files).map_err(|error| {
        let dir = arguments.directory().display();
        let message = if arguments.directory().is_file() {
            format!("`{dir}` is a file: `corpus` checks the files in a folder, as in `corpus DIR FILTER`")
        } else {
            format!("cannot read `{dir}`: {error}")
        };
        streams::print_message(&message);
        Exit::Usage
    })?;
    files.sort();
    if let Some(filter) = &arguments.filter {
        files.retain(|file| name(file, arguments.directory()).contains(filter.as_str()));
    }
    let of_all = files.len();
    if files.is_empty() {
        let dir = arguments.directory().display();
        streams::print_message(&format!("no program in `{dir}` matches"));
        return Err(Exit::Usage);
    }
    // With more shards than files, some have none.
    if let Some(Shard { index, of }) = arguments.shard {
        files = files.into_iter().skip(index - 1).step_by(of).collect();
    }
    Ok((files, of_all))
}

/// Adds the files below a directory that are programs. Of a folder that is named like a file in C, which
/// is one program, this is the first file.
///
/// # Errors
///
/// If a directory cannot be read.
pub fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let path = entry.path();
            // Directory links are not followed, since they may form a cycle.
            if entry.file_type()?.is_dir() {
                // Its files are modules of one another, and its tests are checked by `cargo fencepost`.
                if path.join(packages::MANIFEST).is_file() {
                    continue;
                }
                match program::units(&path) {
                    Ok(units) if program::is_unit(&path) => files.extend(units.into_iter().take(1)),
                    Ok(_) | Err(_) => open.push(path),
                }
            } else if Format::of_file(&path.display().to_string())
                .next()
                .is_some()
            {
                files.push(path);
            }
        }
    }
    Ok(())
}

/// The options of parsing a file of a corpus. The first file of a folder that is named like a file is
/// parsed with the others there.
///
/// # Errors
///
/// The message to print, if one of the others cannot be read.
pub fn options(file: &Path) -> Result<ParseOptions, String> {
    let folder = file.parent().filter(|folder| program::is_unit(folder));
    let mut others = folder.map_or(Ok(Vec::new()), program::units)?;
    others.retain(|other| other != file);
    program::options(file, &others)
}

/// The path within the corpus directory.
fn name(file: &Path, dir: &Path) -> String {
    file.strip_prefix(dir).unwrap_or(file).display().to_string()
}

/// Checks the expectations of one file.
fn execute(file: &Path, arguments: &Corpus, session: &Session) -> Outcome {
    let mut outcome = Outcome::of(file, arguments);
    let (global, limits) = (&session.global, session.limits);
    let (path, format, compiler) = (file.to_owned(), global.input_format(), global.compiler);
    let read = move || {
        let options = options(&path)?.compiler(compiler);
        let bytes = input::bytes(&path)?;
        let name = path.display().to_string();
        let (text, _, parsed) = formats::parse_bytes_with(&options, &bytes, &name, format);
        let text = text.into_owned();
        Ok::<_, String>((bytes, text, Arc::new(parsed)))
    };
    let (bytes, text, parsed) = match limits.restarted().without_progress().work(read) {
        Ended::Answered(Ok(read)) | Ended::Stopped(Ok(read), _) => read,
        Ended::Answered(Err(message)) | Ended::Stopped(Err(message), _) => {
            outcome.file.lines.push(whole(message));
            return outcome;
        }
        Ended::Abandoned(reason) => {
            let line = match not_run(&reason) {
                Some(result) => line_of_file(result),
                None => whole("stopped while reading".to_owned()),
            };
            outcome.file.lines.push(line);
            return outcome;
        }
        Ended::Panicked => {
            return Outcome::failed(file, arguments);
        }
    };
    outcome
        .file
        .lines
        .extend(expect::whole_file(&parsed).into_iter().map(whole));
    let kinds = parsed.expectations.iter().map(expect::kind);
    let kinds: Vec<(usize, &str)> = kinds
        .enumerate()
        .filter_map(|(index, kind)| Some((index, kind?)))
        .collect();
    let tasks = kinds.iter().map(|&(index, _)| {
        let (parsed, tools) = (Arc::clone(&parsed), session.global.tools());
        move |budget: &Budget| expect::judge(&parsed, &parsed.expectations[index], tools, budget)
    });
    let ended = limits.without_progress().run_each(tasks);
    for (&(index, kind), (ended, took)) in kinds.iter().zip(ended) {
        let (certify, defect) = (arguments.certify, &mut outcome.file.defect);
        let (result, certificate) = one(&parsed, &text, index, ended, session, certify, defect);
        outcome.file.lines.push(CorpusLine {
            number: parsed.expectations[index].origin.line,
            text: expect::words(&text, &parsed.expectations[index]),
            kind: kind.into(),
            seconds: Some(took.as_secs_f64()),
            certificate,
            result,
        });
    }
    if arguments.bless {
        bless::prepare(bytes, &text, &parsed, arguments.force, &mut outcome);
    }
    outcome
}

/// The result "not run", if the reason is not specific to this expectation: an interrupt, or lack of
/// memory, which all expectations share. Timeouts apply to each expectation, so they count as failures.
fn not_run(reason: &Reason) -> Option<LineResult> {
    match reason {
        _ if is_interrupted() => Some(LineResult::NotRun("interrupted".to_owned())),
        Reason::Memory(_) | Reason::Decided(_) | Reason::Unsupported(_) => {
            Some(LineResult::NotRun(reason.to_string()))
        }
        Reason::Stopped
        | Reason::Time(_)
        | Reason::Interrupted
        | Reason::StateBudget(_)
        | Reason::Copies(_)
        | Reason::Overflow(_) => None,
    }
}

/// The result of an expectation, from how its check ended, and the certificate if one is wanted.
fn one(
    parsed: &Arc<Parsed>,
    text: &str,
    index: usize,
    ended: Ended<Result<Judgement, String>>,
    session: &Session,
    certify: bool,
    defect: &mut bool,
) -> (LineResult, Option<Certificate>) {
    let missed = |found: String| {
        let expected = Finding::expected(&parsed.expectations[index]);
        LineResult::failed(expected.to_string(), found)
    };
    let judged = |judgement| {
        let text = parsed.joined.as_deref().unwrap_or(text);
        let program = parsed.program.as_ref();
        LineResult::judged(
            judgement,
            program.map(|program| Source::of(program).text(text)),
        )
    };
    let result = match ended {
        Ended::Answered(Ok(judgement)) | Ended::Stopped(Ok(judgement @ Judgement::Met), _) => {
            judged(judgement)
        }
        Ended::Stopped(Ok(judgement), reason) => {
            not_run(&reason).unwrap_or_else(|| judged(judgement))
        }
        Ended::Answered(Err(error)) | Ended::Stopped(Err(error), _) => {
            *defect = true;
            missed(format!("internal error: {error}"))
        }
        Ended::Panicked => {
            *defect = true;
            missed("internal error".to_owned())
        }
        Ended::Abandoned(reason) => {
            not_run(&reason).unwrap_or_else(|| missed("unknown: stopped".to_owned()))
        }
    };
    if !certify || !result.is_met() {
        return (result, None);
    }
    match certify::certificate(parsed, index, session) {
        Ok(made) => (result, made),
        Err(error) => {
            *defect = true;
            (missed(error), None)
        }
    }
}

/// Reports the files in order, as their results arrive. With `--bless` this waits for all results, since
/// files are rewritten only if the run was not interrupted.
fn report_in_order(
    files: &[PathBuf],
    of_all: usize,
    receive: &Receiver<(usize, Outcome)>,
    arguments: &Corpus,
    session: &Session,
) -> Exit {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut totals = Totals::default();
    let mut slowest: Vec<(Duration, String)> = Vec::new();
    let mut exit = Exit::Holds;
    let to = arguments.stream();
    let mut reports = session.reports(to);
    let mut reported = Vec::new();
    for (index, outcome) in receive {
        waiting.insert(index, outcome);
        if arguments.bless && waiting.len() < files.len() {
            continue;
        }
        if arguments.bless {
            let outcomes = waiting.iter_mut();
            let outcomes = outcomes.map(|(&index, outcome)| (&*files[index], outcome));
            exit = exit.worst(bless::write_all(outcomes));
        }
        while let Some(outcome) = waiting.remove(&next) {
            exit = exit.worst(totals.add(&outcome.file));
            slowest.push((outcome.elapsed, outcome.file.name.clone()));
            let printed = guarded(|| reports.print(&Report::Corpus(&outcome.file)));
            exit = exit.worst(printed.unwrap_or_else(|exit| exit));
            reported.push(outcome.file);
            next += 1;
        }
    }
    if next < files.len() {
        streams::print_message("internal error: some files were not checked");
        exit = exit.worst(Exit::Internal);
    }
    exit = reports.finish(exit);
    if let (Some(shard), MessageFormat::Json, false) =
        (arguments.shard, session.format(), arguments.bless)
    {
        let basis = merge::basis(arguments, session);
        let part = CorpusShard::new(shard, basis, of_all, &reported);
        exit = exit.worst(driver::print(part.line(), to));
    }
    if let Some(path) = &arguments.junit {
        exit = exit.worst(output::write(path, &junit(&reported)));
    }
    if let Some(to) = &arguments.draw {
        exit = exit.worst(output::write(&to.path, &page::corpus(&reported)));
    }
    // Slowest first; files that took equally long in the order of their paths.
    slowest.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let listed = slowest.iter().take(arguments.durations.unwrap_or(0));
    let durations: Vec<String> = listed
        .map(|(elapsed, name)| format!("{:8.2} s  {name}\n", elapsed.as_secs_f64()))
        .collect();
    conclude(session, to, exit, &durations, &totals)
}

/// Prints these durations and the totals after the reports on this stream.
fn conclude(
    session: &Session,
    to: Stream,
    exit: Exit,
    durations: &[String],
    totals: &Totals,
) -> Exit {
    let summary = totals.to_string();
    if session.format().is_for_people() && to == Stream::Output {
        exit.worst(streams::show(&format!("{}{summary}\n", durations.concat())))
    } else {
        for line in durations {
            streams::print_message(line.trim());
        }
        streams::print_message(&summary);
        exit
    }
}
