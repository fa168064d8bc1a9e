//! `fencepost fence` for users and scripts: each option once, exit codes, written files.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process;
use process::{code, fencepost, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Store buffering, with comments and formatting that must be preserved.
const STORE_BUFFERING: &str = "\
shared x, y;   // both 0
thread t0 { local r;
    x = 1;
    r = y;     // may overtake
}
thread t1 { local r; y = 1;   r = x; }
final assert t0.r == 1 || t1.r == 1;
";

/// Stores overtake each other under PSO, and nothing does under TSO.
const MESSAGE: &str = "\
shared data, flag;
thread writer { data = 1; flag = 1; }
thread reader { local f, d; f = flag; d = data; }
final assert reader.f == 0 || reader.d == 1;
";

/// Not robust under TSO, but its property holds.
const CARELESS: &str = "\
shared x, y;
thread t0 { local r; x = 1; r = y; }
thread t1 { local r; y = 1; r = x; }
forbid x == 2;
";

fn fence(arguments: &[&str], program: &str) -> (i32, String) {
    let output = fencepost(&[&["fence", "-"], arguments].concat(), program);
    assert_eq!(stderr(&output), "", "{arguments:?}");
    (code(&output), stdout(&output))
}

fn json(arguments: &[&str], program: &str) -> Value {
    let (_, text) = fence(&[arguments, &["--json"]].concat(), program);
    serde_json::from_str(&text).unwrap()
}

fn first(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn refused(arguments: &[&str], message: &str) {
    let output = fencepost(&[&["fence", "-"], arguments].concat(), STORE_BUFFERING);
    assert_eq!(code(&output), 2, "{arguments:?}");
    assert!(stdout(&output).is_empty(), "{arguments:?}");
    let errors = stderr(&output);
    assert!(errors.contains(message), "{errors}");
}

/// A temporary file for this test.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn the_answer_names_each_fence_and_what_happens_without() {
    let (exit, text) = fence(&[], STORE_BUFFERING);
    assert_eq!(exit, 0);
    let expected = "\
2 fences make the program robust under TSO, for all executions; nothing cheaper does.
  t0: a fence before `r = y;` (line 4); without it t0 delays `x = 1;` (line 3) past `r = y;` (line
    4): store buffering (SB).
  t1: a fence before `r = x` (line 6); without it t1 delays `y = 1` (line 6) past `r = x` (line 6):
    store buffering (SB).

Re-verified with these fences in place: every attack is ruled out statically.

Next: add `--diff` to see the change, or `--write OUT` to make it.
";
    assert_eq!(text, expected);
}

#[test]
fn each_answer_has_its_own_exit_code() {
    let cannot = "shared x; thread t { x = 1; } forbid x == 1;";
    let forever = "shared x; thread t[*] { x = 1; }";
    assert_eq!(fence(&[], STORE_BUFFERING).0, 0);
    assert_eq!(fence(&["--for", "assertions"], cannot).0, 1);
    assert_eq!(code(&fencepost(&["fence", "-"], "thread {")), 2);
    assert_eq!(fence(&[], forever).0, 0);
    assert_eq!(fence(&["--for", "assertions"], forever).0, 0);
    let waiting = "shared x; thread t[*] { x = 1; } forbid stuck;";
    assert_eq!(fence(&["--for", "assertions"], waiting).0, 3);
}

#[test]
fn a_robust_program_needs_nothing() {
    let fenced = STORE_BUFFERING.replace("r = ", "fence; r = ");
    let (exit, text) = fence(&["--diff"], &fenced);
    assert_eq!(exit, 0);
    let expected = "\
The program is robust under TSO as it is, for all executions: no fences are needed.

The text does not change.
";
    assert_eq!(text, expected);
}

#[test]
fn what_fails_under_sc_cannot_be_repaired_and_is_shown() {
    let wrong = STORE_BUFFERING.replace("t0.r == 1 ||", "t0.r == 1 &&");
    for algorithm in ["auto", "te", "fi", "robmc", "robmc-et"] {
        let arguments = ["--for", "assertions", "--algorithm", algorithm];
        let (exit, text) = fence(&arguments, &wrong);
        assert_eq!(exit, 1, "{text}");
        assert!(text.starts_with("Cannot be repaired by fences"), "{text}");
        assert!(text.contains("sequential consistency"), "{text}");
        assert!(text.contains("--model sc"), "{text}");
        let report = json(&arguments, &wrong);
        assert_eq!(report["verdict"], "violated");
        assert_eq!(report["witness"]["replayed"], true);
    }
}

#[test]
fn both_aims_are_shown_where_they_differ() {
    let (exit, text) = fence(&[], CARELESS);
    assert_eq!(exit, 0);
    assert!(
        text.starts_with("2 fences make the program robust"),
        "{text}"
    );
    let other = "The program's properties hold under TSO as it is";
    let compared = format!("For comparison, `--for assertions`: {other}");
    assert!(text.contains(&compared), "{text}");
    let (_, text) = fence(&["--for", "assertions"], CARELESS);
    assert!(text.starts_with(other), "{text}");
    let compared = "For comparison, `--for robustness`: 2 fences make the program robust";
    assert!(text.contains(compared), "{text}");
    let report = json(&[], CARELESS);
    assert_eq!(report["other"]["for"], "assertions");
    assert_eq!(report["other"]["cost"], 0);
}

#[test]
fn a_place_that_is_not_allowed_is_not_used() {
    let kept = STORE_BUFFERING.replace("r = y;", "@nofence r = y;");
    for aim in ["robustness", "assertions"] {
        let (exit, text) = fence(&["--for", aim], &kept);
        assert_eq!(exit, 1, "{text}");
        assert!(
            text.starts_with("No allowed fence placement prevents this execution"),
            "{text}"
        );
    }
}

#[test]
fn a_failure_despite_fences_is_explained_without_them() {
    // The loop is too long for the bounded engine: the engine that answers takes the fence of `t1` into
    // account.
    let looping = STORE_BUFFERING.replace("x = 1;", "while (r < 6) { r = r + 1; } @nofence x = 1;");
    let looping = looping.replace("r = y;", "@nofence r = y;");
    for arguments in [&["--for", "assertions"][..], &["--json"], &["-v"]] {
        assert_eq!(fence(arguments, &looping).0, 1, "{arguments:?}");
    }
}

#[test]
fn every_algorithm_finds_two_fences() {
    for algorithm in ["auto", "hitting-set", "ilp"] {
        let report = json(&["--algorithm", algorithm], STORE_BUFFERING);
        assert_eq!(report["cost"], 2, "{algorithm}");
        assert_eq!(report["lower_bound"], 2, "{algorithm}");
        assert_eq!(report["optimal"], true, "{algorithm}");
    }
    for algorithm in ["te", "fi", "robmc", "robmc-et"] {
        let arguments = ["--for", "assertions", "--algorithm", algorithm];
        let report = json(&arguments, STORE_BUFFERING);
        assert_eq!(report["algorithm"], algorithm);
        assert_eq!(report["cost"], 2, "{algorithm}");
        let pairs = report["pairs"].as_array().unwrap();
        assert_eq!(pairs.len(), 2, "{algorithm}");
        assert_eq!(pairs[0][0]["line"], 3);
        assert_eq!(pairs[0][1]["line"], 4);
    }
    let bounded = ["--for", "assertions", "--algorithm", "robmc", "--k1", "1"];
    let (exit, text) = fence(&[&bounded[..], &["--k2", "2"]].concat(), STORE_BUFFERING);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("t0: `x = 1;` (line 3) stays before `r = y;` (line 4)."));
}

