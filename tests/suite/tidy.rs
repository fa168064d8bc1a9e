//! House rules that the compiler does not check: which module may call which, and which may print.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the sources has failed"
)]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of each crate that has several layers, bottom up; the package itself has no name. A module
/// may call those on earlier lines; those on one line are independent. There are no exceptions. The
/// compiler holds the layers between crates.
const ORDER: [(&str, &[&[&str]]); 3] = [
    (
        "front",
        &[
            &["text"],
            &["lower"],
            &["c", "rust"],
            &["native", "litmus", "trencher"],
            &["formats"],
            &["error"],
        ],
    ),
    (
        "engines",
        &[
            &["work"],
            &["search", "cnf"],
            &["solve"],
            &["unroll"],
            &["encode"],
            &["trace"],
            &["reach"],
            &["views"],
            &["induction"],
            &["techniques"],
            &["problem"],
            &["race"],
            &["passes"],
            &["engines"],
            &["instances"],
            &["robustness"],
            &["lazy"],
            &["check"],
            &["fences"],
            &["options", "reports"],
        ],
    ),
    (
        "",
        &[
            &["guide", "litmus", "races"],
            &["certificate"],
            &["verbs"],
            &["expect"],
            &["report"],
            &["assertions"],
            &["cli"],
            &["main", "bin"],
        ],
    ),
];

/// The modules that may name a literal: no module above these does.
const LITERALS: [&str; 6] = ["cnf", "solve", "encode", "trace", "reach", "induction"];

#[test]
fn calls_go_down_the_list_of_modules() {
    let mut offences = Vec::new();
    for file in sources() {
        let (within, own) = module(&file);
        let Some((_, order)) = ORDER.iter().find(|(name, _)| *name == within) else {
            continue;
        };
        if own == "lib" {
            continue;
        }
        let rank = |module: &str| order.iter().position(|line| line.contains(&module));
        let here = rank(&own).unwrap_or_else(|| panic!("{own} is not in the list of modules"));
        for called in called_modules(&code(&file)) {
            // The others are modules of crates below, or re-exports of the crate's root.
            if called != own && rank(&called).is_some_and(|there| there >= here) {
                offences.push(format!("{}: {own} calls {called}", file.display()));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn only_the_command_line_prints_or_reads_the_clock() {
    // `io::Write` and `Duration` are allowed: a proof may be written into memory.
    let forbidden = [
        "print!(",
        "println!(",
        "eprint!(",
        "eprintln!(",
        "std::env",
        "std::fs",
        "std::process",
        "io::stdin",
        "io::stdout",
        "io::stderr",
        "Instant",
        "SystemTime",
    ];
    let mut offences = Vec::new();
    for file in sources() {
        let (within, own) = module(&file);
        // The attribute is executed by the compiler.
        let is_attribute = within == "test";
        if is_attribute || within.is_empty() && matches!(own.as_str(), "cli" | "main" | "bin") {
            continue;
        }
        // What the library of Rust does is read with programs, and not executed here.
        if file.to_string_lossy().contains("/front/rust/prelude/") {
            continue;
        }
        let text = code(&file);
        for word in forbidden {
            if text.contains(word) {
                offences.push(format!("{}: {word}", file.display()));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn only_the_definition_of_the_flag_reads_it() {
    // All other code uses the message format, which may have more than two values.
    let reads = |file: &PathBuf| {
        let code = code(file).replace("compile_commands.json", "");
        code.contains(".json")
    };
    let asks = |file: &PathBuf| file.ends_with("src/cli.rs") || !reads(file);
    let offences: Vec<PathBuf> = sources()
        .into_iter()
        .filter(|file| module(file).1 == "cli" && !asks(file))
        .collect();
    assert!(offences.is_empty(), "{offences:?}");
}

#[test]
fn no_module_above_reach_names_a_literal_or_a_solver() {
    let offences: Vec<String> = sources()
        .into_iter()
        .filter(|file| !LITERALS.contains(&module(file).1.as_str()))
        .filter(|file| code(file).contains("rustsat"))
        .map(|file| file.display().to_string())
        .collect();
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn every_source_file_opens_with_a_header() {
    let silent: Vec<String> = sources()
        .into_iter()
        .filter(|file| !read(file).starts_with("//! "))
        .map(|file| file.display().to_string())
        .collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn no_file_holds_two_ideas() {
    // A file with more than 500 lines usually does.
    let long: Vec<String> = sources()
        .into_iter()
        .filter(|file| read(file).lines().count() > 500)
        .map(|file| file.display().to_string())
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// The crate that a file belongs to, empty for the package itself, and the module: the first component
/// below the folder of the crate.
pub(super) fn module(file: &Path) -> (String, String) {
    let path = below_root(file);
    let mut parts = path.components().skip(1).map(|part| {
        let name = part.as_os_str().to_string_lossy();
        name.trim_end_matches(".rs").to_owned()
    });
    let first = parts.next().expect("sources lie below src");
    if root().join("src").join(&first).join("Cargo.toml").is_file() {
        (first, parts.next().expect("a crate has files"))
    } else {
        (String::new(), first)
    }
}

fn below_root(file: &Path) -> PathBuf {
    file.strip_prefix(root())
        .expect("sources lie below the root")
        .to_owned()
}

/// The modules named in `crate::…` paths and in the groups of `use crate::{…}`.
fn called_modules(text: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for path in ["crate::", "fencepost::"] {
        for (at, _) in text.match_indices(path) {
            let rest = &text[at + path.len()..];
            match rest.strip_prefix('{') {
                Some(group) => modules.extend(names_of_group(group)),
                None => modules.extend(name(rest)),
            }
        }
    }
    modules
}

fn names_of_group(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut names: Vec<String> = name(group).into_iter().collect();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.extend(name(&group[at + 1..])),
            _ => {}
        }
    }
    names
}

fn name(text: &str) -> Option<String> {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

/// A file without its comments and its tests, which may call any module. Tests are a module at the end
/// of the file, or separate files.
fn code(file: &Path) -> String {
    let tests = |part: &OsStr| part == "tests" || part == "tests.rs";
    if below_root(file).iter().any(tests) || is_test_module(file) {
        return String::new();
    }
    let text = read(file);
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    text[..end]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether the parent module declares this file as a test module.
fn is_test_module(file: &Path) -> bool {
    let parent = file.parent().expect("sources lie in a directory");
    let stem = file.file_stem().expect("sources have names");
    let declaration = format!("#[cfg(test)]\nmod {};", stem.to_string_lossy());
    let above = parent.with_extension("rs");
    above.is_file() && read(&above).contains(&declaration)
}

pub(super) fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("sources can be read")
}

pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the crate, sorted.
pub(super) fn sources() -> Vec<PathBuf> {
    rust_files("src")
}

/// The Rust files in this directory of the repository, sorted.
pub(super) fn rust_files(directory: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(directory)];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("source directories can be read") {
            let path = entry.expect("entries can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
