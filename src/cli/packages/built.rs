//! How Cargo would compile a package: its profile, and the flags of the compiler.
//!
//! ```text
//! [profile.test] of the workspace, of .cargo/config.toml ──▶ overflow checks, debug assertions ◀──┐ `-C`
//! CARGO_ENCODED_RUSTFLAGS, else RUSTFLAGS, else target.*.rustflags, else build.rustflags ─────────┴──▶ `--cfg`
//! ```
//!
//! A profile says for all packages what it says for the one whose file is read. `panic` makes no difference: a panic is a
//! violation, whether it unwinds or not. The target is 64-bit Linux on x86, as for conditions of compilation.

use super::manifest::{Manifest, table};
use super::{RustArgs, configuration};
use crate::formats::{ParseOptions, holds_for_target};
use std::env;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The target that programs in Rust are read for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Profiles that inherit from one another form no chain that is longer.
const MOST_PROFILES: usize = 100;

/// How a package is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Built {
    overflow_checks: bool,
    debug_assertions: bool,
    is_optimised: bool,
    cfgs: Vec<(String, Option<String>)>,
}

impl Built {
    /// As the package says, or without one, and then as the arguments say.
    ///
    /// # Errors
    ///
    /// The message to print, if a configuration of Cargo cannot be read, or there is no such profile.
    pub(super) fn of(package: Option<&Manifest>, arguments: &RustArgs) -> Result<Self, String> {
        let profile = match &arguments.profile {
            Some(name) => name.as_str(),
            None if arguments.release => "release",
            None => "test",
        };
        let configs = package.map_or(Ok(Vec::new()), |of| configs(&above(of)))?;
        let mut built = Self {
            overflow_checks: true,
            debug_assertions: true,
            is_optimised: false,
            cfgs: Vec::new(),
        };
        let tables = package.map(Manifest::profiles).into_iter().flatten();
        let tables: Vec<&Table> = tables.chain(profiles(&configs)).collect();
        built.choose(profile, package, &tables)?;
        if package.is_some() {
            let variable = |name: &str| env::var(name).ok();
            built.take(&flags(&variable, &configs));
        }
        built.overflow_checks = arguments.overflow_checks.unwrap_or(built.overflow_checks);
        built.debug_assertions = arguments.debug_assertions.unwrap_or(built.debug_assertions);
        Ok(built)
    }

