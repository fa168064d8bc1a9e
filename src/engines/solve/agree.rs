//! Random queries: sessions are compared with enumeration of all assignments and with batsat.
//!
//! A sequence grows a formula over a few variables and queries it under random assumptions after
//! each step. The oracle keeps the *set of models* as one bit per assignment, so clauses and
//! assumptions are intersections, and every claim of a session can be checked: the verdict, the
//! model, the core, and that the certificate of a core is accepted.
//!
//! One test shows the defect of varisat that makes the guard necessary: without the guard some
//! cores over these seeds are wrong (107 in 60,000 sequences); with it none is.

use super::backend::Backend;
use super::varisat::Varisat;
use super::{CertifyError, Clauses, Session, SolverAnswer, SolverKind, certify};
use crate::verdict::Budget;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Cl, Lit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Steele, Lea and Flood's `SplitMix64`: the same sequence everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn lit(&mut self, variables: u64) -> Lit {
        Lit::new(self.below(variables) as u32, self.below(2) == 0)
    }

    fn lits(&mut self, variables: u64, len: u64) -> Vec<Lit> {
        (0..len).map(|_| self.lit(variables)).collect()
    }
}

/// The set of models, one bit per assignment; bit `v` of an assignment is variable `v`.
#[derive(Clone)]
struct Models(Vec<bool>);

impl Models {
    fn all(variables: u64) -> Self {
        Self(vec![true; 1 << variables])
    }

    fn keep(&mut self, clause: &[Lit]) {
        for (assignment, kept) in self.0.iter_mut().enumerate() {
            *kept &= clause.iter().any(|&lit| holds(assignment, lit));
        }
    }

    fn exist_under(&self, assumptions: &[Lit]) -> bool {
        let mut models = self.0.iter().enumerate().filter(|&(_, &kept)| kept);
        models.any(|(assignment, _)| assumptions.iter().all(|&lit| holds(assignment, lit)))
    }
}

fn holds(assignment: usize, lit: Lit) -> bool {
    (assignment >> lit.vidx() & 1 == 1) == lit.is_pos()
}

/// One step of a sequence: clauses to add, then a query.
struct Step {
    clauses: Vec<Vec<Lit>>,
    assumptions: Vec<Lit>,
}

/// The sequence of a seed, and its number of variables. `repeats` allows a variable twice in the
/// assumptions.
fn sequence(seed: u64, repeats: bool) -> (u64, Vec<Step>) {
    let mut random = Random(seed);
    let variables = 3 + random.below(9);
    let steps = 4 + random.below(20);
    let step = |random: &mut Random, index: u64| {
        // Variables are introduced gradually. varisat reuses the index of a fixed variable for a
        // later one, and only then are its cores wrong.
        let variables = 2 + (variables - 2) * (index + 1) / steps;
        let mut clauses = Vec::new();
        for _ in 0..random.below(4) {
            // Units are rare; otherwise everything would be fixed early.
            let len = [1, 2, 2, 3, 3, 3, 3, 4][random.below(8) as usize];
            clauses.push(random.lits(variables, len));
        }
        let len = random.below(variables + 1);
        let mut assumptions = random.lits(variables, len);
        if !repeats {
            let mut seen = 0_u64;
            assumptions.retain(|lit| {
                let new = seen >> lit.vidx() & 1 == 0;
                seen |= 1 << lit.vidx();
                new
            });
        }
        Step {
            clauses,
            assumptions,
        }
    };
    let steps = (0..steps).map(|index| step(&mut random, index)).collect();
    (variables, steps)
}

/// Whether `part` is a subsequence of `whole`.
fn in_order(part: &[Lit], whole: &[Lit]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|lit| rest.any(|other| other == lit))
}

fn compare(kind: SolverKind, seed: u64) {
    let (variables, steps) = sequence(seed, true);
    let mut session = Session::new(kind, &Budget::default());
    let mut batsat = rustsat_batsat::BasicSolver::default();
    let mut models = Models::all(variables);
    for Step {
        clauses,
        assumptions,
    } in steps
    {
        for clause in &clauses {
            session.add_clause(clause);
            models.keep(clause);
            let added = batsat.add_clause_ref(Cl::new(clause));
            added.expect("batsat takes any clause");
        }
        let other = batsat.solve_assumps(&assumptions).expect("batsat answers");
        match session.solve(&assumptions) {
            SolverAnswer::Sat => {
                assert_eq!(other, SolverResult::Sat, "seed {seed}");
                let assignment = (0..variables as usize)
                    .filter(|&v| session.value(Lit::positive(v as u32)))
                    .fold(0, |assignment, v| assignment | 1 << v);
                assert!(models.0[assignment], "seed {seed}: not a model");
                let assumed = assumptions.iter().all(|&lit| holds(assignment, lit));
                assert!(assumed, "seed {seed}: the model violates an assumption");
            }
            SolverAnswer::Unsat(core) => {
                assert_eq!(other, SolverResult::Unsat, "seed {seed}");
                assert!(in_order(&core, &assumptions), "seed {seed}: order");
                assert!(!models.exist_under(&core), "seed {seed}: not a core");
                if seed.is_multiple_of(16) {
                    let certified = certify(session.clauses(), &core, &Budget::default());
                    assert_eq!(certified, Ok(()), "seed {seed}");
                }
            }
            SolverAnswer::Stopped => panic!("seed {seed}: stopped"),
        }
    }
}

#[test]
fn sessions_agree_with_enumeration_and_with_batsat() {
    for &kind in SolverKind::ALL {
        for seed in 0..5000 {
            compare(kind, seed);
        }
    }
}

