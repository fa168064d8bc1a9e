//! What is shown of C programs: calls to a step, ends of threads, unreachable statements, and that a
//! verdict is about the text.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{fencepost, stderr, stdout};
use serde_json::Value;
use std::fs;

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
fn steps_in_functions_show_the_calls() {
    let shown = checked("c", CALLS, &[]);
    for calls in [
        "in set(), called at line 11 in both(), called at line 21:",
        "in set(), called at line 12 in both(), called at line 21:",
        "in mark(), called at line 20:",
    ] {
        let times = shown.matches(calls).count();
        assert_eq!(times, 1, "{calls} in {shown}");
    }
    assert!(shown.contains("7: *p = 1; → a: 0 becomes 1"), "{shown}");
    assert!(shown.contains("7: *p = 1; → b: 0 becomes 1"), "{shown}");
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
    let rows: Vec<&str> = shown.lines().skip(3).map(str::trim).collect();
    assert_eq!(
        rows[..7],
        [
            "1   in mark(), called at line 9:",
            "6: c = 1; → c = 1",
            "2   in set(), called at line 10:",
            "3: *p = 1; → a = 1",
            "3   in set(), called at line 11:",
            "3: *p = 1; → b = 1",
            "4   12: assert(0); → fails",
        ],
        "{shown}"
    );
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
    for step in ["end of t", "pthread_join(h, 0); → t has ended"] {
        assert!(shown.contains(step), "{shown}");
    }
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
    let expected = serde_json::json!([
        {"objects": ["x"], "lines": [5, 11], "files": ["-", "-"], "certain": true}
    ]);
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

/// A program whose lines have the numbers of others in its header.
const MAIN: &str = "\
#include <assert.h>
#include <pthread.h>
#include \"q.h\"
atomic_int a, b;
void *t(void *u) { set(&a); both(&b); return 0; }
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    plain = 1;
    assert(b == 0);
    pthread_join(h, 0);
}
";
const HEADER: &str = "\
#include <stdatomic.h>
int plain;
static void set(atomic_int *p)
{   if (*p == 7)
        *p = 8;
    *p = 1;
}
static void both(atomic_int *p)
{
    plain = 2; set(p);
}
";

#[test]
fn lines_of_headers_have_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (main, header) = (path("main.c"), path("q.h"));
    fs::write(&main, MAIN).unwrap();
    fs::write(&header, HEADER).unwrap();
    let output = fencepost(&["check", &main], "");
    let shown = stdout(&output);
    assert!(shown.contains("q.h:6: *p = 1;"), "{shown}");
    assert!(shown.contains("in set(), called at line 5:"), "{shown}");
    // The line is broken in its column.
    let outer = "in set(), called at line 10 of q.h in both(),\n";
    assert!(shown.contains(outer), "{shown}");
    let words: Vec<&str> = shown.split_whitespace().collect();
    let race = "`plain` race (line 10, and line 10 of q.h)";
    assert!(words.join(" ").contains(race), "{shown}");
    // Line 5 of the main file is executed, and that of the header is not.
    assert!(shown.contains("t line 5 of q.h: *p = 8;"), "{shown}");
    let json = stdout(&fencepost(&["check", &main, "--json"], ""));
    let json: Value = serde_json::from_str(&json).expect("an object");
    let race = serde_json::json!({
        "objects": ["plain"], "lines": [10, 10], "files": [main, header], "certain": true
    });
    assert_eq!(json["data_races"], serde_json::json!([race]));
    let steps = json["witness"]["steps"].as_array().expect("steps");
    let calls = steps
        .iter()
        .filter(|step| step["action"] == "rmw" && step["line"] == 6);
    let calls: Vec<(&Value, &Value)> = calls
        .map(|step| (&step["called_at"], &step["called_in"]))
        .collect();
    let lines = [serde_json::json!([5]), serde_json::json!([10, 5])];
    let files = [serde_json::json!([main]), serde_json::json!([header, main])];
    assert_eq!(calls, [(&lines[0], &files[0]), (&lines[1], &files[1])]);
    let dead = json["vacuous"].as_array().expect("places");
    assert!(
        dead.iter()
            .any(|place| place["line"] == 5 && place["file"] == header.as_str()),
        "{dead:?}"
    );
}

#[test]
fn what_was_never_written_is_no_number() {
    let text = "\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct node { int value; };
_Atomic(struct node *) shared;
void *t(void *u)
{
    struct node *node = shared;
    if (node)
        assert(node->value == 3);
    return 0;
}
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    struct node *node = (struct node *)malloc(sizeof(struct node));
    shared = node;
    node->value = 3;
    pthread_join(h, 0);
}
";
    let shown = checked("c", text, &["--model", "sc"]);
    assert!(shown.starts_with("Violated under SC"), "{shown}");
    assert!(shown.contains("was never written"), "{shown}");
    assert!(!shown.contains("1656792537"), "{shown}");
    let json = checked("c", text, &["--model", "sc", "--json"]);
    assert!(!json.contains("1656792537"), "{json}");
    let json: Value = serde_json::from_str(&json).expect("an object");
    let steps = json["witness"]["steps"].as_array().expect("steps");
    let unwritten = steps.iter().find(|step| step["never_written"] == true);
    let unwritten = unwritten.expect("the value is loaded");
    assert_eq!(
        (&unwritten["action"], unwritten.get("value")),
        (&serde_json::json!("load"), None)
    );
    // The same number in a program without such memory is a number.
    let text = "\
shared x = -1656792537;
thread t {
    local r;
    r = x;
    assert(r == 0);
}
";
    let shown = checked("fence", text, &["--model", "sc"]);
    assert!(shown.contains("x is -1656792537"), "{shown}");
}
