//! The command line for users and scripts: exit codes, streams, error messages, limits.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process;
use process::{STORE_BUFFERING, code, command, fencepost, run, stderr, stdout};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::process::Command;
use std::time::{Duration, Instant};

/// Too many states to explore in a test.
const ENORMOUS: &str = "\
shared x, y;
thread worker[6] {
    local r;
    loop { r = nondet(0, 100); x = r + tid; y = r - x; r = x * y; x = r; }
}
forbid x == 123456789;
";

#[test]
fn each_verdict_has_its_own_exit_code() {
    assert_eq!(
        code(&fencepost(
            &["check", "-", "--model", "sc"],
            STORE_BUFFERING
        )),
        0
    );
    assert_eq!(code(&fencepost(&["check", "-"], STORE_BUFFERING)), 1);
    assert_eq!(code(&fencepost(&["check", "-"], "thread {")), 2);
    let counting = "shared x; thread t[*] { local r; r = fetch_add(x, 1); } forbid x == -1;";
    assert_eq!(code(&fencepost(&["check", "-"], counting)), 3);
}

#[test]
fn robustness_has_the_same_exit_codes() {
    let fenced = STORE_BUFFERING.replace("1; r", "1; fence; r");
    let barrier = STORE_BUFFERING.replace("1; r", "1; barrier all; r");
    let cases = [
        (STORE_BUFFERING, 1),
        (fenced.as_str(), 0),
        (barrier.as_str(), 0),
        ("thread {", 2),
        ("shared x; thread t[*] { x = 1; }", 0),
        ("shared x; thread t[*] { x = 1; barrier all; }", 3),
    ];
    for (program, expected) in cases {
        assert_eq!(
            code(&fencepost(&["robust", "-"], program)),
            expected,
            "{program}"
        );
    }
}

#[test]
fn robustness_counts_its_attacks_in_json() {
    let output = fencepost(&["robust", "-", "--json"], STORE_BUFFERING);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["robust"], false);
    assert_eq!(json["attacks"]["candidates"], 2);
    assert_eq!(json["attacks"]["feasible"], 2);
    let first = &json["attacks"]["feasible_list"][0];
    assert_eq!(first["thread"], "t0");
    assert_eq!(first["witness"]["replayed"], true);
    assert_eq!(first["witness"]["shape"], "store buffering");
}

#[test]
fn a_robust_program_names_what_the_result_depends_on() {
    let fenced = STORE_BUFFERING.replace("1; r", "1; fence; r");
    let text = stdout(&fencepost(&["robust", "-"], &fenced));
    assert!(
        text.starts_with("Robust under TSO, for all executions"),
        "{text}"
    );
    assert_eq!(text.matches("the fence `fence`").count(), 2, "{text}");
}

