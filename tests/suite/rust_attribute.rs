//! `#[fencepost::test]` in crates that Cargo compiles and tests, without a network; and what `cargo fencepost` knows of how
//! they are compiled.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot write a folder or start Cargo has failed"
)]

use crate::support::process::{code, stderr, stdout};
use fencepost::internals::check::Engine;
use fencepost::internals::model::Model;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const MANIFEST: &str = "[package]
name = \"two-sides\"
version = \"0.1.0\"
edition = \"2021\"
[features]
default = [\"mended\"]
mended = []
[dev-dependencies]
fencepost = { package = \"fencepost-test\", path = \"ATTRIBUTE\" }
[lints.rust]
unexpected_cfgs = \"allow\"
[workspace]
";

/// What the build script sets, and the feature that is on by default, are both needed.
const LIBRARY: &str = "use std::sync::atomic::{fence, AtomicBool, Ordering};

static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

pub fn enter(me: usize) -> bool {
    WANTS[me].store(true, Ordering::Release);
    if cfg!(all(feature = \"mended\", built, not(broken))) {
        fence(Ordering::SeqCst);
    }
    !WANTS[1 - me].load(Ordering::Acquire)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[fencepost::test(model = \"tso,pso\", forbid_stuck)]
    fn one_side_is_inside() {
        let other = std::thread::spawn(|| enter(1));
        let mine = enter(0);
        assert!(!(mine && other.join().unwrap()));
    }

    #[fencepost::test(robust, timeout = 60)]
    fn nothing_is_added() {
        let other = std::thread::spawn(|| enter(1));
        enter(0);
        other.join().unwrap();
    }
}
";

const INTEGRATION: &str = "use two_sides::enter;

/// Passes whatever the machine does.
#[fencepost::test(model = \"sc\")]
fn under_sc() {
    let other = std::thread::spawn(|| enter(1));
    let mine = enter(0);
    assert!(!(mine && other.join().unwrap()));
}
";

/// A program has tests of its own, and a name that may be that of the library.
const PROGRAM: &str = "fn main() {}

#[cfg(test)]
#[fencepost::test]
fn sums() {
    let other = std::thread::spawn(|| 200_u8);
    assert_eq!(other.join().unwrap().wrapping_add(100), 44);
}
";

fn package(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let attribute = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/test");
    let manifest = MANIFEST.replace("ATTRIBUTE", &attribute.display().to_string());
    write(folder.path(), &[("Cargo.toml", &manifest)]);
    write(folder.path(), files);
    folder
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn two_sides() -> TempDir {
    let script = "fn main() { println!(\"cargo::rustc-cfg=built\"); }";
    package(&[
        ("src/lib.rs", LIBRARY),
        ("src/main.rs", PROGRAM),
        ("tests/both-sides.rs", INTEGRATION),
        ("build.rs", script),
    ])
}

/// Runs Cargo in a folder without a network.
fn cargo(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).arg("--offline").current_dir(folder);
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    command.env("FENCEPOST", env!("CARGO_BIN_EXE_cargo-fencepost"));
    for name in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUST_BACKTRACE",
        "CARGO_TARGET_TMPDIR",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

fn cargo_fencepost(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-fencepost"));
    command.arg("fencepost").args(arguments).current_dir(folder);
    command
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

#[test]
fn cargo_test_checks_functions_with_the_attribute() {
    let folder = two_sides();
    let folder = folder.path();
    let output = cargo(folder, &["test"], &[]);
    let shown = stdout(&output);
    assert_eq!(code(&output), 0, "{shown}{}", stderr(&output));
    for name in [
        "tests::one_side_is_inside",
        "tests::nothing_is_added",
        "sums",
        "under_sc",
    ] {
        assert!(shown.contains(&format!("test {name} ... ok")), "{shown}");
    }
    // As it is compiled: with the features, and with what `RUSTFLAGS` sets.
    let without_features = cargo(folder, &["test", "--lib", "--no-default-features"], &[]);
    let with_flags = cargo(folder, &["test", "--lib"], &[("RUSTFLAGS", "--cfg broken")]);
    for output in [without_features, with_flags] {
        let shown = stdout(&output);
        assert_ne!(code(&output), 0, "{shown}");
        for expected in [
            "Violated under TSO: one_side_is_inside fails `assert!(!(mine && other.join().unwrap()));`",
            "Not robust under TSO",
            "store buffering (SB)",
            "src/lib.rs:17:5",
        ] {
            assert!(shown.contains(expected), "{expected}\n{shown}");
        }
    }
    let output = cargo(
        folder,
        &["test", "--lib"],
        &[("FENCEPOST", "no-such-program")],
    );
    let shown = stdout(&output);
    assert_ne!(code(&output), 0);
    let expected = "cannot run `no-such-program`";
    assert!(
        shown.contains(expected) && shown.contains("cargo install fencepost"),
        "{shown}"
    );
}

#[test]
fn cargo_fencepost_honours_the_attribute() {
    let folder = two_sides();
    let with = |arguments: &[&str]| {
        let output = cargo_fencepost(folder.path(), arguments, &[]);
        (
            code(&output),
            format!("{}{}", stdout(&output), stderr(&output)),
        )
    };
    // Without a compiler, nothing is known of build scripts.
    let (exit, lines) = with(&["--cfg", "built"]);
    let starts = [
        "src/lib.rs --test tests::one_side_is_inside: Holds under TSO",
        "src/lib.rs --test tests::one_side_is_inside: Holds under PSO",
        "src/lib.rs --test tests::nothing_is_added: Robust under TSO",
        "src/main.rs --test sums: Holds under TSO",
        "tests/both-sides.rs --test under_sc: Holds under SC",
    ];
    let mut found = lines.lines();
    for start in starts {
        let line = found.next().unwrap_or_default();
        assert!(line.starts_with(start), "{start}\n{lines}");
    }
    assert!(lines.ends_with("\n4 programs: 4 good\n"), "{lines}");
    assert_eq!(exit, 0);
    for (arguments, expected) in [
        (&["--test", "both_sides", "--model", "tso"][..], 1),
        (&["--test", "both-sides"], 0),
        (&["robust", "--test", "both-sides", "--model", "tso"], 1),
        (&["check", "nothing_is_added"], 0),
        (&["nothing_is_added"], 1),
        (&["--exact", "nothing_is_added"], 2),
        (&["--exact", "tests::nothing_is_added"], 1),
        (&["--exact", "--bin", "two-sides", "sums"], 0),
        (&["--exact", "--lib", "sums"], 2),
        (&["--exact"], 2),
    ] {
        let (exit, shown) = with(arguments);
        assert_eq!(exit, expected, "{arguments:?}: {shown}");
    }
    // One log of all results, whatever their options.
    let (_, log) = with(&["--message-format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&log).unwrap();
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_compiler_points_at_options_and_functions_that_are_wrong() {
    let wrong = [
        (
            "#[fencepost::test(modell = \"tso\")] fn a() {}",
            "`modell` is not an option",
        ),
        (
            "#[fencepost::test(model = \"steam\")] fn b() {}",
            "expected a text with one of `sc`",
        ),
        (
            "#[fencepost::test(model)] fn c() {}",
            "`model` needs a value",
        ),
        (
            "#[fencepost::test(robust = 1)] fn d() {}",
            "`robust` has no value",
        ),
        (
            "#[fencepost::test(unroll = \"x\")] fn e() {}",
            "expected a number",
        ),
        (
            "#[fencepost::test(timeout = -1)] fn f() {}",
            "expected a number of seconds",
        ),
        (
            "#[fencepost::test(robust, robust)] fn g() {}",
            "`robust` is given twice",
        ),
        (
            "#[fencepost::test(robust robust)] fn h() {}",
            "expected `,`",
        ),
        (
            "#[fencepost::test] fn i(x: u32) {}",
            "a test has no arguments",
        ),
        ("#[fencepost::test] struct J;", "is for functions"),
        ("#[fencepost::test] #[test] fn k() {}", "remove `#[test]`"),
        (
            "#[fencepost::test] #[should_panic] fn l() {}",
            "a panic is a violation",
        ),
        ("#[fencepost::test] async fn m() {}", "an `async` function"),
        ("#[fencepost::test] fn n<T>() {}", "a test has no"),
    ];
    let lines: Vec<&str> = wrong.iter().map(|(line, _)| *line).collect();
    let folder = package(&[("src/lib.rs", ""), ("tests/wrong.rs", &lines.join("\n"))]);
    let output = cargo(folder.path(), &["check", "--tests"], &[]);
    let shown = stderr(&output);
    assert_ne!(code(&output), 0);
    for (number, (line, message)) in wrong.iter().enumerate() {
        let place = format!("--> tests/wrong.rs:{}:", number + 1);
        let mut errors = shown.split("\nerror: ");
        let found = errors.any(|error| error.contains(&place) && error.contains(message));
        assert!(found, "{line}: {message}\n{shown}");
    }
}

#[test]
fn the_attribute_accepts_what_the_command_line_does() {
    let mut text = String::new();
    let names = Model::ALL.iter().map(|model| ("model", model.name()));
    let engines = Engine::ALL.iter().map(|engine| ("engine", engine.name()));
    for (number, (option, name)) in names.chain(engines).enumerate() {
        let _ = writeln!(
            text,
            "#[fencepost::test({option} = \"{name}\")] fn t{number}() {{}}"
        );
    }
    text.push_str(
        "#[fencepost::test(accept_bounded, any_number, unroll = 3, timeout = 2.5)] pub fn all() {}",
    );
    let folder = package(&[("src/lib.rs", ""), ("tests/good.rs", &text)]);
    let output = cargo(folder.path(), &["check", "--tests"], &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = cargo_fencepost(folder.path(), &["--exact", "all"], &[]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

/// Whether a sum wraps, and a debug assertion does nothing.
const SUM: &str = "fn sum(a: u8, b: u8) -> u8 { a + b }
#[test] fn overflows() { let x = std::thread::spawn(|| 200).join().unwrap(); assert_eq!(sum(x, 100), 44); }
#[test] fn debugs() { let x = std::thread::spawn(|| 1).join().unwrap(); debug_assert!(x == 2); \
assert!(!cfg!(debug_assertions)); }
#[test] fn configured() { std::thread::spawn(|| ()).join().unwrap(); assert!(cfg!(special)); }
";

/// The verdicts are those of the compiled tests, with the same profile and flags.
#[test]
fn profiles_and_flags_are_those_of_cargo() {
    let dev = "[profile.dev]\noverflow-checks = false\n";
    let own = "[profile.dev.package.two-sides]\ndebug-assertions = false\n";
    let fast = "[profile.fast]\ninherits = \"release\"\noverflow-checks = true\n";
    let special = "[build]\nrustflags = [\"--cfg\", \"special\"]\n";
    let target = "[build]\nrustflags = [\"--cfg\", \"special\"]\n[target.'cfg(unix)']\nrustflags = \"-Coverflow-checks=off\"\n";
    let checks = "[profile.test]\noverflow-checks = true\ndebug-assertions = false\n";
    for (manifest, config, arguments, flags) in [
        ("", "", &[][..], None),
        ("", "", &["--release"], None),
        (dev, "", &[], None),
        (own, "", &[], None),
        (fast, "", &["--profile", "fast"], None),
        ("", special, &[], None),
        ("", special, &[], Some("-C debug-assertions=off")),
        ("", target, &[], None),
        (dev, "", &[], Some("-O")),
        ("", "", &["--release"], Some("-Cdebug-assertions=on")),
        (dev, checks, &[], None),
    ] {
        let folder = package(&[("src/lib.rs", SUM), (".cargo/config.toml", config)]);
        let path = folder.path().join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{manifest}")).unwrap();
        let variables: Vec<(&str, &str)> = flags
            .map(|flags| ("RUSTFLAGS", flags))
            .into_iter()
            .collect();
        let compiled = cargo(
            folder.path(),
            &[&["test", "--lib"], arguments].concat(),
            &variables,
        );
        let checked = cargo_fencepost(folder.path(), &[&["--lib"], arguments].concat(), &variables);
        let (compiled, checked) = (stdout(&compiled), stdout(&checked));
        for name in ["overflows", "debugs", "configured"] {
            let passes = compiled.contains(&format!("test {name} ... ok"));
            let fails = compiled.contains(&format!("test {name} ... FAILED"));
            assert!(passes != fails, "{name}\n{compiled}");
            let word = if passes { "Holds" } else { "Violated" };
            let expected = format!("--test {name}: {word} under TSO");
            let case = format!("{manifest} {config} {arguments:?} {flags:?}");
            assert!(
                checked.contains(&expected),
                "{case}: {expected}\n{checked}\n{compiled}"
            );
        }
    }
}
