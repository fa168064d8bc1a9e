//! What a text may be written in, and how that is told from the text alone.

use std::fmt;
use std::str::FromStr;

/// An input format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// The Fencepost language.
    #[default]
    Fence,
}

impl Format {
    /// All formats, as listed on the command line.
    pub const ALL: [Format; 1] = [Format::Fence];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fence => "fence",
        }
    }

    /// The extension that files of this format have.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Fence => "fence",
        }
    }

    /// What a text is written in: by the extension of its file's name if that says it, else by how
    /// the text begins.
    pub fn guess(file_name: &str, text: &str) -> Format {
        let _ = text;
        Format::of_file(file_name).unwrap_or_default()
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
