//! `cargo fencepost`: the tests of the packages of a workspace that use threads, each a program of its own.
//!
//! ```text
//! cargo metadata ──▶ packages ──▶ libraries, tests, programs ──▶ tests that create threads ──▶ check, robust or fence
//! ```
//!
//! Cargo says what there is, and compiles nothing. Each test is checked by the command of `fencepost` itself, with what
//! follows `--` as its options. A test with the attribute of the crate `fencepost-test` has options of its own, which
//! `groups` puts together.

mod groups;

use super::packages::{MANIFEST, RustArgs, shown_path};
use super::{Global, as_long_options, exit::Exit, set_up, streams};
use crate::formats::Format;
use clap::Parser;
use groups::{Asked, Group};
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

/// Check the tests of a workspace that use threads
#[derive(Parser, Clone, Debug)]
#[command(
    name = "cargo fencepost",
    bin_name = "cargo fencepost",
    version,
    after_help = super::EXIT_CODES,
    override_usage = "cargo fencepost [check|robust|fence] [OPTIONS] [FILTER] [-- OPTIONS OF THE COMMAND]"
)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent option"
)]
struct Arguments {
    /// The command, which is `check` if none is named, and a part of the names of the tests to check
    #[arg(value_name = "COMMAND] [FILTER", num_args = 0..=2)]
    words: Vec<String>,
    /// Only this package; by default, the one of the current folder, and all of the workspace in a folder that has none
    #[arg(long, short = 'p', value_name = "NAME")]
    package: Vec<String>,
    /// All packages of the workspace
    #[arg(long)]
    workspace: bool,
    /// Only tests of libraries
    #[arg(long)]
    lib: bool,
    /// Only tests of programs
    #[arg(long)]
    bins: bool,
    /// Only those of this program
    #[arg(long, value_name = "NAME")]
    bin: Vec<String>,
    /// Only those in this file of `tests`
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    /// The manifest of the package or of the workspace
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Only the one test whose whole name, with its modules, is the filter; its whole report is printed
    #[arg(long)]
    exact: bool,
    /// Memory models, as a list; by default, those of the attribute of the test, or `tso`
    #[arg(long, value_name = "LIST")]
    model: Option<String>,
    /// Let threads wait forever: otherwise a test in which they do is violated
    #[arg(long)]
    allow_stuck: bool,
    /// Write the cheapest fences into the files: for assertions, or for robustness with `robust`
    #[arg(long)]
    fix: bool,
    /// Fix even if files have changes that are not committed
    #[arg(long, requires = "fix")]
    allow_dirty: bool,
    #[command(flatten)]
    rust: RustArgs,
    #[command(flatten)]
    global: Global,
    /// Options of the command: `-- --engine ic3 --forbid-stuck`
    #[arg(last = true, value_name = "OPTIONS")]
    rest: Vec<String>,
}

/// Runs `cargo fencepost`, and ends the process with its exit code.
pub fn cargo_main() -> ! {
    streams::keep_panics_silent();
    let mut words: Vec<OsString> = as_long_options(env::args_os());
    // Cargo passes the name of the command on.
    if words.get(1).is_some_and(|word| word == "fencepost") {
        words.remove(1);
    }
    let arguments = Arguments::parse_from(words);
    let exit = super::guard::guarded(|| run(&arguments)).unwrap_or_else(|exit| exit);
    process::exit(exit.code())
}

fn run(arguments: &Arguments) -> Exit {
    match selected(arguments) {
        Ok(exit) => exit,
        Err(message) => {
            streams::print_message(&message);
            Exit::Usage
        }
    }
}

/// The command that the first word names, if it names one, and the filter.
fn words(arguments: &Arguments) -> Result<(Option<&str>, Option<&str>), String> {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    match words[..] {
        [] => Ok((None, None)),
        [filter] if arguments.exact => Ok((None, Some(filter))),
        [command @ ("check" | "robust" | "fence")] => Ok((Some(command), None)),
        [command @ ("check" | "robust" | "fence"), filter] => Ok((Some(command), Some(filter))),
        [filter] => Ok((None, Some(filter))),
        [word, ..] => Err(format!(
            "`{word}` is not a command: `check`, `robust` and `fence` are"
        )),
    }
}

