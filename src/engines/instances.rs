//! Questions about a program with threads in any number of copies (`[*]`): instances from below, views from
//! above.
//!
//! ```text
//! level 1, 2, …:  all instances with one copy of each class and `level - 1` more
//!                 `level` copies of each class, if there are several            ─▶ then fewer, if they do
//!                                                                 one shows it  ─▶ reached, with so many
//!                 views of `level` copies do not show it                        ─▶ holds for any number
//! after them      counts do not show it                                         ─▶ holds for any number
//! ```
//!
//! **Theorem.** Copies need not move, so what some number of copies reaches, every larger number does, and one
//! set of views decides all numbers. Questions *about all threads* are different: in those, all copies have
//! ended, or wait. Views of `k` copies show nothing about fewer, so all instances with fewer are searched
//! completely first. An instance has the copies that its question names, and not those that only other
//! properties name.
//!
//! With several classes, instances are taken by the sum of their numbers of copies, and for questions that are
//! not about all threads also those with the same number of each, which have every smaller instance in
//! them; what one of these shows is then shown with fewer.
//!
//! What a question about all threads excludes is often the presence of a copy that no view of the others shows:
//! of those that wait for a lock, that one holds it. So the ones that are left are decided by *counts*, which
//! show that copies are there, and cover every number of them.
//!
//! What is asked is up to the caller: goals in `check`, attacks in `robustness` ([`Instances`]).

mod levels;
mod report;
mod wanted;

pub use report::{AnyNumber, ReachedGoal};
pub(crate) use report::{embedded, union_of_sizes, vacuity};
pub(crate) use wanted::CopiesSearch;

use crate::engines::{Stats, Until};
use crate::program::{InstanceSize, Program, Site, ThreadId};
use crate::reference::Run;
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::{Prover, Shown};
use report::{Excluded, undecided};
use std::collections::{BTreeMap, BTreeSet};

/// Instances have up to this many copies of each thread, and views up to this many.
const MOST_COPIES: usize = 8;
/// The configurations of one instance, and the views of one size, in the first and the second attempt.
const EFFORTS: [(usize, usize); 2] = [(20_000, 20_000), (1_000_000, 1_000_000)];
/// All instances of one attempt may have this many times the configurations of one.
const INSTANCES: usize = 8;
/// For each configuration that the budget allows, there may be this many views of one size.
const VIEWS: usize = 1_000;
/// After so many sizes in a row with too many views, larger ones are not tried once instances are too large, too.
/// Views of more copies may be fewer, since they exclude more.
const FAILURES: usize = 2;

/// What is asked.
pub(crate) trait Instances {
    /// One question.
    type Query: Copy;

    /// The program with threads in any number of copies.
    fn program(&self) -> &Program;

    /// The threads that a question names; those that are copies have to be in an instance.
    fn needed(&self, query: Self::Query) -> Vec<ThreadId>;

    /// Whether a question is about all threads: that they have ended, or wait. Then more copies may make a
    /// difference even if they do nothing.
    fn is_about_all(&self, query: Self::Query) -> bool;

    /// Whether reaching it is no violation.
    fn is_observation(&self, query: Self::Query) -> bool;

    /// What the instance of this size shows of these questions, in their order. Runs are of the instance.
    ///
    /// # Errors
    ///
    /// If the reference rejects a computation.
    fn verdicts(
        &self,
        size: &InstanceSize,
        queries: &[Self::Query],
        budget: &Budget,
    ) -> Result<(Vec<Verdict<Run>>, Stats), Defect>;
}

/// What is known about a question.
#[derive(Clone)]
pub(crate) enum Known {
    Open,
    Holds,
    /// In the instance of this size.
    Reached(Run, InstanceSize),
}

/// A question, and what is known about it.
pub(crate) struct Question<Q> {
    pub(crate) query: Q,
    pub(crate) known: Known,
    /// All instances with up to this many copies in total are known not to reach it, or do not count for it.
    searched: usize,
    /// No instance with up to this many copies of each class reaches it; 0 if it is about all threads.
    squared: usize,
}

