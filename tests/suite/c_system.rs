//! The headers of the machine, where it has them, and the flags of a build.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot write files or start the program has failed"
)]

use crate::support::config::config;
use crate::support::process;
use fencepost::Format;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{FindFile, FoundFile, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Where headers of the system may be.
const FOLDERS: [&str; 2] = ["/usr/include", "/usr/include/x86_64-linux-gnu"];

/// The headers of the system instead of the built-in ones.
struct System(Vec<PathBuf>);

impl System {
    fn read(folder: &Path, name: &str) -> Option<FoundFile> {
        let path = folder.join(name);
        Some(FoundFile {
            text: String::from_utf8_lossy(&fs::read(&path).ok()?).into_owned(),
            name: path.display().to_string(),
            system: true,
        })
    }
}

impl FindFile for System {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let beside = from.and_then(|file| Path::new(file).parent());
        Ok(beside.and_then(|folder| Self::read(folder, name)))
    }

    fn instead_of_built_in(&self, name: &str) -> Result<Option<FoundFile>, String> {
        let mut folders = self.0.iter();
        Ok(folders.find_map(|folder| Self::read(folder, name)))
    }
}

/// The folders of the compiler's own headers and of the system's; `None` if there is no compiler.
fn folders() -> Option<Vec<PathBuf>> {
    let mut compiler = Command::new("cc");
    let output = compiler.arg("-print-file-name=include").output().ok()?;
    let own = String::from_utf8(output.stdout).ok()?;
    let all = std::iter::once(own.trim()).chain(FOLDERS);
    let all: Vec<PathBuf> = all
        .map(PathBuf::from)
        .filter(|path| path.is_dir())
        .collect();
    (all.len() == 3).then_some(all)
}

/// The names of the headers in a folder and in those in it.
fn headers(folder: &Path, within: &str, deeper: bool, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{within}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() && deeper {
            headers(&path, &format!("{name}/"), false, found);
        } else if path.extension().is_some_and(|extension| extension == "h") {
            found.insert(name);
        }
    }
}

/// Whether the compiler accepts a text.
fn compiles(text: &str, folder: &Path) -> bool {
    let file = folder.join("text.c");
    fs::write(&file, text).unwrap();
    let mut compiler = Command::new("cc");
    let compiler = compiler
        .args(["-fsyntax-only", "-w", "-fpermissive"])
        .arg(&file);
    let status = compiler.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[test]
#[allow(clippy::print_stderr, reason = "it must be seen that nothing was read")]
fn each_header_that_the_compiler_accepts_alone_is_read() {
    let Some(folders) = folders() else {
        eprintln!("skipped: there is no C compiler, or its headers are elsewhere");
        return;
    };
    let mut all = BTreeSet::new();
    for folder in FOLDERS {
        headers(Path::new(folder), "", true, &mut all);
    }
    let count = usize::try_from(config(40).cases).unwrap();
    let step = (all.len() / count).max(1);
    let directory = tempfile::tempdir().unwrap();
    let options = ParseOptions::new().files(Arc::new(System(folders)));
    for name in all.iter().step_by(step) {
        let text = format!("#include <{name}>\nint main(void) {{ return 0; }}\n");
        if compiles(&text, directory.path()) {
            let parsed = parse_with(Format::C, &text, &options);
            let errors = parsed.render("text.c", &text, false);
            assert!(parsed.program.is_some(), "{errors}");
            assert_eq!(errors, "", "{name}");
        }
    }
}

#[test]
fn what_a_header_of_the_system_declares_and_is_not_supported_matters_where_it_is_used() {
    let find = |name: &str, _: Option<&str>| -> Result<Option<FoundFile>, String> {
        let text = "struct bits { __int128 a; };\nstatic inline int twice(int n) { return 2 * n; }\n\
                    static inline int of(struct bits *b) { return (int)b->a; }\n#warning old\n";
        let found = (name == "own.h").then(|| FoundFile {
            name: "/sys/own.h".to_owned(),
            text: text.to_owned(),
            system: true,
        });
        Ok(found)
    };
    let options = ParseOptions::new().files(Arc::new(find));
    let text = "#include <own.h>\nint main(void) { __VERIFIER_assert(twice(2) == 4); }\n";
    let parsed = parse_with(Format::C, text, &options);
    assert!(parsed.program.is_some());
    // Nothing is said of the header.
    let said: Vec<&str> = parsed.diagnostics.iter().map(|one| &*one.message).collect();
    assert_eq!(
        said,
        ["the program has one thread, which sees its own stores at once"]
    );
    let text = "#include <own.h>\nint main(void) { __VERIFIER_assert(of(0) == 4); }\n";
    let parsed = parse_with(Format::C, text, &options);
    assert!(parsed.program.is_none());
    let messages: Vec<&str> = parsed.diagnostics.iter().map(|one| &*one.message).collect();
    assert_eq!(
        messages,
        ["what the system's header declares as `of` is not supported"]
    );
}

#[test]
fn each_file_of_a_build_is_preprocessed_by_its_own_flags() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let files = [
        (
            "main.c",
            "#include \"start.h\"\nint other(void);\n\
                    int main(void) { __VERIFIER_assert(START + other() == N); }\n",
        ),
        ("other.c", "int other(void) { return N * PRE; }\n"),
        ("inc/start.h", "#define START 4\n"),
        ("pre.h", "#define PRE 5\n"),
        (
            "build/compile_commands.json",
            r#"[{"directory": ".", "file": "../main.c", "command": "cc -O2 -I ../inc -DN=14 -c ../main.c"},
                {"directory": ".", "file": "../other.c",
                 "arguments": ["cc", "-DN=2", "-include", "../pre.h", "-c", "../other.c"]}]"#,
        ),
    ];
    for (name, text) in files {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::write(at(name), text).unwrap();
    }
    let shown = |name: &str| at(name).display().to_string();
    let check = |more: &[&str]| {
        let (main, other) = (shown("main.c"), shown("other.c"));
        let mut arguments = vec!["check", &main, &other];
        arguments.extend(more);
        let output = process::fencepost(&arguments, "");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    let build = shown("build");
    assert_eq!(check(&["--compile-commands", &build]).0, Some(0));
    // What the command line says is said to all, and later.
    let changed = check(&["--compile-commands", &build, "-DN=3"]);
    assert_eq!(changed.0, Some(1), "{}", changed.1);
    assert_eq!(check(&["-DN=14"]).0, Some(2));
    let again = ["--compile-commands", &build, "-UN", "-DN=14"];
    assert_eq!(check(&again).0, Some(2), "`-U` comes after all `-D`");
    fs::write(at("build/compile_commands.json"), "[]").unwrap();
    let (code, errors) = check(&["--compile-commands", &build]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("has no entry for"), "{errors}");
    fs::write(at("build/compile_commands.json"), "{").unwrap();
    let (code, errors) = check(&["--compile-commands", &build]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("is no list of commands"), "{errors}");
}

