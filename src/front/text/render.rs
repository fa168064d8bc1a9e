//! Renders diagnostics: the source lines that they refer to, with labels.
//!
//! Each picture is drawn from an excerpt of the text: lines that the diagnostic does not refer to
//! are empty, long ones are clipped around its spans, and invisible characters are escaped. So a
//! picture is small and safe to show, whatever the text is.
//!
//! **Differs from** the renderer's own output in the column that is printed: it is the column in
//! the text, not in the excerpt.

use super::diagnostic::{Diagnostic, Severity, Span};
use crate::program::Files;
use crate::visible::{visible, visible_line};
use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, Source};
use std::fmt::Write as _;
use std::ops::Range;

/// A line of at most this many bytes is shown as a whole.
const LONG_LINE: usize = 240;

/// In a longer line, this many bytes are shown before and after each position.
const AROUND: usize = 60;

/// Messages are limited to this many bytes, since names may be as long as the text.
const LONG_MESSAGE: usize = 600;

/// A picture shows at most this many spans in addition to the first.
const MOST_OTHERS: usize = 8;

/// The excerpt contains an empty line for each line before it; past this line there are no
/// pictures.
const LAST_DRAWN_LINE: usize = 100_000;

/// A placeholder for the file name in the renderer's output. It never occurs in outside text.
const NAME: &str = "\u{0}";

/// Renders diagnostics with the lines that they refer to. The result ends with a line break unless
/// it is empty, and is safe to show on a terminal.
pub fn render(diagnostics: &[Diagnostic], file_name: &str, text: &str, color: bool) -> String {
    render_files(diagnostics, file_name, text, &Files::default(), color)
}

/// The same for a text that consists of several files.
pub(crate) fn render_files(
    diagnostics: &[Diagnostic],
    file_name: &str,
    text: &str,
    files: &Files,
    color: bool,
) -> String {
    let layout = Layout {
        text,
        starts: line_starts(text),
        files,
        given: files.presumed().unwrap_or(file_name),
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        if diagnostic.nowhere {
            out.push_str(&undrawn(diagnostic, None));
            continue;
        }
        let place_name = layout.place(diagnostic.span.start);
        let diagnostic = &layout.in_one_file(diagnostic);
        if let Some(excerpt) = Excerpt::new(diagnostic, &layout) {
            let picture = draw(diagnostic, &excerpt, color);
            out.push_str(&with_place(&picture, &place_name));
        } else {
            out.push_str(&undrawn(diagnostic, Some(&place_name)));
        }
    }
    out
}

/// A diagnostic without a picture.
fn undrawn(diagnostic: &Diagnostic, place: Option<&str>) -> String {
    let word = match diagnostic.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let mut out = format!("{word}: {}\n", message(&diagnostic.message));
    if let Some(place) = place {
        // Writing to a string does not fail.
        let _ = writeln!(out, "   at {place}");
    }
    for text in [&diagnostic.label].into_iter().chain(&diagnostic.notes) {
        if !text.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(out, "   {}", message(text));
        }
    }
    out
}

/// The picture with the position in the text. The renderer prints the position in the excerpt.
fn with_place(picture: &str, place: &str) -> String {
    let mut parts = picture.split(NAME);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    // For spans further up, the renderer starts another part, with the same position in its
    // heading.
    for part in parts {
        whole.push_str(place);
        let own = |c: char| matches!(c, ':' | '?') || c.is_ascii_digit();
        whole.push_str(part.trim_start_matches(own));
    }
    whole
}

