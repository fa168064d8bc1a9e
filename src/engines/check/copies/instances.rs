//! Searches of instances, by the sum of their numbers of copies.
//!
//! ```text
//! level 1, 2, …:  all instances with one copy of each class and `level - 1` more  ─▶ smallest numbers first
//!                 `level` copies of each class, if there are several             ─▶ then fewer, if they do
//! ```
//!
//! An instance is searched for all goals together whose copies it has. Goals are grouped if it has fewer
//! copies than they name together.

use super::{BUFFERED, ENGINES, Known, Query};
use crate::engines::{CheckOptions, CopiesSearch, Engine};
use crate::model::Model;
use crate::program::{Goal, InstanceSize, counts_with_sum};
use crate::reference::Run;
use crate::verdict::{Defect, Verdict};
use crate::work::BRIEF;

impl Query<'_> {
    /// Searches all instances with this many copies in total, and then that with the same number of each
    /// class. Returns whether all of the former were searched completely.
    pub(super) fn search_level(
        &mut self,
        level: usize,
        model: Model,
        states: usize,
    ) -> Result<bool, Defect> {
        let classes = self.program.classes().len();
        let sum = level + classes - 1;
        let mut incomplete: Vec<usize> = Vec::new();
        for counts in counts_with_sum(&vec![1; classes], sum) {
            let wanted = |query: &Self, at: usize| {
                let covered = counts.iter().all(|&count| count <= query.squared[at]);
                query.searched[at] < sum && !covered
            };
            incomplete.extend(self.search(&counts, wanted, model, states)?);
        }
        for at in self.open() {
            if self.searched[at] + 1 == sum && !incomplete.contains(&at) {
                self.searched[at] = sum;
            }
        }
        if classes > 1 && level > 1 {
            let wanted = |query: &Self, at: usize| {
                !query.is_about_all(query.goals[at]) && query.squared[at] < level
            };
            let before = self.open();
            let left = self.search(&vec![level; classes], wanted, model, states)?;
            for at in before {
                match self.known[at] {
                    Known::Reached(..) => self.shrink(at, model, states)?,
                    Known::Open if !self.is_about_all(self.goals[at]) && !left.contains(&at) => {
                        self.squared[at] = level;
                    }
                    Known::Open | Known::Holds => {}
                }
            }
        }
        Ok(incomplete.is_empty())
    }

    /// Searches the instance with these numbers of copies for the open goals that are wanted. Returns those
    /// for which that was not complete.
    fn search(
        &mut self,
        counts: &[usize],
        wanted: impl Fn(&Self, usize) -> bool,
        model: Model,
        states: usize,
    ) -> Result<Vec<usize>, Defect> {
        // An instance may have fewer copies than the goals name together.
        let mut groups: Vec<(InstanceSize, Vec<usize>)> = Vec::new();
        let fits = |least: &[usize]| least.iter().zip(counts).all(|(least, most)| least <= most);
        for at in self.open() {
            let own = self.least(self.goals[at]);
            if !wanted(self, at) || !fits(&own.counts) {
                continue;
            }
            let group = groups.iter_mut().find_map(|(size, goals)| {
                let mut needed = size.needed.clone();
                needed.extend(own.needed.iter().filter(|id| !size.needed.contains(id)));
                fits(&self.counts(&needed)).then_some((size, goals, needed))
            });
            if let Some((size, goals, needed)) = group {
                size.needed = needed;
                goals.push(at);
            } else {
                let needed = own.needed;
                let counts = counts.to_vec();
                groups.push((InstanceSize { counts, needed }, vec![at]));
            }
        }
        let mut incomplete = Vec::new();
        for (mut size, goals) in groups {
            size.needed.sort_unstable();
            let open = self.open();
            let goals: Vec<usize> = goals.into_iter().filter(|at| open.contains(at)).collect();
            if goals.is_empty() {
                continue;
            }
            if self.spare == 0 || self.budget.is_stopped() {
                incomplete.extend(goals);
                continue;
            }
            for (at, verdict) in self.verdicts(&size, &goals, model, states)? {
                match verdict {
                    Verdict::Violated(run) => self.known[at] = Known::Reached(run, size.clone()),
                    Verdict::Holds => {}
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => incomplete.push(at),
                }
            }
        }
        Ok(incomplete)
    }

    /// What the instance of this size shows of these goals.
    fn verdicts(
        &mut self,
        size: &InstanceSize,
        at: &[usize],
        model: Model,
        states: usize,
    ) -> Result<Vec<(usize, Verdict<Run>)>, Defect> {
        let goals: Vec<Goal> = at.iter().map(|&at| self.goals[at]).collect();
        let search = CopiesSearch::new(self.program, &goals, size);
        let engine = if model == Model::Sc {
            Engine::Explicit
        } else {
            Engine::Auto
        };
        let options = CheckOptions {
            model,
            engine,
            ..self.options.clone()
        };
        let budget = self.budget.with_states(states.min(self.budget.states));
        let (verdicts, stats) = if model == Model::Sc {
            search.decide(BUFFERED, &options, &budget)?
        } else {
            search.decide(ENGINES, &options, &budget.with_work(BRIEF.times(4).0))?
        };
        self.stats = self.stats.plus(stats);
        let states = usize::try_from(stats.states.unwrap_or(0)).unwrap_or(usize::MAX);
        self.spare = self.spare.saturating_sub(states);
        Ok(at.iter().copied().zip(verdicts).collect())
    }

    /// Shows a goal with fewer copies, if it is reached with one less of some class.
    fn shrink(&mut self, at: usize, model: Model, states: usize) -> Result<(), Defect> {
        let least = self.least(self.goals[at]);
        for class in 0..least.counts.len() {
            while let Known::Reached(_, size) = &self.known[at] {
                let mut fewer = InstanceSize {
                    counts: size.counts.clone(),
                    needed: least.needed.clone(),
                };
                if fewer.counts[class] <= least.counts[class] || self.spare == 0 {
                    break;
                }
                fewer.counts[class] -= 1;
                let found = self.verdicts(&fewer, &[at], model, states)?;
                let Some((_, Verdict::Violated(run))) = found.into_iter().next() else {
                    break;
                };
                self.known[at] = Known::Reached(run, fewer);
            }
        }
        Ok(())
    }
}
