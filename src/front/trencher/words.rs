//! Lines and words: text separated by blanks, with spans.

use crate::text::Span;

/// A word and its span in the text.
#[derive(Clone, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// A line: its words, none of them empty, and the position of its end.
#[derive(Clone, Debug)]
pub(super) struct Line<'t> {
    pub(super) words: Vec<Word<'t>>,
    pub(super) end: usize,
}

impl Line<'_> {
    /// The span from the first word to the last; requires that there is one.
    pub(super) fn span(&self) -> Span {
        self.words[0].span.start..self.words[self.words.len() - 1].span.end
    }
}

/// What separates words. Every other character may be part of a name.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}')
}

/// All lines that contain words.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        Line {
            words: words(line, at),
            end: at + line.trim_end_matches(is_blank).len(),
        }
    });
    lines.filter(|line| !line.words.is_empty())
}

/// The words of a line that starts at a position of the text.
pub(super) fn words(line: &str, at: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    for (i, c) in line.char_indices() {
        match (is_blank(c), start) {
            (false, None) => start = Some(i),
            (true, Some(from)) => {
                words.push(word(line, from, i, at));
                start = None;
            }
            (true, None) | (false, Some(_)) => {}
        }
    }
    if let Some(from) = start {
        words.push(word(line, from, line.len(), at));
    }
    words
}

fn word(line: &str, from: usize, to: usize, at: usize) -> Word<'_> {
    Word {
        text: &line[from..to],
        span: at + from..at + to,
    }
}

/// Whether a word can only be a number: a digit, optionally after a sign.
pub(super) fn is_numeric(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_spans_and_lines_have_ends() {
        let text = "a  b\r\n\n\tc\u{a0}d ";
        let found: Vec<(Vec<&str>, usize)> = lines(text)
            .map(|line| (line.words.iter().map(|w| w.text).collect(), line.end))
            .collect();
        assert_eq!(
            found,
            [(vec!["a", "b"], 4), (vec!["c\u{a0}d"], text.len() - 1)]
        );
        for line in lines(text) {
            for word in &line.words {
                assert_eq!(&text[word.span.clone()], word.text);
            }
        }
    }
}
