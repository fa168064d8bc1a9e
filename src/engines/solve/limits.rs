//! Tests of limits: stop flags take effect promptly, and a session survives a solver that breaks
//! down.
//!
//! The hard query is the pigeonhole principle, whose shortest resolution refutations are
//! exponential [Haken 1985]. A switch guards it, so that the same formula also has easy queries.

use super::backend::{Backend, Logged};
use super::clauses::Clauses;
use super::{CertifyError, Session, SolverAnswer, SolverKind, certify, drat};
use crate::verdict::Budget;
use rustsat::solvers::SolverResult;
use rustsat::types::Lit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// "`holes + 1` pigeons sit in `holes` holes, no two in one", if `switch` is on. Variable 0 is the
/// switch.
fn pigeons(holes: u32) -> (Clauses, Lit) {
    let switch = Lit::positive(0);
    let sits = |pigeon: u32, hole: u32| Lit::positive(1 + pigeon * holes + hole);
    let mut clauses = Clauses::default();
    for pigeon in 0..=holes {
        let mut clause = vec![!switch];
        clause.extend((0..holes).map(|hole| sits(pigeon, hole)));
        clauses.push(&clause);
        for other in 0..pigeon {
            for hole in 0..holes {
                clauses.push(&[!switch, !sits(pigeon, hole), !sits(other, hole)]);
            }
        }
    }
    (clauses, switch)
}

fn session(kind: SolverKind, clauses: &Clauses, budget: &Budget) -> Session {
    let mut session = Session::new(kind, budget);
    clauses.iter().for_each(|clause| session.add_clause(clause));
    session
}

/// Runs the work, raises the flag while it runs, and returns how long the work continued after
/// that.
fn overrun<T>(flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> (T, Duration) {
    let raiser = {
        let flag = Arc::clone(flag);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(150));
            flag.store(true, Ordering::Relaxed);
            Instant::now()
        })
    };
    let result = work();
    let end = Instant::now();
    let raised = raiser.join().expect("the raiser does not panic");
    (result, end.saturating_duration_since(raised))
}

/// The longest acceptable delay of a stop on an idle machine. With 835,000 random clauses over
/// 200,000 variables a stop takes a tenth of a second, most of it to free memory.
const PROMPT: Duration = Duration::from_millis(100);

/// The longest acceptable delay of a timeout on any machine.
const AT_MOST: Duration = Duration::from_secs(1);

#[test]
fn a_raised_flag_stops_a_hard_query_promptly_and_the_session_stays_usable() {
    for &kind in SolverKind::ALL {
        let flag = Arc::new(AtomicBool::new(false));
        let (clauses, switch) = pigeons(13);
        let mut session = session(kind, &clauses, &Budget::with_stop(Arc::clone(&flag)));
        let mut least = Duration::MAX;
        for _ in 0..2 {
            assert_eq!(session.solve(&[!switch]), SolverAnswer::Sat);
            let (answer, late) = overrun(&flag, || session.solve(&[switch]));
            assert_eq!(answer, SolverAnswer::Stopped);
            assert!(
                late < AT_MOST,
                "{kind} stopped {late:?} after the flag rose"
            );
            least = least.min(late);
            assert_eq!(session.solve(&[]), SolverAnswer::Stopped);
            flag.store(false, Ordering::Relaxed);
        }
        assert!(
            least < PROMPT,
            "{kind} stopped {least:?} after the flag rose, at best"
        );
        assert_eq!(session.solve(&[!switch]), SolverAnswer::Sat);
        session.add_clause(&[switch]);
        assert_eq!(
            session.solve(&[!switch]),
            SolverAnswer::Unsat(vec![!switch])
        );
        assert_eq!(session.stats().breakdowns, 0);
    }
}

#[test]
fn a_raised_flag_stops_a_certificate_promptly() {
    let flag = Arc::new(AtomicBool::new(false));
    let (clauses, switch) = pigeons(13);
    let budget = Budget::with_stop(Arc::clone(&flag));
    let (result, late) = overrun(&flag, || certify(&clauses, &[switch], &budget));
    assert_eq!(result, Err(CertifyError::Stopped));
    assert!(late < AT_MOST, "stopped {late:?} after the flag rose");
}

