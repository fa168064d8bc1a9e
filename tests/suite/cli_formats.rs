//! Output for code hosts and build servers: SARIF, annotations for GitHub, JUnit XML.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use crate::support::sarif::{replaced, results};
use serde_json::Value;
use std::fs;
use tempfile::tempdir;

/// Store buffering: each thread can delay its store past its load.
const STORE_BUFFERING: &str = "\
shared x, y;
thread t0 { local r;
    x = 1;
    r = y;
}
thread t1 { local r;
    y = 1;
    r = x;
}
final assert t0.r == 1 || t1.r == 1;
";

/// Message passing: robust under TSO; under PSO the stores may be reordered.
const MESSAGE: &str = "\
shared data, flag;
thread writer { data = 1; flag = 1; }
thread reader { local f, d; f = flag; d = data; }
";

/// The exit code and the results of a log.
fn sarif(arguments: &[&str], program: &str) -> (i32, Vec<Value>) {
    let arguments = [arguments, &["--message-format", "sarif"]].concat();
    let output = fencepost(&arguments, program);
    (code(&output), results(&stdout(&output)))
}

fn rules(results: &[Value]) -> Vec<&str> {
    let ids = results.iter().map(|result| &result["ruleId"]);
    ids.map(|id| id.as_str().unwrap()).collect()
}

fn region(location: &Value) -> Vec<u64> {
    let region = &location["physicalLocation"]["region"];
    let keys = ["startLine", "startColumn", "endLine", "endColumn"];
    keys.iter()
        .map(|key| region[key].as_u64().unwrap())
        .collect()
}

fn prints(results: &[Value]) -> Vec<String> {
    let prints = results.iter().map(|result| &result["partialFingerprints"]);
    prints.map(ToString::to_string).collect()
}

