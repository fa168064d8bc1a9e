//! The crates that a text in Rust belongs to and reaches, and how they are configured.
//!
//! What Cargo knows of them arrives as data: no front end reads a manifest. Files are found by [`FindFile`](super::FindFile),
//! beside the file that names them.

use super::{Edition, ParseOptions};
use std::collections::{BTreeMap, BTreeSet};

/// The crates of a program in Rust: that of the text, which is the first, and the others by their numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Crates(pub Vec<Crate>);

/// A crate.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Crate {
    /// The name of its first file. That of the text itself is not needed.
    pub root: String,
    /// The edition of its package.
    pub edition: Option<Edition>,
    /// The features that are on.
    pub features: BTreeSet<String>,
    /// The crates that it can name.
    pub names: BTreeMap<String, Reached>,
}

/// What the name of a crate stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reached {
    /// The crate with this number.
    Crate(usize),
    /// One that is not there; where it was looked for, as the end of a sentence.
    Absent(String),
}

impl ParseOptions {
    /// With what is known of the crate of the text and of those that it reaches (Rust).
    #[must_use]
    pub fn crates(mut self, crates: Crates) -> Self {
        self.crates = crates;
        self
    }

    /// With a configuration that is on, as by `--cfg` of the compiler: `("loom", None)`,
    /// `("backend", Some("futex"))` (Rust).
    #[must_use]
    pub fn cfg(mut self, name: impl Into<String>, value: Option<String>) -> Self {
        self.cfgs.insert((name.into(), value));
        self
    }
}
