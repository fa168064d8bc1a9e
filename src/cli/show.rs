//! `fencepost show`: the program as automata.

use super::input::{self, Input};
use super::limits::Limits;
use super::{Exit, Global, ShowArguments, streams};
use crate::program::PropertyKind;
use crate::report::dot;
use crate::syntax::{Format, print_as};
use std::sync::Arc;

/// Runs the command: the automaton form, which reads back, or a drawing.
pub(super) fn run(arguments: &ShowArguments, global: &Global) -> Exit {
    let limits = Limits::new(global);
    let input = match input::read(&arguments.file, global, limits) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let (shown, form) = (Arc::clone(&input), arguments.form);
    let drawn = match (arguments.dot, arguments.svg) {
        (true, _) => limits.work(move || Ok(dot::automata(&shown.program))),
        (false, true) => limits.work(move || Ok(dot::svg(&shown.program))),
        (false, false) => limits.work(move || print_as(form, &shown.program)),
    };
    match drawn.whole("drawing the program") {
        Ok(Ok(text)) => {
            if !arguments.dot && !arguments.svg {
                say_what_is_lost(&input, form);
            }
            streams::show(&text)
        }
        Ok(Err(unprintable)) => {
            streams::complain(&format!("this program cannot be said in `{form}`:"));
            for what in unprintable {
                streams::complain(&format!("{}: {what}", input.file));
            }
            Exit::Usage
        }
        Err(exit) => exit,
    }
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
