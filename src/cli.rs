//! The command line: arguments, files, colour, time.
//!
//! The only module that reads the clock, the environment, the disk and the terminal. Answers go to
//! standard output, everything else to standard error; the exit code encodes the verdict (`Exit`).
//! Engines run on a thread of their own (`limits`), so that a timeout or an interrupt takes effect
//! even if an engine does not return in time.
//!
//! **Absent.** Everything that decides an answer.

#![allow(clippy::print_stderr, reason = "this module prints to the terminal")]

mod cargo;
mod certificate;
mod check;
mod corpus;
mod database;
mod driver;
mod example;
mod exit;
mod export;
mod fence;
mod grammar;
mod guard;
mod help;
mod input;
mod instrument;
mod jobs;
mod limits;
mod manual;
mod memory;
mod merge;
mod output;
mod packages;
mod pager;
mod program;
mod progress;
mod reasons;
mod robust;
mod show;
mod solver;
mod streams;
mod tally;
mod values;
mod workers;

pub use cargo::cargo_main;
/// The files of a corpus, for the tests of the crate.
pub use corpus::{collect as corpus_files, options as corpus_options};

use crate::expect::Tools;
use crate::formats::{Compiler, Format};
use crate::model::Model;
use crate::report::MessageFormat;
use crate::solve::SolverKind;
use crate::techniques::Techniques;
use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use driver::Session;
use exit::Exit;
use program::ProgramArgs;
use rayon::ThreadPoolBuilder;
use std::ffi::OsString;
use std::path::Path;
use std::process;
use values::{language, named, seconds};