#[test]
fn json_has_the_documented_keys() {
    let report = json(&["--all"], STORE_BUFFERING);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["command"], "fence");
    assert_eq!(report["verdict"], "holds");
    let fence: Value =
        serde_json::from_str(r#"{"thread":"t0","label":"q1","line":4,"kind":"full","cost":1}"#)
            .unwrap();
    assert_eq!(report["fences"][0], fence);
    assert_eq!(report["all"].as_array().unwrap().len(), 1);
    assert_eq!(report["all"][0], report["fences"]);
    let needed = report["needed"].as_array().unwrap();
    assert_eq!(needed.len(), 2);
    assert_eq!(needed[0]["fences"][0], fence);
    assert_eq!(needed[0]["delayed"]["line"], 3);
    assert_eq!(needed[0]["past"]["line"], 4);
    assert_eq!(needed[0]["witness"]["shape"], "store buffering");
    for absent in ["minimise", "removable", "pairs", "diff", "bounds", "reason"] {
        assert!(report.get(absent).is_none(), "{absent}");
    }
}

#[test]
fn all_cheapest_sets_are_listed() {
    // An exchange costs as much as a fence here, so each side has a choice.
    let kinds = ["--all", "--kinds", "full,xchg"];
    let (exit, text) = fence(&kinds, STORE_BUFFERING);
    assert_eq!(exit, 0);
    assert!(text.contains("\n4 equally cheap sets:\n"), "{text}");
    let report = json(&kinds, STORE_BUFFERING);
    assert_eq!(report["all"].as_array().unwrap().len(), 4);
    let (_, text) = fence(&["--all"], STORE_BUFFERING);
    assert!(text.contains("No other set is as cheap."), "{text}");
}

