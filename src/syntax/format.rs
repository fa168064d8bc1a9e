//! What a text may be written in, and how that is told from the text alone.

use super::litmus;
use std::fmt;
use std::str::FromStr;

/// An input format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// The Fencepost language.
    #[default]
    Fence,
    /// Litmus tests in x86 assembly.
    Litmus,
    /// Litmus tests in C.
    C,
}

impl Format {
    /// All formats, as listed on the command line.
    pub const ALL: [Format; 3] = [Format::Fence, Format::Litmus, Format::C];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fence => "fence",
            Format::Litmus => "litmus",
            Format::C => "c",
        }
    }

    /// The extension that files of this format have.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Fence => "fence",
            Format::Litmus | Format::C => "litmus",
        }
    }

    /// What a text is written in: by the extension of its file's name if that says it, else by how
    /// the text begins.
    pub fn guess(file_name: &str, text: &str) -> Format {
        let by_text = || match litmus::guess(text) {
            Some(true) => Some(Format::C),
            Some(false) => Some(Format::Litmus),
            None => None,
        };
        match Format::of_file(file_name) {
            // The extension is the same for all languages of litmus tests.
            Some(Format::Litmus) => by_text().or(Some(Format::Litmus)),
            Some(format) => Some(format),
            None => by_text(),
        }
        .unwrap_or_default()
    }

    /// The format that the extension of a file's name stands for.
    pub fn of_file(file_name: &str) -> Option<Format> {
        let named = |format: &Format| {
            let rest = file_name.strip_suffix(format.extension());
            rest.is_some_and(|rest| rest.ends_with('.'))
        };
        Format::ALL.into_iter().find(named)
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