/// The files of the corpus that the compiler accepts with its own headers, which are not those of BSD: with what its
/// preprocessor makes of them, without line markers.
fn preprocessed(files: impl Iterator<Item = PathBuf>) -> Vec<(PathBuf, String, String)> {
    let directory = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Comments with the meanings of calls are lost, and the system's headers are not those of the kernel.
        if text.contains("//: call") || text.contains("<linux/") {
            continue;
        }
        let mut compiler = Command::new("cc");
        let compiler = compiler.args(["-E", "-P", "-std=gnu11"]).arg(&file);
        let output = compiler.stderr(Stdio::null()).output();
        if let Ok(output) = output
            && output.status.success()
        {
            let made = String::from_utf8(output.stdout).unwrap();
            if compiles(&made, directory.path()) {
                all.push((file, text, made));
            }
        }
    }
    all
}

/// Its verdict under TSO; `None` if it is not read.
fn verdict(text: &str, file: &Path, options: ParseOptions) -> Option<&'static str> {
    let options = options.name(file.display().to_string());
    let program = parse_with(Format::C, text, &options).program?;
    let budget = Budget::default().with_states(100_000);
    // What has more states than these is too much to look at three times.
    let options = CheckOptions::new(Model::Tso).engine(Engine::Explicit);
    let report = check(&program, &options, &budget).expect("no defect");
    Some(report.verdict().word())
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "it must be seen that nothing was compared"
)]
fn programs_with_the_headers_of_the_system_have_the_same_verdicts() {
    let Some(folders) = folders() else {
        eprintln!("skipped: there is no C compiler, or its headers are elsewhere");
        return;
    };
    let mut files = BTreeSet::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/c");
    for folder in fs::read_dir(corpus).unwrap().flatten() {
        let files_of = fs::read_dir(folder.path()).unwrap().flatten();
        let files_of = files_of.map(|entry| entry.path());
        files.extend(
            files_of.filter(|path| path.is_file() && path.extension() == Some("c".as_ref())),
        );
    }
    let count = usize::try_from(config(30).cases).unwrap();
    let step = (files.len() / count).max(1);
    let mut compared = 0;
    for (file, text, made) in preprocessed(files.into_iter().step_by(step)) {
        let mut options = ParseOptions::new();
        if text.contains("forbid stuck") {
            options = options.forbid_stuck();
        }
        let own = verdict(&text, &file, options.clone());
        // What lines of comments say about threads is lost where a text is preprocessed.
        if text.contains("//: thread ") || text.contains("//: setup ") || text.contains("//: call ")
        {
            continue;
        }
        // The library's own handlers for the end of a thread jump, and with its headers only plain mutexes are known,
        // which is said.
        let differs = [
            "pthread_cleanup_push",
            "PTHREAD_MUTEX_",
            "_INITIALIZER_NP",
            "mtx_recursive",
        ];
        if own.is_none() || differs.iter().any(|word| text.contains(word)) {
            continue;
        }
        let without_lines = verdict(&made, &file, options.clone());
        // The same program has more states where macros were replaced.
        if own == Some("unknown") || without_lines == Some("unknown") {
            continue;
        }
        assert_eq!(without_lines, own, "{}, preprocessed", file.display());
        let system = System(folders.clone());
        let with = verdict(&text, &file, options.files(Arc::new(system)));
        assert_eq!(with, own, "{}, with other headers", file.display());
        compared += 1;
    }
    assert!(compared > count / 4, "{compared}");
}
