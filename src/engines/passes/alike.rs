//! Goals and attacks of symmetric threads, of which one is asked for all.
//!
//! **Theorem.** Exchanging two threads that are [alike](Twins), and what belongs to them, maps executions to
//! executions, and happens-before to happens-before. So such threads fail the same assertions and have the same
//! feasible attacks, and an execution that shows it for one of them shows it, with the threads exchanged, for
//! the other one. A hundred readers of what one thread writes are a question about two threads.
//!
//! It pays where the goals that are left have small [cones](super::cone): a search for the goals of all
//! threads may exchange the threads, and a search for the goal of one of them may not. The attacks of different
//! threads are decided apart anyway.

use super::{Below, Pass, PassName, When, cone};
use crate::facts::{Loops, Twins};
use crate::problem::{Answer, Found, Problem, Query, QueryOptions, Steps, Until};
use crate::program::ThreadId;
use crate::reference::Step;
use crate::verdict::{Defect, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};

impl<Q: Query> Pass<Q> {
    /// The row in the table of passes.
    pub(crate) const ALIKE: Self = Self {
        name: PassName::Alike,
        decide,
    };
}

fn decide<Q: Query>(
    problem: &Problem<'_, Q>,
    when: When,
    below: Below<'_, Q>,
) -> Result<Option<Found<Q>>, Defect> {
    let cones = problem.options.techniques().passes.when(PassName::Cone);
    let is_worthwhile = Q::IS_APART || when == When::Possible;
    let may_pay = || is_worthwhile || Q::largest_cone(problem, cones) > 0;
    let about = problem.queries.iter().filter_map(|query| query.thread());
    let are_several = about.collect::<BTreeSet<ThreadId>>().len() > 1;
    if !are_several || !Q::may_exchange(problem) || !may_pay() {
        return Ok(None);
    }
    let twins = Twins::of(problem.program);
    let all: BTreeSet<Q> = problem.queries.iter().copied().collect();
    let first = |query| first_alike(&twins, &all, query);
    let queries = problem.queries.iter().copied();
    let firsts: Vec<Q> = queries.filter(|&query| first(query) == query).collect();
    let pays = || is_worthwhile || cone::cones(problem, &firsts, cones).is_some();
    if firsts.len() == problem.queries.len() || !pays() {
        return Ok(None);
    }
    let mut found = below(&Problem {
        queries: &firsts,
        ..*problem
    })?;
    let answers = std::mem::take(&mut found.answers).into_iter();
    let known: BTreeMap<Q, Verdict<Steps>> = answers
        .map(|answer| (answer.query, answer.verdict))
        .collect();
    let skipped = Verdict::Unknown(Reason::Decided(Q::DECIDED));
    for &query in problem.queries {
        let from = first(query);
        let verdict = known.get(&from).unwrap_or(&skipped);
        let verdict = match (from.thread(), query.thread()) {
            (Some(a), Some(b)) if a != b => exchanged(problem, &twins, (a, b), verdict),
            (_, _) => verdict.clone(),
        };
        found.answers.push(Answer { query, verdict });
    }
    Ok(Some(found))
}

/// The first of the queries that is the same for a thread that is alike.
fn first_alike<Q: Query>(twins: &Twins, queries: &BTreeSet<Q>, query: Q) -> Q {
    let Some(own) = query.thread() else {
        return query;
    };
    let threads = twins.of_thread(own).iter();
    let mut same = threads.map(|&thread| query.of_thread(thread));
    same.find(|other| queries.contains(other)).unwrap_or(query)
}

/// The verdict for the second thread, given that on the same query about the first one.
fn exchanged<Q: Query>(
    problem: &Problem<'_, Q>,
    twins: &Twins,
    (a, b): (ThreadId, ThreadId),
    verdict: &Verdict<Steps>,
) -> Verdict<Steps> {
    match verdict {
        // One violation is enough, so the others are left open.
        Verdict::Violated(_) if problem.options.until() == Until::Violated => {
            Verdict::Unknown(Reason::Decided(Q::DECIDED))
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
fn exchange(twins: &Twins, steps: &[Step], a: ThreadId, b: ThreadId) -> Steps {
    let Some(exchange) = twins.exchange(a, b) else {
        return steps.to_vec();
    };
    let thread = |thread| exchange.thread(thread);
    let steps = steps.iter();
    let exchanged = steps.map(|step| step.renamed(thread, |cell| exchange.cell(cell)));
    exchanged.collect()
}
