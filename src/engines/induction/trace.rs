//! From a path of states to steps of the program.
//!
//! Each move is computed from the state and the inputs, instruction by instruction, and must lead into
//! the set of states that the search claims.

use super::frames::Frames;
use super::solver::{Cube, Inputs, StepSolver};
use super::system::System;
use crate::program::{Goal, LocId, Op, ThreadId};
use crate::reference::Step;
use crate::verdict::{Defect, Stop};

/// One move of a path.
pub(super) struct Move {
    pub(super) inputs: Inputs,
    /// Where it leads; `None` if local instructions reach the goal.
    pub(super) into: Option<Cube>,
}

/// A contradiction in the transition system.
pub(super) fn defect(what: &str) -> Defect {
    Defect::new(format_args!("the inductive engine: {what}"))
}

/// The steps of these moves from the initial state, up to the goal.
///
/// # Errors
///
/// If the stop flag was raised, or a move leads elsewhere.
pub(super) fn steps(
    system: &System,
    frames: &mut Frames,
    goal: Goal,
    moves: &[Move],
) -> Result<Vec<Step>, Stop> {
    let mut state = system.initial.clone();
    let mut steps = Vec::new();
    for Move { inputs, into } in moves {
        let plain = frames.plain(system);
        let next = plain.step(system, &state, inputs)?;
        match (into, goal) {
            (Some(cube), _) => {
                for thread in system.program.thread_ids() {
                    follow(system, plain, thread, None, &mut steps);
                }
                if !cube.contains(&next) {
                    return Err(defect("a move leads elsewhere").into());
                }
            }
            (None, Goal::Assert(site) | Goal::Outside(site)) => {
                follow(system, plain, site.thread, Some(goal), &mut steps);
            }
            (None, Goal::Property(_)) => {}
        }
        state = next;
    }
    Ok(steps)
}

/// Appends the instructions that a thread executes in the last step, up to the goal.
fn follow(
    system: &System,
    solver: &StepSolver,
    thread: ThreadId,
    goal: Option<Goal>,
    steps: &mut Vec<Step>,
) {
    let part = &system.threads[thread.index()];
    let automaton = system.program.thread(thread);
    let at = part.at.iter().position(|&at| solver.value(at));
    let Some(code) = at else {
        return;
    };
    let mut done = Vec::new();
    let mut here: LocId = part.stops.list[code];
    loop {
        if let Some(Goal::Outside(site)) = goal
            && automaton.instruction(site.instr).from == here
        {
            break;
        }
        let mut edges = part.edges[code].iter();
        let Some(edge) = edges.find(|edge| edge.from == here && solver.value(edge.taken)) else {
            // It cannot get to the end of a macro-step, so it does not move.
            done.clear();
            break;
        };
        let instruction = automaton.instruction(edge.instr);
        let choice = edge.choice.as_ref().and_then(|bits| {
            bits.value(|lit| Some(solver.value(lit)))
                .filter(|_| matches!(instruction.op, Op::Havoc { .. }))
        });
        done.push(Step::Execute {
            thread,
            instr: edge.instr,
            choice,
        });
        let is_goal = matches!(goal, Some(Goal::Assert(site)) if site.instr == edge.instr);
        if is_goal || part.stops.ends_after(automaton, edge.instr) {
            break;
        }
        here = instruction.to;
    }
    steps.extend(done);
}
