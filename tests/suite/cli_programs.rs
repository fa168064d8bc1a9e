//! Several programs in one call, and programs that cannot be read.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use crate::support::sarif::results;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const GOOD: &str = "shared x; thread t { x = 1; } forbid x == 2;";
const BAD: &str = "shared x; thread t { x = 2; } forbid x == 2;";
const BROKEN: &str = "shared x;\nthread t { y = 1; }\nforbid x == 2;\n";

/// A folder with a good and a broken program, and a bad one in a folder of its own.
fn models() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("deep")).unwrap();
    for (name, text) in [
        ("a.fence", GOOD),
        ("deep/b.fence", BAD),
        ("c.fence", BROKEN),
        ("notes.md", "not a program"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    Path::new(folder.path()).join(name).display().to_string()
}

/// The objects that a command prints in JSON, one per line.
fn objects(arguments: &[&str]) -> (i32, Vec<Value>) {
    let output = fencepost(arguments, "");
    let text = stdout(&output);
    let parse = |line| serde_json::from_str(line).expect("JSON");
    (code(&output), text.lines().map(parse).collect())
}

#[test]
fn each_program_of_several_has_its_own_verdict_and_the_worst_one_counts() {
    let folder = models();
    let [good, bad, broken] = ["a.fence", "deep/b.fence", "c.fence"].map(|n| path(&folder, n));
    for (files, exit, words) in [
        (vec![&good, &good], 0, "2 programs: 2 good"),
        (vec![&good, &bad], 1, "2 programs: 1 good, 1 bad"),
        (
            vec![&bad, &good, &broken],
            2,
            "3 programs: 1 good, 1 bad, 1 with errors",
        ),
    ] {
        let mut arguments = vec!["check"];
        arguments.extend(files.iter().map(|file| file.as_str()));
        let output = fencepost(&arguments, "");
        let text = stdout(&output);
        assert_eq!(code(&output), exit, "{text}");
        assert!(text.ends_with(&format!("\n{words}\n")), "{text}");
        for file in files {
            assert!(text.contains(&format!("== {file} ==")), "{text}");
        }
    }
    let quiet = stdout(&fencepost(&["check", "-q", &good, &bad], ""));
    assert!(
        quiet.starts_with(&format!("{good}: Holds under TSO")),
        "{quiet}"
    );
    assert!(
        quiet.contains(&format!("\n{bad}: Violated under TSO")),
        "{quiet}"
    );
}

#[test]
fn a_folder_or_a_pattern_stands_for_the_programs_in_it_in_order() {
    let folder = models();
    let files = |arguments: &[&str]| -> Vec<String> {
        let (_, objects) = objects(arguments);
        let name = |object: &Value| {
            let file = object["file"].as_str().unwrap().to_owned();
            let inside = Path::new(&file).strip_prefix(folder.path()).unwrap();
            format!(
                "{} {}",
                inside.display(),
                object["verdict"].as_str().unwrap()
            )
        };
        objects.iter().map(name).collect()
    };
    let whole = path(&folder, "");
    let all = ["a.fence holds", "c.fence error", "deep/b.fence violated"];
    for command in ["check", "robust"] {
        let mut expected = all.map(str::to_owned);
        if command == "robust" {
            expected[2] = "deep/b.fence holds".to_owned();
        }
        assert_eq!(files(&[command, &whole, "--json"]), expected);
    }
    assert_eq!(
        files(&["check", &path(&folder, "*.fence"), "--json"]),
        all[..2]
    );
    assert_eq!(
        files(&["check", &path(&folder, "deep"), "--json"]),
        all[2..]
    );
    let nothing = fencepost(&["check", &path(&folder, "*.litmus")], "");
    assert_eq!(code(&nothing), 2);
    assert!(
        stderr(&nothing).contains("no file matches"),
        "{}",
        stderr(&nothing)
    );
}

#[test]
fn a_file_is_written_for_one_program_only() {
    let folder = models();
    let good = path(&folder, "a.fence");
    let out = path(&folder, "out");
    for (command, option) in [
        ("check", "--cycle"),
        ("robust", "--dot"),
        ("fence", "--write"),
        ("show", "--draw"),
        ("export", "--cnf"),
    ] {
        let out = if option == "--draw" {
            format!("{out}.svg")
        } else {
            out.clone()
        };
        let output = fencepost(&[command, &good, &good, option, &out], "");
        assert_eq!(code(&output), 2);
        let message = format!("{option} is for one program, and there are 2");
        assert!(stderr(&output).contains(&message), "{}", stderr(&output));
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn show_and_instrument_take_several_programs() {
    let folder = models();
    let whole = path(&folder, "");
    let [good, bad, broken] = ["a.fence", "deep/b.fence", "c.fence"].map(|n| path(&folder, n));
    // One object per program, in the order of their names, also for the one that is none.
    for command in ["show", "instrument"] {
        let (exit, objects) = objects(&[command, &whole, "--json"]);
        assert_eq!(exit, 2);
        let files: Vec<&str> = objects
            .iter()
            .map(|object| object["file"].as_str().unwrap())
            .collect();
        assert_eq!(files, [&good, &broken, &bad], "{command}");
        for (object, is_error) in objects.iter().zip([false, true, false]) {
            assert_eq!(object["command"], command);
            assert_eq!(object["verdict"] == "error", is_error, "{object}");
        }
        assert_eq!(objects[1]["diagnostics"][0]["line"], 2);
    }
    // What is shown of each is what is shown of it alone.
    let alone = |file: &str| stdout(&fencepost(&["show", file], ""));
    let both = fencepost(&["show", &good, &bad], "");
    assert_eq!((code(&both), stderr(&both).as_str()), (0, ""));
    let expected = format!(
        "== {good} ==\n{}\n== {bad} ==\n{}",
        alone(&good),
        alone(&bad)
    );
    assert_eq!(stdout(&both), expected);
    // An error in one of them does not hide the others.
    let output = fencepost(&["show", &broken, &bad], "");
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).ends_with(&alone(&bad)));
    assert!(stderr(&output).contains("c.fence:2:12"), "{output:?}");
    // Drawings and single attacks are of one program.
    for (arguments, option) in [
        (["show", "--svg"], "--svg"),
        (["show", "--dot"], "--dot"),
        (["instrument", "--attack=1"], "--attack"),
    ] {
        let output = fencepost(&[arguments[0], arguments[1], &good, &bad], "");
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""));
        let message = format!("{option} is for one program, and there are 2: it ");
        assert!(stderr(&output).contains(&message), "{output:?}");
    }
}

