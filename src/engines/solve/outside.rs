//! A solver that is another program: it reads a formula in DIMACS, and answers as in SAT competitions.
//!
//! It is trusted with nothing. A model that it prints is checked against the formula. If it prints that
//! there is none, the solver in this process has to agree, which also finds the core: so another
//! program helps where executions are hard to find, and not where they have to be excluded.
//!
//! **Absent.** Its proofs, and its clauses: it gets the whole formula with each query.

use super::backend::{Backend, Logged};
use super::clauses::Clauses;
use crate::verdict::{Budget, OutsideSolver};
use rustsat::solvers::SolverResult;
use rustsat::types::Lit;
use std::fmt::Write as _;
use std::sync::Arc;

/// Another program, beside a solver in this process.
pub(super) struct Outside {
    own: Box<dyn Backend>,
    program: Arc<dyn OutsideSolver>,
    budget: Budget,
    /// Its last model, by variable, unless the last answer is the own solver's.
    model: Option<Vec<bool>>,
}

impl Outside {
    pub(super) fn new(
        own: Box<dyn Backend>,
        program: Arc<dyn OutsideSolver>,
        budget: &Budget,
    ) -> Self {
        Self {
            own,
            program,
            budget: budget.clone(),
            model: None,
        }
    }

    /// The query, with the assumptions as clauses.
    fn query(&self, assumptions: &[Lit]) -> String {
        let clauses = self.own.log();
        let highest = assumptions.iter().map(|lit| lit.vidx() + 1).max();
        let variables = clauses.variables().max(highest.unwrap_or(0));
        let mut text = String::new();
        let count = clauses.len() + assumptions.len();
        // Strings grow.
        let _ = writeln!(text, "p cnf {variables} {count}");
        let units = assumptions.iter().map(std::slice::from_ref);
        for clause in clauses.iter().chain(units) {
            for lit in clause {
                let _ = write!(text, "{} ", lit.to_ipasir());
            }
            text.push_str("0\n");
        }
        text
    }

    /// Whether a model is one of the formula and of the assumptions.
    fn is_model(&self, model: &[bool], assumptions: &[Lit]) -> bool {
        let holds = |lit: &Lit| value(model, *lit);
        assumptions.iter().all(holds)
            && self.own.log().iter().all(|clause| clause.iter().any(holds))
    }

    /// What the program answers: a model, or that there is none.
    fn answer(&self, assumptions: &[Lit]) -> Result<Option<Vec<bool>>, String> {
        let stopped = || self.budget.is_stopped();
        let output = self.program.solve(&self.query(assumptions), &stopped)?;
        let model = parse(&output)?;
        if let Some(model) = &model
            && !self.is_model(model, assumptions)
        {
            return Err("what it prints is not a model of the formula".to_owned());
        }
        Ok(model)
    }
}

/// The value of a literal; a variable that is not in the model is false.
fn value(model: &[bool], lit: Lit) -> bool {
    model.get(lit.vidx()).copied().unwrap_or(false) == lit.is_pos()
}

/// The model in the output of a solver; `None` if it prints that there is none.
///
/// # Errors
/// It prints neither.
fn parse(output: &str) -> Result<Option<Vec<bool>>, String> {
    let mut status = None;
    let mut model = Vec::new();
    for line in output.lines() {
        if let Some(word) = line.strip_prefix("s ") {
            status = Some(word.trim());
        } else if let Some(values) = line.strip_prefix("v ") {
            for word in values.split_whitespace() {
                let number: i32 = word
                    .parse()
                    .map_err(|_| format!("`{word}` is not a literal"))?;
                let Some(variable) = (number.unsigned_abs() as usize).checked_sub(1) else {
                    continue;
                };
                if variable >= MOST_VARIABLES {
                    return Err(format!("there is no variable {}", number.unsigned_abs()));
                }
                if model.len() <= variable {
                    model.resize(variable + 1, false);
                }
                model[variable] = number > 0;
            }
        }
    }
    match status {
        Some("SATISFIABLE") => Ok(Some(model)),
        Some("UNSATISFIABLE") => Ok(None),
        Some(other) => Err(format!("it answers `{other}`")),
        None => Err("it prints no line that begins with `s `".to_owned()),
    }
}

/// No formula has more variables.
const MOST_VARIABLES: usize = 1 << 28;

impl Logged for Outside {
    fn log(&self) -> &Clauses {
        self.own.log()
    }
}

impl Backend for Outside {
    fn push(&mut self, clause: &[Lit]) {
        self.own.push(clause);
    }

    fn decide(&mut self, assumptions: &[Lit]) -> Result<SolverResult, String> {
        self.model = None;
        match self.answer(assumptions) {
            Ok(Some(model)) => {
                self.model = Some(model);
                Ok(SolverResult::Sat)
            }
            Ok(None) => self.own.decide(assumptions),
            Err(_) if self.budget.is_stopped() => Ok(SolverResult::Interrupted),
            Err(why) => {
                self.program.failed(&why);
                Err(why)
            }
        }
    }

