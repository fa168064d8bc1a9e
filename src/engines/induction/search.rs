//! The search: blocks states that lead to goals, frame by frame, until two frames are equal or a path
//! from the initial state is found.
//!
//! **Invariant.** The order of everything is fixed, so the same program and goals give the same frames,
//! the same path and the same invariant.

use super::Refusal;
use super::frames::Frames;
use super::generalise::generalised;
use super::invariant::Invariant;
use super::solver::{Cube, Inputs, Predecessors, Target};
use super::stops::Stride;
use super::system::System;
use super::trace::{Move, steps};
use super::verify::verify;
use crate::program::{Goal, Program};
use crate::reference::Step;
use crate::solve::SolverKind;
use crate::verdict::{Budget, Stop};
use rustsat::types::Lit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What the search found.
pub enum Finding {
    /// These steps reach the goal. They have not been replayed yet.
    Reached(Goal, Vec<Step>),
    /// No execution reaches any of the goals, by this invariant.
    Proved(Invariant),
}

/// What a search has cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) queries: u64,
    pub(crate) variables: usize,
    pub(crate) clauses: usize,
}

/// A search for goals of one program.
pub struct Search {
    system: System,
    frames: Frames,
    /// What the last invariant excludes.
    proof: Vec<Cube>,
    solver: SolverKind,
    budget: Budget,
}

/// A search that is put aside, for later work on the same goals: its frames, without their solvers. Those that were
/// interrupted are unusable, and none can be moved to another thread.
pub(crate) struct Aside {
    system: System,
    cubes: Vec<Vec<Cube>>,
    solver: SolverKind,
}

impl Aside {
    /// The search, with another budget.
    pub(crate) fn go_on(self, budget: &Budget) -> Search {
        let Self {
            system,
            cubes,
            solver,
        } = self;
        Search {
            frames: Frames::with_cubes(&system, cubes, solver, budget),
            system,
            proof: Vec::new(),
            solver,
            budget: budget.clone(),
        }
    }
}

/// A set of states that lead to a goal, and that must be excluded from a frame.
struct Obligation {
    cube: Cube,
    inputs: Inputs,
    /// The obligation that the inputs lead to; `None` if they reach the goal.
    after: Option<usize>,
}

impl Search {
    /// Encodes the program.
    ///
    /// # Errors
    ///
    /// If the program is not supported, or the stop flag was raised.
    pub(crate) fn new(
        program: &Program,
        goals: &[Goal],
        solver: SolverKind,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        Self::with_stride(program, goals, Stride::Macro, solver, budget)
    }

