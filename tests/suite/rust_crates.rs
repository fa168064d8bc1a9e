//! Programs in Rust of several files and crates: names, conditions, patches, and `cargo fencepost`.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program or write a folder has failed"
)]

use crate::support::process;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{
    Crate, Crates, Edition, Format, FoundFile, ParseOptions, Parsed, Reached, Severity, parse_with,
    print_as,
};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Change, Fence, Op};
use fencepost::texts::rewrite_with;
use process::{code, fencepost, stderr, stdout};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

/// The files of a program by their paths.
type Files = BTreeMap<String, String>;

fn files(list: &[(&str, &str)]) -> Files {
    let list = list.iter();
    list.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}

/// Options by which these files are found, beside each other.
fn finding(files: &Files, main: &str) -> ParseOptions {
    let files = files.clone();
    ParseOptions::new()
        .name(main)
        .edition(Edition::E2021)
        .files(Arc::new(
            move |name: &str, from: Option<&str>| -> Result<Option<FoundFile>, String> {
                let folder = from.and_then(|from| from.rsplit_once('/'));
                let path = match folder {
                    Some((folder, _)) => format!("{folder}/{name}"),
                    None => name.to_owned(),
                };
                Ok(files.get(&path).map(|text| FoundFile {
                    name: path,
                    text: text.clone(),
                    system: false,
                }))
            },
        ))
}

fn read(files: &Files, main: &str) -> Parsed {
    parse_with(Format::Rust, &files[main], &finding(files, main))
}

/// The verdict under TSO, or the errors.
fn verdict_of(parsed: &Parsed) -> Result<&'static str, Vec<String>> {
    let Some(program) = &parsed.program else {
        let errors = parsed.diagnostics.iter();
        let errors = errors.filter(|one| one.severity == Severity::Error);
        return Err(errors
            .map(|one| {
                [std::slice::from_ref(&one.message), &one.notes]
                    .concat()
                    .join("; ")
            })
            .collect());
    };
    let report = check(program, &CheckOptions::new(Model::Tso), &Budget::default());
    Ok(report.expect("no defect").verdict().word())
}

fn verdict(list: &[(&str, &str)]) -> Result<&'static str, Vec<String>> {
    verdict_of(&read(&files(list), list[0].0))
}

/// A test that holds if `value()` is this.
fn test_of(expected: u32) -> String {
    format!("#[test] fn t() {{ assert_eq!(value(), {expected}); }}")
}

#[test]
fn files_of_modules_are_found_where_the_compiler_looks() {
    let main = "mod a; mod b; mod c { pub mod d; } #[path = \"odd.rs\"] mod e; \
                #[test] fn t() { assert_eq!(a::inner::N + b::M + c::d::K + e::near::J, 1111); }";
    let good = [
        ("src/lib.rs", main),
        ("src/a.rs", "pub mod inner;"),
        ("src/a/inner.rs", "pub const N: u32 = 1;"),
        ("src/b/mod.rs", "mod m; pub use m::M;"),
        ("src/b/m.rs", "pub const M: u32 = 10;"),
        ("src/c/d.rs", "pub const K: u32 = 100;"),
        ("src/odd.rs", "pub mod near;"),
        ("src/near.rs", "pub const J: u32 = 1000;"),
        ("src/inner.rs", "pub const N: u32 = 5;"),
    ];
    assert_eq!(verdict(&good), Ok("holds"));
}

#[test]
fn a_file_that_is_not_there_matters_where_it_is_needed() {
    let unneeded = files(&[("src/lib.rs", "mod a; #[test] fn t() { assert!(true); }")]);
    let parsed = read(&unneeded, "src/lib.rs");
    assert_eq!(verdict_of(&parsed), Ok("holds"));
    // What is in it may be a `Drop`: the verdict says so.
    assert_eq!(parsed.left_out(&unneeded["src/lib.rs"]).len(), 1);
    let needed = "mod a; use a::*; #[test] fn t() { assert!(f()); }";
    let errors = verdict(&[("src/lib.rs", needed)]).expect_err("`f` is not there");
    let expected = "`f` is not known; the file of the module `a` was not found: looked for `a.rs`, \
                    `a/mod.rs` beside `src/lib.rs`";
    assert_eq!(errors, [expected]);
    // Without a way to find files, too.
    let parsed = parse_with(Format::Rust, needed, &ParseOptions::new());
    let errors = verdict_of(&parsed).expect_err("`f` is not there");
    assert!(
        errors[0].contains("no files but this one are read here"),
        "{errors:?}"
    );
}

