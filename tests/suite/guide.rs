//! The guide: its programs are programs, its tables are true, and its commands work.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the guide has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use fencepost::parse;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn page(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/guide")
        .join(name);
    fs::read_to_string(file.with_extension("md")).expect("the page is there")
}

/// The code blocks of a page in this language.
fn blocks<'t>(page: &'t str, language: &str) -> Vec<&'t str> {
    let opening = format!("```{language}\n");
    let mut blocks = Vec::new();
    for part in page.split(opening.as_str()).skip(1) {
        blocks.push(part.split("```").next().expect("the block ends"));
    }
    blocks
}

#[test]
fn every_program_in_the_guide_is_accepted() {
    let mut programs = 0;
    for name in ["language", "tutorial", "words"] {
        for text in blocks(&page(name), "fence") {
            let parsed = parse(text);
            assert!(
                parsed.diagnostics.is_empty(),
                "{text}\n{:?}",
                parsed.diagnostics
            );
            let checked = fencepost(&["check", "--model", "sc", "-"], text);
            assert!(
                [0, 1].contains(&code(&checked)),
                "{text}\n{}",
                stderr(&checked)
            );
            programs += 1;
        }
    }
    assert!(programs >= 8, "{programs}");
}

/// A row of a table, as cells.
fn rows<'t>(page: &'t str, head: &str) -> Vec<Vec<&'t str>> {
    let (_, table) = page
        .split_once(head)
        .unwrap_or_else(|| panic!("no table `{head}`"));
    let lines = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = |line: &'t str| line.trim_matches('|').split('|').map(str::trim).collect();
    lines.map(cells).collect()
}

/// Runs a command without input.
fn invoke(arguments: &[&str]) -> Output {
    fencepost(arguments, "")
}

/// What a command prints in JSON: the first line.
fn answer(arguments: &[&str]) -> Value {
    let output = invoke(arguments);
    let text = stdout(&output);
    let line = text
        .lines()
        .next()
        .unwrap_or_else(|| panic!("{arguments:?}: {}", stderr(&output)));
    serde_json::from_str(line).expect("JSON")
}

fn corpus(file: &str) -> String {
    let file: PathBuf = [env!("CARGO_MANIFEST_DIR"), "corpus", file]
        .iter()
        .collect();
    file.with_extension("fence").display().to_string()
}

#[test]
fn the_first_table_of_the_papers_has_the_numbers_of_attacks_and_fences() {
    let page = page("papers");
    let table = rows(
        &page,
        "| program | candidates | static | refuted | feasible | fences | fences in the paper |",
    );
    assert_eq!(table.len(), 16);
    for row in table {
        let file = corpus(&format!("table2/{}", row[0]));
        let attacks = &answer(&["robust", &file, "--json"])["attacks"];
        for (key, shown) in ["candidates", "pruned", "infeasible", "feasible"]
            .iter()
            .zip(&row[1..])
        {
            assert_eq!(attacks[key].to_string(), *shown, "{}: {key}", row[0]);
        }
        // What the corpus expects of the file, and its own test checks.
        let expected = format!("//: fence tso robustness {}", row[5]);
        let text = fs::read_to_string(&file).expect("the file is there");
        assert!(text.contains(&expected), "{}: {expected}", row[0]);
    }
}

#[test]
fn the_table_of_the_peers_has_the_verdicts() {
    let page = page("peers");
    let head = "| test | Fencepost | exit | s | loom | exit | s | shuttle | exit | s |";
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/rust/peers/tests");
    let table = rows(&page, head);
    let files = fs::read_dir(&tests).expect("it is there").count();
    assert_eq!(table.len(), files);
    for row in table {
        let file = tests.join(row[0].trim_matches('`')).with_extension("rs");
        let file = file.display().to_string();
        let checked = invoke(&["check", &file, "--forbid-stuck", "--quiet"]);
        let word = match (code(&checked), stdout(&checked).contains("waits forever")) {
            (0, _) => "holds",
            (_, true) => "deadlock",
            (_, false) => "assertion fails",
        };
        let is = (word, code(&checked).to_string());
        assert_eq!((row[1], row[2]), (is.0, is.1.as_str()), "{file}");
    }
}

