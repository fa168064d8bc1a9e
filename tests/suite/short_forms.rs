//! Short forms of the language under SC and TSO: the verdicts follow from what the forms mean, and are
//! those of the same programs written out.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot run the program has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use serde_json::Value;

/// Whether a program's properties hold under a model.
fn holds(text: &str, model: &str) -> bool {
    let output = fencepost(&["check", "-", "--model", model], text);
    match code(&output) {
        0 => true,
        1 => false,
        other => panic!("{other} {}\n{text}", stderr(&output)),
    }
}

#[test]
fn short_forms_have_the_verdicts_of_what_they_mean() {
    // Short, written out, whether it holds under SC, and under TSO.
    for (short, long, sc, tso) in [
        // An increment is two steps: one of two may be lost.
        (
            "shared x; thread t[2] { x++; } final assert x == 2;",
            "shared x; thread t[2] { local r; r = x; x = r + 1; } final assert x == 2;",
            false,
            false,
        ),
        (
            "shared x; thread t[2] { atomic x += 1; } final assert x == 2;",
            "shared x; thread t[2] { atomic { x = x + 1; } } final assert x == 2;",
            true,
            true,
        ),
        // 0 + 1 + 2, and the loop ends with 3.
        (
            "shared x; thread t { local i; for (i = 0; i < 3; i++) x += i; } \
             final assert x == 3 && t.i == 3;",
            "shared x; thread t { local i; i = 0; while (i < 3) { x = x + i; i = i + 1; } } \
             final assert x == 3 && t.i == 3;",
            true,
            true,
        ),
        // `continue` goes to the step: 0 + 2.
        (
            "shared x; thread t { local i; for (i = 0; i < 3; i++) { if (i == 1) continue; x += i; } } \
             final assert x == 2;",
            "shared x; thread t { local i; while (i < 3) { if (i != 1) { x = x + i; } i = i + 1; } } \
             final assert x == 2;",
            true,
            true,
        ),
        // Store buffering through a procedure that loads.
        (
            "shared x, y; proc get(a) { return *a; } thread t { local r; x = 1; r = get(&y); } \
             thread u { local r; y = 1; r = get(&x); } final assert t.r == 1 || u.r == 1;",
            "shared x, y; thread t { local r; x = 1; r = y; } thread u { local r; y = 1; r = x; } \
             final assert t.r == 1 || u.r == 1;",
            true,
            false,
        ),
        (
            "shared x, y; proc get(a) { fence; return *a; } thread t { local r; x = 1; r = get(&y); } \
             thread u { local r; y = 1; r = get(&x); } final assert t.r == 1 || u.r == 1;",
            "shared x, y; thread t { local r; x = 1; fence; r = y; } \
             thread u { local r; y = 1; fence; r = x; } final assert t.r == 1 || u.r == 1;",
            true,
            true,
        ),
        // An increment of a cell and a load of another one are reordered; its own load is not.
        (
            "shared x, y; thread t { local r; x++; r = y; } thread u { local r; y++; if (x) r = 1; } \
             final assert t.r == 1 || u.r == 1;",
            "shared x, y; thread t { local r; x = x + 1; r = y; } \
             thread u { local r; y = y + 1; if (x) { r = 1; } } \
             final assert t.r == 1 || u.r == 1;",
            true,
            false,
        ),
    ] {
        let short = short.replace("atomic x += 1;", "atomic { x += 1; }");
        for (model, expected) in [("sc", sc), ("tso", tso)] {
            assert_eq!(holds(&short, model), expected, "{model} {short}");
            assert_eq!(holds(long, model), expected, "{model} {long}");
        }
    }
}

#[test]
fn the_text_of_an_assertion_is_reported() {
    let text = "shared x; thread t { x = 1; assert(x == 0, \"x stays \\\"0\\\"\"); }";
    let output = fencepost(&["check", "-"], text);
    assert_eq!(code(&output), 1);
    assert!(
        stdout(&output).contains("(line 1): x stays \"0\""),
        "{}",
        stdout(&output)
    );
    let json = stdout(&fencepost(&["check", "-", "--json"], text));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["goals"][0]["message"], "x stays \"0\"");
}

#[test]
fn a_program_without_a_property_or_thread_is_not_verified_in_silence() {
    let none = "shared x; thread t { x = 1; }";
    let output = fencepost(&["check", "-"], none);
    assert_eq!(code(&output), 0);
    assert!(
        stderr(&output).contains("has no property"),
        "{}",
        stderr(&output)
    );
    let json = stdout(&fencepost(&["check", "-", "--json"], none));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["states_property"], false);
    let required = ["check", "-", "--require-properties"];
    assert_eq!(code(&fencepost(&required, none)), 2);
    for stated in [
        "shared x; thread t { x = 1; assert(x); }",
        "shared x; thread t { x = 1; } forbid x == 2;",
        "shared x; thread t { x = 1; } exists x == 1;",
    ] {
        let output = fencepost(&required, stated);
        assert_eq!(
            (code(&output), stderr(&output).as_str()),
            (0, ""),
            "{stated}"
        );
    }
    // A divisor is checked, but that is nothing that the program states.
    let divides = "shared x = 1; thread t { local r; r = 1 / x; }";
    assert_eq!(code(&fencepost(&required, divides)), 2);
    let output = fencepost(&["check", "-"], "shared x; forbid x == 1;");
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("has no thread"),
        "{}",
        stderr(&output)
    );
}