#[test]
fn a_file_is_no_module_of_itself() {
    let errors = verdict(&[
        ("src/lib.rs", "mod a; #[test] fn t() {}"),
        ("src/a.rs", "#[path = \"a.rs\"] mod b;"),
    ]);
    let errors = errors.expect_err("it has no end");
    assert!(errors[0].contains("is a module of itself"), "{errors:?}");
}

#[test]
fn names_are_those_of_the_compiler() {
    for (expected, list) in [
        // Imports of everything see what is visible where they are, and no more.
        (
            1,
            &[
                (
                    "src/lib.rs",
                    "mod a; mod b; use a::*; use b::*; fn value() -> u32 { f() }",
                ),
                ("src/a.rs", "fn f() -> u32 { 2 }"),
                ("src/b.rs", "pub(crate) fn f() -> u32 { 1 }"),
            ][..],
        ),
        // They may form cycles.
        (
            3,
            &[
                (
                    "src/lib.rs",
                    "mod a; mod b; use a::*; fn value() -> u32 { f() }",
                ),
                ("src/a.rs", "pub use crate::b::*; pub use super::*;"),
                ("src/b.rs", "pub use crate::a::*; pub fn f() -> u32 { 3 }"),
            ],
        ),
        // A module and a function of the same name are not the same.
        (
            4,
            &[
                (
                    "src/lib.rs",
                    "mod f; use f::f; fn value() -> u32 { f() + f::g() }",
                ),
                (
                    "src/f.rs",
                    "pub fn f() -> u32 { 1 } pub fn g() -> u32 { 3 }",
                ),
            ],
        ),
        // Names of modules that are re-exported under others.
        (
            5,
            &[
                (
                    "src/lib.rs",
                    "mod a; use a::public::f as g; fn value() -> u32 { g() }",
                ),
                ("src/a.rs", "mod deep; pub use self::deep as public;"),
                ("src/a/deep.rs", "pub fn f() -> u32 { super::super::h() }"),
                ("src/unused.rs", ""),
            ],
        ),
    ] {
        let mut list: Vec<(&str, String)> = list
            .iter()
            .map(|(name, text)| (*name, (*text).to_owned()))
            .collect();
        let main = &mut list[0].1;
        let _ = write!(main, " fn h() -> u32 {{ 5 }} {}", test_of(expected));
        let list: Vec<(&str, &str)> = list.iter().map(|(name, text)| (*name, &**text)).collect();
        assert_eq!(verdict(&list), Ok("holds"), "{list:?}");
    }
}

#[test]
fn an_error_is_in_the_file_that_has_it() {
    let all = files(&[
        ("src/lib.rs", "mod a;\n#[test] fn t() { a::f(); }"),
        ("src/a.rs", "\n\npub fn f() { unknown(); }"),
    ]);
    let shown = read(&all, "src/lib.rs").render("src/lib.rs", &all["src/lib.rs"], false);
    assert!(shown.contains("src/a.rs:3:14"), "{shown}");
    let wrong = files(&[
        ("src/lib.rs", "mod a;\n#[test] fn t() {}"),
        ("src/a.rs", "\npub fn f() { ] }"),
    ]);
    let shown = read(&wrong, "src/lib.rs").render("src/lib.rs", &wrong["src/lib.rs"], false);
    assert!(
        shown.contains("src/a.rs") || shown.contains("not a token"),
        "{shown}"
    );
}

