//! varisat as an implementation of rustsat's traits, with interrupts, which varisat itself lacks.
//!
//! varisat has no call to stop a search. It can write a proof while it searches, though, and gives
//! up when the writer fails: so it writes its native proof into [`Tripwire`], which discards
//! everything and fails once the stop flag is raised. That costs about 4 %, and the solver is
//! unusable afterwards; the next query starts a new one from the log of clauses.
//!
//! The mapping of variables is the identity. varisat creates a variable when a clause or an
//! assumption first names it; `new_var` and `hide_var`, which break that and make `model` panic,
//! are never called. The model is copied at once.
//!
//! **Invariant.** varisat holds the first `loaded` clauses of the log and no others.
//!
//! **Absent.** The order and the correctness of cores: see the guard in `session.rs`. CPU time:
//! this module reads no clock, so `cpu_solve_time` is zero.

use super::backend::Logged;
use super::clauses::Clauses;
use crate::verdict::Budget;
use ::varisat::config::SolverConfigUpdate;
use ::varisat::solver::{ProofFormat, Solver, SolverError};
use ::varisat::{self as v, ExtendFormula};
use rustsat::solvers::{
    Solve, SolveIncremental, SolveStats, SolverResult, SolverState, SolverStats, StateError,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal};
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many clauses are loaded between two checks of the stop flag.
const LOAD_STRIDE: usize = 1024;

/// A writer that discards everything, counts it as work, and fails once the search has to stop.
struct Tripwire(Budget);

impl io::Write for Tripwire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.is_stopped() {
            // Not `ErrorKind::Interrupted`: buffered writers retry after that.
            Err(io::Error::other("stopped"))
        } else {
            self.0.spend(bytes.len() as u64);
            Ok(bytes.len())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write(&[]).map(|_| ())
    }
}

/// The result of the last call.
enum State {
    Input,
    /// The value of each variable in varisat.
    Sat(Vec<bool>),
    /// The raw core, in varisat's order.
    Unsat(Vec<Lit>),
}

impl State {
    fn name(&self) -> SolverState {
        match self {
            State::Input => SolverState::Input,
            State::Sat(_) => SolverState::Sat,
            State::Unsat(_) => SolverState::Unsat,
        }
    }
}

/// varisat, with its clauses.
pub(super) struct Varisat {
    solver: Solver<'static>,
    budget: Budget,
    log: Clauses,
    loaded: usize,
    state: State,
    sat: usize,
    unsat: usize,
    terminated: usize,
}

/// A varisat solver that polls the stop flag, tuned for many queries to one formula.
///
/// Measured on 800 queries about total orders of 24 events: 31 s, against 42 s untuned. A VSIDS
/// decay of 0.9, which helps where a scheduler is encoded step by step, costs a quarter here.
fn fresh(budget: &Budget) -> Solver<'static> {
    let mut solver = Solver::new();
    let mut tuning = SolverConfigUpdate::new();
    tuning.luby_restart_interval_scale = Some(32);
    tuning.reduce_locals_interval = Some(3000);
    let tuned = solver.config(&tuning);
    tuned.expect("the values are within the ranges that varisat documents");
    solver.write_proof(Tripwire(budget.clone()), ProofFormat::Varisat);
    solver
}

pub(super) fn to_varisat(lit: Lit) -> v::Lit {
    v::Lit::from_index(lit.vidx(), lit.is_pos())
}

fn from_varisat(lit: v::Lit) -> Lit {
    Lit::new(lit.index() as u32, lit.is_negative())
}

impl Varisat {
    /// A solver without clauses.
    pub(super) fn new(budget: &Budget) -> Self {
        Self {
            solver: fresh(budget),
            budget: budget.clone(),
            log: Clauses::default(),
            loaded: 0,
            state: State::Input,
            sat: 0,
            unsat: 0,
            terminated: 0,
        }
    }

    /// Starts a new varisat solver, without learned clauses, and returns the old one.
    fn rebuild(&mut self) -> Solver<'static> {
        self.loaded = 0;
        mem::replace(&mut self.solver, fresh(&self.budget))
    }

    /// Loads the waiting clauses; stops between two of them if the flag is raised.
    fn load(&mut self) {
        let mut buffer = Vec::new();
        for clause in self.log.since(self.loaded) {
            if self.loaded.is_multiple_of(LOAD_STRIDE) && self.budget.is_stopped() {
                return;
            }
            buffer.clear();
            buffer.extend(clause.iter().copied().map(to_varisat));
            self.solver.add_clause(&buffer);
            self.loaded += 1;
        }
    }

    /// One call of varisat, which may panic.
    fn call(&mut self, assumptions: &[Lit]) -> Result<bool, SolverError> {
        self.load();
        if self.loaded < self.log.len() {
            return Err(SolverError::Interrupted);
        }
        // Assumptions stay until they are replaced, and a result "unsat under assumptions" stays
        // even when clauses are added: set the assumptions at every call.
        let assumptions: Vec<v::Lit> = assumptions.iter().copied().map(to_varisat).collect();
        self.solver.assume(&assumptions);
        self.solver.solve()
    }

    /// The model, by variable.
    fn model(&self) -> Vec<bool> {
        let mut values = Vec::new();
        for lit in self.solver.model().unwrap_or_default() {
            if values.len() <= lit.index() {
                values.resize(lit.index() + 1, false);
            }
            values[lit.index()] = lit.is_positive();
        }
        values
    }
}