#[test]
fn the_other_tables_of_the_papers_have_the_answers() {
    let page = page("papers");
    for row in rows(&page, "| program | robust under PSO | in the paper |") {
        let answer = answer(&["robust", &corpus(row[0]), "--model", "pso", "--json"]);
        let verdict = if row[1] == "yes" { "holds" } else { "violated" };
        assert_eq!(answer["verdict"], verdict, "{}", row[0]);
    }
    for row in rows(&page, "| program | verdict | what the figure shows |") {
        let file = corpus(&format!("papers/{}", row[0]));
        let answer = answer(&["check", &file, "--engine", "lazy", "--json"]);
        assert_eq!(answer["verdict"], row[1], "{}", row[0]);
    }
    for row in rows(&page, "| program | TSO | PSO |") {
        let file = corpus(&format!("papers/{}", row[0]));
        for (model, cost) in ["tso", "pso"].iter().zip(&row[1..]) {
            let goal = [
                "fence",
                &file,
                "--for",
                "assertions",
                "--model",
                model,
                "--json",
            ];
            assert_eq!(
                answer(&goal)["cost"].to_string(),
                *cost,
                "{} {model}",
                row[0]
            );
        }
    }
}

#[test]
fn every_topic_and_every_command_has_help() {
    let list = stdout(&invoke(&["help"]));
    for topic in [
        "tutorial",
        "language",
        "rust",
        "cycles",
        "ci",
        "clusters",
        "papers",
        "check",
        "completions",
    ] {
        assert!(list.contains(&format!("\n  {topic} ")), "{topic}: {list}");
        let output = invoke(&["help", topic]);
        assert_eq!(code(&output), 0, "{topic}");
        let text = stdout(&output);
        assert!(
            text.lines().count() > 8 && !text.contains("super::"),
            "{topic}: {text}"
        );
    }
    assert_eq!(
        stdout(&invoke(&["help", "check"])),
        stdout(&invoke(&["check", "--help"]))
    );
    let unknown = invoke(&["help", "langage"]);
    assert_eq!(code(&unknown), 2);
    assert!(
        stderr(&unknown).contains("did you mean `language`?"),
        "{}",
        stderr(&unknown)
    );
}

#[test]
fn names_of_cycles_lead_to_their_page_and_colours_lay_it_out() {
    let page = stdout(&invoke(&["help", "cycles"]));
    for name in ["SB", "2+2w", "store buffering", "Cycles"] {
        assert_eq!(stdout(&invoke(&["help", name])), page, "{name}");
    }
    assert!(page.starts_with("# Cycles"), "{page}");
    let laid_out = stdout(&invoke(&["help", "SB", "--color", "always"]));
    assert!(laid_out.starts_with("\u{1b}[1mCycles"), "{laid_out}");
    assert!(!laid_out.contains("|---"), "{laid_out}");
}

#[test]
fn an_example_is_a_program_that_can_be_checked() {
    let list = stdout(&invoke(&["example"]));
    assert_eq!(list, stdout(&invoke(&["example", "--list"])));
    assert!(list.contains("peterson.c "), "{list}");
    let text = stdout(&invoke(&["example", "peterson.c"]));
    let checked = fencepost(&["check", "--format", "c", "-"], &text);
    assert_eq!(code(&checked), 1, "{}", stderr(&checked));
    assert_eq!(code(&invoke(&["example", "nosuch.c"])), 2);
}

#[test]
fn shells_and_man_get_what_they_read() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = stdout(&invoke(&["completions", shell]));
        assert!(
            text.contains("robust") && text.contains("timeout"),
            "{shell}: {text}"
        );
        // For the other shells no values of positions are generated.
        if ["bash", "zsh"].contains(&shell) {
            for value in ["tutorial", "treiber-stack.c"] {
                assert!(text.contains(value), "{shell}: {value}");
            }
        }
    }
    assert!(stdout(&invoke(&["man"])).contains(".TH fencepost 1"));
    let page = stdout(&invoke(&["man", "fence"]));
    assert!(
        page.contains(".TH fencepost-fence 1") && page.contains("minimise"),
        "{page}"
    );
    assert_eq!(code(&invoke(&["man", "nosuch"])), 2);
}
