//! What people read: the verdict in one sentence, the evidence in the user's own lines, what next.
//!
//! ```text
//! Violated under TSO: `forbid t0@critical && t1@critical;` (line 33) is reached, after 12 steps.
//!
//!      t0                          t1                          in the buffers
//!  1   16: flag0 = 1;                                          t0: flag0=1
//!  …
//! ```
//!
//! **Invariant.** A bounded "no" is never worded as a proof, and a row is never shown that the
//! reference has not replayed.

use super::table::{Cell, Table, wrap};
use super::{Detail, Measured, Source, Style, evidence};
use crate::check::{CheckReport, Engine, Vacuity};
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Goal, Observable, PropertyKind, ThreadId};
use crate::verdict::{Bounds, Reason, Verdict};
use std::fmt::Write as _;

/// The report on a check, each line ended.
pub fn check(
    source: &Source<'_>,
    report: &CheckReport,
    measured: &Measured,
    style: Style,
) -> String {
    let mut out = Paper {
        text: String::new(),
        style,
    };
    let verdict = report.verdict();
    // Where only observations are asked for and all were decided, they are the answer.
    let only_observations = report.answers.is_empty() && !report.observations.is_empty();
    if !only_observations || !matches!(verdict, Verdict::Holds) {
        let sentence = verdict_sentence(source, report, &verdict);
        out.sentence(&sentence, word_color(&verdict));
    }
    out.observations(source, report);
    if style.detail == Detail::Verdict {
        return out.text;
    }
    if let Verdict::Violated((goal, run)) = &verdict {
        out.run(source, *goal, run);
    } else {
        for observation in &report.observations {
            if let Verdict::Violated(run) = &observation.verdict {
                out.run(source, observation.goal, run);
            }
        }
    }
    if let Some(vacuity) = &report.vacuity {
        out.vacuity(source, vacuity);
    }
    if let Some(next) = next_step(source, report, &verdict) {
        out.blank();
        out.paragraph(&format!("Next: {next}"));
    }
    if style.detail == Detail::Everything {
        out.figures(report, measured);
    }
    out.text
}