    fn holds(&self, lit: Lit) -> bool {
        match &self.model {
            Some(model) => value(model, lit),
            None => self.own.holds(lit),
        }
    }

    fn raw_core(&mut self) -> Vec<Lit> {
        self.own.raw_core()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Session, SolverAnswer, SolverKind};
    use super::*;
    use proptest::prelude::*;
    use rustsat::solvers::{Solve as _, SolveIncremental as _};
    use rustsat::types::{Clause, TernaryVal};
    use rustsat_batsat::BasicSolver;
    use std::sync::Mutex;

    /// What a program does.
    #[derive(Clone, Copy, Debug)]
    enum Manner {
        Solves,
        /// It prints that there is no model.
        Denies,
        /// It prints the opposite of a model.
        Errs,
    }

    #[derive(Debug)]
    struct Program {
        manner: Manner,
        failures: Mutex<Vec<String>>,
    }

    impl OutsideSolver for Program {
        fn solve(&self, dimacs: &str, _: &dyn Fn() -> bool) -> Result<String, String> {
            let mut solver = BasicSolver::default();
            let mut variables = 0;
            for line in dimacs.lines().skip(1) {
                let lits = line
                    .split(' ')
                    .map(|word| word.parse::<i32>().expect("a number"));
                let lits = lits.filter(|number| *number != 0);
                let lits: Vec<Lit> = lits
                    .map(|n| Lit::from_ipasir(n).expect("a literal"))
                    .collect();
                variables = variables.max(lits.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0));
                solver
                    .add_clause(Clause::from_iter(lits))
                    .expect("it is added");
            }
            let sat = solver.solve_assumps(&[]).expect("it answers") == SolverResult::Sat;
            if !sat || matches!(self.manner, Manner::Denies) {
                return Ok("c a comment\ns UNSATISFIABLE\n".to_owned());
            }
            let mut output = "s SATISFIABLE\nv".to_owned();
            for variable in 0..variables as u32 {
                let lit = Lit::positive(variable);
                let holds = solver.lit_val(lit).expect("there is a model") == TernaryVal::True;
                let holds = holds != matches!(self.manner, Manner::Errs);
                let number = if holds { lit } else { !lit }.to_ipasir();
                let _ = write!(output, " {number}");
            }
            Ok(output + "\nv 0\n")
        }

        fn failed(&self, why: &str) {
            self.failures.lock().expect("no panic").push(why.to_owned());
        }
    }

    proptest! {
        /// Whatever the program does, an answer is that of the solver in this process.
        #[test]
        fn no_answer_is_wrong(
            clauses in prop::collection::vec(prop::collection::vec((0..6_u32, any::<bool>()), 1..4), 0..25),
            queries in prop::collection::vec(prop::collection::vec((0..6_u32, any::<bool>()), 0..4), 1..4),
            manner in prop::sample::select(vec![Manner::Solves, Manner::Denies, Manner::Errs]),
        ) {
            let lits = |of: &[(u32, bool)]| -> Vec<Lit> {
                of.iter().map(|&(index, negated)| Lit::new(index, negated)).collect()
            };
            let program = Arc::new(Program { manner, failures: Mutex::default() });
            let budget = Budget::default().with_outside(Some(program.clone()));
            let mut own = Session::new(SolverKind::default(), &Budget::default());
            let mut session = Session::new(SolverKind::default(), &budget);
            for clause in &clauses {
                own.add_clause(&lits(clause));
                session.add_clause(&lits(clause));
            }
            for query in &queries {
                let assumptions = lits(query);
                match (own.solve(&assumptions), session.solve(&assumptions)) {
                    (SolverAnswer::Sat, SolverAnswer::Sat) => {
                        let holds = |lit: &Lit| session.value(*lit);
                        prop_assert!(assumptions.iter().all(holds));
                        prop_assert!(clauses.iter().all(|clause| lits(clause).iter().any(holds)));
                    }
                    (SolverAnswer::Unsat(_), SolverAnswer::Unsat(core)) => {
                        prop_assert!(core.iter().all(|lit| assumptions.contains(lit)));
                        prop_assert!(matches!(own.solve(&core), SolverAnswer::Unsat(_)));
                    }
                    (_, SolverAnswer::Stopped) => {
                        prop_assert!(matches!(manner, Manner::Errs));
                        prop_assert!(!program.failures.lock().expect("no panic").is_empty());
                    }
                    (own, other) => prop_assert!(false, "{:?} {:?}", own, other),
                }
            }
        }
    }

    #[test]
    fn what_is_no_answer_is_an_error() {
        for (output, why) in [
            ("", "it prints no line that begins with `s `"),
            ("s UNKNOWN\n", "it answers `UNKNOWN`"),
            ("s SATISFIABLE\nv 1 x 0\n", "`x` is not a literal"),
            (
                "s SATISFIABLE\nv 999999999 0\n",
                "there is no variable 999999999",
            ),
        ] {
            assert_eq!(parse(output), Err(why.to_owned()));
        }
        let model = parse("c\nv 2\nv -1 0\ns SATISFIABLE\n");
        assert_eq!(model, Ok(Some(vec![false, true])));
    }
}
