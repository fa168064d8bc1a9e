//! Goals and attacks, each decided on the threads that it depends on.
//!
//! The *cone* of a goal has the threads that the goal observes, those that may write a cell that it
//! observes, and those [upstream](Influence::upstream) of them. The cone of an attack has the threads that are
//! [connected](Influence::connected) with the attacker.
//!
//! **Theorem.** Let a goal be a predicate. (1) If the cone does not reach it, the program does not.
//! (2) If the cone reaches it, and it is not decided where all threads have ended (`final assert`,
//! `exists`), the program does. (3) An attack is feasible in the cone exactly if it is in the program.
//!
//! (1) Omit the steps of all other threads from a computation of the program. Every other step can
//! still be taken and does the same: no omitted thread writes a cell that the cone accesses; a
//! `barrier all` waits for fewer buffers; and an atomic block of an omitted thread only kept others
//! from acting. If all threads have ended, so have those of the cone. (2) A computation of the
//! cone is one of the program in which the other threads do not move. They are at their entries, outside
//! blocks and with empty buffers, so everything is drained if it is drained in the cone. For `final assert`
//! and `exists` they would have to end, and may not be able to: then the whole program is asked about.
//! (3) As (1) and (2): happens-before never leads from the cone to another thread, so the cycle of a witness is in
//! the cone.
//!
//! **Absent.** Goals that are about waiting, to which all threads matter.

#[cfg(doc)]
use crate::facts::Influence;

use super::{Below, Pass, PassName, When};
use crate::problem::{Answer, Found, Memory, Problem, Query, QueryOptions, Steps, Until};
use crate::program::{Excerpt, ThreadId};
use crate::verdict::{Defect, Reason, Verdict};
use std::collections::BTreeMap;

impl<Q: Query> Pass<Q> {
    /// The row in the table of passes.
    pub(crate) const CONE: Self = Self {
        name: PassName::Cone,
        decide,
    };
}

/// Queries by the threads that they depend on, ascending.
pub(super) type Cones<Q> = BTreeMap<Vec<ThreadId>, Vec<Q>>;

fn decide<Q: Query>(
    problem: &Problem<'_, Q>,
    when: When,
    below: Below<'_, Q>,
) -> Result<Option<Found<Q>>, Defect> {
    let Some(cones) = cones(problem, problem.queries, when) else {
        return Ok(None);
    };
    let mut known = BTreeMap::new();
    let mut sum = Found::open(&[], &Reason::Stopped);
    let mut whole = Vec::new();
    let is_only = cones.len() == 1;
    for (threads, queries) in &cones {
        if is_enough(problem, &known) {
            break;
        }
        let anew = Memory::default();
        // A search goes on where it has stopped if it is about the same cone.
        let memory = if is_only { problem.memory } else { &anew };
        let problem = Problem { memory, ..*problem };
        let found = in_cone(&problem, threads, queries, below)?;
        sum.add(&found);
        for Answer { query, verdict } in found.answers {
            match verdict {
                Verdict::Violated(_) if query.needs_all(problem.program) => whole.push(query),
                Verdict::Violated(_)
                | Verdict::Holds
                | Verdict::HoldsWithin(_)
                | Verdict::Unknown(_) => drop(known.insert(query, verdict)),
            }
        }
    }
    if !whole.is_empty() && !is_enough(problem, &known) {
        let found = below(&Problem {
            queries: &whole,
            ..*problem
        })?;
        sum.add(&found);
        let answers = found.answers.into_iter();
        known.extend(answers.map(|answer| (answer.query, answer.verdict)));
    }
    let skipped = Verdict::Unknown(Reason::Decided(Q::DECIDED));
    let answers = problem.queries.iter().map(|&query| Answer {
        query,
        verdict: known.get(&query).unwrap_or(&skipped).clone(),
    });
    sum.answers = answers.collect();
    Ok(Some(sum))
}

/// The cones of these queries about a problem's program; `None` if one of them is too large to pay.
pub(super) fn cones<Q: Query>(
    problem: &Problem<'_, Q>,
    queries: &[Q],
    when: When,
) -> Option<Cones<Q>> {
    let largest = Q::largest_cone(problem, when);
    if largest == 0 {
        return None;
    }
    let mut cones = Cones::new();
    for &query in queries {
        let threads = query.cone(problem.program)?;
        if threads.len() > largest {
            return None;
        }
        cones.entry(threads).or_default().push(query);
    }
    Some(cones)
}

/// Asks what these threads do, in a program that consists of them.
fn in_cone<Q: Query>(
    problem: &Problem<'_, Q>,
    threads: &[ThreadId],
    queries: &[Q],
    below: Below<'_, Q>,
) -> Result<Found<Q>, Defect> {
    let goals = queries.iter().filter_map(|query| query.goal());
    let part = Excerpt::new(problem.program, threads, &goals.collect::<Vec<_>>());
    let inside: Vec<Q> = queries.iter().map(|query| query.inside(&part)).collect();
    let mut found = below(&Problem {
        program: &part.program,
        queries: &inside,
        ..*problem
    })?;
    for (answer, &query) in found.answers.iter_mut().zip(queries) {
        answer.query = query;
        match &mut answer.verdict {
            Verdict::Violated(steps) => {
                for step in steps {
                    *step = step.renamed(|thread| part.outer(thread), |cell| cell);
                }
            }
            Verdict::HoldsWithin(bounds) => {
                for bound in &mut bounds.loops {
                    bound.thread = part.outer(bound.thread);
                }
            }
            Verdict::Holds | Verdict::Unknown(_) => {}
        }
    }
    Ok(found)
}

/// Whether the other queries need not be decided.
fn is_enough<Q: Query>(problem: &Problem<'_, Q>, known: &BTreeMap<Q, Verdict<Steps>>) -> bool {
    let violates = |(query, verdict): (&Q, &Verdict<Steps>)| {
        matches!(verdict, Verdict::Violated(_)) && query.is_enough(problem.program)
    };
    problem.options.until() == Until::Violated && known.iter().any(violates)
}