#[test]
fn what_cannot_be_made_is_an_error_in_json_too() {
    let folder = models();
    let good = path(&folder, "a.fence");
    let (exit, objects) = objects(&["instrument", &good, "--attack", "9", "--json"]);
    assert_eq!((exit, objects.len()), (2, 1));
    assert_eq!(objects[0]["verdict"], "error");
    assert_eq!(objects[0]["command"], "instrument");
    let message = objects[0]["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("there is no attack 9"), "{message}");
}

#[test]
fn errors_are_printed_in_each_format_with_their_places() {
    let folder = models();
    let broken = path(&folder, "c.fence");
    let (exit, objects) = objects(&["check", &broken, "--json"]);
    assert_eq!((exit, objects.len()), (2, 1));
    let error = &objects[0];
    assert_eq!(
        (&error["command"], &error["verdict"]),
        (&"check".into(), &"error".into())
    );
    let diagnostic = &error["diagnostics"][0];
    let place = ["line", "column", "end_line", "end_column"].map(|key| diagnostic[key].as_u64());
    assert_eq!(
        place,
        [Some(2), Some(12), Some(2), Some(13)],
        "{diagnostic}"
    );
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["file"], broken.as_str());

    let github = stdout(&fencepost(
        &["robust", &broken, "--message-format", "github"],
        "",
    ));
    assert!(
        github.starts_with(&format!("::error file={broken},line=2,col=12,")),
        "{github}"
    );

    let sarif = stdout(&fencepost(
        &["fence", &broken, "--message-format", "sarif"],
        "",
    ));
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    let run = &sarif["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let result = &run["results"][0];
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&result["ruleId"], &region["startLine"]),
        (&"input".into(), &2.into())
    );

    let (exit, objects) = self::objects(&["check", &path(&folder, "absent.fence"), "--json"]);
    assert_eq!(
        (exit, &objects[0]["diagnostics"][0]["line"]),
        (2, &0.into())
    );
}

