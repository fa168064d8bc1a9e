//! The threads that an attack may involve.
//!
//! Happens-before leads from thread to thread through cells that both access and one of them
//! writes. A thread that no chain of such cells connects to the attacker is not part of any cycle
//! through the attacker, and does not influence the threads that are. So it is omitted.

use crate::facts::Values;
use crate::program::{Program, ThreadId};
use std::collections::BTreeMap;

/// The group of each thread. Only threads of one group can influence each other.
pub(crate) fn groups(program: &Program, values: &Values) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..program.threads().len()).collect();
    let mut by_cell = BTreeMap::new();
    for (site, instruction) in program.sites() {
        let Some(writes) = instruction.op.writes() else {
            continue;
        };
        for cell in values.addresses(program, site).cells {
            let (threads, written) = by_cell.entry(cell).or_insert((Vec::new(), false));
            threads.push(site.thread);
            *written |= writes;
        }
    }
    for (threads, _) in by_cell.into_values().filter(|&(_, written)| written) {
        let threads: Vec<ThreadId> = threads;
        for thread in &threads {
            join(&mut groups, threads[0].index(), thread.index());
        }
    }
    (0..groups.len()).map(|t| least(&mut groups, t)).collect()
}

/// Joins the groups of two members. Each group is a tree of links to smaller members.
pub(crate) fn join(links: &mut [usize], a: usize, b: usize) {
    let (a, b) = (least(links, a), least(links, b));
    links[a.max(b)] = a.min(b);
}

/// The least member of a member's group.
pub(crate) fn least(links: &mut [usize], member: usize) -> usize {
    let mut at = member;
    while links[at] != at {
        links[at] = links[links[at]];
        at = links[at];
    }
    at
}