#[test]
fn kinds_have_factors() {
    let (_, text) = fence(&["--kinds", "full=3,xchg=2"], STORE_BUFFERING);
    assert!(
        text.starts_with("2 exchanges (cost 4) make the program robust"),
        "{text}"
    );
    assert!(text.contains("t0: make `x = 1;` (line 3) a locked exchange, cost 2;"));
    let pso = ["--model", "pso", "--kinds", "full=2,store"];
    let (_, text) = fence(&pso, MESSAGE);
    assert!(text.starts_with("1 fence makes the program robust under PSO"));
    assert!(
        text.contains("writer: a store fence before `flag = 1`"),
        "{text}"
    );
    refused(&["--kinds", "lfence"], "unknown kind `lfence`");
    refused(&["--kinds", "full,full"], "names a kind twice");
}

/// The location of the store can get a fence, an exchange and the fence after an exchange, and its
/// loop is followed further than at first.
#[test]
fn kinds_share_a_location_in_a_loop() {
    let program = "\
        shared x, y;
        thread a { local r; while (1) { x = 1; r = y; } }
        thread b { local s; y = 1; s = x; }";
    // Either two full fences or two exchanges.
    let (status, output) = fence(&["--kinds", "full,store,xchg"], program);
    assert_eq!((status, &first(&output)[..1]), (0, "2"));
    let program = "\
        shared x, y;
        thread a { local r; while (1) { x = 1; x = 2; r = y; } }
        thread b { local s; y = 1; s = x; }";
    for model in ["tso", "pso"] {
        let (status, output) = fence(&["--kinds", "full=2,xchg", "--model", model], program);
        assert_eq!((status, &first(&output)[..1]), (0, "2"), "{model}");
    }
}

