//! Changes of a program as edits of its assembly test: fences as separate rows.
//!
//! ```text
//!  MOV [x],$1  | MOV [y],$1  ;          MOV [x],$1  | MOV [y],$1  ;
//!  MOV EAX,[y] | MOV EAX,[x] ;    →     MFENCE      |             ;
//!                                       MOV EAX,[y] | MOV EAX,[x] ;
//! ```
//!
//! One row holds the fences of all threads before the instructions in the next row. Everything else
//! stays the same, byte for byte.
//!
//! **Invariant.** The result has been parsed again, and is the program after the changes.
//!
//! **Absent.** Tests in C (`c::rewrite`); exchanges, store fences, removal of fences; positions for which the
//! table has no cell: the end of a thread, inside an instruction, after a label in its own cell.

use super::{frame, parse};
use crate::program::{Change, Fence, LocId, Program, ThreadId};
use crate::text::{
    Compiler, Edits, Span, Unwritable, implements_changes, observed, unwritable, written_labels,
};
use std::collections::BTreeMap;

/// How many fences each column has, by the row that follows them.
type Fences = BTreeMap<(usize, usize), BTreeMap<usize, usize>>;

/// The text with these changes made.
///
/// # Errors
///
/// The first change that no edit of the text can make, and why.
pub(super) fn rewrite(
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(text.to_owned());
    };
    let parsed = parse(text, Compiler::default());
    let frame = frame::frame(text, false, &mut Vec::new());
    let Some(frame) = frame.filter(|_| parsed.program.as_ref() == Some(program)) else {
        let why = "the text does not match the program";
        return Err(unwritable(program, first, why));
    };
    let mut fences = Fences::new();
    for change in changes {
        let (row, column) = place(program, &frame.blanked, change)
            .map_err(|why| unwritable(program, change, why))?;
        let fences = fences.entry((row.start, row.end)).or_default();
        *fences.entry(column).or_default() += 1;
    }
    let mut edits = Edits::default();
    for ((start, end), columns) in &fences {
        let rows = rows(&frame.blanked[*start..*end], columns);
        edits.insert_before(text, line_or(text, &frame.blanked, *start), &rows);
    }
    let labels = written_labels(program);
    let before = observed(parsed.expectations);
    edits
        .apply(text)
        .filter(|out| {
            implements_changes(
                parse(out, Compiler::default()),
                program,
                changes,
                &before,
                &labels,
            )
        })
        .ok_or_else(|| {
            unwritable(
                program,
                first,
                "the edited text would have a different meaning",
            )
        })
}

/// The row before which a fence is inserted, from its first word to its `;`, and the column; or why
/// no row can hold the fence.
fn place(program: &Program, blanked: &str, change: &Change) -> Result<(Span, usize), &'static str> {
    let (thread, loc) = match change {
        Change::Fence {
            thread,
            loc,
            fence: Fence::Full,
        } => (*thread, *loc),
        Change::Fence { .. } => return Err("only full fences can be inserted into litmus tests"),
        Change::Exchange(_) => return Err("instructions of a litmus test cannot be replaced"),
        Change::Remove(_) => return Err("instructions of a litmus test cannot be removed"),
    };
    let at = instruction(program, thread, loc)?;
    let above = blanked[..at].rfind([';', '}']).map_or(0, |end| end + 1);
    let start = at - blanked[above..at].trim_start().len();
    let end = blanked[at..]
        .find(';')
        .map(|len| at + len)
        .ok_or("its row has no end")?;
    let cell = blanked[start..at]
        .rfind('|')
        .map_or(start, |bar| start + bar + 1);
    if !blanked[cell..at].trim().is_empty() {
        return Err("there is a label before the instruction, in the same cell");
    }
    let column = blanked[start..at].matches('|').count();
    Ok((start..end, column))
}

/// Where rows before this one are inserted: at the start of its line if only comments come before
/// it there, so that they stay with it.
fn line_or(text: &str, blanked: &str, start: usize) -> usize {
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let ahead = &text[line..start];
    let comment = ahead.trim_start();
    // A comment that starts further up and ends here stays before the inserted rows.
    if comment.starts_with("(*") && blanked[line..start].trim().is_empty() {
        line + (ahead.len() - comment.len())
    } else {
        start
    }
}

/// Where the instruction begins that leaves a location.
fn instruction(program: &Program, thread: ThreadId, loc: LocId) -> Result<usize, &'static str> {
    let automaton = program.thread(thread);
    let instructions = automaton.instructions();
    let Some(leaving) = instructions.iter().find(|i| i.from == loc) else {
        return Err("no instruction follows");
    };
    let is_inside = instructions
        .iter()
        .any(|i| i.to == loc && i.from != loc && i.origin == leaving.origin);
    if is_inside {
        return Err("it would be inside an instruction");
    }
    Ok(leaving.origin.start as usize)
}

/// The rows with these fences, as wide as the row that follows them.
fn rows(row: &str, columns: &BTreeMap<usize, usize>) -> Vec<String> {
    let most = columns.values().copied().max().unwrap_or(0);
    (0..most)
        .map(|number| {
            let cells = row.split('|').enumerate().map(|(column, cell)| {
                let is_fenced = columns.get(&column).is_some_and(|count| *count > number);
                if is_fenced {
                    fence(cell)
                } else {
                    " ".repeat(width(cell))
                }
            });
            cells.collect::<Vec<_>>().join("|") + ";"
        })
        .collect()
}

/// A cell with a fence, aligned with the cell below it. There is always a blank before the border.
fn fence(below: &str) -> String {
    let words = below.trim_start();
    let word = if words.starts_with(|c: char| c.is_ascii_lowercase()) {
        "mfence"
    } else {
        "MFENCE"
    };
    let indent = match width(below) {
        0 => " ",
        _ => &below[..below.len() - words.len()],
    };
    let text = format!("{indent}{word} ");
    format!("{text:width$}", width = width(below))
}

/// How wide a cell is; 0 if it spans several lines.
fn width(cell: &str) -> usize {
    if cell.contains('\n') {
        0
    } else {
        cell.chars().count()
    }
}