fn draw(diagnostic: &Diagnostic, excerpt: &Excerpt, color: bool) -> String {
    let mut source = (NAME, Source::from(excerpt.text.as_str()));
    let config = Config::new()
        .with_index_type(IndexType::Byte)
        .with_char_set(CharSet::Unicode)
        .with_color(color)
        .with_tab_width(4);
    let (kind, tint) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, ariadne::Color::Red),
        Severity::Warning => (ReportKind::Warning, ariadne::Color::Yellow),
    };
    let label = match diagnostic.label.as_str() {
        "" => "here".to_owned(),
        label => message(label),
    };
    let mut report = Report::build(kind, (NAME, excerpt.span.clone()))
        .with_config(config)
        .with_message(message(&diagnostic.message))
        .with_label(
            Label::new((NAME, excerpt.span.clone()))
                .with_message(label)
                .with_color(tint),
        );
    for (span, label) in &excerpt.others {
        report = report.with_label(
            Label::new((NAME, span.clone()))
                .with_message(message(label))
                .with_color(ariadne::Color::Blue),
        );
    }
    for note in &diagnostic.notes {
        report = report.with_note(message(note));
    }
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = report.finish().write(&mut source, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// A message that is safe to show, without its middle if it is very long.
fn message(text: &str) -> String {
    if text.len() <= LONG_MESSAGE {
        return visible(text).into_owned();
    }
    let head = &text[..text.floor_char_boundary(LONG_MESSAGE / 2)];
    let tail = &text[text.ceil_char_boundary(text.len() - LONG_MESSAGE / 4)..];
    format!("{}…{}", visible(head), visible(tail))
}

/// Where each line starts.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

/// A text, its lines, and the files that they belong to.
struct Layout<'t> {
    text: &'t str,
    starts: Vec<usize>,
    files: &'t Files,
    /// The name of the file that was given.
    given: &'t str,
}

impl Layout<'_> {
    /// A position as file, line and column; columns count characters.
    fn place(&self, at: usize) -> String {
        let at = self.text.floor_char_boundary(at.min(self.text.len()));
        let column = self.text[self.starts[line_of(at, &self.starts)]..at]
            .chars()
            .count()
            + 1;
        let name = visible_line(self.files.name(at).unwrap_or(self.given));
        format!("{name}:{}:{column}", self.number(at) + 1)
    }

    /// The number of a position's line in its file, from zero.
    fn number(&self, at: usize) -> usize {
        let line = line_of(at.min(self.text.len()), &self.starts) as u32 + 1;
        self.files.line(at, line).saturating_sub(1) as usize
    }

    /// The diagnostic with those of its other spans as notes that are not in the file of the first, or
    /// whose lines are not in the order of the text.
    fn in_one_file(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let mut one = diagnostic.clone();
        let at = one.span.start;
        let distance = |from: usize, to: usize| to as i64 - from as i64;
        one.others.retain(|(span, label)| {
            let other = span.start;
            let lines = |at: usize| line_of(at.min(self.text.len()), &self.starts);
            let same = self.files.name(other) == self.files.name(at)
                && distance(self.number(at), self.number(other)).signum()
                    == distance(lines(at), lines(other)).signum();
            if !same {
                one.notes.push(format!("{label}: {}", self.place(other)));
            }
            same
        });
        one
    }
}

fn line_of(at: usize, starts: &[usize]) -> usize {
    starts.partition_point(|&start| start <= at) - 1
}

/// What is shown of a text, and where the spans are in it.
struct Excerpt {
    text: String,
    span: Span,
    others: Vec<(Span, String)>,
}

impl Excerpt {
    /// The excerpt for this diagnostic; `None` if its span starts too far down for a picture.
    fn new(diagnostic: &Diagnostic, layout: &Layout<'_>) -> Option<Self> {
        let (text, starts) = (layout.text, &layout.starts[..]);
        let drawn = |span: &Span| layout.number(span.start) <= LAST_DRAWN_LINE;
        if !drawn(&diagnostic.span) {
            return None;
        }
        let others = diagnostic.others.iter();
        let others: Vec<_> = others
            .filter(|(span, _)| drawn(span))
            .take(MOST_OTHERS)
            .collect();
        let spans: Vec<Span> = std::iter::once(&diagnostic.span)
            .chain(others.iter().map(|(span, _)| span))
            .map(|span| inside(span, layout))
            .collect();
        let mut builder = ExcerptBuilder::default();
        let mut lines: Vec<usize> = spans
            .iter()
            .flat_map(|span| [span.start, last(span)])
            .map(|at| line_of(at, starts))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let mut next = 0;
        for line in lines {
            let number = layout.number(starts[line]);
            let above = number.saturating_sub(next);
            builder.text.extend(std::iter::repeat_n('\n', above));
            next = number.max(next);
            builder.line(text, line_range(line, text, starts), &spans);
        }
        let moved = |span: &Span| builder.moved(span.start)..builder.moved(span.end);
        Some(Self {
            span: moved(&spans[0]),
            others: others
                .iter()
                .zip(&spans[1..])
                .map(|((_, label), span)| (moved(span), label.clone()))
                .collect(),
            text: builder.text,
        })
    }
}

