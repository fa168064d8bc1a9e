//! Cubes of states, and sessions that answer queries about one step.
//!
//! A *cube* is a conjunction of literals over state bits: a set of states. A [`StepSolver`] holds the
//! clauses of the transition system and of one frame. A clause for one query has an activation literal
//! of its own, so that it has no effect afterwards.

use super::system::System;
use crate::program::Goal;
use crate::solve::{Session, SolverAnswer, SolverKind};
use crate::verdict::{Budget, Stop};
use ahash::AHashSet;
use rustsat::types::Lit;

/// A state bit with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct BitLit {
    pub(super) bit: u32,
    pub(super) value: bool,
}

/// A set of states: those that have these bits. Ascending, each bit at most once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Cube(pub(super) Vec<BitLit>);

/// The values of all state bits.
pub(super) type State = Vec<bool>;

/// The values of all inputs.
pub(super) type Inputs = Vec<bool>;

impl Cube {
    /// The cube that contains just this state.
    pub(super) fn of(state: &[bool]) -> Self {
        let bits = state.iter().enumerate();
        Self(
            bits.map(|(bit, &value)| BitLit {
                bit: bit as u32,
                value,
            })
            .collect(),
        )
    }

    /// Whether the cube contains a state.
    pub(super) fn contains(&self, state: &[bool]) -> bool {
        self.0
            .iter()
            .all(|lit| state[lit.bit as usize] == lit.value)
    }

    /// Whether every state of the other cube is in this one.
    pub(super) fn includes(&self, other: &Cube) -> bool {
        let mut theirs = other.0.iter();
        self.0.iter().all(|lit| theirs.any(|other| other == lit))
    }
}

impl System {
    /// The literal of a state bit before a step.
    pub(super) fn now(&self, lit: BitLit) -> Lit {
        signed(self.bits[lit.bit as usize].lit, lit.value)
    }

    /// The literal of a state bit after a step.
    pub(super) fn then(&self, lit: BitLit) -> Lit {
        signed(self.next[lit.bit as usize], lit.value)
    }
}

fn signed(lit: Lit, value: bool) -> Lit {
    if value { lit } else { !lit }
}

/// A state that reaches a goal, with the inputs and the goal.
pub(super) type Bad = (State, Inputs, (Goal, Lit));

/// The result of a query about the predecessors of a cube.
pub(super) enum Predecessors {
    /// There is none, and this part of the cube already has none.
    None(Cube),
    /// This state, with these inputs.
    Some(State, Inputs),
}

/// How many activation literals a session gets.
const MOST_ACTIVATIONS: usize = 400;

/// What a query costs apart from the solver's own work, in bytes of proof: most queries are decided
/// by propagation, which writes none.
const QUERY_WORK: u64 = 600;

/// A session with the transition system and some clauses.
pub(super) struct StepSolver {
    session: Session,
    /// The next variable that is free.
    free: u32,
    activations: usize,
    solver: SolverKind,
    budget: Budget,
    pub(super) queries: u64,
}

impl StepSolver {
    /// A solver with the transition system only.
    pub(super) fn new(system: &System, solver: SolverKind, budget: &Budget) -> Self {
        let mut session = Session::new(solver, budget);
        for clause in system.cnf.clauses_from(0) {
            session.add_clause(clause);
        }
        Self {
            session,
            free: system.cnf.variables() as u32,
            activations: 0,
            solver,
            budget: budget.clone(),
            queries: 0,
        }
    }

    /// Whether so many activation literals are spent that a new session pays off.
    pub(super) fn is_worn(&self) -> bool {
        self.activations > MOST_ACTIVATIONS
    }

    /// A solver with the transition system only, in the place of this one.
    pub(super) fn renew(&mut self, system: &System) {
        let queries = self.queries;
        *self = Self::new(system, self.solver, &self.budget);
        self.queries = queries;
    }

    /// Excludes a cube for good.
    pub(super) fn exclude(&mut self, system: &System, cube: &Cube) {
        let clause: Vec<Lit> = cube.0.iter().map(|&lit| !system.now(lit)).collect();
        self.session.add_clause(&clause);
    }

    /// Requires a state for good.
    pub(super) fn require(&mut self, system: &System, state: &[bool]) {
        for lit in Cube::of(state).0 {
            self.session.add_clause(&[system.now(lit)]);
        }
    }

