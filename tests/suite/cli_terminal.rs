//! Text output cannot control the terminal, and drawings are well-formed, whatever names a program has.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::process;
use process::{code, fencepost, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A program with hostile names: they clear the screen, reverse the writing direction, start a new line,
/// close a string, open a tag.
const HOSTILE: &str = "\
program `p\u{1b}[2J\u{202e}`;
shared `x\u{1b}[2J`, `y\u{202e}<b>&lt;&\"\\\\'`; // c \u{1b}[2J\u{9b}\u{202e}\r
thread `t0\u{7}` { local `r\u{202e}`; `x\u{1b}[2J` = 1; /* \u{1b}[2J */ `r\u{202e}` = `y\u{202e}<b>&lt;&\"\\\\'`; `end\u{1b}[2J<\"\\\\`: skip; }
thread `t1\\nHolds under TSO` { local r; `y\u{202e}<b>&lt;&\"\\\\'` = 1; r = `x\u{1b}[2J`; }
final assert `t0\u{7}`.`r\u{202e}` == 1 || `t1\\nHolds under TSO`.r == 1;
";

/// Text that must not reach a terminal. Colours also begin with ESC, but continue differently.
const UNSAFE: [&str; 8] = [
    "\u{1b}[2J",
    "\u{1b}]",
    "\u{202e}",
    "\u{9b}",
    "\u{7}",
    "\u{8}",
    "\u{0}",
    "\nHolds",
];

fn assert_safe(text: &str, what: &str) {
    for bad in UNSAFE {
        assert!(!text.contains(bad), "{what}: {bad:?} in {text:?}");
    }
}

/// A directory with a program in a file whose name is hostile, too.
fn hostile_file(text: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let name = "e\u{1b}[2J\u{202e}.fence";
    let name = if cfg!(windows) { "e.fence" } else { name };
    let path = directory.path().join(name);
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (directory, path)
}

#[test]
fn no_text_output_controls_the_terminal() {
    let (directory, path) = hostile_file(HOSTILE);
    let out = directory.path().join("\u{1b}[2J.out");
    let out = out.to_str().unwrap();
    let all: [(&str, &[&str], i32); 26] = [
        ("check", &[], 1),
        ("check", &["--model", "sc,tso,pso,pgas", "-v"], 1),
        ("check", &["--engine", "lazy", "-v"], 1),
        ("check", &["--engine", "explicit", "-v"], 1),
        ("check", &["--quiet"], 1),
        ("check", &["--litmus", "-"], 1),
        ("check", &["--litmus", out, "--cycle", out], 1),
        (
            "check",
            &["--engine", "bmc", "--litmus", "/no\u{1b}[2J/x"],
            2,
        ),
        ("robust", &[], 1),
        ("robust", &["-v", "--model", "tso,pso,pgas"], 1),
        ("robust", &["--notion", "trf"], 1),
        ("robust", &["--method", "direct"], 1),
        ("fence", &[], 0),
        ("fence", &["-v", "--all", "--diff", "--write", out], 0),
        (
            "fence",
            &["--for", "assertions", "--all", "--kinds", "full,xchg", "-v"],
            0,
        ),
        ("fence", &["--algorithm", "te", "--for", "assertions"], 0),
        ("fence", &["--minimise", "--diff"], 1),
        ("fence", &["--cost", "no\u{1b}[2J\u{202e}"], 2),
        ("instrument", &[], 0),
        ("instrument", &["--attack", "1"], 0),
        ("show", &[], 0),
        ("show", &["--dot"], 0),
        ("show", &["--svg"], 0),
        ("show", &["--as", "trencher"], 2),
        ("export", &["--cnf", "-"], 0),
        ("export", &["--cnf", "-", "--goal", "7"], 2),
    ];
    for (command, arguments, expected) in all {
        for color in ["always", "never"] {
            let all = [&[command, &path, "--color", color], arguments].concat();
            let output = fencepost(&all, "");
            assert_eq!(code(&output), expected, "{all:?}: {output:?}");
            assert_safe(&stdout(&output), &all.join(" "));
            assert_safe(&stderr(&output), &all.join(" "));
        }
    }
}

/// The escape sequences for colour in a text, each once, and the text without them.
fn colors(text: &str) -> (BTreeSet<&str>, String) {
    let mut found = BTreeSet::new();
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('m').expect("only colours are escapes");
        found.insert(code);
        plain.push_str(rest);
    }
    (found, plain)
}

