//! `fencepost show` and `fencepost export`: the program in other forms.

use super::{Exit, ExportArguments, Global, ShowArguments, input, streams};
use crate::program::print;
use crate::report::dot;

/// Runs `show`: the automaton form, which reads back, or a drawing.
pub(super) fn run(arguments: &ShowArguments, global: &Global) -> Exit {
    let input = match input::read(&arguments.file, global) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let text = match (arguments.dot, arguments.svg) {
        (true, _) => dot::automata(&input.program),
        (false, true) => dot::svg(&input.program),
        (false, false) => print(&input.program),
    };
    streams::print(&text)
}

/// Runs `export`, whose formula comes from the bounded engine.
pub(super) fn export(arguments: &ExportArguments, global: &Global) -> Exit {
    if let Err(exit) = input::read(&arguments.file, global) {
        return exit;
    }
    streams::complain(&format!(
        "`{}` was not written: the bounded engine, whose formula this is, is not in this version",
        arguments.cnf.display()
    ));
    Exit::Usage
}
