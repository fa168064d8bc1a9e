//! Frames: which cubes are known to be unreachable within how many steps.
//!
//! ```text
//! F_0 = initial state,  F_i = ⋀ { ¬c | c ∈ cubes[j], j ≥ i }
//! (1) F_i → F_{i+1}          (2) F_i ∧ step → F_{i+1}
//! ```
//!
//! **Invariant.** (1) and (2) hold for all frames, and each cube excludes the initial state's opposite:
//! no cube contains the initial state. Each cube is stored at the last frame that it is known for.

use super::solver::{Bad, Cube, Predecessors, StepSolver};
use super::system::System;
use crate::program::Goal;
use crate::solve::SolverKind;
use crate::verdict::{Budget, Stop};
use rustsat::types::Lit;

/// The frames, with a solver for each.
pub(super) struct Frames {
    /// By frame; the first is empty.
    pub(super) cubes: Vec<Vec<Cube>>,
    solvers: Vec<StepSolver>,
    /// A solver without a frame.
    pub(super) plain: StepSolver,
    solver: SolverKind,
    budget: Budget,
}

impl Frames {
    /// The initial state alone.
    pub(super) fn new(system: &System, solver: SolverKind, budget: &Budget) -> Self {
        let mut first = StepSolver::new(system, solver, budget);
        first.require(system, &system.initial);
        Self {
            cubes: vec![Vec::new()],
            solvers: vec![first],
            plain: StepSolver::new(system, solver, budget),
            solver,
            budget: budget.clone(),
        }
    }

    /// Frames that exclude these cubes, by frame.
    pub(super) fn with_cubes(
        system: &System,
        cubes: Vec<Vec<Cube>>,
        solver: SolverKind,
        budget: &Budget,
    ) -> Self {
        let mut frames = Self::new(system, solver, budget);
        frames.cubes = cubes;
        for frame in 1..frames.cubes.len() {
            frames.solvers.push(StepSolver::new(system, solver, budget));
            frames.load(system, frame);
        }
        frames
    }

    /// Gives the solver of a frame what the frame requires, if it has the transition system only.
    fn load(&mut self, system: &System, frame: usize) {
        let solver = &mut self.solvers[frame];
        if frame == 0 {
            solver.require(system, &system.initial);
        } else {
            for cube in self.cubes[frame..].iter().flatten() {
                solver.exclude(system, cube);
            }
        }
    }

    /// The number of the last frame.
    pub(super) fn last(&self) -> usize {
        self.cubes.len() - 1
    }

    /// The solver calls so far.
    pub(super) fn queries(&self) -> u64 {
        let all = self.solvers.iter().chain([&self.plain]);
        all.map(|solver| solver.queries).sum()
    }

    /// The number of cubes.
    pub(super) fn len(&self) -> usize {
        self.cubes.iter().map(Vec::len).sum()
    }

    /// Adds a frame that excludes nothing.
    pub(super) fn extend(&mut self, system: &System) {
        self.cubes.push(Vec::new());
        self.solvers
            .push(StepSolver::new(system, self.solver, &self.budget));
    }

    /// Excludes a cube from all frames up to this one.
    pub(super) fn exclude(&mut self, system: &System, cube: Cube, level: usize) {
        for frame in &mut self.cubes[1..=level] {
            frame.retain(|other| !cube.includes(other));
        }
        for solver in &mut self.solvers[1..=level] {
            solver.exclude(system, &cube);
        }
        self.cubes[level].push(cube);
    }

    /// Moves a cube of one frame to the next.
    pub(super) fn promote(&mut self, system: &System, cube: Cube, level: usize) {
        self.solvers[level + 1].exclude(system, &cube);
        self.cubes[level + 1].push(cube);
    }

    /// Whether a cube is excluded from a frame by one of the larger cubes.
    pub(super) fn excludes(&self, cube: &Cube, level: usize) -> bool {
        let mut known = self.cubes[level..].iter().flatten();
        known.any(|other| other.includes(cube))
    }

    /// Whether a step from a frame leads into the cube; from outside the cube, if required.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised.
    pub(super) fn predecessors(
        &mut self,
        system: &System,
        cube: &Cube,
        frame: usize,
        from_outside: bool,
    ) -> Result<Predecessors, Stop> {
        self.fresh(system, frame)
            .predecessors(system, cube, from_outside)
    }

    /// A state of the last frame that reaches one of these goals.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised.
    pub(super) fn reaches(
        &mut self,
        system: &System,
        goals: &[(Goal, Lit)],
    ) -> Result<Option<Bad>, Stop> {
        self.fresh(system, self.last()).reaches(system, goals)
    }

    /// The solver of a frame, renewed if it is worn.
    fn fresh(&mut self, system: &System, frame: usize) -> &mut StepSolver {
        if self.solvers[frame].is_worn() {
            self.solvers[frame].renew(system);
            self.load(system, frame);
        }
        &mut self.solvers[frame]
    }

    /// The solver without a frame, renewed if it is worn.
    pub(super) fn plain(&mut self, system: &System) -> &mut StepSolver {
        if self.plain.is_worn() {
            self.plain.renew(system);
        }
        &mut self.plain
    }
}
