//! The program families of the benchmarks: every member can be parsed, and small members meet their
//! expectations.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a family that cannot be built has failed"
)]

#[allow(dead_code, reason = "the bench asks more of a member")]
#[allow(clippy::module_inception, reason = "named as in the bench")]
#[path = "../../benches/scaling/families.rs"]
mod families;
#[path = "../../benches/scaling/growth.rs"]
mod growth;
#[allow(dead_code, reason = "the bench asks for the sizes of the paper")]
#[path = "../../benches/scaling/jk15.rs"]
mod jk15;

use families::SERIES;
use fencepost::check::{CheckOptions, Engine, check};
use fencepost::expect::{self, Judgement};

use fencepost::formats::Parsed;
use fencepost::model::Model;
use fencepost::parse;
use fencepost::solve::SolverKind;
use fencepost::verdict::{Budget, Verdict};
use growth::{GROWTHS, Growth};
use jk15::{ALGORITHMS, Innocent};

/// A size at which a check takes moments.
const SMALL: u32 = 2;

fn parsed(family: &Growth, n: u32) -> Parsed {
    let text = family.text(n);
    let parsed = parse(&text);
    let complaints = expect::whole_file(&parsed);
    assert!(
        complaints.is_empty(),
        "{}, n = {n}: {}\n{text}",
        family.name,
        complaints.join("\n")
    );
    parsed
}

#[test]
fn every_member_of_a_series_is_a_program() {
    for series in SERIES {
        for &n in [series.small].iter().chain(series.sizes) {
            let member = series.member(n);
            assert!(!member.program.goals().is_empty(), "{series}, n = {n}");
        }
    }
}

#[test]
fn every_member_of_a_growing_family_is_a_program() {
    for family in GROWTHS {
        for &n in family.sizes {
            let program = parsed(family, n).program;
            assert!(program.is_some(), "{}, n = {n}", family.name);
        }
    }
}

#[test]
fn small_members_of_the_growing_families_are_as_robust_as_stated() {
    for family in GROWTHS {
        let parsed = parsed(family, SMALL);
        for expectation in &parsed.expectations {
            let judgement = expect::judge(
                &parsed,
                expectation,
                SolverKind::default(),
                &Budget::default(),
            );
            match judgement.expect("no internal error") {
                Judgement::Met => {}
                Judgement::Missed { expected, found } => {
                    panic!("{}: expected {expected}, found {found}", family.name)
                }
            }
        }
    }
}

#[test]
fn the_programs_of_jk15_are_right_under_sc_and_wrong_under_tso() {
    for algorithm in ALGORITHMS {
        for innocent in [Innocent::Beside, Innocent::Fed] {
            let text = algorithm.text(1, innocent);
            let program = parsed_text(&text);
            for (model, wrong) in [(Model::Sc, false), (Model::Tso, true)] {
                let options = CheckOptions::new(model).engine(Engine::Bmc).unroll(2);
                let report = check(&program, &options, &Budget::default());
                let report = report.expect("no internal error");
                let violated = matches!(report.verdict(), Verdict::Violated(_));
                assert_eq!(violated, wrong, "{} {innocent} {model}", algorithm.name);
            }
        }
    }
}

fn parsed_text(text: &str) -> fencepost::Program {
    let parsed = parse(text);
    let errors = format!("{:?}\n{text}", parsed.diagnostics);
    parsed.program.expect(&errors)
}
