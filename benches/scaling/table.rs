//! The table: sizes and seconds of every series, for every way of excluding cycles and every
//! solver, as Markdown.
//!
//! First a table a series with all figures, a line as soon as it is known; at the end one table
//! with the seconds side by side. Where a method runs out of time on a member, the larger members
//! of the series are not asked of it.

use crate::families::{SERIES, Series};
use crate::measure::{Cost, measure_within, methods, name};
use fencepost::reach::Acyclicity;
use fencepost::solve::SolverKind;
use std::io::{self, Write};
use std::time::Duration;

/// One line of the seconds: a member with what each method took. Absent: not asked.
struct Row {
    member: String,
    cells: Vec<Option<Cost>>,
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// What one answer may take.
    pub(crate) limit: Duration,
    /// Parts of names: the series that contain one of them; all if there is none.
    pub(crate) filters: Vec<String>,
    /// The members; those that each series states if there is none.
    pub(crate) sizes: Vec<u32>,
    /// The methods that look for fences, by name; all if there is none.
    pub(crate) methods: Vec<String>,
}

impl Choice {
    /// Whether something of this name is chosen.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }

    /// The sizes chosen, where these are the usual ones.
    pub(crate) fn sizes_of<'a>(&'a self, usual: &'a [u32]) -> &'a [u32] {
        if self.sizes.is_empty() {
            usual
        } else {
            &self.sizes
        }
    }
}

/// Measures what is chosen and writes the tables.
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
                .map_or_else(|| "not asked".to_owned(), |c| seconds(c, limit));
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
