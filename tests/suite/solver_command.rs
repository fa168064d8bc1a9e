//! `--solver-command`: other programs as solvers, those that are wrong too. The programs are tests of this
//! binary, which solve the file that is their last argument.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot start the program has failed; solvers print"
)]

use crate::support::process::{STORE_BUFFERING, code, fencepost, stderr, stdout};
use rustsat::instances::SatInstance;
use rustsat::solvers::{Solve as _, SolverResult};
use rustsat::types::Lit;
use rustsat_batsat::BasicSolver;
use std::env;
use std::path::{Path, PathBuf};

/// The file that this process has to solve, if it is a solver.
fn formula() -> Option<PathBuf> {
    let last = PathBuf::from(env::args().next_back()?);
    (last.extension()? == "cnf").then_some(last)
}

/// The model of a file, as literals.
fn model(file: &Path) -> Option<Vec<i32>> {
    let instance: SatInstance = SatInstance::from_dimacs_path(file).expect("it is DIMACS");
    let mut solver = BasicSolver::default();
    let (cnf, _) = instance.into_cnf();
    solver.add_cnf(cnf).expect("clauses are added");
    if solver.solve().expect("it answers") != SolverResult::Sat {
        return None;
    }
    let model = solver.full_solution().expect("there is a model");
    Some(model.iter().map(Lit::to_ipasir).collect())
}

fn answer(model: Option<&[i32]>) {
    match model {
        Some(model) => println!("\ns SATISFIABLE\nv {:?}0", Literals(model)),
        None => println!("\ns UNSATISFIABLE"),
    }
}

/// Shown with blanks in between.
struct Literals<'m>(&'m [i32]);

impl std::fmt::Debug for Literals<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|lit| write!(f, "{lit} "))
    }
}

#[test]
fn solves() {
    if let Some(file) = formula() {
        answer(model(&file).as_deref());
    }
}

#[test]
fn denies() {
    if formula().is_some() {
        answer(None);
    }
}

#[test]
fn lies() {
    if let Some(file) = formula() {
        let opposite: Vec<i32> = model(&file)
            .unwrap_or(vec![1])
            .iter()
            .map(|lit| -lit)
            .collect();
        answer(Some(&opposite));
    }
}

/// Checks a program with one of the tests above as the solver.
fn checked(solver: &str, program: &str) -> (i32, String, String) {
    let own = env::current_exe().unwrap();
    let command = format!(
        "{} --exact --nocapture solver_command::{solver}",
        own.display()
    );
    let arguments = [
        "check",
        "-",
        "--engine",
        "bmc",
        "--solver-command",
        command.as_str(),
    ];
    let output = fencepost(&arguments, program);
    (code(&output), stdout(&output), stderr(&output))
}

#[test]
fn another_program_finds_violations_and_denies_none() {
    let fenced = STORE_BUFFERING.replace("= 1; r", "= 1; fence; r");
    for solver in ["solves", "denies"] {
        let (exit, text, errors) = checked(solver, STORE_BUFFERING);
        assert_eq!((exit, errors.as_str()), (1, ""), "{solver}: {text}");
        assert!(text.starts_with("Violated under TSO"), "{text}");
        let (exit, text, errors) = checked(solver, &fenced);
        assert_eq!((exit, errors.as_str()), (0, ""), "{solver}: {text}");
        assert!(text.starts_with("Holds under TSO"), "{text}");
    }
}

#[test]
fn a_wrong_model_is_not_believed() {
    let (exit, text, errors) = checked("lies", STORE_BUFFERING);
    assert_eq!(exit, 3, "{text}\n{errors}");
    assert!(errors.contains("--solver-command"), "{errors}");
    assert!(errors.contains("not a model"), "{errors}");
}

#[test]
fn a_program_that_is_not_there_decides_nothing() {
    let arguments = [
        "check",
        "-",
        "--engine",
        "bmc",
        "--solver-command",
        "./not-there -q",
    ];
    let output = fencepost(&arguments, STORE_BUFFERING);
    let errors = stderr(&output);
    assert_eq!(code(&output), 3, "{errors}");
    assert!(
        errors.contains("`./not-there`: it cannot be started"),
        "{errors}"
    );
    let output = fencepost(&["check", "-", "--solver-command", " "], STORE_BUFFERING);
    assert_eq!(code(&output), 2);
}
