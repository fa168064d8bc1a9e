//! What can be asked about a program: whether it reaches a goal, or whether an attack is feasible.
//!
//! Passes make problems about both easier in the same way. What they need to know of a query is here, and not
//! what it means: that is left to who asks and who decides.

use super::{CheckOptions, Engine, LazyHistory, Problem, Until, is_observation};
use crate::facts::Influence;
use crate::induction::Invariant;
use crate::program::{Excerpt, Goal, Observable, Program, PropertyKind, Site, ThreadId};
use crate::techniques::{Techniques, When};
use crate::verdict::Decided;
use std::collections::BTreeSet;

/// A goal of a program, or an attack.
pub(crate) trait Query: Copy + Ord {
    /// How it is to be decided.
    type Options: QueryOptions;
    /// What else an engine shows.
    type Shown: Clone + Default;

    /// Why queries are left undecided after one was answered that is enough.
    const DECIDED: Decided;

    /// Whether queries about different threads are decided apart from each other, whatever is done about them.
    const IS_APART: bool;

    /// The thread whose instruction it is about, if it is about one.
    fn thread(self) -> Option<ThreadId>;

    /// The same about the same instruction of another thread.
    fn of_thread(self, thread: ThreadId) -> Self;

    /// The threads that it depends on, ascending; `None` if all may matter.
    fn cone(self, program: &Program) -> Option<Vec<ThreadId>>;

    /// Whether an execution of its cone that shows it does not always go on to one of the program that does.
    fn needs_all(self, program: &Program) -> bool;

    /// The goal that an excerpt must have for it.
    fn goal(self) -> Option<Goal>;

    /// The same in an excerpt that has its threads and its goal.
    fn inside(self, excerpt: &Excerpt) -> Self;

    /// Whether it is enough that this one is violated, if one is enough.
    fn is_enough(self, program: &Program) -> bool;

    /// Whether symmetric threads have the same answers to the queries of this problem.
    fn may_exchange(problem: &Problem<'_, Self>) -> bool;

    /// How many threads a cone may have for the problem to be decided on it.
    fn largest_cone(problem: &Problem<'_, Self>, when: When) -> usize;

    /// Adds what another engine shows, or the same one about other queries.
    fn add(shown: &mut Self::Shown, more: &Self::Shown);
}

/// What all options have.
pub(crate) trait QueryOptions {
    fn until(&self) -> Until;
    fn techniques(&self) -> Techniques;
}

impl QueryOptions for CheckOptions {
    fn until(&self) -> Until {
        self.until
    }

    fn techniques(&self) -> Techniques {
        self.techniques
    }
}

/// What else an engine shows about a program, and not only about a goal.
#[derive(Clone, Default)]
pub(crate) struct GoalShown {
    /// Everything that some execution executes, if the search found it as a by-product.
    pub(crate) executed: Option<BTreeSet<Site>>,
    /// How the lazy engine decided, if it was the engine used.
    pub(crate) history: Option<LazyHistory>,
    /// What proves the goals that hold, if the inductive engine was the engine used.
    pub(crate) invariant: Option<Invariant>,
}

/// With fewer threads than this, `auto` asks for all goals at once: one search for all of them also shows
/// what is executed, and its evidence is the shortest for any of them.
const FEW: usize = 8;

impl Query for Goal {
    type Options = CheckOptions;
    type Shown = GoalShown;

    const DECIDED: Decided = Decided::ByGoal;

    const IS_APART: bool = false;

    fn thread(self) -> Option<ThreadId> {
        match self {
            Goal::Assert(site) | Goal::Outside(site) => Some(site.thread),
            Goal::Property(_) => None,
        }
    }

    fn of_thread(self, thread: ThreadId) -> Self {
        match self {
            Goal::Assert(site) => Goal::Assert(Site { thread, ..site }),
            Goal::Outside(site) => Goal::Outside(Site { thread, ..site }),
            Goal::Property(_) => self,
        }
    }

    /// Those that it observes, those that may write a cell that it observes, and those upstream of them; `None`
    /// if it is about waiting.
    fn cone(self, program: &Program) -> Option<Vec<ThreadId>> {
        let influence = Influence::of(program);
        let mut threads = BTreeSet::from_iter(self.thread());
        if let Goal::Property(number) = self {
            let property = &program.properties()[number];
            if property.kind.is_about_waiting() {
                return None;
            }
            property.predicate.for_each_var(&mut |var| match var {
                Observable::Register(thread, _) | Observable::At(thread, _) => {
                    threads.insert(thread);
                }
                Observable::Cell(cell) => threads.extend(influence.writers(cell)),
            });
        }
        if threads.is_empty() {
            // About cells that nothing writes: any cone will do.
            threads.extend(program.thread_ids().next());
        }
        Some(influence.upstream(threads))
    }

    /// If all threads have to end: the others may not be able to.
    fn needs_all(self, program: &Program) -> bool {
        match self {
            Goal::Property(number) => match program.properties()[number].kind {
                PropertyKind::FinalAssert | PropertyKind::Exists => true,
                PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
            },
            Goal::Assert(_) | Goal::Outside(_) => false,
        }
    }

    fn goal(self) -> Option<Goal> {
        Some(self)
    }

    fn inside(self, excerpt: &Excerpt) -> Self {
        excerpt.goal(self)
    }

    fn is_enough(self, program: &Program) -> bool {
        !is_observation(program, self)
    }

    fn may_exchange(problem: &Problem<'_, Self>) -> bool {
        problem.program.limits().is_empty()
    }

    /// Half of the threads. A program that ends where a value leaves 32 bits is decided as a whole, since every
    /// thread can end it.
    fn largest_cone(problem: &Problem<'_, Self>, when: When) -> usize {
        let threads = problem.program.threads().len();
        let pays = problem.options.engine == Engine::Auto && threads >= FEW;
        let is_used = match when {
            When::Never => false,
            When::Pays => pays,
            When::Possible => true,
        };
        if is_used && problem.program.limits().is_empty() {
            threads / 2
        } else {
            0
        }
    }

    /// Nothing: what was shown about some goals is not about all of them.
    fn add(_: &mut GoalShown, _: &GoalShown) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    #[test]
    fn a_goal_depends_on_those_who_write_what_its_threads_access() {
        let text = "shared a, b, c; thread s { local r; a = 1; r = c; } thread t { a = 2; }
                    thread u { b = 1; } thread v { local r; r = c; assert(r == 0); }
                    thread w { local r; r = a; b = r; }
                    forbid a == 1; forbid b == 1; forbid c == 1; forbid s.r == v.r; forbid stuck;";
        let program = parse(text).program.expect("no errors in the text");
        let cone = |&goal: &Goal| {
            let threads = goal.cone(&program)?;
            Some(threads.iter().map(|thread| thread.index()).collect())
        };
        let cones: Vec<Option<Vec<usize>>> = program.goals().iter().map(cone).collect();
        let all = [
            vec![3],
            vec![0, 1],
            vec![0, 1, 2, 4],
            vec![0, 1],
            vec![0, 1, 3],
        ];
        let expected = all.into_iter().map(Some).chain([None]);
        assert_eq!(cones, expected.collect::<Vec<_>>());
    }
}
