//! The writer for terminals: wrapped and coloured text.
//!
//! **Invariant.** All text from outside is escaped by `wrap`, `paint` or the cells of a table: the only
//! control sequences in the result are those for colour.

use super::{Color, Sentence, Title, Writer};
use crate::program::ThreadId;
use crate::report::evidence::{self, Cycle, Evidence, Shown};
use crate::report::table::{Cell, Table, wrap};
use crate::report::{Detail, ShownRun, Source, Style};
use crate::visible::{visible, visible_line};

/// The colours of threads: neither red, which means an error, nor bold, as verdicts are.
const THREADS: [&str; 9] = ["36", "35", "33", "34", "32", "96", "95", "93", "94"];

/// A buffer of wrapped and coloured text.
pub(in crate::report) struct TextWriter {
    text: String,
    style: Style,
}

impl TextWriter {
    /// An empty text.
    pub(in crate::report) fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    /// The finished text.
    pub(in crate::report) fn finish(self) -> String {
        self.text
    }

    /// The text, escaped, in this colour.
    fn paint(&self, text: &str, color: Color) -> String {
        let text = visible_line(text);
        if !self.style.color || text.is_empty() {
            return text;
        }
        let code = match color {
            Color::Good => "1;32",
            Color::Bad => "1;31",
            Color::Open => "1;33",
            Color::Heading => "1",
            Color::Added => "32",
            Color::Removed => "31",
            Color::Place => "36",
            Color::Thread(thread) => THREADS[thread.index() % THREADS.len()],
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Appends lines that were escaped before, by `paint` or `wrap`.
    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// Appends how many steps are shown, if that is not all.
    fn omitted(&mut self, shown: usize, all: usize) {
        if shown < all {
            self.blank();
            self.paragraph(&format!(
                "{shown} of {all} steps are shown; the others are local, or reach memory unread."
            ));
        }
    }

    /// Appends a table, with the colour of its thread for each cell that is about one.
    fn table(&mut self, table: &Table, widths: &[usize]) {
        let heading = |text: &str, thread: Option<ThreadId>| {
            self.paint(text, thread.map_or(Color::Heading, Color::Thread))
        };
        let part = |text: &str, thread: Option<ThreadId>| match thread {
            Some(thread) => self.paint(text, Color::Thread(thread)),
            None => visible_line(text),
        };
        let text = table.render(widths, heading, part);
        self.text.push_str(&text);
    }
}

impl Writer for TextWriter {
    fn detail(&self) -> Detail {
        self.style.detail
    }

    fn sentence(&mut self, sentence: &Sentence, color: Color) {
        let lead = visible_line(&sentence.lead);
        let mut lines = wrap(&sentence.to_string(), self.style.width, 2);
        if let Some(first) = lines.first_mut() {
            let rest = first.strip_prefix(&lead).unwrap_or_default();
            let start = &first[..first.len() - rest.len()];
            *first = format!("{}{rest}", self.paint(start, color));
        }
        self.lines(&lines);
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        let title = self.paint(text, Color::Heading);
        self.lines(&[title]);
    }

    fn paragraph(&mut self, text: &str) {
        let lines = wrap(text, self.style.width, 2);
        self.lines(&lines);
    }

    fn item(&mut self, text: &str) {
        let width = self.style.width.saturating_sub(2);
        let lines = wrap(text, width, 2).into_iter();
        let lines: Vec<String> = lines.map(|line| format!("  {line}")).collect();
        self.lines(&lines);
    }

    fn fence(&mut self, text: &str, _prevents: bool) {
        self.item(text);
    }

    fn verbatim(&mut self, lines: &str) {
        self.text.push_str(&visible(lines));
    }

    fn change(&mut self, diff: &str) {
        if !self.style.color {
            self.verbatim(diff);
            return;
        }
        for line in diff.lines() {
            let color = match line.as_bytes().first() {
                Some(_) if line.starts_with("--- ") || line.starts_with("+++ ") => Color::Heading,
                Some(b'+') => Color::Added,
                Some(b'-') => Color::Removed,
                Some(b'@') => Color::Place,
                Some(_) | None => {
                    self.verbatim(line);
                    self.blank();
                    continue;
                }
            };
            let line = self.paint(line, color);
            self.lines(&[line]);
        }
    }

    fn run(&mut self, title: &Title, of: &ShownRun<'_>) {
        if title.is_needed {
            self.blank();
            self.heading(&title.words);
        }
        let (source, run) = (&of.source, of.run);
        let shown = match self.style.detail {
            Detail::Everything => Shown::All,
            Detail::Evidence | Detail::Verdict => Shown::Observed,
        };
        let Evidence { rows, cycle } = evidence::evidence(of, shown);
        let buffered = rows.iter().any(|row| !row.buffers.is_empty());
        let threads = evidence::acting_threads(&rows);
        self.blank();
        let width = self.style.width;
        let (table, widths) = side_by_side(source, &rows, &threads, buffered)
            .and_then(|table| table.widths(width).map(|widths| (table, widths)))
            .unwrap_or_else(|| stacked(source, &rows, buffered, width));
        self.table(&table, &widths);
        self.omitted(rows.len(), run.moments.len());
        self.ending(of, cycle.as_ref());
    }

    fn cycle(&mut self, title: &str, source: &Source<'_>, cycle: &Cycle) {
        self.heading(title);
        let mut table = Table::new(&["", "", ""]);
        for edge in &cycle.edges {
            let thread = source.thread(edge.from.thread);
            table.row(vec![
                Cell::new(&format!("{thread} {}", source.place(edge.from))).of(edge.from.thread),
                Cell::new(&source.statement(edge.from)).of(edge.from.thread),
                Cell::new(&format!("─{}→", edge.label(source))),
            ]);
        }
        if let Some(widths) = table.widths(self.style.width) {
            self.table(&table, &widths);
        }
    }
}

/// The number of a row, with a mark if it is on the cycle.
fn numbered(number: usize, row: &evidence::Row) -> Cell {
    let mark = if row.on_cycle { "*" } else { "" };
    Cell::new(&format!("{:>2}{mark}", number + 1))
}

/// A table with one column per thread; `None` if no thread acts.
fn side_by_side(
    source: &Source<'_>,
    rows: &[evidence::Row],
    threads: &[ThreadId],
    buffered: bool,
) -> Option<Table> {
    if threads.is_empty() {
        return None;
    }
    let mut headings = vec![Cell::default()];
    let name = |&thread: &ThreadId| Cell::new(source.thread(thread)).of(thread);
    headings.extend(threads.iter().map(name));
    headings.extend(buffered.then(|| Cell::new("store buffers")));
    let mut table = Table::under(headings);
    for (number, row) in rows.iter().enumerate() {
        let mut cells = vec![numbered(number, row)];
        cells.extend(threads.iter().map(|&thread| {
            if thread == row.thread {
                row.cell().of(thread)
            } else {
                Cell::default()
            }
        }));
        if buffered {
            cells.push(Cell::new(&row.buffers));
        }
        table.row(cells);
    }
    Some(table)
}

/// A table with one row per step and the thread's name in a column of its own, for more threads than
/// fit side by side.
fn stacked(
    source: &Source<'_>,
    rows: &[evidence::Row],
    buffered: bool,
    width: usize,
) -> (Table, Vec<usize>) {
    let mut headings = vec!["", "thread", "step"];
    headings.extend(buffered.then_some("store buffers"));
    let mut table = Table::new(&headings);
    for (number, row) in rows.iter().enumerate() {
        let mut cells = vec![
            numbered(number, row),
            Cell::new(source.thread(row.thread)).of(row.thread),
            row.cell().of(row.thread),
        ];
        if buffered {
            cells.push(Cell::new(&row.buffers));
        }
        table.row(cells);
    }
    let widths = table.widths(width).unwrap_or_else(|| {
        // Not even this fits: better to exceed the width than to be unreadable.
        let mut widths = vec![3, 8, 40];
        widths.extend(buffered.then_some(24));
        widths
    });
    (table, widths)
}