/// The span clamped to the text, and cut at the end of its first line if it ends too far down.
fn inside(span: &Span, layout: &Layout<'_>) -> Span {
    let (text, starts) = (layout.text, &layout.starts[..]);
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let end = text.ceil_char_boundary(span.end.clamp(start, text.len()));
    if layout.number(last(&(start..end))) <= LAST_DRAWN_LINE {
        start..end
    } else {
        start..line_range(line_of(start, starts), text, starts).end
    }
}

/// The last byte of a span, or its position if it is empty.
fn last(span: &Range<usize>) -> usize {
    span.end.saturating_sub(1).max(span.start)
}

/// A line without its line break.
fn line_range(line: usize, text: &str, starts: &[usize]) -> Range<usize> {
    let start = starts[line];
    let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
    let content = text[start..end].trim_end_matches('\r');
    start..start + content.len()
}

/// An excerpt under construction. For each piece of the text in it: its range in the text and its
/// start in the excerpt, ascending.
#[derive(Default)]
struct ExcerptBuilder {
    text: String,
    pieces: Vec<(Range<usize>, usize)>,
    whole: String,
}

impl ExcerptBuilder {
    /// Adds a line; of a long one, only what is around these spans.
    fn line(&mut self, text: &str, line: Range<usize>, spans: &[Span]) {
        let windows = windows(text, &line, spans);
        let mut at = line.start;
        for window in windows {
            if window.start > at {
                self.text.push('…');
            }
            at = window.end;
            self.piece(text, window);
        }
        if at < line.end {
            self.text.push('…');
        }
    }

    fn piece(&mut self, text: &str, window: Range<usize>) {
        self.whole.push_str(&text[window.clone()]);
        self.pieces.push((window.clone(), self.text.len()));
        self.text.push_str(&on_line(&text[window]));
    }

    /// Where a position of the text is in the excerpt: at the same character, or where the nearest
    /// piece before it ends.
    fn moved(&self, at: usize) -> usize {
        let mut before = 0;
        let mut seen = 0;
        for (piece, here) in &self.pieces {
            let whole = &self.whole[seen..seen + piece.len()];
            seen += piece.len();
            if at < piece.start {
                break;
            }
            let inside = at.min(piece.end) - piece.start;
            before = here + on_line(&whole[..inside]).len();
        }
        before
    }
}

/// A part of a line, safe to show. A carriage return in it has no line feed after it.
fn on_line(part: &str) -> String {
    visible(part).replace('\r', "\\x0d")
}

