//! (goal) for properties: what a predicate needs is decided step by step, until it is known.

use super::eval::{Got, evaluate};
use super::search::{Place, State};
use super::{Check, Values};
use crate::Refusal;
use crate::expr::{Expr, Var};
use crate::program::Kind;

impl Check<'_> {
    /// (goal) for properties.
    pub(super) fn property(&mut self, number: usize) -> Result<(), Refusal> {
        let (kind, predicate) = &self.program.properties[number];
        let mut state = self.before(None, &Vec::new());
        let wanted = match kind {
            Kind::Forbid => true,
            Kind::Final => false,
            Kind::Exists if self.machine.never.contains(&number) => true,
            Kind::Exists => return Ok(()),
            Kind::Stuck | Kind::Starved => {
                return Err(Refusal::refuted(
                    "an invariant says nothing about threads that wait",
                ));
            }
        };
        if *kind != Kind::Forbid {
            for (t, thread) in self.program.threads.iter().enumerate() {
                let goes_on = (0..thread.locations.len()).map(|at| !thread.ends(at));
                state.leave(t, &goes_on.collect::<Vec<bool>>());
            }
        }
        self.predicate(number, predicate, wanted, state, &mut Vec::new())
    }

    fn predicate(
        &mut self,
        number: usize,
        predicate: &Expr,
        wanted: bool,
        state: State,
        chosen: &mut Values,
    ) -> Result<(), Refusal> {
        self.search.spend(1)?;
        let got = evaluate(predicate, &|var| {
            let place = match var {
                Var::Own(_) => return Got::Value(0),
                Var::At(t, at) => match state.is_at(t, at) {
                    Some(is) => return Got::Value(i32::from(is)),
                    None => return Got::Undecided(t, at),
                },
                Var::Of(t, register) => Place::Register(t, register),
                Var::Cell(cell) => Place::Cell(cell),
            };
            let known = chosen.iter().find(|(other, _)| *other == place);
            known.map_or(Got::Needs(place), |(_, value)| {
                value.map_or(Got::Unknown, Got::Value)
            })
        });
        match got {
            Got::Needs(place) => self.each(place, None, chosen, &mut |check, chosen| {
                let mut state = state.clone();
                if let Some(&(place, Some(value))) = chosen.last() {
                    state.set(place, value);
                }
                check.predicate(number, predicate, wanted, state, chosen)
            }),
            Got::Undecided(t, at) => {
                let (mut here, mut elsewhere) = (state.clone(), state);
                here.put(t, at);
                let mut only = vec![false; self.program.threads[t].locations.len()];
                only[at] = true;
                elsewhere.leave(t, &only);
                self.predicate(number, predicate, wanted, here, chosen)?;
                self.predicate(number, predicate, wanted, elsewhere, chosen)
            }
            Got::Value(value) if (value != 0) != wanted => Ok(()),
            Got::Value(_) | Got::Unknown => {
                self.excluded(state, &format!("property {} is violated", number + 1))
            }
        }
    }
}
