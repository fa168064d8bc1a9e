//! Programs in Rust: rustc accepts those of the corpus, before and after a patch; no text makes the
//! parser panic.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the corpus has failed"
)]

use crate::support::{config, patches};
use config::config;
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::{
    Format, ParseOptions, parse_as, parse_with, render, rewrite_as,
};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Aim, FenceKind};
use proptest::prelude::*;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

fn programs() -> Vec<PathBuf> {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/rust");
    files(&[corpus.join("race"), corpus.join("real"), corpus])
}

/// The files in Rust in these folders.
fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("the folder is there"))
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
}

/// What the corpus uses of loom, in terms of the standard library.
const LOOM: &str = "
pub use std::{hint, thread};
pub mod sync {
    pub use std::sync::{atomic, Arc, Mutex};
}
pub mod cell {
    pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);
    impl<T> UnsafeCell<T> {
        pub fn new(value: T) -> Self { UnsafeCell(std::cell::UnsafeCell::new(value)) }
        pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R { f(self.0.get()) }
        pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R { f(self.0.get()) }
    }
}
pub fn model(f: impl Fn() + Sync + Send + 'static) { f() }
pub mod model {
    pub struct Builder { pub preemption_bound: Option<usize>, pub max_branches: usize }
    impl Builder {
        pub fn new() -> Self { Builder { preemption_bound: None, max_branches: 1000 } }
        pub fn check(&self, f: impl Fn() + Sync + Send + 'static) { f() }
    }
}
";

/// What the corpus uses of `atomic_wait`.
const ATOMIC_WAIT: &str = "
use std::sync::atomic::AtomicU32;
pub fn wait(_: &AtomicU32, _: u32) {}
pub fn wake_one(_: *const AtomicU32) {}
pub fn wake_all(_: *const AtomicU32) {}
";

/// What the compiler says against a text in the edition that it states.
fn rustc(arguments: &[&str], text: &str) -> Option<String> {
    let stated = text
        .lines()
        .find_map(|line| line.strip_prefix("//: edition "));
    let edition = stated.unwrap_or("2024");
    let compiler = Command::new("rustc")
        .args(["--edition", edition, "-A", "warnings", "--color", "never"])
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut compiler = compiler.ok()?;
    let mut input = compiler.stdin.take().expect("it was piped");
    input.write_all(text.as_bytes()).expect("it is read");
    drop(input);
    let output = compiler.wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() {
        String::new()
    } else {
        messages
    })
}

/// The folder of the crates that the corpus uses; `None` where there is no compiler.
fn crates() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<TempDir>> = OnceLock::new();
    let made = || {
        let folder = TempDir::new().expect("there is room");
        let out = folder.path().display().to_string();
        for (name, text) in [("loom", LOOM), ("atomic_wait", ATOMIC_WAIT)] {
            let arguments = [
                "--crate-type",
                "lib",
                "--crate-name",
                name,
                "--out-dir",
                &out,
            ];
            let messages = rustc(&arguments, text)?;
            assert_eq!(messages, "", "the stub of {name}");
        }
        Some(folder)
    };
    FOLDER.get_or_init(made).as_ref().map(TempDir::path)
}

/// What a compiler says against a text; nothing where there is no compiler.
fn complaints(text: &str) -> String {
    let Some(crates) = crates() else {
        return String::new();
    };
    let crates = crates.display();
    let loom = format!("loom={crates}/libloom.rlib");
    let waiting = format!("atomic_wait={crates}/libatomic_wait.rlib");
    let out = TempDir::new().expect("there is room");
    let out = out.path().display().to_string();
    let arguments = [
        "--test",
        "--crate-name",
        "program",
        "--emit",
        "metadata",
        "--extern",
        &loom,
        "--extern",
        &waiting,
        "--out-dir",
        &out,
    ];
    rustc(&arguments, text).unwrap_or_default()
}

#[test]
fn the_corpus_is_rust() {
    let any = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/any");
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/rust/crates");
    let (all, any, crates) = (programs(), files(&[any]), files(&[crates]));
    assert!(all.len() >= 30 && any.len() >= 2 && crates.len() >= 60);
    for file in all.into_iter().chain(any).chain(crates) {
        let text = fs::read_to_string(&file).expect("it is text");
        assert_eq!(complaints(&text), "", "{}", file.display());
    }
}

