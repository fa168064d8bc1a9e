//! Advice that can be followed literally: whether SC breaks too, and what to do next.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{STORE_BUFFERING, code, fencepost, stderr, stdout};
use serde_json::Value;

/// The same accesses with an assertion that fails under SC, too.
fn racy() -> String {
    STORE_BUFFERING.replace("t0.r == 1 || t1.r == 1", "t0.r == 0")
}

/// The standard output of a command that finds a violation, on as few lines as possible.
fn violated(arguments: &[&str], text: &str) -> String {
    let output = fencepost(arguments, text);
    assert_eq!((code(&output), stderr(&output).as_str()), (1, ""));
    stdout(&output).replace("\n  ", " ")
}

#[test]
fn a_violation_that_sc_does_not_have_is_put_down_to_delayed_stores() {
    let text = violated(&["check", "-"], STORE_BUFFERING);
    assert!(
        text.contains("\nUnder SC this cannot happen: delayed stores are the cause.\n"),
        "{text}"
    );
    assert!(text.contains("Next: run `fencepost fence -"), "{text}");
    let json: Value =
        serde_json::from_str(&violated(&["check", "-", "--json"], STORE_BUFFERING)).unwrap();
    assert_eq!(json["under_sc"]["verdict"], "holds");
}

#[test]
fn a_violation_that_sc_has_too_is_not_to_be_repaired_by_fences() {
    let text = violated(&["check", "-"], &racy());
    assert!(
        text.contains("\nThis can happen under SC, too: no fence can prevent it.\n"),
        "{text}"
    );
    assert!(!text.contains("fencepost fence"), "{text}");
    let json: Value = serde_json::from_str(&violated(&["check", "-", "--json"], &racy())).unwrap();
    assert_eq!(json["under_sc"]["verdict"], "violated");
}

#[test]
fn other_formats_have_the_comparison_in_their_messages() {
    let lead = ["check", "-", "--message-format"];
    for format in ["sarif", "github"] {
        let of = |text: &str| violated(&[&lead[..], &[format]].concat(), text);
        assert!(
            of(STORE_BUFFERING).contains("Under SC this cannot happen"),
            "{format}"
        );
        assert!(
            of(&racy()).contains("This can happen under SC, too"),
            "{format}"
        );
    }
}

#[test]
fn nothing_is_compared_where_there_is_nothing_to_compare() {
    let sc = violated(&["check", "-", "--model", "sc"], &racy());
    assert!(!sc.contains("under SC, too"), "{sc}");
    let quiet = violated(&["check", "-", "--quiet"], STORE_BUFFERING);
    assert!(!quiet.contains("Under SC"), "{quiet}");
    let observed = STORE_BUFFERING.replace("final assert", "exists !");
    let observed = observed.replace("t0.r == 1 || t1.r == 1", "(t0.r == 1 || t1.r == 1)");
    let output = fencepost(&["check", "-", "--json"], &observed);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["goals"][0]["observed"], true);
    assert_eq!(json.get("under_sc"), None);
}

/// What `fence` prints about the first fence of a program, on one line, and the lines that the patch adds.
fn fenced(text: &str, arguments: &[&str]) -> (String, Vec<String>) {
    let output = fencepost(&[&["fence", "-", "--diff"], arguments].concat(), text);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    let out = stdout(&output);
    let whole = out.replace("\n    ", " ");
    let item = whole.lines().nth(1).unwrap_or_default().trim().to_owned();
    let added = out
        .lines()
        .filter(|line| line.starts_with('+') && !line.starts_with("+++"));
    (
        item,
        added.map(|line| line[1..].trim().to_owned()).collect(),
    )
}

/// The interval of the first fence of a program in JSON.
fn interval(text: &str) -> Value {
    let output = fencepost(&["fence", "-", "--json"], text);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let fence = &report["fences"][0];
    assert_eq!(fence["thread"], "p", "{report}");
    fence["interval"].clone()
}

/// A thread with this body, and one that stores to `flag` and then loads `data`.
fn against(body: &str) -> String {
    format!(
        "shared flag, data;\nthread p {{ local r, i;\n{body}\n}}\n\
         thread q {{ local r; flag = 1; fence; r = data; }}\n"
    )
}

