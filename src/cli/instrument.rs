//! `fencepost instrument`: the program that looks for an attack, as a program.

use super::input::{self, Input};
use super::limits::Limits;
use super::{Exit, Global, InstrumentArguments, streams};
use crate::analysis::Values;
use crate::program::print;
use crate::report::Source;
use crate::robustness::{Attack, Pruning, RobustOptions, attacks, derived_program};
use crate::visible::visible_line;

/// Runs the command.
pub(super) fn run(arguments: &InstrumentArguments, global: &Global) -> Exit {
    let limits = Limits::new(global);
    let input = match input::read(&arguments.file, global, limits) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let options = RobustOptions {
        method: arguments.method,
        ..RobustOptions::new(arguments.model)
    };
    let number = arguments.attack;
    let answer = limits.work(move || text(&input, &options, number));
    match answer.whole("looking for attacks") {
        Ok(Ok(text)) => streams::show(&text),
        Ok(Err(message)) => {
            streams::complain(&message);
            Exit::Usage
        }
        Err(exit) => exit,
    }
}

/// The program for the attack of this number, or without one the list of attacks.
///
/// # Errors
///
/// What to tell the user if there is no such program.
fn text(input: &Input, options: &RobustOptions, number: Option<usize>) -> Result<String, String> {
    let program = &input.program;
    let values = Values::of(program);
    let found = attacks(program, &values, options.model, Pruning::NONE).open;
    let source = Source {
        file: &input.file,
        text: &input.text,
        format: input.format,
        program,
    };
    let Some(number) = number else {
        return Ok(list(&source, &found));
    };
    let Some(&attack) = number.checked_sub(1).and_then(|index| found.get(index)) else {
        return Err(format!(
            "there is no attack {number}: there are {} under {}, and `fencepost instrument` \
             without `--attack` lists them",
            found.len(),
            options.model,
        ));
    };
    match derived_program(program, options, &[attack]) {
        Ok(derived) => Ok(print(&derived.program)),
        Err(reason) => Err(reason.to_string()),
    }
}

/// All attacks with their numbers.
fn list(source: &Source<'_>, attacks: &[Attack]) -> String {
    let mut text = String::new();
    for (index, attack) in attacks.iter().enumerate() {
        let (store, last) = (attack.store_site(), attack.last_site());
        let thread = source.program.thread(attack.thread).name();
        let line = format!(
            "{:>3}  {thread}: `{}` ({}) past `{}` ({})",
            index + 1,
            source.statement(store),
            source.place(store),
            source.statement(last),
            source.place(last),
        );
        text.push_str(&visible_line(&line));
        text.push('\n');
    }
    text
}
