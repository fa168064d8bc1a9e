//! What a text may be written in, and how that is told from the text alone.
//!
//! | format | extension | begins with |
//! |---|---|---|
//! | `fence` | `.fence` | whatever else |
//! | `trencher` | `.txt` | a line `thread NAME`, and on the next one `initial` or `transition` |
//! | `litmus` | `.litmus` | the word `X86` or `X86_64` |
//! | `c` | `.litmus` | the word `C` |
//!
//! The extension is asked first. Where it leaves several formats, and where it names none, as on
//! standard input, the beginning of the text decides, behind comments.

use super::{litmus, trencher};
use std::fmt;
use std::str::FromStr;

/// A language that programs are written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// The Fencepost language.
    #[default]
    Fence,
    /// Trencher's automata.
    Trencher,
    /// Litmus tests in x86 assembly.
    Litmus,
    /// Litmus tests in C.
    C,
}

impl Format {
    /// All formats, as listed on the command line.
    pub const ALL: [Format; 4] = [Format::Fence, Format::Trencher, Format::Litmus, Format::C];

    /// The formats that whole programs can be printed in, as listed on the command line.
    pub const PRINTED: [Format; 2] = [Format::Fence, Format::Trencher];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fence => "fence",
            Format::Trencher => "trencher",
            Format::Litmus => "litmus",
            Format::C => "c",
        }
    }

    /// The extension that files of this format have.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Fence => "fence",
            Format::Trencher => "txt",
            Format::Litmus | Format::C => "litmus",
        }
    }

    /// What a text is written in: by the extension of its file's name, and where that does not
    /// settle it, by how the text begins.
    pub fn guess(file_name: &str, text: &str) -> Format {
        let named: Vec<Format> = Format::of_file(file_name).collect();
        let possible = if named.is_empty() {
            &Format::ALL[..]
        } else {
            &named
        };
        let mut begun = possible.iter().filter(|format| format.begins(text));
        begun
            .next()
            .or(possible.first())
            .copied()
            .unwrap_or_default()
    }

    /// The formats that the extension of a file's name stands for.
    pub fn of_file(file_name: &str) -> impl Iterator<Item = Format> + use<'_> {
        Format::ALL.into_iter().filter(|format| {
            let rest = file_name.strip_suffix(format.extension());
            rest.is_some_and(|rest| rest.ends_with('.'))
        })
    }

    /// The format that a text begins like, whatever its file is called.
    pub(super) fn begun(text: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.begins(text))
    }

    /// Whether a text begins as those of this format do, and no others.
    fn begins(self, text: &str) -> bool {
        match self {
            Format::Fence => false,
            Format::Trencher => trencher::begins(text),
            Format::Litmus | Format::C => litmus::format(text) == Some(self),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == s)
            .ok_or_else(|| format!("unknown format `{s}`"))
    }
}
