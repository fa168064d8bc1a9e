//! How programs in C are read: several files, headers, macros of the command line, preprocessed text.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program or the compiler has failed"
)]

use crate::support::process;
use fencepost::Format;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{
    FoundFile, ParseOptions, Parsed, Severity, parse_as, parse_with,
};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Change, Fence, Op, Origin, Program};
use fencepost::texts::rewrite_with;
use process::{code, fencepost, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// A directory with these files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).display().to_string()
}

/// The errors of a text, as `file:line: message`.
fn errors(parsed: &Parsed, text: &str) -> Vec<String> {
    let shown = parsed.render("main.c", text, false);
    let errors = parsed.diagnostics.iter();
    let errors = errors.filter(|found| found.severity == Severity::Error);
    let mut places = shown.lines().filter_map(|line| {
        let place = line.trim().strip_prefix("╭─[ ")?.strip_suffix(" ]")?;
        place.rsplit_once(':').map(|(place, _)| place.to_owned())
    });
    errors
        .map(|error| format!("{}: {}", places.next().unwrap(), error.message))
        .collect()
}

/// Options by which these files are found.
fn with_headers(headers: &'static [(&'static str, &'static str)]) -> ParseOptions {
    ParseOptions::new().name("main.c").files(Arc::new(
        |name: &str, _: Option<&str>| -> Result<Option<FoundFile>, String> {
            let found = headers.iter().find(|(known, _)| *known == name);
            Ok(found.map(|(name, text)| FoundFile {
                name: (*name).to_owned(),
                text: (*text).to_owned(),
                system: false,
            }))
        },
    ))
}

fn verdict(program: &Program, model: Model) -> &'static str {
    let budget = Budget::default().with_states(300_000);
    let report = check(program, &CheckOptions::new(model), &budget).expect("no defect");
    report.verdict().word()
}

#[test]
fn macros_of_the_command_line_are_defined_and_undefined() {
    let text = "#include <assert.h>\nint main(void) { assert(N == 3 && M == 1); \
                \n#ifdef __x86_64__\nassert(0);\n#endif\n}";
    let arguments = [
        "check",
        "--format",
        "c",
        "-",
        "-DN=3",
        "-D",
        "M",
        "-U__x86_64__",
    ];
    assert_eq!(code(&fencepost(&arguments, text)), 0);
    assert_eq!(code(&fencepost(&arguments[..7], text)), 1);
    let output = fencepost(&arguments[..5], text);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("unknown name `M`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn options_of_c_are_errors_in_other_formats() {
    let text = "shared x; thread t { x = 1; }";
    for (arguments, option) in [
        (&["-DN"][..], "-D"),
        (&["-U", "N"], "-U"),
        (&["--entry", "t"], "--entry"),
        (&["-I", "."], "-I"),
    ] {
        let output = fencepost(
            &[&["check", "-", "--format", "fence"], arguments].concat(),
            text,
        );
        assert_eq!(code(&output), 2, "{option}");
        let languages = if option == "--entry" {
            "C and Rust"
        } else {
            "C"
        };
        let wanted = format!("{option}: only programs in {languages} have");
        assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));
    }
}

#[test]
fn another_function_than_main_can_be_the_entry() {
    let text = "#include <assert.h>\nvoid test(unsigned char n, _Bool b) { assert(n < 256 && b < 2); }\n\
                void wrong(int n) { assert(n >= 0); }\nint main(void) { assert(0); }";
    let run = |entry: &str| fencepost(&["check", "-", "--format", "c", "--entry", entry], text);
    assert_eq!(code(&run("test")), 0);
    assert_eq!(code(&run("wrong")), 1);
    let output = run("tset");
    let message = stderr(&output);
    assert_eq!(code(&output), 2);
    assert!(message.contains("there is no function `tset`"), "{message}");
    assert!(message.contains("did you mean `test`?"), "{message}");
}

