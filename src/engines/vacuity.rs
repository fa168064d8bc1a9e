//! What a verdict says nothing about: instructions and threads' ends that no execution reaches.
//!
//! Published examples exist whose good verdict is true only because most of the program is dead.
//! So every verdict comes with the list of what is dead, if that could be found out.

use crate::program::{LocId, Program, Site, ThreadId};
use std::collections::BTreeSet;

/// The parts of a program that no execution reaches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vacuity {
    /// Instructions that are never executed, in the order of [`Program::sites`].
    pub never_executed: Vec<Site>,
    /// Threads that have an end and never reach it.
    pub never_end: Vec<ThreadId>,
}

impl Vacuity {
    /// What is dead, given everything that is executed.
    pub(super) fn new(program: &Program, executed: &BTreeSet<Site>) -> Self {
        let sites = program.sites().map(|(site, _)| site);
        let never_executed = sites.filter(|site| !executed.contains(site)).collect();
        let never_end = program
            .thread_ids()
            .filter(|&thread| {
                let automaton = program.thread(thread);
                let mut locations = (0..automaton.locations().len()).map(LocId::from);
                let ends = |site: &&Site| {
                    site.thread == thread && automaton.is_end(program.instruction(**site).to)
                };
                locations.any(|loc| automaton.is_end(loc))
                    && !automaton.is_end(automaton.entry())
                    && !executed.iter().any(|site| ends(&site))
            })
            .collect();
        Self {
            never_executed,
            never_end,
        }
    }
}