#[test]
fn tests_have_the_names_of_their_modules() {
    let all = files(&[
        (
            "src/lib.rs",
            "mod a; #[cfg(test)] mod tests; #[test] fn t() {}",
        ),
        (
            "src/a.rs",
            "#[cfg(test)] mod tests { #[test] fn t() { std::thread::spawn(|| {}); } }",
        ),
        (
            "src/tests.rs",
            "#[test] fn u() { helper(); } fn helper() { std::thread::scope(|s| { s.spawn(|| {}); }); }",
        ),
    ]);
    let options = finding(&all, "src/lib.rs");
    let entries = Format::Rust.entries(&all["src/lib.rs"], &options);
    let entries: Vec<_> = entries
        .unwrap()
        .into_iter()
        .map(|entry| (entry.name, entry.creates_threads))
        .collect();
    let named = |name: &str, creates: bool| (name.to_owned(), creates);
    let expected = [
        named("a::tests::t", true),
        named("tests::u", true),
        named("t", false),
    ];
    assert_eq!(entries, expected);
    for (name, works) in [
        ("t", true),
        ("tests::t", true),
        ("a::tests::t", true),
        ("u", true),
        ("v", false),
    ] {
        let parsed = parse_with(
            Format::Rust,
            &all["src/lib.rs"],
            &options.clone().entry(name),
        );
        assert_eq!(parsed.program.is_some(), works, "{name}");
    }
}

