//! An execution on a page: its steps as a table with a lane for each thread, and for the script the lines,
//! buffers and memory of each step.

use super::prose::{code, element};
use crate::program::{Addr, ThreadId};
use crate::reference::{Action, Buffered, Buffers, Run};
use crate::report::draw::escaped;
use crate::report::evidence::{self, Cycle, Evidence, Row, Shown};
use crate::report::{ShownRun, Source, draw};
use serde_json::{Value, json};

/// The most threads that have a lane each; steps of more are one below the other, as on a phone.
const LANES: usize = 3;

/// An execution, prepared for a page.
pub(super) struct Execution<'a> {
    shown: ShownRun<'a>,
    source: Source<'a>,
    run: &'a Run,
    rows: Vec<Row>,
    cycle: Option<Cycle>,
    threads: Vec<ThreadId>,
    /// Whether some buffer has an item.
    buffered: bool,
}

impl<'a> Execution<'a> {
    pub(super) fn new(shown: ShownRun<'a>) -> Self {
        let Evidence { rows, cycle } = evidence::evidence(&shown, Shown::Accesses);
        Self {
            shown,
            source: shown.source,
            run: shown.run,
            threads: evidence::acting_threads(&rows),
            buffered: rows.iter().any(|row| !row.buffers.is_empty()),
            rows,
            cycle,
        }
    }

    pub(super) fn cycle(&self) -> Option<&Cycle> {
        self.cycle.as_ref()
    }

    /// The picture of its happens-before relation.
    pub(super) fn image(&self) -> Option<String> {
        draw::execution(&self.shown)
    }

    /// How many steps are shown, if that is not all.
    pub(super) fn omitted(&self) -> Option<String> {
        let (shown, all) = (self.rows.len(), self.run.moments.len());
        let words = format!("{shown} of {all} steps are shown; the others are local.");
        (shown < all).then_some(words)
    }

    /// The steps as a table; empty if there are none.
    pub(super) fn table(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let has_lanes = self.threads.len() <= LANES;
        let heads: String = if has_lanes {
            let threads = self.threads.iter();
            let heads = threads.map(|&t| element("th", "", self.source.thread(t)));
            heads.collect()
        } else {
            "<th>thread</th><th>step</th>".to_owned()
        };
        let class = if has_lanes { "lanes" } else { "stacked" };
        let buffers = if self.buffered {
            "<th>store buffers</th>"
        } else {
            ""
        };
        let rows: String = self
            .rows
            .iter()
            .zip(1..)
            .map(|(row, n)| self.row(row, n, has_lanes))
            .collect();
        format!(
            "<div class=\"scroll\"><table class=\"steps {class}\">\n<thead><tr><th></th>{heads}\
             {buffers}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>"
        )
    }

    fn row(&self, row: &Row, number: usize, has_lanes: bool) -> String {
        let (class, mark) = if row.on_cycle {
            (" class=\"cycle\"", "*")
        } else {
            ("", "")
        };
        let name = self.source.thread(row.thread);
        let parts = [
            element("span", "calls", &row.calls),
            code("span", "", &row.statement),
            code("span", "effect", &row.effect),
        ];
        let step = parts.join(" ");
        let lanes: String = if has_lanes {
            let lane = |&thread: &ThreadId| {
                if thread != row.thread {
                    return "<td></td>".to_owned();
                }
                format!(
                    "<td class=\"step\" data-thread=\"{}\">{step}</td>",
                    escaped(name)
                )
            };
            self.threads.iter().map(lane).collect()
        } else {
            let name = element("td", "who", name);
            format!("{name}<td class=\"step\">{step}</td>")
        };
        let buffers = if self.buffered {
            code("td", "buffers", &row.buffers)
        } else {
            String::new()
        };
        format!(
            "<tr{class} data-at=\"{}\"><td>{number}{mark}</td>{lanes}{buffers}</tr>\n",
            row.at
        )
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
        let words = |value: i32| {
            if program.unwritten() == Some(value) {
                "never written".to_owned()
            } else {
                value.to_string()
            }
        };
        let cells = |memory: &[i32]| -> Vec<[String; 2]> {
            let cells = touched.iter();
            let cells = cells.map(|addr| [program.cell_name(*addr), words(memory[addr.index()])]);
            cells.collect()
        };
        let mut memory = program.initial_memory().to_vec();
        let start = json!({ "memory": cells(&memory), "buffers": [] });
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
                "memory": cells(&memory),
                "buffers": buffers.collect::<Vec<_>>(),
            })
        });
        json!({ "start": start, "steps": steps.collect::<Vec<_>>() })
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
