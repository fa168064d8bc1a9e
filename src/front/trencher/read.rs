//! The parser: from text to automata, line by line. It reports everything that is wrong with the
//! words of a file.
//!
//! A line that cannot be parsed is left out and parsing continues after it. States, registers and
//! threads are declared by use, as in the original; so a register that is never written is only a
//! warning.
//!
//! **Differs from the original.** Errors here, accepted there: numbers followed by letters or too
//! large, a second `initial`, an empty file, extra words at the end of a line.

mod whole;

use super::instr::Reader;
use super::raw::{Automaton, Named, Transition};
use super::words::{Line, Word, lines};
use crate::program::RegId;
use crate::text::{Diagnostic, Severity, Span, nearest};
use ahash::{AHashMap, AHashSet};

const KEYS: [&str; 5] = ["thread", "initial", "transition", "final", "end"];

/// A text has at most this many transitions.
const MOST_TRANSITIONS: usize = 100_000;

/// The result of parsing, as far as the text could be parsed.
pub(super) struct Reading<'t> {
    pub(super) automata: Vec<Automaton>,
    /// The lines that begin with `#:`, without that, with their spans.
    pub(super) expectations: Vec<(&'t str, Span)>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Parses all threads.
pub(super) fn read(text: &str) -> Reading<'_> {
    let mut file = File {
        text,
        reading: Reading {
            automata: Vec::new(),
            expectations: Vec::new(),
            diagnostics: Vec::new(),
        },
        threads: AHashMap::new(),
        transitions: 0,
    };
    let all: Vec<Line<'_>> = lines(text).collect();
    let mut rest = all.as_slice();
    while let Some((first, rest_lines)) = rest.split_first() {
        rest = if first.words[0].text == "thread" {
            file.thread(first, rest_lines)
        } else {
            file.outside(first);
            rest_lines
        };
    }
    if file.threads.is_empty() && !file.failed() {
        let end = text.len();
        file.error(
            Diagnostic::error("this file contains no threads", end..end)
                .label("expected `thread NAME`")
                .note("a program is a sequence of `thread NAME` … `end`"),
        );
    }
    file.reading
}

struct File<'t> {
    text: &'t str,
    reading: Reading<'t>,
    /// Where each thread name was first used.
    threads: AHashMap<&'t str, Span>,
    transitions: usize,
}

/// A thread that is being parsed.
struct Block<'t> {
    name: Word<'t>,
    states: Vec<Named>,
    state_numbers: AHashMap<&'t str, usize>,
    registers: Vec<Named>,
    register_numbers: AHashMap<&'t str, usize>,
    /// Names of registers that some line of the thread writes.
    written: AHashSet<&'t str>,
    initial: Option<(usize, Span)>,
    /// Whether some line `initial` could not be parsed.
    bad_initial: bool,
    finals: Vec<(usize, Span)>,
    transitions: Vec<Transition>,
}

impl<'t> Block<'t> {
    fn state(&mut self, word: &Word<'t>) -> usize {
        *self.state_numbers.entry(word.text).or_insert_with(|| {
            self.states.push(named(word));
            self.states.len() - 1
        })
    }

    /// The register with this name.
    fn register(&mut self, word: &Word<'t>) -> RegId {
        let number = *self.register_numbers.entry(word.text).or_insert_with(|| {
            self.registers.push(named(word));
            self.registers.len() - 1
        });
        number.into()
    }
}

fn named(word: &Word<'_>) -> Named {
    Named {
        name: word.text.to_owned(),
        span: word.span.clone(),
    }
}

impl<'t> File<'t> {
    fn error(&mut self, diagnostic: Diagnostic) {
        self.reading.diagnostics.push(diagnostic);
    }

    fn failed(&self) -> bool {
        let mut found = self.reading.diagnostics.iter();
        found.any(|d| d.severity == Severity::Error)
    }

    /// A line between threads.
    fn outside(&mut self, line: &Line<'t>) {
        let first = &line.words[0];
        if let Some(comment) = first.text.strip_prefix('#') {
            if comment.starts_with(':') {
                let span = first.span.start + 2..line.end;
                self.reading
                    .expectations
                    .push((&self.text[span.clone()], span));
            }
            return;
        }
        let diagnostic = if KEYS.contains(&first.text) {
            Diagnostic::error(
                format!("`{}` outside a thread", first.text),
                first.span.clone(),
            )
            .label("expected `thread NAME` before this")
        } else {
            let hint = nearest(first.text, ["thread"].into_iter())
                .map_or("expected `thread NAME` or `# …`".to_owned(), |near| {
                    format!("did you mean `{near}`?")
                });
            Diagnostic::error(
                format!("unknown line `{}` outside a thread", first.text),
                first.span.clone(),
            )
            .label(hint)
        };
        self.error(diagnostic);
    }

