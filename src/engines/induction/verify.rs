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
    system: &System,
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

fn session(system: &System, solver: SolverKind, budget: &Budget) -> Session {
    let mut session = Session::new(solver, budget);
    for clause in system.cnf.clauses_from(0) {
        session.add_clause(clause);
    }
    session
}

fn initial(system: &System, session: &mut Session) {
    for lit in Cube::of(&system.initial).0 {
        session.add_clause(&[system.now(lit)]);
    }
}

/// The state is in none of the cubes.
fn none(system: &System, session: &mut Session, cubes: &[Cube]) {
    for cube in cubes {
        let clause: Vec<Lit> = cube.0.iter().map(|&lit| !system.now(lit)).collect();
        session.add_clause(&clause);
    }
}

/// The state, or the one after it, is in one of the cubes.
fn some(system: &System, session: &mut Session, cubes: &[Cube], after: bool) {
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

#[cfg(test)]
mod tests {
    use super::super::frames::Frames;
    use super::super::solver::BitLit;
    use super::super::stops::Stride;
    use super::*;
    use crate::formats::parse;
    use crate::program::Program;

    /// Two threads that take a lock, and must not both have it.
    fn lock() -> Program {
        let thread =
            "local r; loop { do { r = xchg(lock, 1); } while (r != 0); in: skip; lock = 0; }";
        let text = format!(
            "shared lock; thread a {{ {thread} }} thread b {{ {thread} }} forbid a@in && b@in;"
        );
        parse(&text).program.expect("no errors in the text")
    }

    /// Why these cubes are not accepted.
    fn refused(system: &System, cubes: &[Cube]) -> Option<String> {
        let budget = Budget::default();
        let goals = system.goals.clone();
        match verify(system, cubes, &goals, SolverKind::default(), &budget) {
            Ok(()) => None,
            Err(Stop::Defect(defect)) => Some(defect.message),
            Err(Stop::Cancelled) => panic!("nothing stops it"),
        }
    }

    fn proof(program: &Program) -> (System, Vec<Cube>) {
        let budget = Budget::default();
        let goals = program.goals();
        let kind = SolverKind::default();
        let mut search = super::super::Search::new(program, &goals, kind, &budget)
            .unwrap_or_else(|refusal| panic!("{refusal:?}"));
        let cubes = search.proof(&goals).expect("no defect").expect("it holds");
        let system = System::of(program, &goals, Stride::Macro, &budget);
        (
            system.unwrap_or_else(|refusal| panic!("{refusal:?}")),
            cubes,
        )
    }

    #[test]
    fn each_of_the_three_conditions_is_checked() {
        let program = lock();
        let (system, cubes) = proof(&program);
        assert_eq!(refused(&system, &cubes), None);
        let blames = |cubes: &[Cube], what: &str| {
            let why = refused(&system, cubes).expect("this is no invariant");
            assert!(why.contains(what), "{why}");
        };
        blames(&[], "safety");
        blames(&[Cube::of(&system.initial)], "initiation");
        // Each state of the initial cube but one bit: some are reachable, and some reach them.
        let mut more = cubes.clone();
        let budget = Budget::default();
        let mut frames = Frames::new(&system, SolverKind::default(), &budget);
        let inputs = vec![false; system.inputs.len()];
        let plain = frames.plain(&system);
        let second = plain
            .step(&system, &system.initial, &inputs)
            .expect("a step");
        assert_ne!(second, system.initial);
        more.push(Cube::of(&second));
        blames(&more, "consecution");
    }

    #[test]
    fn no_clause_of_an_invariant_can_be_replaced_by_a_stronger_one_or_left_out_unnoticed() {
        let program = lock();
        let (system, cubes) = proof(&program);
        for left_out in 0..cubes.len() {
            let mut fewer = cubes.clone();
            fewer.remove(left_out);
            // What is accepted without a clause is another invariant; without any, it is none.
            if refused(&system, &fewer).is_none() {
                assert!(!fewer.is_empty());
            }
            // A clause without literals excludes everything.
            let mut stronger = cubes.clone();
            stronger[left_out] = Cube(Vec::new());
            assert!(refused(&system, &stronger).is_some());
            // A cube with the initial state is no invariant's.
            let initial = stronger[left_out].clone();
            let agrees = |lit: &BitLit| system.initial[lit.bit as usize] == lit.value;
            stronger[left_out] = Cube(cubes[left_out].0.iter().copied().filter(agrees).collect());
            assert!(initial.0.is_empty() && refused(&system, &stronger).is_some());
        }
    }
}
