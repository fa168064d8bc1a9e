//! What is shown of C programs: calls to a step, ends of threads, unreachable statements, and that a
//! verdict is about the text.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{fencepost, stderr, stdout};
use serde_json::Value;

/// What `fencepost check` prints of a text in a format.
fn checked(format: &str, text: &str, more: &[&str]) -> String {
    let mut arguments = vec!["check", "-", "--format", format];
    arguments.extend(more);
    stdout(&fencepost(&arguments, text))
}

fn json(format: &str, text: &str) -> Value {
    serde_json::from_str(&checked(format, text, &["--json"])).expect("an object")
}

const CALLS: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int a, b, once;
static void set(atomic_int *p)
{
    *p = 1;
}
static void both(void)
{
    set(&a);
    set(&b);
}
static void mark(void)
{
    once = 1;
}
void *t(void *u)
{
    mark();
    both();
    return 0;
}
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(b == 0);
    pthread_join(h, 0);
}
";

#[test]
fn a_step_that_is_reached_by_several_calls_shows_them() {
    let shown = checked("c", CALLS, &[]);
    assert!(
        shown.contains("7 ← 11 ← 21: *p = 1; → a: 0 becomes 1"),
        "{shown}"
    );
    assert!(
        shown.contains("7 ← 12 ← 21: *p = 1; → b: 0 becomes 1"),
        "{shown}"
    );
    // There is one way only to this line.
    assert!(shown.contains("  16: once = 1;"), "{shown}");
    let json = json("c", CALLS);
    let steps = json["witness"]["steps"].as_array().expect("steps");
    let calls = |line: u64| -> Vec<&Value> {
        let steps = steps.iter().filter(|step| step["line"] == line);
        steps.filter_map(|step| step.get("called_at")).collect()
    };
    let expected = [serde_json::json!([11, 21]), serde_json::json!([12, 21])];
    assert_eq!(calls(7), [&expected[0], &expected[1]]);
    assert_eq!(calls(16), [&Value::Null; 0]);
}

#[test]
fn calls_of_procedures_are_shown_in_the_same_way() {
    let text = "\
shared a, b, c;
proc set(p) {
    *p = 1;
}
proc mark() {
    c = 1;
}
thread t {
    mark();
    set(&a);
    set(&b);
    assert(0);
}
";
    let shown = checked("fence", text, &["--model", "sc"]);
    assert!(shown.contains("3 ← 10: *p = 1;"), "{shown}");
    assert!(shown.contains("3 ← 11: *p = 1;"), "{shown}");
    assert!(shown.contains("  6: c = 1;"), "{shown}");
}

#[test]
fn a_failing_assertion_in_a_function_names_the_call() {
    let text = "\
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
static void is(int value) {
    assert(x == value);
}
void *t(void *u) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    is(1);
    is(2);
}
";
    let shown = checked("c", text, &[]);
    let lead = "Violated under TSO: main fails `assert(x == value);` (line 6, called at line 17)";
    assert!(shown.starts_with(lead), "{shown}");
    assert!(shown.contains("end of t →"), "{shown}");
}

#[test]
fn unreachable_code_is_statements() {
    let text = "\
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
atomic_int x, y;
void *t(void *u) {
    if (x == 2)
        y = 1;
    else
        y = 2;
    assert(x == 0 || y == 2);
    while (1)
        y = 3;
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    if (y)
        x = 1;
    assert(x != 2);
    pthread_join(h, 0);
    x = 5;
}
";
    let shown = checked("c", text, &[]);
    let listed = shown.split_once("verdict):\n").expect("a list").1;
    let lines: Vec<&str> = listed
        .lines()
        .map(str::trim)
        .take_while(|l| !l.is_empty())
        .collect();
    assert_eq!(
        lines,
        [
            "the end of main",
            "main line 22: x = 5;",
            "t line 7: y = 1;"
        ],
    );
}

#[test]
fn a_verdict_on_a_program_with_a_data_race_is_about_the_text() {
    let text = "\
#include <pthread.h>
int x;
void *t(void *u) { return 0; }
void *s(void *u) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, s, 0);
    x = 2;
    pthread_join(h, 0);
    return x;
}
";
    let about = "This is about the text, not the compiled code";
    for command in ["check", "robust"] {
        let output = fencepost(&[command, "-", "--format", "c"], text);
        let words: Vec<String> = stdout(&output)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let words = words.join(" ");
        assert!(words.contains(about), "{words}");
        assert!(
            words.contains("plain accesses to `x` race (lines 5 and 11)"),
            "{words}"
        );
        assert!(stderr(&output).contains("a compiler may reorder or merge them"));
    }
    let races = &json("c", text)["data_races"];
    let expected = serde_json::json!([{"objects": ["x"], "lines": [5, 11], "certain": true}]);
    assert_eq!(races, &expected);
    let atomic = text.replace("int x;", "_Atomic int x;");
    assert!(!checked("c", &atomic, &[]).contains(about));
    assert_eq!(json("c", &atomic).get("data_races"), None);
}

#[test]
fn a_lock_that_is_certainly_held_needs_no_check() {
    let text = |body: &str| {
        format!(
            "#include <pthread.h>
             #include <linux/spinlock.h>
             #include <stdatomic.h>
             pthread_mutex_t m; spinlock_t s; pthread_cond_t c; atomic_int x;
             void *t(void *u) {{ {body} return 0; }}
             int main(void) {{
                 pthread_t h;
                 pthread_create(&h, 0, t, 0);
                 x = 1;
                 pthread_join(h, 0);
             }}"
        )
    };
    let held = [
        "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
        "spin_lock(&s); if (x) { spin_unlock(&s); return 0; } x = 2; spin_unlock(&s);",
    ];
    for body in held {
        let shown = checked("c", &text(body), &[]);
        assert!(shown.starts_with("Nothing to check"), "{shown}");
    }
    // The loop may release it twice.
    let shown = checked(
        "c",
        &text("spin_lock(&s); while (!x) spin_unlock(&s); x = 3;"),
        &[],
    );
    assert!(
        shown.contains("releases a lock that it does not hold in `spin_unlock(&s)"),
        "{shown}"
    );
    let kinds = json("c", &text("spin_unlock(&s);"));
    assert_eq!(kinds["goals"][0]["kind"], "unlock");
}