#[test]
fn each_attack_is_a_result_with_an_execution_by_threads() {
    let (exit, results) = sarif(&["robust", "-"], STORE_BUFFERING);
    assert_eq!((exit, rules(&results)), (1, vec!["SB", "SB"]));
    let first = &results[0];
    assert_eq!(first["level"], "error");
    let text = first["message"]["text"].as_str().unwrap();
    assert!(
        text.starts_with("Not robust under TSO: t0 delays `x = 1;`"),
        "{text}"
    );
    assert_eq!(region(&first["locations"][0]), [3, 5, 3, 10]);
    assert_eq!(region(&first["relatedLocations"][0]), [4, 5, 4, 10]);
    let flows = first["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let names: Vec<&Value> = flows.iter().map(|flow| &flow["id"]).collect();
    assert_eq!(names, ["t0", "t1"]);
    // The store is issued first, and while it is delayed the other thread runs.
    let issued = &flows[0]["locations"][0];
    assert_eq!(issued["executionOrder"], 1);
    assert_eq!(issued["state"]["store buffers"]["text"], "t0: x=1");
    assert_eq!(region(&issued["location"]), [3, 5, 3, 10]);
    let last = flows[0]["locations"].as_array().unwrap().last().unwrap();
    assert_eq!(
        last["location"]["message"]["text"],
        "x = 1; … x = 1 reaches memory"
    );
}

#[test]
fn goals_have_rules_by_their_kind() {
    let outside = "shared x[2], i; thread t { local r; i = 7; r = x[i]; }";
    let stuck = "shared x, y; thread t { y = 1; await(x == 1); } forbid stuck;";
    for (program, rule) in [
        (STORE_BUFFERING, "assertion"),
        (outside, "outside"),
        (stuck, "stuck"),
    ] {
        let (exit, results) = sarif(&["check", "-"], program);
        assert_eq!((exit, rules(&results)), (1, vec![rule]));
        assert!(results[0]["codeFlows"][0]["threadFlows"].is_array());
    }
    // Nothing happens before this one.
    let at_once = "shared x; thread t { await(x == 1); } forbid stuck;";
    let (_, results) = sarif(&["check", "-"], at_once);
    assert!(results[0].get("codeFlows").is_none());
}

#[test]
fn an_open_result_is_listed_and_one_that_holds_is_not() {
    assert_eq!(sarif(&["check", "-"], MESSAGE), (0, vec![]));
    assert_eq!(sarif(&["robust", "-"], MESSAGE), (0, vec![]));
    let counting = "shared x, n; thread t { loop { n = n + 1; x = n; } } forbid x == 100;";
    let bounded = ["check", "-", "--engine", "bmc", "--unroll", "2"];
    let (exit, results) = sarif(&bounded, counting);
    assert_eq!((exit, rules(&results)), (3, vec!["undecided"]));
    assert_eq!(
        (&results[0]["kind"], &results[0]["level"]),
        (&"open".into(), &"none".into())
    );
    // A part of the attacks without a feasible one is not a proof.
    let (_, results) = sarif(&["robust", "-", "--shard", "1/2"], MESSAGE);
    assert_eq!(rules(&results), ["undecided"]);
    let text = results[0]["message"]["text"].as_str().unwrap();
    assert!(text.contains("Only part 1 of 2"), "{text}");
}

#[test]
fn a_program_that_cannot_be_read_has_a_log_that_says_so() {
    let arguments = ["robust", "-", "--message-format", "sarif"];
    let output = fencepost(&arguments, "shared x; thread t { y = 1; }");
    assert_eq!(code(&output), 2);
    assert_eq!(rules(&results(&stdout(&output))), ["input"]);
    let successful = |text: &str| {
        let log: Value = serde_json::from_str(text).unwrap();
        log["runs"][0]["invocations"][0]["executionSuccessful"].clone()
    };
    assert_eq!(successful(&stdout(&output)), false);
    let output = fencepost(&arguments, STORE_BUFFERING);
    assert_eq!(successful(&stdout(&output)), true);
}

#[test]
fn several_models_make_one_run() {
    let both = ["robust", "-", "--model", "tso,pso"];
    let (exit, results) = sarif(&both, STORE_BUFFERING);
    assert_eq!((exit, rules(&results)), (1, vec!["SB"; 4]));
    let output = fencepost(
        &[&both[..], &["--message-format", "sarif"]].concat(),
        STORE_BUFFERING,
    );
    let again = fencepost(
        &[&both[..], &["--message-format", "sarif"]].concat(),
        STORE_BUFFERING,
    );
    assert_eq!(stdout(&output), stdout(&again), "the log has no times");
}

#[test]
fn fingerprints_stay_when_lines_move_and_equal_ones_are_numbered() {
    let (_, before) = sarif(&["robust", "-"], STORE_BUFFERING);
    let moved = format!(
        "// A comment.\n\n{}",
        STORE_BUFFERING.replace("    ", "\t\t")
    );
    let (_, after) = sarif(&["robust", "-"], &moved);
    assert_eq!(prints(&before), prints(&after));
    assert_ne!(before[0]["locations"], after[0]["locations"]);
    let other = STORE_BUFFERING.replace("x = 1;", "x = 2;");
    let (_, after) = sarif(&["robust", "-"], &other);
    assert_ne!(prints(&before)[0], prints(&after)[0]);
    assert_eq!(prints(&before)[1], prints(&after)[1]);
    // Whether two results have the same fingerprint is checked for each log.
    let twice = STORE_BUFFERING.replace("    x = 1;\n", "    x = 1;\n    x = 1;\n");
    let (_, results) = sarif(&["robust", "-"], &twice);
    assert_eq!(results.len(), 3);
}

#[test]
fn fixes_together_are_what_is_written() {
    let looping = STORE_BUFFERING.replace("    r = y;\n", "    if (x == 1) { r = y; }\n");
    for program in [STORE_BUFFERING, looping.as_str(), looping.trim_end()] {
        for kinds in ["full", "full=2,xchg"] {
            let arguments = ["fence", "-", "--kinds", kinds];
            let (exit, results) = sarif(&arguments, program);
            assert_eq!((exit, rules(&results)), (0, vec!["SB", "SB"]));
            let changes = results.iter().map(|result| {
                assert_eq!(result["level"], "warning");
                assert_eq!(result["fixes"].as_array().unwrap().len(), 1);
                &result["fixes"][0]["artifactChanges"][0]
            });
            let changes: Vec<&Value> = changes.collect();
            let one = |change: &Value| change["replacements"].as_array().unwrap().clone();
            let all: Vec<Value> = changes.iter().flat_map(|change| one(change)).collect();
            let written = fencepost(&[&arguments[..], &["--write", "-"]].concat(), program);
            assert_eq!(replaced(program, &all), stdout(&written));
            // Each alone is a change that leaves a feasible attack.
            let alone = replaced(program, &one(changes[0]));
            assert_ne!(alone, program);
            assert_eq!(code(&fencepost(&["robust", "-"], &alone)), 1);
        }
    }
}

#[test]
fn fences_that_can_be_removed_are_notes() {
    let fenced = STORE_BUFFERING
        .replace("    x = 1;", "    fence;\n    x = 1;")
        .replace("    r = ", "    fence;\n    r = ");
    let (exit, results) = sarif(&["fence", "-", "--minimise"], &fenced);
    assert_eq!((exit, rules(&results)), (0, vec!["superfluous-fence"]));
    assert_eq!(results[0]["level"], "note");
    assert_eq!(region(&results[0]["locations"][0])[0], 3);
    let change = &results[0]["fixes"][0]["artifactChanges"][0];
    let changed = replaced(&fenced, change["replacements"].as_array().unwrap());
    assert_eq!(changed.matches("fence;").count(), 2);
    assert_eq!(code(&fencepost(&["robust", "-"], &changed)), 0);
}

#[test]
fn what_no_fence_repairs_is_an_error_without_a_fix() {
    let wrong = "shared x; thread t { x = 1; } forbid x == 1;";
    let (exit, results) = sarif(&["fence", "-", "--for", "assertions"], wrong);
    assert_eq!((exit, rules(&results)), (1, vec!["assertion"]));
    assert_eq!(results[0]["level"], "error");
    assert!(results[0].get("fixes").is_none());
}

#[test]
fn data_races_of_a_text_are_listed_once() {
    let racing = "\
        #include <pthread.h>\n\
        int x;\n\
        void *writer(void *arg) { x = 1; return 0; }\n\
        int main(void) {\n\
            pthread_t t;\n\
            pthread_create(&t, 0, writer, 0);\n\
            return x;\n\
        }\n";
    let arguments = ["check", "-", "--format", "c", "--model", "tso,pso"];
    let (_, results) = sarif(&arguments, racing);
    let races = results.iter().filter(|result| result["ruleId"] == "race");
    assert_eq!(races.count(), 1);
    let output = fencepost(
        &[&arguments[..], &["--message-format", "github"]].concat(),
        racing,
    );
    assert!(stdout(&output).starts_with("::warning title=fencepost%3A race::Data race: "));
}

#[test]
fn annotations_name_the_file_and_escape_what_commands_interpret() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("a,b:100%.fence");
    fs::write(&path, STORE_BUFFERING).unwrap();
    let path = path.to_str().unwrap();
    let output = fencepost(&["robust", path, "--message-format", "github"], "");
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    let escaped = path
        .replace('%', "%25")
        .replace(':', "%3A")
        .replace(',', "%2C");
    let expected = format!(
        "::error file={escaped},line=3,col=5,endLine=3,endColumn=10,title=fencepost%3A SB::Not robust \
         under TSO: t0 delays `x = 1;` (line 3) past `r = y;` (line 4): store buffering (SB)."
    );
    assert_eq!(lines[0], expected);
    assert_eq!(
        stdout(&fencepost(
            &["check", "-", "--message-format", "github"],
            MESSAGE
        )),
        ""
    );
}