    /// Takes what a profile says, which may be in several tables, of which later ones count more.
    fn choose(
        &mut self,
        name: &str,
        package: Option<&Manifest>,
        tables: &[&Table],
    ) -> Result<(), String> {
        let mut chain = vec![name.to_owned()];
        loop {
            let last = chain.last().map_or("", String::as_str);
            let inherits = tables.iter().rev().find_map(|table| {
                let of = table.get(last).and_then(|of| of.get("inherits"));
                of.and_then(Value::as_str).map(str::to_owned)
            });
            let next = match (last, inherits) {
                ("dev" | "release", _) => break,
                ("test", _) => "dev".to_owned(),
                ("bench", _) => "release".to_owned(),
                (_, Some(inherits)) => inherits,
                (_, None) => return Err(format!("there is no profile `{last}`")),
            };
            if chain.len() > MOST_PROFILES {
                return Err(format!("the profile `{name}` inherits from itself"));
            }
            chain.push(next);
        }
        let is_dev = chain.last().is_some_and(|last| last == "dev");
        (self.overflow_checks, self.debug_assertions) = (is_dev, is_dev);
        self.is_optimised = !is_dev;
        let own = package.map(Manifest::name).unwrap_or_default();
        for name in chain.iter().rev() {
            for table in tables {
                let Some(of) = table.get(name).and_then(Value::as_table) else {
                    continue;
                };
                let of_package = of.get("package").and_then(Value::as_table);
                let of_package = of_package.into_iter().flatten().filter(|(spec, _)| {
                    let name = spec.split(['@', ':']).next();
                    name == Some(own.as_str())
                });
                let of_package = of_package.filter_map(|(_, of)| of.as_table());
                for of in [of].into_iter().chain(of_package) {
                    let is_on = |key: &str| of.get(key).and_then(Value::as_bool);
                    self.overflow_checks = is_on("overflow-checks").unwrap_or(self.overflow_checks);
                    self.debug_assertions =
                        is_on("debug-assertions").unwrap_or(self.debug_assertions);
                    if let Some(level) = of.get("opt-level") {
                        self.is_optimised = level.as_integer() != Some(0);
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes what flags of the compiler say, which come after those of Cargo. Cargo passes only what is not the default: there
    /// are debug assertions unless the code is optimised, and overflow checks where there are debug assertions.
    fn take(&mut self, flags: &[String]) {
        let mut debug =
            (self.debug_assertions == self.is_optimised).then_some(self.debug_assertions);
        let mut overflow =
            (self.overflow_checks != self.debug_assertions).then_some(self.overflow_checks);
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            let mut after = |option: &str| match flag.strip_prefix(option) {
                Some("") => flags.next().cloned(),
                Some(rest) => Some(rest.strip_prefix('=').unwrap_or(rest).to_owned()),
                None => None,
            };
            if let Some(spec) = after("--cfg") {
                self.cfgs.extend(configuration(&spec));
            } else if let Some(option) = after("-C").or_else(|| after("--codegen")) {
                let (name, value) = option.split_once('=').unwrap_or((&option, "yes"));
                let is_on = matches!(value, "y" | "yes" | "on" | "true");
                match name.replace('_', "-").as_str() {
                    "overflow-checks" => overflow = Some(is_on),
                    "debug-assertions" => debug = Some(is_on),
                    "opt-level" => self.is_optimised = value != "0",
                    _ => {}
                }
            } else if flag == "-O" {
                self.is_optimised = true;
            }
        }
        self.debug_assertions = debug.unwrap_or(!self.is_optimised);
        self.overflow_checks = overflow.unwrap_or(self.debug_assertions);
    }

    /// These options of parsing for what is compiled so.
    pub(super) fn on(&self, options: ParseOptions) -> ParseOptions {
        let options = options
            .overflow_checks(self.overflow_checks)
            .debug_assertions(self.debug_assertions);
        let cfgs = self.cfgs.iter();
        cfgs.fold(options, |options, (name, value)| {
            options.cfg(name, value.clone())
        })
    }
}

/// The folder from which Cargo would look for its configuration: the current one if it is in the workspace, and that of the
/// package otherwise.
fn above(package: &Manifest) -> PathBuf {
    let here = env::current_dir().ok();
    let here = here.filter(|here| here.starts_with(package.root()));
    here.unwrap_or_else(|| package.folder().to_owned())
}

/// The configurations of Cargo that count in a folder, those that count more last.
fn configs(folder: &Path) -> Result<Vec<Table>, String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let mut folders: Vec<PathBuf> = folder.ancestors().map(|one| one.join(".cargo")).collect();
    if let Some(home) = home.filter(|home| !folders.contains(home)) {
        folders.push(home);
    }
    let mut all = Vec::new();
    for folder in folders.iter().rev() {
        let files = ["config", "config.toml"].map(|name| folder.join(name));
        if let Some(file) = files.iter().find(|file| file.is_file()) {
            all.push(table(file)?);
        }
    }
    Ok(all)
}

fn profiles(configs: &[Table]) -> impl Iterator<Item = &Table> {
    let all = configs.iter().filter_map(|config| config.get("profile"));
    all.filter_map(Value::as_table)
}

/// The flags of the compiler, from the first place that has some.
fn flags(variable: &dyn Fn(&str) -> Option<String>, configs: &[Table]) -> Vec<String> {
    if let Some(all) = variable("CARGO_ENCODED_RUSTFLAGS") {
        return words(&all, |c| c == '\u{1f}');
    }
    if let Some(all) = variable("RUSTFLAGS") {
        return words(&all, char::is_whitespace);
    }
    let mut of_target = Vec::new();
    for config in configs {
        let targets = config.get("target").and_then(Value::as_table);
        for (name, about) in targets.into_iter().flatten() {
            let condition = name.strip_prefix("cfg(");
            let condition = condition.and_then(|rest| rest.strip_suffix(')'));
            let counts = match condition {
                Some(condition) => holds_for_target(condition).unwrap_or(false),
                None => name == TARGET,
            };
            if counts {
                of_target.extend(listed(about.get("rustflags")));
            }
        }
    }
    if !of_target.is_empty() {
        return of_target;
    }
    let builds = configs.iter().filter_map(|config| config.get("build"));
    let mut all: Vec<String> = builds.flat_map(|of| listed(of.get("rustflags"))).collect();
    if let Some(more) = variable("CARGO_BUILD_RUSTFLAGS") {
        all.extend(words(&more, char::is_whitespace));
    }
    all
}

fn words(text: &str, is_between: impl Fn(char) -> bool) -> Vec<String> {
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A list of texts, or one text of several words.
fn listed(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => words(text, char::is_whitespace),
        Some(Value::Array(list)) => {
            let texts = list.iter().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(text: &str) -> Table {
        text.parse().expect("it is TOML")
    }

    fn chosen(profile: &str, texts: &[&str]) -> Result<(bool, bool), String> {
        let tables: Vec<Table> = texts.iter().map(|text| table_of(text)).collect();
        let tables: Vec<&Table> = tables.iter().collect();
        let mut built = Built {
            overflow_checks: true,
            debug_assertions: true,
            is_optimised: false,
            cfgs: Vec::new(),
        };
        built.choose(profile, None, &tables)?;
        Ok((built.overflow_checks, built.debug_assertions))
    }

    #[test]
    fn profiles_inherit_and_later_tables_count_more() {
        assert_eq!(chosen("test", &[]), Ok((true, true)));
        assert_eq!(chosen("release", &[]), Ok((false, false)));
        let dev = "[dev]\noverflow-checks = false";
        assert_eq!(chosen("test", &[dev]), Ok((false, true)));
        assert_eq!(chosen("release", &[dev]), Ok((false, false)));
        let both = "[dev]\noverflow-checks = false\n[test]\noverflow-checks = true";
        assert_eq!(chosen("test", &[both]), Ok((true, true)));
        assert_eq!(chosen("dev", &[both]), Ok((false, true)));
        let fast = "[fast]\ninherits = \"release\"\ndebug-assertions = true";
        assert_eq!(chosen("fast", &[fast]), Ok((false, true)));
        assert_eq!(
            chosen("fast", &[fast, "[release]\noverflow-checks = true"]),
            Ok((true, true))
        );
        assert!(chosen("slow", &[fast]).is_err());
        assert!(chosen("a", &["[a]\ninherits = \"b\"\n[b]\ninherits = \"a\""]).is_err());
    }

    #[test]
    fn flags_come_from_the_first_place_that_has_some() {
        let configs = [
            table_of("[build]\nrustflags = [\"--cfg\", \"a\"]"),
            table_of("[build]\nrustflags = \"--cfg b\""),
        ];
        let none = |_: &str| None;
        assert_eq!(flags(&none, &configs), ["--cfg", "a", "--cfg", "b"]);
        let of_target = table_of(
            "[build]\nrustflags = [\"--cfg\", \"a\"]\n[target.'cfg(unix)']\nrustflags = [\"--cfg\", \"c\"]\n\
             [target.'cfg(windows)']\nrustflags = [\"--cfg\", \"d\"]\n\
             [target.x86_64-unknown-linux-gnu]\nrustflags = [\"-Coverflow-checks=off\"]",
        );
        let mut all = flags(&none, std::slice::from_ref(&of_target));
        all.sort();
        assert_eq!(all, ["--cfg", "-Coverflow-checks=off", "c"]);
        let given = |name: &str| (name == "RUSTFLAGS").then(|| " --cfg e ".to_owned());
        assert_eq!(flags(&given, &[of_target]), ["--cfg", "e"]);
    }

    #[test]
    fn flags_are_those_of_the_compiler() {
        let mut built = Built {
            overflow_checks: true,
            debug_assertions: true,
            is_optimised: false,
            cfgs: Vec::new(),
        };
        let flags = [
            "--cfg=loom",
            "-C",
            "overflow-checks=off",
            "--cfg",
            "backend=\"futex\"",
            "-Cdebug_assertions=no",
            "-Ctarget-cpu=native",
            "--check-cfg",
            "cfg(x)",
        ];
        built.take(&flags.map(str::to_owned));
        assert!(!built.overflow_checks && !built.debug_assertions);
        // What is not said follows from the others.
        let mut dev = Built {
            is_optimised: false,
            overflow_checks: true,
            debug_assertions: true,
            cfgs: Vec::new(),
        };
        dev.take(&["-Cdebug-assertions=off".to_owned()]);
        assert!(!dev.overflow_checks);
        dev.take(&["-O".to_owned(), "-Coverflow-checks=on".to_owned()]);
        assert!(!dev.debug_assertions && dev.overflow_checks);
        let names: Vec<&str> = built.cfgs.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["loom", "backend"]);
        assert_eq!(built.cfgs[1].1.as_deref(), Some("futex"));
    }
}
