//! Random changes of texts, and the properties of every parser for any text.

use crate::formats::{Parsed, Severity, parse, render};
use crate::program::print;
use std::time::{Duration, Instant};

/// A text of twenty kilobytes takes at most this long to parse. It takes milliseconds; the limit finds
/// what grows without bound, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

/// One change of a text: what, where, how much, and which snippet or other position.
pub(crate) type Change = (u8, u16, u16, u16);

/// Texts in a language, and snippets of it.
pub(crate) struct Material {
    pub(crate) seeds: &'static [&'static str],
    pub(crate) snippets: &'static [&'static str],
}

impl Material {
    /// A text with some changes.
    pub(crate) fn mutated(&self, seed: usize, changes: &[Change]) -> String {
        let mut chars: Vec<char> = self.seeds[seed % self.seeds.len()].chars().collect();
        for &(what, at, len, other) in changes {
            let (at, other) = (usize::from(at), usize::from(other));
            let at = at % (chars.len() + 1);
            let end = (at + usize::from(len) % 40).min(chars.len());
            let snippet = self.snippets[other % self.snippets.len()];
            match what % 7 {
                0 => {
                    chars.drain(at..end);
                }
                1 => {
                    chars.splice(at..at, snippet.chars());
                }
                2 => {
                    let piece: Vec<char> = chars[at..end].to_vec();
                    let to = other % (chars.len() + 1);
                    chars.splice(to..to, piece);
                }
                3 => chars.truncate(end.max(chars.len() / 2)),
                4 => {
                    let many = snippet.repeat(usize::from(len) % 300);
                    chars.splice(at..at, many.chars());
                }
                5 => {
                    if at < chars.len() {
                        let to = other % chars.len();
                        chars.swap(at, to);
                    }
                }
                _ => {
                    let text: String = chars.iter().collect();
                    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                    let count = lines.len();
                    if count > 0 {
                        lines.swap(at % count, other % count);
                    }
                    chars = lines.concat().chars().collect();
                }
            }
            chars.truncate(20_000);
        }
        chars.into_iter().collect()
    }

    /// This many changed texts, the same on every machine.
    pub(crate) fn many(&self, cases: usize, mut check: impl FnMut(&str)) {
        // A linear congruential generator.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u16
        };
        for case in 0..cases {
            let changes: Vec<Change> = (0..=case % 5)
                .map(|_| (next() as u8, next(), next(), next()))
                .collect();
            check(&self.mutated(usize::from(next()), &changes));
        }
    }
}

/// Parses a text: in time, with a program unless there is an error, and with spans inside the text;
/// the program is what its printed form means.
pub(crate) fn read(text: &str, reader: impl Fn(&str) -> Parsed) -> Parsed {
    let start = Instant::now();
    let parsed = reader(text);
    let mut took = start.elapsed();
    if took > LONGEST {
        // A busy machine is sometimes slower, but a slow parser always is.
        let again = Instant::now();
        let _ = reader(text);
        took = took.min(again.elapsed());
    }
    assert!(took <= LONGEST, "{took:?}: {text:?}");
    let mut diagnostics = parsed.diagnostics.iter();
    let failed = diagnostics.any(|d| d.severity == Severity::Error);
    assert_eq!(parsed.program.is_none(), failed, "{text:?}");
    for diagnostic in &parsed.diagnostics {
        let span = &diagnostic.span;
        assert!(
            span.start <= span.end && span.end <= text.len(),
            "{text:?}: {diagnostic:?}"
        );
        let whole = text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
        assert!(whole, "{text:?}: {diagnostic:?}");
    }
    if let Some(program) = &parsed.program {
        let printed = print(program);
        let again = parse(&printed);
        assert!(
            // Limits are printed as properties.
            again.program.map(|p| p.without_origins())
                == Some(program.without_limits().without_origins()),
            "{text:?}\n{printed}\n{}",
            render(&again.diagnostics, "printed", &printed, false)
        );
    } else if parsed.diagnostics.len() < 10 {
        assert!(!render(&parsed.diagnostics, "fuzz", text, false).is_empty());
    }
    parsed
}
