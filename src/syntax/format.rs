//! What a text may be written in, and how that is told from the text alone.

use std::fmt;
use std::str::FromStr;

/// An input format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// The Fencepost language.
    #[default]
    Fence,
    /// Trencher's automata.
    Trencher,
}

impl Format {
    /// All formats, as listed on the command line.
    pub const ALL: [Format; 2] = [Format::Fence, Format::Trencher];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fence => "fence",
            Format::Trencher => "trencher",
        }
    }

    /// The extension that files of this format have.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Fence => "fence",
            Format::Trencher => "txt",
        }
    }

    /// What a text is written in: by the extension of its file's name if that says it, else by how
    /// the text begins.
    pub fn guess(file_name: &str, text: &str) -> Format {
        Format::of_file(file_name)
            .or_else(|| is_trencher(text).then_some(Format::Trencher))
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

/// Whether a text begins as Trencher's do: behind comments a line `thread NAME`, and then a line
/// that begins with `initial`, or with another word of that format. A text in the Fencepost
/// language may begin with `thread NAME` too, but behind that, a brace, `regs`, `locations`, `init`
/// or a count of copies follows; and no line of it begins with `#`.
fn is_trencher(text: &str) -> bool {
    let mut lines = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.first().is_some_and(|word| !word.starts_with('#')));
    matches!(lines.next().as_deref(), Some(["thread", _]))
        && lines
            .next()
            .is_some_and(|words| matches!(words[0], "initial" | "transition" | "final" | "end"))
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