fn selected(arguments: &Arguments) -> Result<Exit, String> {
    let (command, filter) = words(arguments)?;
    if arguments.exact && filter.is_none() {
        return Err("--exact: name the test".to_owned());
    }
    let metadata = metadata(arguments.manifest_path.as_deref())?;
    if arguments.fix && !arguments.allow_dirty {
        clean(&metadata)?;
    }
    let asked = Asked { command, arguments };
    let base = groups::program(&asked)?;
    let mut all: Vec<Group> = Vec::new();
    let mut others = 0;
    for package in packages(&metadata, arguments)? {
        let mut has_own = false;
        for file in package.files(arguments) {
            let whole = base.of_test(file.clone(), None);
            let Some(tests) = whole.tests(&file, Some(Format::Rust)) else {
                // Why it cannot be read is what is reported of it.
                groups::add(&mut all, &asked, &[], whole);
                has_own = true;
                continue;
            };
            for test in tests {
                if !test.creates_threads && test.stated.is_none() {
                    others += 1;
                    continue;
                }
                has_own = true;
                let is_wanted = filter.is_none_or(|filter| {
                    if arguments.exact {
                        test.path == filter
                    } else {
                        test.name.contains(filter)
                    }
                });
                if is_wanted {
                    let program = base.of_test(file.clone(), Some(test.name));
                    let stated = test.stated.unwrap_or_default();
                    groups::add(&mut all, &asked, &stated, program);
                }
            }
        }
        if !has_own {
            streams::print_message(&package.advice());
        }
    }
    if others > 0 && arguments.global.verbose {
        streams::print_message(&format!(
            "{others} tests create no threads, and are not checked"
        ));
    }
    if all.is_empty() {
        return Err(match filter {
            Some(filter) if arguments.exact => format!("there is no test `{filter}`"),
            Some(filter) => format!("no test with threads has `{filter}` in its name"),
            None => "there are no tests with threads".to_owned(),
        });
    }
    let mut global = arguments.global.clone();
    if !global.verbose && !arguments.exact {
        global.quiet = true;
        global.brief = true;
    }
    set_up(&global);
    groups::run(all, &asked, &global)
}

/// What Cargo knows of the workspace.
fn metadata(manifest: Option<&Path>) -> Result<Value, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = process::Command::new(&cargo);
    command.args(["metadata", "--format-version", "1", "--no-deps"]);
    if let Some(path) = manifest {
        command.arg("--manifest-path").arg(path);
    }
    let cannot = |why: &dyn std::fmt::Display| format!("cannot run `cargo metadata`: {why}");
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| cannot(&error))?;
    if !output.status.success() {
        return Err(cannot(&String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| cannot(&error))
}

/// A package of the workspace.
struct Package<'m> {
    name: &'m str,
    /// The path of its manifest.
    manifest: &'m Path,
    targets: &'m [Value],
}

/// The packages that the arguments choose, in the order of their names.
fn packages<'m>(metadata: &'m Value, arguments: &Arguments) -> Result<Vec<Package<'m>>, String> {
    let list = metadata.get("packages").and_then(Value::as_array);
    let all = list.into_iter().flatten().filter_map(|of| {
        Some(Package {
            name: of.get("name")?.as_str()?,
            manifest: Path::new(of.get("manifest_path")?.as_str()?),
            targets: of.get("targets")?.as_array()?,
        })
    });
    let mut all: Vec<Package<'_>> = all.collect();
    all.sort_by_key(|of| of.name);
    for name in &arguments.package {
        if !all.iter().any(|of| of.name == name) {
            let names: Vec<&str> = all.iter().map(|of| of.name).collect();
            let names = names.join("`, `");
            return Err(format!("there is no package `{name}`: there are `{names}`"));
        }
    }
    if !arguments.package.is_empty() {
        all.retain(|of| arguments.package.iter().any(|name| name == of.name));
    } else if !arguments.workspace {
        let given = arguments.manifest_path.as_deref();
        let here = given.map_or_else(
            || env::current_dir().ok(),
            |path| path.parent().map(Path::to_owned),
        );
        let here = here.and_then(|folder| {
            if folder.as_os_str().is_empty() {
                env::current_dir().ok()
            } else {
                folder.canonicalize().ok()
            }
        });
        let nearest = here.as_deref().and_then(|folder| {
            let mut above = folder.ancestors();
            above.find(|folder| folder.join(MANIFEST).is_file())
        });
        let own = nearest.map(|folder| folder.join(MANIFEST));
        let is_own = |of: &Package<'_>| {
            let path = of.manifest.canonicalize();
            own.as_deref()
                .is_some_and(|own| own == of.manifest || path.is_ok_and(|path| path == own))
        };
        if all.iter().any(is_own) {
            all.retain(is_own);
        }
    }
    Ok(all)
}

