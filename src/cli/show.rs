//! `fencepost show`: the program as automata.

use super::{Exit, Global, ShowArguments, input, streams};
use crate::program::print;
use crate::report::dot;

/// Runs the command: the automaton form, which reads back, or a drawing.
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