impl Logged for Varisat {
    fn log(&self) -> &Clauses {
        &self.log
    }
}

impl Solve for Varisat {
    fn signature(&self) -> &'static str {
        "varisat 0.2.2"
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        let State::Sat(values) = &self.state else {
            return Err(StateError {
                required_state: SolverState::Sat,
                actual_state: self.state.name(),
            }
            .into());
        };
        Ok(match values.get(lit.vidx()) {
            Some(&value) => TernaryVal::from(value == lit.is_pos()),
            None => TernaryVal::DontCare,
        })
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.log.push(clause.as_ref().as_ref());
        Ok(())
    }
}

impl SolveIncremental for Varisat {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.state = State::Input;
        if self.budget.is_stopped() {
            self.terminated += 1;
            return Ok(SolverResult::Interrupted);
        }
        // A panic can leave only `solver` in an inconsistent state, and that is discarded.
        let answer = catch_unwind(AssertUnwindSafe(|| {
            self.call(assumps).map(|sat| {
                if sat {
                    State::Sat(self.model())
                } else {
                    let core = self.solver.failed_core().unwrap_or_default();
                    State::Unsat(core.iter().copied().map(from_varisat).collect())
                }
            })
        }));
        match answer {
            Ok(Ok(state)) => {
                let sat = matches!(state, State::Sat(_));
                self.state = state;
                if sat {
                    self.sat += 1;
                    Ok(SolverResult::Sat)
                } else {
                    self.unsat += 1;
                    Ok(SolverResult::Unsat)
                }
            }
            Ok(Err(_)) => {
                drop(self.rebuild());
                self.terminated += 1;
                Ok(SolverResult::Interrupted)
            }
            Err(panic) => {
                // Dropping it would run its code on an inconsistent state.
                mem::forget(self.rebuild());
                let what = panic.downcast_ref::<&str>().copied();
                let what = what.or(panic.downcast_ref::<String>().map(String::as_str));
                anyhow::bail!("varisat panicked: {}", what.unwrap_or("without a message"))
            }
        }
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        let State::Unsat(core) = &self.state else {
            return Err(StateError {
                required_state: SolverState::Unsat,
                actual_state: self.state.name(),
            }
            .into());
        };
        Ok(core.iter().map(|&lit| !lit).collect())
    }
}

impl SolveStats for Varisat {
    fn stats(&self) -> SolverStats {
        super::backend::stats(&self.log, [self.sat, self.unsat, self.terminated])
    }
}

impl Extend<Clause> for Varisat {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.log.push(clause.as_ref());
        }
    }
}

impl<'a> Extend<&'a Clause> for Varisat {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.log.push(clause.as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_inside_varisat_is_an_error_and_the_clauses_survive_it() {
        let (a, b) = (Lit::positive(0), Lit::positive(1));
        let mut varisat = Varisat::new(&Budget::default());
        varisat.log.push(&[a, b]);
        assert_eq!(varisat.solve().ok(), Some(SolverResult::Sat));
        // varisat panics when a witness variable is constrained.
        varisat.solver.witness_var(to_varisat(a).var());
        varisat.log.push(&[!a]);
        let error = varisat.solve().expect_err("varisat panics");
        assert!(error.to_string().starts_with("varisat panicked: "));
        assert_eq!(varisat.solve().ok(), Some(SolverResult::Sat));
        assert_eq!(varisat.lit_val(b).ok(), Some(TernaryVal::True));
        assert_eq!(varisat.lit_val(!a).ok(), Some(TernaryVal::True));
    }

    #[test]
    fn values_and_cores_are_errors_when_there_are_none() {
        let a = Lit::positive(0);
        let mut varisat = Varisat::new(&Budget::default());
        assert!(varisat.lit_val(a).is_err() && varisat.core().is_err());
        assert_eq!(varisat.solve().ok(), Some(SolverResult::Sat));
        assert_eq!(varisat.lit_val(a).ok(), Some(TernaryVal::DontCare));
        assert!(varisat.core().is_err());
        varisat.extend([Clause::from([a])]);
        assert_eq!(varisat.solve_assumps(&[!a]).ok(), Some(SolverResult::Unsat));
        assert_eq!(varisat.core().ok(), Some(vec![a]));
        assert!(varisat.lit_val(a).is_err());
        let stats = varisat.stats();
        assert_eq!((stats.n_sat, stats.n_unsat, stats.n_clauses), (1, 1, 1));
    }
}
