//! `fencepost show`: the program as automata.

use super::{Exit, Form, Global, ShowArguments, input, streams};
use crate::program::print;
use crate::report::dot;
use crate::syntax::print_trencher;

/// Runs the command: the automaton form, which reads back, or a drawing.
pub(super) fn run(arguments: &ShowArguments, global: &Global) -> Exit {
    let input = match input::read(&arguments.file, global) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let text = match (arguments.dot, arguments.svg) {
        (true, _) => dot::automata(&input.program),
        (false, true) => dot::svg(&input.program),
        (false, false) => match arguments.form {
            Form::Fence => print(&input.program),
            Form::Trencher => match print_trencher(&input.program) {
                Ok(text) => text,
                Err(unprintable) => {
                    streams::complain("this program cannot be said in Trencher's format:");
                    for what in unprintable {
                        streams::complain(&format!("{}: {what}", input.file));
                    }
                    return Exit::Usage;
                }
            },
        },
    };
    streams::print(&text)
}
