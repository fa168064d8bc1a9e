//! What a configuration shows: an assertion that fails, an access outside memory, a property that is
//! violated, threads that wait forever.

use super::{Config, Machine, Step};
use crate::closed::encoded;
use crate::expr::{Expr, Var};
use crate::program::{Kind, Op};
use crate::run::is_cyclic;
use std::collections::HashMap;

/// A thread that has more states than this while it runs alone may wait.
const MOST_ALONE: usize = 20_000;

/// The same for all that were visited for all configurations.
const MOST_ALONE_OF_ALL: usize = 50_000_000;

impl Machine<'_> {
    /// Whether each thread that has not ended may wait forever. Requires that nothing is buffered.
    fn is_stuck(&self, config: &Config) -> bool {
        let mut threads = self.program.threads.iter().enumerate();
        threads.all(|(t, thread)| thread.ends(config.locations[t]) || self.waits(config, t))
    }

    /// Whether a thread that has not ended may wait forever.
    pub(super) fn waits(&self, config: &Config, t: usize) -> bool {
        let alone = self.alone.as_ref();
        alone.is_none_or(|alone| alone.may_wait(config, t))
    }

    /// Whether a thread, run alone, may go on forever, and never ends or changes memory. An atomic block
    /// is one action: what it writes counts when it ends.
    fn may_wait(&self, config: &Config, t: usize) -> bool {
        let thread = &self.program.threads[t];
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from([(encoded(self, config), 0)]);
        let (mut states, mut after) = (vec![config.clone()], Vec::new());
        let mut steps = Vec::new();
        while let Some(state) = states.get(after.len()).cloned() {
            if thread.ends(state.locations[t]) {
                return false;
            }
            steps.clear();
            self.proposals(&state, &mut steps);
            let mut of_state = Vec::new();
            for &step in &steps {
                let Step::Execute { thread: other, .. } = step else {
                    continue;
                };
                let Some(next) = self.after(&state, step).filter(|_| other == t) else {
                    continue;
                };
                if !thread.inside[next.locations[t]] && next.cells != config.cells {
                    return false;
                }
                let new = states.len();
                let number = *numbers.entry(encoded(self, &next)).or_insert(new);
                if number == new {
                    states.push(next);
                }
                of_state.push(number);
            }
            after.push(of_state);
            let visited = self.alone_states.get() + 1;
            self.alone_states.set(visited);
            if states.len() > MOST_ALONE || visited > MOST_ALONE_OF_ALL {
                return true;
            }
        }
        is_cyclic(&after)
    }

    /// The goal that a thread may reach with its next instruction, in words.
    pub(super) fn fails_at(&self, config: &Config, t: usize) -> Option<String> {
        if self.inside(config).is_some_and(|other| other != t) {
            return None;
        }
        let (thread, at) = (&self.program.threads[t], config.locations[t]);
        for &number in &thread.leaving[at] {
            let op = &thread.instructions[number].op;
            let place = || format!("thread {} at {}", thread.name, thread.locations[at]);
            if let Op::Assert(e) = op
                && Self::eval(config, t, e) == 0
            {
                return Some(format!("the assertion of {} fails", place()));
            }
            if let Some((address, _)) = op.access()
                && self.cell(config, t, address).is_none()
            {
                return Some(format!("the access of {} is outside memory", place()));
            }
        }
        None
    }

    /// Whether the predicate of a property is true.
    pub(super) fn holds(config: &Config, predicate: &Expr) -> bool {
        predicate.eval(&|var| match var {
            Var::Own(_) => 0,
            Var::Of(thread, register) => config.registers[thread][register],
            Var::At(thread, at) => i32::from(config.locations[thread] == at),
            Var::Cell(cell) => config.cells[cell],
        }) != 0
    }

    /// The goal that a configuration shows to be reachable, in words.
    pub fn reached(&self, config: &Config) -> Option<String> {
        let mut threads = 0..self.program.threads.len();
        if let Some(why) = threads.find_map(|t| self.fails_at(config, t)) {
            return Some(why);
        }
        if !self.is_halting(config) {
            return None;
        }
        let mut ends = self.program.threads.iter().zip(&config.locations);
        let ended = ends.all(|(thread, &at)| thread.ends(at));
        for (number, (kind, predicate)) in self.program.properties.iter().enumerate() {
            let holds = || Self::holds(config, predicate);
            let reached = match kind {
                Kind::Forbid => holds(),
                Kind::Final => ended && !holds(),
                Kind::Exists => self.never.contains(&number) && ended && holds(),
                Kind::Stuck => !ended && holds() && self.is_stuck(config),
                // Refused by the callers.
                Kind::Starved => false,
            };
            if reached {
                return Some(goal(number, *kind));
            }
        }
        None
    }
}

/// A property that a configuration shows, in words.
pub(super) fn goal(number: usize, kind: Kind) -> String {
    let word = match kind {
        Kind::Forbid | Kind::Final => "is violated",
        Kind::Exists => "is observed",
        Kind::Stuck | Kind::Starved => "is violated: all threads wait",
    };
    format!("property {} {word}", number + 1)
}
