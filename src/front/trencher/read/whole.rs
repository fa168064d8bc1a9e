//! Checks of a thread as a whole: missing parts, and names that are probably misspelt.

use super::super::raw::Automaton;
use super::super::words::Line;
use super::{Block, File, named};
use crate::text::{Diagnostic, Span, nearest};

impl<'t> File<'t> {
    /// Checks a thread as a whole. `errors`: how many diagnostics there were before it.
    pub(super) fn finish(&mut self, block: Block<'t>, head: &Line<'t>, errors: usize) {
        let name = block.name.text;
        let Some((initial, at)) = block.initial.clone() else {
            if !block.bad_initial {
                self.error(
                    Diagnostic::error(format!("thread `{name}` has no initial state"), head.span())
                        .label("this thread")
                        .note("a line `initial STATE` gives the state where it begins"),
                );
            }
            return;
        };
        // A line with an error may contain what seems to be missing.
        if self.reading.diagnostics.len() == errors {
            self.warn(&block, initial, &at);
        }
        self.reading.automata.push(Automaton {
            name: named(&block.name),
            states: block.states,
            registers: block.registers,
            initial,
            finals: block.finals,
            transitions: block.transitions,
        });
    }

    /// Warns of names that are probably misspelt.
    fn warn(&mut self, block: &Block<'t>, initial: usize, at: &Span) {
        for register in &block.registers {
            if block.written.contains(register.name.as_str()) {
                continue;
            }
            let known = block.written.iter().copied();
            let label = match nearest(&register.name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "always 0".to_owned(),
            };
            self.error(
                Diagnostic::warning(
                    format!("register `{}` is read but never written", register.name),
                    register.span.clone(),
                )
                .label(label)
                .note("no `read` or `local` of this thread writes it, so it is always 0"),
            );
        }
        let mut entered = vec![false; block.states.len()];
        let mut left = vec![false; block.states.len()];
        for transition in &block.transitions {
            left[transition.from] = true;
            entered[transition.to] = true;
        }
        let others = |kept: &[bool], own: usize| -> Vec<&str> {
            let states = block.states.iter().enumerate();
            states
                .filter(|(state, _)| kept[*state] && *state != own)
                .map(|(_, state)| state.name.as_str())
                .collect()
        };
        let mut found = Vec::new();
        if !left[initial] && !block.transitions.is_empty() {
            let names = others(&left, initial);
            let near = nearest(&block.states[initial].name, names.into_iter());
            found.push(
                Diagnostic::warning("no transition leaves the initial state", at.clone()).label(
                    near.map_or("the thread does nothing".to_owned(), |near| {
                        format!("did you mean `{near}`?")
                    }),
                ),
            );
        }
        for (state, span) in &block.finals {
            if !entered[*state] && *state != initial {
                let names = others(&entered, *state);
                let near = nearest(&block.states[*state].name, names.into_iter());
                found.push(
                    Diagnostic::warning("no transition enters this final state", span.clone())
                        .label(near.map_or("never reached".to_owned(), |near| {
                            format!("did you mean `{near}`?")
                        })),
                );
            }
        }
        self.reading.diagnostics.extend(found);
    }
}