/// What each shard of a run prints, in files.
fn shards(folder: &TempDir, program: &str, of: usize) -> Vec<String> {
    let mut files = Vec::new();
    for index in 1..=of {
        let shard = format!("{index}/{of}");
        let output = fencepost(&["robust", "-", "--json", "--shard", &shard], program);
        let file = path(folder, &format!("{of}.{index}.jsonl"));
        fs::write(&file, &output.stdout).unwrap();
        files.push(file);
    }
    files
}

#[test]
fn merged_shards_of_robust_say_what_a_single_run_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/mutex");
    for name in ["peterson", "peterson-fenced", "dekker"] {
        let program = fs::read_to_string(root.join(name).with_extension("fence")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let single = fencepost(&["robust", "-", "--json"], &program);
        let whole: Value = serde_json::from_str(&stdout(&single)).unwrap();
        let mut arguments = vec!["merge".to_owned(), "--json".to_owned()];
        arguments.extend(shards(&folder, &program, 3));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let merged = fencepost(&arguments, "");
        let object: Value = serde_json::from_str(&stdout(&merged)).unwrap();
        assert_eq!(code(&merged), code(&single), "{name}");
        let schema: Value = serde_json::from_str(&stdout(&fencepost(&["schema"], ""))).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&object), "{object}");
        for key in ["verdict", "robust", "program", "model"] {
            assert_eq!(object[key], whole[key], "{name}: {key}");
        }
        for key in ["candidates", "pruned", "infeasible", "feasible", "open"] {
            assert_eq!(
                object["attacks"][key], whole["attacks"][key],
                "{name}: {key}"
            );
        }
        let lines = |object: &Value| -> Vec<String> {
            let list = object["attacks"]["feasible_list"].as_array().unwrap();
            let mut lines: Vec<String> = list
                .iter()
                .map(|attack| {
                    format!(
                        "{} {} {}",
                        attack["thread"], attack["store"], attack["load"]
                    )
                })
                .collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&object), lines(&whole), "{name}");
    }
}

#[test]
fn shards_that_are_not_one_run_are_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/mutex");
    let program = fs::read_to_string(root.join("peterson.fence")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let three = shards(&folder, &program, 3);
    let two = shards(&folder, &program, 2);
    let other = path(&folder, "other");
    let changed = program.replace("turn = 1;", "turn = 1; skip;");
    let output = fencepost(&["robust", "-", "--json", "--shard", "3/3"], &changed);
    fs::write(&other, &output.stdout).unwrap();
    let cut = path(&folder, "cut");
    let whole = fs::read_to_string(&three[2]).unwrap();
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let empty = path(&folder, "empty");
    fs::write(&empty, "").unwrap();
    for (third, message) in [
        (None, "missing shards of -: 3/3"),
        (Some(&three[1]), "have the same shard of -, 2/3"),
        (Some(&two[0]), "is one of"),
        (
            Some(&other),
            "are of different runs: `program_digest` of - differs",
        ),
        (Some(&cut), "is not the output of `--shard I/N --json`"),
        (Some(&empty), "it is empty"),
    ] {
        let mut arguments = vec!["merge", &three[0], &three[1]];
        arguments.extend(third.map(String::as_str));
        let output = fencepost(&arguments, "");
        assert_eq!(code(&output), 2, "{message}");
        assert!(
            stderr(&output).contains(message),
            "{message}: {}",
            stderr(&output)
        );
    }
}

/// Two tests on one flag each: the second forgets that a store may still be buffered.
const TESTS: &str = "\
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::thread;
static X: AtomicBool = AtomicBool::new(false);
static Y: AtomicBool = AtomicBool::new(false);
#[test]
fn joins() {
    let t = thread::spawn(|| X.store(true, Relaxed));
    t.join().unwrap();
    assert!(X.load(Relaxed));
}
#[test]
fn both_miss() {
    let t = thread::spawn(|| { X.store(true, Release); Y.load(Acquire) });
    Y.store(true, Release);
    let seen = X.load(Acquire);
    assert!(t.join().unwrap() || seen);
}
";

