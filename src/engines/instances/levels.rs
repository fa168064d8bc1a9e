//! Searches of instances, by the sum of their numbers of copies.
//!
//! ```text
//! level 1, 2, …:  all instances with one copy of each class and `level - 1` more  ─▶ smallest numbers first
//!                 `level` copies of each class, if there are several             ─▶ then fewer, if they do
//! ```
//!
//! An instance is searched for all questions of a group together whose copies it has. They are divided if it
//! has fewer copies than they name together.

use super::{Instances, Known, Search, counts_of};
use crate::program::{InstanceSize, counts_with_sum};
use crate::reference::Run;
use crate::verdict::{Defect, Verdict};

impl<I: Instances> Search<'_, '_, I> {
    /// Searches all instances with this many copies in total for the open questions of a group, and then that
    /// with the same number of each class; larger ones are not worth it if not all of the former were searched
    /// completely.
    pub(super) fn search_level(
        &mut self,
        group: usize,
        level: usize,
        states: usize,
    ) -> Result<(), Defect> {
        if !self.groups[group].is_searching || self.open(group).is_empty() {
            return Ok(());
        }
        let classes = self.asked.program().classes().len();
        let sum = level + classes - 1;
        let mut incomplete: Vec<usize> = Vec::new();
        for counts in counts_with_sum(&vec![1; classes], sum) {
            let wanted: Vec<usize> = self.open(group);
            let wanted = wanted.into_iter().filter(|&at| {
                let question = &self.groups[group].questions[at];
                let covered = counts.iter().all(|&count| count <= question.squared);
                question.searched < sum && !covered
            });
            let wanted = wanted.collect();
            incomplete.extend(self.search(group, &counts, wanted, states)?);
        }
        for at in self.open(group) {
            let question = &mut self.groups[group].questions[at];
            if question.searched + 1 == sum && !incomplete.contains(&at) {
                question.searched = sum;
            }
        }
        if classes > 1 && level > 1 {
            self.search_square(group, level, states)?;
        }
        self.groups[group].is_searching = incomplete.is_empty();
        Ok(())
    }

    /// Searches the instance with this many copies of each class, and shows what is reached with fewer.
    fn search_square(&mut self, group: usize, level: usize, states: usize) -> Result<(), Defect> {
        let classes = self.asked.program().classes().len();
        let mut wanted = self.open(group);
        wanted.retain(|&at| {
            let question = &self.groups[group].questions[at];
            !self.asked.is_about_all(question.query) && question.squared < level
        });
        let left = self.search(group, &vec![level; classes], wanted.clone(), states)?;
        for at in wanted {
            let question = &mut self.groups[group].questions[at];
            match question.known {
                Known::Reached(..) => self.shrink(group, at, states)?,
                Known::Open if !left.contains(&at) => question.squared = level,
                Known::Open | Known::Holds => {}
            }
        }
        Ok(())
    }

    /// Searches the instance with these numbers of copies for questions of a group, those that it is large
    /// enough for. Returns those for which that was not complete.
    fn search(
        &mut self,
        group: usize,
        counts: &[usize],
        wanted: Vec<usize>,
        states: usize,
    ) -> Result<Vec<usize>, Defect> {
        let mut incomplete = Vec::new();
        for (size, questions) in self.together(group, counts, wanted) {
            // They are no longer open if one violation is enough, or the stop flag is raised.
            if self.groups[group].spare == 0 || self.open(group).is_empty() {
                incomplete.extend(questions);
                continue;
            }
            for (at, verdict) in self.verdicts(group, &size, &questions, states)? {
                match verdict {
                    Verdict::Violated(run) => {
                        self.groups[group].questions[at].known = Known::Reached(run, size.clone());
                    }
                    Verdict::Holds => {}
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => incomplete.push(at),
                }
            }
        }
        Ok(incomplete)
    }

    /// The questions that these numbers of copies are enough for, divided so that each instance has the copies
    /// that its questions name.
    fn together(
        &self,
        group: usize,
        counts: &[usize],
        wanted: Vec<usize>,
    ) -> Vec<(InstanceSize, Vec<usize>)> {
        let fits = |least: &[usize]| least.iter().zip(counts).all(|(least, most)| least <= most);
        let mut all: Vec<(InstanceSize, Vec<usize>)> = Vec::new();
        for at in wanted {
            let own = self.least(self.groups[group].questions[at].query);
            if !fits(&own.counts) {
                continue;
            }
            let joined = all.iter_mut().find_map(|(size, questions)| {
                let mut needed = size.needed.clone();
                needed.extend(own.needed.iter().filter(|id| !size.needed.contains(id)));
                fits(&counts_of(self.asked.program(), &needed)).then_some((size, questions, needed))
            });
            if let Some((size, questions, needed)) = joined {
                size.needed = needed;
                questions.push(at);
            } else {
                let (counts, needed) = (counts.to_vec(), own.needed);
                all.push((InstanceSize { counts, needed }, vec![at]));
            }
        }
        for (size, _) in &mut all {
            size.needed.sort_unstable();
        }
        all
    }

    /// What the instance of this size shows of these questions.
    fn verdicts(
        &mut self,
        group: usize,
        size: &InstanceSize,
        questions: &[usize],
        states: usize,
    ) -> Result<Vec<(usize, Verdict<Run>)>, Defect> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        let own = &mut self.groups[group];
        let queries: Vec<I::Query> = questions
            .iter()
            .map(|&at| own.questions[at].query)
            .collect();
        let budget = self.budget.with_states(states.min(self.budget.states));
        let (verdicts, stats) = self.asked.verdicts(size, &queries, &budget)?;
        self.stats = self.stats.plus(stats);
        let states = usize::try_from(stats.states.unwrap_or(0)).unwrap_or(usize::MAX);
        own.spare = own.spare.saturating_sub(states);
        Ok(questions.iter().copied().zip(verdicts).collect())
    }

    /// Shows a question with fewer copies, if it is reached with one less of some class.
    fn shrink(&mut self, group: usize, at: usize, states: usize) -> Result<(), Defect> {
        let least = self.least(self.groups[group].questions[at].query);
        for class in 0..least.counts.len() {
            while let Known::Reached(_, size) = &self.groups[group].questions[at].known {
                let mut fewer = InstanceSize {
                    counts: size.counts.clone(),
                    needed: least.needed.clone(),
                };
                if fewer.counts[class] <= least.counts[class] || self.groups[group].spare == 0 {
                    break;
                }
                fewer.counts[class] -= 1;
                let found = self.verdicts(group, &fewer, &[at], states)?;
                let Some((_, Verdict::Violated(run))) = found.into_iter().next() else {
                    break;
                };
                self.groups[group].questions[at].known = Known::Reached(run, fewer);
            }
        }
        Ok(())
    }
}
