//! Tables of wrapped text.
//!
//! Each column gets the width that it needs if the table fits; otherwise the widest columns are
//! narrowed until it does, but if possible none so far that a token has to be broken. Widths are measured in terminal columns of the escaped text: cells and
//! wrapped lines escape whatever they are given.

use crate::program::ThreadId;
use crate::visible::visible_line;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// The space before each column.
const GAP: usize = 2;

/// The minimum width of a wrapped column; a narrower one would break most statements.
const NARROWEST: usize = 18;

/// The space before each line of a text but the first.
const INDENT: usize = 3;

/// Rows of text under column headings. What is about a thread can be decorated for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    headings: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

/// A cell: a text and its effect, on separate lines if they do not fit on one, and above them where that
/// is.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// A line above the text; may be empty.
    above: String,
    /// The text.
    text: String,
    /// The effect; may be empty.
    effect: String,
    /// The thread that it is about, if it is about one.
    thread: Option<ThreadId>,
}

/// A line of a cell, and the thread that it is about.
type Part = (String, Option<ThreadId>);

impl Cell {
    /// A cell with this text.
    pub(super) fn new(text: &str) -> Self {
        Self::with_effect(text, "")
    }

    /// A cell with this text and effect.
    pub(super) fn with_effect(text: &str, effect: &str) -> Self {
        Self {
            above: String::new(),
            text: visible_line(text),
            effect: visible_line(effect),
            thread: None,
        }
    }

    /// The cell, about this thread.
    pub(super) fn of(self, thread: ThreadId) -> Self {
        Self {
            thread: Some(thread),
            ..self
        }
    }

    /// The cell with this line above its text.
    pub(super) fn below(self, above: &str) -> Self {
        Self {
            above: visible_line(above),
            ..self
        }
    }

    fn natural_width(&self) -> usize {
        self.text_width().max(self.above.width())
    }

    fn text_width(&self) -> usize {
        let text = self.text.width();
        match self.effect.width() {
            0 => text,
            effect => text + 1 + effect,
        }
    }

    fn longest_token(&self) -> usize {
        let words = [&self.above, &self.text, &self.effect].map(|text| text.split(' '));
        let tokens = words.into_iter().flatten().flat_map(tokens);
        tokens.map(UnicodeWidthStr::width).max().unwrap_or(0)
    }

    fn parts(&self, width: usize) -> Vec<Part> {
        let lines = self.lines(width).into_iter();
        lines.map(|line| (line, self.thread)).collect()
    }

    fn lines(&self, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.above.is_empty() {
            lines.extend(wrap(&self.above, width, INDENT));
        }
        if self.effect.is_empty() {
            lines.extend(wrap(&self.text, width, INDENT));
            return lines;
        }
        if self.text_width() <= width {
            lines.push(format!("{} {}", self.text, self.effect));
            return lines;
        }
        lines.extend(wrap(&self.text, width, INDENT));
        for line in wrap(&self.effect, width.saturating_sub(INDENT).max(1), 2) {
            lines.push(format!("{:INDENT$}{line}", ""));
        }
        lines
    }
}

impl Table {
    /// A table without rows.
    pub(super) fn new(headings: &[&str]) -> Self {
        Self::under(headings.iter().map(|heading| Cell::new(heading)).collect())
    }

    /// A table without rows, with these headings, each a line.
    pub(super) fn under(headings: Vec<Cell>) -> Self {
        Self {
            headings,
            rows: Vec::new(),
        }
    }

    /// Adds a row. Requires one cell per heading.
    pub(super) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Column widths such that the table is at most `width` wide; `None` if some column would become
    /// too narrow to read.
    pub(super) fn widths(&self, width: usize) -> Option<Vec<usize>> {
        let largest = |column: usize, size: &dyn Fn(&Cell) -> usize| {
            let cells = self.rows.iter().map(|row| size(&row[column]));
            let all = cells.chain([size(&self.headings[column])]);
            all.max().unwrap_or(0)
        };
        let columns = 0..self.headings.len();
        let natural: Vec<usize> = columns
            .clone()
            .map(|column| largest(column, &Cell::natural_width))
            .collect();
        let whole: Vec<usize> = columns
            .map(|column| largest(column, &Cell::longest_token) + INDENT)
            .collect();
        let room = width.checked_sub(GAP * natural.len())?;
        let widest = natural.iter().copied().max().unwrap_or(0);
        let fitting = |least: &[usize]| {
            let capped = |cap: usize| -> Vec<usize> {
                let columns = natural.iter().zip(least);
                columns.map(|(&w, &least)| w.min(cap.max(least))).collect()
            };
            (NARROWEST.min(widest)..=widest)
                .rev()
                .map(capped)
                .find(|widths| widths.iter().sum::<usize>() <= room)
        };
        fitting(&whole).or_else(|| fitting(&vec![0; natural.len()]))
    }