    fn activation(&mut self) -> Lit {
        let lit = Lit::positive(self.free);
        self.free += 1;
        self.activations += 1;
        lit
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<Vec<Lit>>, Stop> {
        self.queries += 1;
        self.budget.spend(QUERY_WORK);
        match self.session.solve(assumptions) {
            SolverAnswer::Sat => Ok(None),
            SolverAnswer::Unsat(core) => Ok(Some(core)),
            SolverAnswer::Stopped => Err(Stop::Cancelled),
        }
    }

    fn state(&self, system: &System) -> State {
        let bits = system.bits.iter();
        bits.map(|bit| self.session.value(bit.lit)).collect()
    }

    fn inputs(&self, system: &System) -> Inputs {
        let inputs = system.inputs.iter();
        inputs.map(|&lit| self.session.value(lit)).collect()
    }

    /// Whether one step leads into the cube, from a state outside of it or from any state.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised.
    pub(super) fn predecessors(
        &mut self,
        system: &System,
        cube: &Cube,
        from_outside: bool,
    ) -> Result<Predecessors, Stop> {
        let mut assumptions = Vec::with_capacity(cube.0.len() + 1);
        if from_outside {
            let act = self.activation();
            let outside = cube.0.iter().map(|&lit| !system.now(lit));
            let clause: Vec<Lit> = std::iter::once(!act).chain(outside).collect();
            self.session.add_clause(&clause);
            assumptions.push(act);
        }
        assumptions.extend(cube.0.iter().map(|&lit| system.then(lit)));
        Ok(match self.solve(&assumptions)? {
            None => Predecessors::Some(self.state(system), self.inputs(system)),
            Some(core) => {
                let lits = cube.0.iter().copied();
                let lits = lits.filter(|&lit| core.contains(&system.then(lit)));
                Predecessors::None(Cube(lits.collect()))
            }
        })
    }

    /// A state that reaches one of these goals, with inputs and the goal.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised.
    pub(super) fn reaches(
        &mut self,
        system: &System,
        goals: &[(Goal, Lit)],
    ) -> Result<Option<Bad>, Stop> {
        let act = self.activation();
        let any = goals.iter().map(|&(_, lit)| lit);
        let clause: Vec<Lit> = std::iter::once(!act).chain(any).collect();
        self.session.add_clause(&clause);
        if self.solve(&[act])?.is_some() {
            return Ok(None);
        }
        let mut reached = goals.iter().filter(|(_, lit)| self.session.value(*lit));
        Ok(reached
            .next()
            .map(|&goal| (self.state(system), self.inputs(system), goal)))
    }

    /// The part of a state that already leads to the target with these inputs: into a cube by one
    /// step, or to the literal of a goal without a step.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised, or the next state is not a function of state and inputs.
    pub(super) fn lift(
        &mut self,
        system: &System,
        state: &[bool],
        inputs: &[bool],
        target: Target<'_>,
    ) -> Result<Cube, Stop> {
        let mut assumptions = Vec::with_capacity(state.len() + inputs.len() + 1);
        match target {
            Target::Cube(cube) => {
                let act = self.activation();
                let misses = cube.0.iter().map(|&lit| !system.then(lit));
                let clause: Vec<Lit> = std::iter::once(!act).chain(misses).collect();
                self.session.add_clause(&clause);
                assumptions.push(act);
            }
            Target::Goal(lit) => assumptions.push(!lit),
        }
        let given = system.inputs.iter().zip(inputs);
        assumptions.extend(given.map(|(&lit, &value)| signed(lit, value)));
        let cube = Cube::of(state);
        assumptions.extend(cube.0.iter().map(|&lit| system.now(lit)));
        let Some(core) = self.solve(&assumptions)? else {
            return Err(super::trace::defect("a step has two results").into());
        };
        let core: AHashSet<Lit> = core.into_iter().collect();
        let lits = cube.0.into_iter();
        Ok(Cube(
            lits.filter(|&lit| core.contains(&system.now(lit)))
                .collect(),
        ))
    }

    /// The state after a step, and the value of each literal in between.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised, or the state has no next state.
    pub(super) fn step(
        &mut self,
        system: &System,
        state: &[bool],
        inputs: &[bool],
    ) -> Result<State, Stop> {
        let given = system.inputs.iter().zip(inputs);
        let given = given.map(|(&lit, &value)| signed(lit, value));
        let here = Cube::of(state);
        let here = here.0.iter().map(|&lit| system.now(lit));
        let assumptions: Vec<Lit> = given.chain(here).collect();
        if self.solve(&assumptions)?.is_some() {
            return Err(super::trace::defect("a state has no next state").into());
        }
        let next = system.next.iter();
        Ok(next.map(|&lit| self.session.value(lit)).collect())
    }

    /// The value of a literal in the last step.
    pub(super) fn value(&self, lit: Lit) -> bool {
        self.session.value(lit)
    }
}

/// What a state leads to.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// A state in this cube, after one step.
    Cube(&'a Cube),
    /// A goal.
    Goal(Lit),
}
