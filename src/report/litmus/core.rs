//! The racing core of a run: a litmus test with the same outcome.
//!
//! If the run is not sequentially consistent, the core consists of the accesses of its happens-before
//! cycle, the stores that they read from, and the fences between them. Otherwise it consists of all
//! accesses. Each thread becomes straight-line code, whatever loops and branches it executed. Removing
//! accesses changes neither the order nor the values of the others, so the model allows the core's run
//! as well.
//!
//! The condition fixes every edge of the cycle. It fixes what each load reads, by giving the stores to
//! a cell distinct values, and it fixes the order of the stores to a cell, by the cell's final value
//! and, if there are more than two, by an extra thread that observes them. So no sequentially
//! consistent run satisfies the condition.
//!
//! A locked instruction becomes an exchange with the value that it stored. The dialect is X86 if its
//! seven registers suffice, and `X86_64` otherwise.

mod pointers;
mod print;

use super::super::{ShownRun, Source};
use crate::formats::is_register_name;
use crate::program::{Addr, Fence, Site, ThreadId};
use crate::reference::{EventId, HappensBefore, Run, Shape, Step};
use crate::visible::visible_line;
use pointers::pointers;
use print::{Dialect, print};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A line of straight-line code.
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
    /// The value of each register at the start and, as required by the condition, at the end.
    registers: Vec<(i32, i32)>,
    comment: String,
}

/// The test as text that can be parsed again.
///
/// # Errors
///
/// Why the core cannot be written as a litmus test.
pub fn core(shown: &ShownRun<'_>) -> Result<String, String> {
    let (source, run) = (&shown.source, shown.run);
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
            threads.push(straight_line(source, run, &before, thread, &own, &values)?);
        }
    }
    let (finals, observers) = values.order();
    threads.extend(observers);
    let most = threads.iter().map(|t| t.registers.len()).max().unwrap_or(0);
    let dialect = Dialect::with_registers(most).map_err(|there_are| {
        format!("a thread needs {most} registers, and there are {there_are}")
    })?;
    let names = names(source, &values);
    let mut out = String::new();
    // Writing to a string cannot fail.
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

/// The accesses of the core, in execution order.
fn kept<R>(before: &HappensBefore, cycle: Option<&[(EventId, R)]>) -> BTreeSet<EventId> {
    let Some(cycle) = cycle else {
        return (0..before.events.len() as u32).map(EventId).collect();
    };
    let mut kept: BTreeSet<EventId> = cycle.iter().map(|&(event, _)| event).collect();
    // A store that is read from may be a locked instruction, which itself reads from a store.
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

/// The values that the stores of the core write in the test.
struct Values {
    initial: BTreeMap<Addr, i32>,
    stored: BTreeMap<EventId, i32>,
    /// The stores to each cell, in coherence order.
    stores: BTreeMap<Addr, Vec<EventId>>,
}

impl Values {
    /// The values of the run if they are distinct, otherwise the stores' numbers, from 1. Numbers are
    /// also used if the values are addresses, since cells have other addresses in the test.
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
            let use_real = different.len() == stores.len() + 1
                && !(pointers.contains(&cell) && different.iter().any(is_address));
            values
                .initial
                .insert(cell, if use_real { first } else { 0 });
            for (at, &store) in stores.iter().enumerate() {
                let value = if use_real { real[at] } else { at as i32 + 1 };
                values.stored.insert(store, value);
            }
            values.stores.insert(cell, stores);
        }
        values
    }

    /// The final values of cells in the condition, and the threads that observe the cells with more
    /// than two stores.
    fn order(&self) -> (Vec<(Addr, i32)>, Vec<Thread>) {
        let (mut finals, mut observers) = (Vec::new(), Vec::new());
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
                observers.push(Thread {
                    lines: (0..between.len())
                        .map(|register| Line::Load { cell, register })
                        .collect(),
                    registers: seen.collect(),
                    comment: "an extra thread that observes the order of the stores".to_owned(),
                });
            }
        }
        (finals, observers)
    }
}

/// A thread's accesses of the core as straight-line code, with the fences between them.
fn straight_line(
    source: &Source<'_>,
    run: &Run,
    before: &HappensBefore,
    thread: ThreadId,
    own: &[EventId],
    values: &Values,
) -> Result<Thread, String> {
    let name = source.thread(thread);
    let mut line = Thread {
        comment: visible_line(name).replace("*)", "* )"),
        ..Thread::default()
    };
    let mut at = None;
    for &id in own {
        let event = before.event(id);
        if event.block.is_some() {
            return Err(format!(
                "`{}` is in an atomic block, which litmus tests cannot express",
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

/// Appends the strongest fence between two accesses, if there is one.
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
                    "`{}` is a fence that x86 does not have",
                    source.statement(site)
                ));
            }
            // An instruction outside the core still waits for its buffer to be empty.
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

/// Unique names for the cells, distinct from all register names.
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
