//! `fencepost corpus`: what the files say must come out, comes out.
//!
//! Every expectation of every program below the directory is executed: `//:` lines, `#:` lines in
//! Trencher's format, `(*: … *)` comments in litmus tests. Files are worked on side by side and
//! reported in the order of their paths. Lines of a kind that this version cannot execute are
//! counted as skipped and named in the summary, never passed over in silence.

mod ledger;

use self::ledger::{Totals, report};
use super::limits::{self, Ended, Limits};
use super::{CorpusArguments, Exit, Global, Shard, input, streams};
use crate::expect::{self, Judgement};
use crate::syntax::{self, Format, Parsed};
use crate::verdict::Budget;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::{fs, io};

/// What became of one line, or of the file as a whole.
struct Line {
    /// Which line; 0 for the file as a whole.
    number: u32,
    /// What it says.
    text: String,
    /// The kind of expectation, for the summary.
    kind: &'static str,
    judgement: Judgement,
}

/// What became of one file.
struct Outcome {
    lines: Vec<Line>,
    defect: bool,
    /// Lines that were rewritten, as they are now.
    blessed: Vec<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &CorpusArguments, global: &Global) -> Exit {
    limits::catch_interrupts();
    let files = match select(arguments) {
        Ok(files) => files,
        Err(exit) => return exit,
    };
    let mut pool = ThreadPoolBuilder::new();
    if let Some(jobs) = global.jobs {
        pool = pool.num_threads(jobs.into());
    }
    let Ok(pool) = pool.build() else {
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
                        let _ = send.send((index, work(file, arguments, global)));
                    });
            });
        });
        listen(files, &receive, arguments, global)
    })
}

/// The files of this run, by path.
fn select(arguments: &CorpusArguments) -> Result<Vec<PathBuf>, Exit> {
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
        streams::complain(&format!("there is no such file below `{dir}`"));
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

/// The path below the corpus directory.
fn name(file: &Path, dir: &Path) -> String {
    file.strip_prefix(dir).unwrap_or(file).display().to_string()
}

/// Executes one file.
fn work(file: &Path, arguments: &CorpusArguments, global: &Global) -> Outcome {
    let mut outcome = Outcome {
        lines: Vec::new(),
        defect: false,
        blessed: Vec::new(),
    };
    let whole = |found: String| Line {
        number: 0,
        text: "the file".to_owned(),
        kind: "file",
        judgement: Judgement::Missed {
            expected: "expectations that can be executed".to_owned(),
            found,
        },
    };
    let bytes = match input::bytes(file) {
        Ok(bytes) => bytes,
        Err(message) => {
            outcome.lines.push(whole(message));
            return outcome;
        }
    };
    let (name, format, compiler) = (file.display().to_string(), global.format(), global.compiler);
    let read = move |_: &Budget| {
        let (text, _, parsed) = syntax::parse_bytes_for(compiler, &bytes, &name, format);
        (text.into_owned(), parsed)
    };
    let (text, parsed) = match Limits::new(global.timeout).run(read) {
        Ended::Answered((text, parsed)) => (text, Arc::new(parsed)),
        Ended::Abandoned => {
            outcome
                .lines
                .push(whole("stopped while reading".to_owned()));
            return outcome;
        }
        Ended::Panicked => {
            outcome.defect = true;
            outcome.lines.push(whole("internal error".to_owned()));
            return outcome;
        }
    };
    outcome
        .lines
        .extend(expect::whole_file(&parsed).into_iter().map(whole));
    for index in 0..parsed.expectations.len() {
        let line = one(&text, &parsed, index, global, &mut outcome.defect);
        outcome.lines.extend(line);
    }
    if arguments.bless {
        bless(file, &text, &parsed, &mut outcome);
    }
    outcome
}

/// Executes one expectation; `None` if it expects nothing.
fn one(
    text: &str,
    parsed: &Arc<Parsed>,
    index: usize,
    global: &Global,
    defect: &mut bool,
) -> Option<Line> {
    let expectation = &parsed.expectations[index];
    let kind = expect::kind(expectation)?;
    let asked = Arc::clone(parsed);
    let solver = global.solver;
    let ended = Limits::new(global.timeout)
        .run(move |budget| expect::judge_with(&asked, &asked.expectations[index], solver, budget));
    let missed = |found: String| Judgement::Missed {
        expected: expect::expected(expectation),
        found,
    };
    let judgement = match ended {
        Ended::Answered(Ok(judgement)) => judgement,
        Ended::Answered(Err(error)) => {
            *defect = true;
            missed(format!("internal error: {error}"))
        }
        Ended::Panicked => {
            *defect = true;
            missed("internal error".to_owned())
        }
        Ended::Abandoned => missed("unknown: stopped".to_owned()),
    };
    Some(Line {
        number: expectation.origin.line,
        text: expect::words(text, expectation),
        kind,
        judgement,
    })
}

/// Writes what was found into the file, where it is another word than the expected one.
fn bless(file: &Path, text: &str, parsed: &Parsed, outcome: &mut Outcome) {
    let mut blessed = text.to_owned();
    let mut changes = Vec::new();
    // From the end on, so that places before stay where they are.
    for expectation in parsed.expectations.iter().rev() {
        let line = outcome
            .lines
            .iter_mut()
            .find(|line| line.number == expectation.origin.line);
        let Some(line) = line else { continue };
        let Judgement::Missed { found, .. } = &line.judgement else {
            continue;
        };
        let Some(place) = expect::blessable(text, expectation, found) else {
            continue;
        };
        blessed.replace_range(place, found);
        changes.push(format!(
            "line {}: {} is now {found}",
            line.number, line.text
        ));
        line.judgement = Judgement::Met;
    }
    if changes.is_empty() {
        return;
    }
    changes.reverse();
    match fs::write(file, blessed) {
        Ok(()) => outcome.blessed = changes,
        Err(error) => {
            streams::complain(&format!("cannot write `{}`: {error}", file.display()));
            outcome.defect = true;
        }
    }
}

/// Reports the files in order as they come in.
fn listen(
    files: &[PathBuf],
    receive: &Receiver<(usize, Outcome)>,
    arguments: &CorpusArguments,
    global: &Global,
) -> Exit {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut totals = Totals::default();
    let mut exit = Exit::Holds;
    for (index, outcome) in receive {
        waiting.insert(index, outcome);
        while let Some(outcome) = waiting.remove(&next) {
            let name = name(&files[next], &arguments.dir);
            exit = exit.worst(totals.add(&outcome));
            exit = exit.worst(streams::print(&report(&name, &outcome, global)));
            next += 1;
        }
    }
    if next < files.len() {
        streams::complain("internal error: some files were not executed");
        exit = exit.worst(Exit::Internal);
    }
    let summary = totals.to_string();
    if global.json {
        streams::complain(&summary);
        exit
    } else {
        exit.worst(streams::print(&format!("{summary}\n")))
    }
}
