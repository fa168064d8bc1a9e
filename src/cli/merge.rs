//! `fencepost merge`: the outputs of all shards of a run, joined to one.

use super::driver::{Session, Stream, print};
use super::exit::{Bounded, Exit};
use super::{corpus, input, streams};
use crate::report::{MessageFormat, RobustResult, ShardOutput, WrittenVerdict, joined, read_shard};
use crate::visible::visible;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
pub(super) struct Merge {
    /// The outputs of all shards of `robust` or of `corpus`, with `--json`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Count "robust within bounds" as success
    #[arg(long)]
    accept_bounded: bool,
}

/// Prints the results of all shards as those of a single run.
pub(super) fn run(merge: &Merge, session: &Session) -> Exit {
    joins(merge, session, Commands::Any)
}

/// The same for shards of `robust` only.
pub(super) fn of_robust(files: &[PathBuf], accept_bounded: bool, session: &Session) -> Exit {
    let merge = Merge {
        files: files.to_vec(),
        accept_bounded,
    };
    joins(&merge, session, Commands::Robust)
}

/// The commands whose shards may be joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commands {
    Any,
    Robust,
}

fn joins(merge: &Merge, session: &Session, commands: Commands) -> Exit {
    match results(merge, session, commands) {
        Ok(Some(results)) => {
            let bounded = Bounded::new(merge.accept_bounded);
            let each = results.iter().map(|result| one(result, session, bounded));
            each.fold(Exit::Holds, Exit::worst)
        }
        Ok(None) => corpus::merged(&merge.files, session),
        Err(message) => {
            streams::print_message(&message);
            Exit::Usage
        }
    }
}

/// The joined results of `robust`; `None` if the outputs are of `corpus`.
///
/// # Errors
///
/// The message to print, if they cannot be joined.
fn results(
    merge: &Merge,
    session: &Session,
    commands: Commands,
) -> Result<Option<Vec<RobustResult>>, String> {
    let mut shards = Vec::new();
    for file in &merge.files {
        let (name, text) = text(file)?;
        match (read_shard(&name, &text)?, commands) {
            (ShardOutput::Robust(read), _) => shards.extend(read),
            (ShardOutput::Corpus, Commands::Any) if shards.is_empty() => return Ok(None),
            (ShardOutput::Corpus, Commands::Any) => {
                return Err("shards of `robust` and of `corpus` cannot be joined".to_owned());
            }
            (ShardOutput::Corpus, Commands::Robust) => {
                return Err("these are shards of `corpus`: use `corpus --merge`".to_owned());
            }
        }
    }
    match session.format() {
        MessageFormat::Text | MessageFormat::Json => joined(shards).map(Some),
        MessageFormat::Sarif | MessageFormat::Github => Err(format!(
            "`{}`: shards of `robust` are joined as text or with `--json`",
            session.global.message_format_option()
        )),
    }
}

/// The name of a file with the output of a shard, and its text.
///
/// # Errors
///
/// The message to print, if it cannot be read.
pub(super) fn text(file: &Path) -> Result<(String, String), String> {
    let name = file.display().to_string();
    match String::from_utf8(input::bytes(file)?) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(format!("`{name}` is not the output of a shard: {error}")),
    }
}

/// Prints a result. The exit code is that of its verdict.
fn one(result: &RobustResult, session: &Session, bounded: Bounded) -> Exit {
    let text = if session.format().is_for_people() {
        Ok(visible(&result.sentence()).into_owned())
    } else {
        result.line()
    };
    let exit = match result.verdict() {
        WrittenVerdict::Holds => Exit::Holds,
        WrittenVerdict::Violated => Exit::Violated,
        WrittenVerdict::Within if bounded == Bounded::IsAccepted => Exit::Holds,
        WrittenVerdict::Within | WrittenVerdict::Unknown => Exit::Undecided,
    };
    print(text, Stream::Output).worst(exit)
}
