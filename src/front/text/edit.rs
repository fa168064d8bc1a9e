//! Edits of a text: insertions and removals, with everything else left unchanged.
//!
//! An insertion on a line of its own gets the indentation and the line break of the line that
//! follows it. A removal also removes the line if nothing else is on it.

use super::diagnostic::Span;
use std::cmp::Reverse;

/// What is added to a block without braces where it ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Ending {
    /// Its last statements.
    Statements,
    Brace,
    /// What follows it.
    Else,
}

/// The order of edits at one position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Layer {
    /// Closes a parenthesis around an expression.
    CloseInner,
    /// Closes the arguments of a locked instruction.
    CloseOuter,
    /// At the end of the block that starts there: a later one ends first.
    BlockEnd(Reverse<usize>, Ending),
    /// Opens a block.
    BlockStart,
    /// A statement of its own.
    Statement,
    /// Opens the arguments of a locked instruction.
    Open,
    /// Inside a parenthesis that was already there.
    Within,
    /// Opens a parenthesis around an expression.
    Around,
}

#[derive(Clone, Debug)]
struct Edit {
    span: Span,
    layer: Layer,
    text: String,
}

/// Edits of one text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Edits(Vec<Edit>);

impl Edits {
    /// Inserts text at a position.
    pub(crate) fn insert(&mut self, at: usize, layer: Layer, text: impl Into<String>) {
        self.replace(at..at, layer, text);
    }

    /// Replaces a span.
    pub(crate) fn replace(&mut self, span: Span, layer: Layer, text: impl Into<String>) {
        self.0.push(Edit {
            span,
            layer,
            text: text.into(),
        });
    }

    /// Inserts statements before the one at a position: on lines of their own if that one is the
    /// first on its line.
    pub(crate) fn insert_before(&mut self, text: &str, at: usize, statements: &[String]) {
        let line = line_start(text, at);
        let indent = &text[line..at];
        if indent.chars().all(is_blank) {
            let end = line_break(text, at);
            self.insert(line, Layer::Statement, lines(indent, statements, end));
        } else {
            self.insert(at, Layer::Statement, statements.join(" ") + " ");
        }
    }

    /// Inserts statements after another one: on lines of their own if that one shares its line only
    /// with a comment.
    pub(crate) fn insert_after(&mut self, text: &str, whole: &Span, statements: &[String]) {
        let indent = &text[line_start(text, whole.start)..whole.start];
        let rest = text[whole.end..].lines().next().unwrap_or_default();
        let alone = rest.trim().is_empty() || rest.trim_start().starts_with("//");
        if alone && indent.chars().all(is_blank) {
            let at = whole.end + rest.len();
            let end = line_break(text, whole.end);
            let lines = statements.iter().flat_map(|words| [end, indent, words]);
            self.insert(at, Layer::Statement, lines.collect::<String>());
        } else {
            self.insert(
                whole.end,
                Layer::Statement,
                format!(" {}", statements.join(" ")),
            );
        }
    }

    /// Encloses the statements at a span in braces: on the lines before and after if they have lines
    /// of their own after a head. Returns the indentation of the first one in that case.
    pub(crate) fn enclose<'t>(&mut self, text: &'t str, span: &Span) -> Option<&'t str> {
        let brace = Layer::BlockEnd(Reverse(span.start), Ending::Brace);
        let line = line_start(text, span.start);
        let indent = &text[line..span.start];
        let above = text[..line].trim_end();
        let head = &above[line_start(above, above.len())..];
        let heads = head.ends_with(')') || head.ends_with("else");
        let rest = text[span.end..].lines().next().unwrap_or_default();
        let alone = indent.chars().all(is_blank) && rest.trim().is_empty();
        if !alone || !heads || head.contains("//") || head.contains("/*") {
            self.insert(span.start, Layer::BlockStart, "{ ");
            self.insert(span.end, brace, " }");
            return None;
        }
        self.insert(above.len(), Layer::BlockStart, " {");
        let outer: String = head.chars().take_while(|c| is_blank(*c)).collect();
        let end = line_break(text, span.start);
        self.insert(span.end, brace, format!("{end}{outer}}}"));
        Some(indent)
    }

    /// Inserts statements at the end of a block that [`enclose`](Self::enclose) encloses and has
    /// returned this for.
    pub(crate) fn insert_at_end_of(
        &mut self,
        text: &str,
        span: &Span,
        indent: Option<&str>,
        statements: &[String],
    ) {
        let added: String = match indent {
            None => format!(" {}", statements.join(" ")),
            Some(indent) => {
                let end = line_break(text, span.start);
                let lines = statements.iter().flat_map(|words| [end, indent, words]);
                lines.collect()
            }
        };
        let layer = Layer::BlockEnd(Reverse(span.start), Ending::Statements);
        self.insert(span.end, layer, added);
    }

    /// Inserts statements before the closing brace at a position.
    pub(crate) fn insert_at_end(&mut self, text: &str, at: usize, statements: &[String]) {
        let line = line_start(text, at);
        if !text[line..at].chars().all(is_blank) {
            let space = if text[..at].ends_with(is_blank) {
                ""
            } else {
                " "
            };
            let statements = statements.join(" ");
            self.insert(at, Layer::Statement, format!("{space}{statements} "));
            return;
        }
        // Indent like the last line that is not empty, one level deeper if that line opens the
        // block.
        let above = text[..line].trim_end();
        let last = &above[line_start(above, above.len())..];
        let mut indent: String = last.chars().take_while(|c| is_blank(*c)).collect();
        if last.ends_with('{') {
            indent.push_str("    ");
        }
        let end = line_break(text, at);
        self.insert(line, Layer::Statement, lines(&indent, statements, end));
    }

    /// Removes a statement, and its line if nothing else is on it.
    pub(crate) fn remove_statement(&mut self, text: &str, span: &Span) {
        let line = line_start(text, span.start);
        let after = &text[span.end..];
        let blanks = after.len() - after.trim_start_matches(is_blank).len();
        let rest = after[blanks..]
            .strip_prefix('\r')
            .unwrap_or(&after[blanks..]);
        let ends = rest.is_empty() || rest.starts_with('\n');
        let begins = text[line..span.start].chars().all(is_blank);
        let span = match (begins, ends) {
            (true, true) => line..text.len() - rest.strip_prefix('\n').unwrap_or(rest).len(),
            (false, true) => text[..span.start].trim_end_matches(is_blank).len()..span.end,
            (_, false) => span.start..span.end + blanks,
        };
        self.replace(span, Layer::Statement, "");
    }

    /// The text with all edits applied; `None` if two edits overlap.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
        let mut edits: Vec<&Edit> = self.0.iter().collect();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end, edit.layer));
        let mut out = String::with_capacity(text.len() + 16 * edits.len());
        let mut at = 0;
        for edit in edits {
            out.push_str(text.get(at..edit.span.start)?);
            out.push_str(&edit.text);
            at = edit.span.end;
        }
        out.push_str(text.get(at..)?);
        Some(out)
    }
}

