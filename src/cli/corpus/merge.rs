//! `corpus --merge`: the outputs of all shards, joined to that of a single run.
//!
//! ```text
//! corpus DIR --shard 1/2 --json > 1.jsonl      one object per expectation, and one about the shard
//! corpus DIR --shard 2/2 --json > 2.jsonl
//! corpus --merge 1.jsonl 2.jsonl               what `corpus DIR` prints
//! ```
//!
//! The object about the shard is the last line, so an output that was cut off has none. It lists the files
//! and everything that the results depend on: shards of different runs cannot be joined.
//!
//! **Absent.** Checking anything again.

use super::totals::Totals;
use super::{Corpus, conclude};
use crate::certificate::{Certificate, Evidence};
use crate::cli::driver::{Session, Stream};
use crate::cli::exit::Exit;
use crate::cli::values::Shard;
use crate::cli::{input, streams};
use crate::expect::Judgement;
use crate::formats::Format;
use crate::report::{CorpusFile, CorpusLine, LineResult, Report, json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The last line of a shard's output.
#[derive(Serialize, Deserialize)]
pub(super) struct Part {
    schema: u32,
    tool: String,
    command: String,
    shard: [usize; 2],
    /// What the results depend on: equal for all shards of a run.
    run: Map<String, Value>,
    /// Its files, in order.
    files: Vec<String>,
    /// The number of files of all shards.
    files_of_all: usize,
    /// The number of lines before this one.
    expectations: usize,
    /// The files with an internal error.
    internal_errors: Vec<String>,
}

impl Part {
    /// The shard that was reported as these files.
    pub(super) fn new(
        arguments: &Corpus,
        session: &Session,
        shard: Shard,
        of_all: usize,
        reported: &[CorpusFile],
    ) -> Self {
        let global = &session.global;
        let run = [
            ("version", Value::from(env!("CARGO_PKG_VERSION"))),
            (
                "directory",
                arguments.directory().display().to_string().into(),
            ),
            ("certify", arguments.certify.into()),
            ("filter", arguments.filter.clone().into()),
            ("format", global.input_format().map(Format::name).into()),
            ("compiler", global.compiler.name().into()),
            ("solver", global.solver.name().into()),
            ("without", global.without.clone().into()),
            ("timeout", global.timeout.into()),
            ("memory", global.memory.into()),
        ];
        let run = run.map(|(name, value)| (name.to_owned(), value));
        let broken = reported.iter().filter(|file| file.defect);
        Part {
            schema: json::SCHEMA,
            tool: "fencepost".to_owned(),
            command: "corpus".to_owned(),
            shard: [shard.index, shard.of],
            run: run.into_iter().collect(),
            files: reported.iter().map(|file| file.name.clone()).collect(),
            files_of_all: of_all,
            expectations: reported.iter().map(|file| file.lines.len()).sum(),
            internal_errors: broken.map(|file| file.name.clone()).collect(),
        }
    }

    /// The line, terminated.
    pub(super) fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }
}

/// The output of a shard.
struct Output {
    /// The name of the file with the output.
    name: String,
    part: Part,
    files: Vec<CorpusFile>,
}

/// An expectation, as [`Report::Corpus`] is written in JSON.
#[derive(Deserialize)]
struct Line {
    file: String,
    #[serde(rename = "line")]
    number: Option<u32>,
    expectation: String,
    kind: String,
    result: String,
    expected: Option<String>,
    found: Option<String>,
    reason: Option<String>,
    certificate: Option<LineCertificate>,
}

/// What is left of a certificate in the output.
#[derive(Deserialize)]
struct LineCertificate {
    states: Option<usize>,
    views: Option<usize>,
    clauses: Option<usize>,
    none_because: Option<String>,
}

/// Prints the results of all shards as those of a single run.
pub(super) fn run(outputs: &[PathBuf], session: &Session) -> Exit {
    let files = match merged(outputs) {
        Ok(files) => files,
        Err(message) => {
            streams::print_message(&message);
            return Exit::Usage;
        }
    };
    let mut reports = session.reports(Stream::Output);
    let mut totals = Totals::default();
    let mut exit = Exit::Holds;
    for file in &files {
        exit = exit.worst(totals.add(file));
        exit = exit.worst(reports.print(&Report::Corpus(file)));
    }
    conclude(session, Stream::Output, reports.finish(exit), &[], &totals)
}

