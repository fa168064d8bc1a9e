//! Cells on which plain accesses of two threads may conflict.
//!
//! Accesses under a common lock, and those before a thread begins or after it has ended, do not conflict.
//! Sound for all executions: an access is counted for each cell that the value analysis cannot exclude.
//! Two accesses conflict if one of them is a store; a race needs one of them to be plain.

use super::values::Values;
use crate::program::{Addr, Ordered, Ordering, Site, Suspect};

/// The cells on which a plain access may conflict with an access of another thread, by address, each
/// with two such accesses: the first plain store or load, and the first that it conflicts with.
pub fn contended(ordered: &Ordered) -> Vec<Suspect> {
    let program = &ordered.program;
    let values = Values::of(program);
    let mut accesses: Vec<Vec<Site>> = vec![Vec::new(); program.cell_count()];
    for (site, instruction) in program.sites() {
        if instruction.op.access().is_some() {
            for cell in values.addresses(program, site).cells {
                accesses[cell.index()].push(site);
            }
        }
    }
    let writes = |site: Site| program.instruction(site).op.writes() == Some(true);
    let plain = |site: Site| ordered.ordering(site) == Ordering::Plain;
    let conflict = |a: Site, b: Site| {
        a.thread != b.thread
            && (writes(a) || writes(b))
            && (plain(a) || plain(b))
            && !ordered.is_ordered(a, b)
    };
    let mut found = Vec::new();
    for (index, sites) in accesses.into_iter().enumerate() {
        let pair = sites.iter().enumerate().find_map(|(at, &a)| {
            let other = sites[at + 1..].iter().find(|&&b| conflict(a, b))?;
            Some([a, *other])
        });
        found.extend(pair.map(|pair| Suspect {
            cell: Addr::from_index(index),
            pair,
            sites,
        }));
    }
    found
}
