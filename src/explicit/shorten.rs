//! Evidence without what it does not need.
//!
//! Reductions of a search, and the order that a solver happened to choose, put steps into a
//! computation that its purpose would not miss. They are taken out one by one, the last execution
//! first, as long as what is left is a computation that serves it.

use super::machine::Machine;
use super::replay::replay;
use super::{Run, Step};
use crate::model::Model;
use crate::program::{Goal, Program};

/// A very long computation is shown as it was found: shortening is quadratic.
const LONGEST: usize = 400;

/// A computation that reaches the goal, given one that does; with no execution that could be left
/// out by itself.
pub fn shorten(program: &Program, model: Model, goal: Goal, steps: Vec<Step>) -> Vec<Step> {
    shorten_while(program, model, steps, |run| run.reached.contains(&goal))
}

/// A computation that is good for something, given one that is; with no execution that could be
/// left out by itself.
pub fn shorten_while(
    program: &Program,
    model: Model,
    mut steps: Vec<Step>,
    good: impl Fn(&Run) -> bool,
) -> Vec<Step> {
    if steps.len() > LONGEST {
        return steps;
    }
    let machine = Machine::new(program, model);
    let mut position = steps.len();
    while position > 0 {
        position -= 1;
        let Some(Step::Execute { .. }) = steps.get(position) else {
            continue;
        };
        let mut shorter = steps[..position].to_vec();
        let mut config = machine.initial();
        let fits = shorter
            .iter()
            .all(|&step| machine.apply(&mut config, step).is_ok());
        debug_assert!(fits, "a prefix of a computation is none");
        // Moves of what was not issued go with it; an execution must still be possible.
        let rest = steps[position + 1..].iter().try_for_each(|&step| {
            if machine.apply(&mut config, step).is_ok() {
                shorter.push(step);
                return Some(());
            }
            (!matches!(step, Step::Execute { .. })).then_some(())
        });
        let is_good = |steps: &[Step]| replay(program, model, steps).is_ok_and(|run| good(&run));
        if rest.is_some() && is_good(&shorter) {
            steps = shorter;
        }
    }
    steps
}
