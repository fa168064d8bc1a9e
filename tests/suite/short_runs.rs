//! Evidence is short: executions that the command line shows are minimised, and what matters to nothing is
//! not shown.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot run the program has failed"
)]

use crate::support::{process, random};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{check_witness, has_attacks};
use fencepost::{Budget, RobustOptions, robust};
use process::{fencepost, stdout};
use proptest::prelude::*;
use random::{Shape, sketch};
use serde_json::Value;

/// What `check` prints for this text, with these arguments.
fn checked(text: &str, arguments: &[&str]) -> String {
    let all = [&["check", "-"], arguments].concat();
    stdout(&fencepost(&all, text))
}

fn json(text: &str, arguments: &[&str]) -> Value {
    let out = checked(text, &[arguments, &["--json"]].concat());
    serde_json::from_str(&out).expect("an object")
}

/// A seqlock whose writer stores the data before the number under PSO, a thread that does nothing of
/// interest, and a reader that tries several times.
const SEQLOCK: &str = "
shared seq, d, other;
thread idle { local i; for (i = 0; i < 3; i++) { other = i; } }
thread writer { local i; for (i = 0; i < 2; i++) { seq = seq + 1; d = d + 1; seq = seq + 1; } }
thread reader {
    local s1, v, s2;
    loop { s1 = seq; v = d; s2 = seq; if (s1 == s2 && s1 % 2 == 0) { break; } }
    assert(v * 2 == s1);
}
";

#[test]
fn the_json_says_whether_a_shorter_execution_exists() {
    let json = json(SEQLOCK, &["--model", "pso"]);
    let witness = &json["witness"];
    assert_eq!(witness["minimal"], true);
    let steps = witness["steps"].as_array().expect("steps");
    let acts = |thread: &str| steps.iter().any(|step| step["thread"] == thread);
    assert!(
        acts("writer") && acts("reader") && !acts("idle"),
        "{steps:?}"
    );
    // One round is enough: the data is in memory, and the reader sees neither number.
    let stores = |cell: &str| {
        let flushes = steps.iter().filter(|step| step["action"] == "flush");
        flushes.filter(|step| step["address"] == cell).count()
    };
    assert_eq!((stores("seq"), stores("d")), (1, 1));
    // The reader of three values reads each once.
    let loads = steps
        .iter()
        .filter(|s| s["action"] == "load" && s["thread"] == "reader");
    assert_eq!(loads.count(), 3);
}

#[test]
fn every_engine_shows_an_execution_of_the_same_length() {
    let lengths = ["auto", "bmc", "explicit"].map(|engine| {
        let json = json(SEQLOCK, &["--model", "pso", "--engine", engine]);
        let steps = json["witness"]["steps"].as_array().expect("steps").len();
        assert_eq!(json["witness"]["minimal"], true, "{engine}");
        steps
    });
    assert!(
        lengths.iter().all(|&length| length == lengths[0]),
        "{lengths:?}"
    );
}

#[test]
fn stores_whose_arrival_matters_to_nothing_are_counted_and_not_shown() {
    let text = "shared x, y, z;
thread t0 { local r; z = 1; x = 1; r = y; }
thread t1 { local r; y = 1; r = x; }
final assert t0.r == 1 || t1.r == 1;
";
    let shown = checked(text, &[]);
    // `z` is stored and never read. The arrivals of `x` and `y` are on the cycle.
    assert!(!shown.contains("z = 1 reaches memory"), "{shown}");
    assert!(shown.contains("… x = 1 reaches memory"), "{shown}");
    assert!(shown.contains("7 of 8 steps are shown"), "{shown}");
    let everything = checked(text, &["-v"]);
    assert!(everything.contains("z = 1 reaches memory"), "{everything}");
    assert!(!everything.contains("steps are shown"), "{everything}");
    // A property about the cell makes its arrival matter.
    let about_z = text.replace("== 1;\n", "== 1 || z == 0;\n");
    let shown = checked(&about_z, &[]);
    assert!(shown.contains("z = 1 reaches memory"), "{shown}");
}

#[test]
fn the_rows_of_the_cycle_are_marked() {
    let text = "shared x, y, z;
thread t0 { local r; z = 1; x = 1; r = y; }
thread t1 { local r; y = 1; r = x; }
";
    let shown = stdout(&fencepost(&["robust", "-"], text));
    assert!(
        shown.contains("store buffering (SB), of the steps marked *:"),
        "{shown}"
    );
    let numbered = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let marked: Vec<&str> = shown
        .lines()
        .filter(numbered)
        .filter(|line| {
            line.split_whitespace()
                .next()
                .is_some_and(|n| n.ends_with('*'))
        })
        .collect();
    assert_eq!(marked.len(), 4, "{shown}");
    let all = marked.concat();
    for statement in ["x = 1", "r = y", "y = 1", "r = x"] {
        assert!(all.contains(statement), "{statement} in {shown}");
    }
    assert!(!all.contains("2: z = 1"), "{shown}");
}

proptest! {
    #![proptest_config(crate::support::config::config(24))]

    /// The computations of attacks stay witnesses when they are minimised, and get no longer.
    #[test]
    fn minimised_witnesses_of_attacks_are_witnesses(
        sketch in prop_oneof![sketch(Shape::COUNTING), sketch(Shape::ALL)],
        model in prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas]),
    ) {
        let program = sketch.build();
        prop_assume!(has_attacks(&program, model));
        let (options, budget) = (RobustOptions::new(model), Budget::default());
        let report = robust(&program, &options, &budget).expect("no defect");
        let minimised = report.clone().minimised(&program, &budget);
        prop_assert_eq!(report.feasible().count(), minimised.feasible().count());
        for ((attack, before), (same, after)) in report.feasible().zip(minimised.feasible()) {
            prop_assert_eq!(attack, same);
            prop_assert_eq!(check_witness(after, attack), Ok(()));
            prop_assert!(after.moments.len() <= before.moments.len());
        }
    }
}