#[test]
fn what_main_is_called_with_is_known_only_if_it_is_a_number() {
    let text = "int main(int argc, char **argv, char **environment)\n{\n\treturn environment[0] == 0;\n}\n";
    let parsed = parse_as(Format::C, text);
    let why = "main.c:3: what the caller of `main` passes here is not known";
    assert_eq!(errors(&parsed, text), [why]);
}

#[test]
fn headers_are_found_beside_the_including_file_and_then_in_folders() {
    let files = directory(&[
        (
            "src/main.c",
            "#include \"own.h\"\n#include <other.h>\nint main(void) { return A + B; }",
        ),
        ("src/own.h", "#include \"deep/a.h\"\n"),
        ("src/deep/a.h", "#include \"b.h\"\n#define A 1\n"),
        ("src/deep/b.h", "#pragma once\n"),
        ("include/other.h", "#define B 2\n"),
        ("include/own.h", "#error the other one\n"),
    ]);
    let (main, include) = (path(&files, "src/main.c"), path(&files, "include"));
    let output = fencepost(&["check", &main, "-I", &include], "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = fencepost(&["check", &main], "");
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("unknown header `<other.h>`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_header_that_cannot_be_read_is_an_error_at_its_include() {
    let files = directory(&[("main.c", "int x;\n#include \"bad.h\"\nint main(void) {}")]);
    fs::write(files.path().join("bad.h"), b"int y;\xff\n").unwrap();
    let output = fencepost(&["check", &path(&files, "main.c")], "");
    let message = stderr(&output);
    assert_eq!(code(&output), 2);
    let why = "`bad.h` cannot be read: the text is not valid UTF-8: byte 6 of the file is 0xff";
    assert!(
        message.contains(why) && message.contains("main.c:2:1"),
        "{message}"
    );
}

#[test]
fn diagnostics_show_the_line_of_the_header() {
    let headers = &[("queue.h", "\n\nint size = unknown;\n")];
    let text = "#include \"queue.h\"\nint main(void) { return size; }";
    let parsed = parse_with(Format::C, text, &with_headers(headers));
    assert_eq!(errors(&parsed, text), ["queue.h:3: unknown name `unknown`"]);
    let shown = parsed.render("main.c", text, false);
    assert!(shown.contains("3 │ int size = unknown;"), "{shown}");
    let headers = &[("queue.h", "\n\nint size = 1;\n")];
    let text = "#include \"queue.h\"\n\nchar size;\nint main(void) { return size; }";
    let parsed = parse_with(Format::C, text, &with_headers(headers));
    let wanted = ["main.c:3: `size` is declared with two types"];
    assert_eq!(errors(&parsed, text), wanted);
    let shown = parsed.render("main.c", text, false);
    // What is in another file is named in a note.
    assert!(
        shown.contains("declared differently here: queue.h:3:5"),
        "{shown}"
    );
    let alone = parse_as(Format::C, text);
    let why = "main.c:1: `queue.h` cannot be read: only built-in headers are available";
    assert_eq!(errors(&alone, text), [why]);
}

#[test]
fn evidence_in_a_header_names_it() {
    let files = directory(&[
        (
            "main.c",
            "#include \"check.h\"\nint main(void) { check(2); }",
        ),
        (
            "check.h",
            "#include <assert.h>\nstatic int x;\nstatic void check(int y)\n{\n\tx = y;\n\tassert(x == 1);\n}\n",
        ),
    ]);
    let output = fencepost(&["check", &path(&files, "main.c")], "");
    let shown = stdout(&output);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(
        shown.contains("main fails `assert(x == 1);` (line 6 of check.h)"),
        "{shown}"
    );
    let output = fencepost(&["check", &path(&files, "main.c"), "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let goal = &json["goals"][0];
    assert_eq!(goal["line"], 6);
    assert_eq!(goal["file"], path(&files, "check.h").as_str());
}

/// Store buffering whose threads are in a header and in two units.
const ADD: [(&str, &str); 3] = [
    (
        "main.c",
        "#include <pthread.h>\n#include \"both.h\"\n\
         void *left(void *unused)\n{\n\tset(&x);\n\ta = get(&y);\n\treturn 0;\n}\n\
         int x, y, a, b;\n\
         int main(void)\n{\n\tpthread_t t, u;\n\tpthread_create(&t, 0, left, 0);\n\
         \tpthread_create(&u, 0, right, 0);\n\tpthread_join(t, 0);\n\tpthread_join(u, 0);\n}\n",
    ),
    (
        "right.c",
        "#include \"both.h\"\nvoid *right(void *unused)\n{\n\tset(&y);\n\tb = get(&x);\n\treturn 0;\n}\n",
    ),
    (
        "both.h",
        "#pragma once\nextern int x, y, a, b;\nvoid *right(void *unused);\n\
         static inline void set(int *p)\n{\n\t__atomic_store_n(p, 1, 0);\n}\n\
         static inline int get(int *p)\n{\n\treturn __atomic_load_n(p, 0);\n}\n",
    ),
];

/// The new name of a file with an absolute path in a patch, which is applied from the root.
fn patched(path: &str) -> String {
    let path = fs::canonicalize(path).expect("it is there");
    format!("b{}", path.display())
}

#[test]
fn patches_name_each_file_that_changes() {
    let files = directory(&ADD);
    let (main, right) = (path(&files, "main.c"), path(&files, "right.c"));
    let header = path(&files, "both.h");
    let output = fencepost(&["robust", &main, &right], "");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("(line 6 of both.h)"),
        "{}",
        stdout(&output)
    );
    // One place in the header is cheaper than one in each unit only if both threads count once.
    let output = fencepost(&["fence", &main, &right, "--diff", "--edit-headers"], "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let shown = stdout(&output);
    let changed: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("+++ "))
        .collect();
    let fences = shown.matches("\n+").count() - changed.len();
    assert!(
        changed == [&patched(&header)] && fences == 1
            || changed == [&patched(&main), &patched(&right)] && fences == 2,
        "{shown}"
    );
    let next = format!("fencepost fence {main} {right} --model tso");
    let output = fencepost(&["robust", &main, &right], "");
    let unwrapped = stdout(&output)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(unwrapped.contains(&next), "{unwrapped}");
}

#[test]
fn git_applies_a_patch_wherever_the_file_is() {
    let text = "#include <pthread.h>\nstatic volatile int x, y;\nstatic int a, b;\n\
                static void *left(void *u)\n{\n\tx = 1;\n\ta = y;\n\treturn u;\n}\n\
                static void *right(void *u)\n{\n\ty = 1;\n\tb = x;\n\treturn u;\n}\n\
                int main(void)\n{\n\tpthread_t t, u;\n\tpthread_create(&t, 0, left, 0);\n\
                \tpthread_create(&u, 0, right, 0);\n}\n";
    let files = directory(&[("main.c", text), ("inner/main.c", text)]);
    let run = |program: &str, arguments: &[&str], folder: &str, input: &str| {
        let mut process = Command::new(program)
            .args(arguments)
            .current_dir(files.path().join(folder))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut stdin = process.stdin.take()?;
        std::io::Write::write_all(&mut stdin, input.as_bytes()).ok()?;
        drop(stdin);
        let output = process.wait_with_output().ok()?;
        Some((output.status.success(), stdout(&output)))
    };
    let tool = env!("CARGO_BIN_EXE_fencepost");
    let absolute = path(&files, "main.c");
    let root = files.path().ancestors().last().unwrap();
    for (name, asked, applied) in [
        ("main.c", "", files.path()),
        ("./main.c", "", files.path()),
        ("inner/main.c", "", files.path()),
        ("../main.c", "inner", root),
        (absolute.as_str(), "", files.path()),
        (absolute.as_str(), "inner", root),
    ] {
        let arguments = ["fence", name, "--diff", "--color", "never"];
        let (found, shown) = run(tool, &arguments, asked, "").unwrap();
        assert!(found, "{shown}");
        let patch = &shown[shown.find("--- a/").unwrap_or_else(|| panic!("{shown}"))..];
        assert!(!patch.contains("..") && !patch.contains("a//"), "{patch}");
        let check = ["apply", "--check", "-"];
        let applied = applied.to_string_lossy();
        if let Some((is_applied, _)) = run("git", &check, &applied, patch) {
            assert!(is_applied, "{name} in {asked}:\n{patch}");
        }
    }
}

#[test]
fn a_fence_in_a_header_is_written_on_demand() {
    let headers = &[(
        "lock.h",
        "static int x, y;\nstatic void lock(void)\n{\n\t__atomic_store_n(&x, 1, 0);\n\t(void)__atomic_load_n(&y, 0);\n}\n",
    )];
    let text =
        "#include \"lock.h\"\nint main(int argc, char **argv)\n{\n\tif (argc)\n\t\tlock();\n}\n";
    let options = with_headers(headers);
    let parsed = parse_with(Format::C, text, &options);
    let program = parsed.positions().expect("it has no errors");
    let here = |at: Origin| program.file(at) == Some("lock.h") && at.line == 5;
    let place = program.sites().find_map(|(site, instruction)| {
        let skip = instruction.op == Op::Skip;
        (skip && here(instruction.origin)).then_some((site.thread, instruction.from))
    });
    let Some((thread, loc)) = place else {
        panic!("there is no position in the header");
    };
    let fence = Fence::Full;
    let changes = [Change::Fence { thread, loc, fence }];
    let refused = rewrite_with(Format::C, text, &options, program, &changes).unwrap_err();
    assert!(
        refused.to_string().starts_with(
            "line 5 of lock.h: a fence cannot be inserted here: line 5 of `lock.h` is in"
        ),
        "{refused}"
    );
    let options = options.edit_headers();
    let written = rewrite_with(Format::C, text, &options, program, &changes).expect("it is");
    assert_eq!(written.text, text);
    let [header] = &written.others[..] else {
        panic!("{written:?}");
    };
    assert_eq!(header.name, "lock.h");
    assert!(
        header
            .after
            .contains("\t__atomic_thread_fence(__ATOMIC_SEQ_CST);\n\t(void)__atomic_load_n")
    );
}

#[test]
fn errors_between_units_name_both_places() {
    let units = |main: &str, other: &str| {
        let options = ParseOptions::new().name("main.c").unit("b.c", other);
        let parsed = parse_with(Format::C, main, &options);
        (errors(&parsed, main), parsed.render("main.c", main, false))
    };
    let main = "int x;\nint f(void) { return 1; }\nint main(void) { return f() + x; }";
    let (found, shown) = units(main, "\nint x;");
    assert_eq!(found, ["b.c:2: `x` is defined in two files"]);
    assert!(shown.contains("first defined here: main.c:1:5"), "{shown}");
    let (found, shown) = units(main, "int f(void) { return 2; }");
    assert_eq!(found, ["b.c:1: `f` is declared twice"]);
    assert!(shown.contains("first declared here: main.c:2:5"), "{shown}");
    let (found, shown) = units(main, "extern long x;");
    assert_eq!(found, ["b.c:1: `x` is declared with two types"]);
    assert!(
        shown.contains("declared differently here: main.c:1:5"),
        "{shown}"
    );
    let (found, _) = units(main, "long f(void);");
    assert_eq!(found, ["b.c:1: `f` is declared with two types"]);
    let (found, _) = units(
        "extern int x;\nint main(void) { return x; }",
        "static int x;",
    );
    assert_eq!(
        found,
        ["main.c:2: `x` is declared `extern`, and defined nowhere"]
    );
    let (found, shown) = units(
        "int g(void);\nint main(void) { return g(); }",
        "static int g(void) { return 1; }",
    );
    assert_eq!(found, ["main.c:2: unknown function `g`"]);
    assert!(shown.contains("name the file that does"), "{shown}");
    // One name for a function and an object.
    let (found, _) = units(main, "extern int f;");
    assert_eq!(found, ["b.c:1: `f` is declared twice"]);
}

#[test]
fn units_share_what_is_external_and_nothing_else() {
    let main = "#include <assert.h>\nextern int n; int next(void); static int own = 1;\n\
                typedef struct { int a; } pair; int sum(pair *p);\n\
                int main(void) { pair p = { 4 }; assert(n == 2 && next() == 8 && own == 1 && sum(&p) == 4); }";
    let other = "int n = 2; static int own = 7; int next(void) { return ++own; }\n\
                 typedef struct { int a; } pair; int sum(pair *p) { return p->a; }\n\
                 #define main other\nvoid other(void) {}";
    let options = ParseOptions::new().unit("b.c", other);
    let parsed = parse_with(Format::C, main, &options);
    assert_eq!(errors(&parsed, main), [""; 0]);
    assert_eq!(verdict(&parsed.program.unwrap(), Model::Sc), "holds");
}

#[test]
fn line_markers_name_the_original_places() {
    let text = "# 0 \"queue.c\"\n# 1 \"queue.h\" 1\nint x = z;\n# 7 \"queue.c\" 2\n\nint main(void) { y = 1; x = 1; }\n";
    let output = fencepost(&["check", "-", "--format", "c"], text);
    let message = stderr(&output);
    assert_eq!(code(&output), 2);
    assert!(
        message.contains("queue.h:1:9") && message.contains("1 │ int x = z;"),
        "{message}"
    );
    assert!(
        message.contains("queue.c:8:18") && message.contains("8 │ int main(void)"),
        "{message}"
    );
    // A line number of any size.
    let text = "# 2147483647 \"a.c\"\n@\n# 5\n@\n";
    let shown = stderr(&fencepost(&["check", "-", "--format", "c"], text));
    assert!(
        shown.contains("a.c:2147483647:1") && shown.contains("a.c:5:1"),
        "{shown}"
    );
}

#[test]
fn comments_with_the_name_of_the_tool_are_expectations() {
    let text = "// fencepost: check sc violated\n/* fencepost: check sc holds */\n//fencepost: nothing\n\
                #include <assert.h>\nint main(void) { assert(0); }\n";
    let parsed = parse_as(Format::C, text);
    assert_eq!(parsed.expectations.len(), 1);
    let text = "int main(void) {}\n\t// fencepost: chekc sc holds\n";
    let parsed = parse_as(Format::C, text);
    let [found] = &errors(&parsed, text)[..] else {
        panic!("{:?}", parsed.diagnostics);
    };
    assert!(found.starts_with("main.c:2: "), "{found}");
}

/// What the system's compiler makes of a file before it compiles it; `None` if there is no compiler.
fn preprocessed(file: &Path) -> Option<String> {
    let mut compiler = Command::new("cc");
    let compiler = compiler.args(["-E", "-std=gnu11"]).arg(file);
    let output = compiler.stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "it must be seen that nothing was compared"
)]
fn programs_through_the_preprocessor_of_the_system_have_the_same_verdicts() {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/c");
    let mut compared = 0;
    for name in [
        "mutex/peterson.c",
        "mutex/peterson-fenced.c",
        "mutex/test-and-set-relaxed.c",
        "posix/condition.c",
        "posix/trylock.c",
        "posix/semaphore.c",
        "posix/once.c",
        "posix/rwlock.c",
        "posix/unlock-does-not-drain.c",
        "language/c11-threads.c",
        "language/exchange-unused.c",
        "language/exchange-used.c",
        "language/failed-compare-exchange.c",
        "language/handles-equal.c",
        "language/local-atomic.c",
        "structures/treiber-stack.c",
    ] {
        let file = corpus.join(name);
        let Some(text) = preprocessed(&file) else {
            eprintln!("skipped: there is no C compiler");
            return;
        };
        let parsed = parse_as(Format::C, &text);
        assert!(
            parsed.program.is_some(),
            "{name}: {}",
            parsed.render(name, &text, false)
        );
        let program = parsed.program.unwrap();
        let own = parse_as(Format::C, &fs::read_to_string(&file).unwrap());
        let own = own.program.unwrap();
        for model in [Model::Sc, Model::Tso] {
            assert_eq!(
                verdict(&program, model),
                verdict(&own, model),
                "{name} {model}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 32);
}

#[test]
fn preprocessed_text_gets_fences_without_macros() {
    let text = "# 1 \"main.c\"\nint x, y;\nvoid *run(void *p)\n{\n# 9 \"main.c\" 3 4\n__atomic_store_n\n\
                # 9 \"main.c\"\n(&x, 1, 0);\n if (p)\n# 11 \"main.c\" 3 4\n __atomic_load_n\n# 11 \"main.c\"\n(&y, 0);\n\
                return 0;\n}\nint main(int n, char **a)\n{\n if (n)\n  run((void *)1);\n}\n";
    let parsed = parse_as(Format::C, text);
    let program = parsed.positions().expect("it has no errors");
    let place = program.sites().find_map(|(site, instruction)| {
        let skip = instruction.op == Op::Skip;
        (skip && instruction.origin.line == 11).then_some((site.thread, instruction.from))
    });
    let (thread, loc) = place.expect("a statement begins after the marker");
    let fence = Fence::Full;
    let changes = [Change::Fence { thread, loc, fence }];
    let options = ParseOptions::new();
    let written = rewrite_with(Format::C, text, &options, program, &changes).expect("it is");
    let wanted = "# 11 \"main.c\" 3 4\n { __sync_synchronize(); __atomic_load_n\n# 11 \"main.c\"\n(&y, 0); }";
    assert!(written.text.contains(wanted), "{}", written.text);
}

#[test]
fn what_a_system_header_declares_may_be_outside_of_the_subset_until_it_is_used() {
    let header = "# 1 \"main.c\"\n# 1 \"/usr/include/sys.h\" 1 3 4\n\
                  union u { int a; long b; };\nextern __int128 half(int);\n\
                  static inline int swap(int x) { return __builtin_ia32_crc32si(x, 1); }\n\
                  struct broken { int n; __int128 f; };\n# 2 \"main.c\" 2\n";
    let with = |rest: &str| {
        let text = format!("{header}{rest}");
        errors(&parse_as(Format::C, &text), &text)
    };
    assert_eq!(with("int main(void) { return 0; }"), [""; 0]);
    let unsupported = |name: &str| {
        format!("main.c:2: what the system's header declares as `{name}` is not supported")
    };
    assert_eq!(
        with("int main(void) { return half(1); }"),
        [unsupported("half")]
    );
    assert_eq!(
        with("int main(void) { return swap(1); }"),
        [unsupported("swap")]
    );
    assert_eq!(
        with("int main(void) { struct broken b; b.n = 1; }").len(),
        1
    );
    // In the user's own file, the error itself is what is reported.
    let own = "# 1 \"main.c\"\nextern __int128 half(int);\nint main(void) { return half(1); }\n";
    let found = errors(&parse_as(Format::C, own), own);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("main.c:1: 128-bit"), "{found:?}");
}

#[test]
fn recursive_mutexes_of_system_headers_are_refused() {
    let text = "# 1 \"main.c\"\n# 1 \"/usr/include/pthread.h\" 1 3 4\n\
                typedef union { int a; char b[40]; } pthread_mutex_t;\n\
                enum { PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP };\n# 2 \"main.c\" 2\n\
                pthread_mutex_t m = { { 0, PTHREAD_MUTEX_RECURSIVE_NP } };\nint main(void) { pthread_mutex_lock(&m); }\n";
    let parsed = parse_as(Format::C, text);
    assert_eq!(
        errors(&parsed, text),
        ["main.c:2: recursive mutexes are not supported"]
    );
    let text = text.replace(
        "{ 0, PTHREAD_MUTEX_RECURSIVE_NP }",
        "{ 0, PTHREAD_MUTEX_TIMED_NP }",
    );
    assert!(parse_as(Format::C, &text).program.is_some());
}

const WAIT: &str = "\
#include <stdatomic.h>
extern atomic_int flag0, flag1;
static inline int take(atomic_int *mine, atomic_int *other)
{
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    return !atomic_load_explicit(other, memory_order_relaxed);
}
";
const LEFT: &str = "\
#include <pthread.h>
#include \"wait.h\"
void *right(void *);
int left_is_in;
void *left(void *u)
{
    left_is_in = take(&flag0, &flag1);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    return 0;
}
";
const RIGHT: &str = "\
#include \"wait.h\"
atomic_int flag0, flag1;
void *right(void *u)
{
    atomic_store_explicit(&flag1, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&flag0, memory_order_relaxed))
        u = 0;
    return 0;
}
";

#[test]
fn fences_are_written_into_all_files_or_into_none() {
    let files = [("wait.h", WAIT), ("left.c", LEFT), ("right.c", RIGHT)];
    let folder = directory(&files);
    let [header, left, right] = files.map(|(name, _)| path(&folder, name));
    let texts = || files.map(|(name, _)| fs::read_to_string(folder.path().join(name)).unwrap());
    let before = texts();
    // Elsewhere there would be no place for the others.
    let out = path(&folder, "out.c");
    let arguments = ["fence", &left, &right, "--edit-headers", "--write"];
    let output = fencepost(&[&arguments[..], &[&out]].concat(), "");
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("changes all files"),
        "{}",
        stderr(&output)
    );
    assert!(!Path::new(&out).exists());
    // A header needs the permission of the user.
    let output = fencepost(&["fence", &left, &right, "--write", &left], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("line 6 of"), "{}", stderr(&output));
    assert_eq!(texts(), before);
    let output = fencepost(&[&arguments[..], &[&left]].concat(), "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let shown: String = stdout(&output).split_whitespace().collect();
    assert!(
        shown.contains(&format!("Written:{header},{right}.")),
        "{shown}"
    );
    let [new_header, new_left, new_right] = texts();
    let fence = "    atomic_thread_fence(memory_order_seq_cst);\n";
    let with = |text: &str, before: &str| text.replacen(before, &format!("{fence}{before}"), 1);
    assert_eq!(new_header, with(WAIT, "    return !"));
    assert_eq!(new_left, LEFT);
    assert_eq!(new_right, with(RIGHT, "    if (!"));
    assert_eq!(code(&fencepost(&["robust", &left, &right], "")), 0);
}

#[test]
fn a_folder_is_written_in_place() {
    let text = LEFT.replace("extern", "");
    let files = [
        ("wait.h", WAIT),
        ("main.c", text.as_str()),
        ("right.c", RIGHT),
    ];
    let folder = directory(&files);
    let name = folder.path().display().to_string();
    let arguments = ["fence", &name, "--edit-headers", "--json", "--write", &name];
    let output = fencepost(&arguments, "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("an object");
    let [header, right] = ["wait.h", "right.c"].map(|file| path(&folder, file));
    assert_eq!(json["written_files"], serde_json::json!([header, right]));
    assert_eq!(code(&fencepost(&["robust", &name], "")), 0);
}

#[test]
fn with_each_files_in_c_are_programs_of_their_own() {
    let main = "#include <assert.h>\nint main(void) { assert(1); }\n";
    let folder = directory(&[
        ("a.c", main),
        ("b.c", main),
        ("d/main.c", main),
        ("d/e.c", "int e;"),
    ]);
    let files = ["a.c", "b.c", "d"].map(|name| path(&folder, name));
    let [a, b, d] = &files;
    let together = fencepost(&["check", "-q", a, b], "");
    assert_eq!(code(&together), 2, "{}", stdout(&together));
    let apart = fencepost(&["check", "-q", "--each", a, b, d], "");
    assert_eq!(code(&apart), 0, "{}", stderr(&apart));
    let lines = stdout(&apart);
    for file in &files {
        assert!(lines.contains(&format!("{file}: Holds")), "{lines}");
    }
}