#[test]
fn each_thread_has_its_color() {
    let text = "shared x, y;\n\
                thread left { local r; x = 1; r = y; }\n\
                thread right { local r; y = 1; r = x; }\n\
                final assert left.r == 1 || right.r == 1;\n";
    for command in ["check", "robust"] {
        let colored = stdout(&fencepost(&[command, "-", "--color", "always"], text));
        let (found, without) = colors(&colored);
        // The two threads, the headings, the result, and the end of a colour.
        let expected = ["0", "1", "1;31", "35", "36"];
        assert_eq!(found, BTreeSet::from(expected), "{command}");
        // Colours change nothing else; a pipe has none.
        let never = stdout(&fencepost(&[command, "-", "--color", "never"], text));
        assert_eq!(stdout(&fencepost(&[command, "-"], text)), never);
        assert_eq!(without, never);
        // What `left` does, and only that, is in the first colour.
        let mut in_first = colored.split("\u{1b}[36m").skip(1);
        let mut parts = 0;
        assert!(in_first.all(|part| {
            let part = part.split('\u{1b}').next().unwrap_or_default();
            parts += 1;
            part.starts_with("left") || part.contains("x = 1") || part.contains("r = y")
        }));
        assert!(parts >= 3, "{command}: {parts}");
        for part in ["[36mleft", "[36m2: x = 1", "[36m2: r = y", "[35m3: r = x"] {
            assert!(
                colored.contains(&format!("\u{1b}{part}")),
                "{part}: {colored}"
            );
        }
    }
}

#[test]
fn invisible_characters_are_shown_as_escapes() {
    let (_directory, path) = hostile_file(HOSTILE);
    let text = stdout(&fencepost(&["check", &path], ""));
    for shown in [
        "x\\x1b[2J",
        "t0\\x07",
        "r\\u{202e}",
        "t1\\nHolds under TSO",
        "e\\x1b[2J\\u{202e}.fence",
    ] {
        assert!(text.contains(shown), "{shown} is missing: {text}");
    }
}

#[test]
fn errors_are_safe_and_short() {
    let wrong = HOSTILE.replace(
        "skip;",
        "q\u{1b}[2J\u{202e} = 1; `z\u{1b}[2J` = 2; \"\u{9b}",
    );
    let (_directory, path) = hostile_file(&wrong);
    for color in ["always", "never"] {
        let output = fencepost(&["check", &path, "--color", color], "");
        assert_eq!(code(&output), 2);
        let errors = stderr(&output);
        assert!(errors.contains("\\x1b[2J") || color == "always");
        assert_safe(&errors, color);
    }
    let filler = "z ".repeat(1_000_000);
    let long = format!("shared x; thread t {{ /* {filler}*/ y = 1; /* {filler}*/ }}");
    let output = fencepost(&["check", "-"], &long);
    assert_eq!(code(&output), 2);
    let errors = stderr(&output);
    assert!(errors.len() < 5_000, "{} bytes", errors.len());
    assert!(errors.contains("z z */ y = 1; /* z z"), "{errors}");
    assert!(errors.contains("<stdin>:1:2000028 "), "{errors}");
}

#[test]
fn a_corpus_report_is_safe() {
    let expecting = format!("{HOSTILE}//: check tso holds  \u{1b}[2J\u{202e}\n//: \u{1b}[2J\n");
    let (directory, _) = hostile_file(&expecting);
    for bless in [&[][..], &["--bless"]] {
        let arguments = [&["corpus", directory.path().to_str().unwrap(), "-v"], bless].concat();
        let output = fencepost(&arguments, "");
        assert_safe(&stdout(&output), "corpus");
        assert_safe(&stderr(&output), "corpus");
    }
    let none = directory.path().join("no\u{1b}[2J");
    let output = fencepost(&["corpus", none.to_str().unwrap()], "");
    assert_eq!(code(&output), 2);
    assert_safe(&stderr(&output), "corpus");
}

#[test]
fn json_has_the_names_unchanged() {
    let (_directory, path) = hostile_file(HOSTILE);
    let output = fencepost(&["check", &path, "--json"], "");
    let text = stdout(&output);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["file"], path.as_str());
    let steps = report["witness"]["steps"].as_array().unwrap();
    assert!(
        steps.iter().any(|step| step["address"] == "x\u{1b}[2J"),
        "{text}"
    );
    assert!(
        steps.iter().any(|step| step["thread"] == "t0\u{7}"),
        "{text}"
    );
}

