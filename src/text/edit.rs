//! Edits of a text: what is put where, and what goes, with everything else left as it was.
//!
//! What is put on a line of its own gets the indentation and the line break of the line that it is
//! put in front of; what goes takes its line with it if nothing else stands there.

use super::diagnostic::Span;

/// In which order things are put at one position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Layer {
    /// Closes a parenthesis around an expression.
    CloseInner,
    /// Closes the arguments of a locked instruction.
    CloseOuter,
    /// A statement of its own.
    Statement,
    /// Opens the arguments of a locked instruction.
    Open,
    /// Stands inside a parenthesis that was there.
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
    /// Puts something at a position.
    pub(crate) fn put(&mut self, at: usize, layer: Layer, text: impl Into<String>) {
        self.replace(at..at, layer, text);
    }

    /// Puts something in the place of something else.
    pub(crate) fn replace(&mut self, span: Span, layer: Layer, text: impl Into<String>) {
        self.0.push(Edit {
            span,
            layer,
            text: text.into(),
        });
    }

    /// Puts statements in front of the one that starts at a position: on lines of their own if
    /// that one begins its line.
    pub(crate) fn put_before(&mut self, text: &str, at: usize, statements: &[String]) {
        let line = line_start(text, at);
        let indent = &text[line..at];
        if indent.chars().all(is_blank) {
            let end = line_break(text, at);
            self.put(line, Layer::Statement, lines(indent, statements, end));
        } else {
            self.put(at, Layer::Statement, statements.join(" ") + " ");
        }
    }

    /// Puts statements after another one: on lines of their own if that one has its line for
    /// itself and its comment.
    pub(crate) fn put_after(&mut self, text: &str, whole: &Span, statements: &[String]) {
        let indent = &text[line_start(text, whole.start)..whole.start];
        let rest = text[whole.end..].lines().next().unwrap_or_default();
        let alone = rest.trim().is_empty() || rest.trim_start().starts_with("//");
        if alone && indent.chars().all(is_blank) {
            let at = whole.end + rest.len();
            let end = line_break(text, whole.end);
            let lines = statements.iter().flat_map(|words| [end, indent, words]);
            self.put(at, Layer::Statement, lines.collect::<String>());
        } else {
            self.put(
                whole.end,
                Layer::Statement,
                format!(" {}", statements.join(" ")),
            );
        }
    }

    /// Puts statements in front of the closing brace at a position.
    pub(crate) fn put_at_end(&mut self, text: &str, at: usize, statements: &[String]) {
        let line = line_start(text, at);
        if !text[line..at].chars().all(is_blank) {
            let space = if text[..at].ends_with(is_blank) {
                ""
            } else {
                " "
            };
            let statements = statements.join(" ");
            self.put(at, Layer::Statement, format!("{space}{statements} "));
            return;
        }
        // As deep as the last line that says something, unless that one opens the block.
        let above = text[..line].trim_end();
        let last = &above[line_start(above, above.len())..];
        let mut indent: String = last.chars().take_while(|c| is_blank(*c)).collect();
        if last.ends_with('{') {
            indent.push_str("    ");
        }
        let end = line_break(text, at);
        self.put(line, Layer::Statement, lines(&indent, statements, end));
    }

    /// Takes a statement away; its line, too, if nothing else stands there.
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

    /// The text with all of this done; none if two edits are about the same words.
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

/// How the line of a position ends; as others do if it is the last.
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
    fn a_line_of_its_own_looks_like_its_neighbour() {
        let fence = ["fence;".to_owned()];
        for (text, at, after) in [
            ("a;\n\tb; // c\n", 4, "a;\n\tfence;\n\tb; // c\n"),
            ("a;\r\n  b;\r\n", 6, "a;\r\n  fence;\r\n  b;\r\n"),
            ("l: b;", 3, "l: fence; b;"),
        ] {
            assert_eq!(edited(text, |e| e.put_before(text, at, &fence)), after);
        }
        for (text, whole, after) in [
            ("  a; // c\n", 2..4, "  a; // c\n  fence;\n"),
            ("  a; b;\n", 2..4, "  a; fence; b;\n"),
            ("a; b;\r\n", 3..5, "a; b; fence;\r\n"),
            ("\ta;\r\nb;", 1..3, "\ta;\r\n\tfence;\r\nb;"),
        ] {
            assert_eq!(edited(text, |e| e.put_after(text, &whole, &fence)), after);
        }
        for (text, after) in [
            ("{\n    a;\n}\n", "{\n    a;\n    fence;\n}\n"),
            ("  {\n  }\n", "  {\n      fence;\n  }\n"),
            ("{ a; }", "{ a; fence; }"),
            ("{}", "{ fence; }"),
        ] {
            let at = text.find('}').expect("there is a brace");
            assert_eq!(edited(text, |e| e.put_at_end(text, at, &fence)), after);
        }
    }

    #[test]
    fn what_goes_leaves_neither_blanks_nor_empty_lines() {
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
    fn edits_of_the_same_words_are_refused() {
        let mut edits = Edits::default();
        edits.replace(1..3, Layer::Statement, "x");
        edits.replace(2..4, Layer::Statement, "y");
        assert_eq!(edits.apply("abcdef"), None);
    }
}
