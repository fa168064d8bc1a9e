//! The table of limits: the largest member of each family that a command answers within a time and a
//! memory limit, by this build and, for comparison, by another one.
//!
//! Every member is a process of the tool (`child`). The size doubles until a member is not answered, and
//! the last gap is halved twice. **Incomplete:** a larger member may be answered nevertheless, where
//! cost does not grow with the size.

use crate::child::{self, End, Finished, Limit};
use crate::families::{FAMILIES, Family};
use clap::Parser;
use fencepost::model::Model;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Larger members are not tried: the sizes themselves have to fit into 32 bits.
const LARGEST: u32 = 1 << 30;
/// How many times the gap between an answered member and the next one is halved.
const HALVINGS: u32 = 2;

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

/// The result of a search for the largest member.
#[derive(Debug, Default)]
struct Reach {
    /// The largest member that was answered, and the processor time of the answer.
    answered: Option<(u32, Duration)>,
    /// The smallest member that was not answered.
    failed: Option<(u32, Failure)>,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.answered {
            Some((n, time)) => write!(f, "{n} ({:.2} s)", time.as_secs_f64())?,
            None => write!(f, "–")?,
        }
        match &self.failed {
            Some((n, failure)) => write!(f, " | {n}: {failure}"),
            None => write!(f, " | –"),
        }
    }
}

/// Measures the chosen families and writes the table, line by line.
///
/// # Errors
///
/// If writing or running the tool fails, or if a verdict was wrong.
pub(crate) fn write(
    out: &mut impl Write,
    arguments: impl Iterator<Item = String>,
) -> Result<(), String> {
    let options = Options::try_parse_from(arguments).map_err(|error| error.to_string())?;
    let wrong = table(out, &options).map_err(|error| error.to_string())?;
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("WRONG VERDICTS:\n{}", wrong.join("\n")))
    }
}

/// Writes the table and returns the members with wrong verdicts.
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
            let reach = largest(family.smallest(), &mut trial)?;
            if let Some((n, Failure::Wrong | Failure::Broken(_))) = reach.failed {
                wrong.push(format!("{} {column}, n = {n}", family.name));
            }
            write!(out, " {reach} |")?;
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

/// The largest size that is answered: doubles the size until one is not, then halves the gap.
///
/// # Errors
///
/// If a trial has an error.
fn largest(
    smallest: u32,
    trial: &mut impl FnMut(u32) -> io::Result<Result<Duration, Failure>>,
) -> io::Result<Reach> {
    let mut reach = Reach::default();
    let mut halvings = 0;
    let mut next = Some(smallest);
    while let Some(n) = next {
        match trial(n)? {
            Ok(time) => reach.answered = Some((n, time)),
            // A wrong answer is not a limit of the cost: the search ends at once.
            Err(failure @ (Failure::Wrong | Failure::Broken(_))) => {
                reach.failed = Some((n, failure));
                break;
            }
            Err(failure) => reach.failed = Some((n, failure)),
        }
        let good = reach.answered.as_ref().map(|&(n, _)| n);
        let bad = reach.failed.as_ref().map(|&(n, _)| n);
        next = match (good, bad) {
            (Some(good), None) => (good <= LARGEST / 2).then_some(2 * good),
            (Some(good), Some(bad)) if bad - good > 1 && halvings < HALVINGS => {
                halvings += 1;
                Some(good + (bad - good) / 2)
            }
            (_, _) => None,
        };
    }
    Ok(reach)
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