#[test]
fn programs_with_hostile_names_round_trip_through_show() {
    let first = stdout(&fencepost(&["show", "-"], HOSTILE));
    assert!(first.contains("program `p\\x1b[2J\\u{202e}`;"), "{first}");
    let second = stdout(&fencepost(&["show", "-"], &first));
    assert_eq!(first, second);
    let json = |text: &str| {
        let output = fencepost(&["check", "-", "--json"], text);
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let steps = report["witness"]["steps"].as_array().unwrap().clone();
        let addresses = steps.iter().filter_map(|step| step["address"].as_str());
        addresses.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    for text in [HOSTILE, &first] {
        assert!(json(text).contains("x\u{1b}[2J"), "{text}");
    }
}

/// All texts in an SVG image, which must be well-formed XML.
fn svg_texts(svg: &str) -> BTreeSet<String> {
    let options = roxmltree::ParsingOptions::default();
    let document = roxmltree::Document::parse_with_options(svg, options)
        .unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let nodes = document.descendants();
    let texts = nodes.filter(|node| node.is_element() && node.has_tag_name(TEXT));
    texts
        .map(|node| {
            let parts = node.descendants().filter(roxmltree::Node::is_text);
            parts.filter_map(|part| part.text()).collect()
        })
        .collect()
}

const TEXT: (&str, &str) = ("http://www.w3.org/2000/svg", "text");

/// The strings of a drawing in the DOT language, and the text outside them.
fn dot_strings(dot: &str) -> (Vec<String>, String) {
    let (mut strings, mut outside) = (Vec::new(), String::new());
    let mut chars = dot.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            outside.push(c);
            continue;
        }
        let mut string = String::new();
        loop {
            match chars.next().expect("the string ends") {
                '"' => break,
                '\\' => {
                    // A backslash that does not precede a quote is kept, for labels to interpret.
                    match chars.next().expect("the string ends") {
                        '"' => string.push('"'),
                        other => string.extend(['\\', other]),
                    }
                }
                other => string.push(other),
            }
        }
        strings.push(string);
    }
    (strings, outside)
}

/// A label as shown by Graphviz.
fn shown(label: &str) -> String {
    assert!(
        !label.replace("\\\\", "").contains('\\'),
        "an escape of the DOT language in {label}"
    );
    let mut shown = label.replace("\\\\", "\\");
    assert!(!shown.contains("&lt;") || shown.contains("&amp;lt;"));
    shown = shown.replace("&amp;", "&");
    shown
}

const CELL: &str = "y\\u{202e}<b>&lt;&\"\\'";

#[test]
fn svg_is_well_formed_and_contains_names_as_text() {
    let texts = svg_texts(&stdout(&fencepost(&["show", "-", "--svg"], HOSTILE)));
    for text in [
        "t0\\x07".to_owned(),
        "end\\x1b[2J<\"\\".to_owned(),
        format!("r\\u{{202e}} <- mem[{CELL}]"),
        format!("mem[{CELL}] <- 1"),
        "t1\\nHolds under TSO".to_owned(),
    ] {
        assert!(texts.contains(&text), "{text} is missing: {texts:?}");
    }
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("cycle.svg");
    let arguments = ["robust", "-", "--svg", out.to_str().unwrap()];
    assert_eq!(code(&fencepost(&arguments, HOSTILE)), 1);
    let texts = svg_texts(&fs::read_to_string(&out).unwrap());
    let access = "3: `x\\x1b[2J` = 1";
    assert!(
        texts.iter().any(|text| text.starts_with(access)),
        "{texts:?}"
    );
}

#[test]
fn dot_is_well_formed_and_contains_names_as_text() {
    let (strings, outside) = dot_strings(&stdout(&fencepost(&["show", "-", "--dot"], HOSTILE)));
    for part in ["<", "&", "\\", "lt;", "2J"] {
        assert!(!outside.contains(part), "{part} in {outside}");
    }
    let labels: BTreeSet<String> = strings.iter().map(|label| shown(label)).collect();
    for label in [
        "t0\\x07",
        "t1\\nHolds under TSO",
        "end\\x1b[2J<\"\\",
        &format!("mem[{CELL}] <- 1"),
    ] {
        assert!(labels.contains(label), "{label} is missing: {labels:?}");
    }
    for arguments in [&["robust", "-", "--dot"], &["check", "-", "--cycle"]] {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("cycle.dot");
        let output = fencepost(
            &[&arguments[..], &[out.to_str().unwrap()]].concat(),
            HOSTILE,
        );
        assert_eq!(code(&output), 1);
        check_cycle(&out);
    }
}

fn check_cycle(out: &Path) {
    let dot = fs::read_to_string(out).unwrap();
    assert_safe(&dot, "cycle");
    let (strings, outside) = dot_strings(&dot);
    assert!(
        !outside.contains('<') && !outside.contains('\\'),
        "{outside}"
    );
    let labels: BTreeSet<String> = strings.iter().map(|label| shown(label)).collect();
    let access = "t0\\x07, line 3: `x\\x1b[2J` = 1";
    assert!(
        labels.iter().any(|label| label.starts_with(access)),
        "{labels:?}"
    );
}
