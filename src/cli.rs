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
mod corpus;
mod driver;
mod exit;
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

use crate::formats::{Compiler, Format};
use crate::report::MessageFormat;
use crate::solve::SolverKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use driver::Session;
use exit::Exit;
use rayon::ThreadPoolBuilder;
use std::{panic, process};
use values::{language, named, seconds};

/// Turns the table of commands into what clap parses and the code that runs each command.
macro_rules! commands {
    ($($(#[doc = $about:literal])+ $name:ident($arguments:ty) => $driver:path,)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[doc = $about])+ $name($arguments),)+
        }

        impl Command {
            fn run(&self, session: &Session) -> Exit {
                match self {
                    $(Command::$name(arguments) => $driver(arguments, session),)+
                }
            }
        }
    };
}

// Each row: what `--help` prints, the command's name and arguments, and its driver.
commands! {
    /// Can the program reach what it must not reach?
    Check(check::Check) => driver::answer,
    /// Does weak memory add any behaviour at all?
    Robust(robust::Robust) => driver::answer,
    /// Where do fences go, and what is the cheapest set of them?
    Fence(fence::Fence) => driver::answer,
    /// The program that looks for an attack under sequential consistency
    Instrument(instrument::Instrument) => driver::make,
    /// The program as automata
    Show(show::Show) => driver::make,
    /// The question as DIMACS, for any SAT solver
    Export(export::Export) => driver::make,
    /// Run the expectations (`//:`, `#:`, `(*: *)`) of all programs below a directory
    Corpus(corpus::Corpus) => corpus::run,
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
    #[arg(long, global = true, value_name = "NAME", default_value_t, value_parser = named(SolverKind::ALL.iter().copied(), SolverKind::name))]
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
    #[arg(long, global = true, default_value = "auto", value_name = "FORMAT", value_parser = language())]
    format: Language,
    /// Whose machine code a test in C stands for: atomic operations that change nothing, or whose
    /// result is unused, are no locked instructions in all compilers' code
    #[arg(long, global = true, default_value_t, value_name = "NAME", value_parser = named(Compiler::ALL, Compiler::name))]
    compiler: Compiler,
}

impl Global {
    fn message_format(&self) -> MessageFormat {
        if self.json {
            MessageFormat::Json
        } else {
            MessageFormat::Text
        }
    }

    fn input_format(&self) -> Option<Format> {
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
    arguments.command.run(&Session::new(global))
}
