//! The packages that programs in Rust belong to: what Cargo would tell the compiler of their crates.
//!
//! ```text
//! file ──▶ nearest Cargo.toml ──▶ features that are on ──▶ path dependencies, with the features asked of them ──▶ …
//! ```
//!
//! Cargo itself is not needed, nor is a lock file: dependencies whose folder no manifest names are not there.

mod built;
mod graph;
mod manifest;

pub(super) use manifest::{MANIFEST, Manifest, shown_path};

use super::database::found_in;
use super::{INPUT, named};
use crate::formats::{Crates, Edition, FindFile, FoundFile, ParseOptions};
use built::Built;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the command line says of programs in Rust.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct RustArgs {
    /// Check what release builds execute: arithmetic wraps, and `debug_assert!` does nothing, unless the profile of the
    /// package says otherwise (Rust)
    #[arg(help_heading = INPUT, long)]
    pub(super) release: bool,
    /// Profile of Cargo that says whether arithmetic wraps, and `debug_assert!` does anything; by default, that of tests
    /// (Rust)
    #[arg(help_heading = INPUT, long, value_name = "NAME", conflicts_with = "release")]
    profile: Option<String>,
    /// Whether it is a violation if arithmetic leaves its type, whatever the profile says (Rust)
    #[arg(help_heading = INPUT, long, value_name = "ON|OFF", value_parser = switch)]
    overflow_checks: Option<bool>,
    /// Whether `debug_assert!` is checked, whatever the profile says (Rust)
    #[arg(help_heading = INPUT, long, value_name = "ON|OFF", value_parser = switch)]
    debug_assertions: Option<bool>,
    /// Edition of Rust; by default, that of the package whose `Cargo.toml` is nearest above the file, and 2024
    /// without one (Rust)
    #[arg(help_heading = INPUT, long, value_name = "YEAR", value_parser = named(Edition::ALL, Edition::name))]
    edition: Option<Edition>,
    /// Features of the package to turn on, in addition to its default ones (Rust)
    #[arg(help_heading = INPUT, long, short = 'F', value_name = "LIST", value_delimiter = ',')]
    features: Vec<String>,
    /// Turn off the default features of the package (Rust)
    #[arg(help_heading = INPUT, long)]
    no_default_features: bool,
    /// Turn on a configuration, as `rustc --cfg` does: `NAME`, or `NAME="VALUE"` (Rust)
    #[arg(help_heading = INPUT, long, value_name = "SPEC", value_parser = configuration)]
    cfg: Vec<(String, Option<String>)>,
    /// Elements that a `Vec` or another collection has room for, by default 16: an execution that needs more is not covered
    /// (Rust)
    #[arg(help_heading = INPUT, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    capacity: Option<u16>,
}