/// Without its fence, each thread delays its store, but within four rounds `a` never loads `y`.
#[test]
fn what_a_robust_program_may_depend_on_is_named_too() {
    let program = "shared x, y;\n\
        thread a { local i, r; x = 1; fence; while (i < 100) { i = i + 1; } r = y; }\n\
        thread b { local r; y = 1; fence; r = x; }\n";
    let robust = |options: &[&str]| {
        let output = fencepost(&[&["robust", "-"], options].concat(), program);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        stdout(&output)
    };
    let bounded = ["--engine", "bmc", "--unroll", "4"];
    let text = robust(&bounded);
    let open = "\n\nWhether this result depends on these was not decided:\n  \
                a line 2: the fence `fence`.\n  b line 3: the fence `fence`.\n";
    assert!(text.ends_with(open), "{text}");
    let json = robust(&[&bounded[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&json).expect("one object");
    assert_eq!(report.get("load_bearing"), None);
    let open = report["load_bearing_undecided"].as_array().expect("a list");
    let lines = open.iter().map(|place| (&place["thread"], &place["line"]));
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [(&"a".into(), &2.into()), (&"b".into(), &3.into())]
    );
    let text = robust(&[]);
    assert!(
        text.contains("This result depends on:\n  a line 2"),
        "{text}"
    );
    assert!(!text.contains("not decided"), "{text}");
}

#[test]
fn shards_divide_the_attacks() {
    let mut feasible = 0;
    for shard in ["1/2", "2/2"] {
        let output = fencepost(
            &["robust", "-", "--json", "--shard", shard],
            STORE_BUFFERING,
        );
        let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
        feasible += json["attacks"]["feasible"].as_u64().unwrap();
    }
    assert_eq!(feasible, 2);
}

#[test]
fn a_shard_is_reported_as_part_of_the_attacks() {
    let ask = |program: &str| {
        let output = fencepost(&["robust", "-", "--shard", "2/2"], program);
        (code(&output), stdout(&output).replace("\n  ", " "))
    };
    let part = "Only part 2 of 2 of the attacks was checked.";
    let (exit, text) = ask(STORE_BUFFERING);
    assert_eq!(exit, 1);
    assert!(
        text.starts_with("Not robust") && text.contains(part),
        "{text}"
    );
    let fenced = STORE_BUFFERING.replace("1; r", "1; fence; r");
    let (exit, text) = ask(&fenced);
    assert_eq!(exit, 0);
    assert!(
        text.starts_with("No attack in this part") && text.contains(part),
        "{text}"
    );
    // The definition does not use attacks, so there are no shards.
    let (exit, text) = ask(&STORE_BUFFERING.replace("r = x;", "r = x; barrier all;"));
    assert_eq!(exit, 1);
    assert!(
        text.starts_with("Not robust") && !text.contains(part),
        "{text}"
    );
}

#[test]
fn if_the_definition_decides_no_attacks_are_mentioned() {
    let barrier = STORE_BUFFERING.replace("r = x;", "r = x; barrier all;");
    let output = fencepost(&["robust", "-"], &barrier);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    let next = text
        .split("Next: ")
        .nth(1)
        .expect("there is something to do");
    assert!(
        next.contains("fencepost fence") && !next.contains("attack"),
        "{text}"
    );
}

#[test]
fn the_first_feasible_attack_is_enough_with_first() {
    let output = fencepost(&["robust", "-", "--first"], STORE_BUFFERING);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(
        text.starts_with("Not robust under TSO: 1 of 2 attacks is feasible; 1 is undecided."),
        "{text}"
    );
    let json = stdout(&fencepost(
        &["robust", "-", "--first", "--json"],
        STORE_BUFFERING,
    ));
    assert!(json.contains(r#""feasible":1,"open":1"#), "{json}");
    let fenced = STORE_BUFFERING.replace("r = ", "fence; r = ");
    assert_eq!(code(&fencepost(&["robust", "-", "--first"], &fenced)), 0);
}

#[test]
fn an_instrumented_program_is_a_program() {
    let list = stdout(&fencepost(&["instrument", "-"], STORE_BUFFERING));
    assert_eq!(list.lines().count(), 2, "{list}");
    let printed = stdout(&fencepost(
        &["instrument", "-", "--attack", "1"],
        STORE_BUFFERING,
    ));
    // Its first property states whether the attack succeeds, and under SC it does.
    assert_eq!(
        code(&fencepost(&["check", "-", "--model", "sc"], &printed)),
        1
    );
    let wrong = fencepost(&["instrument", "-", "--attack", "3"], STORE_BUFFERING);
    assert_eq!(code(&wrong), 2);
    // A helper's barrier would wait for a buffer that the derived program does not have.
    let barrier = STORE_BUFFERING.replace("1; r", "1; barrier all; r");
    let refused = fencepost(&["instrument", "-", "--attack", "1"], &barrier);
    assert_eq!(code(&refused), 2);
    let nothing_weak = fencepost(&["robust", "-", "--model", "sc"], STORE_BUFFERING);
    assert_eq!(code(&nothing_weak), 2);
}

#[test]
fn methods_reject_incompatible_options() {
    let cases = [
        (
            &["--method", "direct", "--engine", "explicit"],
            "--engine explicit",
        ),
        (
            &["--method", "singularity", "--model", "tso"],
            "--model tso",
        ),
        (
            &["--method", "singularity", "--model", "pso,tso"],
            "--model tso",
        ),
    ];
    for (arguments, named) in cases {
        let output = fencepost(
            &[&["robust", "-"], &arguments[..]].concat(),
            STORE_BUFFERING,
        );
        let errors = stderr(&output);
        assert_eq!(code(&output), 2, "{errors}");
        assert!(errors.contains(named), "{errors}");
        assert!(errors.contains("--method locality"), "{errors}");
    }
    // Each option is accepted with other values of the second one.
    for arguments in [
        ["--method", "direct", "--engine", "bmc"],
        ["--method", "singularity", "--model", "pso"],
    ] {
        let output = fencepost(
            &[&["robust", "-"], &arguments[..]].concat(),
            STORE_BUFFERING,
        );
        assert_eq!(code(&output), 1, "{arguments:?}");
    }
}

#[test]
fn triangular_races_differ_from_robustness() {
    // The spinlock is released by a plain store, followed by a load of a cell that other threads store
    // to: harmless, but a race.
    let lock = "shared m, d;
        thread t0 { local r; while (xchg(m, 1) == 1) { } m = 0; r = d; }
        thread t1 { d = 1; }";
    assert_eq!(code(&fencepost(&["robust", "-"], lock)), 0);
    assert_eq!(
        code(&fencepost(&["robust", "-", "--notion", "trf"], lock)),
        1
    );
}

#[test]
fn the_worst_of_several_models_decides_the_exit_code() {
    for models in ["sc,tso", "tso,sc"] {
        let output = fencepost(&["check", "-", "--model", models], STORE_BUFFERING);
        assert_eq!(code(&output), 1);
    }
    let repeated = ["check", "-", "--model", "sc", "--model", "sc"];
    let output = fencepost(&repeated, STORE_BUFFERING);
    assert_eq!(stdout(&output).matches("Holds under SC").count(), 1);
}

#[test]
fn the_verdict_is_the_first_sentence() {
    let output = fencepost(&["check", "-"], STORE_BUFFERING);
    let text = stdout(&output);
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("Violated under TSO: `final assert"),
        "{text}"
    );
    assert!(text.contains("x = 1"), "{text}");
    assert!(text.contains("store buffering"), "{text}");
    assert!(text.contains("`fencepost fence"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
}

/// One violation is shown with its evidence; a user who repairs it should not meet the others as a surprise.
#[test]
fn the_other_violations_are_listed_and_beyond_three_counted() {
    let also = |program: &str| {
        let output = fencepost(&["check", "-"], program);
        let text = stdout(&output);
        let lines = text.lines().skip_while(|l| !l.starts_with("Also violated"));
        let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        lines.join(" ").replace("   ", " ")
    };
    let begin = "shared x;\nthread t { x = 1; x = 2; x = 3; x = 4; x = 5; }\n";
    let properties = |last: i32| {
        let each = (1..=last).map(|value| format!("forbid x == {value};\n"));
        format!("{begin}{}", each.collect::<String>())
    };
    assert_eq!(also(&properties(1)), "");
    assert_eq!(
        also(&properties(2)),
        "Also violated: `forbid x == 2;` (line 4) is reached."
    );
    assert_eq!(
        also(&format!(
            "{begin}forbid x == 1;\nforbid x == 7;\nexists x == 5;\n"
        )),
        "",
        "one holds, and what is observed is no violation"
    );
    let all = also(&properties(5));
    assert!(
        all.starts_with("Also violated: `forbid x == 2;` (line 4) is reached; `forbid x == 3;`"),
        "{all}"
    );
    assert!(
        all.ends_with("`forbid x == 4;` (line 6) is reached; and 1 more."),
        "{all}"
    );
}

#[test]
fn quiet_prints_only_the_verdict() {
    let output = fencepost(&["check", "-", "--quiet"], STORE_BUFFERING);
    assert_eq!(stdout(&output).lines().count(), 1);
}

#[test]
fn the_same_input_gives_the_same_output() {
    let first = fencepost(&["check", "-", "--model", "tso,pso"], STORE_BUFFERING);
    let second = fencepost(&["check", "-", "--model", "tso,pso"], STORE_BUFFERING);
    assert_eq!(stdout(&first), stdout(&second));
}

#[test]
fn the_number_of_jobs_changes_no_answer() {
    let fenced = STORE_BUFFERING.replace("1; r", "1; fence; r");
    for program in [STORE_BUFFERING, &fenced] {
        let ask = |jobs| {
            let arguments = ["robust", "-", "--model", "tso,pso", "--jobs", jobs];
            let text = stdout(&fencepost(&arguments, program));
            let json = stdout(&fencepost(&[&arguments[..], &["--json"]].concat(), program));
            let without_times = json.lines().map(|line| {
                let mut report: Value = serde_json::from_str(line).unwrap();
                let stats = report["stats"].as_object_mut().unwrap();
                stats.retain(|key, _| key != "seconds" && key != "peak_rss_kib");
                report
            });
            (text, without_times.collect::<Vec<_>>())
        };
        assert_eq!(ask("1"), ask("2"));
    }
}

#[test]
fn colour_is_used_only_on_request() {
    let plain = fencepost(&["check", "-"], STORE_BUFFERING);
    assert!(!stdout(&plain).contains('\u{1b}'));
    let coloured = fencepost(&["check", "-", "--color", "always"], STORE_BUFFERING);
    assert!(stdout(&coloured).contains('\u{1b}'));
}

#[test]
fn json_is_one_object_with_the_keys_of_the_schema() {
    let output = fencepost(&["check", "-", "--json"], STORE_BUFFERING);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["tool"], "fencepost");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["command"], "check");
    assert_eq!(report["file"], "-");
    assert_eq!(report["model"], "tso");
    assert_eq!(report["verdict"], "violated");
    // It has few configurations, so no formula is made.
    assert_eq!(report["engine"], "explicit");
    assert!(report["stats"]["states"].as_u64().unwrap() > 0);
    let bounded = fencepost(
        &["check", "-", "--json", "--engine", "bmc"],
        STORE_BUFFERING,
    );
    let bounded: Value = serde_json::from_str(&stdout(&bounded)).unwrap();
    for key in ["queries", "variables", "clauses"] {
        assert!(bounded["stats"][key].as_u64().unwrap() > 0, "{key}");
    }
    assert!(report["stats"]["seconds"].is_number());
    assert!(
        report.get("fences").is_none(),
        "keys that do not apply are omitted"
    );
    let witness = &report["witness"];
    assert_eq!(witness["replayed"], true);
    assert_eq!(witness["shape"], "store buffering");
    assert_eq!(witness["cycle"].as_array().unwrap().len(), 4);
    let step = &witness["steps"][0];
    for key in ["thread", "line", "action", "address", "value"] {
        assert!(step.get(key).is_some(), "{step}");
    }
}

#[test]
fn json_has_one_line_per_model() {
    let output = fencepost(
        &["check", "-", "--json", "--model", "sc,tso,pso"],
        STORE_BUFFERING,
    );
    let models: Vec<String> = stdout(&output)
        .lines()
        .map(|line| {
            let report: Value = serde_json::from_str(line).unwrap();
            report["model"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(models, ["sc", "tso", "pso"]);
}

#[test]
fn unreachable_code_is_reported() {
    let dead = "shared x; thread t { assume(x == 1); x = 2; } forbid x == 2;";
    let output = fencepost(&["check", "-"], dead);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.contains("the end of t"), "{text}");
    assert!(text.contains("x = 2"), "{text}");
}

/// Its iterations have no effect, so the encoding cuts the back edge. The body is still executed.
#[test]
fn the_body_of_a_loop_that_waits_is_not_dead() {
    let waits = "shared x; thread t { while (x == 0) { skip; } x = 2; } thread u { x = 1; }
        forbid x == 3;";
    for engine in ["bmc", "explicit"] {
        let output = fencepost(&["check", "-", "--engine", engine], waits);
        assert_eq!(code(&output), 0);
        let text = stdout(&output);
        assert!(!text.contains("no execution"), "{engine}: {text}");
    }
}

#[test]
fn an_observation_is_not_a_violation() {
    let exists = STORE_BUFFERING.replace(
        "final assert t0.r == 1 || t1.r == 1",
        "exists t0.r == 0 && t1.r == 0",
    );
    let output = fencepost(&["check", "-", "--model", "sc,tso"], &exists);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.contains("Never observed under SC"), "{text}");
    assert!(text.contains("Observed under TSO"), "{text}");
}

#[test]
fn errors_in_the_input_go_to_standard_error_and_name_the_line() {
    let output = fencepost(&["check", "-"], "shared x;\nthread t { y = 1; }\n");
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).is_empty());
    let text = stderr(&output);
    assert!(text.contains("<stdin>:2:"), "{text}");
}

#[test]
fn a_missing_file_is_invalid_input() {
    let output = fencepost(&["check", "no/such/file.fence"], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot read `no/such/file.fence`"));
}

#[test]
fn bytes_that_are_not_text_are_invalid_input() {
    let output = run(&["check", "-"], b"shared x;\nthread \xff {}");
    assert_eq!(code(&output), 2);
    let text = stderr(&output);
    assert!(
        text.contains("not valid UTF-8") && text.contains("<stdin>:2:8"),
        "{text}"
    );
}

#[test]
fn an_invalid_command_line_is_explained() {
    for arguments in [
        &["check", "-", "--model", "arm"][..],
        &["check"],
        &["conjure"],
        &["check", "-", "--timeout", "soon"],
    ] {
        let output = fencepost(arguments, STORE_BUFFERING);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).starts_with("error:"), "{arguments:?}");
    }
}

