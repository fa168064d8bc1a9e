//! The threads that an attack may involve.
//!
//! Happens-before leads from thread to thread through cells that both access and one of them
//! writes. A thread that no chain of such cells connects to the attacker is not part of any cycle
//! through the attacker, and does not influence the threads that are. So it is omitted.

use crate::analysis::Values;
use crate::program::{Program, ThreadId};
use std::collections::BTreeMap;

/// The group of each thread. Only threads of one group can influence each other.
pub(super) fn groups(program: &Program, values: &Values) -> Vec<usize> {
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
        let Some(least) = threads.iter().map(|t| groups[t.index()]).min() else {
            continue;
        };
        let joined: Vec<usize> = threads.iter().map(|t| groups[t.index()]).collect();
        for group in &mut groups {
            if joined.contains(group) {
                *group = least;
            }
        }
    }
    groups
}
