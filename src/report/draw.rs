//! Drawings: automata and happens-before relations as SVG and in the DOT language, and pages of HTML.
//!
//! Everything is laid out here, by rules simple enough to check: threads side by side in the order of
//! their declaration, time downwards, and no line through a label. Drawings have a white background and
//! adapt to dark pages.

mod automata;
mod lanes;
mod svg;

pub use automata::automata;
pub use lanes::execution;
pub(super) use lanes::{is_delayed, is_overtaken};
pub(super) use svg::escaped;

/// The format of a drawing, which is the extension of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// A picture.
    Svg,
    /// A text for Graphviz.
    Dot,
    /// A page that needs nothing else.
    Html,
}

impl Drawing {
    /// All formats.
    pub const ALL: [Drawing; 3] = [Drawing::Svg, Drawing::Dot, Drawing::Html];

    /// The extension of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Drawing::Svg => "svg",
            Drawing::Dot => "dot",
            Drawing::Html => "html",
        }
    }

    /// The format that a file's name asks for.
    pub fn of_file(name: &str) -> Option<Drawing> {
        let (_, extension) = name.rsplit_once('.')?;
        let mut all = Drawing::ALL.into_iter();
        all.find(|drawing| extension.eq_ignore_ascii_case(drawing.extension()))
    }
}

/// An image as a file of its own.
pub fn file(image: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{image}")
}
