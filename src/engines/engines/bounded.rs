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

use super::{CheckOptions, Engine, Found, Problem, Row, Stats, Steps, Vacuity, explicit};
use crate::encode::{Plan, Switch};
use crate::facts::{LoopId, Values, refuted};
use crate::model::Model;
use crate::passes::PREDICATES;
use crate::program::{Copies, Goal, Program, Site, ThreadId};
use crate::race::Slice;
use crate::reach::{Aside, Method, Reach, ReachAnswer};
use crate::reference::Run;
use crate::search::shorten;
use crate::solve::SolverKind;
use crate::verdict::{Budget, Defect, Reason, Verdict, unless_cancelled};
use crate::work::MOMENT;
use ahash::AHashSet;
use std::collections::BTreeSet;

/// The default maximum unroll bound, used if no complete engine decides.
pub(crate) const DEEPEST: u32 = 16;

/// The unroll bound at which most violations are found.
pub(crate) const SHALLOW: u32 = 2;

/// The row in the table of engines.
pub(crate) const BMC: Row = Row {
    engine: Engine::Bmc,
    deepest: Some(DEEPEST),
    passes: &[PREDICATES],
    suits: |_| true,
    decide: answer,
    vacuity: None,
};

/// The goals' answers, in their order. In a race, loops are unrolled a few times first, and then anew as
/// far as the options allow, once there is more time.
///
/// # Errors
///
/// If a computation found does not replay.
fn answer(problem: &Problem<'_>, slice: Slice) -> Result<Found, Defect> {
    let deepest = problem.options.unroll.unwrap_or(DEEPEST);
    let first = if slice.is_whole() {
        deepest
    } else {
        deepest.min(SHALLOW)
    };
    let earlier = problem.memory.take::<Unrolling>();
    let same = earlier.filter(|earlier| earlier.is_about(problem));
    let mut unrolling = same.unwrap_or_else(|| Unrolling::new(problem, first));
    let mut stats = Stats::default();
    loop {
        stats = stats.plus(unrolling.go_on(problem)?);
        let is_finished = unrolling.verdicts.iter().all(Option::is_some);
        let is_within = |verdict: &Option<_>| matches!(verdict, Some(Verdict::HoldsWithin(_)));
        let may_go_deeper = unrolling.deepest < deepest && slice.is_at_least(MOMENT);
        if !is_finished || !may_go_deeper || !unrolling.verdicts.iter().any(is_within) {
            break;
        }
        unrolling.begin_again(deepest);
    }
    let found = unrolling.found(problem, stats);
    if unrolling.verdicts.contains(&None) || unrolling.deepest < deepest {
        problem.memory.keep(unrolling);
    }
    Ok(found)
}

/// What is known about goals at the present unroll bounds, and the formula that goes on from there.
struct Unrolling {
    program: Program,
    goals: Vec<Goal>,
    model: Model,
    solver: SolverKind,
    unroll: Option<u32>,
    /// No loop is unrolled further.
    deepest: u32,
    /// By goal; `None` if it is open.
    verdicts: Vec<Option<Verdict<Steps>>>,
    /// The verdicts at a smaller bound, with that bound.
    sooner: Option<(u32, Vec<Option<Verdict<Steps>>>)>,
    formula: Option<Aside>,
    /// What it has cost to shorten evidence.
    spent: usize,
}

impl Unrolling {
    fn new(problem: &Problem<'_>, deepest: u32) -> Self {
        let (program, options) = (problem.program, problem.options);
        let values = Values::of(program);
        let known = |&goal: &Goal| refuted(program, &values, goal).then_some(Verdict::Holds);
        Self {
            program: program.clone(),
            goals: problem.queries.to_vec(),
            model: options.model,
            solver: options.solver,
            unroll: options.unroll,
            deepest,
            verdicts: problem.queries.iter().map(known).collect(),
            sooner: None,
            formula: None,
            spent: 0,
        }
    }

    /// Whether the answers to this problem go on from here.
    fn is_about(&self, problem: &Problem<'_>) -> bool {
        let Problem {
            program,
            queries,
            options,
            ..
        } = *problem;
        self.goals == queries
            && (self.model, self.solver, self.unroll)
                == (options.model, options.solver, options.unroll)
            && self.program == *program
    }

