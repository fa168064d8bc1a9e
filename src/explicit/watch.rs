//! Which goals a configuration may reach: a search looks at each configuration for all of them, and C
//! programs have dozens.

use super::machine::Config;
use crate::program::{Goal, Program};

/// The goals of a search, by where they may be reached.
pub(super) struct Watch {
    /// Those that any configuration may reach, by index.
    anywhere: Vec<usize>,
    /// By thread and location: those that are reached only there.
    at: Vec<Vec<Vec<usize>>>,
}

impl Watch {
    pub(super) fn new(program: &Program, goals: &[Goal]) -> Self {
        let threads = program.threads().iter();
        let mut watch = Self {
            anywhere: Vec::new(),
            at: threads
                .map(|thread| vec![Vec::new(); thread.locations().len()])
                .collect(),
        };
        for (number, goal) in goals.iter().enumerate() {
            match *goal {
                // Reached by a step, not in a configuration.
                Goal::Assert(_) => {}
                Goal::Outside(site) => {
                    let loc = program.instruction(site).from;
                    watch.at[site.thread.index()][loc.index()].push(number);
                }
                Goal::Property(_) => watch.anywhere.push(number),
            }
        }
        watch
    }

    /// The goals that a configuration may reach, by index.
    pub(super) fn goals(&self, config: &Config) -> impl Iterator<Item = usize> {
        let here = self.at.iter().zip(&config.locations);
        let here = here.flat_map(|(at, loc)| &at[loc.index()]);
        self.anywhere.iter().chain(here).copied()
    }
}