impl RustArgs {
    /// These arguments, as one would type them.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.release.then(|| "--release".to_owned()));
        words.extend(self.profile.iter().map(|name| format!("--profile {name}")));
        let switches = [
            ("overflow-checks", self.overflow_checks),
            ("debug-assertions", self.debug_assertions),
        ];
        for (option, is_on) in switches {
            let word = |is_on| if is_on { "on" } else { "off" };
            words.extend(is_on.map(|is_on| format!("--{option} {}", word(is_on))));
        }
        words.extend(self.edition.map(|edition| format!("--edition {edition}")));
        let features = self.features.join(",");
        words.extend((!features.is_empty()).then(|| format!("--features {features}")));
        let none = self.no_default_features;
        words.extend(none.then(|| "--no-default-features".to_owned()));
        words.extend(self.cfg.iter().map(|(name, value)| match value {
            Some(value) => format!("--cfg '{name}=\"{value}\"'"),
            None => format!("--cfg {name}"),
        }));
        words.extend(self.capacity.map(|room| format!("--capacity {room}")));
        words
    }

    /// The room of collections, if these arguments say it.
    pub(super) fn capacity(&self) -> Option<u16> {
        self.capacity
    }

    /// The same with this room of collections, unless these arguments say it.
    pub(super) fn with_capacity(self, capacity: Option<u16>) -> Self {
        Self {
            capacity: self.capacity.or(capacity),
            ..self
        }
    }

    /// The first option that only packages have.
    pub(super) fn of_packages(&self) -> Option<&'static str> {
        if !self.features.is_empty() {
            Some("--features")
        } else if self.no_default_features {
            Some("--no-default-features")
        } else {
            None
        }
    }

    /// These options of parsing, with what is known of a file's package and of the crates that it reaches.
    ///
    /// # Errors
    ///
    /// The message to print, if a manifest cannot be read.
    pub(super) fn on(&self, options: ParseOptions, file: &Path) -> Result<ParseOptions, String> {
        let package = Manifest::of_file(file)?;
        let options = options.crates(self.crates(package.as_ref(), file)?);
        self.compiled(options.files(Arc::new(Beside)), package.as_ref())
    }

    /// These options of parsing, without a package.
    ///
    /// # Errors
    ///
    /// The message to print, if there is no such profile.
    pub(super) fn without_package(&self, options: ParseOptions) -> Result<ParseOptions, String> {
        self.compiled(options, None)
    }

    fn compiled(
        &self,
        options: ParseOptions,
        package: Option<&Manifest>,
    ) -> Result<ParseOptions, String> {
        let mut options = Built::of(package, self)?.on(options);
        for (name, value) in &self.cfg {
            options = options.cfg(name, value.clone());
        }
        if let Some(edition) = self.edition {
            options = options.edition(edition);
        }
        if let Some(room) = self.capacity {
            options = options.capacity(room);
        }
        Ok(options)
    }

    fn crates(&self, package: Option<&Manifest>, file: &Path) -> Result<Crates, String> {
        match package {
            Some(package) => {
                graph::crates(package, file, &self.features, !self.no_default_features)
            }
            None => match self.of_packages() {
                Some(option) => Err(format!(
                    "{option}: `{}` belongs to no package: there is no `{MANIFEST}` above it",
                    file.display()
                )),
                None => Ok(Crates::default()),
            },
        }
    }
}

/// `on` or `off`
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected `on` or `off`".to_owned()),
    }
}

/// `NAME` or `NAME="VALUE"`
fn configuration(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (text.trim(), None),
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(format!("`{name}` is not the name of a configuration"));
    }
    let value = value.map(|value| {
        let inner = value
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        inner.unwrap_or(value).to_owned()
    });
    Ok((name.to_owned(), value))
}

/// Finds files of modules beside the file that names them, and first files of crates where they are.
struct Beside;

impl FindFile for Beside {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let folder = from.and_then(|file| Path::new(file).parent());
        found_in([folder.unwrap_or(Path::new(""))].into_iter(), name, false)
    }
}

/// The first file of the package that a path names: the path of a manifest, or of a folder that has one.
///
/// # Errors
///
/// The message to print, if there is no such file, or the manifest cannot be read.
pub(super) fn first_file(path: &Path) -> Result<Option<PathBuf>, String> {
    let manifest = if path.is_dir() {
        path.join(MANIFEST)
    } else {
        path.to_owned()
    };
    if manifest.file_name() != Some(MANIFEST.as_ref()) || !manifest.is_file() {
        return Ok(None);
    }
    let package = Manifest::read(&manifest)?;
    if !package.is_package() {
        if path.is_dir() && !package.is_workspace() {
            return Ok(None);
        }
        return Err(format!(
            "`{}` is that of a workspace: name one of its packages, or check all of them with `cargo fencepost`",
            manifest.display()
        ));
    }
    let first = package.library().map(|(_, root)| root);
    let first = first.or_else(|| package.main());
    match first {
        Some(first) => Ok(Some(first)),
        None => Err(format!(
            "the package of `{}` has neither a library nor `src/main.rs`",
            manifest.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_written_as_for_the_compiler() {
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(configuration("loom"), Ok(pair("loom", None)));
        let with_value = Ok(pair("backend", Some("futex")));
        assert_eq!(configuration("backend=\"futex\""), with_value);
        assert_eq!(configuration("backend = futex"), with_value);
        assert!(configuration("not(loom)").is_err());
    }
}
