//! `fencepost show`: the program as automata.

use super::{Exit, Global, ShowArguments, input, streams};
use crate::report::dot;
use crate::syntax::print_as;

/// Runs the command: the automaton form, which reads back, or a drawing.
pub(super) fn run(arguments: &ShowArguments, global: &Global) -> Exit {
    let input = match input::read(&arguments.file, global) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let text = match (arguments.dot, arguments.svg) {
        (true, _) => dot::automata(&input.program),
        (false, true) => dot::svg(&input.program),
        (false, false) => match print_as(arguments.form, &input.program) {
            Ok(text) => text,
            Err(unprintable) => {
                let format = arguments.form;
                streams::complain(&format!("this program cannot be said in `{format}`:"));
                for what in unprintable {
                    streams::complain(&format!("{}: {what}", input.file));
                }
                return Exit::Usage;
            }
        },
    };
    streams::print(&text)
}
