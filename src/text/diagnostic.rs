//! What is wrong with a text: where, and what would be right.

use std::ops::Range;

/// A range of bytes of the text.
pub type Span = Range<usize>;

/// No more errors than this are shown of one file.
pub(crate) const MOST_ERRORS: usize = 100;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// There is no program.
    Error,
    /// There is a program, which may not be the one that was meant.
    Warning,
}

/// One thing to say about a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Range<usize>,
    /// What to write at that place in the picture; may be empty.
    pub label: String,
    /// Other places that belong to it, with what to write there.
    pub others: Vec<(Range<usize>, String)>,
    /// What helps to put it right, one paragraph each.
    pub notes: Vec<String>,
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

    /// With these words at its place.
    #[doc(hidden)]
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With another place.
    #[doc(hidden)]
    #[must_use]
    pub fn other(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.others.push((span, label.into()));
        self
    }

    /// With a note.
    #[doc(hidden)]
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Puts diagnostics in the order of their places, each once, and cuts the list where nobody would
/// read on.
pub(crate) fn settle(diagnostics: &mut Vec<Diagnostic>) {
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
        let more = diagnostics.len() - MOST_ERRORS;
        let lost = has_errors(diagnostics);
        diagnostics.truncate(MOST_ERRORS);
        // Cutting must not turn a failure into a list of warnings.
        if lost && !has_errors(diagnostics) {
            diagnostics[MOST_ERRORS - 1].severity = Severity::Error;
        }
        if let Some(last) = diagnostics.last_mut() {
            last.notes.push(format!("{more} more are not shown"));
        }
    }
}

/// Whether one of these is an error.
pub(crate) fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    let mut diagnostics = diagnostics.iter();
    diagnostics.any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The candidate nearest to a name that nobody knows, if one is near enough to be what was meant.
pub(crate) fn nearest<'n>(
    name: &str,
    candidates: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() > 64 {
        return None;
    }
    let allowed = match chars.len() {
        0..=2 => 1,
        3..=6 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(name.len()) > 3 * allowed || candidate.contains('$') {
            continue;
        }
        let distance = edit_distance(&chars, candidate);
        // A name of one letter is near to every other one: only its case may differ.
        let close =
            distance <= allowed && distance < chars.len() || candidate.eq_ignore_ascii_case(name);
        if close && best.is_none_or(|(least, text)| (distance, candidate) < (least, text)) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours.
fn edit_distance(a: &[char], b: &str) -> usize {
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
