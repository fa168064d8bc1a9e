//! Goals of symmetric threads, of which one is asked for all.
//!
//! **Theorem.** Exchanging two threads that are [alike](Twins), and what belongs to them, maps executions to
//! executions. So such threads fail the same assertions, and an execution in which one of them does shows, with
//! the threads exchanged, that the other one does. A hundred readers of what one thread writes are a question
//! about two threads.
//!
//! It pays where the goals that are left have small [cones](super::cone): a search for the goals of all
//! threads may exchange the threads, and a search for the goal of one of them may not.

use super::{Below, Pass, PassName, When, cone};
use crate::facts::{Loops, Twins};
use crate::problem::{Found, GoalAnswer, Problem, Steps, Until};
use crate::program::{Goal, Site, ThreadId};
use crate::reference::Step;
use crate::verdict::{Decided, Defect, Reason, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The row in the table of passes.
pub(crate) const ALIKE: Pass = Pass {
    name: PassName::Alike,
    decide,
};

fn decide(problem: &Problem<'_>, when: When, below: Below<'_>) -> Result<Option<Found>, Defect> {
    let cones = problem.options.techniques.passes.when(PassName::Cone);
    let may_pay = cones != When::Never && cone::is_applicable(problem, cones);
    if !problem.program.limits().is_empty() || when == When::Pays && !may_pay {
        return Ok(None);
    }
    let twins = Twins::of(problem.program);
    let all: BTreeSet<Goal> = problem.goals.iter().copied().collect();
    let first = |goal| first_alike(&twins, &all, goal);
    let goals = problem.goals.iter().copied();
    let firsts: Vec<Goal> = goals.filter(|&goal| first(goal) == goal).collect();
    let pays = || cone::cones(problem.program, &firsts).is_some();
    if firsts.len() == problem.goals.len() || when == When::Pays && !pays() {
        return Ok(None);
    }
    let mut found = below(&Problem {
        goals: &firsts,
        paused: &RefCell::default(),
        ..*problem
    })?;
    let answers = std::mem::take(&mut found.answers).into_iter();
    let known: BTreeMap<Goal, Verdict<Steps>> = answers
        .map(|answer| (answer.goal, answer.verdict))
        .collect();
    let skipped = Verdict::Unknown(Reason::Decided(Decided::ByGoal));
    for &goal in problem.goals {
        let from = first(goal);
        let verdict = known.get(&from).unwrap_or(&skipped);
        let verdict = match (thread_of(from), thread_of(goal)) {
            (Some(a), Some(b)) if a != b => exchanged(problem, &twins, (a, b), verdict),
            (_, _) => verdict.clone(),
        };
        found.answers.push(GoalAnswer { goal, verdict });
    }
    Ok(Some(found))
}

/// The first of the goals that is the same for a thread that is alike.
fn first_alike(twins: &Twins, goals: &BTreeSet<Goal>, goal: Goal) -> Goal {
    let (site, to): (Site, fn(Site) -> Goal) = match goal {
        Goal::Assert(site) => (site, Goal::Assert),
        Goal::Outside(site) => (site, Goal::Outside),
        Goal::Property(_) => return goal,
    };
    let threads = twins.of_thread(site.thread).iter();
    let mut same = threads.map(|&thread| to(Site { thread, ..site }));
    same.find(|other| goals.contains(other)).unwrap_or(goal)
}

fn thread_of(goal: Goal) -> Option<ThreadId> {
    match goal {
        Goal::Assert(site) | Goal::Outside(site) => Some(site.thread),
        Goal::Property(_) => None,
    }
}

/// The verdict on a goal of the second thread, given that on the same goal of the first one.
fn exchanged(
    problem: &Problem<'_>,
    twins: &Twins,
    (a, b): (ThreadId, ThreadId),
    verdict: &Verdict<Steps>,
) -> Verdict<Steps> {
    match verdict {
        // One violation is enough, so the others are left open.
        Verdict::Violated(_) if problem.options.until == Until::Violated => {
            Verdict::Unknown(Reason::Decided(Decided::ByGoal))
        }
        Verdict::Violated(steps) => Verdict::Violated(exchange(twins, steps, a, b)),
        Verdict::HoldsWithin(bounds) => {
            let mut bounds = bounds.clone();
            for bound in &mut bounds.loops {
                bound.thread = if bound.thread == a {
                    b
                } else if bound.thread == b {
                    a
                } else {
                    bound.thread
                };
                let loops = Loops::of(problem.program.thread(bound.thread));
                let same = loops.ids().find(|&id| loops.head(id) == bound.head);
                bound.origin = same.map_or(bound.origin, |id| loops.origin(id));
            }
            Verdict::HoldsWithin(bounds)
        }
        Verdict::Holds | Verdict::Unknown(_) => verdict.clone(),
    }
}

/// The steps of an execution with two twins exchanged.
pub(crate) fn exchange(twins: &Twins, steps: &[Step], a: ThreadId, b: ThreadId) -> Steps {
    let Some(exchange) = twins.exchange(a, b) else {
        return steps.to_vec();
    };
    let thread = |thread| exchange.thread(thread);
    let steps = steps.iter();
    let exchanged = steps.map(|step| step.renamed(thread, |cell| exchange.cell(cell)));
    exchanged.collect()
}