/// How many patches of a kind were made. Each was verified.
fn patched(kind: FenceKind) -> usize {
    patches::patched(Format::Rust, programs(), &[(kind, 1)], complaints)
}

#[test]
fn a_program_with_fences_is_robust_and_compiles() {
    let patched = patched(FenceKind::Full);
    assert!(patched >= 15, "{patched}");
}

#[test]
fn a_program_with_stronger_stores_is_robust_and_compiles() {
    let patched = patched(FenceKind::Exchange);
    assert!(patched >= 10, "{patched}");
}

/// The first cheapest set of fences against violations of TSO, written into the text.
fn fenced(text: &str) -> String {
    let parsed = parse_as(Format::Rust, text);
    let shown = render(&parsed.diagnostics, "program", text, false);
    let program = parsed.positions().unwrap_or_else(|| panic!("{shown}"));
    let options = FenceOptions::new(Model::Tso, Aim::Robustness);
    let report = cheapest_fences(program, &options, &Budget::default()).expect("no defect");
    let changes = report.changes(program).expect("a set was found");
    rewrite_as(Format::Rust, text, program, &changes).expect("it can be written")
}

/// Store buffering, with these imports, loads and words around them.
fn buffering(imports: &str, order: &str, first: &str, second: &str) -> String {
    format!(
        "{imports}\nstatic X: AtomicU32 = AtomicU32::new(0);\nstatic Y: AtomicU32 = AtomicU32::new(0);\n\
         #[test]\nfn test() {{\n    let t = std::thread::spawn(|| {{\n        X.store(1, {order});\n        \
         {first}\n    }});\n    Y.swap(1, {order});\n    {second}\n    t.join().unwrap();\n}}\n"
    )
}

#[test]
fn a_fence_is_imported_where_its_name_is_free() {
    let load = "assert!(Y.load(Relaxed) < 2);";
    let other = "assert!(X.load(Relaxed) < 2);";
    let imports = "use std::sync::atomic::{AtomicU32, Ordering::{Relaxed, SeqCst}};";
    let text = fenced(&buffering(imports, "Relaxed", load, other));
    let extended = "use std::sync::atomic::{AtomicU32, Ordering::{Relaxed, SeqCst}, fence};\n";
    assert!(text.contains(extended), "{text}");
    assert!(
        text.contains(&format!("        fence(SeqCst);\n        {load}\n")),
        "{text}"
    );
    assert_eq!(complaints(&text), "", "{text}");
    // The name is something else.
    let imports = "use std::sync::atomic::{AtomicU32, Ordering};\nfn fence() {}";
    let load = "assert!(Y.load(Ordering::Relaxed) < 2);";
    let other = "assert!(X.load(Ordering::Relaxed) < 2); fence();";
    let text = fenced(&buffering(imports, "Ordering::Relaxed", load, other));
    let call = "        std::sync::atomic::fence(Ordering::SeqCst);\n";
    assert!(text.contains(call), "{text}");
    assert_eq!(complaints(&text), "", "{text}");
    // It is already there, under another name of the order.
    let imports = "use std::sync::atomic::{self, fence, AtomicU32};";
    let order = "atomic::Ordering::Relaxed";
    let load = "assert!(Y.load(atomic::Ordering::Relaxed) < 2);";
    let other = "assert!(X.load(atomic::Ordering::Relaxed) < 2);";
    let text = fenced(&buffering(imports, order, load, other));
    assert!(
        text.contains("        fence(std::sync::atomic::Ordering::SeqCst);\n"),
        "{text}"
    );
    assert_eq!(complaints(&text), "", "{text}");
}

