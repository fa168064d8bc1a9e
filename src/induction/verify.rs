//! Verification of an invariant, apart from the search that found it.
//!
//! ```text
//! (initiation)   initial state ∧ some excluded cube             has no model
//! (consecution)  no excluded cube now ∧ step ∧ some one after   has no model
//! (safety)       no excluded cube ∧ some goal                   has no model
//! ```
//!
//! Each is one query in a session of its own, with a proof that a checker follows. The transition
//! system without any of that must have a model: a contradictory one would refute everything.

use super::solver::Cube;
use super::system::System;
use super::trace::defect;
use crate::program::Goal;
use crate::solve::{CertifyError, Session, SolverAnswer, SolverKind};
use crate::verdict::{Budget, Stop};
use rustsat::types::Lit;

/// Checks that the complement of these cubes is an inductive invariant that excludes the goals.
///
/// # Errors
///
/// If it is not, which is a defect of Fencepost, or the stop flag was raised.
pub(super) fn verify(
    system: &System<'_>,
    cubes: &[Cube],
    goals: &[(Goal, Lit)],
    solver: SolverKind,
    budget: &Budget,
) -> Result<(), Stop> {
    let mut consistent = session(system, solver, budget);
    initial(system, &mut consistent);
    match consistent.solve(&[]) {
        SolverAnswer::Sat => {}
        SolverAnswer::Unsat(_) => return Err(defect("the initial state has no step").into()),
        SolverAnswer::Stopped => return Err(Stop::Cancelled),
    }
    let mut initiation = session(system, solver, budget);
    initial(system, &mut initiation);
    some(system, &mut initiation, cubes, false);
    refute(&mut initiation, budget, "initiation")?;
    let mut consecution = session(system, solver, budget);
    none(system, &mut consecution, cubes);
    some(system, &mut consecution, cubes, true);
    refute(&mut consecution, budget, "consecution")?;
    let mut safety = session(system, solver, budget);
    none(system, &mut safety, cubes);
    let any: Vec<Lit> = goals.iter().map(|&(_, lit)| lit).collect();
    safety.add_clause(&any);
    refute(&mut safety, budget, "safety")
}

fn session(system: &System<'_>, solver: SolverKind, budget: &Budget) -> Session {
    let mut session = Session::new(solver, budget);
    for clause in system.cnf.clauses_from(0) {
        session.add_clause(clause);
    }
    session
}

fn initial(system: &System<'_>, session: &mut Session) {
    for lit in Cube::of(&system.initial).0 {
        session.add_clause(&[system.now(lit)]);
    }
}

/// The state is in none of the cubes.
fn none(system: &System<'_>, session: &mut Session, cubes: &[Cube]) {
    for cube in cubes {
        let clause: Vec<Lit> = cube.0.iter().map(|&lit| !system.now(lit)).collect();
        session.add_clause(&clause);
    }
}

/// The state, or the one after it, is in one of the cubes.
fn some(system: &System<'_>, session: &mut Session, cubes: &[Cube], after: bool) {
    let mut any = Vec::new();
    for (number, cube) in cubes.iter().enumerate() {
        let inside = Lit::positive((system.cnf.variables() + number) as u32);
        for &lit in &cube.0 {
            let lit = if after {
                system.then(lit)
            } else {
                system.now(lit)
            };
            session.add_clause(&[!inside, lit]);
        }
        any.push(inside);
    }
    session.add_clause(&any);
}

fn refute(session: &mut Session, budget: &Budget, what: &str) -> Result<(), Stop> {
    if budget.is_stopped() {
        return Err(Stop::Cancelled);
    }
    match session.certify(&[]) {
        Ok(()) => Ok(()),
        Err(CertifyError::Stopped) => Err(Stop::Cancelled),
        Err(error @ (CertifyError::Satisfiable | CertifyError::Rejected(_))) => {
            Err(defect(&format!("{what} of the invariant fails: {error}")).into())
        }
    }
}