/// Whether a test creates threads is decided where its macros are expanded, too.
#[test]
fn tests_in_files_with_macros_are_found() {
    let text = "macro_rules! run { ($e:expr) => { std::thread::spawn(|| $e).join().unwrap() } }
        mod tests { #[test] fn a() { run!(1); } #[test] fn b() { let h = std::thread::spawn(|| 1); h.join().unwrap(); }
        #[test] fn c() {} }";
    let entries = Format::Rust.entries(text, &ParseOptions::new()).unwrap();
    let found: Vec<bool> = entries.iter().map(|entry| entry.creates_threads).collect();
    assert_eq!(found, [true, true, false]);
}

/// A macro may make modules that have files of their own: `cfg_std! { mod x; }`.
#[test]
fn modules_that_macros_make_have_files() {
    let main = "
        macro_rules! items { ($($i:item)*) => { $($i)* } }
        macro_rules! make { ($n:ident) => { pub mod $n; }; (both $a:ident $b:ident) => { make!($a); make!($b); } }
        macro_rules! absent { () => { mod nowhere; } }
        macro_rules! num { () => { 100 } }
        items! { mod a; #[cfg(windows)] mod c; #[path = \"odd.rs\"] pub mod e; }
        make!(both b d);
        absent!();
        mod inner { items! { pub mod f; } }
        fn value() -> u32 { a::deep::N + b::M + d::K + e::J + inner::f::I }";
    let good = [
        ("src/lib.rs", format!("{main} {}", test_of(111_211))),
        ("src/a.rs", "make!(deep);".to_owned()),
        (
            "src/a/deep.rs",
            "pub const N: u32 = num!() / 100;".to_owned(),
        ),
        ("src/b.rs", "pub const M: u32 = 10;".to_owned()),
        ("src/d/mod.rs", "pub const K: u32 = num!() * 2;".to_owned()),
        (
            "src/odd.rs",
            "pub const J: u32 = 1000 + super::b::M * 1000;".to_owned(),
        ),
        ("src/inner/f.rs", "pub const I: u32 = 100_000;".to_owned()),
    ];
    let list: Vec<(&str, &str)> = good.iter().map(|(name, text)| (*name, &**text)).collect();
    assert_eq!(verdict(&list), Ok("holds"));
}

#[test]
fn features_and_configurations_choose_what_is_compiled() {
    let text = "
        #[cfg(feature = \"fast\")] fn value() -> u32 { 1 }
        #[cfg(not(feature = \"fast\"))] fn value() -> u32 { if cfg!(backend = \"futex\") { 2 } else { 3 } }
        #[cfg_attr(test, cfg(special))] fn value() -> u32 { 7 }
        fn two(a: u32, #[cfg(windows)] b: u32, #[cfg(test)] c: u32) -> u32 { a + c }
        #[test] fn t() { assert_eq!(two(value(), 0), EXPECTED); }";
    let with = |expected: u32, options: ParseOptions| {
        let text = text.replace("EXPECTED", &expected.to_string());
        verdict_of(&parse_with(Format::Rust, &text, &options))
    };
    assert_eq!(with(3, ParseOptions::new()), Ok("holds"));
    let futex = ParseOptions::new().cfg("backend", Some("futex".to_owned()));
    assert_eq!(with(2, futex), Ok("holds"));
    let fast = Crate {
        features: ["fast".to_owned()].into(),
        ..Crate::default()
    };
    assert_eq!(
        with(1, ParseOptions::new().crates(Crates(vec![fast]))),
        Ok("holds")
    );
}

#[test]
fn crates_are_apart_and_have_editions_of_their_own() {
    // Since 2024, what `lock.get()` keeps is dropped before its `else`.
    let other = "pub struct Noisy<'a>(&'a std::sync::atomic::AtomicU32);
        impl Drop for Noisy<'_> { fn drop(&mut self) { self.0.store(1, std::sync::atomic::Ordering::SeqCst); } }
        impl<'a> Noisy<'a> { fn none(&self) -> Option<u32> { None } }
        pub fn before(x: &std::sync::atomic::AtomicU32) -> u32 {
            if let Some(n) = Noisy(x).none() { n } else { x.load(std::sync::atomic::Ordering::SeqCst) } }";
    let main =
        "use other_crate::before; use std::sync::atomic::AtomicU32; mod own { pub fn before() {} }
        static X: AtomicU32 = AtomicU32::new(0);
        #[test] fn t() { own::before(); assert_eq!(before(&X), 1); }";
    let all = files(&[("tests/t.rs", main), ("src/lib.rs", other)]);
    let with = |edition: Edition| {
        let own = Crate {
            edition: Some(Edition::E2021),
            names: [("other_crate".to_owned(), Reached::Crate(1))].into(),
            ..Crate::default()
        };
        let lib = Crate {
            root: "src/lib.rs".to_owned(),
            edition: Some(edition),
            ..Crate::default()
        };
        let options = finding(&all, "tests/t.rs").crates(Crates(vec![own, lib]));
        verdict_of(&parse_with(Format::Rust, main, &options))
    };
    assert_eq!(with(Edition::E2024), Ok("holds"));
    assert_eq!(with(Edition::E2021), Ok("violated"));
    let absent = Crate {
        names: [(
            "other_crate".to_owned(),
            Reached::Absent("looked in `../other`".to_owned()),
        )]
        .into(),
        ..Crate::default()
    };
    let options = finding(&all, "tests/t.rs").crates(Crates(vec![absent]));
    let errors =
        verdict_of(&parse_with(Format::Rust, main, &options)).expect_err("it is not there");
    assert_eq!(
        errors,
        ["`before` is not known; the crate `other_crate` was not found: looked in `../other`"]
    );
}

const GATE: &str = "use crate::sync::{AtomicBool, Ordering};
pub static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
pub fn enter(me: usize) -> bool {
    WANTS[me].store(true, Ordering::Release);
    !WANTS[1 - me].load(Ordering::Acquire)
}
";

/// The change that inserts a fence before each load in `GATE`.
fn fences(parsed: &Parsed) -> Vec<Change> {
    let program = parsed.positions().unwrap();
    let mut changes = Vec::new();
    for (thread, automaton) in program.threads().iter().enumerate() {
        for instruction in automaton.instructions() {
            let line = instruction.origin.line == 5 && instruction.op == Op::Skip;
            if line && program.short_file(instruction.origin).is_some() {
                changes.push(Change::Fence {
                    thread: thread.into(),
                    loc: instruction.from,
                    fence: Fence::Full,
                });
            }
        }
    }
    changes
}

#[test]
fn fences_are_written_into_the_file_that_has_the_statement() {
    let main = "mod sync; mod gate; use std::thread;
        #[test] fn t() { let o = thread::spawn(|| gate::enter(1)); let m = gate::enter(0);
            assert!(!(m && o.join().unwrap())); }";
    let all = files(&[
        ("src/lib.rs", main),
        ("src/gate.rs", GATE),
        ("src/sync.rs", "pub use std::sync::atomic::*;"),
    ]);
    let parsed = read(&all, "src/lib.rs");
    assert_eq!(verdict_of(&parsed), Ok("violated"));
    let options = finding(&all, "src/lib.rs");
    let program = parsed.positions().unwrap();
    let changes = fences(&parsed);
    assert!(!changes.is_empty());
    let new = rewrite_with(Format::Rust, main, &options, program, &changes).unwrap();
    assert_eq!(new.text, main);
    let names: Vec<&str> = new.others.iter().map(|other| other.name.as_str()).collect();
    assert_eq!(names, ["src/gate.rs"]);
    let after = &new.others[0].after;
    assert!(after.contains("{AtomicBool, Ordering, fence}"), "{after}");
    assert!(
        after.contains("    fence(Ordering::SeqCst);\n    !WANTS"),
        "{after}"
    );
    let mut mended = all.clone();
    mended.insert("src/gate.rs".to_owned(), after.clone());
    assert_eq!(verdict_of(&read(&mended, "src/lib.rs")), Ok("holds"));
    // A file of two modules has statements of both.
    let twice = main.replace("mod gate;", "mod gate; #[path = \"gate.rs\"] mod again;");
    let mut all = all;
    all.insert("src/lib.rs".to_owned(), twice.clone());
    let parsed = read(&all, "src/lib.rs");
    let options = finding(&all, "src/lib.rs");
    let program = parsed.positions().unwrap();
    let refused = rewrite_with(Format::Rust, &twice, &options, program, &fences(&parsed));
    let why = refused.expect_err("the file has two meanings").to_string();
    assert!(
        why.contains("several modules have the file `src/gate.rs`"),
        "{why}"
    );
}

/// A module of a random program: how its items are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Inline,
    File,
    Folder,
    Path,
}

/// A program with modules `m0` in the root and `m1`, … each in the root or in one before it.
struct Tree<'t> {
    /// What says where each is, and how it is written down.
    ways: &'t [(usize, Way)],
    /// Which loads the static of which.
    uses: &'t [(usize, usize)],
}