#[test]
fn a_fence_is_imported_from_where_the_atomics_come_from() {
    let order = "Ordering::Relaxed";
    let load = "assert!(Y.load(Ordering::Relaxed) < 2);";
    let other = "assert!(X.load(Ordering::Relaxed) < 2);";
    for (imports, added) in [
        (
            "use loom::sync::atomic::AtomicU32;\nuse std::sync::atomic::Ordering;",
            "use loom::sync::atomic::AtomicU32;\nuse loom::sync::atomic::fence;\nuse std::",
        ),
        (
            "use std::sync::atomic::Ordering;\nuse loom::sync::atomic::{AtomicU32};",
            "use loom::sync::atomic::{AtomicU32, fence};\n",
        ),
        (
            "use core::sync::atomic::{AtomicU32, Ordering};",
            "use core::sync::atomic::{AtomicU32, Ordering, fence};\n",
        ),
        (
            "use std::sync::atomic::Ordering;\n#[cfg(loom)]\nuse loom::sync::atomic::AtomicU32;\n\
             #[cfg(not(loom))]\nuse std::sync::atomic::AtomicU32;",
            "#[cfg(loom)]\nuse loom::sync::atomic::AtomicU32;\n#[cfg(loom)]\n\
             use loom::sync::atomic::fence;\n#[cfg(not(loom))]\nuse std::sync::atomic::AtomicU32;\n\
             #[cfg(not(loom))]\nuse std::sync::atomic::fence;\n",
        ),
        (
            "mod sync {\n    pub use loom::sync::*;\n}\nuse sync::atomic::{AtomicU32, Ordering};",
            "use sync::atomic::{AtomicU32, Ordering, fence};\n",
        ),
        (
            "use portable_atomic::AtomicU32;\nuse std::sync::atomic::Ordering;",
            "use portable_atomic::AtomicU32;\nuse portable_atomic::fence;\n",
        ),
    ] {
        let text = fenced(&buffering(imports, order, load, other));
        assert!(text.contains(added), "{text}");
        assert!(
            text.contains("        fence(Ordering::SeqCst);\n"),
            "{text}"
        );
    }
}

#[test]
fn a_fence_goes_into_conditions() {
    let imports = "use std::sync::atomic::{fence, AtomicU32, Ordering::*};";
    let load = "while Y.load(Relaxed) == 7 {}";
    let text = fenced(&buffering(
        imports,
        "Relaxed",
        load,
        "while X.load(Relaxed) == 7 {}",
    ));
    assert_eq!(complaints(&text), "", "{text}");
    let load = "if X.load(Relaxed) == 1 && Y.load(Relaxed) == 7 { Y.store(3, Relaxed); }";
    let text = fenced(&buffering(
        imports,
        "Relaxed",
        load,
        "while X.load(Relaxed) == 7 {}",
    ));
    assert!(text.contains("fence(SeqCst);"), "{text}");
    assert_eq!(complaints(&text), "", "{text}");
}

#[test]
fn release_builds_wrap() {
    let text = "use std::sync::atomic::{AtomicU8, Ordering::SeqCst};\n\
                static X: AtomicU8 = AtomicU8::new(255);\n\
                #[test] fn t() { let t = std::thread::spawn(|| X.load(SeqCst));\n\
                let x = t.join().unwrap() + 1; assert!(x == 0); }";
    let verdict = |options: &ParseOptions| {
        let parsed = parse_with(Format::Rust, text, options);
        let program = parsed.program.expect("it has no errors");
        let options = fencepost::internals::check::CheckOptions::new(Model::Sc);
        let report = fencepost::internals::check::check(&program, &options, &Budget::default());
        report.expect("no defect").verdict().word().to_owned()
    };
    assert_eq!(verdict(&ParseOptions::new()), "violated");
    assert_eq!(verdict(&ParseOptions::new().release()), "holds");
    // Only Rust has such builds.
    let other = parse_with(Format::Fence, "shared x;", &ParseOptions::new().release());
    assert!(other.diagnostics[0].message.starts_with("--release"));
}