/// The parts of a line that are shown: all of it, or what is around the ends of these spans.
fn windows(text: &str, line: &Range<usize>, spans: &[Span]) -> Vec<Range<usize>> {
    if line.len() <= LONG_LINE {
        return vec![line.clone()];
    }
    let ends = spans.iter().flat_map(|span| [span.start, span.end]);
    let mut around: Vec<Range<usize>> = ends
        .filter(|at| line.start <= *at && *at <= line.end)
        .map(|at| {
            let start = text.floor_char_boundary(at.saturating_sub(AROUND).max(line.start));
            let end = text.ceil_char_boundary((at + AROUND).min(line.end));
            start..end
        })
        .collect();
    around.sort_unstable_by_key(|window| window.start);
    let mut windows: Vec<Range<usize>> = Vec::new();
    for window in around {
        match windows.last_mut() {
            Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
            Some(_) | None => windows.push(window),
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str, diagnostic: Diagnostic) -> String {
        render(&[diagnostic], "a.fence", text, false)
    }

    #[test]
    fn a_picture_shows_the_line_and_has_no_colour_unless_asked() {
        let text = "shared x;\nthread t { y = 1; }\n";
        let diagnostic = Diagnostic::error("unknown name `y`", 21..22).label("not declared");
        let plain = picture(text, diagnostic.clone());
        assert!(plain.contains("a.fence:2:12 "), "{plain}");
        assert!(plain.contains("2 │ thread t { y = 1; }"), "{plain}");
        assert!(plain.contains("not declared"), "{plain}");
        assert!(!plain.contains('\u{1b}'), "{plain}");
        assert!(render(&[diagnostic], "a.fence", text, true).contains('\u{1b}'));
    }

    #[test]
    fn of_a_long_line_only_what_is_around_the_places_is_shown() {
        let text = format!("ok\n{}bad{}", "é ".repeat(400_000), " z".repeat(400_000));
        let at = 3 + 3 * 400_000;
        let shown = picture(&text, Diagnostic::error("wrong", at..at + 3).label("this"));
        assert!(shown.len() < 2000, "{} bytes", shown.len());
        assert!(shown.contains("é bad z"), "{shown}");
        assert!(shown.contains("a.fence:2:800001 "), "{shown}");
        // The underlined text is the wrong one.
        let lines: Vec<&str> = shown.lines().collect();
        let column = |line: &str, what: &str| {
            line.split_once(what)
                .map(|(before, _)| before.chars().count())
        };
        let quoted = lines.iter().position(|line| line.contains("bad"));
        let quoted = quoted.expect("the line is quoted");
        assert_eq!(
            column(lines[quoted], "bad"),
            column(lines[quoted + 1], "─┬─"),
            "{shown}"
        );
    }

    #[test]
    fn a_long_span_is_shown_at_both_ends_and_a_long_message_too() {
        let name = "n".repeat(100_000);
        let text = format!("shared x; thread t {{ {name} = 1; }}");
        let end = 21 + name.len();
        let shown = picture(
            &text,
            Diagnostic::error(format!("unknown name `{name}`, alas"), 21..end),
        );
        assert!(shown.len() < 4000, "{} bytes", shown.len());
        assert!(shown.contains("thread t { nnn") && shown.contains("nnn = 1; }"));
        assert!(shown.contains("unknown name `nnn") && shown.contains("nnn`, alas"));
    }

    #[test]
    fn text_from_outside_cannot_control_the_terminal() {
        let text = "// \u{1b}[2J\n\u{1b}[7mx\u{202e} = \u{9b}1;\r\n";
        let start = text.find('x').expect("it is there");
        let diagnostic = Diagnostic::error("no `\u{1b}[1m`", start..start + 1)
            .label("\u{7}")
            .other(0..2, "\u{202e}here")
            .note("not \u{8}");
        for color in [false, true] {
            let shown = render(
                std::slice::from_ref(&diagnostic),
                "\u{1b}]0;file\u{7}",
                text,
                color,
            );
            for c in ['\u{7}', '\u{8}', '\u{9b}', '\u{202e}', '\u{0}', '\r'] {
                assert!(!shown.contains(c), "{c:?} in {shown:?}");
            }
            for command in ["\u{1b}[2J", "\u{1b}[7m", "\u{1b}[1m", "\u{1b}]0"] {
                assert!(!shown.contains(command), "{command:?} in {shown:?}");
            }
        }
        let plain = picture(text, diagnostic);
        assert!(plain.contains("\\x1b[7mx\\u{202e} = \\u{9b}1;"), "{plain}");
        // The column counts the characters of the text.
        assert_eq!(plain.matches("a.fence:2:5 ").count(), 2, "{plain}");
    }

    #[test]
    fn every_span_has_a_picture() {
        let text = format!("é\r\n\n{}\n\u{2028}b", "xé".repeat(300));
        for start in 0..=text.len() + 2 {
            for end in [0, start, start + 1, start + 3, start + 700, usize::MAX] {
                let diagnostic = Diagnostic::error("m", start..end).other(end..start, "o");
                let shown = picture(&text, diagnostic);
                assert!(shown.starts_with("Error: m\n"), "{start}..{end}: {shown}");
                assert!(shown.contains(" a.fence:"), "{start}..{end}: {shown}");
            }
        }
    }

    #[test]
    fn far_down_the_place_is_named_and_not_drawn() {
        let text = "\n".repeat(3 * LAST_DRAWN_LINE);
        let far = 2 * LAST_DRAWN_LINE;
        let shown = picture(&text, Diagnostic::error("wrong", far..far).label("this"));
        assert_eq!(
            shown,
            format!("Error: wrong\n   at a.fence:{}:1\n   this\n", far + 1)
        );
        // A bracket that is closed far down is shown where it opens.
        let shown = picture(
            &text,
            Diagnostic::error("wrong", 0..far).other(far..far, "o"),
        );
        assert!(
            shown.contains("a.fence:1:1 ") && shown.len() < 500,
            "{shown}"
        );
    }
}