impl Tree<'_> {
    /// The module that one is in, counted from 1; 0 is the root.
    fn parent(&self, at: usize) -> usize {
        self.ways[at].0 % (at + 1)
    }

    fn path(&self, at: usize) -> String {
        let mut parts = vec![format!("m{at}")];
        let mut up = self.parent(at);
        while up > 0 {
            parts.push(format!("m{}", up - 1));
            up = self.parent(up - 1);
        }
        parts.push("crate".to_owned());
        parts.reverse();
        parts.join("::")
    }

    /// What a module has itself.
    fn own(&self, at: usize) -> String {
        let mut text = format!(
            "use std::sync::atomic::{{AtomicU32, Ordering}};\npub static S: AtomicU32 = AtomicU32::new({at});\n\
             pub fn f() -> u32 {{ S.store({}, Ordering::Release); 0",
            at + 10
        );
        let count = self.ways.len();
        for (_, to) in self.uses.iter().filter(|(from, _)| from % count == at) {
            let path = self.path(to % count);
            let _ = write!(text, " + {path}::S.load(Ordering::Acquire)");
        }
        text.push_str(" }\n");
        text
    }

    /// The text of a module with those in it. `folder` is that of its file, and `inner` where its modules are from there;
    /// without files, all of them are written out.
    fn text(
        &self,
        at: usize,
        (folder, inner): (&str, &str),
        mut files: Option<&mut Files>,
    ) -> String {
        let mut text = match at {
            0 => String::new(),
            at => self.own(at - 1),
        };
        for child in (0..self.ways.len()).filter(|child| self.parent(*child) == at) {
            let name = format!("m{child}");
            let beside = format!("{folder}{inner}");
            let way = match files {
                Some(_) => self.ways[child].1,
                None => Way::Inline,
            };
            let (attribute, file, place) = match way {
                Way::Inline => {
                    let deeper = format!("{inner}{name}/");
                    let body = self.text(child + 1, (folder, &deeper), files.as_deref_mut());
                    let _ = writeln!(text, "pub mod {name} {{\n{body}}}");
                    continue;
                }
                Way::File => (
                    "",
                    format!("{beside}{name}.rs"),
                    (beside.clone(), format!("{name}/")),
                ),
                Way::Folder => {
                    let own = format!("{beside}{name}/");
                    ("", format!("{own}mod.rs"), (own, String::new()))
                }
                Way::Path => {
                    let file = format!("{folder}odd_{name}.rs");
                    (
                        "#[path = \"odd_NAME.rs\"] ",
                        file,
                        (folder.to_owned(), String::new()),
                    )
                }
            };
            let attribute = attribute.replace("NAME", &name);
            let _ = writeln!(text, "{attribute}pub mod {name};");
            let body = self.text(child + 1, (&place.0, &place.1), files.as_deref_mut());
            if let Some(files) = &mut files {
                files.insert(file, body);
            }
        }
        text
    }

    /// The files of the program, and the text that is all of it.
    fn written(&self) -> (Files, String) {
        let test = "#[test] fn t() {\n    let other = std::thread::spawn(|| m0::f());\n    let mine = LAST::f();\n    \
                    assert!(mine + other.join().unwrap() < 23);\n}\n";
        let test = test.replace("LAST", &self.path(self.ways.len() - 1));
        let mut files = Files::new();
        let main = self.text(0, ("src/", ""), Some(&mut files));
        files.insert("src/lib.rs".to_owned(), format!("{main}{test}"));
        let whole = self.text(0, ("", ""), None);
        (files, format!("{whole}{test}"))
    }
}

