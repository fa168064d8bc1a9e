//! `fencepost instrument`: the instrumented program of an attack, as a program.

use super::driver::{OnlyOne, Product, unwritten};
use super::input::Input;
use super::program::ProgramArgs;
use super::values::{named, weak_model};
use crate::facts::Values;
use crate::model::Model;
use crate::program::print;
use crate::report::{MessageFormat, Source, json};
use crate::robustness::{Attack, Method, Pruning, RobustOptions, attacks, derived_program};
use crate::visible::visible_line;
use clap::Args;

#[derive(Args, Clone, Debug)]
pub(super) struct Instrument {
    #[command(flatten)]
    program: ProgramArgs,
    /// Number of the attack, from 1; by default, all attacks are listed
    #[arg(long, value_name = "N")]
    attack: Option<usize>,
    /// Memory model
    #[arg(long, default_value = "tso", value_parser = weak_model())]
    model: Model,
    /// Instrumentation to use
    #[arg(long, default_value = "auto", value_parser = named(Method::ALL.iter().copied(), Method::name))]
    method: Method,
}

impl Product for Instrument {
    const NAME: &'static str = "instrument";
    const DOING: &'static str = "listing attacks";

    fn program(&self) -> &ProgramArgs {
        &self.program
    }

    fn is_for_one(&self) -> Option<OnlyOne> {
        self.attack.map(|_| OnlyOne {
            option: "--attack",
            because: "chooses among the attacks on one program",
        })
    }

    /// The instrumented program of the given attack, or the list of attacks.
    fn make(&self, input: &Input, format: MessageFormat) -> Result<String, Vec<String>> {
        let options = RobustOptions::new(self.model).method(self.method);
        let program = &input.program;
        let values = Values::of(program);
        let found = attacks(program, &values, options.model, Pruning::NONE).open;
        let source = input.source();
        let Some(number) = self.attack else {
            return match format {
                MessageFormat::Text | MessageFormat::Sarif | MessageFormat::Github => {
                    Ok(list(&source, &found))
                }
                MessageFormat::Json => {
                    let numbered = found.iter().zip(1..);
                    let all: Vec<_> = numbered.map(|(&attack, n)| (n, attack, None)).collect();
                    json::attacks(&source, self.model, &all).map_err(|error| unwritten(&error))
                }
            };
        };
        let Some(&attack) = number.checked_sub(1).and_then(|index| found.get(index)) else {
            return Err(vec![format!(
                "there is no attack {number}: there are {} under {}; run `fencepost instrument` \
                 without `--attack` to list them",
                found.len(),
                options.model,
            )]);
        };
        let derived = derived_program(program, &options, &[attack]);
        let derived = derived.map_err(|reason| vec![reason.to_string()])?.program;
        match format {
            MessageFormat::Text | MessageFormat::Sarif | MessageFormat::Github => {
                Ok(print(&derived))
            }
            MessageFormat::Json => {
                let one = [(number, attack, Some(&derived))];
                json::attacks(&source, self.model, &one).map_err(|error| unwritten(&error))
            }
        }
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