#[test]
fn help_lists_the_commands_and_the_exit_codes() {
    let output = fencepost(&["--help"], "");
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    for word in [
        "check",
        "show",
        "corpus",
        "--timeout",
        "--json",
        "70 internal error",
    ] {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
}

#[test]
fn the_slowest_files_of_a_corpus_are_listed_on_request() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/mutex");
    let listed = |arguments: &[&str]| {
        let output = fencepost(&[&["corpus", directory, "--quiet"], arguments].concat(), "");
        assert_eq!(code(&output), 0);
        let text = stdout(&output);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let seconds = lines.iter().filter_map(|line| {
            let (seconds, name) = line.trim().split_once(" s  ")?;
            assert!(name.contains(".fence"), "{line}");
            seconds.parse::<f64>().ok()
        });
        seconds.collect::<Vec<f64>>()
    };
    assert!(listed(&[]).is_empty());
    let slowest = listed(&["--durations", "3"]);
    assert_eq!(slowest.len(), 3);
    assert!(slowest.is_sorted_by(|a, b| a >= b), "{slowest:?}");
}

#[test]
fn a_timeout_is_kept_within_a_second() {
    let started = Instant::now();
    let output = fencepost(&["check", "-", "--timeout", "0.5", "--json"], ENORMOUS);
    let elapsed = started.elapsed();
    assert_eq!(code(&output), 3);
    assert!(elapsed < Duration::from_millis(1700), "{elapsed:?}");
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["reason"], "the time limit of 0.5 s is reached");
    assert_eq!(report["open_because"], "time");
    assert!(report["reached"]["phase"].is_string(), "{report}");
}

