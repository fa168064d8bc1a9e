//! Attacks as queries: what the [passes](crate::passes) need to know of them, and what is found out.

use super::attack::Attack;
use super::decide::RobustOptions;
use super::instrument::Form;
use super::report::AttackAnswer;
use super::witness::witnessed;
use crate::facts::Influence;
use crate::model::Model;
use crate::problem::{Answer, Found, Problem, Query, QueryOptions, Until};
use crate::program::{Excerpt, Goal, Program, ThreadId};
use crate::techniques::{Techniques, When};
use crate::verdict::{Decided, Defect, Reason, Verdict};

/// What else a search for attacks shows: how it was done.
#[derive(Clone, Copy, Default)]
pub(crate) struct AttackShown {
    /// The form of the last derived program, if there was one.
    pub(super) form: Option<Form>,
    /// Whether the event graph has found an attack: it may be one that the form does not find.
    pub(super) on_graph: bool,
}

impl Query for Attack {
    type Options = RobustOptions;
    type Shown = AttackShown;

    const DECIDED: Decided = Decided::ByAttack;

    const IS_APART: bool = true;

    fn thread(self) -> Option<ThreadId> {
        Some(self.thread)
    }

    fn of_thread(self, thread: ThreadId) -> Self {
        Self { thread, ..self }
    }

    /// Those that are connected with the attacker.
    fn cone(self, program: &Program) -> Option<Vec<ThreadId>> {
        Some(Influence::of(program).connected(self.thread))
    }

    fn needs_all(self, _: &Program) -> bool {
        false
    }

    fn goal(self) -> Option<Goal> {
        None
    }

    fn inside(self, excerpt: &Excerpt) -> Self {
        self.of_thread(excerpt.inner(self.thread))
    }

    fn is_enough(self, _: &Program) -> bool {
        true
    }

    /// In a shard they may not: which attacks belong to it must not depend on what else is searched for.
    fn may_exchange(problem: &Problem<'_, Self>) -> bool {
        problem.options.shard.is_none()
    }

    fn largest_cone(problem: &Problem<'_, Self>, _: When) -> usize {
        problem.program.threads().len() - 1
    }

    fn add(shown: &mut AttackShown, more: &AttackShown) {
        shown.form = more.form.or(shown.form);
        shown.on_graph |= more.on_graph;
    }
}

impl QueryOptions for RobustOptions {
    fn until(&self) -> Until {
        self.until
    }

    fn techniques(&self) -> Techniques {
        self.techniques
    }
}

impl Found<Attack> {
    /// Whether one of the attacks is feasible.
    pub(super) fn is_feasible(&self) -> bool {
        self.answers.iter().any(Answer::is_violated)
    }

    /// The attacks that are still open, or none if one feasible attack is enough and has been
    /// found.
    pub(super) fn left(&self, until: Until) -> Vec<Attack> {
        if until == Until::Violated && self.is_feasible() {
            return Vec::new();
        }
        let open = self.answers.iter().filter(|answer| !answer.is_decided());
        open.map(|answer| answer.query).collect()
    }

    /// Leaves what is open undecided, for this reason.
    pub(super) fn leave(&mut self, decided: Decided) {
        for answer in &mut self.answers {
            if let Verdict::Unknown(reason) = &mut answer.verdict {
                *reason = Reason::Decided(decided);
            }
        }
    }

    /// Merges the results of another step for some of the attacks. Both are ascending.
    pub(super) fn take(&mut self, other: Self) {
        self.engine = other.engine.or(self.engine);
        self.unroll = other.unroll.or(self.unroll);
        Attack::add(&mut self.shown, &other.shown);
        self.stats = self.stats.plus(other.stats);
        debug_assert!(self.answers.is_sorted_by_key(|answer| answer.query));
        for new in other.answers {
            let found = self
                .answers
                .binary_search_by_key(&new.query, |old| old.query);
            let Some(old) = found.ok().map(|at| &mut self.answers[at]) else {
                continue;
            };
            // A bounded answer is stronger than none.
            let keeps = matches!(old.verdict, Verdict::HoldsWithin(_))
                && matches!(new.verdict, Verdict::Unknown(_));
            if !keeps {
                old.verdict = new.verdict;
            }
        }
    }

    /// The answers with the executions of this program that the steps stand for.
    ///
    /// # Errors
    ///
    /// If the reference rejects some steps, or they are not a witness of their attack.
    pub(crate) fn witnessed(
        self,
        program: &Program,
        model: Model,
    ) -> Result<Vec<AttackAnswer>, Defect> {
        let answers = self.answers.into_iter();
        let witnessed = answers.map(|Answer { query, verdict }| {
            Ok(AttackAnswer {
                attack: query,
                verdict: verdict.try_map(|steps| witnessed(program, model, query, &steps))?,
            })
        });
        witnessed.collect()
    }
}
