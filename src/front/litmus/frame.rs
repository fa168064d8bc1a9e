//! The parts of a litmus test: header, initial state, code, condition.
//!
//! ```text
//! X86 SB                      header: architecture and name, optionally another one in parentheses
//! "PodWR Fre PodWR Fre"       and what generators say of themselves
//! { x=0; y=0; }               initial state
//!  P0 | P1 ; …                code
//! exists (…)                  tail: locations, filter, condition
//! ```
//!
//! Comments are blanked out, so that positions in the result are positions in the text: `(* … *)`,
//! which nest, and `<< … >>` trailers; in C tests those of C, which are the only ones in functions, where
//! `(*x)` is an expression. A comment that begins with `(*:` contains expectations, one per line.

use crate::text::{Diagnostic, Span};

/// The parts of a text.
pub(super) struct Frame {
    /// The text with spaces in place of all comments and quoted strings.
    pub(super) blanked: String,
    /// The first word.
    pub(super) arch: Span,
    /// The test's name.
    pub(super) name: Span,
    /// The text between the braces of the initial state; empty if a test in C begins with its threads.
    pub(super) initial: Span,
    /// Everything after it.
    pub(super) rest: Span,
}

/// Splits a text; `None` if it has no initial state, which is reported.
pub(super) fn frame(text: &str, is_c: bool, diagnostics: &mut Vec<Diagnostic>) -> Option<Frame> {
    let mut blanker = Blanker::new(text, is_c);
    blanker.run();
    diagnostics.append(&mut blanker.diagnostics);
    // Blanking replaces whole characters by spaces, byte by byte.
    let blanked = String::from_utf8(blanker.blanked).unwrap_or_else(|_| " ".repeat(text.len()));
    let Some((initial, rest)) = blanker.initial.clone() else {
        let (missing, place) = match blanker.unclosed {
            Some(open) => ("}", open..open + 1),
            None => ("{", 0..0),
        };
        diagnostics.push(
            Diagnostic::error(format!("the initial state has no `{missing}`"), place)
                .note("a litmus test begins with its architecture, its name and `{ … }`"),
        );
        return None;
    };
    // Without the brace, if there is one.
    let end = initial.start - usize::from(initial.end < rest);
    let (arch, name) = header(&blanked, end, diagnostics);
    Some(Frame {
        arch,
        name,
        initial: initial.clone(),
        rest: rest..text.len(),
        blanked,
    })
}

/// The lines inside `(*: … *)`, of a text that may be invalid otherwise.
pub(super) fn expectations(text: &str, is_c: bool) -> Vec<Span> {
    let mut blanker = Blanker::new(text, is_c);
    blanker.run();
    blanker.expectations
}

/// Parses the text before the initial state.
fn header(text: &str, end: usize, diagnostics: &mut Vec<Diagnostic>) -> (Span, Span) {
    let word = |from: usize, to: usize| {
        let start = to - text[from..to].trim_start().len();
        let len = text[start..to]
            .find(char::is_whitespace)
            .unwrap_or(to - start);
        start..start + len
    };
    let arch = word(0, end);
    let line_end = text[arch.end..end]
        .find('\n')
        .map_or(end, |at| arch.end + at);
    let name = word(arch.end, line_end);
    if name.is_empty() {
        let message = "the test has no name";
        diagnostics
            .push(Diagnostic::error(message, arch.clone()).label("expected a name after this"));
    }
    let stray = word(name.end, line_end);
    // Some collections repeat the name, or give another one: `X86 MP (MP)`.
    let after_name = text[name.end..line_end].trim();
    let inside = after_name
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    if !stray.is_empty() && inside.is_none_or(|inside| inside.contains(['(', ')'])) {
        let message = format!(
            "unexpected `{}` after the name of the test",
            &text[stray.clone()]
        );
        diagnostics.push(Diagnostic::error(message, stray));
    }
    let mut at = line_end;
    for line in text[line_end..end].split_inclusive('\n') {
        let body = line.trim();
        let key = body.split_once('=').map(|(key, _)| key.trim());
        let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let is_key = |key: &str| !key.is_empty() && key.chars().all(is_inner);
        if !body.is_empty() && !key.is_some_and(is_key) {
            let start = at + (line.len() - line.trim_start().len());
            diagnostics.push(
                Diagnostic::error(
                    "unexpected text before the initial state",
                    start..start + body.len(),
                )
                .label("expected `{`, a quoted string, or a line like `Cycle=Rfe PodRR Fre`"),
            );
        }
        at += line.len();
    }
    (arch, name)
}

