//! Plain English in sources and documents: words and phrases to avoid, each with a plain replacement.
//!
//! The list contains only words and phrases without a legitimate use, so every match is an offence. They
//! are matched as whole words, ignoring case, in comments, strings and code alike. A phrase may continue
//! on the next line.

use super::tidy::{read, root, rust_files, sources};
use std::path::PathBuf;

/// The words to avoid, and what to write instead.
const BANNED: [(&str, &str); 37] = [
    ("nobody", "no caller, no thread, …"),
    ("somebody", "a caller, a thread, …"),
    ("everybody", "all threads, all callers, …"),
    ("anybody", "any caller, any thread, …"),
    ("whoever", "callers, code that …"),
    ("for ever", "forever"),
    ("midst", "middle"),
    ("behind", "after"),
    ("in front of", "before"),
    ("by the text", "statically"),
    ("read back", "parsed again; round-trips"),
    ("reads back", "can be parsed again; round-trips"),
    ("tells", "prints, reports, returns"),
    ("at home in", "defined in"),
    ("is at home", "is defined"),
    ("are at home", "are defined"),
    ("besides", "also, in addition"),
    ("meanwhile", "while it runs"),
    ("by and by", "eventually"),
    ("little by little", "gradually"),
    ("in its turn", "in turn"),
    ("in their turn", "in turn"),
    ("dear", "expensive"),
    ("road", "path, pipeline"),
    ("door", "interface"),
    ("so many times", "up to N times"),
    ("is granted", "has the bound"),
    ("is left off", "stops early"),
    ("leaves off", "stops early"),
    ("speaks of", "refers to"),
    ("speak of", "refer to"),
    ("is no pointer", "is not a pointer"),
    ("is no cell", "is not a cell"),
    ("is no shared", "is not a shared"),
    ("goes astray", "is outside shared memory; fails"),
    ("by all means", "in any case"),
    ("ledger", "list of pending items"),
];

#[test]
fn sources_use_plain_terms() {
    check(sources().into_iter());
}

#[test]
fn tests_benchmarks_and_documents_use_plain_terms() {
    let list_of_terms = root().join(file!());
    let files = [rust_files("tests"), rust_files("benches")].concat();
    let documents =
        ["README.md", "CHANGELOG.md", "Justfile", ".ci/run"].map(|name| root().join(name));
    let files = files.into_iter().filter(|file| *file != list_of_terms);
    check(files.chain(documents));
}

/// Checks that no file contains a word to avoid.
fn check(files: impl Iterator<Item = PathBuf>) {
    let offences: Vec<String> = files
        .flat_map(|file| {
            let found = offences(&read(&file)).into_iter();
            let name = file.display().to_string();
            found.map(move |(line, word, plain)| format!("{name}:{line}: `{word}`: say {plain}"))
        })
        .collect();
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn phrases_are_whole_words_and_may_be_broken_across_lines() {
    let text = "/// It stands in\n    /// Front of the fence.\nlet behindhand = 1; // tells";
    let found: Vec<(usize, &str)> = offences(text)
        .into_iter()
        .map(|(line, word, _)| (line, word))
        .collect();
    assert_eq!(found, [(1, "in front of"), (3, "tells")]);
}

/// The words to avoid in a text: the line where each starts, the phrase, and the plain term.
fn offences(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let words: Vec<(usize, String)> = text
        .lines()
        .enumerate()
        .flat_map(|(index, line)| {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let words = words.filter(|word| !word.is_empty());
            words.map(move |word| (index + 1, word.to_lowercase()))
        })
        .collect();
    let mut found = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        for (phrase, plain) in BANNED {
            let mut rest = words[at..].iter().map(|(_, word)| word.as_str());
            if phrase.split(' ').all(|word| rest.next() == Some(word)) {
                found.push((*line, phrase, plain));
            }
        }
    }
    found
}
