//! Byte positions as lines and columns.

use super::diagnostic::Span;
use crate::program::{Files, Origin};

/// Character counts are stored once per this many bytes.
const STEP: usize = 256;

/// Where the lines of a text start.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// How many characters start before each multiple of [`STEP`]; empty if each byte is one.
    counts: Vec<usize>,
    files: Files,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        let mut counts = Vec::with_capacity(text.len() / STEP + 1);
        let mut count = 0;
        for (at, &byte) in text.as_bytes().iter().enumerate() {
            if at % STEP == 0 {
                counts.push(count);
            }
            if byte & 0xc0 != 0x80 {
                count += 1;
            }
            if byte == b'\n' {
                starts.push(at + 1);
            }
        }
        if count == text.len() {
            counts.clear();
        }
        Self {
            text,
            starts,
            counts,
            files: Files::default(),
        }
    }

    /// The same lines, numbered as in these files.
    #[must_use]
    pub fn of_files(self, files: &Files) -> Self {
        let files = files.clone();
        Self { files, ..self }
    }

    /// How many characters start before a byte.
    fn characters(&self, at: usize) -> usize {
        if self.counts.is_empty() {
            return at.min(self.text.len());
        }
        let Some(&count) = self.counts.get(at / STEP) else {
            let last = self.counts.len().saturating_sub(1) * STEP;
            return self.counts[last / STEP] + self.between(last, at);
        };
        count + self.between(at / STEP * STEP, at)
    }

    fn between(&self, start: usize, end: usize) -> usize {
        let end = end.min(self.text.len());
        self.text.as_bytes()[start.min(end)..end]
            .iter()
            .filter(|&&byte| byte & 0xc0 != 0x80)
            .count()
    }

    /// The origin of a span.
    pub fn origin(&self, span: &Span) -> Origin {
        let line = self.starts.partition_point(|&start| start <= span.start);
        let start = self.starts[line.saturating_sub(1)];
        Origin {
            line: self.files.line(span.start, line as u32),
            column: (self.characters(span.start) - self.characters(start) + 1) as u32,
            start: span.start as u32,
            end: span.end as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_start_at_one() {
        let text = format!("ä{}\nöx\n", "ü".repeat(400));
        let lines = Lines::new(&text);
        let at = text.find('x').expect("x is there");
        let origin = lines.origin(&(at..at + 1));
        assert_eq!((origin.line, origin.column), (2, 2));
        let end = lines.origin(&(text.len()..text.len()));
        assert_eq!((end.line, end.column), (3, 1));
        let long = lines.origin(&(2 + 2 * 390..2 + 2 * 391));
        assert_eq!((long.line, long.column), (1, 392));
    }
}