#[test]
fn a_fence_for_the_test_of_a_loop_is_at_the_end_of_its_body() {
    let text = against("while (flag == 0) {\nr = r + 1;\ndata = r;\n}");
    let (item, added) = fenced(&text, &[]);
    let words = "p: a fence after `data = r;` (line 5), at the end of the block, or anywhere between \
                 line 5 and the next test in line 3; without it";
    assert!(item.starts_with(words), "{item}");
    assert_eq!(added, ["fence;"]);
}

#[test]
fn a_fence_in_a_condition_is_shown_as_it_is_written() {
    // The store before the loop and the one in its body both need it.
    let text = against("data = 5;\nwhile (flag == 0) {\nr = r + 1;\ndata = r;\n}");
    let (item, added) = fenced(&text, &[]);
    let words = "p: a fence in the condition: `while (fence, flag == 0)` (line 4); without it";
    assert!(item.starts_with(words), "{item}");
    assert_eq!(added, ["while (fence, flag == 0) {"]);
    let text = against("data = 5;\nfor (i = 0; i < 3 - flag; i++) {\ndata = i;\n}");
    let (item, added) = fenced(&text, &[]);
    assert_eq!(added, ["for (i = 0; fence, i < 3 - flag; i++) {"]);
    let words =
        "p: a fence in the head of the loop: `for (i = 0; fence, i < 3 - flag; i++)` (line 4);";
    assert!(item.starts_with(words), "{item}");
}

#[test]
fn an_interval_ends_where_control_divides_or_an_access_follows() {
    let text = against("data = 1;\nr = 3;\nr = r + 2;\nif (r == 5) { r = 1; }\nr = flag;");
    let (item, added) = fenced(&text, &[]);
    let words =
        "p: a fence before `r = 3;` (line 4), or anywhere between line 3 and line 6; without it";
    assert!(item.starts_with(words), "{item}");
    assert_eq!(added, ["fence;"]);
    // The step of a `for` that stores is no test.
    let text = against("for (i = 0; i < 2; data++) {\nr = flag;\ndata = i;\ni = i + 1;\n}");
    let (item, _) = fenced(&text, &[]);
    assert!(!item.contains("the test"), "{item}");
    // Nothing is between these two accesses.
    let (item, _) = fenced(&against("data = 1;\nr = flag;"), &[]);
    assert!(
        item.starts_with("p: a fence before `r = flag;` (line 4); without it"),
        "{item}"
    );
}

#[test]
fn json_has_the_interval_of_each_fence() {
    let text = against("while (flag == 0) {\nr = r + 1;\ndata = r;\n}");
    // After the store in line 5: at the end of the body, or before the test in line 3.
    let expected = r#"{"after":5,"first":6,"last":3,"until":"next-test"}"#;
    let expected: Value = serde_json::from_str(expected).expect("JSON");
    assert_eq!(interval(&text), expected);
    let text = against("data = 1;\nr = 3;\nr = r + 2;\nif (r == 5) { r = 1; }\nr = flag;");
    let expected = r#"{"after":3,"first":4,"last":6,"until":"statement"}"#;
    let expected: Value = serde_json::from_str(expected).expect("JSON");
    assert_eq!(interval(&text), expected);
    // The test of `do … while` is after the body, where it is written.
    let text = against("do {\ndata = r;\nr = r + 1;\nr = r + 2;\n} while (flag == 0);");
    let expected = r#"{"after":4,"first":5,"last":7,"until":"head"}"#;
    let expected: Value = serde_json::from_str(expected).expect("JSON");
    assert_eq!(interval(&text), expected);
    // Nothing is between these two accesses.
    assert_eq!(interval(&against("data = 1;\nr = flag;")), Value::Null);
}

#[test]
fn fences_are_spelled_where_asked() {
    let spelled = |arguments: &[&str]| {
        let all = [&["fence", "-", "--kinds", "full,xchg", "--all"], arguments].concat();
        stdout(&fencepost(&all, STORE_BUFFERING)).replace("\n  ", " ")
    };
    assert!(!spelled(&[]).contains("ARM"));
    for (idiom, words) in [
        ("kernel", "`smp_mb()`"),
        ("c11", "`atomic_thread_fence(memory_order_seq_cst)`"),
        ("rust", "`fence(Ordering::SeqCst)`"),
        ("asm", "`MFENCE` or `LOCK OR`"),
    ] {
        let text = spelled(&["--idiom", idiom]);
        assert!(
            text.contains(words) || text.contains("an exchange is"),
            "{idiom}: {text}"
        );
        assert!(
            text.contains("enough on x86; ARM and Power need more"),
            "{idiom}: {text}"
        );
    }
    let one = stdout(&fencepost(
        &["fence", "-", "--idiom", "rust"],
        STORE_BUFFERING,
    ));
    assert!(
        one.contains("In Rust, a fence is `fence(Ordering::SeqCst)`."),
        "{one}"
    );
}