    /// The same with a step for each instruction, so that an invariant says something about all states.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_single_steps(
        program: &Program,
        goals: &[Goal],
        solver: SolverKind,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        Self::with_stride(program, goals, Stride::Single, solver, budget)
    }

    fn with_stride(
        program: &Program,
        goals: &[Goal],
        stride: Stride,
        solver: SolverKind,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let system = System::of(program, goals, stride, budget)?;
        let frames = Frames::new(&system, solver, budget);
        Ok(Self {
            system,
            frames,
            proof: Vec::new(),
            solver,
            budget: budget.clone(),
        })
    }

    /// The search, for later. All that its frames exclude is kept; obligations are found again.
    pub(crate) fn aside(self) -> Aside {
        Aside {
            system: self.system,
            cubes: self.frames.cubes,
            solver: self.solver,
        }
    }

    /// The cost so far.
    pub(crate) fn cost(&self) -> Cost {
        Cost {
            queries: self.frames.queries(),
            variables: self.system.cnf.variables(),
            clauses: self.system.cnf.clauses() + self.frames.len(),
        }
    }

    /// Steps that reach one of these goals, or a proof that none is reached. The goals must be among
    /// those that the program was encoded for.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised, or the invariant is refuted, which is a defect of Fencepost.
    pub fn decide(&mut self, open: &[Goal]) -> Result<Finding, Stop> {
        let goals = self.system.goals.iter().copied();
        let goals: Vec<(Goal, Lit)> = goals.filter(|(goal, _)| open.contains(goal)).collect();
        loop {
            while let Some((state, inputs, goal)) = self.frames.reaches(&self.system, &goals)? {
                let plain = self.frames.plain(&self.system);
                let target = Target::Goal(goal.1);
                let cube = plain.lift(&self.system, &state, &inputs, target)?;
                if let Some(path) = self.block(cube, inputs)? {
                    let found = steps(&self.system, &mut self.frames, goal.0, &path)?;
                    return Ok(Finding::Reached(goal.0, found));
                }
            }
            self.frames.extend(&self.system);
            if let Some(level) = self.propagate()? {
                self.proof = self.frames.cubes[level + 1..].concat();
                verify(&self.system, &self.proof, &goals, self.solver, &self.budget)?;
                return Ok(Finding::Proved(Invariant::of(&self.system, &self.proof)));
            }
        }
    }

    /// What the invariant excludes that excludes these goals; `None` if one of them is reached.
    #[cfg(test)]
    pub(super) fn proof(&mut self, goals: &[Goal]) -> Result<Option<Vec<Cube>>, Stop> {
        Ok(match self.decide(goals)? {
            Finding::Proved(_) => Some(self.proof.clone()),
            Finding::Reached(..) => None,
        })
    }

    /// Excludes a cube from the last frame, with all states that lead to it, or returns the moves from
    /// the initial state to it and on to the goal.
    fn block(&mut self, cube: Cube, inputs: Inputs) -> Result<Option<Vec<Move>>, Stop> {
        let (system, frames) = (&self.system, &mut self.frames);
        let last = frames.last();
        let mut all = vec![Obligation {
            cube,
            inputs,
            after: None,
        }];
        // The lowest frame first; in a frame, the latest first: it is the nearest to the start.
        let mut queue = BinaryHeap::from([(Reverse(last), 0)]);
        while let Some((Reverse(level), number)) = queue.pop() {
            let cube = all[number].cube.clone();
            if cube.contains(&system.initial) {
                return Ok(Some(path(&all, number)));
            }
            if frames.excludes(&cube, level) {
                if level < last {
                    queue.push((Reverse(level + 1), number));
                }
                continue;
            }
            match frames.predecessors(system, &cube, level - 1, true)? {
                Predecessors::Some(state, inputs) => {
                    let plain = frames.plain(system);
                    let cube = plain.lift(system, &state, &inputs, Target::Cube(&cube))?;
                    all.push(Obligation {
                        cube,
                        inputs,
                        after: Some(number),
                    });
                    queue.push((Reverse(level), number));
                    queue.push((Reverse(level - 1), all.len() - 1));
                }
                Predecessors::None(core) => {
                    let larger = generalised(system, frames, &cube, core, level)?;
                    let mut at = level;
                    while at < last {
                        match frames.predecessors(system, &larger, at, true)? {
                            Predecessors::None(_) => at += 1,
                            Predecessors::Some(..) => break,
                        }
                    }
                    frames.exclude(system, larger, at);
                    if at < last {
                        queue.push((Reverse(at + 1), number));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Moves each cube to the last frame that it is known for. Returns a frame that equals the next
    /// one, if there is one.
    fn propagate(&mut self) -> Result<Option<usize>, Stop> {
        let system = &self.system;
        for level in 1..self.frames.last() {
            let mut cubes = std::mem::take(&mut self.frames.cubes[level]).into_iter();
            while let Some(cube) = cubes.next() {
                let found = self.frames.predecessors(system, &cube, level, false);
                match found {
                    Ok(Predecessors::None(_)) => self.frames.promote(system, cube, level),
                    Ok(Predecessors::Some(..)) => self.frames.cubes[level].push(cube),
                    Err(stop) => {
                        // The next frame may hold only because of those that are left.
                        self.frames.cubes[level].push(cube);
                        self.frames.cubes[level].extend(cubes);
                        return Err(stop);
                    }
                }
            }
            if self.frames.cubes[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }
}

/// The moves from an obligation to the goal.
fn path(all: &[Obligation], first: usize) -> Vec<Move> {
    let chain = std::iter::successors(Some(first), |&number| all[number].after);
    chain
        .map(|number| Move {
            inputs: all[number].inputs.clone(),
            into: all[number].after.map(|after| all[after].cube.clone()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    /// A search that ends wherever its budget does, and goes on with a larger one, has frames as they must be: no
    /// step from one leads into what the next one excludes.
    #[test]
    fn frames_hold_wherever_a_search_is_interrupted() {
        let text = "shared x, y, turn; thread a { local r; loop { if (turn == 0) { r = y; x = (r + 1) & 3; turn = 1; } } }
            thread b { local r; loop { if (turn == 1) { r = x; y = (r + 1) & 3; turn = 0; } } }
            forbid x == 2 && y == 2; forbid x == 1 && y == 3 && turn == 0;";
        let program = parse(text).program.expect("no errors in the text");
        let goals = program.goals();
        for first in [20_000, 33_000, 54_321] {
            let budget = Budget::default();
            let search = Search::new(&program, &goals, SolverKind::default(), &budget);
            let mut aside = search.ok().map(Search::aside);
            let mut work = first;
            let mut interruptions = 0;
            while let Some(earlier) = aside.take() {
                let mut search = earlier.go_on(&budget.with_work(work));
                let is_over = search.decide(&goals).is_ok();
                let mut search = search.aside().go_on(&budget);
                for level in 1..search.frames.cubes.len() {
                    for cube in search.frames.cubes[level].clone() {
                        let before =
                            search
                                .frames
                                .predecessors(&search.system, &cube, level - 1, false);
                        assert!(
                            matches!(before, Ok(Predecessors::None(_))),
                            "after {work}, frame {level}"
                        );
                    }
                }
                if !is_over {
                    interruptions += 1;
                    aside = Some(search.aside());
                }
                work += work / 4;
            }
            assert!(interruptions > 3, "{interruptions}");
        }
    }
}
