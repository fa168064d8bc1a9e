//! The editions of Rust, which give some programs different meanings.

use crate::program::Origin;
use std::fmt;
use std::str::FromStr;

/// An edition of Rust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Edition {
    E2015,
    E2018,
    E2021,
    E2024,
}

impl Edition {
    /// All of them, as listed on the command line.
    pub const ALL: [Edition; 4] = [
        Edition::E2015,
        Edition::E2018,
        Edition::E2021,
        Edition::E2024,
    ];

    /// The edition of a text that neither needs one nor is in a package.
    pub const ASSUMED: Edition = Edition::E2024;

    /// The name on the command line and in `Cargo.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Edition::E2015 => "2015",
            Edition::E2018 => "2018",
            Edition::E2021 => "2021",
            Edition::E2024 => "2024",
        }
    }

    /// Whether temporary values in the last expression of a block end before its variables, and those in
    /// the condition of an `if let` before its `else`.
    pub(crate) fn rescopes(self) -> bool {
        self >= Edition::E2024
    }

    /// Whether `into_iter` of an array yields its elements, and not references to them.
    pub(crate) fn moves_out_of_arrays(self) -> bool {
        self >= Edition::E2021
    }

    /// Whether closures capture those parts of variables that they name, and not the variables.
    pub(crate) fn captures_parts(self) -> bool {
        self >= Edition::E2021
    }

    /// Whether `pat` in the pattern of a macro matches `a | b`.
    pub(crate) fn has_alternatives_in_fragments(self) -> bool {
        self >= Edition::E2021
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Edition {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Edition::ALL
            .into_iter()
            .find(|edition| edition.name() == s)
            .ok_or_else(|| format!("unknown edition `{s}`"))
    }
}

/// That a verdict depends on an edition which the text does not state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AssumedEdition {
    /// The edition that is assumed.
    pub edition: Edition,
    /// A place where the other editions have another meaning.
    pub origin: Origin,
}