#[test]
fn json_of_the_explicit_engine_counts_states() {
    let output = fencepost(
        &["check", "-", "--json", "--engine", "explicit"],
        STORE_BUFFERING,
    );
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["engine"], "explicit");
    assert!(report["stats"]["states"].as_u64().unwrap() > 0);
    assert!(report["stats"].get("clauses").is_none());
}

#[test]
fn a_bounded_answer_names_its_bounds_and_is_not_a_proof() {
    let counting = "shared x; thread t { loop { x = x + 1; } } forbid x == 100;";
    let arguments = ["check", "-", "--json", "--engine", "bmc", "--unroll", "3"];
    let output = fencepost(&arguments, counting);
    assert_eq!(code(&output), 3);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["verdict"], "within");
    assert_eq!(report["engine"], "bmc");
    assert_eq!(report["bounds"]["unroll"], 3);
    assert_eq!(report["bounds"]["loops"][0]["iterations"], 3);
    let accepting = [&arguments[..], &["--accept-bounded"]].concat();
    assert_eq!(code(&fencepost(&accepting, counting)), 0);
}

#[test]
fn text_and_json_name_the_same_bounds_and_the_next_step_goes_beyond_them() {
    let counting = "shared x;
        thread t { loop { x = x + 1; } }
        forbid x == 100;";
    // The instrumented program has a copy of each loop.
    let spinning = "shared x, y;
        thread t0 { local r; x = 1; while (r < 3) { r = r + 1; } r = y; }
        thread t1 { local r; y = 1; while (r < 3) { r = r + 1; } r = x; }";
    for (command, program) in [("check", counting), ("robust", spinning)] {
        for (unroll, further) in [("0", "--unroll 1"), ("1", "--unroll 2")] {
            let arguments = [command, "-", "--engine", "bmc", "--unroll", unroll];
            let text = stdout(&fencepost(&arguments, program));
            let json = stdout(&fencepost(&[&arguments[..], &["--json"]].concat(), program));
            let json: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(json["verdict"], "within");
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for cut in json["bounds"]["loops"].as_array().unwrap() {
                let (line, thread) = (&cut["line"], cut["thread"].as_str().unwrap());
                assert!(cut["head"].is_string(), "{json}");
                let words =
                    format!("the loop in line {line} of {thread} was unrolled {unroll} time");
                assert!(flat.contains(&words), "{text}");
            }
            assert!(flat.contains(further), "{text}");
        }
    }
}

