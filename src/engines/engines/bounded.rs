//! The bounded engine: one incremental `reach` query for all goals, deepened where necessary.
//!
//! All goals are queried at one depth before any loop is unrolled further, and only loops that some
//! core contains are unrolled. A goal whose core has no frontier *holds*. A goal whose core still
//! has one at the greatest depth holds *within* that loop's bound. Goals that the values of
//! registers and cells rule out are not queried at all.
//!
//! Many goals are first queried together: if none of them is reachable, one query and one proof
//! decide them all, and if some are, one computation often reaches several. Unless the user limits
//! the unrolling, loops that cannot be left within their bounds are unrolled until they can. The
//! computations of later violations are shortened only as long as that is cheap in total.

use super::ladder::DEEPEST;
use super::{
    Answer, CheckOptions, Effort, Engine, Found, GoalShown, Problem, Row, Steps, Vacuity, explicit,
};
use crate::encode::{Plan, Switch};
use crate::facts::{LoopId, Values, refuted};
use crate::passes::PREDICATES;
use crate::program::{Copies, Goal, Op, Program, Site, ThreadId};
use crate::reach::{Method, Reach, ReachAnswer};
use crate::reference::Run;
use crate::search::shorten;
use crate::verdict::{Budget, Defect, Reason, Verdict, unless_cancelled};
use ahash::AHashSet;
use std::collections::BTreeSet;

/// The row in the table of engines.
pub(crate) const BMC: Row = Row {
    engine: Engine::Bmc,
    deepest: Some(DEEPEST),
    passes: &[PREDICATES],
    suits: |_| true,
    decide: answer,
    vacuity: None,
};

/// The goals' answers, in their order, with no loop unrolled beyond the effort's bound.
///
/// # Errors
///
/// If a computation found does not replay.
fn answer(problem: &Problem<'_>, effort: Effort) -> Result<Found, Defect> {
    let &Problem {
        program,
        queries: goals,
        options,
        budget,
        ..
    } = problem;
    let deepest = effort.loops.unwrap_or(0);
    let method = Method {
        solver: options.solver,
        ..Method::default()
    };
    let plan = Plan {
        returns: deepest.min(1),
        counting: options.unroll.is_none() && deepest >= DEEPEST,
        ..Plan::new(goals.to_vec(), options.model)
    };
    let mut reach = Reach::open(program, plan, method, budget);
    let values = Values::of(program);
    let known = |&goal: &Goal| refuted(program, &values, goal).then_some(Verdict::Holds);
    let mut verdicts: Vec<Option<Verdict<_>>> = goals.iter().map(known).collect();
    let mut evidence = Evidence { problem, spent: 0 };
    loop {
        answer_together(&mut reach, &mut evidence, &mut verdicts)?;
        let mut needed: BTreeSet<(ThreadId, LoopId)> = BTreeSet::new();
        for (&goal, verdict) in goals.iter().zip(&mut verdicts) {
            if verdict.is_some() {
                continue;
            }
            let answer = reach.ask(goal, options.model, &[]);
            *verdict = match unless_cancelled(answer)? {
                None => Some(Verdict::Unknown(Reason::Stopped)),
                Some(ReachAnswer::Reachable(run)) => {
                    Some(Verdict::Violated(evidence.shorten(goal, &run)))
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
        let depths = needed.iter().map(|&(t, id)| reach.returns(t, id));
        budget.progress().unrolled(depths.max().unwrap_or(0));
        if budget.is_stopped() || !reach.follow(&needed, deepest) {
            break;
        }
    }
    let answers = goals
        .iter()
        .zip(verdicts)
        .map(|(&goal, verdict)| Answer {
            query: goal,
            verdict: verdict.unwrap_or(Verdict::Unknown(Reason::Stopped)),
        })
        .collect();
    Ok(Found {
        answers,
        engine: Some(Engine::Bmc),
        unroll: Some(deepest),
        shown: GoalShown::default(),
        stats: reach.effort().into(),
    })
}

/// From this number on, open goals are queried together first.
const MANY: usize = 8;

/// Answers goals together as far as that decides them: if none is reachable for any number of
/// iterations, or as long as some are reachable.
///
/// # Errors
///
/// If a computation found does not replay.
fn answer_together(
    reach: &mut Reach<'_>,
    evidence: &mut Evidence<'_, '_>,
    verdicts: &mut [Option<Verdict<Steps>>],
) -> Result<(), Defect> {
    let Problem {
        queries: goals,
        options,
        ..
    } = *evidence.problem;
    loop {
        let is_open = |&(index, goal): &(usize, &Goal)| {
            verdicts[index].is_none() && reach.is_groupable(*goal)
        };
        let open = goals.iter().enumerate().filter(is_open);
        let open: Vec<usize> = open.map(|(index, _)| index).collect();
        if open.len() < MANY {
            return Ok(());
        }
        let together: Vec<Goal> = open.iter().map(|&index| goals[index]).collect();
        match unless_cancelled(reach.ask_any(&together, options.model))? {
            None => return Ok(()),
            Some(ReachAnswer::Unreachable(core)) => {
                if !core.iter().any(|switch| switch.frontier().is_some()) {
                    for index in open {
                        verdicts[index] = Some(Verdict::Holds);
                    }
                }
                return Ok(());
            }
            Some(ReachAnswer::Reachable(run)) => {
                let reached: AHashSet<Goal> = run.reached.iter().copied().collect();
                for index in open
                    .into_iter()
                    .filter(|&index| reached.contains(&goals[index]))
                {
                    let steps = evidence.shorten(goals[index], &run);
                    verdicts[index] = Some(Verdict::Violated(steps));
                }
            }
        }
    }
}

/// The evidence for violations, shortened as long as that is cheap.
struct Evidence<'q, 'p> {
    problem: &'q Problem<'p>,
    /// The cost so far.
    spent: usize,
}

impl Evidence<'_, '_> {
    /// How much may be spent on shortening in total. The first violation found is shortened in any
    /// case: a report usually shows one.
    const AFFORDABLE: usize = 20_000_000;

    /// The steps of a shorter run that reaches the goal.
    fn shorten(&mut self, goal: Goal, run: &Run) -> Steps {
        let &Problem {
            program, options, ..
        } = self.problem;
        let steps = run.steps();
        // Each step is omitted in turn, and replaying a step copies the buffers of all threads.
        let cost = steps.len() * steps.len() * program.threads().len();
        if self.spent > 0 && self.spent + cost > Self::AFFORDABLE {
            return steps;
        }
        self.spent += cost.max(1);
        shorten(program, options.model, goal, steps)
    }
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