#[test]
fn each_test_of_a_file_in_rust_is_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "lib.rs");
    fs::write(&file, TESTS).unwrap();
    let quiet = fencepost(&["check", "-q", &file], "");
    let text = stdout(&quiet);
    assert_eq!(code(&quiet), 1, "{text}{}", stderr(&quiet));
    assert!(
        text.contains(&format!("{file} --test joins: Holds under TSO")),
        "{text}"
    );
    assert!(
        text.contains(&format!("{file} --test both_miss: Violated under TSO")),
        "{text}"
    );
    let (exit, objects) = objects(&["robust", &file, "--json"]);
    let programs: Vec<&Value> = objects.iter().map(|object| &object["program"]).collect();
    assert_eq!(
        (exit, programs),
        (1, vec![&Value::from("joins"), &Value::from("both_miss")])
    );
    let one = fencepost(&["check", "-q", &file, "--test", "joins"], "");
    assert_eq!((code(&one), stdout(&one).contains("--test")), (0, false));
}

#[test]
fn there_may_be_more_shards_than_attacks() {
    // One attack remains for a search, so most shards have none.
    let program = "shared x, y; thread t { local r; x = 1; r = y; } thread u { local r; y = 1; fence; r = x; }";
    let folder = tempfile::tempdir().unwrap();
    let files = shards(&folder, program, 4);
    let mut arguments = vec!["merge"];
    arguments.extend(files.iter().map(String::as_str));
    let merged = fencepost(&arguments, "");
    assert_eq!(code(&merged), 1, "{}{}", stdout(&merged), stderr(&merged));
}

/// What to write instead is in every format, and not only in the text for people.
#[test]
fn advice_about_errors_is_in_every_format() {
    let program = "shared x;\nthread t { mfence; x = 1; }\n";
    let advice = "the full fence is `fence;`";
    for format in ["json", "sarif", "github"] {
        let output = fencepost(&["check", "-", "--message-format", format], program);
        assert_eq!(code(&output), 2);
        let text = stdout(&output);
        assert!(text.contains(advice), "{format}: {text}");
        if format == "sarif" {
            assert_eq!(results(&text).len(), 1);
        }
    }
    let out = fencepost(
        &["check", "-", "--draw", "/no/such/folder/a.svg"],
        "shared x; thread t { x = 1; assert(x == 0); }",
    );
    assert_eq!(code(&out), 2);
    let printed = stderr(&out);
    assert!(
        printed.contains("cannot write `/no/such/folder/a.svg`: No such file"),
        "{printed}"
    );
    assert!(!printed.contains(" at path "), "{printed}");
}

/// One line per program and model, in the order of the arguments, however long it is; C files are one
/// program, where the first of them is.
#[test]
fn quiet_results_are_lines_in_the_order_of_the_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a_long_name_of_a_cell_".repeat(8);
    let text = format!("shared {long}; thread t {{ {long} = 1; assert({long} == 0); }}");
    let unit = "int f(void); int main(void) { return f(); }";
    for (name, text) in [
        ("b.fence", text.as_str()),
        ("m.c", unit),
        ("a.fence", "shared x; thread t { x = 1; } forbid x == 2;"),
        ("f.c", "int f(void) { return 0; }"),
        ("c.fence", "shared x"),
    ] {
        fs::write(path(&folder, name), text).unwrap();
    }
    let files = ["b.fence", "m.c", "a.fence", "f.c", "c.fence"].map(|name| path(&folder, name));
    let mut arguments = vec!["check", "-q", "--model", "sc,tso"];
    arguments.extend(files.iter().map(String::as_str));
    let output = fencepost(&arguments, "");
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    let starts = [
        (0, "Violated under SC"),
        (0, "Violated under TSO"),
        (1, "Nothing to check under SC"),
        (1, "Nothing to check under TSO"),
        (2, "Holds under SC"),
        (2, "Holds under TSO"),
        (4, "Not read"),
    ];
    for (line, (file, words)) in lines.iter().zip(starts) {
        let start = format!("{}: {words}", files[file]);
        assert!(line.starts_with(&start), "{start}: {line}");
    }
    assert_eq!(
        lines[7..],
        ["", "4 programs: 2 good, 1 bad, 1 with errors"],
        "{text}"
    );
}

