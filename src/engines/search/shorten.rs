//! Shortens evidence: removes unnecessary executions from a computation.
//!
//! The reductions of a search, and the order that a solver happened to choose, add unnecessary
//! steps to a computation. They are removed one by one, the last execution first, as long as the
//! rest is still a computation with the required property.

use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reference::machine::Machine;
use crate::reference::replay::replay;
use crate::reference::{Run, Step};

/// Longer computations are not shortened, because shortening is quadratic.
const LONGEST: usize = 400;

/// Shortens a computation that reaches the goal to one that still does, in which no single
/// execution can be omitted.
pub fn shorten(program: &Program, model: Model, goal: Goal, steps: Vec<Step>) -> Vec<Step> {
    shorten_while(program, model, steps, |run| run.reached.contains(&goal))
}

/// Shortens a computation that satisfies `good` to one that still does, in which no single
/// execution can be omitted.
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
        debug_assert!(fits, "a prefix of a computation is not a computation");
        // Buffer moves of the removed item are dropped as well; every later execution must still be
        // possible.
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
