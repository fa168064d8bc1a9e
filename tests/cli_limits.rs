//! Limits on the command line: time, memory and interrupts, while reading, solving and printing.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]
#![cfg(unix)]

#[path = "suite/support/process.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
#[allow(unreachable_pub, reason = "shared between test binaries")]
mod process;

use process::{code, command, fencepost, stderr, stdout};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// One call of each command, with the program on standard input.
const COMMANDS: [&[&str]; 6] = [
    &["check", "-"],
    &["robust", "-"],
    &["fence", "-"],
    &["instrument", "-"],
    &["show", "-"],
    &["export", "-", "--cnf", "-"],
];

/// Store buffering: both loads may miss both stores, except under SC.
const STORE_BUFFERING: &str = "\
shared x, y;
thread t0 { local r; x = 1; r = y; }
thread t1 { local r; y = 1; r = x; }
final assert t0.r == 1 || t1.r == 1;
";

/// Too many states to explore in a test, of kilobytes each, and a loop that no bound exhausts.
const GREEDY: &str = "\
shared x, y = 1, a[4000];
thread worker { local r; loop { r = nondet(0, 50); x = x + y + r; } }
thread other { loop { y = 1 - y; } }
forbid x == 0 - 5;
";

/// As many states, and formulas that are too large to solve in a test.
const ENORMOUS: &str = "\
shared x, y;
thread worker[6] {
    local r;
    loop { r = nondet(0, 100); x = r + tid; y = r - x; r = x * y; x = r; }
}
forbid x == 123456789;
";

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status();
    assert!(sent.expect("`kill` is there").success());
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("the answer is an object")
}