#[test]
fn only_shards_that_exist_are_joined_and_only_as_text_or_json() {
    let folder = tempfile::tempdir().unwrap();
    let files = shards(
        &folder,
        "shared x, y; thread t { x = 1; x = y; } thread u { y = 1; y = x; }",
        2,
    );
    let (one, two) = (files[0].as_str(), files[1].as_str());
    let whole = fencepost(&["merge", one, two], "");
    let same = fencepost(&["robust", "--merge", one, two], "");
    assert_eq!((code(&whole), stdout(&whole)), (code(&same), stdout(&same)));
    assert_eq!(code(&whole), 1, "{}", stderr(&whole));
    let text = fs::read_to_string(two).unwrap();
    for shard in ["3/2", "0/2", "1/0"] {
        let other = path(&folder, "other.jsonl");
        let renamed = text.replace("\"shard\":\"2/2\"", &format!("\"shard\":\"{shard}\""));
        assert_ne!(renamed, text);
        fs::write(&other, renamed).unwrap();
        let merged = fencepost(&["merge", one, two, &other], "");
        assert_eq!(code(&merged), 2, "{shard}: {}", stdout(&merged));
        let message = format!("there is no shard {shard}");
        assert!(stderr(&merged).contains(&message), "{}", stderr(&merged));
    }
    for format in ["sarif", "github"] {
        let merged = fencepost(&["merge", one, two, "--message-format", format], "");
        assert_eq!((code(&merged), stdout(&merged)), (2, String::new()));
    }
    let both = fencepost(&["robust", "--merge", one, two, "--shard", "1/2"], "");
    assert_eq!(code(&both), 2);
    assert_eq!(code(&fencepost(&["robust"], "")), 2);
    let races = ["robust", "-", "--notion", "trf", "--shard", "1/2"];
    let races = fencepost(&races, "shared x; thread t { x = 1; }");
    assert_eq!(code(&races), 2);
    assert!(stderr(&races).contains("`--shard`"), "{}", stderr(&races));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/guide");
    let corpus = corpus.to_str().unwrap();
    let part = fencepost(&["corpus", corpus, "--shard", "1/2", "--json"], "");
    let file = path(&folder, "corpus.jsonl");
    fs::write(&file, &part.stdout).unwrap();
    let merged = fencepost(&["robust", "--merge", &file], "");
    assert_eq!(code(&merged), 2);
    assert!(
        stderr(&merged).contains("`corpus --merge`"),
        "{}",
        stderr(&merged)
    );
}

/// Without attacks, each shard decides the whole by definition.
#[test]
fn shards_of_programs_without_attacks_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let broken = "shared x, y; thread t { x = 1; x = y; barrier all; } thread u { y = 1; y = x; }";
    let whole = "shared x, y; thread t { local r; x = 1; barrier all; r = y; }
        thread u { local r; y = 1; barrier all; r = x; }";
    for (program, exit, words) in [
        (broken, 1, "Not robust under TSO"),
        (whole, 0, "Robust under TSO"),
    ] {
        let files = shards(&folder, program, 2);
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            assert!(!text.contains("\"robust\":true"), "{text}");
        }
        let merged = fencepost(&["merge", &files[0], &files[1]], "");
        assert_eq!(code(&merged), exit, "{}", stderr(&merged));
        assert!(stdout(&merged).contains(words), "{}", stdout(&merged));
    }
    let text = stdout(&fencepost(&["robust", "-", "--shard", "1/2"], whole));
    assert!(text.starts_with("No execution has"), "{text}");
}

