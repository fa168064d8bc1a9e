//! What the command line makes of random programs: shards that are merged, several files at once, and logs
//! for other tools say what single runs say.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot run the program has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use crate::support::random::{Shape, sketch};
use crate::support::sarif::results;
use fencepost::program::print;
use proptest::prelude::*;
use serde_json::Value;
use std::fs;

const MODELS: [&str; 3] = ["tso", "pso", "pgas"];

fn object(text: &str) -> Value {
    serde_json::from_str(text.lines().next().unwrap_or_default()).expect("JSON")
}

/// The places of the feasible attacks, sorted.
fn attacks(object: &Value) -> Vec<String> {
    let list = object["attacks"]["feasible_list"].as_array().unwrap();
    let places = list.iter().map(|attack| {
        let last = attack.get("load").or(attack.get("overtaking_store"));
        format!("{} {} {last:?}", attack["thread"], attack["store"])
    });
    let mut places: Vec<String> = places.collect();
    places.sort();
    places
}

proptest! {
    #![proptest_config(crate::support::config::config(6))]

    #[test]
    fn merged_shards_of_a_random_program_are_a_single_run(
        sketch in sketch(Shape::ACYCLIC),
        model in prop::sample::select(MODELS.to_vec()),
        of in 1_usize..5,
        other in any::<prop::sample::Index>(),
    ) {
        let text = print(&sketch.build());
        let folder = tempfile::tempdir().unwrap();
        let run = ["robust", "-", "--json", "--model", model];
        let single = fencepost(&run, &text);
        let whole = object(&stdout(&single));
        let mut files = Vec::new();
        for index in 1..=of {
            let shard = format!("{index}/{of}");
            let output = fencepost(&[&run[..], &["--shard", &shard]].concat(), &text);
            let part = object(&stdout(&output));
            // One of several shards never says "robust".
            prop_assert!(of == 1 || part["robust"] != true, "{part}");
            let file = folder.path().join(format!("{index}.jsonl"));
            fs::write(&file, &output.stdout).unwrap();
            files.push(file.display().to_string());
        }
        let names: Vec<&str> = files.iter().map(String::as_str).rev().collect();
        let merged = fencepost(&[&["merge", "--json"], &names[..]].concat(), "");
        prop_assert_eq!(code(&merged), code(&single), "{}", stderr(&merged));
        let joined = object(&stdout(&merged));
        for key in ["verdict", "robust", "model"] {
            prop_assert_eq!(&joined[key], &whole[key], "{}", key);
        }
        for key in ["candidates", "pruned", "infeasible", "feasible", "open"] {
            prop_assert_eq!(&joined["attacks"][key], &whole["attacks"][key], "{}", key);
        }
        prop_assert_eq!(attacks(&joined), attacks(&whole));
        // One of them twice, or one of several missing.
        let at = other.index(of);
        let twice = fencepost(&[&["merge"], &names[..], &[names[at]]].concat(), "");
        prop_assert_eq!((code(&twice), stdout(&twice)), (2, String::new()));
        if of > 1 {
            let fewer: Vec<&str> = names.iter().copied().filter(|name| *name != names[at]).collect();
            let fewer = fencepost(&[&["merge"], &fewer[..]].concat(), "");
            prop_assert_eq!((code(&fewer), stdout(&fewer)), (2, String::new()));
        }
    }

    #[test]
    fn a_log_has_results_if_and_only_if_a_run_has(
        sketch in sketch(Shape::ALL),
        model in prop::sample::select(MODELS.to_vec()),
        command in prop::sample::select(vec!["check", "robust", "fence"]),
    ) {
        let text = print(&sketch.build());
        let run = [command, "-", "--model", model, "--unroll", "2"];
        let plain = fencepost(&[&run[..], &["--json"]].concat(), &text);
        let log = fencepost(&[&run[..], &["--message-format", "sarif"]].concat(), &text);
        prop_assert_eq!(code(&log), code(&plain), "{}", stderr(&log));
        // Checks the structure of the log, and that fingerprints are unique.
        let found = results(&stdout(&log));
        let answer = object(&stdout(&plain));
        let wanted = match command {
            "robust" if answer["verdict"] == "violated" => attacks(&answer).len().max(1),
            "fence" if answer["verdict"] == "holds" => answer["fences"].as_array().unwrap().len(),
            _ => usize::from(answer["verdict"] != "holds"),
        };
        prop_assert!(
            if command == "check" { (wanted > 0) != found.is_empty() } else { wanted == found.len() },
            "{wanted} and {}: {}", found.len(), stdout(&log)
        );
    }

    #[test]
    fn several_files_are_answered_as_each_alone(
        sketches in prop::collection::vec(sketch(Shape::ACYCLIC), 2..4),
        broken in any::<bool>(),
        command in prop::sample::select(vec!["check", "robust", "fence"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut names = Vec::new();
        for (number, sketch) in sketches.iter().enumerate() {
            let text = if broken && number == 1 { "shared".to_owned() } else { print(&sketch.build()) };
            let file = folder.path().join(format!("{number}.fence"));
            fs::write(&file, text).unwrap();
            names.push(file.display().to_string());
        }
        let names: Vec<&str> = names.iter().rev().map(String::as_str).collect();
        let all = fencepost(&[&[command, "--quiet"], &names[..]].concat(), "");
        let mut lines = Vec::new();
        let mut codes = Vec::new();
        for name in &names {
            let one = fencepost(&[command, "--quiet", name], "");
            let text = stdout(&one);
            let text = if text.is_empty() { "Not read: see the messages.\n" } else { text.as_str() };
            prop_assert!(!text.lines().any(str::is_empty), "{}", text);
            lines.extend(text.lines().map(|line| format!("{name}: {line}\n")));
            codes.push(code(&one));
        }
        let text = stdout(&all);
        let rest = text.strip_prefix(&lines.concat()).expect("the lines of each file");
        let summary = format!("\n{} programs: ", names.len());
        prop_assert!(rest.starts_with(&summary) && rest.lines().count() == 2, "{rest}");
        let worst = [2, 1, 3, 0].into_iter().find(|worst| codes.contains(worst));
        prop_assert_eq!(Some(code(&all)), worst);
    }
}