#[test]
fn formats_for_results_are_rejected_where_there_are_none() {
    for format in ["sarif", "github"] {
        for command in [
            &["show", "-"][..],
            &["instrument", "-"],
            &["export", "-", "--cnf", "-"],
        ] {
            let arguments = [command, &["--message-format", format]].concat();
            let output = fencepost(&arguments, STORE_BUFFERING);
            assert_eq!(
                (code(&output), stdout(&output).as_str()),
                (2, ""),
                "{arguments:?}"
            );
            let message = format!("`--message-format {format}`");
            assert!(stderr(&output).contains(&message), "{}", stderr(&output));
        }
        let arguments = ["fence", "-", "--write", "-", "--message-format", format];
        let output = fencepost(&arguments, STORE_BUFFERING);
        assert_eq!(code(&output), 2);
        let message = format!("`--message-format {format}` cannot both use standard output");
        assert!(stderr(&output).contains(&message), "{}", stderr(&output));
    }
    let both = ["check", "-", "--json", "--message-format", "sarif"];
    assert_eq!(code(&fencepost(&both, STORE_BUFFERING)), 2);
    let json = ["show", "-", "--message-format", "json"];
    let same = ["show", "-", "--json"];
    assert_eq!(
        stdout(&fencepost(&json, STORE_BUFFERING)),
        stdout(&fencepost(&same, STORE_BUFFERING))
    );
}