/// A directory of programs for `corpus`.
fn corpus(files: &[(&str, String)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn path(directory: &TempDir) -> &str {
    directory.path().to_str().unwrap()
}

#[test]
fn an_endless_input_is_read_up_to_the_maximum_length_of_a_program() {
    for arguments in COMMANDS {
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(arguments)
            .stdin(File::open("/dev/zero").unwrap())
            .output()
            .unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        let errors = stderr(&output);
        assert!(errors.contains("longer than 16777216 bytes"), "{errors}");
    }
    let output = fencepost(&["check", "/dev/zero"], "");
    assert_eq!(code(&output), 2);
    let costs = ["fence", "-", "--cost", "/dev/zero"];
    let output = fencepost(&costs, STORE_BUFFERING);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot read `/dev/zero`"));
}

#[test]
fn an_input_that_never_arrives_is_waited_for_until_the_limit() {
    for arguments in COMMANDS {
        let started = Instant::now();
        let mut child = command(&[arguments, &["--timeout", "0.3"]].concat());
        // The pipe stays open, and nothing is written to it.
        let pipe = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        let elapsed = started.elapsed();
        drop(pipe);
        assert_eq!(code(&output), 3, "{arguments:?}");
        assert_eq!(
            stderr(&output),
            "fencepost: stopped while reading the program: the time limit of 0.3 s is reached\n"
        );
        assert!(elapsed >= Duration::from_millis(300), "{elapsed:?}");
        assert!(elapsed < Duration::from_millis(1300), "{elapsed:?}");
    }
}

#[test]
fn an_interrupt_stops_waiting_for_input() {
    for arguments in COMMANDS {
        let mut child = command(arguments);
        let pipe = child.stdin.take();
        sleep(Duration::from_millis(300));
        let interrupted = Instant::now();
        signal(&child, "-INT");
        let output = child.wait_with_output().unwrap();
        drop(pipe);
        assert_eq!(code(&output), 3, "{arguments:?}");
        assert!(interrupted.elapsed() < Duration::from_secs(1));
    }
}

#[test]
fn a_search_that_is_interrupted_says_so() {
    let mut child = command(&["check", "-", "--engine", "explicit"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(ENORMOUS.as_bytes()).unwrap();
    drop(stdin);
    sleep(Duration::from_millis(700));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    let why = "Undecided under TSO: interrupted before an answer was found (after ";
    assert!(text.starts_with(why), "{text}");
    assert!(!text.contains("--timeout"), "{text}");
}

#[test]
fn the_second_interrupt_ends_the_process_at_once() {
    // The first interrupt is not noticed while the process is blocked on writing its output.
    let program = format!(
        "{}thread worker[1000] {{ x = 1; x = 2; x = 3; }}\n",
        "shared x;\n"
    );
    let mut child = command(&["show", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(program.as_bytes()).unwrap();
    drop(stdin);
    // Some time after the first byte, the process has filled the pipe.
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut [0]).unwrap();
    sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it has ended");
    signal(&child, "-INT");
    let second = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            None if second.elapsed() < Duration::from_millis(200) => {
                sleep(Duration::from_millis(5));
            }
            ended => break ended,
        }
    };
    let _ = child.kill();
    assert_eq!(ended.and_then(|status| status.code()), Some(3));
}

#[test]
fn a_query_that_takes_too_much_memory_is_undecided() {
    for (engine, most) in [("explicit", 64), ("auto", 128)] {
        let arguments = ["check", "-", "--json", "--engine", engine];
        let most_memory = format!("{most}M");
        let limited = [&arguments[..], &["--memory", &most_memory, "--quiet"]].concat();
        let output = fencepost(&limited, GREEDY);
        assert_eq!(code(&output), 3, "{engine}");
        let report = json(&output);
        let peak = report["stats"]["peak_rss_kib"].as_u64();
        if let Some(peak) = peak {
            assert!(peak < (most + 36) << 10, "{engine}: {peak} KiB");
        }
        // In twice as much memory, the bounded engine has finished with a partial result before another one is
        // stopped.
        if engine == "explicit" {
            assert_eq!(report["verdict"], "unknown");
            assert_eq!(report["reason"], "memory: the limit of 64 MiB is reached");
        } else {
            assert_eq!(report["verdict"], "within");
            assert!(stderr(&output).contains("memory: the limit of 128 MiB"));
        }
    }
    let output = fencepost(
        &["check", "-", "--engine", "explicit", "--memory", "0.0625G"],
        GREEDY,
    );
    let text = stdout(&output);
    assert!(
        text.starts_with("Undecided under TSO: memory: the limit of 64 MiB is reached (after "),
        "{text}"
    );
    assert!(text.contains("`--memory`"), "{text}");
}

#[test]
fn the_memory_limit_applies_to_all_commands() {
    let arguments = ["robust", "-", "--engine", "explicit", "--memory", "64M"];
    let program = ENORMOUS
        .replace("shared", "shared a[600],")
        .replace("x = r + tid;", "x = r + tid; a[r] = r;");
    let output = fencepost(&arguments, &program);
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    assert!(
        text.starts_with("Undecided under TSO: memory: the limit"),
        "{text}"
    );
}

#[test]
fn an_invalid_amount_of_memory_is_explained() {
    for amount in ["0", "much", "-1G", "4X"] {
        let argument = format!("--memory={amount}");
        let output = fencepost(&["check", "-", &argument], STORE_BUFFERING);
        assert_eq!(code(&output), 2, "{amount}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_shells_limit_on_address_space_limits_memory() {
    let binary = env!("CARGO_BIN_EXE_fencepost");
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\"", binary])
        .args(["check", "-", "--engine", "explicit", "--jobs", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(GREEDY.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stdout(&output).contains("memory: the limit of 439.4 MiB"));
}

#[test]
fn more_jobs_than_cpus_are_not_started() {
    let cpus = std::thread::available_parallelism().unwrap().get();
    let more = (cpus + 1).to_string();
    let output = fencepost(
        &["robust", "-", "--quiet", "--jobs", &more],
        STORE_BUFFERING,
    );
    assert_eq!(code(&output), 1);
    let errors = stderr(&output);
    assert!(
        errors.contains(&format!("`--jobs {more}`")) && errors.lines().count() == 1,
        "{errors}"
    );
    let directory = corpus(&[(
        "a.fence",
        format!("{STORE_BUFFERING}//: check tso violated\n"),
    )]);
    let output = fencepost(&["corpus", path(&directory), "--jobs", &more], "");
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output).lines().count(), 1);
}

/// The output of a corpus run that is interrupted in its second file.
fn interrupted(directory: &Path, arguments: &[&str]) -> Output {
    let directory = directory.to_str().unwrap();
    let child = command(&[&["corpus", directory, "--jobs", "1"], arguments].concat());
    sleep(Duration::from_secs(1));
    let at = Instant::now();
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert!(at.elapsed() < Duration::from_millis(1700));
    output
}

#[test]
fn expectations_that_an_interrupt_prevented_have_not_failed() {
    let good = format!("{STORE_BUFFERING}//: check tso violated\n//: check sc holds\n");
    let directory = corpus(&[
        ("a.fence", good.clone()),
        ("b.fence", format!("{ENORMOUS}//: check tso holds\n")),
        ("c.fence", good.clone()),
        ("d.fence", good),
    ]);
    let output = interrupted(directory.path(), &[]);
    assert_eq!(code(&output), 3, "{output:?}");
    let text = stdout(&output);
    assert!(
        !text.contains("FAIL") && text.contains("ok   a.fence: 2 met"),
        "{text}"
    );
    for file in ["b", "c", "d"] {
        assert!(
            text.contains(&format!("open {file}.fence: 0 met, 1 not run\n")),
            "{text}"
        );
    }
    assert_eq!(text.matches("not run: interrupted").count(), 3, "{text}");
    assert!(text.ends_with("0 missed, 3 not run\n"), "{text}");
    let output = interrupted(directory.path(), &["--json"]);
    let lines = stdout(&output);
    assert_eq!(lines.matches(r#""result":"not run""#).count(), 3, "{lines}");
    assert!(lines.contains(r#""reason":"interrupted""#), "{lines}");
}

#[test]
fn a_file_that_fails_before_an_interrupt_has_failed() {
    let directory = corpus(&[
        ("a.fence", format!("{STORE_BUFFERING}//: check tso holds\n")),
        ("b.fence", format!("{ENORMOUS}//: check tso holds\n")),
    ]);
    let output = interrupted(directory.path(), &[]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("FAIL a.fence"));
}

#[test]
fn lack_of_memory_fails_no_file() {
    let directory = corpus(&[
        ("a.fence", format!("{GREEDY}//: check tso holds\n")),
        (
            "b.fence",
            format!("{STORE_BUFFERING}//: check tso violated\n"),
        ),
    ]);
    let arguments = ["corpus", path(&directory), "--jobs", "1", "--memory", "64M"];
    let output = fencepost(&arguments, "");
    let text = stdout(&output);
    assert_eq!(code(&output), 3, "{text}");
    assert!(
        text.contains("not run: memory: the limit of 64 MiB is reached"),
        "{text}"
    );
    assert!(text.contains("ok   b.fence: 1 met"), "{text}");
}

#[test]
fn an_interrupted_run_blesses_nothing() {
    let wrong = format!("{STORE_BUFFERING}//: check tso holds\n");
    let directory = corpus(&[
        ("a.fence", wrong.clone()),
        ("b.fence", format!("{ENORMOUS}//: check tso holds\n")),
    ]);
    let output = interrupted(directory.path(), &["--bless", "--force"]);
    assert_ne!(code(&output), 0);
    assert!(stderr(&output).contains("no file was rewritten"));
    let after = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    assert_eq!(after("a.fence"), wrong);
    assert!(after("b.fence").ends_with("//: check tso holds\n"));
    assert!(stdout(&output).contains("FAIL a.fence"));
}

#[test]
fn no_expectation_is_weakened_unless_forced() {
    // The loop is endless, it chooses among too many values for the explicit engine, and the threads are not
    // robust, so that only the bounded engine answers.
    let counting = "shared x, y, z;\n\
        thread t { local r, s; x = 1; r = y; loop { s = nondet(0, 1000); z = z + s; } }\n\
        thread u { local r; y = 1; r = x; }\n\
        forbid z == 0 - 5;\n";
    let text = |tso: &str| format!("{counting}//: check tso {tso}  why\n");
    let directory = corpus(&[("a.fence", text("holds"))]);
    let file = directory.path().join("a.fence");
    let arguments = ["corpus", path(&directory), "--bless"];
    let output = fencepost(&arguments, "");
    assert_eq!(code(&output), 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), text("holds"));
    let report = stdout(&output);
    assert_eq!(report.matches("kept: line").count(), 1, "{report}");
    assert!(
        report.contains("`within` is weaker (`--force` writes it)"),
        "{report}"
    );
    fs::write(&file, text("violated")).unwrap();
    let output = fencepost(&[&arguments[..], &["--force"]].concat(), "");
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), text("within"));
    // A stronger expectation is written without `--force`.
    fs::write(&file, format!("{STORE_BUFFERING}//: check tso within\n")).unwrap();
    assert_eq!(code(&fencepost(&arguments, "")), 0);
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.ends_with("//: check tso violated\n"), "{after}");
    let output = fencepost(&["corpus", path(&directory), "--force"], "");
    assert_eq!(code(&output), 2);
}