    /// Parses a thread whose first line is `head`; returns the lines after it.
    fn thread<'l>(&mut self, head: &Line<'t>, rest_lines: &'l [Line<'t>]) -> &'l [Line<'t>] {
        let errors = self.reading.diagnostics.len();
        let name = match self.one_name(head, "name of the thread") {
            Some(name) => name,
            None => Word {
                text: "",
                span: head.span(),
            },
        };
        if !name.text.is_empty() {
            match self.threads.get(name.text).cloned() {
                Some(first) => self.error(
                    Diagnostic::error(
                        format!("thread `{}` is declared twice", name.text),
                        name.span.clone(),
                    )
                    .label("declared again here")
                    .other(first, "first declared here"),
                ),
                None => {
                    self.threads.insert(name.text, name.span.clone());
                }
            }
        }
        let end = rest_lines
            .iter()
            .position(|line| matches!(line.words[0].text, "end" | "thread"));
        let body = &rest_lines[..end.unwrap_or(rest_lines.len())];
        let mut block = Block {
            name,
            states: Vec::new(),
            state_numbers: AHashMap::new(),
            registers: Vec::new(),
            register_numbers: AHashMap::new(),
            written: body
                .iter()
                .filter_map(|line| match &line.words[..] {
                    [_, _, _, does, into, ..] if matches!(does.text, "read" | "local") => {
                        Some(into.text)
                    }
                    _ => None,
                })
                .collect(),
            initial: None,
            bad_initial: false,
            finals: Vec::new(),
            transitions: Vec::new(),
        };
        for line in body {
            self.inside(line, &mut block);
        }
        let mut rest = &rest_lines[body.len()..];
        match rest.split_first() {
            Some((line, rest_lines)) if line.words[0].text == "end" => {
                self.expect_end(line, 1);
                rest = rest_lines;
            }
            _ => {
                let last = body.last().unwrap_or(head);
                self.error(
                    Diagnostic::error(
                        format!("thread `{}` has no `end`", block.name.text),
                        last.end..last.end,
                    )
                    .label("expected a line `end` after this")
                    .other(head.span(), "the thread begins here"),
                );
            }
        }
        self.finish(block, head, errors);
        rest
    }

    /// A line of a thread.
    fn inside(&mut self, line: &Line<'t>, block: &mut Block<'t>) {
        let first = &line.words[0];
        match first.text {
            "initial" => {
                let Some(state) = self.one_name(line, "initial state") else {
                    block.bad_initial = true;
                    return;
                };
                let number = block.state(&state);
                if let Some((_, before)) = &block.initial {
                    self.error(
                        Diagnostic::error(
                            format!("thread `{}` has two initial states", block.name.text),
                            line.span(),
                        )
                        .label("second initial state")
                        .other(before.clone(), "first initial state"),
                    );
                } else {
                    block.initial = Some((number, state.span));
                }
            }
            "final" => {
                if let Some(state) = self.one_name(line, "final state") {
                    let number = block.state(&state);
                    block.finals.push((number, line.span()));
                }
            }
            "transition" => self.transition(line, block),
            text if text.starts_with('#') => self.error(
                Diagnostic::error("comment inside a thread", line.span())
                    .label("comments are only allowed between threads")
                    .note("move it before `thread` or after `end`"),
            ),
            text => {
                let label = match nearest(text, KEYS.into_iter()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "expected initial, transition, final or end".to_owned(),
                };
                self.error(
                    Diagnostic::error(format!("unknown line `{text}`"), first.span.clone())
                        .label(label),
                );
            }
        }
    }

    fn transition(&mut self, line: &Line<'t>, block: &mut Block<'t>) {
        self.transitions += 1;
        if self.transitions > MOST_TRANSITIONS {
            if self.transitions == MOST_TRANSITIONS + 1 {
                self.error(
                    Diagnostic::error(
                        format!("the program has more than {MOST_TRANSITIONS} transitions"),
                        line.span(),
                    )
                    .label("limit exceeded here"),
                );
            }
            return;
        }
        let [_, from, to, does @ ..] = &line.words[..] else {
            self.error(
                Diagnostic::error("incomplete transition", line.end..line.end)
                    .label("expected a source, a destination and an instruction")
                    .note("as in `transition q0 q1 write 1 5`"),
            );
            return;
        };
        let (from, to) = (block.state(from), block.state(to));
        let written = std::mem::take(&mut block.written);
        let mut reader = Reader::new(does, line.end, &written, |word| block.register(word));
        let instr = reader.instruction();
        let found = reader.into_diagnostics();
        block.written = written;
        self.reading.diagnostics.extend(found);
        if let Some(instr) = instr {
            block.transitions.push(Transition {
                from,
                to,
                instr,
                span: line.span(),
                does: does[0].span.start..line.span().end,
            });
        }
    }

    /// The only name after the first word of a line.
    fn one_name(&mut self, line: &Line<'t>, what: &str) -> Option<Word<'t>> {
        let Some(name) = line.words.get(1) else {
            self.error(
                Diagnostic::error(
                    format!("expected the {what}, found the end of the line"),
                    line.end..line.end,
                )
                .label(format!("expected a name after `{}`", line.words[0].text)),
            );
            return None;
        };
        self.expect_end(line, 2);
        Some(name.clone())
    }

    fn expect_end(&mut self, line: &Line<'t>, words: usize) {
        let Some(stray) = line.words.get(words) else {
            return;
        };
        let note = if stray.text.starts_with('#') {
            "a comment needs its own line, between threads"
        } else {
            "names cannot contain blanks, and each line has a single entry"
        };
        self.error(
            Diagnostic::error(
                format!("unexpected `{}`", stray.text),
                stray.span.start..line.span().end,
            )
            .label("expected the end of the line")
            .note(note),
        );
    }
}
