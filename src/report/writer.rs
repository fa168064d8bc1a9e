//! A writer of wrapped and coloured text: paragraphs, a run as a table, its happens-before cycle, and
//! unreachable code.
//!
//! **Invariant.** All text from outside is escaped by `wrap`, `paint` or the cells of a table: the only
//! control sequences in the result are those for colour.

use super::evidence::{Cycle, Evidence, Shown};
use super::table::{Cell, Table, wrap};
use super::view::Common;
use super::{Detail, ShownRun, Source, Style, evidence};
use crate::check::Vacuity;
use crate::program::{Goal, Observable, PropertyKind, ThreadId};
use crate::reference::Run;
use crate::verdict::Verdict;
use crate::visible::{visible, visible_line};
use std::fmt;

/// The meaning of a colour.
#[derive(Clone, Copy)]
pub(super) enum Color {
    Good,
    Bad,
    Open,
    Heading,
    /// What this thread does.
    Thread(ThreadId),
}

/// The colours of threads: neither red, which means an error, nor bold, as verdicts are.
const THREADS: [&str; 9] = ["36", "35", "33", "34", "32", "96", "95", "93", "94"];

/// The colour of a verdict.
pub(super) fn word_color<W>(verdict: &Verdict<W>) -> Color {
    match verdict {
        Verdict::Holds => Color::Good,
        Verdict::Violated(_) => Color::Bad,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => Color::Open,
    }
}

/// The first sentence of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sentence {
    /// The result, in a few words; shown in colour.
    lead: String,
    /// The details: what it is about, how it was found, and its bounds.
    rest: String,
}

impl Sentence {
    pub(super) fn new(lead: impl Into<String>, rest: impl Into<String>) -> Self {
        Self {
            lead: lead.into(),
            rest: rest.into(),
        }
    }

    /// Appends text to the sentence.
    pub(super) fn and(mut self, more: &str) -> Self {
        self.rest.push_str(more);
        self
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.lead, self.rest)
    }
}

/// A buffer of wrapped and coloured text.
pub(super) struct TextWriter {
    text: String,
    pub(super) style: Style,
}

