//! The bounded engine: one incremental `reach` query for all goals, deepened where necessary.
//!
//! All goals are queried at one depth before any loop is unrolled further, and only loops that some
//! core contains are unrolled. A goal whose core has no frontier *holds*. A goal whose core still
//! has one at the greatest depth holds *within* that loop's bound. Goals that the values of
//! registers and cells rule out are not queried at all.

use super::ladder::DEEPEST;
use super::{
    Answered, CheckOptions, Effort, Engine, GoalAnswer, Query, Row, Vacuity, explicit, replayed,
};
use crate::analysis::{LoopId, Values, refuted};
use crate::encode::{Plan, Switch};
use crate::explicit::shorten;
use crate::program::{Copies, Goal, Op, Program, Site, ThreadId};
use crate::reach::{Method, Reach, ReachAnswer};
use crate::verdict::{Budget, Defect, Reason, Verdict, unless_cancelled};
use std::collections::BTreeSet;

/// The row in the table of engines.
pub(crate) const BMC: Row = Row {
    engine: Engine::Bmc,
    deepest: Some(DEEPEST),
    predicates_only: true,
    suits: |_| true,
    decide: answer,
    vacuity: None,
};

/// The goals' answers, in their order, with no loop unrolled beyond the effort's bound.
///
/// # Errors
///
/// If a computation found does not replay.
fn answer(query: &Query<'_>, effort: Effort) -> Result<Answered, Defect> {
    let &Query {
        program,
        goals,
        options,
        budget,
        ..
    } = query;
    let deepest = effort.loops.unwrap_or(0);
    let method = Method {
        solver: options.solver,
        ..Method::default()
    };
    let plan = Plan {
        returns: deepest.min(1),
        ..Plan::new(goals.to_vec(), options.model)
    };
    let mut reach = Reach::open(program, plan, method, budget);
    let values = Values::of(program);
    let known = |&goal: &Goal| refuted(program, &values, goal).then_some(Verdict::Holds);
    let mut verdicts: Vec<Option<Verdict<_>>> = goals.iter().map(known).collect();
    loop {
        let mut needed: BTreeSet<(ThreadId, LoopId)> = BTreeSet::new();
        for (&goal, verdict) in goals.iter().zip(&mut verdicts) {
            if verdict.is_some() {
                continue;
            }
            let answer = reach.ask(goal, options.model, &[]);
            *verdict = match unless_cancelled(answer)? {
                None => Some(Verdict::Unknown(Reason::Stopped)),
                Some(ReachAnswer::Reachable(run)) => {
                    let steps = run.moments.iter().map(|moment| moment.step).collect();
                    let steps = shorten(program, options.model, goal, steps);
                    Some(Verdict::Violated(replayed(
                        program,
                        options.model,
                        goal,
                        &steps,
                    )?))
                }
                Some(ReachAnswer::Unreachable(core)) => {
                    let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
                    if loops.is_empty() {
                        Some(Verdict::Holds)
                    } else if loops.iter().all(|&(t, id)| reach.returns(t, id) >= deepest) {
                        Some(Verdict::HoldsWithin(reach.bounds(&loops)))
                    } else {
                        needed.extend(loops);
                        None
                    }
                }
            };
        }
        let needed: Vec<_> = needed.into_iter().collect();
        if budget.is_stopped() || !reach.follow(&needed, deepest) {
            break;
        }
    }
    let answers = goals
        .iter()
        .zip(verdicts)
        .map(|(&goal, verdict)| GoalAnswer {
            goal,
            verdict: verdict.unwrap_or(Verdict::Unknown(Reason::Stopped)),
        })
        .collect();
    Ok(Answered {
        answers,
        engine: Some(Engine::Bmc),
        unroll: Some(deepest),
        vacuity: None,
        history: None,
        stats: reach.effort().into(),
    })
}

/// What no execution reaches, as far as small bounds decide it; `None` if cancelled.
pub(super) fn vacuity(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Option<Vacuity> {
    let method = Method {
        solver: options.solver,
        slicing: false,
        ..Method::default()
    };
    let mut reach = Reach::open(
        program,
        Plan::new(Vec::new(), options.model),
        method,
        budget,
    );
    let sites: Vec<Site> = program.sites().map(|(site, _)| site).collect();
    let executed = reach.executed(options.model, &sites).ok()?;
    let vacuity = Vacuity::new(program, &executed.into_iter().collect());
    // The formula has no computation that stops inside an atomic block. If one may stop there, the
    // reference decides about instructions in blocks that seem dead. They are not reported if the
    // reference does not decide.
    let is_in_block = |site: &Site| {
        let instruction = program.instruction(*site);
        let from = program.thread(site.thread).location(instruction.from);
        from.atomic || instruction.op == Op::AtomicBegin
    };
    if !vacuity.never_executed.iter().any(is_in_block) {
        return Some(vacuity);
    }
    let is_plain = program.threads().iter().all(|t| t.copies() == Copies::One);
    let exhaustive = is_plain.then(|| explicit::vacuity(program, options, budget));
    exhaustive.flatten().or_else(|| {
        let mut certain = vacuity;
        certain.never_executed.retain(|site| !is_in_block(site));
        Some(certain)
    })
}
