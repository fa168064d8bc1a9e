//! The command line: arguments, files, colour, time.
//!
//! The only room that reads the clock, the environment, the disk and the terminal. The answer goes
//! to standard output, everything else to standard error; the exit code says which answer it was
//! (`Exit`). Questions are answered on a thread of their own (`limits`), so that a timeout or
//! an interrupt is kept even where an engine does not come back in time.
//!
//! **Absent.** Everything that decides an answer.

#![allow(
    clippy::print_stderr,
    reason = "this is the room that speaks to the terminal"
)]

mod check;
mod core;
mod corpus;
mod export;
mod fence;
mod input;
mod instrument;
mod jobs;
mod limits;
mod memory;
mod output;
mod reasons;
mod robust;
mod show;
mod streams;
mod values;

use crate::check::{Engine, Extension};
use crate::explicit::Reduction;
use crate::fences::{Algorithm, Kinds};
use crate::model::Model;
use crate::robustness::Method;
use crate::solve::SolverKind;
use crate::syntax::{Aim, Compiler, Format};
use clap::{Args, Parser, Subcommand, ValueEnum};
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;
use std::{fs, panic, process};
use values::{
    algorithm_parser, compiler_parser, engine_parser, extension_parser, format_parser,
    method_parser, model_parser, printed_format_parser, seconds, shard, solver_parser,
    weak_model_parser,
};

/// What the exit code says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    /// 0: it holds.
    Holds,
    /// 1: it is violated, and the evidence was shown.
    Violated,
    /// 2: the input or the command line is wrong.
    Usage,
    /// 3: undecided.
    Undecided,
    /// 70: a defect of Fencepost itself; never a verdict.
    Internal,
}

impl Exit {
    fn code(self) -> i32 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Usage => 2,
            Exit::Undecided => 3,
            Exit::Internal => 70,
        }
    }

    /// The worse of two: a defect, then wrong input, then a violation, then no answer.
    fn worst(self, other: Exit) -> Exit {
        let badness = |exit: Exit| match exit {
            Exit::Holds => 0,
            Exit::Undecided => 1,
            Exit::Violated => 2,
            Exit::Usage => 3,
            Exit::Internal => 4,
        };
        if badness(other) > badness(self) {
            other
        } else {
            self
        }
    }
}

/// A SAT-based verifier for concurrent programs on store-buffer memory.
#[derive(Parser, Debug)]
#[command(
    name = "fencepost",
    version,
    about,
    after_help = "Exit codes: 0 holds, 1 violated, 2 wrong input or command line, 3 undecided, \
                  70 internal error."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

/// What every command takes.
#[derive(Args, Clone, Debug)]
struct Global {
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    json: bool,
    /// Give up after this many seconds (`corpus`: on each question)
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// Give up before the process takes more memory than this, as in `4G` or `512M` (default: three
    /// quarters of what is there)
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory::size)]
    memory: Option<u64>,
    /// Work on this many questions at once, up to the number of CPUs (default: all of them)
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// The SAT solver behind the engines that use one
    #[arg(long, global = true, value_name = "NAME", default_value_t, value_parser = solver_parser())]
    solver: SolverKind,
    /// Print the verdict alone
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Show local steps and figures too
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// Use colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    /// What the input is written in; `auto` tells by the file's name and how the text begins
    #[arg(long, global = true, default_value = "auto", value_name = "FORMAT", value_parser = format_parser())]
    format: Language,
    /// Whose machine code a test in C stands for: atomic operations that change nothing, or whose
    /// result is unused, are no locked instructions in all compilers' code
    #[arg(long, global = true, default_value_t, value_name = "NAME", value_parser = compiler_parser())]
    compiler: Compiler,
}

impl Global {
    fn format(&self) -> Option<Format> {
        match self.format {
            Language::Auto => None,
            Language::Given(format) => Some(format),
        }
    }
}

/// What the input is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Auto,
    Given(Format),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Notion {
    /// Has every computation an acyclic happens-before relation?
    #[default]
    Trace,
    /// Is there no triangular race? Stronger: sufficient for the other, not necessary
    Trf,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Can the program reach what it must not reach?
    Check(CheckArguments),
    /// Does weak memory add any behaviour at all?
    Robust(RobustArguments),
    /// Where do fences go, and what is the cheapest set of them?
    Fence(FenceArguments),
    /// The program that looks for an attack under sequential consistency
    Instrument(InstrumentArguments),
    /// The program as automata
    Show(ShowArguments),
    /// The question as DIMACS, for any SAT solver
    Export(ExportArguments),
    /// Run the expectations (`//:`, `#:`, `(*: *)`) of all programs below a directory
    Corpus(CorpusArguments),
}

