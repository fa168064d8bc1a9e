//! Projects a computation of the program with fences onto the program without them.
//!
//! Sets are probed on programs with fences inserted, but a failure is shown in the source without
//! them. Fences only forbid behaviour: omitting the steps that pass them, and letting a store that
//! had become an exchange reach memory at once, gives a computation of the program as written, with
//! the same accesses in the same order.

use super::Shortfall;
use crate::program::Program;
use crate::reference::{Action, Run, Step, replay};
use crate::verdict::Defect;

/// The shortfall, with its computation projected onto this program.
///
/// # Errors
///
/// If the reference rejects the computation.
pub(super) fn project(program: &Program, shortfall: Shortfall) -> Result<Shortfall, Defect> {
    Ok(match shortfall {
        Shortfall::Attack { attack, run } => Shortfall::Attack {
            attack,
            run: projected(program, run)?,
        },
        Shortfall::Cycle(run) => Shortfall::Cycle(projected(program, run)?),
        Shortfall::Goal { goal, run } => Shortfall::Goal {
            goal,
            run: projected(program, run)?,
        },
    })
}

fn projected(program: &Program, run: Run) -> Result<Run, Defect> {
    let mut steps = Vec::new();
    for moment in &run.moments {
        let site = moment.site;
        let known = program.thread(site.thread).instructions();
        // Inserted fences are numbered after all other instructions.
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
            "a computation of the program with fences does not replay without them: {}",
            error.message
        ))
    })
}
