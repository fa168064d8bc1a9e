//! The real cases in Rust against their twins in the language of this project: the same verdicts, and sets
//! of fences that cost as much.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the corpus has failed"
)]

use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, parse_as, render};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::program::{Aim, Program};
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of a case: its name, in Rust, and in the language of this project.
fn cases() -> Vec<(String, String, String)> {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let read = |path: &Path| fs::read_to_string(path).expect("it is text");
    let mut cases: Vec<_> = fs::read_dir(corpus.join("rust/real"))
        .expect("the folder is there")
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            let twin = corpus.join(format!("real/{name}.fence"));
            (name.to_string(), read(&path), read(&twin))
        })
        .collect();
    cases.sort();
    cases
}

fn program(format: Format, text: &str) -> Program {
    let parsed = parse_as(format, text);
    let shown = render(&parsed.diagnostics, "program", text, false);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{shown}"))
}

/// The verdicts about a program, and what its cheapest sets of fences cost, by model.
fn answers(program: &Program) -> Vec<String> {
    let budget = Budget::default();
    let mut answers = Vec::new();
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let report = check(program, &CheckOptions::new(model), &budget).expect("no defect");
        answers.push(format!("check {model} {}", report.verdict().word()));
        if model == Model::Sc {
            continue;
        }
        let report = robust(program, &RobustOptions::new(model), &budget).expect("no defect");
        answers.push(format!("robust {model} {}", report.verdict().word()));
        for aim in [Aim::Robustness, Aim::Assertions] {
            let options = FenceOptions::new(model, aim);
            let report = cheapest_fences(program, &options, &budget).expect("no defect");
            let cost = match report.outcome() {
                Outcome::Found(found) => Some(found.cost),
                Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
            };
            answers.push(format!("fence {model} {aim:?} {cost:?}"));
        }
    }
    answers
}

/// What a file expects, without remarks.
fn expected(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//: "));
    lines
        .filter(|line| !line.starts_with("about"))
        .map(|line| line.split("  ").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn twins_expect_the_same() {
    let cases = cases();
    assert!(cases.len() >= 20, "{}", cases.len());
    for (name, rust, own) in cases {
        assert_eq!(expected(&rust), expected(&own), "{name}");
    }
}

/// What the file says nothing about need not be the same: locks are released in another way.
#[test]
fn twins_have_the_same_verdicts_and_fences() {
    for (name, rust, own) in cases() {
        let stated = expected(&own);
        let is_stated = |answer: &String| {
            let words: Vec<String> = answer.split(' ').take(2).map(str::to_lowercase).collect();
            let start = words.join(" ");
            stated.iter().any(|line| line.starts_with(&start))
        };
        let shown = |program: &Program| {
            let mut answers = answers(program);
            answers.retain(is_stated);
            answers
        };
        let rust = shown(&program(Format::Rust, &rust));
        assert_eq!(rust, shown(&program(Format::Fence, &own)), "{name}");
    }
}