proptest! {
    #![proptest_config(crate::support::config::config(64))]

    /// Where items are written down makes no difference.
    #[test]
    fn a_program_in_files_is_the_one_in_one_text(
        ways in prop::collection::vec(
            (0..4_usize, prop::sample::select(vec![Way::Inline, Way::File, Way::Folder, Way::Path])),
            1..5,
        ),
        uses in prop::collection::vec((0..5_usize, 0..5_usize), 0..4),
    ) {
        // `#[path]` in a module that is written out is relative to another folder: tested by itself.
        let is_written_out = |at: usize| {
            let parent = ways[at].0 % (at + 1);
            parent > 0 && ways[parent - 1].1 == Way::Inline
        };
        prop_assume!((0..ways.len()).all(|at| ways[at].1 != Way::Path || !is_written_out(at)));
        let tree = Tree { ways: &ways, uses: &uses };
        let (files, whole) = tree.written();
        let apart = read(&files, "src/lib.rs");
        let together = parse_with(Format::Rust, &whole, &ParseOptions::new().edition(Edition::E2021));
        let shown = |parsed: &Parsed| match &parsed.program {
            Some(program) => print_as(Format::Fence, program).map_err(|_| Vec::new()),
            None => Err(parsed.diagnostics.iter().map(|one| one.message.clone()).collect::<Vec<_>>()),
        };
        prop_assert!(together.program.is_some(), "{:?}\n{whole}", shown(&together));
        prop_assert_eq!(shown(&apart), shown(&together), "{:?}\n{}", files, whole);
    }
}

/// A copy of the sample workspace.
fn workspace() -> TempDir {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/rust/workspace");
    let to = tempfile::tempdir().unwrap();
    let mut open = vec![from.clone()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let new = to.path().join(path.strip_prefix(&from).unwrap());
            fs::create_dir_all(new.parent().unwrap()).unwrap();
            fs::copy(&path, new).unwrap();
        }
    }
    to
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-fencepost"));
    command.arg("fencepost").args(arguments).current_dir(folder);
    command.output().unwrap()
}

