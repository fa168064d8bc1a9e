//! What is inside a paragraph or a cell: words, code, emphasis, links; and lines of them.

use std::mem;
use unicode_width::UnicodeWidthStr as _;

/// How a piece of text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    Plain,
    Code,
    Strong,
    Emphasis,
}

impl Look {
    /// The code of the terminal for it.
    fn escape(self) -> Option<&'static str> {
        match self {
            Look::Plain => None,
            Look::Code => Some("36"),
            Look::Strong => Some("1"),
            Look::Emphasis => Some("3"),
        }
    }
}

/// The columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// A piece of text that looks the same throughout.
#[derive(Clone, Debug)]
pub(super) struct Span {
    text: String,
    look: Look,
}

/// What stands on one line.
#[derive(Clone, Default, Debug)]
pub(super) struct Line {
    spans: Vec<Span>,
}

impl Line {
    pub(super) fn of(spans: Vec<Span>) -> Self {
        Self { spans }
    }

    /// The columns that it takes.
    pub(super) fn width(&self) -> usize {
        self.spans.iter().map(|span| columns(&span.text)).sum()
    }

    /// Appends text, to the last span if that looks the same.
    fn push(&mut self, text: &str, look: Look) {
        match self.spans.last_mut() {
            Some(last) if last.look == look => last.text.push_str(text),
            Some(_) | None => self.spans.push(Span {
                text: text.to_owned(),
                look,
            }),
        }
    }

    /// The look of its end.
    fn last_look(&self) -> Look {
        self.spans.last().map_or(Look::Plain, |span| span.look)
    }

    /// Its text, in colours or without.
    pub(super) fn text(&self, color: bool) -> String {
        let mut text = String::new();
        for span in &self.spans {
            match span.look.escape().filter(|_| color) {
                Some(code) => text.extend(["\u{1b}[", code, "m", &span.text, "\u{1b}[0m"]),
                None => text.push_str(&span.text),
            }
        }
        text
    }
}

/// The pieces of a text in Markdown. Where colours show what is code and what is strong, the marks for it are left
/// out. Of a link there are the words: pages have the command that shows the target already.
pub(super) fn spans(markdown: &str, color: bool) -> Vec<Span> {
    let mut line = Line::default();
    let mut rest = markdown;
    while let Some(first) = rest.chars().next() {
        let (marked, look) = match first {
            '`' => (enclosed(rest, "`"), Look::Code),
            '*' if rest.starts_with("**") => (enclosed(rest, "**"), Look::Strong),
            '*' => (enclosed(rest, "*"), Look::Emphasis),
            _ => (None, Look::Plain),
        };
        if let Some((inner, after)) = marked {
            let whole = &rest[..rest.len() - after.len()];
            line.push(if color { inner } else { whole }, look);
            rest = after;
        } else if let Some((words, after)) = link(rest) {
            for span in spans(words, color) {
                line.push(&span.text, span.look);
            }
            rest = after;
        } else {
            let length = first.len_utf8();
            line.push(&rest[..length], Look::Plain);
            rest = &rest[length..];
        }
    }
    line.spans
}

/// What is between this mark, which the text begins with, and its next occurrence, and what follows. Nothing is
/// marked by a mark that a blank follows: that is a sign.
fn enclosed<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let inner = text.strip_prefix(mark)?;
    let (inner, after) = inner.split_once(mark)?;
    let is_word = !inner.is_empty() && !inner.starts_with(' ') && !inner.ends_with(' ');
    (is_word || mark == "`").then_some((inner, after))
}

/// The words of the link that the text begins with, and what follows.
fn link(text: &str) -> Option<(&str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = rest.split_once(')')?;
    (!words.contains(']')).then_some((words, after))
}

/// Lines of at most this many columns. A word that is longer is broken where the line ends.
pub(super) fn wrap(spans: Vec<Span>, width: usize) -> Vec<Line> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = Line::default();
    for word in words(spans) {
        let mut used = line.width();
        let blank = usize::from(used > 0);
        if used > 0 && used + blank + word.width() > width {
            lines.push(mem::take(&mut line));
            used = 0;
        } else if used > 0 {
            // A blank within code looks like code.
            let begins = word.spans.first().map_or(Look::Plain, |span| span.look);
            let look = if line.last_look() == begins {
                begins
            } else {
                Look::Plain
            };
            line.push(" ", look);
            used += 1;
        }
        for span in &word.spans {
            for c in span.text.chars() {
                let mut buffer = [0; 4];
                let c: &str = c.encode_utf8(&mut buffer);
                if used + columns(c) > width && used > 0 {
                    lines.push(mem::take(&mut line));
                    used = 0;
                }
                line.push(c, span.look);
                used += columns(c);
            }
        }
    }
    lines.push(line);
    lines
}

/// The widest of the words.
pub(super) fn longest(spans: &[Span]) -> usize {
    let words = words(spans.to_vec());
    words.iter().map(Line::width).max().unwrap_or(0)
}

/// Code that is no wider than this is not divided between lines.
const WHOLE: usize = 18;

/// What is between blanks, or short code; a word may consist of several spans.
fn words(spans: Vec<Span>) -> Vec<Line> {
    let mut words = Vec::new();
    let mut word = Line::default();
    for span in spans {
        if span.look == Look::Code && columns(&span.text) <= WHOLE {
            word.push(&span.text, span.look);
            continue;
        }
        for (number, part) in span.text.split(' ').enumerate() {
            if number > 0 && !word.spans.is_empty() {
                words.push(mem::take(&mut word));
            }
            if !part.is_empty() {
                word.push(part, span.look);
            }
        }
    }
    if !word.spans.is_empty() {
        words.push(word);
    }
    words
}
