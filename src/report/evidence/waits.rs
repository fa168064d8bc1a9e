//! Where threads wait forever at the end of an execution, and what they see there.

use super::lifetimes::observed;
use crate::program::{Addr, Expr, Goal, Op, Program, PropertyKind, RegId, Site, ThreadId};
use crate::reference::{Run, waiters};
use crate::report::source::called_at;
use crate::report::{ShownRun, Source};

/// A thread that waits forever at the end of a run.
pub(in crate::report) struct Wait {
    /// The thread.
    pub(in crate::report) thread: ThreadId,
    /// The instruction to show: a condition of the loop in which it waits, or else an access.
    pub(in crate::report) site: Site,
    /// What it reads there, again and again.
    pub(in crate::report) sees: Vec<(Addr, i32)>,
    /// The user's registers that it compares that with.
    pub(in crate::report) with: Vec<(RegId, i32)>,
}

/// The threads that wait forever at the end of a run, if that is the goal.
pub(in crate::report) fn waits(of: &ShownRun<'_>) -> Vec<Wait> {
    let (program, run) = (of.source.program, of.run);
    let Some(Goal::Property(number)) = of.goal else {
        return Vec::new();
    };
    match program.properties()[number].kind {
        PropertyKind::Stuck => waits_at_end(program, run),
        PropertyKind::Starved(thread) => {
            let mut waits = waits_at_end(program, run);
            waits.retain(|wait| wait.thread == thread);
            waits
        }
        PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => Vec::new(),
    }
}

/// The threads that wait at the end of a run.
pub(in crate::report) fn waits_at_end(program: &Program, run: &Run) -> Vec<Wait> {
    let found = waiters(program, &run.end).into_iter();
    found
        .filter_map(|waiter| {
            let thread = waiter.thread;
            let inside = |site: &Site| {
                let instruction = program.instruction(*site);
                site.thread == thread
                    && waiter.around.contains(&instruction.from)
                    && waiter.around.contains(&instruction.to)
            };
            let sites = program.sites().map(|(site, _)| site);
            let sites: Vec<Site> = sites.filter(inside).collect();
            let op = |site: &Site| &program.instruction(*site).op;
            let tests = |site: &&Site| matches!(op(site), Op::Assume(_));
            let accesses = |site: &&Site| op(site).access().is_some();
            let shown = sites.iter().find(tests).or(sites.iter().find(accesses));
            let site = shown.or(sites.first()).copied()?;
            let changes = |reg: RegId| sites.iter().any(|site| op(site).target() == Some(reg));
            let registers = program.thread(thread).registers();
            let mut with: Vec<RegId> = sites
                .iter()
                .filter(tests)
                .flat_map(|site| op(site).operands())
                .flat_map(Expr::vars)
                .filter(|&reg| !changes(reg) && !registers[reg.index()].name.contains('$'))
                .collect();
            with.sort_unstable();
            with.dedup();
            let value = |reg: RegId| run.end.registers[thread.index()][reg.index()];
            Some(Wait {
                thread,
                site,
                sees: waiter.sees.into_iter().collect(),
                with: with.into_iter().map(|reg| (reg, value(reg))).collect(),
            })
        })
        .collect()
}

/// What these threads wait for, in a sentence; `None` if none waits.
pub(in crate::report) fn waiting(source: &Source<'_>, waits: &[Wait]) -> Option<String> {
    let each: Vec<String> = waits.iter().map(|wait| wait.words(source)).collect();
    let these = match each.len() {
        0 => return None,
        1 => "This thread waits",
        _ => "These threads wait",
    };
    Some(format!("{these} forever: {}.", each.join("; ")))
}

impl Wait {
    /// The wait as a phrase: `reader, line 7: flag == 1, where flag is 0`.
    pub(in crate::report) fn words(&self, source: &Source<'_>) -> String {
        let name = source.thread(self.thread);
        let origin = source.program.instruction(self.site).origin;
        let line = if origin.line == 0 {
            String::new()
        } else {
            let calls = called_at(&source.callers(self.site));
            format!(", {}{calls}", source.line_words(origin))
        };
        let statement = source.statement(self.site);
        let program = source.program;
        let sees = self.sees.iter().map(|&(cell, value)| {
            observed(program, cell, value)
                .unwrap_or_else(|| format!("{} is {value}", program.cell_name(cell)))
        });
        let registers = program.thread(self.thread).registers();
        let with = self.with.iter();
        let with = with.map(|&(reg, value)| format!("{} is {value}", registers[reg.index()].name));
        let sees: Vec<String> = sees.chain(with).collect();
        let seeing = if sees.is_empty() {
            String::new()
        } else {
            format!(", where {}", sees.join(" and "))
        };
        format!("{name}{line}: `{statement}`{seeing}")
    }
}
