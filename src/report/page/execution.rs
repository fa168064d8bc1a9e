//! An execution on a page: its steps as a table with a lane for each thread, and for the script the lines,
//! buffers and memory of each step.

use super::html::element;
use crate::program::{Addr, ThreadId};
use crate::reference::{Action, Buffered, Buffers, Run};
use crate::report::evidence::{self, Row, Shown};
use crate::report::{ShownRun, Source, draw};
use serde_json::{Value, json};

/// An execution, prepared for a page.
pub(super) struct Execution<'a> {
    pub(super) title: String,
    /// The picture of its happens-before relation.
    pub(super) image: Option<String>,
    source: Source<'a>,
    run: &'a Run,
    rows: Vec<Row>,
    threads: Vec<ThreadId>,
}

impl<'a> Execution<'a> {
    pub(super) fn new(shown: ShownRun<'a>, title: String) -> Self {
        let rows = evidence::evidence(&shown, Shown::Accesses).rows;
        Self {
            title,
            image: draw::execution(&shown),
            source: shown.source,
            run: shown.run,
            threads: evidence::acting_threads(&rows),
            rows,
        }
    }

    /// The steps as a table.
    pub(super) fn table(&self) -> String {
        let threads = self.threads.iter();
        let heads = threads.map(|&t| element("th", "", self.source.thread(t)));
        let heads: String = heads.collect();
        let rows: String = self
            .rows
            .iter()
            .zip(1..)
            .map(|(row, n)| self.row(row, n))
            .collect();
        format!(
            "<div class=\"scroll\"><table class=\"steps\">\n<thead><tr><th></th>{heads}<th>store \
             buffers</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        )
    }

    fn row(&self, row: &Row, number: usize) -> String {
        let class = if row.on_cycle { " class=\"cycle\"" } else { "" };
        let lane = |&thread: &ThreadId| {
            if thread != row.thread {
                return "<td></td>".to_owned();
            }
            let parts = [
                element("span", "calls", &row.calls),
                element("span", "", &row.statement),
                element("span", "effect", &row.effect),
            ];
            format!("<td>{}</td>", parts.join(" "))
        };
        let lanes: String = self.threads.iter().map(lane).collect();
        let buffers = element("td", "", &row.buffers);
        format!("<tr{class}><td>{number}</td>{lanes}{buffers}</tr>\n")
    }

    /// What the script needs of each step.
    pub(super) fn data(&self) -> Value {
        let program = self.source.program;
        let mut touched: Vec<Addr> = Vec::new();
        for moment in &self.run.moments {
            touched.extend(access(&moment.action).map(|(addr, _)| addr));
        }
        touched.sort_unstable();
        touched.dedup();
        let mut memory = program.initial_memory().to_vec();
        let mut buffered = Buffers::default();
        let mut at = 0;
        let steps = self.rows.iter().map(|row| {
            for moment in &self.run.moments[at..=row.at] {
                buffered.advance(moment);
                if let Some((addr, Some(value))) = access(&moment.action) {
                    memory[addr.index()] = value;
                }
            }
            at = row.at + 1;
            let words = |value: i32| {
                if program.unwritten() == Some(value) {
                    "never written".to_owned()
                } else {
                    value.to_string()
                }
            };
            let cells = touched.iter();
            let cells = cells.map(|addr| [program.cell_name(*addr), words(memory[addr.index()])]);
            let buffers = buffered.occupied().map(|(thread, items)| {
                let items = items.iter().map(|item| match item {
                    Buffered::Store { addr, value } => {
                        format!("{} = {}", program.cell_name(*addr), words(*value))
                    }
                    Buffered::Fence { .. } => "fence".to_owned(),
                });
                let items: Vec<String> = items.collect();
                json!({ "thread": program.thread(thread).name(), "items": items })
            });
            json!({
                "line": self.line(row),
                "thread": program.thread(row.thread).name(),
                "memory": cells.collect::<Vec<_>>(),
                "buffers": buffers.collect::<Vec<_>>(),
            })
        });
        json!({ "steps": steps.collect::<Vec<_>>() })
    }

    /// The number of the step's line in the whole text; 0 without a text.
    fn line(&self, row: &Row) -> usize {
        let origin = self.source.program.instruction(row.site).origin;
        if origin.line == 0 {
            return 0;
        }
        let before = self.source.text.get(..origin.start as usize);
        before.map_or(0, |before| before.matches('\n').count() + 1)
    }
}

/// The cell that an action accesses, and the value that it has in memory afterwards, if that changes.
fn access(action: &Action) -> Option<(Addr, Option<i32>)> {
    match *action {
        Action::Flush { addr, value }
        | Action::Rmw {
            addr, new: value, ..
        } => Some((addr, Some(value))),
        Action::Issue { addr, .. } | Action::Load { addr, .. } | Action::Advance { addr, .. } => {
            Some((addr, None))
        }
        Action::Fence | Action::Retire | Action::Local => None,
    }
}