#[test]
fn seven_pigeons_do_not_fit_into_six_holes() {
    let (clauses, switch) = pigeons(6);
    for &kind in SolverKind::ALL {
        let mut session = session(kind, &clauses, &Budget::default());
        assert_eq!(session.solve(&[switch]), SolverAnswer::Unsat(vec![switch]));
        assert_eq!(session.solve(&[]), SolverAnswer::Sat);
    }
    assert_eq!(certify(&clauses, &[switch], &Budget::default()), Ok(()));
}

#[test]
fn a_drat_proof_refutes_the_formula_it_is_written_with() {
    let (clauses, switch) = pigeons(4);
    let (dimacs, proof) = drat(&clauses, &[switch], &Budget::default()).expect("unsatisfiable");
    assert!(dimacs.starts_with("p cnf 21 46\n"), "{dimacs}");
    let proof = String::from_utf8(proof).expect("the text form");
    let mut formula: Vec<Vec<i32>> = dimacs.lines().skip(1).map(numbers).collect();
    let mut refuted = false;
    // Deletions only save the checker work, so they are skipped.
    for line in proof.lines().filter(|line| !line.starts_with('d')) {
        let clause = numbers(line);
        assert!(follows_by_propagation(&formula, &clause), "{line}");
        refuted |= clause.is_empty();
        formula.push(clause);
    }
    assert!(refuted);
}

fn numbers(line: &str) -> Vec<i32> {
    let numbers = line.split_whitespace();
    let numbers = numbers.map(|word| word.parse().expect("a number"));
    numbers.take_while(|&number| number != 0).collect()
}

/// Whether unit propagation refutes the formula together with the negated clause.
fn follows_by_propagation(formula: &[Vec<i32>], clause: &[i32]) -> bool {
    let mut on: Vec<i32> = clause.iter().map(|number| -number).collect();
    loop {
        let before = on.len();
        for clause in formula {
            if clause.iter().any(|number| on.contains(number)) {
                continue;
            }
            let mut open = clause.iter().filter(|&&number| !on.contains(&-number));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), None) => on.push(unit),
                (Some(_), Some(_)) => {}
            }
        }
        if on.len() == before {
            return false;
        }
    }
}

/// A backend that fails `failures` times and then returns the given results.
struct Scripted {
    log: Clauses,
    failures: u32,
    answers: Vec<SolverResult>,
}

impl Logged for Scripted {
    fn log(&self) -> &Clauses {
        &self.log
    }
}

impl Backend for Scripted {
    fn push(&mut self, clause: &[Lit]) {
        self.log.push(clause);
    }

    fn decide(&mut self, _: &[Lit]) -> Result<SolverResult, String> {
        if self.failures > 0 {
            self.failures -= 1;
            return Err("a broken invariant".to_owned());
        }
        Ok(self.answers.remove(0))
    }

    /// The model in which every literal holds.
    fn holds(&self, _: Lit) -> bool {
        true
    }

    fn raw_core(&mut self) -> Vec<Lit> {
        Vec::new()
    }
}

fn scripted(failures: u32, answers: &[SolverResult]) -> Session {
    let backend = Scripted {
        log: Clauses::default(),
        failures,
        answers: answers.to_vec(),
    };
    Session::with_backend(Box::new(backend), &Budget::default())
}

#[test]
fn a_solver_that_breaks_down_is_called_once_more() {
    let mut session = scripted(1, &[SolverResult::Sat]);
    assert_eq!(session.solve(&[]), SolverAnswer::Sat);
    assert_eq!(session.stats().breakdowns, 1);
    let mut session = scripted(2, &[SolverResult::Sat]);
    assert_eq!(session.solve(&[]), SolverAnswer::Stopped);
    assert_eq!(session.stats().breakdowns, 2);
}

#[test]
fn a_model_overrides_an_unsat_verdict() {
    let lit = Lit::positive(0);
    let mut session = scripted(0, &[SolverResult::Unsat, SolverResult::Sat]);
    assert_eq!(session.solve(&[lit]), SolverAnswer::Sat);
}