#[test]
fn costs_come_from_loops_annotations_or_a_file() {
    let costly = STORE_BUFFERING.replace("r = y;", "@cost 5 r = y;");
    assert_eq!(json(&[], &costly)["cost"], 6);
    // A fence before the loop is not inside it.
    let looping = STORE_BUFFERING.replace("r = y;", "while (y == 0) { }");
    assert_eq!(json(&["--cost", "loops"], &looping)["cost"], 2);
    let inside = STORE_BUFFERING.replace("r = y;", "do { x = 1; r = y; } while (r == 0);");
    assert_eq!(json(&["--cost", "loops"], &inside)["cost"], 11);

    let stated = file("costs");
    fs::write(&stated, "# measured\nt0@q1 7\n").unwrap();
    let stated = stated.to_str().unwrap();
    assert_eq!(json(&["--cost", stated], STORE_BUFFERING)["cost"], 8);
    let wrong = file("wrong-costs");
    for (text, message) in [
        (
            "t0@q1 7\nt0@q1 costly\n",
            ":2: expected `THREAD@LABEL COST`",
        ),
        ("t9@q1 7\n", ":1: there is no thread `t9`"),
        ("t0@nowhere 7\n", ":1: thread `t0` has no label `nowhere`"),
    ] {
        fs::write(&wrong, text).unwrap();
        refused(&["--cost", wrong.to_str().unwrap()], message);
    }
    refused(&["--cost", "no/such/file"], "cannot read `no/such/file`");
    refused(&["--cost", "-"], "cannot both be read from standard input");
}

#[test]
fn removable_fences_are_named() {
    let fenced = STORE_BUFFERING
        .replace("x = 1;", "fence; x = 1;")
        .replace("r = ", "fence; r = ");
    let (exit, text) = fence(&["--minimise", "--diff"], &fenced);
    assert_eq!(exit, 0);
    let expected = "\
2 of the program's 3 fences must stay to keep the program robust under TSO, for all executions; no
  cheaper subset is enough.
  t0: keep the fence in line 4; without it t0 delays `x = 1` (line 3) past `r = y` (line 4): store
    buffering (SB).
  t1: keep the fence in line 6; without it t1 delays `y = 1` (line 6) past `r = x` (line 6): store
    buffering (SB).
  Can be removed: t0 line 3.

Re-verified with these fences only: every attack is ruled out statically.

Next: add `--write OUT` to make the change below.

--- -
+++ -
@@ -1,6 +1,6 @@
 shared x, y;   // both 0
 thread t0 { local r;
-    fence; x = 1;
+    x = 1;
     fence; r = y;     // may overtake
 }
 thread t1 { local r; y = 1;   fence; r = x; }
";
    assert!(text.starts_with(expected), "{text}");
    let report = json(&["--minimise"], &fenced);
    assert_eq!(report["minimise"], true);
    assert_eq!(report["fences"][0]["line"], 4);
    assert_eq!(report["removable"][0]["line"], 3);
    assert_eq!(report["removable"].as_array().unwrap().len(), 1);

    let tight = STORE_BUFFERING.replace("r = ", "fence; r = ");
    let (_, text) = fence(&["--minimise"], &tight);
    assert!(
        text.starts_with("Both fences of the program must stay"),
        "{text}"
    );
    assert!(
        !text.contains("Can be removed") && !text.contains("Next"),
        "{text}"
    );
    let (exit, text) = fence(&["--minimise"], STORE_BUFFERING);
    assert_eq!(exit, 1);
    assert_eq!(
        first(&text),
        "The program has no fences of its own, and is not robust under TSO."
    );
}

#[test]
fn the_written_program_keeps_the_rest_and_is_robust() {
    let out = file("written.fence");
    let path = out.to_str().unwrap();
    let (exit, text) = fence(&["--write", path], STORE_BUFFERING);
    assert_eq!(exit, 0);
    assert!(text.contains(&format!("`fencepost robust {path} --model tso`")));
    let written = fs::read_to_string(&out).unwrap();
    let expected = STORE_BUFFERING
        .replace("    r = y;", "    fence;\n    r = y;")
        .replace("r = x;", "fence; r = x;");
    assert_eq!(written, expected);
    assert_eq!(code(&fencepost(&["robust", path], "")), 0);
    assert_eq!(code(&fencepost(&["check", path], "")), 0);
    assert_eq!(json(&[], &written)["cost"], 0);
}

#[test]
fn a_repaired_program_can_be_written_to_standard_output() {
    let output = fencepost(&["fence", "-", "--write", "-"], STORE_BUFFERING);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).starts_with("2 fences make the program robust"));
    assert_eq!(code(&fencepost(&["robust", "-"], &stdout(&output))), 0);
    refused(
        &["--write", "-", "--json"],
        "cannot both use standard output",
    );
}