#[test]
fn a_free_fence_in_c_is_said_to_be_no_help() {
    let text = "\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *a(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}
void *b(void *p) {
    atomic_store(&y, 1);
    return (void *)(long)atomic_load(&x);
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
";
    let output = fencepost(&["fence", "-", "--format", "c"], text);
    let out = stdout(&output).replace("\n  ", " ");
    assert_eq!(code(&output), 0, "{out}{}", stderr(&output));
    let words = "`atomic_thread_fence(memory_order_acq_rel)` (line 6) costs nothing on x86, and does not help \
                 here";
    assert!(out.contains(words), "{out}");
    assert!(
        out.contains("In C11, a fence is `atomic_thread_fence(memory_order_seq_cst)`."),
        "{out}"
    );
    // Under PSO it keeps stores in order.
    let output = fencepost(&["fence", "-", "--format", "c", "--model", "pso"], text);
    assert!(!stdout(&output).contains("costs nothing"));
}

#[test]
fn cycles_of_x86_are_costs() {
    let cost = |arguments: &[&str]| {
        let all = [&["fence", "-", "--json"], arguments].concat();
        let json: Value = serde_json::from_str(&stdout(&fencepost(&all, STORE_BUFFERING))).unwrap();
        json["cost"].as_u64().unwrap()
    };
    assert_eq!(cost(&["--cost", "x86"]), 2 * 17);
    assert_eq!(cost(&["--cost", "x86", "--kinds", "full,xchg"]), 2 * 15);
    assert_eq!(cost(&["--cost", "x86", "--idiom", "asm"]), 2 * 38);
    // The factors of the kinds apply to the cycles.
    assert_eq!(cost(&["--cost", "x86", "--kinds", "full,xchg=2"]), 2 * 17);
    let annotated = STORE_BUFFERING.replace("r = y;", "@cost 5 r = y;");
    let output = fencepost(&["fence", "-", "--json", "--cost", "x86"], &annotated);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["cost"], 5 + 17);
    let looped = "shared x, y; thread t { local r; loop { x = 1; r = y; } }
        thread u { local r; y = 1; fence; r = x; }";
    let output = fencepost(&["fence", "-", "--json", "--cost", "x86,loops"], looped);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["cost"], 170);
}

#[test]
fn the_fences_for_the_other_aim_have_reasons_too() {
    let text = STORE_BUFFERING.replace("t0.r == 1 || t1.r == 1", "t0.r >= 0");
    let output = fencepost(&["fence", "-", "--for", "assertions"], &text);
    let out = stdout(&output).replace("\n    ", " ");
    assert_eq!(code(&output), 0, "{out}");
    for words in [
        "t0: a fence before `r = y` (line 2); without it t0 delays `x = 1` (line 2) past",
        "t1: a fence before `r = x` (line 3); without it t1 delays `y = 1` (line 3) past",
    ] {
        assert!(out.contains(words), "{out}");
    }
}

#[test]
fn an_open_result_names_the_limit_and_what_was_reached() {
    let text = "shared x, y;
thread worker[6] { local r; loop { r = nondet(0, 3); x = r + tid; y = r - x; r = x * y; x = r; } }
forbid x == 123456789;
";
    let arguments = ["check", "-", "--engine", "explicit", "--timeout", "1.5"];
    let output = fencepost(&arguments, text);
    let out = stdout(&output).replace("\n  ", " ");
    assert_eq!(code(&output), 3, "{out}");
    let reason = "Undecided under TSO: the time limit of 1.5 s is reached (after ";
    assert!(out.starts_with(reason), "{out}");
    assert!(out.contains(" states visited)."), "{out}");
    // Not a terminal.
    assert_eq!(stderr(&output), "");
    let output = fencepost(&[&arguments[..], &["--json"]].concat(), text);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["open_because"], "time");
    assert_eq!(json["reached"]["phase"], "exploring");
    assert!(json["reached"]["states"].as_u64().unwrap() > 0);
}