#[derive(Args, Debug)]
struct CheckArguments {
    /// The program; `-` for standard input
    file: PathBuf,
    /// The memory model; several as a list or by repetition: the worst answer decides the exit code
    #[arg(long, value_delimiter = ',', default_value = "tso", value_parser = model_parser())]
    model: Vec<Model>,
    /// Which engine answers
    #[arg(long, default_value = "auto", value_parser = engine_parser())]
    engine: Engine,
    /// How often the bounded engine follows each loop
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    /// How the lazy engine puts store buffering into the program
    #[arg(long, default_value = "exact", value_parser = extension_parser())]
    extension: Extension,
    /// Exit with 0 where nothing was found within bounds
    #[arg(long)]
    accept_bounded: bool,
    /// Write the happens-before cycle of a violation to this file, in the DOT language
    #[arg(long, value_name = "OUT")]
    cycle: Option<PathBuf>,
    /// Write the racing core of the first violation or observation to this file, as an x86 litmus
    /// test; `-` is standard output
    #[arg(long, value_name = "OUT")]
    litmus: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct RobustArguments {
    /// The program; `-` for standard input
    file: PathBuf,
    /// The memory model; several as a list or by repetition: the worst answer decides the exit code
    #[arg(long, value_delimiter = ',', default_value = "tso", value_parser = weak_model_parser())]
    model: Vec<Model>,
    /// How attacks are looked for
    #[arg(long, default_value = "auto", value_parser = method_parser())]
    method: Method,
    /// Which engine answers
    #[arg(long, default_value = "auto", value_parser = engine_parser())]
    engine: Engine,
    /// What is asked
    #[arg(long, value_enum, default_value_t)]
    notion: Notion,
    /// How often the bounded engine follows each loop
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    /// What the explicit engine leaves out: all, none, or a list of liveness, local, retire,
    /// advance, chains
    #[arg(long, value_name = "LIST", default_value = "all")]
    reduction: Reduction,
    /// Only every N-th attack that needs a search, beginning with the I-th (from 1)
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// End the search at the first feasible attack
    #[arg(long)]
    first: bool,
    /// Exit with 0 where nothing was found within bounds
    #[arg(long)]
    accept_bounded: bool,
    /// Draw the happens-before cycle of the first attack into this file, in the DOT language
    #[arg(long, value_name = "OUT", conflicts_with = "svg")]
    dot: Option<PathBuf>,
    /// Draw it as a picture
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Write the racing core of the first attack to this file, as an x86 litmus test; `-` is
    /// standard output
    #[arg(long, value_name = "OUT")]
    litmus: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag that somebody may give or not"
)]
struct FenceArguments {
    /// The program; `-` for standard input
    file: PathBuf,
    /// The memory model; several as a list or by repetition: the worst answer decides the exit code
    #[arg(long, value_delimiter = ',', default_value = "tso", value_parser = weak_model_parser())]
    model: Vec<Model>,
    /// What the fences are for: robustness, or the program's own assertions
    #[arg(long = "for", value_name = "AIM", default_value = "robustness", value_parser = fence::aim)]
    aim: Aim,
    /// How they are looked for
    #[arg(long, default_value = "auto", value_parser = algorithm_parser())]
    algorithm: Algorithm,
    /// What fences cost: unit, loops (ten times as much for each loop around them), or a file with
    /// lines of a place and its cost, as in `t0@l2 5`
    #[arg(long, value_name = "unit|loops|FILE", default_value = "unit")]
    cost: String,
    /// Which kinds may be put: full, store, xchg (a store made a locked exchange), each with the
    /// factor of its cost if it is not 1, as in `full=3,store,xchg=2`
    #[arg(long, value_name = "LIST", default_value = "full", value_parser = fence::kinds)]
    kinds: Kinds,
    /// List every cheapest set
    #[arg(long)]
    all: bool,
    /// Ask instead which of the program's own fences have to stay
    #[arg(long)]
    minimise: bool,
    /// The first bound on reordered statement pairs, of `robmc` and `robmc-et` (default: 5)
    #[arg(long, value_name = "N")]
    k1: Option<usize>,
    /// The last one (default: all pairs, which is none)
    #[arg(long, value_name = "N")]
    k2: Option<usize>,
    /// Write the program with the first set found to this file, everything else as it was; `-` is
    /// standard output, and the report goes to standard error
    #[arg(long, value_name = "OUT")]
    write: Option<PathBuf>,
    /// Show what that would change, in the unified format
    #[arg(long)]
    diff: bool,
    /// How often loops are followed where no complete engine answers
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    /// Exit with 0 where fences suffice within bounds
    #[arg(long)]
    accept_bounded: bool,
}

