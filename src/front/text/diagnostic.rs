//! Diagnostics: what is wrong with a text, where, and what would be right.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A range of bytes of the text.
pub type Span = Range<usize>;

/// At most this many diagnostics are shown per file.
pub const MOST_ERRORS: usize = 100;

/// How severe a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// There is no program.
    Error,
    /// There is a program, but it may not be the intended one.
    Warning,
}

/// An error or a warning about a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Where it is.
    pub span: Range<usize>,
    /// The label at that span in the rendered source; may be empty.
    pub label: String,
    /// Related spans, each with its label.
    pub others: Vec<(Range<usize>, String)>,
    /// Hints on how to fix it, one paragraph each.
    pub notes: Vec<String>,
    /// Whether a note says which executions of the source the program lacks.
    pub(crate) leaves_out: bool,
    /// Whether it is about no place of the text, such as an option.
    pub nowhere: bool,
}

/// What such a note begins with.
const LEAVES_OUT: &str = "the verdict leaves out executions where ";

/// No more places of one error than this are shown beside the first.
const MOST_PLACES: usize = 3;

/// The same with errors of one cause as one: the first, with the places of the others.
pub(crate) fn by_cause(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    // How many more places each of them has.
    let mut more: BTreeMap<usize, usize> = BTreeMap::new();
    for one in all {
        let is_same = |other: &Diagnostic| {
            other.severity == Severity::Error
                && other.severity == one.severity
                && other.message == one.message
        };
        match found.iter().position(is_same) {
            None => found.push(one),
            // A part of the same text.
            Some(at) if overlap(&found[at].span, &one.span) => {}
            Some(at) => {
                let count = more.entry(at).or_default();
                *count += 1;
                if *count <= MOST_PLACES {
                    found[at].others.push((one.span, "here, too".to_owned()));
                }
            }
        }
    }
    for (at, count) in more {
        if count > MOST_PLACES {
            let count = count - MOST_PLACES;
            let note = format!("the same is at {count} more places");
            found[at].notes.push(note);
        }
    }
    found
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Diagnostic {
    /// An error with neither label nor notes.
    #[doc(hidden)]
    pub fn error(message: impl Into<String>, span: Range<usize>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            others: Vec::new(),
            notes: Vec::new(),
            leaves_out: false,
            nowhere: false,
        }
    }

    /// An error about what was asked for, and no place of the text.
    pub(crate) fn nowhere(message: impl Into<String>) -> Self {
        Self {
            nowhere: true,
            ..Self::error(message, 0..0)
        }
    }

    /// A warning with neither label nor notes.
    #[doc(hidden)]
    pub fn warning(message: impl Into<String>, span: Range<usize>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message, span)
        }
    }

    /// Sets the label.
    #[doc(hidden)]
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a related span with its label.
    #[doc(hidden)]
    #[must_use]
    pub fn other(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.others.push((span, label.into()));
        self
    }

    /// If it is an error: adds that these functions, which call each other in this order, lead to it.
    pub(crate) fn through(self, functions: &[&str]) -> Self {
        if functions.len() < 2 || self.severity != Severity::Error {
            return self;
        }
        let names: Vec<String> = functions.iter().map(|name| format!("`{name}`")).collect();
        self.note(format!("this is reached through {}", names.join(", ")))
    }

    /// Says that the program lacks executions of the source: those where this is so.
    pub(crate) fn leaving_out(self, executions: impl fmt::Display) -> Self {
        Self {
            leaves_out: true,
            ..self.note(format!("{LEAVES_OUT}{executions}"))
        }
    }

    /// Which executions of the source the program lacks, as in "executions where …"; `None` if this is not
    /// about such executions.
    pub(crate) fn leaves_out(&self) -> Option<&str> {
        let mut notes = self.notes.iter().filter(|_| self.leaves_out);
        notes.find_map(|note| note.strip_prefix(LEAVES_OUT))
    }

    /// Adds a note.
    #[doc(hidden)]
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Sorts diagnostics by position, removes duplicates, and truncates the list if it is too long.
pub fn sort_and_truncate(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        (a.span.start, a.severity, &a.message, a.span.end).cmp(&(
            b.span.start,
            b.severity,
            &b.message,
            b.span.end,
        ))
    });
    diagnostics.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    if diagnostics.len() > MOST_ERRORS {
        let lost = has_errors(diagnostics);
        let mut rest = diagnostics.split_off(MOST_ERRORS);
        let more = rest.len();
        // Truncating must not turn a failure into a list of warnings.
        if lost && !has_errors(diagnostics) {
            diagnostics[MOST_ERRORS - 1].severity = Severity::Error;
        }
        if let Some(last) = diagnostics.last_mut() {
            last.notes
                .push(format!("{more} more diagnostics are not shown"));
        }
        // A verdict says what is left out, however long the list.
        rest.retain(|one| one.severity == Severity::Warning && one.leaves_out);
        diagnostics.extend(rest);
    }
}

/// Whether one of these is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    let mut diagnostics = diagnostics.iter();
    diagnostics.any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The candidate nearest to an unknown name, if it is near enough to be the likely intent.
pub fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() > 64 {
        return None;
    }
    let allowed = match chars.len() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let own = letters(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = letters(candidate);
        let more = |a: &[u8; 32], b: &[u8; 32]| -> usize {
            let both = a.iter().zip(b);
            both.map(|(a, b)| usize::from(a.saturating_sub(*b))).sum()
        };
        // Each change adds, removes or replaces one letter at most.
        let least = more(&own, &other).max(more(&other, &own));
        if least > allowed || candidate.contains('$') {
            continue;
        }
        let distance = edit_distance(&chars, candidate);
        // Every one-letter name is near every other: only the case may differ.
        let close =
            distance <= allowed && distance < chars.len() || candidate.eq_ignore_ascii_case(name);
        if close && best.is_none_or(|(least, text)| (distance, candidate) < (least, text)) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How often each letter of the alphabet is in a name, whatever its case; others count by their last bits.
fn letters(name: &str) -> [u8; 32] {
    let mut counts = [0_u8; 32];
    for c in name.chars() {
        let count = &mut counts[c as usize % 32];
        *count = count.saturating_add(1);
    }
    counts
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two names.
pub fn edit_distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut rows = [
        Vec::new(),
        (0..=b.len()).collect::<Vec<usize>>(),
        Vec::new(),
    ];
    for (i, &ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &cb) in b.iter().enumerate() {
            let [before, last, _] = &rows;
            let mut best = (last[j] + usize::from(ca != cb))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && ca == b[j - 1] && a[i - 1] == cb {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        rows[2] = row;
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        let names = ["flag0", "flag1", "turn"];
        assert_eq!(nearest("falg1", names.into_iter()), Some("flag1"));
        assert_eq!(nearest("trun", names.into_iter()), Some("turn"));
        assert_eq!(nearest("mutex", names.into_iter()), None);
        assert_eq!(nearest("x", ["y", "X"].into_iter()), Some("X"));
    }
}
