//! The bounded engine: one open question of `reach` for all goals, deepened where it must be.
//!
//! All goals are asked at one depth before any loop is followed further, and only loops that some
//! answer needed are. A goal whose refutation needs no frontier *holds*; one that still needs a
//! loop at the greatest depth holds *within* that loop's bound. What the values of registers and
//! cells refute is not asked at all.

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

/// Its row in the table of engines.
pub(crate) const BMC: Row = Row {
    engine: Engine::Bmc,
    deepest: Some(DEEPEST),
    suits: |_| true,
    decide: answer,
    vacuity: None,
};

/// The goals' answers, in their order, with no loop followed further than the effort allows.
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
        story: None,
        stats: reach.effort().into(),
    })
}

/// What no execution reaches, as far as that can be told inside small bounds; absent if stopped.
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
    // The formula has no computation that stops inside an atomic block. Where one may, what seems
    // dead in a block is asked of the reference, and not reported if that gives no answer.
    let is_in_block = |site: &Site| {
        let instruction = program.instruction(*site);
        let from = program.thread(site.thread).location(instruction.from);
        from.atomic || instruction.op == Op::AtomicBegin
    };
    if !vacuity.never_executed.iter().any(is_in_block) {
        return Some(vacuity);
    }
    let is_plain = program.threads().iter().all(|t| t.copies() == Copies::One);
    let asked = is_plain.then(|| explicit::vacuity(program, options, budget));
    asked.flatten().or_else(|| {
        let mut certain = vacuity;
        certain.never_executed.retain(|site| !is_in_block(site));
        Some(certain)
    })
}