#[test]
fn loops_that_are_not_unrolled_at_all_prove_nothing() {
    // Control leaves both loops by an edge of the outer loop that no encoded iteration takes.
    let nested = "shared x;
        thread t {
            local i, j;
            while (i < 2) { j = 0; i = i + 1; while (j < 2) { j = j + 1; } }
          later:
            skip;
        }
        forbid t@later;";
    let arguments = ["check", "-", "--engine", "bmc", "--unroll"];
    let followed = |times| code(&fencepost(&[&arguments[..], &[times]].concat(), nested));
    assert_eq!([followed("0"), followed("1"), followed("2")], [3, 3, 1]);
}

#[test]
fn only_solvers_of_the_build_can_be_chosen() {
    let chosen = ["check", "-", "--quiet", "--solver", "varisat"];
    assert_eq!(code(&fencepost(&chosen, STORE_BUFFERING)), 1);
    let output = fencepost(&["check", "-", "--solver", "oracle"], STORE_BUFFERING);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("varisat"));
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_the_verdict_undecided() {
    // Both default engines together, and each alone if it does not answer in time.
    for engine in ["auto", "bmc", "explicit"] {
        let arguments = ["check", "-", "--engine", engine, "--unroll", "64"];
        let mut child = command(&arguments);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(ENORMOUS.as_bytes()).unwrap();
        drop(stdin);
        std::thread::sleep(Duration::from_millis(400));
        let interrupted = Instant::now();
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let elapsed = interrupted.elapsed();
        assert_eq!(code(&output), 3, "{engine}");
        assert!(
            elapsed < Duration::from_millis(1700),
            "{engine}: {elapsed:?}"
        );
        assert!(
            stdout(&output).starts_with("Undecided"),
            "{}",
            stdout(&output)
        );
        assert_eq!(stderr(&output), "", "{engine}");
    }
}