    /// The table as text, each line terminated. `heading` decorates the texts of the headings, and `part`
    /// those of the rows, for the thread that they are about. Neither changes the width.
    pub(super) fn render(
        &self,
        widths: &[usize],
        heading: impl Fn(&str, Option<ThreadId>) -> String,
        part: impl Fn(&str, Option<ThreadId>) -> String,
    ) -> String {
        let mut out = String::new();
        let headings = self.headings.iter();
        let headings: Vec<Vec<Part>> = headings
            .map(|cell| vec![(cell.text.clone(), cell.thread)])
            .collect();
        let line = side_by_side(&headings, widths, &heading).concat();
        if !line.is_empty() {
            out.push_str(&line);
            out.push('\n');
        }
        for row in &self.rows {
            let cells: Vec<Vec<Part>> = row
                .iter()
                .zip(widths)
                .map(|(cell, &width)| cell.parts(width))
                .collect();
            for line in side_by_side(&cells, widths, &part) {
                out.push_str(&line);
                out.push('\n');
            }
        }
        out
    }
}

fn side_by_side(
    cells: &[Vec<Part>],
    widths: &[usize],
    decorated: &impl Fn(&str, Option<ThreadId>) -> String,
) -> Vec<String> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    (0..height)
        .map(|line| {
            let mut text = String::new();
            for (cell, &width) in cells.iter().zip(widths) {
                let part = cell.get(line);
                let (part, thread) = part.map_or(("", None), |(part, of)| (part.as_str(), *of));
                text.push_str(&" ".repeat(GAP));
                text.push_str(&decorated(part, thread));
                text.push_str(&" ".repeat(width.saturating_sub(part.width())));
            }
            text.trim_end().to_owned()
        })
        .collect()
}

/// Breaks a text between words into lines of at most `width` columns. All lines but the first are
/// indented, words longer than a line are broken between tokens, tokens longer than a line anywhere, and
/// invisible characters are escaped.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> Vec<String> {
    let (text, width) = (visible_line(text), width.max(indent + 1));
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.width();
        let blank = used == 0 || line.trim().is_empty();
        if !blank && used + 1 + length > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            used = indent;
        } else if !blank {
            line.push(' ');
            used += 1;
        }
        for token in tokens(word) {
            // A token that does not fit even on a line of its own is broken where the line ends.
            let fits_alone = indent + token.width() <= width;
            if fits_alone && used + token.width() > width && used > indent {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
                used = indent;
            }
            for c in token.chars() {
                let columns = c.width().unwrap_or(0);
                if used + columns > width && used > indent {
                    lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
                    used = indent;
                }
                line.push(c);
                used += columns;
            }
        }
    }
    lines.push(line);
    lines
}