#[test]
fn a_corpus_is_written_as_test_cases() {
    let directory = tempdir().unwrap();
    let corpus = directory.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    let write = |name: &str, expectations: &str| {
        fs::write(
            corpus.join(name),
            format!("{expectations}\n{STORE_BUFFERING}"),
        )
        .unwrap();
    };
    write("a<&>.fence", "//: check sc holds\n//: check tso holds");
    write("b.fence", "//: robust tso no");
    let out = directory.path().join("out.xml");
    let (corpus, path) = (corpus.to_str().unwrap(), out.to_str().unwrap());
    let output = fencepost(&["corpus", corpus, "--junit", path], "");
    assert_eq!(code(&output), 1);
    let text = fs::read_to_string(&out).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    let counts = ["tests", "failures", "errors", "skipped"].map(|name| root.attribute(name));
    assert_eq!(counts, [Some("3"), Some("1"), Some("0"), Some("0")]);
    let failed = document
        .descendants()
        .find(|node| node.has_tag_name("failure"))
        .unwrap();
    let message = failed.attribute("message").unwrap();
    assert!(
        message.starts_with("expected holds, found violated"),
        "{message}"
    );
    let case = failed.parent().unwrap();
    assert_eq!(case.attribute("classname"), Some("a<&>.fence"));
    assert_eq!(case.attribute("line"), Some("2"));
    assert!(case.attribute("time").unwrap().parse::<f64>().unwrap() >= 0.0);

    // On standard output it is alone.
    let output = fencepost(&["corpus", corpus, "--junit", "-"], "");
    assert!(roxmltree::Document::parse(&stdout(&output)).is_ok());
    // What is missed is annotated in its file.
    let output = fencepost(&["corpus", corpus, "--message-format", "github"], "");
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        text.starts_with("::error file=") && text.contains(",line=2,"),
        "{text}"
    );
    let (exit, results) = sarif(&["corpus", corpus], "");
    assert_eq!((exit, rules(&results)), (1, vec!["expectation"]));
}