/// Questions that are asked together, and that one set of views decides.
pub(crate) struct Group<'p, Q> {
    pub(crate) questions: Vec<Question<Q>>,
    /// For these questions, in their order; `None` if views do not decide them.
    prover: Option<Prover<'p>>,
    /// What all views of a size show, by size.
    shown: BTreeMap<usize, Shown>,
    /// How many sizes in a row had too many views, in this attempt.
    failures: usize,
    /// Whether larger instances are searched, in this attempt.
    is_searching: bool,
    /// The configurations that further instances of this attempt may have.
    spare: usize,
}

/// The search for answers.
pub(crate) struct Search<'a, 'p, I: Instances> {
    asked: &'a I,
    pub(crate) groups: Vec<Group<'p, I::Query>>,
    until: Until,
    pub(crate) budget: &'a Budget,
    /// The views and counts that decided something, and how far instances were searched.
    pub(crate) any: AnyNumber,
    pub(crate) stats: Stats,
    /// What may be executed, if the views or counts that decided something show it.
    pub(crate) executed: Option<BTreeSet<Site>>,
}

impl<'a, 'p, I: Instances> Search<'a, 'p, I> {
    /// For these groups of questions, with their provers.
    pub(crate) fn new(
        asked: &'a I,
        groups: Vec<(Vec<I::Query>, Option<Prover<'p>>)>,
        until: Until,
        budget: &'a Budget,
    ) -> Self {
        let question = |query| Question {
            query,
            known: Known::Open,
            searched: least(asked, query).sum() - 1,
            squared: 0,
        };
        let groups = groups.into_iter().map(|(queries, prover)| Group {
            questions: queries.into_iter().map(question).collect(),
            prover,
            shown: BTreeMap::new(),
            failures: 0,
            is_searching: true,
            spare: 0,
        });
        Self {
            asked,
            groups: groups.collect(),
            until,
            budget,
            any: AnyNumber::default(),
            stats: Stats::default(),
            executed: None,
        }
    }

    /// Looks for answers with views, instances and counts. Returns why there are too many views, if one part of
    /// the program explains it.
    ///
    /// # Errors
    ///
    /// If the reference rejects a computation.
    pub(crate) fn run(&mut self) -> Result<Option<String>, Defect> {
        for (states, most) in EFFORTS {
            let most = most.min(self.budget.states.saturating_mul(VIEWS));
            self.refill(states);
            for level in 1..=self.levels(MOST_COPIES) {
                for group in 0..self.groups.len() {
                    self.search_level(group, level, states)?;
                    self.views(group, level, most);
                }
            }
            for group in 0..self.groups.len() {
                self.by_counts(group, most);
            }
        }
        let mut provers = self.groups.iter().filter_map(|group| group.prover.as_ref());
        Ok(provers.find_map(Prover::obstacle))
    }

    /// Searches instances with up to this many copies of a class, or as many as a question names.
    ///
    /// # Errors
    ///
    /// If the reference rejects a computation.
    pub(crate) fn search_up_to(&mut self, most: usize) -> Result<(), Defect> {
        let (states, _) = EFFORTS[1];
        self.refill(states);
        for level in 1..=self.levels(most) {
            for group in 0..self.groups.len() {
                self.search_level(group, level, states)?;
            }
        }
        Ok(())
    }

    /// Begins an attempt.
    fn refill(&mut self, states: usize) {
        for group in &mut self.groups {
            group.spare = INSTANCES * states;
            group.is_searching = true;
            group.failures = 0;
        }
    }

    /// The last level: this one, or the first that has all copies that some question names.
    fn levels(&self, most: usize) -> usize {
        let classes = self.asked.program().classes().len();
        let all = self.groups.iter().flat_map(|group| &group.questions);
        let first = all.map(|question| self.least(question.query).sum());
        first.max().map_or(most, |sum| most.max(sum + 1 - classes))
    }

    /// The smallest instance that a question is about: it has the copies that the question names, and at least
    /// one of each class.
    fn least(&self, query: I::Query) -> InstanceSize {
        least(self.asked, query)
    }

    /// All questions, group by group.
    pub(crate) fn questions(&self) -> impl Iterator<Item = &Question<I::Query>> {
        self.groups.iter().flat_map(|group| &group.questions)
    }

    /// Whether one violation is enough and was found.
    pub(crate) fn is_enough(&self) -> bool {
        self.until == Until::Violated
            && self.questions().any(|question| {
                matches!(question.known, Known::Reached(..))
                    && !self.asked.is_observation(question.query)
            })
    }

    /// The questions of a group that are still open, by index; none if one violation is enough and was found, or
    /// the stop flag is raised.
    fn open(&self, group: usize) -> Vec<usize> {
        if self.is_enough() || self.budget.is_stopped() {
            return Vec::new();
        }
        let questions = &self.groups[group].questions;
        let is_open = |&at: &usize| matches!(questions[at].known, Known::Open);
        (0..questions.len()).filter(is_open).collect()
    }

    /// Decides open questions by the views of this size.
    fn views(&mut self, group: usize, size: usize, most: usize) {
        let open = self.open(group);
        let budget = self.budget;
        let own = &mut self.groups[group];
        if open.is_empty() {
            return;
        }
        let is_worth_it = own.is_searching || own.failures < FAILURES;
        if is_worth_it && !own.shown.contains_key(&size) {
            let Some(prover) = &mut own.prover else {
                return;
            };
            let shown = prover.at(size, most, budget);
            if shown.finished {
                own.failures = 0;
                own.shown.insert(size, shown);
            } else {
                own.failures += 1;
            }
        }
        let Some(shown) = own.shown.get(&size) else {
            return;
        };
        let mut decided = false;
        for at in open {
            let question = &mut own.questions[at];
            // Views show nothing about fewer copies.
            let covers = !self.asked.is_about_all(question.query) || question.searched + 1 >= size;
            if covers && !shown.goals[at] {
                question.known = Known::Holds;
                decided = true;
            }
        }
        if decided {
            self.any.note_views(size, shown.views);
            self.executed = shown.executed.clone().or(self.executed.take());
        }
    }

    /// Decides open questions about all threads by counts, which show that copies are there, and not how many;
    /// and then the others, too.
    fn by_counts(&mut self, group: usize, most: usize) {
        let open = self.open(group);
        let own = &mut self.groups[group];
        let is_about_all = |&at: &usize| self.asked.is_about_all(own.questions[at].query);
        if !open.iter().any(is_about_all) {
            return;
        }
        let Some(prover) = &mut own.prover else {
            return;
        };
        let shown = prover.counted(most, self.budget);
        let mut decided = false;
        for at in open {
            if !shown.goals[at] {
                own.questions[at].known = Known::Holds;
                decided = true;
            }
        }
        if decided {
            self.any.counts = Some(shown.views);
            self.executed = shown.executed.or(self.executed.take());
        }
    }

    /// Up to how many copies in total the instances that a question is about were searched completely; 0 if
    /// none was.
    pub(crate) fn searched_for(&self, question: &Question<I::Query>) -> usize {
        // What an instance does beyond a limit was not searched.
        let is_limited = !self.asked.program().limits().is_empty();
        if is_limited || question.searched < self.least(question.query).sum() {
            return 0;
        }
        question.searched
    }

    /// Why a question is open after all of this.
    pub(crate) fn why_open(
        &self,
        question: &Question<I::Query>,
        enough: Decided,
        obstacle: Option<&str>,
    ) -> Reason {
        if self.is_enough() {
            return Reason::Decided(enough);
        }
        if self.budget.is_stopped() {
            return Reason::Stopped;
        }
        let is_about_all = self.asked.is_about_all(question.query);
        let excluded = Excluded {
            from: if is_about_all {
                self.least(question.query).sum()
            } else {
                1
            },
            to: self.searched_for(question),
            classes: self.asked.program().classes().len(),
        };
        undecided(excluded, obstacle)
    }
}

/// The smallest instance that a question is about.
fn least<I: Instances>(asked: &I, query: I::Query) -> InstanceSize {
    let program = asked.program();
    let mut needed = asked.needed(query);
    needed.retain(|&thread| program.class_of(thread).is_some());
    needed.sort_unstable();
    needed.dedup();
    InstanceSize {
        counts: counts_of(program, &needed),
        needed,
    }
}

/// By class: how many of these threads are copies of it, or 1 if none is.
fn counts_of(program: &Program, needed: &[ThreadId]) -> Vec<usize> {
    let classes = program.classes().into_iter();
    let of_class = |class| {
        let own = |&&thread: &&ThreadId| program.class_of(thread) == Some(class);
        needed.iter().filter(own).count().max(1)
    };
    classes.map(of_class).collect()
}
