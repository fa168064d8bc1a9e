//! `--json` for the commands that produce a text from a program: `show`, `instrument`, `export`.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process::{STORE_BUFFERING, code, fencepost, stderr, stdout};
use serde_json::Value;

/// The single JSON object that a command prints.
fn printed(arguments: &[&str]) -> Value {
    let output = fencepost(arguments, STORE_BUFFERING);
    assert_eq!(
        (code(&output), stderr(&output).as_str()),
        (0, ""),
        "{arguments:?}"
    );
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn a_shown_program_has_its_structure_in_json() {
    let json = printed(&["show", "-", "--json"]);
    assert_eq!(json["command"], "show");
    assert_eq!(json["cells"].as_array().unwrap().len(), 2);
    let threads = json["threads"].as_array().unwrap();
    let names: Vec<&Value> = threads.iter().map(|thread| &thread["name"]).collect();
    assert_eq!(names, ["t0", "t1"]);
    for thread in threads {
        assert_eq!(thread["instructions"].as_array().unwrap().len(), 2);
        assert_eq!(thread["locations"].as_array().unwrap().len(), 3);
    }
    assert_eq!(json["goals"][0]["kind"], "final assert");
    assert_eq!(json["goals"][0]["line"], 4);
}

#[test]
fn the_attacks_that_are_listed_have_the_numbers_that_choose_them() {
    let json = printed(&["instrument", "-", "--json"]);
    let attacks = json["attacks"].as_array().unwrap();
    assert_eq!(attacks.len(), 2);
    assert!(attacks.iter().all(|attack| attack.get("derived").is_none()));
    assert_eq!(attacks[1]["number"], 2);
    assert_eq!(attacks[1]["thread"], "t1");
    assert_eq!(attacks[1]["store"]["line"], 3);

    let one = printed(&["instrument", "-", "--attack", "2", "--json"]);
    let chosen = one["attacks"].as_array().unwrap();
    assert_eq!(chosen.len(), 1);
    for key in ["number", "thread", "store", "load"] {
        assert_eq!(chosen[0][key], attacks[1][key], "{key}");
    }
    let text = stdout(&fencepost(
        &["instrument", "-", "--attack", "2"],
        STORE_BUFFERING,
    ));
    assert_eq!(chosen[0]["derived"].as_str(), Some(text.as_str()));
}

#[test]
fn output_without_a_json_form_is_rejected() {
    for arguments in [
        &["export", "-", "--cnf", "-", "--json"][..],
        &["show", "-", "--dot", "--json"],
        &["show", "-", "--svg", "--json"],
        &["show", "-", "--as", "trencher", "--json"],
    ] {
        let output = fencepost(arguments, STORE_BUFFERING);
        assert_eq!(
            (code(&output), stdout(&output).as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(stderr(&output).contains("`--json`"), "{arguments:?}");
    }
}

/// What the schema accepts.
fn validator() -> jsonschema::Validator {
    let schema = fencepost(&["schema"], "");
    let schema: Value = serde_json::from_str(&stdout(&schema)).unwrap();
    jsonschema::validator_for(&schema).expect("the schema is one")
}

#[test]
fn every_command_prints_what_the_schema_describes() {
    let validator = validator();
    let corpus = |file: &str| format!("{}/corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let file = |name: &str| vec![corpus(name)];
    let commands: [(&[&str], Vec<String>); 17] = [
        (
            &["check", "--model", "sc,tso,pso"],
            file("mutex/peterson.fence"),
        ),
        (&["check"], file("litmus/SB+mfences.fence")),
        (&["check"], file("litmus/x86/SB.litmus")),
        (&["check"], file("waits/03-linux-waitqueue.fence")),
        (
            &["check", "--engine", "lazy"],
            file("papers/bcdm15-fig9-loop-2.fence"),
        ),
        (
            &["check", "--engine", "bmc", "--unroll", "1"],
            file("mutex/peterson-loop.fence"),
        ),
        (&["check"], file("c/mutex/peterson.c")),
        (&["check"], file("reject/unclosed-quoted-name.fence")),
        (
            &["robust", "--model", "tso,pso"],
            file("mutex/peterson.fence"),
        ),
        (&["robust"], file("mutex/peterson-fenced.fence")),
        (&["robust", "--shard", "1/2"], file("mutex/peterson.fence")),
        (&["robust", "--notion", "trf"], file("mutex/peterson.fence")),
        (&["fence", "--diff"], file("mutex/peterson.fence")),
        (
            &["fence", "--for", "assertions", "--all"],
            file("papers/jk15-fig1c.fence"),
        ),
        (&["show"], file("mutex/peterson.fence")),
        (
            &["instrument", "--attack", "1"],
            file("mutex/peterson.fence"),
        ),
        (&["corpus"], file("guide")),
    ];
    let mut lines = 0;
    for (arguments, files) in commands {
        let mut arguments = arguments.to_vec();
        arguments.extend(files.iter().map(String::as_str));
        arguments.push("--json");
        for line in stdout(&fencepost(&arguments, "")).lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            let errors: Vec<String> = validator
                .iter_errors(&object)
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{arguments:?}: {errors:?}\n{line}");
            lines += 1;
        }
    }
    assert!(lines >= 25, "{lines}");
}

#[test]
fn the_schema_refuses_what_no_command_prints() {
    let validator = validator();
    let output = fencepost(
        &["robust", "-", "--shard", "2/2", "--json"],
        STORE_BUFFERING,
    );
    let object: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(validator.is_valid(&object));
    for key in ["command", "file", "schema", "verdict", "tool"] {
        let mut changed = object.clone();
        changed.as_object_mut().unwrap().remove(key);
        assert!(!validator.is_valid(&changed), "without {key}");
        changed[key] = Value::Bool(true);
        assert!(!validator.is_valid(&changed), "{key}: true");
    }
}
