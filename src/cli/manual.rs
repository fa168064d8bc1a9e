//! `fencepost completions`, `man` and `schema`: what other programs need to know of this one.

use super::driver::{Stream, print};
use super::exit::Exit;
use super::streams;
use super::{Arguments, Session};
use crate::report::json;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

#[derive(Args, Clone, Debug)]
pub(super) struct Completions {
    /// The shell that reads them
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions for a shell.
pub(super) fn completions(arguments: &Completions, _: &Session) -> Exit {
    let mut bytes = Vec::new();
    let mut program = Arguments::command();
    clap_complete::generate(arguments.shell, &mut program, "fencepost", &mut bytes);
    print_bytes(&bytes)
}

#[derive(Args, Clone, Debug)]
pub(super) struct Manual {
    /// The page of this command; without one, that of the program
    command: Option<String>,
}

/// Prints a page of the manual.
pub(super) fn manual(arguments: &Manual, _: &Session) -> Exit {
    let mut program = Arguments::command();
    program.build();
    let command = match &arguments.command {
        None => &program,
        Some(name) => {
            let Some(command) = program.find_subcommand(name) else {
                streams::print_message(&format!("there is no command `{name}`"));
                return Exit::Usage;
            };
            command
        }
    };
    let mut bytes = Vec::new();
    match Man::new(command.clone()).render(&mut bytes) {
        Ok(()) => print_bytes(&bytes),
        Err(error) => {
            streams::print_message(&format!("internal error: {error}"));
            Exit::Internal
        }
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct Schema {}

/// Prints the schema of what `--json` prints.
pub(super) fn schema(_: &Schema, _: &Session) -> Exit {
    print(json::schema(), Stream::Output)
}

fn print_bytes(bytes: &[u8]) -> Exit {
    print(
        Ok(String::from_utf8_lossy(bytes).into_owned()),
        Stream::Output,
    )
}
