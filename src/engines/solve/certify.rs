//! Certificates of unsatisfiability: a proof by a fresh solver, checked by an independent checker.
//!
//! The formula is solved again from scratch, with the assumptions as unit clauses, and varisat
//! writes its native proof. varisat-checker reads the clauses and the proof and checks every step
//! by unit propagation. This module checks that the proof derives the empty clause: a proof of
//! something else would be accepted as well.
//!
//! **Invariant.** The checker gets the clauses from the caller, not from the solver.
//!
//! **Absent.** A proof of the steps of an incremental session. Only the claim is certified, not how
//! the session reached it; the session's learned clauses and cores are not used.

use super::Clauses;
use super::varisat::to_varisat;
use crate::verdict::Budget;
use ::varisat::checker::{CheckedProofStep, Checker, CheckerData, ProofProcessor};
use ::varisat::solver::{ProofFormat, Solver};
use ::varisat::{self as v, ExtendFormula};
use rustsat::types::Lit;
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Why a claim of unsatisfiability could not be certified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertifyError {
    /// The claim is false: there is a model.
    Satisfiable,
    /// The stop flag was raised first.
    Stopped,
    /// The proof was rejected, does not derive the empty clause, or could not be written; the text
    /// gives the reason.
    Rejected(String),
}

impl fmt::Display for CertifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertifyError::Satisfiable => write!(f, "the formula has a model"),
            CertifyError::Stopped => write!(f, "stopped before the proof was complete"),
            CertifyError::Rejected(why) => write!(f, "no accepted proof: {why}"),
        }
    }
}

impl std::error::Error for CertifyError {}

/// Certifies that these clauses have no model under these assumptions.
///
/// # Errors
/// There is a model, the stop flag was raised, or the checker did not accept the proof.
pub fn certify(
    clauses: &Clauses,
    assumptions: &[Lit],
    budget: &Budget,
) -> Result<(), CertifyError> {
    let formula = translate(clauses, assumptions);
    let proof = refute(&formula, ProofFormat::Varisat, budget)?;
    guarded("the checker", || check(&formula, &proof))?
}

/// The clauses in DIMACS, with the assumptions as unit clauses, and a DRAT proof of them in text
/// form, for external checkers.
///
/// # Errors
/// As [`certify`], except that no checker is run.
pub fn drat(
    clauses: &Clauses,
    assumptions: &[Lit],
    budget: &Budget,
) -> Result<(String, Vec<u8>), CertifyError> {
    let formula = translate(clauses, assumptions);
    let proof = refute(&formula, ProofFormat::Drat, budget)?;
    let assumed = assumptions.iter().map(|lit| lit.vidx() + 1).max();
    let variables = clauses.variables().max(assumed.unwrap_or(0));
    let mut dimacs = format!("p cnf {variables} {}\n", formula.len());
    for clause in &formula {
        for lit in clause {
            dimacs.push_str(&lit.to_dimacs().to_string());
            dimacs.push(' ');
        }
        dimacs.push_str("0\n");
    }
    Ok((dimacs, proof))
}

fn translate(clauses: &Clauses, assumptions: &[Lit]) -> Vec<Vec<v::Lit>> {
    let units = assumptions.chunks(1);
    let all = clauses.iter().chain(units);
    all.map(|clause| clause.iter().copied().map(to_varisat).collect())
        .collect()
}

/// Stores a proof; writing fails once the stop flag is raised.
#[derive(Clone)]
struct Sink {
    bytes: Rc<RefCell<Vec<u8>>>,
    budget: Budget,
}

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.budget.is_stopped() {
            return Err(io::Error::other("stopped"));
        }
        self.bytes.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn refute(
    formula: &[Vec<v::Lit>],
    format: ProofFormat,
    budget: &Budget,
) -> Result<Vec<u8>, CertifyError> {
    let sink = Sink {
        bytes: Rc::default(),
        budget: budget.clone(),
    };
    guarded("the solver", || {
        let mut solver = Solver::new();
        solver.write_proof(sink.clone(), format);
        for clause in formula {
            solver.add_clause(clause);
        }
        match solver.solve() {
            Ok(false) => {}
            Ok(true) => return Err(CertifyError::Satisfiable),
            Err(_) => return Err(CertifyError::Stopped),
        }
        solver.close_proof().map_err(|_| CertifyError::Stopped)
    })??;
    Ok(sink.bytes.take())
}

/// Records whether the empty clause is among the checked steps.
#[derive(Default)]
struct Refutation {
    seen: bool,
}

impl ProofProcessor for Refutation {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        _: CheckerData<'_, '_>,
    ) -> anyhow::Result<()> {
        if let CheckedProofStep::AddClause { clause, .. }
        | CheckedProofStep::AtClause { clause, .. } = step
        {
            self.seen |= clause.is_empty();
        }
        Ok(())
    }
}

fn check(formula: &[Vec<v::Lit>], proof: &[u8]) -> Result<(), CertifyError> {
    let rejected = |error: v::checker::CheckerError| CertifyError::Rejected(error.to_string());
    let mut refutation = Refutation::default();
    let mut checker = Checker::new();
    checker.add_processor(&mut refutation);
    for clause in formula {
        checker.add_clause(clause).map_err(rejected)?;
    }
    checker.check_proof(proof).map_err(rejected)?;
    drop(checker);
    if refutation.seen {
        Ok(())
    } else {
        let why = "the proof does not derive the empty clause";
        Err(CertifyError::Rejected(why.to_owned()))
    }
}

/// Turns a panic into a rejection: solver and checker are third-party code.
fn guarded<T>(who: &str, work: impl FnOnce() -> T) -> Result<T, CertifyError> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| CertifyError::Rejected(format!("{who} panicked")))
}
