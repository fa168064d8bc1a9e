//! The table: sizes and seconds of every series, for every encoding of acyclicity and every solver, as
//! Markdown.
//!
//! First comes one table per series with all figures, written line by line as results arrive; at the end
//! one table compares the seconds. If a method times out on a member, it skips the larger members of the
//! series.

use crate::measure::{Cost, measure_within, methods, name};
use crate::series::{SERIES, Series};
use fencepost::internals::reach::Acyclicity;
use fencepost::internals::solve::SolverKind;
use std::io::{self, Write};
use std::time::Duration;

/// One line of the table of seconds: a member with the cost of each method; `None` if skipped.
struct Row {
    member: String,
    cells: Vec<Option<Cost>>,
}

/// The measurements to run.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The time limit per answer.
    pub(crate) limit: Duration,
    /// Parts of names: only series whose name contains one of them. Empty: all series.
    pub(crate) filters: Vec<String>,
    /// The sizes of the members. Empty: the default sizes of each series.
    pub(crate) sizes: Vec<u32>,
    /// The methods that find fences, by name. Empty: all methods.
    pub(crate) methods: Vec<String>,
}

impl Choice {
    /// Whether something with this name is selected.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }

    /// The chosen sizes, or the default sizes.
    pub(crate) fn sizes_of<'a>(&'a self, default: &'a [u32]) -> &'a [u32] {
        if self.sizes.is_empty() {
            default
        } else {
            &self.sizes
        }
    }
}

/// Measures the chosen members and writes the tables.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    let limit = choice.limit;
    let chosen = |series: &&Series| choice.names(&series.to_string());
    let methods: Vec<(Acyclicity, SolverKind)> = methods().collect();
    let mut rows = Vec::new();
    for series in SERIES.iter().filter(chosen) {
        let verdict = if series.violated { "violated" } else { "holds" };
        writeln!(out, "### {series}: {verdict}\n")?;
        writeln!(
            out,
            "| n | acyclicity | solver | events | variables | clauses | queries | refinements \
             | encoding s | total s |"
        )?;
        writeln!(out, "|--:|---|---|--:|--:|--:|--:|--:|--:|--:|")?;
        let mut spent: Vec<(Acyclicity, SolverKind)> = Vec::new();
        for &n in choice.sizes_of(series.sizes) {
            let member = series.member(n);
            let mut cells = Vec::new();
            for &method in &methods {
                if spent.contains(&method) {
                    cells.push(None);
                    continue;
                }
                let cost = measure_within(limit, &member, method);
                if !cost.answered {
                    spent.push(method);
                }
                write_cost(out, n, method, &cost, limit)?;
                cells.push(Some(cost));
            }
            rows.push(Row {
                member: format!("{series} | {n}"),
                cells,
            });
        }
        writeln!(out)?;
    }
    write_seconds(out, &methods, &rows, limit)
}

fn write_cost(
    out: &mut impl Write,
    n: u32,
    (acyclicity, solver): (Acyclicity, SolverKind),
    cost: &Cost,
    limit: Duration,
) -> io::Result<()> {
    let effort = cost.effort;
    writeln!(
        out,
        "| {n} | {} | {solver} | {} | {} | {} | {} | {} | {:.4} | {} |",
        name(acyclicity),
        effort.events,
        effort.variables,
        effort.clauses,
        effort.queries,
        effort.refinements,
        cost.encoding.as_secs_f64(),
        seconds(cost, limit),
    )?;
    out.flush()
}

fn write_seconds(
    out: &mut impl Write,
    methods: &[(Acyclicity, SolverKind)],
    rows: &[Row],
    limit: Duration,
) -> io::Result<()> {
    writeln!(out, "### Seconds side by side\n")?;
    write!(out, "| series | n |")?;
    for &(acyclicity, solver) in methods {
        write!(out, " {} {solver} |", name(acyclicity))?;
    }
    writeln!(out, "\n|---|--:|{}", "--:|".repeat(methods.len()))?;
    for row in rows {
        write!(out, "| {} |", row.member)?;
        for cell in &row.cells {
            let text = cell
                .as_ref()
                .map_or_else(|| "skipped".to_owned(), |c| seconds(c, limit));
            write!(out, " {text} |")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn seconds(cost: &Cost, limit: Duration) -> String {
    if cost.answered {
        format!("{:.4}", cost.total.as_secs_f64())
    } else {
        format!("> {} s", limit.as_secs())
    }
}