/// Blanks comments, and finds the braces of the initial state.
struct Blanker<'t> {
    text: &'t str,
    bytes: &'t [u8],
    blanked: Vec<u8>,
    is_c: bool,
    at: usize,
    depth: usize,
    unclosed: Option<usize>,
    /// The initial state without its braces, and where the code begins.
    initial: Option<(Span, usize)>,
    expectations: Vec<Span>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Blanker<'t> {
    fn new(text: &'t str, is_c: bool) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            blanked: text.as_bytes().to_vec(),
            is_c,
            at: 0,
            depth: 0,
            unclosed: None,
            initial: None,
            expectations: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            let inside_function = self.is_c && self.initial.is_some() && self.depth > 0;
            // `\/` and `/\` are operators of conditions.
            let is_after_or = self.at > 0 && self.bytes[self.at - 1] == b'\\';
            let of_c = self.is_c && !is_after_or;
            if of_c && rest.starts_with(b"//") {
                let len = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                self.blank(self.at + len);
            } else if of_c && rest.starts_with(b"/*") {
                self.until("*/", "comment");
            } else if !inside_function && rest.starts_with(b"(*") {
                self.comment();
            } else if !inside_function && self.initial.is_some() && rest.starts_with(b"<<") {
                self.until(">>", "trailer");
            } else if self.initial.is_none() && self.depth == 0 && rest[0] == b'"' {
                self.until("\"", "string");
            } else {
                match rest[0] {
                    b'{' => {
                        if self.depth == 0 && self.initial.is_none() {
                            match self.thread_before() {
                                Some(start) => self.initial = Some((start..start, start)),
                                None => self.unclosed = Some(self.at),
                            }
                        }
                        self.depth += 1;
                    }
                    b'}' => {
                        self.depth = self.depth.saturating_sub(1);
                        if let (0, Some(open), None) = (self.depth, self.unclosed, &self.initial) {
                            self.initial = Some((open + 1..self.at, self.at + 1));
                        }
                    }
                    _ => {}
                }
                self.at += 1;
            }
        }
    }

    /// Where a thread of a test in C begins whose body opens here: `P0 (int *x)`.
    fn thread_before(&self) -> Option<usize> {
        if !self.is_c {
            return None;
        }
        let blanked = std::str::from_utf8(&self.blanked[..self.at]).ok()?;
        let before = blanked.trim_end().strip_suffix(')')?;
        let open = before.rfind('(')?;
        let named = before[..open].trim_end();
        let start = named.rfind(|c: char| !c.is_ascii_alphanumeric())? + 1;
        let is_thread = super::initial::thread_number(&named[start..]).is_some();
        let is_header = !blanked[..start].trim_start().contains('\n');
        (is_thread && !is_header).then_some(start)
    }

    /// Blanks up to this position, except line breaks, and continues there.
    fn blank(&mut self, end: usize) {
        for byte in &mut self.blanked[self.at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        self.at = end;
    }

    /// Blanks up to and including a closing mark. Requires that there is an ASCII opening mark
    /// here.
    fn until(&mut self, mark: &str, what: &str) {
        let open = if mark == "\"" { 1 } else { 2 };
        let from = self.at + open;
        if let Some(len) = self.text[from..].find(mark) {
            self.blank(from + len + mark.len());
        } else {
            self.unterminated(what, mark);
        }
    }

    fn unterminated(&mut self, what: &str, mark: &str) {
        let place = self.at..(self.at + 2).min(self.bytes.len());
        let place = if self.text.is_char_boundary(place.end) {
            place
        } else {
            self.at..self.at + 1
        };
        self.diagnostics.push(
            Diagnostic::error(format!("unterminated {what}"), place)
                .label(format!("no closing `{mark}` follows")),
        );
        self.blank(self.bytes.len());
    }

    /// Blanks a nested comment, and keeps its lines if they are expectations.
    fn comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        let mut at = start;
        let end = loop {
            let rest = &self.bytes[at..];
            if rest.starts_with(b"(*") {
                depth += 1;
                at += 2;
            } else if rest.starts_with(b"*)") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break at;
                }
            } else if rest.is_empty() {
                self.unterminated("comment", "*)");
                return;
            } else {
                at += 1;
            }
        };
        if self.bytes[start..].starts_with(b"(*:") && end >= start + 5 {
            let mut from = start + 3;
            for line in self.text[from..end - 2].split_inclusive('\n') {
                if !line.trim().is_empty() {
                    self.expectations.push(from..from + line.trim_end().len());
                }
                from += line.len();
            }
        }
        self.blank(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The initial state and what follows it, without comments.
    fn parts(text: &str) -> (String, String) {
        let mut diagnostics = Vec::new();
        let frame = frame(text, true, &mut diagnostics).expect("it has its parts");
        assert_eq!(diagnostics, []);
        let part = |span: Span| frame.blanked[span].split_whitespace().collect();
        (part(frame.initial.clone()), part(frame.rest.clone()))
    }

    #[test]
    fn a_test_in_c_may_begin_with_its_threads() {
        let code = "P0 (int *x)\n{ *x = 1; }\nexists (x=1)";
        let same = (String::new(), "P0(int*x){*x=1;}exists(x=1)".to_owned());
        assert_eq!(parts(&format!("C t\n{code}")), same);
        assert_eq!(parts(&format!("C t\n\"of a kind\"\n\n{{ }}\n{code}")), same);
        // The name of a test may be repeated in brackets.
        assert_eq!(parts(&format!("C P0 (P0)\n{{ }}\n{code}")), same);
        assert_eq!(parts(&format!("C P0 (P0) {{ }}\n{code}")), same);
    }

    #[test]
    fn comments_of_both_kinds_may_be_anywhere_in_a_test_in_c() {
        let text = "C t // header\n(* any (* text *) *)\n/* any */ { x=1; /* one */ } // { two\n\
                    P0 (int *x) /* { */ { (*x)++; } (* } *)\nexists (x=1 \\/*x=2 /\\ ~(x=3)) // end";
        let rest = "P0(int*x){(*x)++;}exists(x=1\\/*x=2/\\~(x=3))";
        assert_eq!(parts(text), ("x=1;".to_owned(), rest.to_owned()));
    }
}