#[test]
fn the_answer_is_given_even_where_it_cannot_be_written() {
    let output = fencepost(&["fence", "-", "--write", "no/such/place"], STORE_BUFFERING);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).starts_with("2 fences make the program robust"));
    assert!(stderr(&output).contains("cannot write `no/such/place`"));

    let cannot = "shared x; thread t { x = 1; } forbid x == 1;";
    let out = file("never-written.fence");
    let arguments = ["fence", "-", "--for", "assertions", "--write"];
    let arguments = [&arguments[..], &[out.to_str().unwrap()]].concat();
    let output = fencepost(&arguments, cannot);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("was not written because no set of fences was found"));
    assert!(!out.exists());
}

#[test]
fn incompatible_options_are_rejected() {
    let cases = [
        (&["--algorithm", "te"][..], "requires `--for assertions`"),
        (
            &["--algorithm", "ilp", "--for", "assertions"],
            "requires `--for robustness`",
        ),
        (&["--algorithm", "ilp", "--all"], "does not support `--all`"),
        (
            &["--algorithm", "fi", "--for", "assertions", "--minimise"],
            "`--algorithm hitting-set` does",
        ),
        (&["--k2", "3"], "require `--algorithm robmc`"),
        (
            &[
                "--for",
                "assertions",
                "--algorithm",
                "robmc",
                "--k1",
                "3",
                "--k2",
                "2",
            ],
            "is greater than",
        ),
        (
            &["--model", "tso,pso", "--write", "out"],
            "requires a single `--model`",
        ),
        (&["--model", "sc"], "invalid value 'sc'"),
        (&["--for", "speed"], "unknown aim `speed`"),
    ];
    for (arguments, message) in cases {
        refused(arguments, message);
    }
}

#[test]
fn each_model_has_its_own_answer() {
    let models = ["--model", "tso,pso,pgas", "--quiet"];
    let (exit, text) = fence(&models, MESSAGE);
    assert_eq!(exit, 0);
    let expected = "\
The program is robust under TSO as it is, for all executions: no fences are needed.
1 fence makes the program robust under PSO, for all executions; nothing cheaper does.
1 fence makes the program robust under PGAS, for all executions; nothing cheaper does.
";
    assert_eq!(text, expected);
}

#[test]
fn fences_within_bounds_are_not_a_proof() {
    // The counter is unbounded, so exploring all configurations does not terminate.
    let counting = "shared x, n; thread t { loop { n = n + 1; x = n; } } forbid x == 100;";
    let arguments = ["--for", "assertions", "--unroll", "2", "--algorithm", "te"];
    let (exit, text) = fence(&arguments, counting);
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("within bounds"), "{text}");
    assert!(text.contains("--unroll"), "{text}");
    let accepting = [&arguments[..], &["--accept-bounded"]].concat();
    assert_eq!(fence(&accepting, counting).0, 0);
    let report = json(&arguments, counting);
    assert_eq!(report["verdict"], "within");
    assert!(report["bounds"]["loops"].is_array());
}

#[test]
fn verbose_prints_more() {
    let (_, text) = fence(&["-v"], STORE_BUFFERING);
    assert!(text.contains("Without the fence before `r = y;` (t0 line 4):"));
    assert!(text.contains("hitting-set: 2 places, "), "{text}");
}

#[test]
fn the_same_query_has_the_same_answer() {
    let arguments = [
        "--model",
        "tso,pso",
        "--all",
        "--diff",
        "--kinds",
        "full,xchg",
    ];
    assert_eq!(
        fence(&arguments, STORE_BUFFERING),
        fence(&arguments, STORE_BUFFERING)
    );
}

#[test]
fn no_fence_of_a_c_program_is_called_superfluous() {
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/corpus/c/mutex/peterson-fenced.c"
    );
    let output = fencepost(&["fence", program, "--minimise"], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("may be needed on other machines"));
}
