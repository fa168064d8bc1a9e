//! Proofs that formulas have no model: written by the solver, checked by the checker, and compared with all
//! assignments of small formulas.

use crate::support::config::config;
use crate::support::process;
use fencepost::internals::reach::refutation;
use fencepost::internals::verdict::Budget;
use fencepost::verify::refutes;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

type Clause = Vec<i32>;

const VARIABLES: i32 = 5;

fn dimacs(clauses: &[Clause]) -> String {
    let lines = clauses.iter().map(|clause| line(clause));
    format!(
        "p cnf {VARIABLES} {}\n{}",
        clauses.len(),
        lines.collect::<String>()
    )
}

fn line(clause: &[i32]) -> String {
    let numbers = clause.iter().map(|lit| format!("{lit} "));
    format!("{}0\n", numbers.collect::<String>())
}

fn has_model(clauses: &[Clause]) -> bool {
    (0..1 << VARIABLES).any(|assignment: u32| {
        clauses.iter().all(|clause| {
            clause
                .iter()
                .any(|lit| (assignment >> (lit.abs() - 1) & 1 == 1) == (*lit > 0))
        })
    })
}

fn clause(most: usize) -> impl Strategy<Value = Clause> {
    let lit = (1..=VARIABLES, any::<bool>()).prop_map(|(v, sign)| if sign { v } else { -v });
    prop::collection::vec(lit, 1..=most)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_proof_of_the_solver_is_accepted(clauses in prop::collection::vec(clause(3), 1..40)) {
        let formula = dimacs(&clauses);
        let proof = refutation(&formula, &Budget::default());
        prop_assert_eq!(proof.is_ok(), !has_model(&clauses));
        if let Ok(proof) = proof {
            let refuted = refutes(&formula, &proof);
            prop_assert!(refuted.is_ok(), "{:?}\n{}\n{}", refuted, formula, proof);
        }
    }

    /// The steps are any clauses, deleted or added.
    #[test]
    fn no_formula_with_a_model_is_refuted(
        clauses in prop::collection::vec(clause(4), 1..25),
        steps in prop::collection::vec((any::<bool>(), clause(2), any::<prop::sample::Index>()), 0..30),
        (follow, ends) in (any::<bool>(), any::<bool>()),
    ) {
        let mut proof = String::new();
        for (deletes, step, which) in steps {
            if deletes {
                let _ = write!(proof, "d {}", line(&clauses[which.index(clauses.len())]));
            } else {
                // Often only steps that follow, so that more than the first one is looked at.
                let with: Vec<Clause> = clauses.iter().cloned().chain(step.iter().map(|lit| vec![-lit])).collect();
                if !follow || !has_model(&with) {
                    proof.push_str(&line(&step));
                }
            }
        }
        if ends {
            proof.push_str("0\n");
        }
        let refuted = refutes(&dimacs(&clauses), &proof);
        prop_assert!(refuted.is_err() || !has_model(&clauses), "{:?}\n{}", clauses, proof);
    }

    #[test]
    fn any_text_is_refused_or_a_proof(formula in "[pc nf0-9\\-\n]{0,60}", proof in "[d 0-9\\-\n]{0,40}") {
        let _ = refutes(&formula, &proof);
    }
}

fn verify(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost-verify"))
        .args(arguments)
        .output()
        .expect("the checker starts");
    let text = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("the checker was not killed");
    (code, String::from_utf8(text).expect("it prints text"))
}

#[test]
fn the_proof_of_an_exported_formula_is_checked_and_a_changed_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (formula, proof) = (path("formula.cnf"), path("proof.drat"));
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/guide/claim-fenced.fence");
    let program = program.display().to_string();
    let export = ["export", &program, "--cnf", &formula, "--proof", &proof];
    let output = process::fencepost(&export, "");
    assert_eq!(process::code(&output), 0, "{}", process::stderr(&output));
    let (code, text) = verify(&["--drat", &formula, &proof]);
    assert!(
        code == 0 && text.contains("verified: the formula has no model"),
        "{text}"
    );
    assert!(text.contains("the word of the encoder"), "{text}");
    assert_eq!(verify(&["--drat", &formula]).0, 2);
    assert_eq!(verify(&["--drat", &proof, &formula]).0, 2);

    // Without the query the formula has a model, so nothing refutes it.
    let text = fs::read_to_string(&formula).expect("it was written");
    let clauses: Vec<&str> = text.lines().collect();
    let query = clauses
        .iter()
        .rev()
        .take_while(|line| line.split(' ').count() == 2)
        .count();
    let fewer = clauses[..clauses.len() - query].join("\n");
    fs::write(&formula, fewer).expect("a file");
    let (code, text) = verify(&["--drat", &formula, &proof]);
    assert!(code == 1 && text.starts_with("refused: "), "{text}");
}

#[test]
fn there_is_no_proof_of_what_is_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (formula, proof) = (path("formula.cnf"), path("proof.drat"));
    let program = "shared x; thread t { x = 1; } forbid x == 1;";
    let export = ["export", "-", "--cnf", &formula, "--proof", &proof];
    let output = process::fencepost(&export, program);
    assert_eq!(process::code(&output), 2);
    let said = process::stderr(&output);
    assert!(said.contains("there is no proof"), "{said}");
    assert!(!Path::new(&formula).exists() && !Path::new(&proof).exists());
}
