//! An SVG image under construction: boxes, lines and labels with the classes of one style sheet.
//!
//! Coordinates are whole pixels. There are no identifiers, so that a page may contain several images.
//!
//! **Invariant.** All text from outside is escaped by [`Svg::text`].

use crate::visible::visible_line;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// The space around the image.
pub(super) const MARGIN: i32 = 16;

/// Light colours, and dark ones for pages that are dark.
const STYLE: &str = "\
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\
.head{font-weight:bold}.small{font-size:11px;fill:#57606a}\
.bg{fill:#fff}.box{fill:#f6f8fa;stroke:#57606a}\
.delayed{fill:#fff1e5;stroke:#bc4c00;stroke-width:2}\
.overtaking{fill:#ddf4ff;stroke:#0969da;stroke-width:2}\
.line{fill:none;stroke:#6e7781}.tip{fill:#6e7781}\
.rf{stroke:#1a7f37}.rftip{fill:#1a7f37}.fr{stroke:#8250df}.frtip{fill:#8250df}\
.co{stroke:#0a7180}.cotip{fill:#0a7180}\
.hot{fill:none;stroke:#cf222e;stroke-width:2}.hottip{fill:#cf222e}.bold{stroke-width:2.5}\
.dashed{stroke-dasharray:5 4}.dotted{stroke-dasharray:1 3}\
.label{font-size:11px;fill:#cf222e}.edge:hover path{stroke-width:3}\
.now rect{stroke:#1f2328;stroke-width:3.5}.now text{font-weight:bold;fill:#1f2328}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.bg{fill:#0d1117}\
.box{fill:#161b22;stroke:#9198a1}.delayed{fill:#3d2410;stroke:#f0883e}\
.overtaking{fill:#0c2d6b;stroke:#58a6ff}.line{stroke:#8b949e}.tip{fill:#8b949e}\
.rf{stroke:#3fb950}.rftip{fill:#3fb950}.fr{stroke:#bc8cff}.frtip{fill:#bc8cff}\
.co{stroke:#39c5cf}.cotip{fill:#39c5cf}.label{fill:#ff7b72}\
.hot{stroke:#ff7b72}.hottip{fill:#ff7b72}.now rect{stroke:#fff}.now text{fill:#fff}}";

/// The direction of the tip of an arrow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tip {
    Left,
    Right,
    Down,
}

/// An image that grows.
#[derive(Default)]
pub(super) struct Svg {
    body: String,
    width: i32,
    height: i32,
}

/// The width of a text, in pixels.
pub(super) fn width(text: &str) -> i32 {
    let columns = visible_line(text).width() as i32;
    (columns * 73 + 9) / 10
}

/// The width of a text in small letters, in pixels.
pub(super) fn small_width(text: &str) -> i32 {
    let columns = visible_line(text).width() as i32;
    (columns * 67 + 9) / 10
}

/// The beginning of a text, if it is longer than this many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most - 1).collect();
    short.push('…');
    short
}

impl Svg {
    /// Makes the image large enough for this point.
    fn reach(&mut self, x: i32, y: i32) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    /// Begins a group with a title, which viewers show where one points; `at` is the step that it is about.
    pub(super) fn open(&mut self, class: &str, at: Option<usize>, title: &str) {
        let at = at.map_or_else(String::new, |at| format!(" data-at=\"{at}\""));
        let title = escaped(title);
        let _ = writeln!(self.body, "<g class=\"{class}\"{at}><title>{title}</title>");
    }

    /// Ends a group.
    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): (i32, i32), (width, height): (i32, i32)) {
        self.reach(x + width, y + height);
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>"
        );
    }

    /// A text that begins at this point of its base line.
    pub(super) fn text(&mut self, class: &str, x: i32, y: i32, text: &str) {
        self.reach(x + width(text), y + 4);
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
        );
    }

    /// A path, which has to stay inside what the rest of the image needs.
    pub(super) fn path(&mut self, class: &str, d: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{d}\"/>");
    }

    /// The tip of an arrow.
    pub(super) fn tip(&mut self, class: &str, x: i32, y: i32, tip: Tip) {
        let (back, side) = match tip {
            Tip::Left => (7, 0),
            Tip::Right => (-7, 0),
            Tip::Down => (0, -7),
        };
        let (a, b) = if side == 0 {
            ((x + back, y - 4), (x + back, y + 4))
        } else {
            ((x - 4, y + side), (x + 4, y + side))
        };
        self.reach(x.max(a.0), y);
        let _ = writeln!(
            self.body,
            "<path class=\"{class}\" d=\"M{x} {y}L{} {}L{} {}Z\"/>",
            a.0, a.1, b.0, b.1
        );
    }

    /// Makes the image at least as wide as this.
    pub(super) fn widen(&mut self, x: i32) {
        self.reach(x, 0);
    }

    /// The image, with a title for readers that do not see it.
    pub(super) fn finish(self, title: &str) -> String {
        let (width, height) = (self.width + MARGIN, self.height + MARGIN);
        // Where there is less room, what is smaller could not be read.
        let least = width * 7 / 10;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" style=\"min-width:{least}px\" role=\"img\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n\
             <rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escaped(title),
            self.body
        )
    }
}

/// The text for XML, with invisible characters shown as escapes.
pub(in crate::report) fn escaped(text: &str) -> String {
    visible_line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