/// Turns the table of commands into what clap parses and the code that runs each command.
macro_rules! commands {
    ($($(#[doc = $about:literal])+ $word:ident: $name:ident($arguments:ty) => $driver:path, $codes:path;)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[doc = $about])+ #[command(name = stringify!($word), after_help = $codes)] $name($arguments),)+
        }

        /// The names of all commands.
        const COMMANDS: &[&str] = &[$(stringify!($word)),+];

        impl Command {
            fn run(&self, session: &Session) -> Exit {
                match self {
                    $(Command::$name(arguments) => $driver(arguments, session),)+
                }
            }
        }
    };
}

// Each row: what `--help` prints, the command's name, its variant and arguments, its driver, and its exit codes.
commands! {
    /// Check assertions and forbidden states
    check: Check(check::Check) => driver::answer, EXIT_CODES;
    /// Decide robustness: does store buffering add any behaviour?
    robust: Robust(robust::Robust) => robust::run, codes::ROBUST;
    /// Find the cheapest set of fences, and write them into the program
    fence: Fence(fence::Fence) => driver::answer, codes::FENCE;
    /// List the candidate attacks, or print the instrumented program of one
    instrument: Instrument(instrument::Instrument) => driver::make, codes::MAKE;
    /// Print or draw the program as automata
    show: Show(show::Show) => driver::make, codes::MAKE;
    /// Write the formula of a goal as DIMACS CNF
    export: Export(export::Export) => driver::make, codes::MAKE;
    /// Check the expectations (`//:`, `#:`, `(*: *)`) of all programs in a directory
    corpus: Corpus(corpus::Corpus) => corpus::run, codes::CORPUS;
    /// Join the outputs of all shards of `robust` or `corpus`
    merge: Merge(merge::Merge) => merge::run, codes::ROBUST;
    /// Print a program to begin with, or list them: `fencepost example peterson.c > peterson.c`
    example: Example(example::Printed) => example::run, codes::MAKE;
    /// Explain a command or a topic: `language`, `tutorial` and others
    help: Help(help::Help) => help::run, codes::MAKE;
    /// Print completions for a shell: `fencepost completions bash`
    completions: Completions(manual::Completions) => manual::completions, codes::MAKE;
    /// Print a page for `man`: `fencepost man | man -l -`
    man: Man(manual::Manual) => manual::manual, codes::MAKE;
    /// Print a TextMate grammar, by which editors colour programs (`.fence`)
    grammar: Grammar(grammar::Grammar) => grammar::run, codes::MAKE;
    /// Print the JSON schema of what `--json` prints
    schema: Schema(manual::Schema) => manual::schema, codes::MAKE;
}

const EXIT_CODES: &str = "Exit codes: 0 holds, 1 violated, 2 invalid input or command line, 3 undecided, \
                          70 internal error.";

/// What the exit codes of a command mean, where that is not what they mean in general.
mod codes {
    pub(super) const ROBUST: &str = "Exit codes: 0 robust, 1 not robust, 2 invalid input or command line, \
                                     3 undecided, 70 internal error.";
    pub(super) const FENCE: &str = "Exit codes: 0 fences found, or none needed, 1 no allowed fences help, \
                                    2 invalid input or command line, 3 undecided, 70 internal error.";
    pub(super) const CORPUS: &str = "Exit codes: 0 all expectations are met, 1 one is missed, 2 invalid input \
                                     or command line, 3 one is undecided, 70 internal error.";
    pub(super) const MAKE: &str = "Exit codes: 0 done, 2 invalid input or command line, 3 stopped at a limit, \
                                   70 internal error.";
}

impl Command {
    /// The programs of a command that computes a verdict about each.
    fn program_mut(&mut self) -> Option<&mut ProgramArgs> {
        match self {
            Command::Check(arguments) => Some(arguments.program_mut()),
            Command::Robust(arguments) => Some(arguments.program_mut()),
            Command::Fence(arguments) => Some(arguments.program_mut()),
            Command::Instrument(_)
            | Command::Show(_)
            | Command::Export(_)
            | Command::Corpus(_)
            | Command::Merge(_)
            | Command::Example(_)
            | Command::Grammar(_)
            | Command::Help(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Schema(_) => None,
        }
    }

    /// Lets a command that finds fences write them into the files of each program.
    fn fix(&mut self) {
        if let Command::Fence(arguments) = self {
            arguments.fix();
        }
    }
}

/// A SAT-based verifier for concurrent programs on store-buffer memory.
#[derive(Parser, Debug)]
#[command(
    name = "fencepost",
    version,
    about,
    disable_help_subcommand = true,
    after_help = format!("{}\n\n{EXIT_CODES}", help::topics())
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

/// The headings of options that several commands have.
const INPUT: &str = "Input";
const LIMITS: &str = "Limits";
const OUTPUT: &str = "Output";
const SOLVER: &str = "Solver";

/// Options of every command.
#[derive(Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent option"
)]
struct Global {
    /// Print JSON, one object per line: `--message-format json`
    #[arg(help_heading = OUTPUT, long, global = true, conflicts_with = "message_format")]
    json: bool,
    /// Format of the output: `sarif` is one log of all results, for code hosts and editors, and `github`
    /// one annotation per line, for GitHub Actions
    #[arg(help_heading = OUTPUT, long, global = true, default_value_t, value_name = "FORMAT", value_parser = named(MessageFormat::ALL, MessageFormat::name))]
    message_format: MessageFormat,
    /// Stop after this many seconds (`corpus`: per expectation)
    #[arg(help_heading = LIMITS, long, global = true, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// Stop before the process uses more memory than this, such as `4G` or `512M` (default: three
    /// quarters of the available memory)
    #[arg(help_heading = LIMITS, long, global = true, value_name = "SIZE", value_parser = memory::size)]
    memory: Option<u64>,
    /// Number of parallel jobs, up to the number of CPUs (default: number of CPUs)
    #[arg(help_heading = LIMITS, long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// SAT solver to use
    #[arg(help_heading = SOLVER, long, global = true, value_name = "NAME", default_value_t, value_parser = named(SolverKind::ALL.iter().copied(), SolverKind::name))]
    solver: SolverKind,
    /// Program that searches for models instead, such as `kissat -q`: it gets a file in DIMACS as its last
    /// argument, and answers as in SAT competitions. Its models are checked; where it finds none, the
    /// solver that `--solver` names has to agree
    #[arg(help_heading = SOLVER, long, global = true, value_name = "CMD", value_parser = solver::command)]
    solver_command: Option<solver::SolverCommand>,
    /// Techniques not to use: passes that make a question easier, reductions of the explicit search, and static
    /// arguments against attacks. No verdict depends on them
    #[arg(help_heading = SOLVER, long, global = true, value_name = "TECHNIQUE", value_delimiter = ',', value_parser = PossibleValuesParser::new(Techniques::names()))]
    without: Vec<String>,
    /// Print only the verdict
    #[arg(help_heading = OUTPUT, long, short, global = true)]
    quiet: bool,
    /// Also print local steps and statistics
    #[arg(help_heading = OUTPUT, long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// When to use colour
    #[arg(help_heading = OUTPUT, long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    /// Input format; `auto` detects it from the file name and the beginning of the text
    #[arg(help_heading = INPUT, long, global = true, default_value = "auto", value_name = "FORMAT", value_parser = language())]
    format: Language,
    /// Compiler whose machine code a C program is checked as: not every compiler emits a locked
    /// instruction for an atomic operation that changes nothing, or whose result is unused
    #[arg(help_heading = INPUT, long, global = true, default_value_t, value_name = "NAME", value_parser = named(Compiler::ALL, Compiler::name))]
    compiler: Compiler,
    /// Whether what is wrong with a program is in the line about it, and nowhere else.
    #[arg(skip)]
    brief: bool,
}

