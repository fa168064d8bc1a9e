//! The racing core of a run, as a litmus test that shows the same outcome.
//!
//! Of a run that is not sequentially consistent the accesses of its happens-before cycle are kept,
//! with the stores that they read and the fences between them; of any other run all accesses. Each
//! thread becomes a straight line, whatever loops and branches led through it. Leaving accesses
//! out leaves the others' order and values as they were, so the model has the core's run too.
//!
//! The condition pins every edge of the cycle: what each load reads, by values that no two stores
//! to a cell share, and the order of the stores to a cell, by its last value and, where there are
//! more than two, by a thread that watches them. So no sequentially consistent run satisfies it.
//!
//! Locked instructions become exchanges with what they stored. X86 where its seven registers
//! suffice, else `X86_64`.

mod pointers;
mod print;

use super::super::Source;
use crate::explicit::{EventId, HappensBefore, Run, Shape, Step};
use crate::formats::is_register_name;
use crate::program::{Addr, Fence, Site, ThreadId};
use crate::visible::visible_line;
use pointers::pointers;
use print::{Dialect, print};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A step of a straight line.
#[derive(Clone, Debug)]
enum Line {
    Store { cell: Addr, value: i32 },
    Load { cell: Addr, register: usize },
    Exchange { cell: Addr, register: usize },
    Full,
    StoreFence,
}

/// A thread of the test.
#[derive(Clone, Debug, Default)]
struct Thread {
    lines: Vec<Line>,
    /// What each register holds at the start and, as the condition says, at the end.
    registers: Vec<(i32, i32)>,
    comment: String,
}

/// The test as text that can be parsed again.
///
/// # Errors
///
/// Why there is none: what the core needs cannot be written in one.
pub fn core(source: &Source<'_>, run: &Run) -> Result<String, String> {
    let before = run.happens_before();
    let cycle = before.cycle();
    let kept = kept(&before, cycle.as_deref());
    if kept.is_empty() {
        return Err("the run accesses no memory".to_owned());
    }
    let values = Values::new(source, &before, &kept);
    let mut threads = Vec::new();
    for thread in source.program.thread_ids() {
        let own: Vec<EventId> = kept
            .iter()
            .copied()
            .filter(|&event| before.thread(event) == thread)
            .collect();
        if !own.is_empty() {
            threads.push(line_up(source, run, &before, thread, &own, &values)?);
        }
    }
    let (finals, watchers) = values.order();
    threads.extend(watchers);
    let most = threads.iter().map(|t| t.registers.len()).max().unwrap_or(0);
    let dialect = Dialect::with_registers(most).map_err(|there_are| {
        format!("a thread needs {most} registers, and there are {there_are}")
    })?;
    let names = names(source, &values);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "{} {}", dialect.name(), title(source, run));
    let shape = before.shape().map(Shape::words);
    let shape = shape.map_or_else(String::new, |shape| format!(": {shape}"));
    let _ = writeln!(
        out,
        "(* The racing core of a run under {}{shape}. *)",
        run.model
    );
    for (number, thread) in threads.iter().enumerate() {
        let _ = writeln!(out, "(* P{number} is {} *)", thread.comment);
    }
    let _ = writeln!(out, "(*: observed {} yes *)", run.model.name());
    let sequential = if cycle.is_some() { "no" } else { "yes" };
    if run.model.relaxes_store_load() {
        let _ = writeln!(out, "(*: observed sc {sequential} *)");
    }
    out.push_str(&print(&threads, &names, &values, &finals, dialect));
    Ok(out)
}

/// The accesses of the core, in the order of execution.
fn kept<R>(before: &HappensBefore, cycle: Option<&[(EventId, R)]>) -> BTreeSet<EventId> {
    let Some(cycle) = cycle else {
        return (0..before.events.len() as u32).map(EventId).collect();
    };
    let mut kept: BTreeSet<EventId> = cycle.iter().map(|&(event, _)| event).collect();
    // A store that is read may be a locked instruction, which reads another one.
    let mut work: Vec<EventId> = kept.iter().copied().collect();
    while let Some(event) = work.pop() {
        if let Some(store) = before.source[event.index()]
            && kept.insert(store)
        {
            work.push(store);
        }
    }
    kept
}

/// What the stores of the core store in the test.
struct Values {
    initial: BTreeMap<Addr, i32>,
    stored: BTreeMap<EventId, i32>,
    /// The stores to each cell, first to last.
    stores: BTreeMap<Addr, Vec<EventId>>,
}