#[test]
fn shards_of_one_text_read_in_two_ways_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n\
        #ifdef FENCED\n#define F atomic_thread_fence(memory_order_seq_cst);\n#else\n#define F\n#endif\n\
        void *t(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed); F atomic_load(&y); return 0; }\n\
        void *u(void *a) { atomic_store_explicit(&y, 1, memory_order_relaxed); F atomic_load(&x); return 0; }\n\
        int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, u, 0); return 0; }\n";
    let file = path(&folder, "a.c");
    fs::write(&file, text).unwrap();
    let mut outputs = Vec::new();
    for (shard, macros) in [("1/2", "-DFENCED"), ("2/2", "-DOTHER")] {
        let output = fencepost(&["robust", &file, macros, "--shard", shard, "--json"], "");
        let name = path(&folder, macros);
        fs::write(&name, &output.stdout).unwrap();
        outputs.push(name);
    }
    let merged = fencepost(&["merge", &outputs[0], &outputs[1]], "");
    assert_eq!(code(&merged), 2, "{}", stdout(&merged));
    assert!(
        stderr(&merged).contains("`program_digest`"),
        "{}",
        stderr(&merged)
    );
}

#[test]
fn a_shard_without_a_verdict_is_never_good() {
    let folder = tempfile::tempdir().unwrap();
    let program = "shared x; thread t { x = 1; }";
    let file = &shards(&folder, program, 1)[0];
    let text = fs::read_to_string(file).unwrap();
    for verdict in ["\"verdict\":\"fine\"", "\"other\":1"] {
        fs::write(file, text.replace("\"verdict\":\"holds\"", verdict)).unwrap();
        let merged = fencepost(&["merge", file], "");
        assert_eq!(code(&merged), 2, "{}", stdout(&merged));
        assert!(
            stderr(&merged).contains("no verdict"),
            "{}",
            stderr(&merged)
        );
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_once_whatever_its_format() {
    let output = fencepost(
        &["check", "/dev/stdin", "--format", "rust", "--test", "joins"],
        TESTS,
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = fencepost(&["check", "/dev/stdin", "--format", "rust"], TESTS);
    assert!(stderr(&output).contains("2 tests"), "{}", stderr(&output));
}

#[test]
fn a_verdict_says_which_executions_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "lib.c");
    let text = "#include <assert.h>\n\nvoid f(unsigned long n, int k) { assert(n != 4294967296ul && k != 7); }\n";
    fs::write(&file, text.replace(" && k != 7", "")).unwrap();
    let output = fencepost(&["check", &file, "--thread", "f:2", "-q"], "");
    let sentence = "This leaves out executions where `n` of `f` is more than 2147483647";
    assert!(stdout(&output).contains(sentence), "{}", stdout(&output));
    assert_eq!(code(&output), 0);
    let (_, results) = objects(&["check", &file, "--thread", "f:2", "--json"]);
    assert_eq!(results[0]["left_out"][0]["line"], 3);
    // Nothing is left out where no such parameter is looked at.
    let output = fencepost(
        &["check", "-", "--format", "c", "--thread", "f:2", "-q"],
        "int x; void f(unsigned long n, int k) { x = k; }",
    );
    assert!(
        !stdout(&output).contains("leaves out"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_full_collection_is_named_with_its_room_and_the_option() {
    let text = "fn main() { let all: Vec<u32> = (0..20u32).collect(); assert_eq!(all.len(), 20); }";
    let check = |more: &[&str]| {
        let arguments = [&["check", "-", "--format", "rust"], more].concat();
        let output = fencepost(&arguments, text);
        // Lines end anywhere.
        let words: Vec<String> = stdout(&output)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        (code(&output), words.join(" "))
    };
    for (more, room) in [(&[][..], 16), (&["--capacity", "19"], 19)] {
        let (exit, shown) = check(more);
        assert_eq!(exit, 3, "{shown}");
        let message = format!("than the {room} that the option `--capacity` gives it room for");
        assert!(shown.contains(&message), "{shown}");
        assert!(shown.contains("is not followed further"), "{shown}");
    }
    assert_eq!(check(&["--capacity", "20"]).0, 0);
    assert_eq!(check(&["--capacity", "0"]).0, 2);
}