#[derive(Args, Debug)]
struct InstrumentArguments {
    /// The program; `-` for standard input
    file: PathBuf,
    /// The attack, by its number from 1; without one, all attacks are listed
    #[arg(long, value_name = "N")]
    attack: Option<usize>,
    /// The memory model
    #[arg(long, default_value = "tso", value_parser = weak_model_parser())]
    model: Model,
    /// The form of instrumentation
    #[arg(long, default_value = "auto", value_parser = method_parser())]
    method: Method,
}

#[derive(Args, Debug)]
struct ShowArguments {
    /// The program; `-` for standard input
    file: PathBuf,
    /// As a drawing in the DOT language
    #[arg(long, conflicts_with = "svg")]
    dot: bool,
    /// As a picture
    #[arg(long)]
    svg: bool,
    /// As text in this language: automata that read back
    #[arg(long = "as", default_value = "fence", value_name = "LANGUAGE", conflicts_with_all = ["dot", "svg"], value_parser = printed_format_parser())]
    form: Format,
}

#[derive(Args, Debug)]
struct ExportArguments {
    /// The program; `-` for standard input
    file: PathBuf,
    /// Where the formula goes; `-` for standard output
    #[arg(long, value_name = "OUT")]
    cnf: PathBuf,
    /// The memory model asked for; the file has the switches of all of them
    #[arg(long, default_value = "tso", value_parser = model_parser())]
    model: Model,
    /// The goal asked for, from 1; needed if the program has several
    #[arg(long, value_name = "N")]
    goal: Option<usize>,
    /// How often each loop may return to its head
    #[arg(long, value_name = "N", default_value_t = 2)]
    unroll: u32,
    /// Give every location a switch for a full fence
    #[arg(long)]
    fences: bool,
}

#[derive(Args, Debug)]
struct CorpusArguments {
    /// The directory
    dir: PathBuf,
    /// Only files whose path below the directory contains this
    filter: Option<String>,
    /// Only every N-th file, beginning with the I-th (from 1)
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Write what was found into the files where it differs from what they expect
    #[arg(long)]
    bless: bool,
    /// With `--bless`: also where that says less than before, as `within` for `holds`
    #[arg(long, requires = "bless")]
    force: bool,
}

/// A part of a corpus: every `of`-th file, beginning with number `index`, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shard {
    index: usize,
    of: usize,
}

/// Runs the command that the arguments name and ends the process with its exit code.
pub fn main() -> ! {
    streams::keep_panics_silent();
    let arguments = Arguments::parse();
    // Whatever panics outside a guarded question is still a defect, never a verdict.
    let exit = panic::catch_unwind(|| run(&arguments)).unwrap_or_else(|payload| {
        streams::report_panic(payload.as_ref());
        Exit::Internal
    });
    // Abandoned questions may still be running: nobody waits for them.
    process::exit(exit.code())
}

fn run(arguments: &Arguments) -> Exit {
    limits::catch_interrupts();
    let global = &arguments.global;
    // Without this pool there is one of the default size, which the environment may say.
    let _ = ThreadPoolBuilder::new()
        .num_threads(jobs::number(global))
        .build_global();
    match &arguments.command {
        Command::Check(check) => check::run(check, global),
        Command::Robust(robust) => robust::run(robust, global),
        Command::Fence(fence) => fence::run(fence, global),
        Command::Instrument(instrument) => instrument::run(instrument, global),
        Command::Show(show) => show::run(show, global),
        Command::Export(export) => export::run(export, global),
        Command::Corpus(corpus) => corpus::run(corpus, global),
    }
}

/// The models that were asked for, each once, in the order of their first mention.
fn distinct(asked: &[Model]) -> Vec<Model> {
    let mut models = Vec::new();
    for &model in asked {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}

/// The largest resident set of this process so far, where the system tells.
fn peak_rss_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