fn lines(indent: &str, statements: &[String], end: &str) -> String {
    let lines = statements.iter().flat_map(|words| [indent, words, end]);
    lines.collect()
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |line| line + 1)
}

/// The line break at the end of this line; for the last line, the one that the others have.
fn line_break(text: &str, at: usize) -> &'static str {
    let end = text[at..].find('\n').map(|end| at + end);
    match end.or_else(|| text.find('\n')) {
        Some(end) if text[..end].ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, edit: impl FnOnce(&mut Edits)) -> String {
        let mut edits = Edits::default();
        edit(&mut edits);
        edits.apply(text).expect("one edit does not overlap itself")
    }

    #[test]
    fn an_inserted_line_is_indented_like_its_neighbour() {
        let fence = ["fence;".to_owned()];
        for (text, at, after) in [
            ("a;\n\tb; // c\n", 4, "a;\n\tfence;\n\tb; // c\n"),
            ("a;\r\n  b;\r\n", 6, "a;\r\n  fence;\r\n  b;\r\n"),
            ("l: b;", 3, "l: fence; b;"),
        ] {
            assert_eq!(edited(text, |e| e.insert_before(text, at, &fence)), after);
        }
        for (text, whole, after) in [
            ("  a; // c\n", 2..4, "  a; // c\n  fence;\n"),
            ("  a; b;\n", 2..4, "  a; fence; b;\n"),
            ("a; b;\r\n", 3..5, "a; b; fence;\r\n"),
            ("\ta;\r\nb;", 1..3, "\ta;\r\n\tfence;\r\nb;"),
        ] {
            assert_eq!(
                edited(text, |e| e.insert_after(text, &whole, &fence)),
                after
            );
        }
        for (text, after) in [
            ("{\n    a;\n}\n", "{\n    a;\n    fence;\n}\n"),
            ("  {\n  }\n", "  {\n      fence;\n  }\n"),
            ("{ a; }", "{ a; fence; }"),
            ("{}", "{ fence; }"),
        ] {
            let at = text.find('}').expect("there is a brace");
            assert_eq!(edited(text, |e| e.insert_at_end(text, at, &fence)), after);
        }
    }

    #[test]
    fn a_removal_leaves_neither_blanks_nor_empty_lines() {
        for (text, after) in [
            ("a;\n  fence;\nb;\n", "a;\nb;\n"),
            ("a;\r\n  fence; \r\nb;\r\n", "a;\r\nb;\r\n"),
            ("a; fence; b;\n", "a; b;\n"),
            ("a; fence;\nb;\n", "a;\nb;\n"),
            ("  fence; // c\n", "  // c\n"),
            ("fence;", ""),
        ] {
            let at = text.find("fence;").expect("there is a fence");
            let removed = edited(text, |e| e.remove_statement(text, &(at..at + 6)));
            assert_eq!(removed, after);
        }
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let mut edits = Edits::default();
        edits.replace(1..3, Layer::Statement, "x");
        edits.replace(2..4, Layer::Statement, "y");
        assert_eq!(edits.apply("abcdef"), None);
    }
}