impl Package<'_> {
    /// The first files of the targets that the arguments choose.
    fn files(&self, arguments: &Arguments) -> Vec<PathBuf> {
        let any = !arguments.lib
            && !arguments.bins
            && arguments.bin.is_empty()
            && arguments.test.is_empty();
        // As code has it: in the name of a crate, there are no dashes.
        let same = |wanted: &String, name: &str| wanted.replace('-', "_") == name.replace('-', "_");
        let mut files = Vec::new();
        for target in self.targets {
            let kinds = target.get("kind").and_then(Value::as_array);
            let kinds = kinds.into_iter().flatten().filter_map(Value::as_str);
            let kinds: Vec<&str> = kinds.collect();
            let name = target
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let is_library = kinds.iter().any(|kind| kind.ends_with("lib"));
            let chosen = if is_library {
                arguments.lib || any
            } else if kinds.contains(&"bin") {
                arguments.bins || any || arguments.bin.iter().any(|wanted| same(wanted, name))
            } else if kinds.contains(&"test") {
                any || arguments.test.iter().any(|wanted| same(wanted, name))
            } else {
                false
            };
            let is_tested = target.get("test") != Some(&Value::Bool(false));
            let path = target.get("src_path").and_then(Value::as_str);
            files.extend(
                path.filter(|_| chosen && is_tested)
                    .map(|path| shown_path(Path::new(path))),
            );
        }
        files
    }

    /// What to write, if there are no tests with threads.
    fn advice(&self) -> String {
        format!(
            "`{}` has no test that creates threads: a `#[test]` with two or three `std::thread::spawn`, or `loom::model`, \
             around what they share is what is checked (`fencepost help rust`)",
            self.name
        )
    }
}

/// That the files of the workspace have no changes that are not committed.
///
/// # Errors
///
/// The message to print, if they have, or nothing says so.
fn clean(metadata: &Value) -> Result<(), String> {
    let root = metadata.get("workspace_root").and_then(Value::as_str);
    let mut command = process::Command::new("git");
    command.args(["status", "--porcelain", "--", "."]);
    command.current_dir(root.unwrap_or("."));
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() && output.stdout.is_empty() => Ok(()),
        Ok(output) if output.status.success() => Err(format!(
            "files have changes that are not committed, which `--fix` could hide: commit them, or pass \
             `--allow-dirty`\n{}",
            String::from_utf8_lossy(&output.stdout).trim_end()
        )),
        Ok(_) | Err(_) => Err(
            "whether files have changes is not known, as `git` does not say it: pass `--allow-dirty` to let \
             `--fix` change them"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn arguments(words: &[&str]) -> Arguments {
        Arguments::try_parse_from([&["cargo fencepost"], words].concat()).expect("they are valid")
    }

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_command_may_be_left_out() {
        let with = |list: &[&str]| {
            let arguments = arguments(list);
            words(&arguments)
                .map(|(command, filter)| (command.map(str::to_owned), filter.map(str::to_owned)))
        };
        let pair = |command: Option<&str>, filter: Option<&str>| {
            Ok((command.map(str::to_owned), filter.map(str::to_owned)))
        };
        assert_eq!(with(&[]), pair(None, None));
        assert_eq!(with(&["robust"]), pair(Some("robust"), None));
        assert_eq!(with(&["queue"]), pair(None, Some("queue")));
        // A test may have the name of a command.
        assert_eq!(with(&["--exact", "robust"]), pair(None, Some("robust")));
        assert_eq!(
            with(&["fence", "queue", "--", "--all"]),
            pair(Some("fence"), Some("queue"))
        );
        assert!(with(&["queue", "lock"]).is_err());
    }
}
