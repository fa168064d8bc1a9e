//! The outputs of all shards of `corpus`.
//!
//! ```text
//! corpus DIR --shard 1/2 --json > 1.jsonl      one object per expectation, and one about the shard
//! corpus DIR --shard 2/2 --json > 2.jsonl
//! ```
//!
//! The object about the shard is the last line, so an output that was cut off has none. It lists the files
//! and everything that the results depend on: shards of different runs cannot be joined.

use super::super::json::{self, SCHEMA};
use super::super::view::CorpusFile;
use super::{Shard, each_once};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

/// The last line of a shard's output.
#[derive(Debug, Serialize, Deserialize)]
pub struct CorpusShard {
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

impl CorpusShard {
    /// The key of the directory in what the results depend on.
    pub const DIRECTORY: &str = "directory";

    /// The shard that was reported as these files, in a run that depends on this.
    pub fn new(
        shard: Shard,
        run: Map<String, Value>,
        of_all: usize,
        reported: &[CorpusFile],
    ) -> Self {
        let broken = reported.iter().filter(|file| file.defect);
        Self {
            schema: SCHEMA,
            tool: "fencepost".to_owned(),
            command: "corpus".to_owned(),
            shard: [shard.index, shard.of],
            run,
            files: reported.iter().map(|file| file.name.clone()).collect(),
            files_of_all: of_all,
            expectations: reported.iter().map(|file| file.lines.len()).sum(),
            internal_errors: broken.map(|file| file.name.clone()).collect(),
        }
    }

    /// The line, terminated.
    ///
    /// # Errors
    ///
    /// If serialization fails, which no value is expected to cause.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }

    fn shard(&self) -> Shard {
        let [index, of] = self.shard;
        Shard { index, of }
    }
}

/// The output of a shard.
struct Output {
    /// The name of the file with the output.
    name: String,
    part: CorpusShard,
    files: Vec<CorpusFile>,
}

/// The files of all shards, in the order of a single run. Given are the names of the outputs and their texts, or
/// why one could not be read.
///
/// # Errors
///
/// The message to print, if a shard cannot be read, is missing, is given twice, or is of another run.
pub fn joined_corpus(
    outputs: impl Iterator<Item = Result<(String, String), String>>,
) -> Result<Vec<CorpusFile>, String> {
    let outputs = outputs.map(|output| output.and_then(|(name, text)| read(name, &text)));
    let mut outputs = outputs.collect::<Result<Vec<_>, _>>()?;
    outputs.sort_by_key(|output| output.part.shard);
    let Some((first, rest)) = outputs.split_first() else {
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
    let named = outputs.iter().map(|one| (&*one.name, one.part.shard()));
    each_once(&named.collect::<Vec<_>>(), "are the same shard", "")?;
    // Shard `i` has every `of`-th file, starting with the `i`-th.
    let (all, of) = (first.part.files_of_all, outputs.len());
    let parts = outputs.into_iter().map(|output| output.files.into_iter());
    let mut parts: Vec<_> = parts.collect();
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
fn difference(a: &CorpusShard, b: &CorpusShard) -> Option<String> {
    let keys = a.run.keys().chain(b.run.keys());
    let mut changed = keys.filter(|key| a.run.get(*key) != b.run.get(*key));
    if let Some(key) = changed.next() {
        let value = |part: &CorpusShard| {
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
fn read(name: String, text: &str) -> Result<Output, String> {
    let wrong = |why: &str| {
        format!("`{name}` is not the whole output of `corpus --shard I/N --json`: {why}")
    };
    let text = text.trim_end();
    let (lines, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let part: CorpusShard = serde_json::from_str(last)
        .map_err(|_| wrong("the last line, which is about the shard, is missing"))?;
    let [index, of] = part.shard;
    if part.schema != SCHEMA || part.command != "corpus" || !(1..=of).contains(&index) {
        return Err(wrong("the last line is not about a shard"));
    }
    let directory = part.run.get(CorpusShard::DIRECTORY).and_then(Value::as_str);
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
        let wrong = |why: &str| wrong(&format!("line {number}: {why}"));
        let (file, line) = json::corpus_line(line).map_err(|error| wrong(&error.to_string()))?;
        let file = files.iter_mut().find(|known| known.name == file);
        let file = file.ok_or_else(|| wrong("not a file of it"))?;
        file.lines.push(line.ok_or_else(|| wrong("no result"))?);
        count += 1;
    }
    if count != part.expectations {
        let expected = part.expectations;
        return Err(wrong(&format!("{count} of {expected} expectations")));
    }
    Ok(Output { name, part, files })
}