#[test]
fn a_package_is_read_from_its_folder() {
    let folder = workspace();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (arguments, expected) in [
        (&["gate"][..], 0),
        (&["gate/Cargo.toml"], 0),
        (&["gate/src/lib.rs", "--no-default-features"], 1),
        (&["counter/tests/both.rs"], 0),
        (&["signal"], 1),
        (&["signal", "--features", "mended"], 0),
        (&["signal", "--features", "unknown"], 2),
        (&["."], 2),
    ] {
        let first = path(arguments[0]);
        let all = [&["check", "-q", &first], &arguments[1..]].concat();
        let output = fencepost(&all, "");
        assert_eq!(
            code(&output),
            expected,
            "{all:?}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}

#[test]
fn cargo_fencepost_prints_a_line_for_each_test_with_threads() {
    let folder = workspace();
    let output = cargo(folder.path(), &[]);
    let lines = stdout(&output);
    assert_eq!(code(&output), 1, "{lines}{}", stderr(&output));
    let starts = [
        "counter/tests/both.rs --test nothing_is_counted_twice: Holds under TSO",
        "gate/src/lib.rs --test gate::tests::one_side_is_inside: Holds under TSO",
        "signal/src/lib.rs --test one_notices_the_other: Violated under TSO",
    ];
    let mut found = lines.lines();
    for start in starts {
        let line = found.next().unwrap_or_default();
        assert!(line.starts_with(start), "{lines}");
    }
    assert!(lines.ends_with("\n3 programs: 2 good, 1 bad\n"), "{lines}");
    for (arguments, expected) in [
        (&["-p", "gate"][..], 0),
        (&["check", "inside"], 0),
        (&["notices"], 1),
        (&["nowhere"], 2),
        (&["-p", "nothing"], 2),
        (&["robust", "-p", "signal"], 1),
        (&["-p", "signal", "--features", "mended"], 0),
        (&["--workspace", "--lib", "--model", "sc"], 0),
        (
            &[
                "-p", "counter", "--test", "both", "--", "--engine", "explicit",
            ],
            0,
        ),
    ] {
        let output = cargo(folder.path(), arguments);
        let message = format!("{arguments:?}: {}{}", stdout(&output), stderr(&output));
        assert_eq!(code(&output), expected, "{message}");
    }
    // In the folder of a package, it is the one that counts.
    let output = cargo(&folder.path().join("gate"), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output).trim()).unwrap();
    assert_eq!(json["verdict"], "holds", "{json}");
}

#[test]
fn cargo_fencepost_says_what_it_does_not_read_and_what_to_write() {
    let folder = workspace();
    let lib = folder.path().join("counter/src/lib.rs");
    let text = fs::read_to_string(&lib).unwrap();
    let added =
        "#[cfg(test)] mod tests { #[test] fn text() { std::thread::spawn(|| 1.5 + 1.0); } }";
    fs::write(&lib, format!("{text}\n{added}\n")).unwrap();
    let output = cargo(folder.path(), &["-p", "counter"]);
    assert_eq!(code(&output), 2);
    let lines = stdout(&output);
    assert!(
        lines.contains("--test tests::text: Not read: ") && lines.contains("lib.rs)"),
        "{lines}"
    );
    fs::write(
        folder.path().join("counter/tests/both.rs"),
        "#[test] fn plain() {}",
    )
    .unwrap();
    fs::write(&lib, text).unwrap();
    let output = cargo(folder.path(), &["-p", "counter"]);
    assert_eq!(code(&output), 2);
    let advice = stderr(&output);
    assert!(
        advice.contains("`counter` has no test that creates threads"),
        "{advice}"
    );
}

#[test]
fn cargo_fencepost_writes_fences_where_nothing_is_lost() {
    let folder = workspace();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let mut command = Command::new("git");
        command
            .args(identity)
            .args(arguments)
            .current_dir(folder.path());
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    };
    let fix = ["-p", "signal", "--fix"];
    git(&["init", "-q"]);
    let output = cargo(folder.path(), &fix);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("--allow-dirty"),
        "{}",
        stderr(&output)
    );
    git(&["add", "-A"]);
    git(&["commit", "-qm", "all"]);
    let output = cargo(folder.path(), &fix);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let text = fs::read_to_string(folder.path().join("signal/src/lib.rs")).unwrap();
    assert!(text.contains("fence(Ordering::SeqCst);"), "{text}");
    assert_eq!(code(&cargo(folder.path(), &["-p", "signal"])), 0);
}