#[test]
fn a_test_is_selected_by_its_name() {
    let text = "use std::sync::atomic::{AtomicU8, Ordering::SeqCst};\n\
                static X: AtomicU8 = AtomicU8::new(0);\n\
                #[test] fn first() { X.store(1, SeqCst); assert!(X.load(SeqCst) == 1); }\n\
                #[test] fn second() { assert!(X.load(SeqCst) == 1); }\n";
    let parsed = |name: Option<&str>| {
        let options = ParseOptions::new();
        let options = name.into_iter().fold(options, ParseOptions::entry);
        parse_with(Format::Rust, text, &options)
    };
    let verdict = |name| {
        let program = parsed(Some(name)).program.expect("it has no errors");
        let options = fencepost::internals::check::CheckOptions::new(Model::Sc);
        let report = fencepost::internals::check::check(&program, &options, &Budget::default());
        report.expect("no defect").verdict().word().to_owned()
    };
    assert_eq!([verdict("first"), verdict("second")], ["holds", "violated"]);
    let note = &parsed(None).diagnostics[0].notes[0];
    assert_eq!(note, "`--test NAME` selects one: `first`, `second`");
    let missing = &parsed(Some("secnd")).diagnostics[0];
    assert_eq!(missing.label, "did you mean `second`?");
}

#[test]
fn deep_texts_are_refused() {
    let inside = |text: &str| format!("#[test] fn t() {{ let x = {text}; }}");
    let many = 100_000;
    let texts = [
        inside(&format!("{}1{}", "(".repeat(many), ")".repeat(many))),
        inside(&format!("{}1{}", "[".repeat(many), "]".repeat(many))),
        inside(&format!("{}1{}", "{".repeat(many), "}".repeat(many))),
        inside(&format!("{}true", "!".repeat(many))),
        inside(&format!("{}1", "-".repeat(many))),
        inside(&format!("{}1", "&".repeat(many))),
        inside(&format!("1{}", " + 1".repeat(many))),
        inside(&format!("a{}", ".b()".repeat(many))),
        inside(&format!("{}1", "return ".repeat(many))),
        inside(&format!("{}1", "a = ".repeat(many))),
        inside(&format!("{}1", "|| ".repeat(many))),
        inside(&format!("{}{{}}", "if a {} else ".repeat(many))),
        format!("type T = {}u32;", "&".repeat(many)),
        "(".repeat(many),
        "}".repeat(many),
        "mod a {".repeat(many),
    ];
    for text in texts {
        let parsed = parse_as(Format::Rust, &text);
        assert!(parsed.program.is_none() && !parsed.diagnostics.is_empty());
    }
}

/// Parts of programs, to be put into other places.
const PARTS: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "&",
    "*",
    "!",
    "|| ",
    "move ",
    "X",
    "self",
    "loop",
    "break",
    "return",
    "match x { Some(a) => a, None => 0 }",
    "let (a, b) = (1, 2);",
    "unsafe",
    "?",
    "0..3",
    "'a: ",
    ".unwrap()",
    "#[test]",
];

/// A change of a text: where, how much is removed, and what comes there.
fn changes() -> BoxedStrategy<Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..10_000_usize, 0..40_usize, 0..PARTS.len() * 2), 1..6).boxed()
}

/// The words and signs of a text.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(end);
        found.push(piece);
        rest = after;
    }
    found
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn no_text_makes_the_parser_panic(
        file in 0..1000_usize,
        changes in changes(),
        stuck: bool,
    ) {
        let files = programs();
        let text = fs::read_to_string(&files[file % files.len()]).expect("it is text");
        let mut pieces: Vec<&str> = pieces(&text);
        for (at, removed, part) in changes {
            let at = at % (pieces.len() + 1);
            let end = (at + removed % 4).min(pieces.len());
            let taken = pieces.get(part * 37 % pieces.len().max(1)).copied().unwrap_or("");
            let part = PARTS.get(part).copied().unwrap_or(taken);
            pieces.splice(at..end, [part]);
        }
        let text = pieces.concat();
        let options = if stuck { ParseOptions::new().forbid_stuck() } else { ParseOptions::new() };
        let parsed = parse_with(Format::Rust, &text, &options);
        let failed = parsed.program.is_none();
        prop_assert!(!failed || !parsed.diagnostics.is_empty(), "{}", text);
        for diagnostic in &parsed.diagnostics {
            prop_assert!(text.get(diagnostic.span.clone()).is_some(), "{:?}\n{}", diagnostic, text);
        }
        render(&parsed.diagnostics, "program", &text, false);
    }
}
