//! The table of code: one column per thread, one cell per instruction.
//!
//! ```text
//!  P0          | P1          ;
//!  MOV [x],$1  | MOV [y],$1  ;
//! ```

use super::super::condition::begins_tail;
use super::super::initial::thread_number;
use super::super::words::{Word, words};
use super::cell::{self, Dialect};
use super::instruction::Code;
use crate::text::{Diagnostic, Span};

/// A test has at most this many threads.
const MOST_THREADS: usize = 100;

/// A test has at most this many instructions.
const MOST_INSTRUCTIONS: usize = 20_000;

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) number: i64,
    pub(super) name: Span,
    pub(super) code: Code,
}

/// Parses the table; also returns where the tail begins.
pub(super) fn read(
    dialect: &dyn Dialect,
    text: &str,
    part: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Column>, usize) {
    let mut columns: Vec<Column> = Vec::new();
    let mut instructions = 0;
    let mut at = part.start;
    let mut first = true;
    let end = loop {
        let rest = &text[at..part.end];
        let begin = at + (rest.len() - rest.trim_start().len());
        if begin == part.end {
            break begin;
        }
        if text[begin..].starts_with(';') {
            at = begin + 1;
            continue;
        }
        // Only the first word matters here, so no errors in it are reported.
        let word_end = begin
            + text[begin..part.end]
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '~')
                .unwrap_or(part.end - begin);
        let tail = words(text, begin..word_end, &mut Vec::new())
            .first()
            .is_some_and(|(word, _)| begins_tail(*word));
        if tail {
            break begin;
        }
        let len = text[begin..part.end].find(';');
        let row = begin..len.map_or(part.end, |len| begin + len);
        if len.is_none() {
            diagnostics.push(
                Diagnostic::error("this row does not end with `;`", row.end..row.end)
                    .label("expected `;` at the end of the row"),
            );
        }
        if first {
            header(text, &row, &mut columns, diagnostics);
            first = false;
        } else {
            let count = cells(dialect, text, &row, &mut columns, diagnostics);
            instructions += count;
            if instructions > MOST_INSTRUCTIONS {
                let message = format!("the test has more than {MOST_INSTRUCTIONS} instructions");
                diagnostics.push(Diagnostic::error(message, row));
                break part.end;
            }
        }
        at = (row_end(len, begin, part.end)).min(part.end);
    };
    if columns.is_empty() {
        let place = end.min(text.len());
        diagnostics.push(
            Diagnostic::error("the test has no threads", place..place)
                .note("the code begins with a row of thread names: `P0 | P1 ;`"),
        );
    }
    (columns, end)
}

fn row_end(len: Option<usize>, begin: usize, end: usize) -> usize {
    len.map_or(end, |len| begin + len + 1)
}

/// The cells of a row, as spans.
fn split(text: &str, row: &Span) -> Vec<Span> {
    let mut cells = Vec::new();
    let mut at = row.start;
    for cell in text[row.clone()].split('|') {
        cells.push(at..at + cell.len());
        at += cell.len() + 1;
    }
    cells
}

fn header(text: &str, row: &Span, columns: &mut Vec<Column>, diagnostics: &mut Vec<Diagnostic>) {
    for cell in split(text, row) {
        let found = words(text, cell.clone(), diagnostics);
        let named = match found.as_slice() {
            [(Word::Name(name), span)] => thread_number(name).map(|number| (number, span.clone())),
            _ => None,
        };
        let Some((number, name)) = named else {
            diagnostics.push(
                Diagnostic::error("expected the name of a thread", cell)
                    .label("expected `P` and a number")
                    .note("the first row of the code names the threads: `P0 | P1 ;`"),
            );
            continue;
        };
        if let Some(other) = columns.iter().find(|column| column.number == number) {
            diagnostics.push(
                Diagnostic::error(format!("thread `P{number}` is declared twice"), name)
                    .other(other.name.clone(), "first declared here"),
            );
            continue;
        }
        if columns.len() == MOST_THREADS {
            let message = format!("the test has more than {MOST_THREADS} threads");
            diagnostics.push(Diagnostic::error(message, name));
            return;
        }
        columns.push(Column {
            number,
            name,
            code: Code::default(),
        });
    }
}

/// Parses a row of instructions; returns how many cells it has.
fn cells(
    dialect: &dyn Dialect,
    text: &str,
    row: &Span,
    columns: &mut [Column],
    diagnostics: &mut Vec<Diagnostic>,
) -> usize {
    let cells = split(text, row);
    let count = cells.len();
    for (at, cell) in cells.into_iter().enumerate() {
        let found = words(text, cell.clone(), diagnostics);
        if found.is_empty() {
            continue;
        }
        let Some(column) = columns.get_mut(at) else {
            let threads = columns.len();
            diagnostics.push(
                Diagnostic::error("this column has no thread", cell)
                    .label(format!("the test has {threads} threads")),
            );
            break;
        };
        if let Err(diagnostic) = cell::read(dialect, &found, cell.end, &mut column.code) {
            diagnostics.push(diagnostic);
        }
    }
    count
}
