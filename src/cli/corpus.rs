//! `fencepost corpus`: checks the expectations of all programs in a directory.
//!
//! Expectations are `//:` lines, `#:` lines in Trencher's format, and `(*: … *)` comments in litmus
//! tests. Files are processed in parallel and reported in the order of their paths. An expectation
//! that was interrupted, or ran out of memory, is reported as "not run": neither met nor missed.

mod bless;
mod totals;

use self::bless::Rewriting;
use self::totals::Totals;
use super::driver::{Session, Stream};
use super::exit::Exit;
use super::limits::{Ended, is_interrupted};
use super::values::{Shard, shard};
use super::{input, jobs, streams};
use crate::expect::{self, Finding, Judgement};
use crate::formats::{self, Format, Parsed};
use crate::report::{CorpusFile, CorpusLine, Fate, Report};
use crate::verdict::Reason;
use clap::Args;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::{fs, io};

#[derive(Args, Debug)]
pub(super) struct Corpus {
    /// Directory to search, recursively
    dir: PathBuf,
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
}

/// The result for one file.
#[derive(Default)]
struct Outcome {
    file: CorpusFile,
    /// The changes that `--bless` makes, if any.
    rewriting: Option<Rewriting>,
}

/// Runs the command.
pub(super) fn run(arguments: &Corpus, session: &Session) -> Exit {
    let files = match select(arguments) {
        Ok(files) => files,
        Err(exit) => return exit,
    };
    let Ok(pool) = ThreadPoolBuilder::new()
        .num_threads(jobs::number(&session.global))
        .build()
    else {
        streams::complain("cannot start that many jobs");
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
                        // Nobody listens any more only if the listener has panicked.
                        let _ = send.send((index, work(file, arguments, session)));
                    });
            });
        });
        listen(files, &receive, arguments, session)
    })
}

/// The files of this run, by path.
fn select(arguments: &Corpus) -> Result<Vec<PathBuf>, Exit> {
    let mut files = Vec::new();
    collect(&arguments.dir, &mut files).map_err(|error| {
        let dir = arguments.dir.display();
        streams::complain(&format!("cannot read `{dir}`: {error}"));
        Exit::Usage
    })?;
    files.sort();
    if let Some(filter) = &arguments.filter {
        files.retain(|file| name(file, &arguments.dir).contains(filter.as_str()));
    }
    if let Some(Shard { index, of }) = arguments.shard {
        files = files.into_iter().skip(index - 1).step_by(of).collect();
    }
    if files.is_empty() {
        let dir = arguments.dir.display();
        streams::complain(&format!("no program in `{dir}` matches"));
        return Err(Exit::Usage);
    }
    Ok(files)
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let path = entry.path();
            // Links are not followed: a link to a directory above would have no end.
            if entry.file_type()?.is_dir() {
                open.push(path);
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

/// The path within the corpus directory.
fn name(file: &Path, dir: &Path) -> String {
    file.strip_prefix(dir).unwrap_or(file).display().to_string()
}

/// Executes one file.
fn work(file: &Path, arguments: &Corpus, session: &Session) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.file.name = name(file, &arguments.dir);
    let all = |fate: Fate| CorpusLine {
        number: 0,
        text: "the file".to_owned(),
        kind: "file",
        fate,
    };
    let whole = |found: String| {
        let expected = "expectations that can be checked".to_owned();
        all(Fate::Failed { expected, found })
    };
    let (global, limits) = (&session.global, session.limits);
    let (path, format, compiler) = (file.to_owned(), global.input_format(), global.compiler);
    let read = move || {
        let bytes = input::bytes(&path)?;
        let name = path.display().to_string();
        let (text, _, parsed) = formats::parse_bytes_for(compiler, &bytes, &name, format);
        let text = text.into_owned();
        Ok::<_, String>((bytes, text, Arc::new(parsed)))
    };
    let (bytes, text, parsed) = match limits.afresh().work(read) {
        Ended::Answered(Ok(read)) | Ended::Stopped(Ok(read), _) => read,
        Ended::Answered(Err(message)) | Ended::Stopped(Err(message), _) => {
            outcome.file.lines.push(whole(message));
            return outcome;
        }
        Ended::Abandoned(reason) => {
            let line = match not_run(&reason) {
                Some(fate) => all(fate),
                None => whole("stopped while reading".to_owned()),
            };
            outcome.file.lines.push(line);
            return outcome;
        }
        Ended::Panicked => {
            outcome.file.defect = true;
            outcome.file.lines.push(whole("internal error".to_owned()));
            return outcome;
        }
    };
    outcome
        .file
        .lines
        .extend(expect::whole_file(&parsed).into_iter().map(whole));
    for index in 0..parsed.expectations.len() {
        let line = one(&text, &parsed, index, session, &mut outcome.file.defect);
        outcome.file.lines.extend(line);
    }
    if arguments.bless {
        bless::prepare(bytes, &text, &parsed, arguments.force, &mut outcome);
    }
    outcome
}

/// That a question was not answered, if that says nothing about the program: the user wanted no
/// more, or all questions together took too much memory. Time is up for each question alone.
fn not_run(reason: &Reason) -> Option<Fate> {
    match reason {
        _ if is_interrupted() => Some(Fate::NotRun("interrupted".to_owned())),
        Reason::Memory(_) | Reason::Decided(_) | Reason::Unsupported(_) => {
            Some(Fate::NotRun(reason.to_string()))
        }
        Reason::Stopped | Reason::StateBudget(_) | Reason::Overflow(_) => None,
    }
}

/// Executes one expectation; `None` if it expects nothing.
fn one(
    text: &str,
    parsed: &Arc<Parsed>,
    index: usize,
    session: &Session,
    defect: &mut bool,
) -> Option<CorpusLine> {
    let expectation = &parsed.expectations[index];
    let kind = expect::kind(expectation)?;
    let asked = Arc::clone(parsed);
    let solver = session.global.solver;
    let ended = session
        .limits
        .afresh()
        .run(move |budget| expect::judge(&asked, &asked.expectations[index], solver, budget));
    let missed = |found: String| Fate::Failed {
        expected: Finding::expected(expectation).to_string(),
        found,
    };
    let fate = match ended {
        Ended::Answered(Ok(judgement)) | Ended::Stopped(Ok(judgement @ Judgement::Met), _) => {
            Fate::Judged(judgement)
        }
        Ended::Stopped(Ok(judgement), reason) => {
            not_run(&reason).unwrap_or(Fate::Judged(judgement))
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
    Some(CorpusLine {
        number: expectation.origin.line,
        text: expect::words(text, expectation),
        kind,
        fate,
    })
}

/// Reports the files in order as they come in; with `--bless` at the end, when it is known whether
/// the run came to its end.
fn listen(
    files: &[PathBuf],
    receive: &Receiver<(usize, Outcome)>,
    arguments: &Corpus,
    session: &Session,
) -> Exit {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut totals = Totals::default();
    let mut exit = Exit::Holds;
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
            exit = exit.worst(session.report(&Report::Corpus(&outcome.file), Stream::Output));
            next += 1;
        }
    }
    if next < files.len() {
        streams::complain("internal error: some files were not checked");
        exit = exit.worst(Exit::Internal);
    }
    let summary = totals.to_string();
    if session.format().is_for_people() {
        exit.worst(streams::show(&format!("{summary}\n")))
    } else {
        streams::complain(&summary);
        exit
    }
}