impl TextWriter {
    /// An empty text.
    pub(super) fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    /// The text, escaped, in this colour.
    pub(super) fn paint(&self, text: &str, color: Color) -> String {
        let text = visible_line(text);
        if !self.style.color || text.is_empty() {
            return text;
        }
        let code = match color {
            Color::Good => "1;32",
            Color::Bad => "1;31",
            Color::Open => "1;33",
            Color::Heading => "1",
            Color::Thread(thread) => THREADS[thread.index() % THREADS.len()],
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// The finished text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Appends terminated lines without wrapping them.
    pub(super) fn verbatim(&mut self, lines: &str) {
        self.text.push_str(&visible(lines));
    }

    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Appends lines that were escaped before, by `paint` or `wrap`.
    pub(super) fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    pub(super) fn paragraph(&mut self, text: &str) {
        let lines = wrap(text, self.style.width, 2);
        self.lines(&lines);
    }

    /// Appends a list item.
    pub(super) fn item(&mut self, text: &str) {
        let width = self.style.width.saturating_sub(2);
        let lines = wrap(text, width, 2).into_iter();
        let lines: Vec<String> = lines.map(|line| format!("  {line}")).collect();
        self.lines(&lines);
    }

    /// Appends a sentence with its lead in colour, up to the end of the first line.
    pub(super) fn sentence(&mut self, sentence: &Sentence, color: Color) {
        let lead = visible_line(&sentence.lead);
        let mut lines = wrap(&sentence.to_string(), self.style.width, 2);
        if let Some(first) = lines.first_mut() {
            let rest = first.strip_prefix(&lead).unwrap_or_default();
            let start = &first[..first.len() - rest.len()];
            *first = format!("{}{rest}", self.paint(start, color));
        }
        self.lines(&lines);
    }

    /// Appends the suggested next step, if there is one.
    pub(super) fn next(&mut self, common: &Common<'_>) {
        if let Some(step) = &common.next {
            let words = step.words(common.source.arguments, common.model);
            self.blank();
            self.paragraph(&format!("Next: {words}"));
        }
    }

    /// Appends a run as a table, its final state, and its happens-before cycle.
    pub(super) fn run(&mut self, of: &ShownRun<'_>) {
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
        self.omitted(rows.len(), run);
        self.waits(of);
        self.end(of);
        self.cycle(source, cycle.as_ref());
    }

    /// Appends how many steps are shown, if that is not all.
    fn omitted(&mut self, shown: usize, run: &Run) {
        let all = run.moments.len();
        if shown < all {
            self.blank();
            self.paragraph(&format!(
                "{shown} of {all} steps are shown; the others are local, or reach memory unread."
            ));
        }
    }

    /// Appends where threads wait at the end of a run, and what they see there.
    fn waits(&mut self, of: &ShownRun<'_>) {
        let waits = evidence::waits(of);
        if waits.is_empty() {
            return;
        }
        self.blank();
        self.paragraph(if waits.len() == 1 {
            "Then this thread waits forever:"
        } else {
            "Then these threads wait forever:"
        });
        for wait in waits {
            self.item(&wait.words(&of.source));
        }
    }

    /// Appends that some execution never finishes.
    pub(super) fn unfinished(&mut self, source: &Source<'_>, run: &Run) {
        let properties = source.program.properties().iter();
        let about_ends = |kind: &PropertyKind| match kind {
            PropertyKind::FinalAssert | PropertyKind::Exists => true,
            PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
        };
        let silent = properties.map(|property| property.kind).find(about_ends);
        let silent = silent.map_or_else(String::new, |kind| {
            format!("; `{}` is not about these", kind.keyword())
        });
        self.blank();
        self.paragraph(&format!(
            "Note: some executions never finish{silent}. These threads may wait forever \
             (`--forbid-stuck` checks that):"
        ));
        for wait in evidence::waits_at_end(source.program, run) {
            self.item(&wait.words(source));
        }
    }

    /// Appends the values that the goal refers to, in the last configuration.
    fn end(&mut self, of: &ShownRun<'_>) {
        let (source, run) = (&of.source, of.run);
        let Some(Goal::Property(index)) = of.goal else {
            return;
        };
        let property = &source.program.properties()[index];
        let mut parts: Vec<String> = Vec::new();
        for observable in property.predicate.vars() {
            let part = match observable {
                Observable::At(thread, loc) => {
                    if run.end.locations[thread.index()] != loc {
                        continue;
                    }
                    source.observable(observable)
                }
                Observable::Register(thread, reg) => format!(
                    "{} = {}",
                    source.observable(observable),
                    run.end.registers[thread.index()][reg.index()]
                ),
                Observable::Cell(addr) => format!(
                    "{} = {}",
                    source.observable(observable),
                    run.end.memory[addr.index()]
                ),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        if !parts.is_empty() {
            let when = match property.kind {
                PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => "Then",
                PropertyKind::FinalAssert | PropertyKind::Exists => "At the end",
            };
            self.blank();
            self.paragraph(&format!("{when}: {}.", parts.join(", ")));
        }
    }

    fn cycle(&mut self, source: &Source<'_>, cycle: Option<&Cycle>) {
        let Some(cycle) = cycle else {
            return;
        };
        self.blank();
        let title = match &cycle.shape {
            Some(shape) => format!("Happens-before cycle, {shape}, of the steps marked *:"),
            None => "Happens-before cycle of the steps marked *:".to_owned(),
        };
        let title = self.paint(&title, Color::Heading);
        self.lines(&[title]);
        let mut table = Table::new(&["", "", ""]);
        for edge in &cycle.edges {
            let thread = source.thread(edge.from.thread);
            let relation = match edge.addr {
                Some(addr) => format!("{} on {}", edge.relation, source.program.cell_name(addr)),
                None => edge.relation.to_string(),
            };
            table.row(vec![
                Cell::new(&format!("{thread} {}", source.place(edge.from))).of(edge.from.thread),
                Cell::new(&source.statement(edge.from)).of(edge.from.thread),
                Cell::new(&format!("─{relation}→")),
            ]);
        }
        if let Some(widths) = table.widths(self.style.width) {
            self.table(&table, &widths);
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

    pub(super) fn vacuity(&mut self, source: &Source<'_>, vacuity: &Vacuity) {
        let mut lines: Vec<String> = Vec::new();
        for &thread in &vacuity.never_end {
            lines.push(format!("the end of {}", source.thread(thread)));
        }
        let mut seen: Vec<(ThreadId, String)> = Vec::new();
        for site in source.unreachable(vacuity) {
            let what = format!("{}: {}", source.place(site), source.statement(site));
            if !seen.contains(&(site.thread, what.clone())) {
                seen.push((site.thread, what));
            }
        }
        for (thread, what) in seen {
            let thread = source.thread(thread);
            lines.push(format!("{thread} {what}"));
        }
        if lines.is_empty() {
            return;
        }
        self.blank();
        let title = self.paint(
            "Never executed (not covered by this verdict):",
            Color::Heading,
        );
        self.lines(&[title]);
        for line in lines {
            let lines = wrap(&format!("  {line}"), self.style.width, 4);
            self.lines(&lines);
        }
    }

    /// Appends the statistics, in one line.
    pub(super) fn figures(&mut self, common: &Common<'_>) {
        let (stats, measured) = (&common.stats, &common.measured);
        let mut figures: Vec<String> = Vec::new();
        let engine = common.engine;
        figures.extend(engine.map(|engine| format!("Engine {}", engine.name())));
        for (figure, noun) in [
            (stats.states, "states"),
            (stats.queries, "queries"),
            (stats.conflicts, "conflicts"),
            (stats.variables, "variables"),
            (stats.clauses, "clauses"),
            (measured.peak_rss_kib, "KiB peak memory"),
        ] {
            figures.extend(figure.map(|figure| format!("{figure} {noun}")));
        }
        figures.extend(measured.seconds.map(|seconds| format!("{seconds:.2} s")));
        if !figures.is_empty() {
            self.blank();
            self.paragraph(&format!("{}.", figures.join(", ")));
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
