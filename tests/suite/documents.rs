//! What users read is correct: transcripts in the README and in the guide are what the commands print, and
//! the README lists the options that the commands have.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot run the program has failed"
)]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The standard output of a command in the README, 100 columns wide.
fn printed(command: &str) -> String {
    let checker = command.strip_prefix("fencepost-verify ");
    let of_cargo = command.strip_prefix("cargo fencepost ");
    let arguments = command
        .strip_prefix("cargo run --release -- ")
        .or_else(|| command.strip_prefix("fencepost "))
        .or(checker)
        .or(of_cargo)
        .unwrap_or_else(|| panic!("not a command of this project: {command}"));
    let program = match (checker, of_cargo) {
        (Some(_), _) => env!("CARGO_BIN_EXE_fencepost-verify"),
        (None, Some(_)) => env!("CARGO_BIN_EXE_cargo-fencepost"),
        (None, None) => env!("CARGO_BIN_EXE_fencepost"),
    };
    let output = Command::new(program)
        .args(arguments.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .output()
        .expect("the program runs");
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

/// The text without figures that vary between runs.
fn comparable(text: &str) -> String {
    let mut out = text.trim_end().to_owned();
    for key in ["\"seconds\":", "\"peak_rss_kib\":"] {
        if let Some(at) = out.find(key) {
            let start = at + key.len();
            let digits = |c: char| c.is_ascii_digit() || c == '.';
            let len = out[start..].find(|c| !digits(c)).unwrap_or(0);
            out.replace_range(start..start + len, "N");
        }
    }
    out
}

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    fs::read_to_string(path).expect("the README is there")
}

/// The texts of the README and of all pages of the guide.
fn documents() -> Vec<String> {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide");
    let mut files: Vec<_> = fs::read_dir(pages)
        .expect("the guide is there")
        .map(|entry| entry.expect("a page").path())
        .filter(|file| file.extension().is_some_and(|one| one == "md"))
        .collect();
    files.sort();
    let pages = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a page is text"));
    pages.chain([readme()]).collect()
}

#[test]
fn every_transcript_is_what_the_command_prints() {
    let mut transcripts = 0;
    for document in documents() {
        let blocks = document.split("```").skip(1).step_by(2);
        for block in blocks {
            for transcript in block.split("\n$ ").skip(1) {
                let (command, shown) = transcript
                    .split_once('\n')
                    .expect("a command and its output");
                assert_eq!(
                    comparable(&printed(command)),
                    comparable(shown),
                    "{command}"
                );
                transcripts += 1;
            }
        }
    }
    assert!(transcripts >= 14, "{transcripts}");
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .collect()
}

#[test]
fn the_options_listed_for_each_command_are_those_that_it_has() {
    let readme = readme();
    let list = readme
        .split("```")
        .find(|block| block.trim_start().starts_with("fencepost check  FILE"))
        .expect("the list of commands");
    let general = printed("fencepost --help");
    let general: BTreeSet<&str> = options(&general);
    let mut commands = 0;
    for entry in list.split("\nfencepost ").skip(1) {
        let name = entry
            .split_whitespace()
            .next()
            .expect("the name of a command");
        let help = printed(&format!("fencepost {name} --help"));
        let listed = options(entry);
        let has: BTreeSet<&str> = options(&help).difference(&general).copied().collect();
        // Minor options, which are explained elsewhere in the README.
        let minor = BTreeSet::from([
            "--any-number",
            "--capacity",
            "--cfg",
            "--compile-commands",
            "--debug-assertions",
            "--each",
            "--edition",
            "--entry",
            "--explain-refusals",
            "--features",
            "--forbid-stuck",
            "--heap",
            "--include",
            "--isystem",
            "--k1",
            "--k2",
            "--litmus",
            "--model-call",
            "--no-default-features",
            "--overflow-checks",
            "--profile",
            "--release",
            "--setup",
            "--system-headers",
            "--test",
            "--thread",
        ]);
        let missing: Vec<_> = has
            .difference(&listed)
            .filter(|o| !minor.contains(**o))
            .collect();
        let unknown: Vec<_> = listed
            .difference(&has)
            .filter(|o| !general.contains(**o))
            .collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "{name}: {missing:?} {unknown:?}"
        );
        commands += 1;
    }
    assert_eq!(commands, 7);
}
