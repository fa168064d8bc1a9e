//! Waiting forever on the command line: the option, the evidence, the notes, and their JSON.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use serde_json::Value;

/// Each thread announces and then looks. With both stores delayed, the sleeper is not woken.
const PARKER: &str = "shared flag, sleeping, wake;
thread sleeper {
    sleeping = 1;
    if (flag == 0) { await(wake == 1); }
}
thread waker {
    flag = 1;
    if (sleeping == 1) { wake = 1; }
}
";

/// Runs `check` with these arguments on a text; the exit code and the output.
fn checked(arguments: &[&str], text: &str) -> (i32, String) {
    let all: Vec<&str> = [&["check", "-"], arguments].concat();
    let output = fencepost(&all, text);
    assert_eq!(stderr(&output), "", "{arguments:?}");
    (code(&output), stdout(&output))
}

#[test]
fn the_evidence_names_who_waits_where_and_what_it_sees() {
    let (code, text) = checked(&["--forbid-stuck", "--model", "tso"], PARKER);
    assert_eq!(code, 1, "{text}");
    for part in [
        "Violated under TSO: every thread that has not ended waits forever: `forbid stuck;`",
        "sleeping = 1 reaches memory",
        "Then this thread waits forever:\n  sleeper, line 4: `wake == 1`, where wake is 0",
        "Under SC this cannot happen: delayed stores are the cause.",
        "--for assertions",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let (code, text) = checked(&["--forbid-stuck", "--model", "sc"], PARKER);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn the_evidence_is_in_formats_for_machines_and_pages() {
    let waits = "sleeper, line 4: `wake == 1`, where wake is 0";
    let sentence = format!("This thread waits forever: {waits}.");
    let (_, text) = checked(&["--forbid-stuck", "--message-format", "github"], PARKER);
    assert!(text.contains(&sentence), "{text}");
    let (_, text) = checked(&["--forbid-stuck", "--message-format", "sarif"], PARKER);
    let log: Value = serde_json::from_str(&text).unwrap();
    let result = &log["runs"][0]["results"][0];
    let message = result["message"]["text"].as_str().unwrap();
    assert!(message.contains(&sentence), "{message}");
    let related = &result["relatedLocations"][0];
    assert_eq!(related["message"]["text"], waits);
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 4);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (program, page, junit) = (path("a.fence"), path("a.html"), path("a.xml"));
    std::fs::write(
        &program,
        format!("//: check tso holds\n{PARKER}forbid stuck;\n"),
    )
    .unwrap();
    fencepost(&["check", &program, "--draw", &page, "-q"], "");
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("Then this thread waits forever:"), "{html}");
    assert!(html.contains("<li>sleeper, line 5: <code>wake == 1</code>, where wake is 0</li>"));
    fencepost(
        &["corpus", folder.path().to_str().unwrap(), "--junit", &junit],
        "",
    );
    let xml = std::fs::read_to_string(junit).unwrap();
    let missed = "expected holds, found violated. This thread waits forever: sleeper, line 5";
    assert!(xml.contains(missed), "{xml}");
}

#[test]
fn the_evidence_is_in_json_too() {
    let (_, text) = checked(&["--forbid-stuck", "--json"], PARKER);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["goals"][0]["kind"], "forbid stuck");
    assert_eq!(json["under_sc"]["verdict"], "holds");
    let waiting = &json["witness"]["waiting"];
    assert_eq!(waiting.as_array().unwrap().len(), 1);
    assert_eq!(waiting[0]["thread"], "sleeper");
    assert_eq!(waiting[0]["line"], 4);
    assert_eq!(waiting[0]["sees"], serde_json::json!({ "wake": 0 }));
}

/// What the litmus test observes has nothing to do with it.
#[test]
fn a_litmus_test_is_asked_too() {
    let text = "X86 SB\n{ x=0; y=0; }\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n \
                MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
    let output = fencepost(
        &["check", "-", "--format", "litmus", "--forbid-stuck"],
        text,
    );
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    assert!(stdout(&output).contains("Observation SB Sometimes"));
}

#[test]
fn a_wait_in_a_procedure_names_the_call_and_the_register_it_compares_with() {
    let text = "shared x;
proc wait(n) { await(x == n); }
thread t { local mine; mine = nondet(1, 2); wait(1); while (x != mine) { } wait(3); }
thread u { x = 1; }";
    let (code, out) = checked(&["--forbid-stuck", "--model", "sc"], text);
    assert_eq!(code, 1, "{out}");
    let out = out.replace("\n    ", " ");
    let there = out.contains("mine is 2") || out.contains("called at line 3");
    assert!(there, "{out}");
}

