//! `corpus --merge`: the outputs of all shards, joined to that of a single run.
//!
//! ```text
//! corpus DIR --shard 1/2 --json > 1.jsonl
//! corpus DIR --shard 2/2 --json > 2.jsonl
//! corpus --merge 1.jsonl 2.jsonl               what `corpus DIR` prints
//! ```

use super::totals::Totals;
use super::{Corpus, conclude};
use crate::cli::driver::{Session, Stream};
use crate::cli::exit::Exit;
use crate::cli::{merge, streams};
use crate::formats::Format;
use crate::report::{CorpusShard, Report, joined_corpus};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// What the results of a run depend on: equal for all its shards.
pub(super) fn basis(arguments: &Corpus, session: &Session) -> Map<String, Value> {
    let global = &session.global;
    let directory = arguments.directory().display().to_string();
    let basis = [
        ("version", Value::from(env!("CARGO_PKG_VERSION"))),
        (CorpusShard::DIRECTORY, directory.into()),
        ("certify", arguments.certify.into()),
        ("filter", arguments.filter.clone().into()),
        ("format", global.input_format().map(Format::name).into()),
        ("compiler", global.compiler.name().into()),
        ("solver", global.solver.name().into()),
        ("without", global.without.clone().into()),
        ("timeout", global.timeout.into()),
        ("memory", global.memory.into()),
    ];
    let basis = basis.map(|(name, value)| (name.to_owned(), value));
    basis.into_iter().collect()
}

/// Prints the results of all shards as those of a single run.
pub(super) fn run(outputs: &[PathBuf], session: &Session) -> Exit {
    let texts = outputs.iter().map(|output| merge::text(output));
    let files = match joined_corpus(texts) {
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