/// The output of a part of a corpus, in a file.
fn part(directory: &std::path::Path, arguments: &[&str], name: &str) -> String {
    let output = fencepost(&[&["corpus"], arguments, &["--json"]].concat(), "");
    let path = directory.join(name);
    fs::write(&path, stdout(&output)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn merged_shards_are_a_single_run() {
    let directory = tempdir().unwrap();
    let corpus = directory.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    let expectations = [
        "check sc holds",
        "check tso holds",
        "robust tso no",
        "no such line",
    ];
    for number in 0..7 {
        let line = expectations[number % expectations.len()];
        let text = format!("//: {line}\n//: check tso violated\n{STORE_BUFFERING}");
        fs::write(corpus.join(format!("{number}.fence")), text).unwrap();
    }
    let corpus = corpus.to_str().unwrap();
    let at = directory.path();
    let parts: Vec<String> = (1..=3)
        .map(|i| {
            part(
                at,
                &[corpus, "--shard", &format!("{i}/3")],
                &format!("{i}.jsonl"),
            )
        })
        .collect();
    let [one, two, three] = [&parts[0], &parts[1], &parts[2]].map(String::as_str);
    for format in [
        &[][..],
        &["-v"],
        &["-q"],
        &["--json"],
        &["--message-format", "sarif"],
    ] {
        let single = fencepost(&[&["corpus", corpus], format].concat(), "");
        // In any order.
        let merged = fencepost(
            &[&["corpus", "--merge", three, one, two], format].concat(),
            "",
        );
        assert_eq!(stdout(&merged), stdout(&single), "{format:?}");
        assert_eq!(stderr(&merged), stderr(&single), "{format:?}");
        assert_eq!(code(&merged), code(&single), "{format:?}");
    }

    let other = part(at, &[corpus, "--shard", "2/4"], "other.jsonl");
    let timed = part(
        at,
        &[corpus, "--shard", "2/3", "--timeout", "60"],
        "timed.jsonl",
    );
    let filtered = part(at, &[corpus, "fence", "--shard", "2/3"], "filtered.jsonl");
    let whole = part(at, &[corpus], "whole.jsonl");
    let text = fs::read_to_string(two).unwrap();
    let cut = at.join("cut.jsonl");
    fs::write(&cut, &text[..text.len() / 2]).unwrap();
    let (_, without_first) = text.split_once('\n').unwrap();
    let short = at.join("short.jsonl");
    fs::write(&short, without_first).unwrap();
    let (cut, short) = (cut.to_str().unwrap(), short.to_str().unwrap());
    let newer = at.join("newer.jsonl");
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    fs::write(&newer, text.replace(&version, "\"version\":\"99.0.0\"")).unwrap();
    let newer = newer.to_str().unwrap();
    for (files, message) in [
        (&[one, three][..], "missing shards: 2/3"),
        (&[two], "missing shards: 1/3, 3/3"),
        (&[one, two, two, three], "are the same shard, 2/3"),
        (&[one, &other, three], "one of 3 shards, and one of 4"),
        (&[one, &timed, three], "timeout is null and 60.0"),
        (&[one, &filtered, three], "filter is null and \"fence\""),
        (&[one, newer, three], "version is"),
        (
            &[one, &whole, three],
            "which is about the shard, is missing",
        ),
        (&[one, cut, three], "which is about the shard, is missing"),
        (&[one, short, three], "expectations"),
        (&[one, "no/such/file", three], "cannot read `no/such/file`"),
    ] {
        let output = fencepost(&[&["corpus", "--merge"], files].concat(), "");
        assert_eq!(
            (code(&output), stdout(&output).as_str()),
            (2, ""),
            "{files:?}"
        );
        let printed = stderr(&output);
        assert!(printed.contains(message), "{message}: {printed}");
    }
    // The files of the corpus are not those of the other shards any more.
    fs::write(at.join("corpus/0a.fence"), STORE_BUFFERING).unwrap();
    fs::remove_file(at.join("corpus/6.fence")).unwrap();
    let changed = part(at, &[corpus, "--shard", "2/3"], "changed.jsonl");
    let output = fencepost(&["corpus", "--merge", one, &changed, three], "");
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("the directory has changed"),
        "{}",
        stderr(&output)
    );
}
