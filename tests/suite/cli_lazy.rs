//! The lazy engine on the command line.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process;
use process::{code, fencepost, stdout};
use serde_json::Value;
use std::process::Output;

const STORE_BUFFERING: &str = "
shared x, y;
thread t0 { local r; x = 1; r = y; end: skip; }
thread t1 { local r; y = 1; r = x; end: skip; }
forbid t0@end && t1@end && t0.r == 0 && t1.r == 0;
";

fn lazily(arguments: &[&str], text: &str) -> Output {
    let mut all = vec!["check", "-", "--engine", "lazy"];
    all.extend(arguments);
    fencepost(&all, text)
}

fn json(arguments: &[&str], text: &str) -> Value {
    let mut all = vec!["--json"];
    all.extend(arguments);
    let output = lazily(&all, text);
    serde_json::from_str(&stdout(&output)).expect("one line of JSON")
}

#[test]
fn a_violation_is_a_computation_of_the_program_as_given() {
    let output = lazily(&[], STORE_BUFFERING);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("Violated under TSO: "), "{text}");
    assert!(text.contains("store buffering (SB)"), "{text}");
    assert!(text.contains("after 1 extension"), "{text}");
    assert!(!text.contains('$'), "a generated name: {text}");
    let report = json(&[], STORE_BUFFERING);
    assert_eq!(report["engine"], "lazy");
    assert_eq!(report["witness"]["replayed"], true);
}

#[test]
fn the_queries_that_led_to_the_answer_are_listed() {
    let report = json(&[], STORE_BUFFERING);
    let attempt = &report["lazy"]["attempts"][0];
    assert_eq!(attempt["end"], "reached");
    let rounds = attempt["rounds"].as_array().expect("rounds");
    assert_eq!(rounds.len(), 2, "{report}");
    assert_eq!(report["lazy"]["extension"], "exact");
    assert_eq!(rounds[0]["instructions"], 6);
    // The goal and one attack per thread, then the goal again.
    assert_eq!(report["lazy"]["questions"], 4);
    let delayed = &rounds[0]["delayed"][0];
    assert_eq!(delayed[0]["line"], 3);
    assert_eq!(delayed[0]["thread"], "t0");
    assert_eq!(delayed.as_array().map(Vec::len), Some(2));
    let everything = stdout(&lazily(&["-v"], STORE_BUFFERING));
    assert!(
        everything.contains("t0 delays `x = 1` (line 3) past `r = y` (line 3)"),
        "{everything}"
    );
}

#[test]
fn a_robust_program_holds_because_it_is_robust() {
    let fenced = STORE_BUFFERING.replace("1; r", "1; fence; r");
    let output = lazily(&[], &fenced);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.contains("the program is robust"), "{text}");
}

#[test]
fn an_observation_does_not_make_a_program_robust() {
    let observed = STORE_BUFFERING.replace("forbid t0@end && t1@end &&", "exists");
    let output = lazily(&[], &observed);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.contains("Observed under TSO"), "{text}");
    assert!(!text.contains("is robust"), "{text}");
}

#[test]
fn sc_needs_one_query() {
    let report = json(&["--model", "sc"], STORE_BUFFERING);
    assert_eq!(report["verdict"], "holds");
    assert_eq!(report["lazy"]["questions"], 1);
    assert_eq!(report["lazy"]["attempts"][0]["end"], "sc");
    let text = stdout(&lazily(&["--model", "sc"], STORE_BUFFERING));
    assert!(!text.contains("robust"), "{text}");
}

#[test]
fn models_that_reorder_stores_are_rejected() {
    let output = lazily(&["--model", "pso"], STORE_BUFFERING);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("keep stores in order"));
}

#[test]
fn both_extensions_find_the_violation() {
    for extension in ["exact", "amended"] {
        let output = lazily(&["--extension", extension], STORE_BUFFERING);
        assert_eq!(code(&output), 1, "{extension}");
    }
    assert_eq!(code(&lazily(&["--extension", "none"], STORE_BUFFERING)), 2);
}