#[test]
fn an_exported_query_is_a_formula_with_names() {
    let output = fencepost(&["export", "-", "--cnf", "-", "--fences"], STORE_BUFFERING);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    for words in [
        "c goal 1 assume ",
        ": final assert at line 4",
        "c model sc assume ",
        ": full fence t0 at line 2",
        "c query goal 1 under tso assume ",
        "\np cnf ",
    ] {
        assert!(text.contains(words), "{words} is missing:\n{text}");
    }
}

#[test]
fn the_goal_to_export_is_chosen_by_number() {
    let several = format!("{STORE_BUFFERING}forbid x == 2;\n");
    let output = fencepost(&["export", "-", "--cnf", "-"], &several);
    assert_eq!(code(&output), 2);
    let text = stderr(&output);
    assert!(
        text.contains("--goal N") && text.contains("(line 5)"),
        "{text}"
    );
    let chosen = fencepost(&["export", "-", "--cnf", "-", "--goal", "2"], &several);
    assert!(stdout(&chosen).contains("c query goal 2 under tso"));
    let missing = fencepost(&["export", "-", "--cnf", "-", "--goal", "3"], &several);
    assert_eq!(code(&missing), 2);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = command(&["show", "-"]);
    let threads = "thread worker[1000] { x = 1; }\n";
    let program = format!("shared x;\n{threads}");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(program.as_bytes()).unwrap();
    drop(stdin);
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert_eq!(status.code(), Some(0), "{errors}");
    assert_eq!(errors, "");
}