/// The tokens of a word: names and numbers, operators, and single characters of other kinds. An escape of
/// an invisible character is a token, and a mark belongs to the token of the character before it.
pub(super) fn tokens(word: &str) -> Vec<&str> {
    const OPERATORS: &str = "=!<>&|+-*/%^~?:";
    let is_mark = |c: char| c.width() == Some(0);
    let is_name = |c: char| matches!(c, '_' | '$') || c.is_alphanumeric() && c.width() == Some(1);
    let is_operator = |c: char| OPERATORS.contains(c);
    let mut tokens = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let extent = |is_part: &dyn Fn(char) -> bool| {
            let end = rest.find(|c| !is_part(c) && !is_mark(c));
            end.unwrap_or(rest.len())
        };
        let end = if let Some(escape) = escape(rest) {
            escape
        } else if is_name(first) {
            extent(&is_name)
        } else if is_operator(first) {
            extent(&is_operator)
        } else {
            let after = first.len_utf8();
            let marks = rest[after..].find(|c| !is_mark(c));
            marks.map_or(rest.len(), |marks| after + marks)
        };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// The length of the escape at the beginning of this text, if there is one: `\x1b`, `\u{202e}`, `\n`.
fn escape(text: &str) -> Option<usize> {
    let after = text.strip_prefix('\\')?;
    let length = match after.chars().next()? {
        'x' => 4,
        'u' => text.find('}')? + 1,
        'n' | 't' => 2,
        _ => return None,
    };
    text.is_char_boundary(length).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, _: Option<ThreadId>) -> String {
        text.to_owned()
    }

    #[test]
    fn decorations_do_not_change_the_layout() {
        let id = ThreadId::from(1);
        let mut table = Table::under(vec![Cell::new(""), Cell::new("t1").of(id)]);
        table.row(vec![Cell::new("1"), Cell::new("x = 1; y = 2;").of(id)]);
        table.row(vec![Cell::new("2"), Cell::default()]);
        let bracketed = |text: &str, thread: Option<ThreadId>| match thread {
            Some(thread) => format!("[{}:{text}]", thread.index()),
            None => text.to_owned(),
        };
        let text = table.render(&[1, 7], |text, _| format!("<{text}>"), bracketed);
        let expected = "  <>   <t1>\n  1  [1:x = 1;]\n     [1:   y =]\n     [1:   2;]\n  2\n";
        assert_eq!(text, expected);
        assert_eq!(table.widths(100), Some(vec![1, 13]));
    }

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "while (flag1 == 1 && turn == 1) { averyveryverylongword(); }";
        for width in 5..70 {
            let lines = wrap(text, width, 3);
            assert!(lines.iter().all(|line| line.chars().count() <= width));
            let joined: String = lines.concat().replace(' ', "");
            assert_eq!(joined, text.replace(' ', ""));
        }
    }

    #[test]
    fn lines_break_between_tokens() {
        let lines = wrap("assert(atomic_fetch_add(&inside,1)==0);", 24, 3);
        assert_eq!(lines, ["assert(atomic_fetch_add(", "   &inside,1)==0);"]);
        let lines = wrap("if(first->next!=second->next){", 20, 1);
        assert_eq!(lines, ["if(first->next!=", " second->next){"]);
        // A token that is longer than a line has to be broken.
        assert_eq!(wrap("(abcdefghij)", 6, 2), ["(abcde", "  fghi", "  j)"]);
        assert_eq!(
            tokens("a$1\\x1b->b<=(\"é\""),
            ["a$1", "\\x1b", "->", "b", "<=", "(", "\"", "é", "\""]
        );
        assert_eq!(tokens(""), [""; 0]);
    }

    #[test]
    fn a_line_above_a_cell_is_wrapped_and_counts() {
        let mut table = Table::new(&["t"]);
        table.row(vec![
            Cell::new("x = 1;").below("in set(), called at line 7:"),
        ]);
        let widths = table.widths(100).expect("one column fits");
        assert_eq!(widths, [27]);
        let text = table.render(&[20], plain, plain);
        assert_eq!(text, "  t\n  in set(), called at\n     line 7:\n  x = 1;\n");
    }

    #[test]
    fn a_table_is_no_wider_than_requested() {
        let mut table = Table::new(&["t0", "t1"]);
        table.row(vec![
            Cell::new(&"a ".repeat(40)),
            Cell::new(&"b".repeat(70)),
        ]);
        let widths = table.widths(60).expect("two columns fit into 60");
        let text = table.render(&widths, plain, plain);
        assert!(text.lines().all(|line| line.chars().count() <= 60));
        assert_eq!(table.widths(30), None);
    }

    #[test]
    fn the_column_with_long_tokens_is_the_wider_one() {
        let mut table = Table::new(&["a", "b"]);
        let long = "atomic_store_explicit(&x, 1, memory_order_release);";
        table.row(vec![Cell::new(&"word ".repeat(9)), Cell::new(long)]);
        let widths = table.widths(46).expect("both columns fit");
        assert_eq!(widths, [18, 24]);
        let text = table.render(&widths, plain, plain);
        assert!(text.contains("atomic_store_explicit(&x"), "{text}");
        assert!(text.contains("memory_order_release"), "{text}");
        assert!(text.lines().all(|line| line.width() <= 46), "{text}");
    }

    #[test]
    fn a_wide_character_takes_two_columns_and_a_combining_mark_none() {
        let mut table = Table::new(&["", ""]);
        table.row(vec![Cell::new("読む"), Cell::new("|")]);
        table.row(vec![Cell::new("e\u{301}e\u{301}ee"), Cell::new("|")]);
        table.row(vec![Cell::new("four"), Cell::new("|")]);
        let widths = table.widths(100).expect("two columns fit into 100");
        assert_eq!(widths, [4, 1]);
        let text = table.render(&widths, plain, plain);
        assert!(
            text.lines()
                .all(|line| line.ends_with("  |") && line.width() == 9),
            "{text}"
        );
        assert_eq!(wrap("読読読読読", 5, 1), ["読読", " 読読", " 読"]);
    }

    #[test]
    fn invisible_characters_are_counted_as_they_are_shown() {
        let lines = wrap("a\u{1b}[2J\u{202e}b\nc", 8, 0);
        assert_eq!(lines, ["a\\x1b[2J", "\\u{202e}", "b\\nc"]);
        let mut table = Table::new(&["\u{1b}[31m"]);
        table.row(vec![Cell::with_effect("\r\u{9b}", "\u{200b}")]);
        let widths = table.widths(100).expect("one column fits into 100");
        assert_eq!(widths, ["\\x0d\\u{9b} \\u{200b}".len()]);
        assert_eq!(
            table.render(&widths, plain, plain),
            "  \\x1b[31m\n  \\x0d\\u{9b} \\u{200b}\n"
        );
    }
}