/// The files of all shards, in the order of a single run.
///
/// # Errors
///
/// The message to print, if a shard cannot be read, is missing, is given twice, or is of another run.
fn merged(outputs: &[PathBuf]) -> Result<Vec<CorpusFile>, String> {
    let mut read = Vec::new();
    for path in outputs {
        read.push(output(path)?);
    }
    read.sort_by_key(|output| output.part.shard);
    let Some((first, rest)) = read.split_first() else {
        return Ok(Vec::new());
    };
    for other in rest {
        if let Some(what) = difference(&first.part, &other.part) {
            let (first, other) = (&first.name, &other.name);
            return Err(format!(
                "`{first}` and `{other}` are of different runs: {what}"
            ));
        }
    }
    for two in read.windows(2) {
        if two[0].part.shard == two[1].part.shard {
            let [index, of] = two[0].part.shard;
            let (a, b) = (&two[0].name, &two[1].name);
            return Err(format!("`{a}` and `{b}` are the same shard, {index}/{of}"));
        }
    }
    let of = first.part.shard[1];
    let has = |index: usize| read.iter().any(|output| output.part.shard[0] == index);
    let missing = (1..=of).filter(|&index| !has(index));
    let missing: Vec<String> = missing.map(|index| format!("{index}/{of}")).collect();
    if !missing.is_empty() {
        return Err(format!("missing shards: {}", missing.join(", ")));
    }
    // Shard `i` has every `of`-th file, starting with the `i`-th.
    let all = first.part.files_of_all;
    let mut parts: Vec<_> = read
        .into_iter()
        .map(|output| output.files.into_iter())
        .collect();
    let files: Vec<CorpusFile> = (0..all).filter_map(|at| parts[at % of].next()).collect();
    let in_order = files
        .windows(2)
        .all(|two| Path::new(&two[0].path) < Path::new(&two[1].path));
    let exhausted = parts.iter_mut().all(|part| part.next().is_none());
    if files.len() != all || !in_order || !exhausted {
        return Err("the shards are of different runs: the directory has changed".to_owned());
    }
    Ok(files)
}

/// What distinguishes the runs of two shards.
fn difference(a: &Part, b: &Part) -> Option<String> {
    let keys = a.run.keys().chain(b.run.keys());
    let mut changed = keys.filter(|key| a.run.get(*key) != b.run.get(*key));
    if let Some(key) = changed.next() {
        let value = |part: &Part| {
            part.run
                .get(key)
                .map_or("none".to_owned(), Value::to_string)
        };
        return Some(format!("{key} is {} and {}", value(a), value(b)));
    }
    let ([_, of_a], [_, of_b]) = (a.shard, b.shard);
    if of_a != of_b {
        return Some(format!("one of {of_a} shards, and one of {of_b}"));
    }
    (a.files_of_all != b.files_of_all)
        .then(|| format!("{} and {} files", a.files_of_all, b.files_of_all))
}

/// Reads the output of a shard.
fn output(path: &Path) -> Result<Output, String> {
    let name = path.display().to_string();
    let wrong = |why: &str| {
        format!("`{name}` is not the whole output of `corpus --shard I/N --json`: {why}")
    };
    let bytes = input::bytes(path)?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(&error.to_string()))?;
    let (lines, last) = match text.trim_end().rsplit_once('\n') {
        Some((lines, last)) => (lines, last),
        None => ("", text.trim_end()),
    };
    let part: Part = serde_json::from_str(last)
        .map_err(|_| wrong("the last line, which is about the shard, is missing"))?;
    let [index, of] = part.shard;
    if part.schema != json::SCHEMA || part.command != "corpus" || !(1..=of).contains(&index) {
        return Err(wrong("the last line is not about a shard"));
    }
    let directory = part.run.get("directory").and_then(Value::as_str);
    let directory = Path::new(directory.unwrap_or_default());
    let of_name = |name: &String| CorpusFile {
        name: name.clone(),
        path: directory.join(name).display().to_string(),
        defect: part.internal_errors.contains(name),
        ..CorpusFile::default()
    };
    let mut files: Vec<CorpusFile> = part.files.iter().map(of_name).collect();
    let mut count = 0;
    for (line, number) in lines.lines().zip(1..) {
        let parsed: Line = serde_json::from_str(line)
            .map_err(|error| wrong(&format!("line {number}: {error}")))?;
        let file = files.iter_mut().find(|file| file.name == parsed.file);
        let file = file.ok_or_else(|| wrong(&format!("line {number}: not a file of it")))?;
        let result = result(&parsed);
        file.lines.push(CorpusLine {
            number: parsed.number.unwrap_or_default(),
            text: parsed.expectation,
            kind: parsed.kind.into(),
            seconds: None,
            result: result.ok_or_else(|| wrong(&format!("line {number}: no result")))?,
            certificate: parsed.certificate.map(|made| match made.none_because {
                Some(why) => Certificate::None(why),
                None => Certificate::Made {
                    text: String::new(),
                    evidence: Evidence {
                        states: made.states.unwrap_or_default(),
                        views: made.views.unwrap_or_default(),
                        clauses: made.clauses.unwrap_or_default(),
                    },
                },
            }),
        });
        count += 1;
    }
    if count != part.expectations {
        let expected = part.expectations;
        return Err(wrong(&format!("{count} of {expected} expectations")));
    }
    Ok(Output { name, part, files })
}

fn result(line: &Line) -> Option<LineResult> {
    match line.result.as_str() {
        "met" => Some(LineResult::Judged(Judgement::Met)),
        "missed" => Some(LineResult::Failed {
            expected: line.expected.clone()?,
            found: line.found.clone()?,
        }),
        "not run" => line.reason.clone().map(LineResult::NotRun),
        _ => None,
    }
}