#[test]
fn what_show_prints_parses_to_the_same_program() {
    let first = fencepost(&["show", "-"], STORE_BUFFERING);
    assert_eq!(code(&first), 0);
    let second = fencepost(&["show", "-"], &stdout(&first));
    assert_eq!(stdout(&first), stdout(&second));
}

#[test]
fn drawings_are_complete() {
    let dot = stdout(&fencepost(&["show", "-", "--dot"], STORE_BUFFERING));
    assert!(dot.starts_with("digraph") && dot.ends_with("}\n"), "{dot}");
    let svg = stdout(&fencepost(&["show", "-", "--svg"], STORE_BUFFERING));
    assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn a_program_with_nothing_to_check_is_reported_as_such() {
    let run = fencepost(&["check", "-"], "shared x; thread t { x = 1; }");
    assert_eq!(code(&run), 0);
    assert!(
        stdout(&run).starts_with("Nothing to check under TSO:"),
        "{}",
        stdout(&run)
    );
    assert!(!stdout(&run).contains("Holds"), "{}", stdout(&run));
    for text in ["", "\n", "// a comment\n"] {
        let run = fencepost(&["check", "-"], text);
        assert_eq!(code(&run), 2);
        assert!(
            stderr(&run).contains("this file contains no program"),
            "{}",
            stderr(&run)
        );
    }
    let run = fencepost(&["show", "--as", "trencher", "-"], "shared x;");
    assert_eq!(code(&run), 2);
    assert_eq!(stdout(&run), "");
    assert!(
        stderr(&run).contains("a program without threads"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn carriage_returns_alone_end_lines() {
    let text = "shared x; // none\rthread t { x = 1; }\rforbid x == 1;\r";
    let run = fencepost(&["check", "-"], text);
    assert_eq!(code(&run), 1);
    assert!(
        stdout(&run).contains("`forbid x == 1;` (line 3) is reached"),
        "{}",
        stdout(&run)
    );
    let text = "thread t\rinitial a\rtransition a b write 1 5\rfinal b\rend\r";
    assert_eq!(code(&fencepost(&["check", "-"], text)), 1);
}

#[test]
fn an_execution_that_leaves_32_bits_decides_nothing_but_what_it_reaches() {
    let squares = "thread t\ninitial a\ntransition a b local r 3\ntransition b b local r * r r\n\
                   transition b c check < r 0\nfinal c\nend\n";
    let run = fencepost(&["check", "-"], squares);
    assert_eq!(code(&run), 3);
    let summary = "Undecided under TSO: `transition b b local r * r r` (line 4) leaves 32 bits";
    assert!(stdout(&run).starts_with(summary), "{}", stdout(&run));
    // Beyond the overflow, reachability is unknown: squares are not negative, but that is not proved.
    assert!(!stdout(&run).contains("no execution"), "{}", stdout(&run));
    assert!(
        stderr(&run).contains("`* r r` may overflow 32 bits"),
        "{}",
        stderr(&run)
    );
    let run = fencepost(&["robust", "-"], squares);
    assert_eq!(code(&run), 0);
    // A violation before the overflow counts.
    let early = squares.replace("check < r 0", "check == r 81");
    assert_eq!(code(&fencepost(&["check", "-"], &early)), 1);
    let aim = ["fence", "--for", "assertions", "-"];
    assert_eq!(code(&fencepost(&aim, squares)), 3);
    // All summands are known, so the overflow is certain: the code after it is reachable.
    let sum = "thread t\ninitial a\ntransition a b local r 2147483647\n\
               transition b c local r + r 1\nfinal c\nend\n";
    assert_eq!(code(&fencepost(&["check", "-"], sum)), 3);
}
