//! Where a report is written, part by part: a terminal, or a page.
//!
//! What a report says is decided once, by the functions of [`text`](super::text), so a page says all that
//! the text says. Terminals wrap and colour it ([`TextWriter`]); pages make elements of it.

mod terminal;

pub(super) use terminal::TextWriter;

use super::evidence::Cycle;
use super::view::Common;
use super::{Detail, ShownRun, Source, evidence};
use crate::check::Vacuity;
use crate::program::{Goal, Observable, PropertyKind, ThreadId};
use crate::reference::Run;
use crate::verdict::Verdict;
use std::fmt;

/// The meaning of a colour.
#[derive(Clone, Copy)]
pub(super) enum Color {
    Good,
    Bad,
    Open,
    Heading,
    /// What a change adds, removes, and where.
    Added,
    Removed,
    Place,
    /// What this thread does.
    Thread(ThreadId),
}

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
    pub(super) lead: String,
    /// The details: what it is about, how it was found, and its bounds.
    pub(super) rest: String,
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

/// What an execution shows.
pub(super) struct Title {
    pub(super) words: String,
    /// Whether the text before it does not say so. Pages show it in any case.
    pub(super) is_needed: bool,
}

impl Title {
    /// A title that is needed only where several executions follow each other.
    pub(super) fn known(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            is_needed: false,
        }
    }

    pub(super) fn needed(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            is_needed: true,
        }
    }
}

/// Where a report is written. Texts may quote code between backticks.
pub(super) trait Writer {
    /// How much is written.
    fn detail(&self) -> Detail;

    /// A result, with its lead in colour.
    fn sentence(&mut self, sentence: &Sentence, color: Color);

    /// The end of a paragraph that the next one does not belong to.
    fn blank(&mut self);

    /// What the following items are.
    fn heading(&mut self, text: &str);

    fn paragraph(&mut self, text: &str);

    fn item(&mut self, text: &str);

    /// A fence; `prevents` is whether an execution follows that is possible without it, in the order of the
    /// fences.
    fn fence(&mut self, text: &str, prevents: bool);

    /// Lines that are not wrapped.
    fn verbatim(&mut self, lines: &str);

    /// A change of the text as a unified diff.
    fn change(&mut self, diff: &str);

    /// An execution: its steps, and what [`ending`](Writer::ending) appends.
    fn run(&mut self, title: &Title, of: &ShownRun<'_>);

    /// A happens-before cycle under its title.
    fn cycle(&mut self, title: &str, source: &Source<'_>, cycle: &Cycle);

    /// Where an execution ends: threads that wait, the values that its goal refers to, and its cycle.
    fn ending(&mut self, of: &ShownRun<'_>, cycle: Option<&Cycle>) {
        self.waits(of);
        self.end(of);
        if let Some(cycle) = cycle {
            self.blank();
            let title = match &cycle.shape {
                Some(shape) => format!("Happens-before cycle, {shape}, of the steps marked *:"),
                None => "Happens-before cycle of the steps marked *:".to_owned(),
            };
            self.cycle(&title, &of.source, cycle);
        }
    }

    /// Appends the suggested next step, if there is one.
    fn next(&mut self, common: &Common<'_>) {
        if let Some(step) = &common.next {
            let words = step.words(common.source.arguments, common.model);
            self.blank();
            self.paragraph(&format!("Next: {words}"));
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
    fn unfinished(&mut self, source: &Source<'_>, run: &Run) {
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

    /// Appends the code that no execution reaches.
    fn vacuity(&mut self, source: &Source<'_>, vacuity: &Vacuity) {
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
        self.heading("Never executed (not covered by this verdict):");
        for line in lines {
            self.item(&line);
        }
    }

    /// Appends the statistics, in one line.
    fn figures(&mut self, common: &Common<'_>) {
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
