//! The formats by name, and how the format of a text is determined.
//!
//! The extension of the file name comes first. If several formats have it, or none does, as on
//! standard input, the beginning of the text decides, after comments.

use crate::native::Native;
use crate::text::{Entry, FrontEnd, Idiom, ParseOptions};
use std::fmt;
use std::str::FromStr;

/// An input language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// The Fencepost language.
    #[default]
    Fence,
    /// Trencher's automata. Needs the feature `trencher`.
    Trencher,
    /// Litmus tests in x86 assembly. Needs the feature `litmus`.
    Litmus,
    /// Litmus tests in C. Needs the feature `litmus`.
    LitmusC,
    /// C. Needs the feature `c`.
    C,
    /// Rust. Needs the feature `rust`.
    Rust,
}

/// The names of a format and its front end.
struct Row {
    name: &'static str,
    /// The first one is the usual one.
    extensions: &'static [&'static str],
    front_end: &'static dyn FrontEnd,
}

/// A front end that a feature brings, or the one that says so.
macro_rules! if_built {
    ($feature:literal, $front_end:expr) => {{
        #[cfg(feature = $feature)]
        let front_end: &'static dyn FrontEnd = &$front_end;
        #[cfg(not(feature = $feature))]
        let front_end: &'static dyn FrontEnd = &super::absent::Absent { feature: $feature };
        front_end
    }};
}

impl Format {
    /// All formats, as listed on the command line.
    pub const ALL: [Format; 6] = [
        Format::Fence,
        Format::Trencher,
        Format::Litmus,
        Format::LitmusC,
        Format::C,
        Format::Rust,
    ];

    /// The formats that whole programs can be printed in, as listed on the command line.
    pub const PRINTED: [Format; 2] = [Format::Fence, Format::Trencher];

    fn row(self) -> Row {
        let (name, extensions, front_end): (_, &[_], &dyn FrontEnd) = match self {
            Format::Fence => ("fence", &["fence"], &Native),
            Format::Trencher => (
                "trencher",
                &["txt"],
                if_built!("trencher", crate::trencher::Trencher),
            ),
            Format::Litmus => (
                "litmus",
                &["litmus"],
                if_built!("litmus", crate::litmus::Litmus::Assembly),
            ),
            Format::LitmusC => (
                "litmus-c",
                &["litmus"],
                if_built!("litmus", crate::litmus::Litmus::C),
            ),
            Format::C => ("c", &["c", "i"], if_built!("c", crate::c::C)),
            Format::Rust => ("rust", &["rs"], if_built!("rust", crate::rust::Rust)),
        };
        Row {
            name,
            extensions,
            front_end,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The extension of files in this format; the usual one if there are several.
    pub fn extension(self) -> &'static str {
        self.row().extensions[0]
    }

    /// Whether a text is also compiled for machines with other memory models, so that a fence in it may
    /// be needed although it is not on this one.
    pub fn is_portable(self) -> bool {
        match self {
            Format::C | Format::Rust => true,
            Format::Fence | Format::Trencher | Format::Litmus | Format::LitmusC => false,
        }
    }

    /// Whether texts are preprocessed: macros and headers have a meaning.
    pub fn has_preprocessor(self) -> bool {
        self.front_end().has_preprocessor()
    }

    /// The words for fences that a text uses; `None` for a language with fences of its own.
    pub fn idiom(self, text: &str) -> Option<Idiom> {
        self.front_end().idiom(text)
    }

    /// The functions of a text, read with these options, that are programs of their own: tests in Rust. `None` if it cannot
    /// be read.
    pub fn entries(self, text: &str, options: &ParseOptions) -> Option<Vec<Entry>> {
        self.front_end().entries(text, options)
    }

    pub(super) fn front_end(self) -> &'static dyn FrontEnd {
        self.row().front_end
    }

    /// The format of a text: by the extension of its file name, and if that is not decisive, by how
    /// the text begins.
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

    /// The formats with the extension of this file name.
    pub fn of_file(file_name: &str) -> impl Iterator<Item = Format> + use<'_> {
        Format::ALL.into_iter().filter(|format| {
            format.row().extensions.iter().any(|extension| {
                let rest = file_name.strip_suffix(extension);
                rest.is_some_and(|rest| rest.ends_with('.'))
            })
        })
    }

    /// A language that people may expect to be read and is not, by the extension of a file.
    pub fn not_read(file_name: &str) -> Option<&'static str> {
        let (_, extension) = file_name.rsplit_once('.')?;
        Some(match extension {
            "cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" => "C++",
            "m" | "mm" => "Objective-C",
            "go" => "Go",
            "java" | "kt" => "a language of the JVM",
            "swift" => "Swift",
            "zig" => "Zig",
            "ll" | "bc" => "LLVM's intermediate language",
            "s" | "S" | "asm" => "assembly outside of litmus tests",
            _ => return None,
        })
    }

    /// The format that a text begins like, regardless of its file name.
    pub(super) fn begun(text: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.begins(text))
    }

    /// Whether a text begins the way texts in this format do and texts in no other format do.
    fn begins(self, text: &str) -> bool {
        self.front_end().begins(text)
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