/// Over these seeds: the number of wrong cores without the guard, the number with it, and the
/// number of cores that it repaired.
fn wrong_cores(seeds: std::ops::Range<u64>) -> (usize, usize, u64) {
    let (mut raw, mut guarded, mut repaired) = (0, 0, 0);
    for seed in seeds {
        let (variables, steps) = sequence(seed, false);
        let mut solver = Varisat::new(&Budget::default());
        let mut session = Session::new(SolverKind::Varisat, &Budget::default());
        let mut models = Models::all(variables);
        for step in steps {
            for clause in &step.clauses {
                models.keep(clause);
                session.add_clause(clause);
                solver.push(clause);
            }
            if solver.decide(&step.assumptions) == Ok(SolverResult::Unsat) {
                raw += usize::from(models.exist_under(&solver.raw_core()));
            }
            if let SolverAnswer::Unsat(core) = session.solve(&step.assumptions) {
                guarded += usize::from(models.exist_under(&core));
            }
        }
        repaired += session.stats().repaired_cores;
    }
    (raw, guarded, repaired)
}

#[test]
fn varisat_returns_wrong_cores_and_the_guard_repairs_them() {
    let (raw, guarded, repaired) = wrong_cores(0..3000);
    assert!(
        raw > 0,
        "varisat no longer shows the defect: drop the guard?"
    );
    assert_eq!(guarded, 0);
    assert!(repaired > 0);
}

#[test]
fn the_same_calls_give_the_same_answers() {
    for &kind in SolverKind::ALL {
        let answers = |seed| {
            let (variables, steps) = sequence(seed, true);
            let mut session = Session::new(kind, &Budget::default());
            let mut answers = Vec::new();
            for step in steps {
                step.clauses
                    .iter()
                    .for_each(|clause| session.add_clause(clause));
                let answer = session.solve(&step.assumptions);
                let values = (answer == SolverAnswer::Sat).then(|| {
                    let values = (0..variables).map(|v| session.value(Lit::positive(v as u32)));
                    values.collect::<Vec<_>>()
                });
                answers.push((answer, values));
            }
            (answers, session.stats())
        };
        for seed in 0..50 {
            assert_eq!(answers(seed), answers(seed));
        }
    }
}

#[test]
fn a_satisfiable_formula_cannot_be_certified() {
    let (a, b) = (Lit::positive(0), Lit::positive(1));
    let mut clauses = Clauses::default();
    clauses.push(&[a, b]);
    let budget = Budget::default();
    assert_eq!(
        certify(&clauses, &[!a], &budget),
        Err(CertifyError::Satisfiable)
    );
    assert_eq!(certify(&clauses, &[!a, !b], &budget), Ok(()));
}

/// Raises and lowers the flag repeatedly, at growing intervals, until `enough` is set.
fn toggle(flag: &AtomicBool, enough: &AtomicBool) {
    for quiet in (1..12).cycle() {
        thread::sleep(Duration::from_micros(quiet * 300));
        flag.store(true, Ordering::Relaxed);
        thread::sleep(Duration::from_micros(50));
        flag.store(false, Ordering::Relaxed);
        if enough.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Solves again until the result is not `Stopped`.
fn solve_until_done(session: &mut Session, assumptions: &[Lit], stops: &mut u32) -> SolverAnswer {
    loop {
        match session.solve(assumptions) {
            SolverAnswer::Stopped => *stops += 1,
            answer @ (SolverAnswer::Sat | SolverAnswer::Unsat(_)) => return answer,
        }
    }
}

#[test]
fn interruptions_do_not_change_the_answers_that_follow() {
    const VARIABLES: u64 = 120;
    for &kind in SolverKind::ALL {
        let flag = Arc::new(AtomicBool::new(false));
        let enough = Arc::new(AtomicBool::new(false));
        let toggler = {
            let (flag, enough) = (Arc::clone(&flag), Arc::clone(&enough));
            thread::spawn(move || toggle(&flag, &enough))
        };
        let mut random = Random(7);
        let mut session = Session::new(kind, &Budget::with_stop(flag));
        let mut batsat = rustsat_batsat::BasicSolver::default();
        let mut verdict_of_batsat = |clauses: &[Vec<Lit>], assumptions: &[Lit]| {
            for clause in clauses {
                batsat.add_clause_ref(Cl::new(clause)).expect("any clause");
            }
            batsat.solve_assumps(assumptions).expect("batsat answers")
        };
        let mut stops = 0;
        for round in 0..60 {
            let growth = if round == 0 { 480 } else { 3 };
            let clauses: Vec<_> = (0..growth).map(|_| random.lits(VARIABLES, 3)).collect();
            for clause in &clauses {
                session.add_clause(clause);
            }
            let assumptions = random.lits(VARIABLES, 6);
            let other = verdict_of_batsat(&clauses, &assumptions);
            match solve_until_done(&mut session, &assumptions, &mut stops) {
                SolverAnswer::Sat => {
                    assert_eq!(other, SolverResult::Sat, "round {round}");
                    let satisfied = |clause: &[Lit]| clause.iter().any(|&lit| session.value(lit));
                    assert!(session.clauses().iter().all(satisfied));
                    assert!(assumptions.iter().all(|&lit| session.value(lit)));
                }
                SolverAnswer::Unsat(core) => {
                    assert_eq!(other, SolverResult::Unsat, "round {round}");
                    assert_eq!(verdict_of_batsat(&[], &core), SolverResult::Unsat);
                }
                SolverAnswer::Stopped => unreachable!("solved until done"),
            }
        }
        enough.store(true, Ordering::Relaxed);
        toggler.join().expect("the toggler does not panic");
        assert_eq!(session.stats().breakdowns, 0);
    }
}