#[test]
fn what_sc_allows_too_is_said_to_be_so() {
    let text = "shared x; thread t { await(x == 1); }";
    let (code, out) = checked(&["--forbid-stuck"], text);
    assert_eq!(code, 1, "{out}");
    let too = "This can happen under SC, too: no fence can prevent it.";
    assert!(out.contains(too), "{out}");
    assert!(!out.contains("fencepost fence"), "{out}");
}

#[test]
fn a_thread_that_others_do_not_serve_starves() {
    let text = "shared x, y;
        thread server { loop { y = 1; y = 0; } }
        thread client { await(x == 1); }
        forbid stuck;
        forbid stuck client;";
    // Under TSO the server may delay any number of stores.
    let (code, out) = checked(&["--engine", "explicit", "--model", "sc"], text);
    assert_eq!(code, 1, "{out}");
    let reason = "client waits forever, whatever the others do: `forbid stuck client;`";
    assert!(out.replace("\n  ", " ").contains(reason), "{out}");
    // The server goes on, so the program is not stuck.
    assert!(
        out.contains("Then this thread waits forever:\n  client"),
        "{out}"
    );
    // A formula is about one configuration.
    let (code, out) = checked(&["--engine", "bmc", "--model", "sc"], text);
    assert_eq!(code, 3, "{out}");
    let why = out.replace("\n  ", " ");
    assert!(why.contains("`--engine explicit` only"), "{out}");
}

#[test]
fn executions_that_never_finish_are_noted() {
    let waits = format!("{PARKER}final assert wake == 0 || sleeping == 1;");
    let (code, out) = checked(&[], &waits);
    assert_eq!(code, 0, "{out}");
    let note = "Note: some executions never finish; `final assert` is not about these.";
    assert!(out.contains(note), "{out}");
    assert!(
        out.contains("sleeper, line 4: `wake == 1`, where wake is 0"),
        "{out}"
    );
    let (_, out) = checked(&["--json"], &waits);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["unfinished"][0]["thread"], "sleeper");
    // Not if all executions finish, nor for a thread that waits for nothing.
    for text in [
        "shared x; thread t { x = 1; } thread u { await(x == 1); } final assert x == 1;",
        "shared x; thread t { loop { x = 1; } } forbid x == 2;",
    ] {
        let (code, out) = checked(&[], text);
        assert_eq!((code, out.contains("never finish")), (0, false), "{out}");
    }
}

#[test]
fn deadlocks_in_c_and_rust_are_noted() {
    let in_c = "
        #include <pthread.h>
        pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
        void *other(void *u) {
            pthread_mutex_lock(&b); pthread_mutex_lock(&a);
            pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return u;
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, other, 0);
            pthread_mutex_lock(&FIRST); pthread_mutex_lock(&SECOND);
            pthread_mutex_unlock(&SECOND); pthread_mutex_unlock(&FIRST);
            pthread_join(t, 0); return 0;
        }";
    let in_rust = "
        static A: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
        static B: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
        #[test] fn both() {
            let other = std::thread::spawn(|| {
                let b = B.lock().unwrap();
                let a = A.lock().unwrap();
                assert!(*a + *b < 3);
            });
            { let first = FIRST.lock().unwrap(); let second = SECOND.lock().unwrap(); assert!(*first + *second < 3); }
            other.join().unwrap();
        }";
    for (format, text, a, b) in [("c", in_c, "a", "b"), ("rust", in_rust, "A", "B")] {
        let text_of =
            |first: &str, second: &str| text.replace("FIRST", first).replace("SECOND", second);
        let of_format = |rest: &[&'static str]| [&["--format", format], rest].concat();
        let (code, out) = checked(&of_format(&[]), &text_of(a, b));
        assert_eq!((code, out.contains("never finish")), (0, true), "{out}");
        assert!(
            out.contains("other, line ") && out.contains(" is 1"),
            "{out}"
        );
        let (_, out) = checked(&of_format(&["--json"]), &text_of(a, b));
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(
            json["unfinished"].as_array().map(Vec::len),
            Some(2),
            "{out}"
        );
        // In one order, none waits forever.
        let (code, out) = checked(&of_format(&[]), &text_of(b, a));
        assert_eq!((code, out.contains("never finish")), (0, false), "{out}");
    }
}

#[test]
fn fences_repair_a_lost_wake_up() {
    let output = fencepost(
        &[
            "fence",
            "-",
            "--forbid-stuck",
            "--for",
            "assertions",
            "--diff",
        ],
        PARKER,
    );
    let text = stdout(&output);
    assert_eq!(code(&output), 0, "{text}");
    for part in [
        "2 fences make the program's properties hold under TSO, for all executions",
        "+    fence;",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
