//! `fencepost instrument`: the program that looks for an attack, as a program.

use super::{Exit, Global, InstrumentArguments, input, streams};
use crate::analysis::Values;
use crate::program::print;
use crate::report::Source;
use crate::robustness::{Attack, Pruning, RobustOptions, attacks, derived_program};
use std::fmt::Write as _;

/// Runs the command.
pub(super) fn run(arguments: &InstrumentArguments, global: &Global) -> Exit {
    let input = match input::read(&arguments.file, global) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let program = &input.program;
    let options = RobustOptions {
        method: arguments.method,
        ..RobustOptions::new(arguments.model)
    };
    let values = Values::of(program);
    let found = attacks(program, &values, arguments.model, Pruning::NONE).open;
    let source = Source {
        file: &input.file,
        text: &input.text,
        format: input.format,
        program,
    };
    let Some(number) = arguments.attack else {
        return list(&source, &found);
    };
    let Some(&attack) = number.checked_sub(1).and_then(|index| found.get(index)) else {
        streams::complain(&format!(
            "there is no attack {number}: there are {} under {}, and `fencepost instrument` \
             without `--attack` lists them",
            found.len(),
            arguments.model,
        ));
        return Exit::Usage;
    };
    match derived_program(program, &options, &[attack]) {
        Ok(derived) => streams::print(&print(&derived.program)),
        Err(reason) => {
            streams::complain(&reason.to_string());
            Exit::Usage
        }
    }
}

/// All attacks with their numbers.
fn list(source: &Source<'_>, attacks: &[Attack]) -> Exit {
    let mut text = String::new();
    for (index, attack) in attacks.iter().enumerate() {
        let (store, last) = (attack.store_site(), attack.last_site());
        let thread = source.program.thread(attack.thread).name();
        let _ = writeln!(
            text,
            "{:>3}  {thread}: `{}` ({}) past `{}` ({})",
            index + 1,
            source.statement(store),
            source.place(store),
            source.statement(last),
            source.place(last),
        );
    }
    streams::print(&text)
}