impl Global {
    /// The techniques that are left.
    fn techniques(&self) -> Techniques {
        let names = self.without.iter();
        names.fold(Techniques::default(), |left, name| {
            left.without(name).unwrap_or(left)
        })
    }

    /// With what expectations are checked.
    fn tools(&self) -> Tools {
        Tools {
            solver: self.solver,
            techniques: self.techniques(),
        }
    }

    fn message_format(&self) -> MessageFormat {
        if self.json {
            MessageFormat::Json
        } else {
            self.message_format
        }
    }

    /// The option that chose the format of the output, for messages.
    fn message_format_option(&self) -> String {
        match self.message_format() {
            MessageFormat::Json => "--json".to_owned(),
            other @ (MessageFormat::Text | MessageFormat::Sarif | MessageFormat::Github) => {
                format!("--message-format {}", other.name())
            }
        }
    }

    fn input_format(&self) -> Option<Format> {
        match self.format {
            Language::Auto => None,
            Language::Given(format) => Some(format),
        }
    }
}

/// The format of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Auto,
    Given(Format),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Color {
    /// If the output is a terminal and `NO_COLOR` is not set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Runs the command that the arguments name and ends the process with its exit code.
pub fn main() -> ! {
    streams::keep_panics_silent();
    let arguments = as_long_options(std::env::args_os());
    let arguments = with_all_models(with_command(arguments));
    let arguments = Arguments::parse_from(arguments);
    // A panic is a defect, and never a verdict.
    let exit = guard::guarded(|| run(&arguments)).unwrap_or_else(|exit| exit);
    // Abandoned engine threads may still be running. Exiting ends them.
    process::exit(exit.code())
}

/// Arguments with the options of C compilers that are one word after one dash as long options.
fn as_long_options(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let options = arguments.iter_mut().skip(1).take_while(|one| *one != "--");
    for argument in options {
        for option in ["-isystem", "-include"] {
            let rest = argument.to_str().and_then(|text| text.strip_prefix(option));
            if let Some(rest) = rest {
                let equals = if rest.is_empty() { "" } else { "=" };
                *argument = format!("-{option}{equals}{rest}").into();
                break;
            }
        }
    }
    arguments
}

/// Arguments with the command `check` where a file is named in its place.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_command = |word: &OsString| {
        let mut commands = Arguments::command();
        commands
            .get_subcommands_mut()
            .any(|one| *word == *one.get_name())
    };
    if let Some(first) = arguments.get(1)
        && !is_command(first)
        && Path::new(first).exists()
    {
        arguments.insert(1, "check".into());
    }
    arguments
}

/// Arguments with the models of the command in place of `--model all`.
fn with_all_models(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let weak = arguments.get(1).is_some_and(|command| command != "check");
    let models = Model::ALL.into_iter();
    let models = models.filter(|model| !weak || model.relaxes_store_load());
    let models: Vec<&str> = models.map(Model::name).collect();
    let models = models.join(",");
    for at in 2..arguments.len() {
        if arguments[at] == "--" {
            break;
        }
        if arguments[at] == "--model=all" {
            arguments[at] = format!("--model={models}").into();
        } else if arguments[at] == "all" && arguments[at - 1] == "--model" {
            arguments[at] = models.clone().into();
        }
    }
    arguments
}

fn run(arguments: &Arguments) -> Exit {
    set_up(&arguments.global);
    arguments.command.run(&Session::new(&arguments.global))
}

/// Sets up what is the same for all commands of the process.
fn set_up(global: &Global) {
    limits::catch_interrupts();
    if let Some(solver) = &global.solver_command {
        solver::choose(solver);
    }
    // If this fails, rayon uses a pool of the default size, which the environment may set.
    let _ = ThreadPoolBuilder::new()
        .num_threads(jobs::number(global))
        .build_global();
}
