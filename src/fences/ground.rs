//! A computation of the program with fences in it, told as one of the program without.
//!
//! Sets are probed on programs that fences were put into, and what fails there is shown in a text
//! that has none of them. Fences only forbid: who leaves out that they were passed, and lets an
//! exchange that was a store write to memory at once, has a computation of the program as it is,
//! with the same accesses in the same order.

use super::Shortfall;
use crate::explicit::{Action, Run, Step, replay};
use crate::program::Program;
use crate::verdict::Defect;

/// The shortfall, its computation being one of this program.
///
/// # Errors
///
/// If the reference refuses the computation.
pub(super) fn ground(program: &Program, shortfall: Shortfall) -> Result<Shortfall, Defect> {
    Ok(match shortfall {
        Shortfall::Attack { attack, run } => Shortfall::Attack {
            attack,
            run: grounded(program, run)?,
        },
        Shortfall::Cycle(run) => Shortfall::Cycle(grounded(program, run)?),
        Shortfall::Goal { goal, run } => Shortfall::Goal {
            goal,
            run: grounded(program, run)?,
        },
    })
}

fn grounded(program: &Program, run: Run) -> Result<Run, Defect> {
    let mut steps = Vec::new();
    for moment in &run.moments {
        let site = moment.site;
        let known = program.thread(site.thread).instructions();
        // Fences that were put are numbered behind everything else.
        let Some(instruction) = known.get(site.instr.index()) else {
            continue;
        };
        steps.push(moment.step);
        if let (true, Action::Rmw { addr, .. }) = (instruction.op.is_store(), &moment.action) {
            let (thread, addr) = (site.thread, *addr);
            if run.model.has_two_stages() {
                steps.push(Step::Advance { thread, addr });
            }
            steps.push(Step::Flush { thread, addr });
        }
    }
    if steps.len() == run.moments.len() {
        return Ok(run);
    }
    replay(program, run.model, &steps).map_err(|error| {
        Defect::new(format_args!(
            "a computation past fences is none without them: {}",
            error.message
        ))
    })
}