    /// Unrolls loops further from the next slice on, in a new formula: one that is encoded at once is smaller than one
    /// that was deepened.
    fn begin_again(&mut self, deepest: u32) {
        let is_final = |verdict: &Option<Verdict<Steps>>| match verdict {
            Some(Verdict::Holds | Verdict::Violated(_)) => verdict.clone(),
            Some(Verdict::HoldsWithin(_) | Verdict::Unknown(_)) | None => None,
        };
        let next = self.verdicts.iter().map(is_final).collect();
        let before = std::mem::replace(&mut self.verdicts, next);
        self.sooner = Some((self.deepest, before));
        self.deepest = deepest;
        self.formula = None;
    }

    /// The formula as far as it is encoded, for the budget of this slice.
    fn open<'p>(&mut self, problem: &Problem<'p>) -> Reach<'p> {
        let Problem {
            program,
            options,
            budget,
            ..
        } = *problem;
        let method = Method {
            solver: options.solver,
            ..Method::default()
        };
        if let Some(formula) = self.formula.take() {
            return formula.go_on(program, method.solver, budget);
        }
        let plan = Plan {
            returns: self.deepest.min(1),
            counting: options.unroll.is_none() && self.deepest >= DEEPEST,
            ..Plan::new(self.goals.clone(), options.model)
        };
        Reach::open(program, plan, method, budget)
    }

    /// Decides what is open within the present bound, until the budget is spent. Returns the cost.
    fn go_on(&mut self, problem: &Problem<'_>) -> Result<Stats, Defect> {
        let Problem {
            options, budget, ..
        } = *problem;
        let mut reach = self.open(problem);
        let mut evidence = Evidence {
            problem,
            spent: self.spent,
        };
        loop {
            answer_together(&mut reach, &mut evidence, &mut self.verdicts)?;
            let mut needed: BTreeSet<(ThreadId, LoopId)> = BTreeSet::new();
            for (&goal, verdict) in self.goals.iter().zip(&mut self.verdicts) {
                if verdict.is_some() {
                    continue;
                }
                match unless_cancelled(reach.ask(goal, options.model, &[]))? {
                    None => break,
                    Some(ReachAnswer::Reachable(run)) => {
                        *verdict = Some(Verdict::Violated(evidence.shorten(goal, &run)));
                    }
                    Some(ReachAnswer::Unreachable(core)) => {
                        let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
                        let is_at_most =
                            |&(t, id): &(ThreadId, LoopId)| reach.returns(t, id) >= self.deepest;
                        if loops.is_empty() {
                            *verdict = Some(Verdict::Holds);
                        } else if loops.iter().all(is_at_most) {
                            *verdict = Some(Verdict::HoldsWithin(reach.bounds(&loops)));
                        } else {
                            needed.extend(loops);
                        }
                    }
                }
            }
            let needed: Vec<_> = needed.into_iter().collect();
            let depths = needed.iter().map(|&(t, id)| reach.returns(t, id));
            budget.progress().unrolled(depths.max().unwrap_or(0));
            if budget.is_stopped() || !reach.follow(&needed, self.deepest) {
                break;
            }
        }
        self.spent = evidence.spent;
        let stats = reach.effort().into();
        self.formula = reach.aside();
        Ok(stats)
    }

    /// What is known so far.
    fn found(&self, problem: &Problem<'_>, stats: Stats) -> Found {
        let mut found = Found::open(problem.queries, &Reason::Stopped);
        found.engine = Some(Engine::Bmc);
        found.unroll = Some(self.deepest);
        found.stats = stats;
        for (number, answer) in found.answers.iter_mut().enumerate() {
            let sooner = self.sooner.as_ref();
            let sooner = sooner.and_then(|(bound, known)| Some((*bound, known[number].as_ref()?)));
            if let Some(verdict) = &self.verdicts[number] {
                answer.verdict = verdict.clone();
            } else if let Some((bound, verdict)) = sooner {
                answer.verdict = verdict.clone();
                found.unroll = Some(bound);
            }
        }
        found
    }
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
        from.atomic || instruction.op.begins_block()
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