impl Values {
    /// The values of the run where they tell the stores apart, else the stores' numbers from 1; these
    /// also where the values are addresses, which other cells have in the test.
    fn new(source: &Source<'_>, before: &HappensBefore, kept: &BTreeSet<EventId>) -> Self {
        let mut values = Self {
            initial: BTreeMap::new(),
            stored: BTreeMap::new(),
            stores: BTreeMap::new(),
        };
        let pointers = pointers(source.program, before);
        for &event in kept {
            let cell = before.event(event).addr;
            if values.initial.contains_key(&cell) {
                continue;
            }
            let stores: Vec<EventId> = before.coherence[cell.index()]
                .iter()
                .copied()
                .filter(|store| kept.contains(store))
                .collect();
            let first = source.program.initial_memory()[cell.index()];
            let real: Vec<i32> = stores
                .iter()
                .filter_map(|&store| before.event(store).stored)
                .collect();
            let different: BTreeSet<i32> = real.iter().copied().chain([first]).collect();
            let is_address = |value: &i32| source.program.cell_at(*value).is_some();
            let tell_apart = different.len() == stores.len() + 1
                && !(pointers.contains(&cell) && different.iter().any(is_address));
            values
                .initial
                .insert(cell, if tell_apart { first } else { 0 });
            for (at, &store) in stores.iter().enumerate() {
                let value = if tell_apart { real[at] } else { at as i32 + 1 };
                values.stored.insert(store, value);
            }
            values.stores.insert(cell, stores);
        }
        values
    }

    /// What the condition says of cells, and the threads that watch those with many stores.
    fn order(&self) -> (Vec<(Addr, i32)>, Vec<Thread>) {
        let (mut finals, mut watchers) = (Vec::new(), Vec::new());
        for (&cell, stores) in &self.stores {
            let [between @ .., last] = stores.as_slice() else {
                continue;
            };
            if between.is_empty() {
                continue;
            }
            finals.push((cell, self.stored[last]));
            if between.len() > 1 {
                let seen = between.iter().map(|store| (0, self.stored[store]));
                watchers.push(Thread {
                    lines: (0..between.len())
                        .map(|register| Line::Load { cell, register })
                        .collect(),
                    registers: seen.collect(),
                    comment: "who watches the order of the stores".to_owned(),
                });
            }
        }
        (finals, watchers)
    }
}

/// A thread's accesses of the core as a straight line, with the fences between them.
fn line_up(
    source: &Source<'_>,
    run: &Run,
    before: &HappensBefore,
    thread: ThreadId,
    own: &[EventId],
    values: &Values,
) -> Result<Thread, String> {
    let name = source.program.thread(thread).name();
    let mut line = Thread {
        comment: visible_line(name).replace("*)", "* )"),
        ..Thread::default()
    };
    let mut at = None;
    for &id in own {
        let event = before.event(id);
        if event.block.is_some() {
            return Err(format!(
                "`{}` is in an atomic block, which no instruction is",
                source.statement(event.site)
            ));
        }
        if let Some(from) = at {
            let between = &run.moments[from + 1..event.executed];
            let sites = between.iter().filter_map(|moment| {
                let executes = matches!(moment.step, Step::Execute { .. });
                (executes && moment.site.thread == thread).then_some(moment.site)
            });
            fences(source, sites, &mut line)?;
        }
        at = Some(event.executed);
        let cell = event.addr;
        let read =
            before.source[id.index()].map_or(values.initial[&cell], |store| values.stored[&store]);
        let register = line.registers.len();
        match (event.loaded, event.stored) {
            (Some(_), Some(_)) => {
                line.registers.push((values.stored[&id], read));
                line.lines.push(Line::Exchange { cell, register });
            }
            (Some(_), None) => {
                line.registers.push((0, read));
                line.lines.push(Line::Load { cell, register });
            }
            (None, _) => line.lines.push(Line::Store {
                cell,
                value: values.stored[&id],
            }),
        }
    }
    Ok(line)
}

/// The strongest fence that stands between two accesses, if one does.
fn fences(
    source: &Source<'_>,
    sites: impl Iterator<Item = Site>,
    line: &mut Thread,
) -> Result<(), String> {
    let mut found = None;
    for site in sites {
        let op = &source.program.instruction(site).op;
        match op.fence() {
            Some(Fence::Store) => {
                found.get_or_insert(Line::StoreFence);
            }
            Some(Fence::All | Fence::Cells(_)) => {
                return Err(format!(
                    "`{}` is a fence that x86 lacks",
                    source.statement(site)
                ));
            }
            // What was left out of the core waits for empty buffers all the same.
            Some(Fence::Full) | None if op.drains() => found = Some(Line::Full),
            Some(Fence::Full) | None => {}
        }
    }
    line.lines.extend(found);
    Ok(())
}

/// The test's name: the program's, or the file's without its extension.
fn title(source: &Source<'_>, run: &Run) -> String {
    let file = source.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let name = match source.program.name() {
        "" => stem,
        name => name,
    };
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "+-_.".contains(c) {
                c
            } else {
                '-'
            }
        })
        .collect();
    let plain = plain.trim_matches('-');
    let plain = if plain.is_empty() { "core" } else { plain };
    format!("{plain}+{}", run.model.name())
}

/// Names of the cells that no register and no other cell has.
fn names(source: &Source<'_>, values: &Values) -> BTreeMap<Addr, String> {
    let mut names: BTreeMap<Addr, String> = BTreeMap::new();
    for &cell in values.initial.keys() {
        let mut name: String = source
            .program
            .cell_name(cell)
            .trim_end_matches(']')
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert_str(0, "cell");
        }
        while is_register_name(&name) || names.values().any(|other| *other == name) {
            name.push('_');
        }
        names.insert(cell, name);
    }
    names
}
