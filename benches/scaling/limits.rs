//! The table of limits: the largest member of each family that a command answers within a time and a
//! memory limit, by this build and, for comparison, by another one.
//!
//! Every member is checked by a process of the tool (`child`); sizes are tried as in `search`.

use crate::child::{self, End, Finished, Limit};
use crate::families::{FAMILIES, Family};
use crate::search::{Largest, largest};
use clap::Parser;
use fencepost::internals::model::Model;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The options of the table.
#[derive(Parser, Debug)]
pub(crate) struct Options {
    /// Selects this table
    #[arg(long)]
    limits: bool,
    /// Processor time per answer
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Memory per answer, in MiB
    #[arg(long, default_value_t = 4096)]
    memory: u64,
    /// The commands: `check`, `robust`, `fence`
    #[arg(long = "command", value_delimiter = ',', default_value = "check")]
    commands: Vec<String>,
    /// The models
    #[arg(long = "model", value_delimiter = ',', default_value = "tso")]
    models: Vec<String>,
    /// The engine; the default of the command if absent
    #[arg(long)]
    engine: Option<String>,
    /// Another build of the tool, to compare with
    #[arg(long)]
    compare: Option<PathBuf>,
    /// How many times the gap between an answered size and one that was given up is halved
    #[arg(long, default_value_t = 2)]
    halvings: u32,
    /// Only families with exactly these names, not those that contain them
    #[arg(long)]
    exact: bool,
    /// Added by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// The families; all of them if absent
    families: Vec<String>,
}

impl Options {
    fn names(&self, family: &Family) -> bool {
        self.families.is_empty()
            || self.families.iter().any(|name| {
                family.name == name || !self.exact && family.name.contains(name.as_str())
            })
    }

    fn limit(&self) -> Limit {
        Limit {
            time: Duration::from_secs(self.seconds),
            memory: self.memory << 20,
        }
    }
}

/// What is measured: a command under a model, by one build of the tool.
#[derive(Clone, Copy, Debug)]
struct Column<'o> {
    binary: &'o Path,
    label: &'static str,
    command: &'o str,
    model: &'o str,
    engine: Option<&'o str>,
}

impl fmt::Display for Column<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.command, self.model, self.label)
    }
}

/// Why a member was not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Failure {
    Time,
    Memory,
    /// The tool stopped by itself: for a bound, or for a limit of its own.
    Undecided(String),
    /// The tool does not accept the member.
    Refused,
    /// An internal error, or an abnormal end.
    Broken(Option<i32>),
    /// The answer contradicts what is known about the family.
    Wrong,
}

impl Failure {
    /// Whether this is not a matter of cost.
    fn is_defect(&self) -> bool {
        match self {
            Failure::Wrong | Failure::Broken(_) => true,
            Failure::Time | Failure::Memory | Failure::Undecided(_) | Failure::Refused => false,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Time => f.write_str("time"),
            Failure::Memory => f.write_str("memory"),
            Failure::Undecided(why) => write!(f, "undecided{why}"),
            Failure::Refused => f.write_str("refused"),
            Failure::Broken(Some(code)) => write!(f, "**INTERNAL ERROR {code}**"),
            Failure::Broken(None) => f.write_str("**KILLED**"),
            Failure::Wrong => f.write_str("**WRONG VERDICT**"),
        }
    }
}

/// The result of a search for the largest member, with the processor time of its answer.
type Found = Largest<Duration, Failure>;

/// Two cells of the table: the largest member, and the next one with the reason.
fn cells(found: &Found) -> String {
    let largest = found.answered.as_ref().map_or_else(
        || "–".to_owned(),
        |(n, time)| format!("{n} ({:.2} s)", time.as_secs_f64()),
    );
    let next = found
        .failed
        .as_ref()
        .map_or_else(|| "–".to_owned(), |(n, failure)| format!("{n}: {failure}"));
    format!("{largest} | {next}")
}

/// Measures the chosen families and writes the table, line by line.
///
/// # Errors
///
/// If writing or running the tool fails, or if a verdict is wrong.
pub(crate) fn write(
    out: &mut impl Write,
    arguments: impl Iterator<Item = String>,
) -> Result<(), String> {
    let options = Options::try_parse_from(arguments).map_err(|error| error.to_string())?;
    let wrong = table(out, &options).map_err(|error| error.to_string())?;
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("DEFECTS:\n{}", wrong.join("\n")))
    }
}

