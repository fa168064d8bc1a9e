//! `fencepost show`: the program as automata.

use super::input::{self, Input};
use super::{Exit, Global, ShowArguments, streams};
use crate::program::PropertyKind;
use crate::report::dot;
use crate::syntax::{Format, print_as};

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
            Ok(text) => {
                say_what_is_lost(&input, arguments.form);
                text
            }
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

/// Says which observations a format has left out, having no words for them.
fn say_what_is_lost(input: &Input, form: Format) {
    let says_observations = match form {
        Format::Fence | Format::Litmus | Format::C => true,
        Format::Trencher => false,
    };
    let properties = input.program.properties().iter();
    let observed = properties.filter(|property| property.kind == PropertyKind::Exists);
    if !input.program.limits().is_empty() {
        streams::complain(&format!(
            "warning: {}: values that may leave 32 bits are printed as `property`: there the answer \
             ends",
            input.file
        ));
    }
    for property in observed.filter(|_| !says_observations) {
        let line = property.origin.line;
        streams::complain(&format!(
            "warning: {}: line {line}: an `exists` cannot be said in `{form}` and is left out",
            input.file
        ));
    }
}
