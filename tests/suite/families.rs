//! The program families of the benchmarks: every member can be parsed, and small members meet their
//! expectations.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a family that cannot be built has failed"
)]

#[allow(dead_code, reason = "the bench asks more of a family")]
#[allow(clippy::module_inception, reason = "named as in the bench")]
#[path = "../../benches/scaling/families.rs"]
mod families;
#[allow(dead_code, reason = "the bench asks for the sizes of the paper")]
#[path = "../../benches/scaling/jk15.rs"]
mod jk15;
#[path = "../../benches/scaling/search.rs"]
mod search;

use self::families::{FAMILIES, Family};
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::expect::{self, Judgement, Tools};

use fencepost::internals::formats::Parsed;
use fencepost::internals::model::Model;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::parse;
use jk15::{ALGORITHMS, Innocent};
use std::collections::BTreeSet;

fn parsed(family: &Family, n: u32) -> Parsed {
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
fn every_member_of_a_family_is_a_program_with_goals() {
    for family in FAMILIES {
        for &n in family.sizes {
            let program = parsed(family, n).program;
            let goals = program.map_or(0, |program| program.goals().len());
            assert!(goals > 0, "{}, n = {n}", family.name);
        }
    }
}

/// The sizes that are tried if members up to `limit` succeed, and the result.
fn tried(smallest: u32, limit: u32, is_defect: fn(&()) -> bool) -> (Vec<u32>, [Option<u32>; 2]) {
    let mut tried = Vec::new();
    let found = search::largest(smallest, 2, is_defect, |n| {
        tried.push(n);
        Ok::<_, ()>(if n <= limit { Ok(()) } else { Err(()) })
    });
    let found = found.expect("no trial has an error");
    let sizes = [found.answered, found.failed].map(|found| found.map(|(n, ())| n));
    (tried, sizes)
}

#[test]
fn the_search_for_limits_doubles_and_then_halves_the_gap_twice() {
    let costs = |&(): &()| false;
    assert_eq!(
        tried(1, 13, costs),
        (vec![1, 2, 4, 8, 16, 12, 14], [Some(12), Some(14)])
    );
    assert_eq!(tried(2, 2, costs), (vec![2, 4, 3], [Some(2), Some(3)]));
    assert_eq!(tried(3, 2, costs), (vec![3], [None, Some(3)]));
    let (all, found) = tried(1, u32::MAX, costs);
    assert_eq!((all.len(), found), (31, [Some(1 << 30), None]));
    // A defect is not a limit to approach.
    assert_eq!(
        tried(1, 13, |&()| true),
        (vec![1, 2, 4, 8, 16], [Some(8), Some(16)])
    );
}

#[test]
fn families_have_different_names() {
    let names: BTreeSet<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(names.len(), FAMILIES.len());
}

#[test]
fn the_smallest_members_of_all_families_meet_what_is_known_of_them() {
    for family in FAMILIES {
        for n in [family.sizes[0], family.sizes[1]]
            .into_iter()
            .take_while(|&n| n < 3)
        {
            meets(family, n);
        }
        if family.sizes[0] >= 3 {
            meets(family, family.sizes[0]);
        }
    }
}

fn meets(family: &Family, n: u32) {
    let parsed = parsed(family, n);
    for expectation in &parsed.expectations {
        let (tools, budget) = (Tools::default(), Budget::default());
        let judgement = expect::judge(&parsed, expectation, tools, &budget);
        match judgement.expect("no internal error") {
            Judgement::Met => {}
            Judgement::Missed {
                expected, found, ..
            } => panic!(
                "{}, n = {n}, {:?}: expected {expected}, found {found}",
                family.name, expectation.kind
            ),
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