fn verdict_sentence(
    source: &Source<'_>,
    report: &CheckReport,
    verdict: &Verdict<(Goal, &Run)>,
) -> String {
    let model = report.model;
    match verdict {
        Verdict::Violated((goal, run)) => {
            let steps = counted(run.moments.len() as u64, "step");
            let reached = source.goal_reached(*goal);
            format!("Violated under {model}: {reached}, after {steps}.")
        }
        Verdict::Holds if report.answers.is_empty() => format!(
            "Holds under {model}, trivially: the program has no assertion, no forbidden state and \
             no address that could lie outside shared memory."
        ),
        Verdict::Holds => {
            let goals = counted(report.answers.len() as u64, "goal");
            let states = report.stats.states.map(|states| counted(states, "state"));
            let effort: Vec<String> = [Some(goals), states].into_iter().flatten().collect();
            format!(
                "Holds under {model}, for all executions ({}).",
                effort.join(", ")
            )
        }
        Verdict::HoldsWithin(bounds) => format!(
            "No violation found under {model}, within bounds: {}. This is not a proof.",
            bounds_words(source, bounds, report.unroll)
        ),
        Verdict::Unknown(reason) => {
            let open = report
                .answers
                .iter()
                .chain(&report.observations)
                .filter(|answer| matches!(answer.verdict, Verdict::Unknown(_)))
                .count();
            let all = report.answers.len() + report.observations.len();
            let share = if open == all {
                String::new()
            } else {
                format!(" ({open} of {all} goals are open)")
            };
            format!("Undecided under {model}{share}: {reason}.")
        }
    }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn bounds_words(source: &Source<'_>, bounds: &Bounds, unroll: Option<u32>) -> String {
    let loops: Vec<String> = bounds
        .loops
        .iter()
        .map(|cut| {
            let thread = source.program.thread(cut.thread);
            let place = if cut.origin.line == 0 {
                format!("at {}", thread.location(cut.head).name)
            } else {
                format!("in line {}", cut.origin.line)
            };
            let times = counted(cut.iterations.into(), "time");
            format!("the loop {place} of {} was followed {times}", thread.name())
        })
        .collect();
    match (loops.is_empty(), unroll) {
        (false, _) => loops.join(", "),
        (true, Some(times)) => format!("loops were followed {times} times"),
        (true, None) => "loops were cut".to_owned(),
    }
}

fn next_step(
    source: &Source<'_>,
    report: &CheckReport,
    verdict: &Verdict<(Goal, &Run)>,
) -> Option<String> {
    let file = source.file;
    match verdict {
        Verdict::Violated((_, run))
            if report.model == Model::Sc || evidence::cycle(run).is_none() =>
        {
            Some(
                "no fence repairs this: the run reorders nothing and happens under sequential \
                 consistency too."
                    .to_owned(),
            )
        }
        Verdict::Violated(_) => Some(format!(
            "`fencepost check {file} --model sc` tells whether fences can repair this: they can \
             if it holds there."
        )),
        Verdict::HoldsWithin(_) => Some(format!(
            "`fencepost check {file} --model {} --unroll {}` follows loops further, and \
             `--engine explicit` decides them where data are finite.",
            report.model.name(),
            report.unroll.map_or(8, |times| times.saturating_mul(2)),
        )),
        Verdict::Unknown(Reason::Stopped) => {
            Some("give it more time with `--timeout`, or ask fewer threads.".to_owned())
        }
        Verdict::Unknown(Reason::StateBudget(_)) => Some(
            "fewer threads, smaller data or `--engine bmc`, which does not count states."
                .to_owned(),
        ),
        Verdict::Unknown(Reason::Unsupported(_)) | Verdict::Holds => None,
    }
}

#[derive(Clone, Copy)]
enum Color {
    Good,
    Bad,
    Open,
    Heading,
}

fn word_color<W>(verdict: &Verdict<W>) -> Color {
    match verdict {
        Verdict::Holds => Color::Good,
        Verdict::Violated(_) => Color::Bad,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => Color::Open,
    }
}

/// A text under construction.
struct Paper {
    text: String,
    style: Style,
}

impl Paper {
    fn paint(&self, text: &str, color: Color) -> String {
        if !self.style.color || text.is_empty() {
            return text.to_owned();
        }
        let code = match color {
            Color::Good => "1;32",
            Color::Bad => "1;31",
            Color::Open => "1;33",
            Color::Heading => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn paragraph(&mut self, text: &str) {
        let lines = wrap(text, self.style.width, 2);
        self.lines(&lines);
    }

    /// A paragraph with its first words, up to the first `:` or `,`, in colour.
    fn sentence(&mut self, text: &str, color: Color) {
        let mut lines = wrap(text, self.style.width, 2);
        if let Some(first) = lines.first_mut() {
            let end = first.find([':', ',']).unwrap_or(first.len());
            *first = format!("{}{}", self.paint(&first[..end], color), &first[end..]);
        }
        self.lines(&lines);
    }

    fn observations(&mut self, source: &Source<'_>, report: &CheckReport) {
        for observation in &report.observations {
            let Goal::Property(index) = observation.goal else {
                continue;
            };
            let origin = source.goal_origin(observation.goal);
            let quoted = source
                .quote(origin)
                .unwrap_or_else(|| source.property(index));
            let model = report.model;
            let text = match &observation.verdict {
                Verdict::Violated(_) => format!("Observed under {model}: `{quoted}`"),
                Verdict::Holds => format!("Never observed under {model}: `{quoted}`"),
                Verdict::HoldsWithin(_) => {
                    format!("Not observed within bounds under {model}: `{quoted}`")
                }
                Verdict::Unknown(_) => format!("Undecided under {model}: `{quoted}`"),
            };
            self.sentence(&text, Color::Heading);
        }
    }

    /// A run as a table, where it ends, and the happens-before cycle that it closes.
    fn run(&mut self, source: &Source<'_>, goal: Goal, run: &Run) {
        let everything = self.style.detail == Detail::Everything;
        let rows = evidence::rows(source, goal, run, everything);
        let buffered = rows.iter().any(|row| !row.buffers.is_empty());
        let threads = evidence::acting_threads(&rows);
        self.blank();
        let width = self.style.width;
        let (table, widths) = side_by_side(source, &rows, &threads, buffered)
            .and_then(|table| table.widths(width).map(|widths| (table, widths)))
            .unwrap_or_else(|| one_below_the_other(source, &rows, buffered, width));
        let text = table.render(&widths, |line| self.paint(line, Color::Heading));
        self.text.push_str(&text);
        self.end(source, goal, run);
        self.cycle(source, run);
    }

    /// What the goal looks at in the last configuration.
    fn end(&mut self, source: &Source<'_>, goal: Goal, run: &Run) {
        let Goal::Property(index) = goal else {
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
                PropertyKind::Forbid => "Then",
                PropertyKind::FinalAssert | PropertyKind::Exists => "At the end",
            };
            self.blank();
            self.paragraph(&format!("{when}: {}.", parts.join(", ")));
        }
    }

    fn cycle(&mut self, source: &Source<'_>, run: &Run) {
        let Some(cycle) = evidence::cycle(run) else {
            return;
        };
        self.blank();
        let title = match &cycle.shape {
            Some(shape) => format!("The happens-before cycle, {shape}:"),
            None => "The happens-before cycle:".to_owned(),
        };
        let title = self.paint(&title, Color::Heading);
        self.lines(&[title]);
        let mut table = Table::new(vec![String::new(); 3]);
        for edge in &cycle.edges {
            let thread = source.program.thread(edge.from.thread).name();
            let relation = match edge.addr {
                Some(addr) => format!("{} on {}", edge.relation, source.program.cell_name(addr)),
                None => edge.relation.to_string(),
            };
            table.row(vec![
                Cell::new(format!("{thread} {}", source.place(edge.from))),
                Cell::new(source.statement(edge.from)),
                Cell::new(format!("─{relation}→")),
            ]);
        }
        if let Some(widths) = table.widths(self.style.width) {
            let text = table.render(&widths, str::to_owned);
            self.text.push_str(&text);
        }
    }

    fn vacuity(&mut self, source: &Source<'_>, vacuity: &Vacuity) {
        let mut lines: Vec<String> = Vec::new();
        for &thread in &vacuity.never_end {
            lines.push(format!(
                "no execution brings {} to its end",
                source.program.thread(thread).name()
            ));
        }
        let mut seen: Vec<(ThreadId, String)> = Vec::new();
        for &site in &vacuity.never_executed {
            let what = format!("{}: {}", source.place(site), source.statement(site));
            if !seen.contains(&(site.thread, what.clone())) {
                seen.push((site.thread, what));
            }
        }
        for (thread, what) in seen {
            lines.push(format!(
                "no execution reaches {} {what}",
                source.program.thread(thread).name()
            ));
        }
        if lines.is_empty() {
            return;
        }
        self.blank();
        let title = self.paint("What the verdict says nothing about:", Color::Heading);
        self.lines(&[title]);
        for line in lines {
            let lines = wrap(&format!("  {line}"), self.style.width, 4);
            self.lines(&lines);
        }
    }

    fn figures(&mut self, report: &CheckReport, measured: &Measured) {
        let mut text = String::new();
        if let Some(engine) = report.engine {
            let _ = write!(text, "Engine {}", Engine::name(engine));
        }
        let stats = &report.stats;
        for (figure, noun) in [
            (stats.states, "states"),
            (stats.queries, "queries"),
            (stats.conflicts, "conflicts"),
            (stats.variables, "variables"),
            (stats.clauses, "clauses"),
            (measured.peak_rss_kib, "KiB at most"),
        ] {
            if let Some(figure) = figure {
                let _ = write!(text, ", {figure} {noun}");
            }
        }
        if let Some(seconds) = measured.seconds {
            let _ = write!(text, ", {seconds:.2} s");
        }
        let text = text.trim_start_matches(", ");
        if !text.is_empty() {
            self.blank();
            self.paragraph(&format!("{text}."));
        }
    }
}

/// One column a thread.
fn side_by_side(
    source: &Source<'_>,
    rows: &[evidence::Row],
    threads: &[ThreadId],
    buffered: bool,
) -> Option<Table> {
    if threads.is_empty() {
        return None;
    }
    let mut headings = vec![String::new()];
    headings.extend(
        threads
            .iter()
            .map(|&thread| source.program.thread(thread).name().to_owned()),
    );
    if buffered {
        headings.push("in the buffers".to_owned());
    }
    let mut table = Table::new(headings);
    for (number, row) in rows.iter().enumerate() {
        let mut cells = vec![Cell::new(format!("{:>2}", number + 1))];
        cells.extend(threads.iter().map(|&thread| {
            if thread == row.thread {
                row.cell()
            } else {
                Cell::default()
            }
        }));
        if buffered {
            cells.push(Cell::new(row.buffers.clone()));
        }
        table.row(cells);
    }
    Some(table)
}

/// One line a step, with the thread named in front: for more threads than fit side by side.
fn one_below_the_other(
    source: &Source<'_>,
    rows: &[evidence::Row],
    buffered: bool,
    width: usize,
) -> (Table, Vec<usize>) {
    let mut headings = vec![String::new(), "thread".to_owned(), "step".to_owned()];
    if buffered {
        headings.push("in the buffers".to_owned());
    }
    let mut table = Table::new(headings);
    for (number, row) in rows.iter().enumerate() {
        let mut cells = vec![
            Cell::new(format!("{:>2}", number + 1)),
            Cell::new(source.program.thread(row.thread).name()),
            row.cell(),
        ];
        if buffered {
            cells.push(Cell::new(row.buffers.clone()));
        }
        table.row(cells);
    }
    let widths = table.widths(width).unwrap_or_else(|| {
        // Not even this fits: lines may be longer than asked rather than unreadable.
        let mut widths = vec![3, 8, 40];
        widths.extend(buffered.then_some(24));
        widths
    });
    (table, widths)
}
