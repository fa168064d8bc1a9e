//! The families that the benches measure: every member is a program, and small ones are as expected.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a family that cannot be built has failed"
)]

#[allow(dead_code, reason = "the bench asks more of a member")]
#[path = "../benches/scaling/families.rs"]
mod families;
#[path = "../benches/scaling/growth.rs"]
mod growth;

use families::SERIES;
use fencepost::expect::{self, Judgement};
use fencepost::syntax::{Parsed, parse_bytes};
use fencepost::verdict::Budget;
use growth::{GROWTHS, Growth};

/// The size at which a check is a matter of moments.
const SMALL: u32 = 2;

fn parsed(family: &Growth, n: u32) -> Parsed {
    let text = family.text(n);
    let (_, parsed) = parse_bytes(text.as_bytes());
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
            let judgement = expect::judge(&parsed, expectation, &Budget::default());
            match judgement.expect("no internal error") {
                Judgement::Met => {}
                Judgement::Skipped => assert!(!expect::is_executable(expectation)),
                Judgement::Missed { expected, found } => {
                    panic!("{}: expected {expected}, found {found}", family.name)
                }
            }
        }
    }
}
