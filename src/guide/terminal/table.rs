//! Tables: columns that fit, or a paragraph for each row where none do.

use super::Layout;
use super::inline::{Line, Span, longest, spans, wrap};

/// Between two columns.
const GAP: usize = 2;

/// A column that is narrower than this breaks words, unless all of its words are short.
const LEAST: usize = 12;

/// The rows of a table in Markdown, the first of which is the head and the second a rule.
pub(super) fn rendered(rows: &[&str], layout: Layout) -> String {
    let head = rows.first().map(|row| cells(row, layout.color));
    let head = head.unwrap_or_default();
    let body: Vec<_> = rows.iter().skip(2).collect();
    let body: Vec<_> = body.iter().map(|row| cells(row, layout.color)).collect();
    let all: Vec<_> = [&head].into_iter().chain(&body).collect();
    match widths(&all, layout.width) {
        Some(widths) => in_columns(&head, &body, &widths, layout),
        None => in_paragraphs(&head, &body, layout),
    }
}

/// The cells of a row. A bar within a cell is escaped.
fn cells(row: &str, color: bool) -> Vec<Vec<Span>> {
    // No page contains this character.
    const BAR: &str = "\u{1}";
    let row = row.replace("\\|", BAR);
    let inner = row.trim().trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let cells = inner.split('|');
    cells
        .map(|cell| spans(&cell.trim().replace(BAR, "|"), color))
        .collect()
}

/// The widths of the columns: what each needs if all fit, and otherwise equal shares of what the narrow ones leave.
/// `None` if words would have to be broken all the time.
fn widths(rows: &[&Vec<Vec<Span>>], width: usize) -> Option<Vec<usize>> {
    let count = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let most = |measure: &dyn Fn(&[Span]) -> usize, column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| measure(cell)).max().unwrap_or(0)
    };
    let whole = |cell: &[Span]| Line::of(cell.to_vec()).width();
    let wanted: Vec<usize> = (0..count).map(|column| most(&whole, column)).collect();
    let least: Vec<usize> = (0..count)
        .map(|column| most(&longest, column).min(LEAST).min(wanted[column]))
        .collect();
    let gaps = GAP * count.saturating_sub(1);
    let room = width.checked_sub(gaps)?;
    if least.iter().sum::<usize>() > room {
        return None;
    }
    // The widest share at which all columns fit: those that want less leave the rest to the others.
    let at = |share: usize| -> Vec<usize> {
        let columns = wanted.iter().zip(&least);
        columns
            .map(|(&wanted, &least)| wanted.min(share.max(least)))
            .collect()
    };
    let share = (1..=room)
        .rev()
        .find(|&share| at(share).iter().sum::<usize>() <= room);
    Some(at(share.unwrap_or(0)))
}

fn in_columns(
    head: &[Vec<Span>],
    body: &[Vec<Vec<Span>>],
    widths: &[usize],
    layout: Layout,
) -> String {
    let mut out = String::new();
    let mut push = |row: &[Vec<Span>]| {
        let cells: Vec<Vec<Line>> = widths
            .iter()
            .enumerate()
            .map(|(column, &width)| wrap(row.get(column).cloned().unwrap_or_default(), width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for number in 0..height {
            let mut line = String::new();
            let mut blanks = 0;
            for (cell, width) in cells.iter().zip(widths) {
                let part = cell.get(number).cloned().unwrap_or_default();
                if part.width() > 0 {
                    line.push_str(&" ".repeat(blanks));
                    line.push_str(&part.text(layout.color));
                    blanks = 0;
                }
                blanks += width - part.width() + GAP;
            }
            out.push_str(&line);
            out.push('\n');
        }
    };
    if head.iter().any(|cell| !cell.is_empty()) {
        push(head);
        let rule = widths.iter().map(|&width| spans(&"-".repeat(width), false));
        push(&rule.collect::<Vec<_>>());
    }
    for row in body {
        push(row);
    }
    out
}

/// Each cell on lines of its own, after what its column is called.
fn in_paragraphs(head: &[Vec<Span>], body: &[Vec<Vec<Span>>], layout: Layout) -> String {
    let mut out = String::new();
    for (number, row) in body.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        for (column, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let mut text = head.get(column).cloned().unwrap_or_default();
            if !text.is_empty() {
                text.extend(spans(": ", false));
            }
            text.extend(cell.clone());
            for line in wrap(text, layout.width) {
                out.push_str(&line.text(layout.color));
                out.push('\n');
            }
        }
    }
    out
}