/// Writes the table and returns the members that show a defect.
fn table(out: &mut impl Write, options: &Options) -> io::Result<Vec<String>> {
    let columns = columns(options);
    writeln!(
        out,
        "The largest n answered within {} s of processor time and {} MiB, and the next one tried.\n",
        options.seconds, options.memory
    )?;
    write!(out, "| family | what |")?;
    for column in &columns {
        write!(out, " {column} | gave up at |")?;
    }
    writeln!(out, "\n|---|---|{}", "--:|---|".repeat(columns.len()))?;
    let folder = tempfile::tempdir()?;
    let mut wrong = Vec::new();
    for family in FAMILIES.iter().filter(|family| options.names(family)) {
        write!(out, "| {} | {} |", family.name, family.what)?;
        for column in &columns {
            let mut trial = |n| column.answer(family, n, options.limit(), folder.path());
            let found = largest(
                family.smallest(),
                options.halvings,
                Failure::is_defect,
                &mut trial,
            )?;
            if let Some((n, failure)) = &found.failed
                && failure.is_defect()
            {
                wrong.push(format!("{} {column}, n = {n}: {failure}", family.name));
            }
            write!(out, " {} |", cells(&found))?;
            out.flush()?;
        }
        writeln!(out)?;
    }
    Ok(wrong)
}

fn columns(options: &Options) -> Vec<Column<'_>> {
    let this = Path::new(env!("CARGO_BIN_EXE_fencepost"));
    let builds = match &options.compare {
        Some(before) => vec![(before.as_path(), ", before"), (this, ", after")],
        None => vec![(this, "")],
    };
    let mut columns = Vec::new();
    for command in &options.commands {
        for model in &options.models {
            columns.extend(builds.iter().map(|&(binary, label)| Column {
                binary,
                label,
                command,
                model,
                engine: options.engine.as_deref(),
            }));
        }
    }
    columns
}

impl Column<'_> {
    /// Checks one member; the processor time if it was answered.
    fn answer(
        &self,
        family: &Family,
        n: u32,
        limit: Limit,
        folder: &Path,
    ) -> io::Result<Result<Duration, Failure>> {
        let file = folder.join(format!("{}-{n}.fence", family.name));
        fs::write(&file, family.text(n))?;
        let mut command = Command::new(self.binary);
        command
            .args([self.command, "--json", "--jobs=1", "--model", self.model])
            .args(self.engine.map(|engine| format!("--engine={engine}")))
            .arg(&file);
        let finished = child::run(&mut command, limit);
        fs::remove_file(&file)?;
        Ok(self.judge(family, &finished?))
    }

    /// Compares the exit code with what is known.
    fn judge(&self, family: &Family, finished: &Finished) -> Result<Duration, Failure> {
        let violated = match finished.end {
            End::Time => return Err(Failure::Time),
            End::Memory => return Err(Failure::Memory),
            End::Exited(Some(0)) => false,
            End::Exited(Some(1)) => true,
            End::Exited(Some(2)) => return Err(Failure::Refused),
            End::Exited(Some(3)) => return Err(Failure::Undecided(reason(&finished.output))),
            End::Exited(code) => return Err(Failure::Broken(code)),
        };
        if self.expected(family).is_none_or(|known| known == violated) {
            Ok(finished.time)
        } else {
            Err(Failure::Wrong)
        }
    }

    /// Whether the command finds a violation, if that is known.
    fn expected(&self, family: &Family) -> Option<bool> {
        let model = Model::ALL
            .into_iter()
            .find(|model| model.name() == self.model)?;
        match self.command {
            "check" => family.known.violated(model),
            "robust" if model == Model::Tso => family.known.robust().map(|robust| !robust),
            // Fences everywhere make every program robust.
            "fence" => Some(false),
            _ => None,
        }
    }
}

/// The reason of an undecided answer, as the tool printed it.
fn reason(json: &str) -> String {
    let line = json.lines().next().unwrap_or_default();
    let report: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    let reason = report["reason"]
        .as_str()
        .map(|reason| reason.replace('|', "/"));
    match (reason, report["bounds"]["unroll"].as_u64()) {
        (Some(reason), _) => format!(": {reason}"),
        (None, Some(unroll)) => format!(": loops were unrolled {unroll} times"),
        (None, None) => String::new(),
    }
}
