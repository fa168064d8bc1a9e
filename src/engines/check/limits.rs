//! Goals of a program that ends where a value leaves 32 bits.
//!
//! ```text
//! the skeleton does not reach a goal       ─▶ holds, whatever the values are
//! the program reaches it                   ─▶ violated: no value in that run leaves 32 bits
//! it does not, and it reaches no limit     ─▶ holds: the program equals the original
//! it does not, and it reaches a limit      ─▶ undecided, with the run that reaches the limit
//! there is no goal, but a limit is reached ─▶ undecided: the goals may all lie beyond it
//! ```

use super::{Answered, CheckOptions, GoalAnswer, asked, copies};
use crate::engines::{Limits, Stats, limits};
use crate::facts::skeleton;
use crate::instances::AnyNumber;
use crate::program::{Goal, Observable, Program};
use crate::reference::Run;
use crate::verdict::{Budget, Defect, Reason, Verdict};

/// The answers. Also a computation that leaves 32 bits, if some answer depends on what happens
/// after that.
pub(super) fn limited(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<(Answered, Option<Run>), Defect> {
    let (mut refuted, mut before) = (Vec::new(), Stats::default());
    let at_locations = goals.iter().copied();
    let at_locations: Vec<Goal> = at_locations
        .filter(|&goal| looks_at_locations(program, goal))
        .collect();
    if let Some(skeleton) = skeleton(program).filter(|_| !at_locations.is_empty()) {
        let answered = asked(&skeleton, &at_locations, options, budget)?;
        let holding = answered.answers.iter();
        let holding = holding.filter(|answer| answer.verdict == Verdict::Holds);
        refuted.extend(holding.map(|answer| answer.goal));
        if refuted.len() == goals.len() {
            return Ok((answered, None));
        }
        before = answered.stats;
    }
    let open = goals.iter().copied();
    let open: Vec<Goal> = open.filter(|goal| !refuted.contains(goal)).collect();
    let queried: Vec<Goal> = open.iter().copied().chain(limits(program)).collect();
    let mut answered = asked(program, &queried, options, budget)?;
    let of_limits = answered.answers.split_off(open.len());
    let is_open = |answer: &&GoalAnswer| answer.verdict != Verdict::Holds;
    let may_hide = goals.is_empty() && !program.continues_past_limits();
    let hiding = of_limits.iter().filter(|_| may_hide).find(is_open);
    let hiding = hiding.map(|answer| answer.goal);
    let limits = Limits::new(program, of_limits);
    let mut of_open = std::mem::take(&mut answered.answers).into_iter();
    for &goal in goals {
        let verdict = if refuted.contains(&goal) {
            Verdict::Holds
        } else {
            let found = of_open.next().map(|answer| answer.verdict);
            limits.apply(found.unwrap_or(Verdict::Unknown(Reason::Stopped)))
        };
        answered.answers.push(GoalAnswer { goal, verdict });
    }
    answered.answers.extend(hiding.map(|goal| GoalAnswer {
        goal,
        verdict: limits.apply(Verdict::Holds),
    }));
    // The original may execute instructions that the limited program does not.
    answered.vacuity = None;
    answered.stats = answered.stats.plus(before);
    let is_beyond =
        |answer: &GoalAnswer| matches!(answer.verdict, Verdict::Unknown(Reason::Overflow(_)));
    let matters = answered.answers.iter().any(is_beyond);
    Ok((answered, limits.run.filter(|_| matters)))
}

/// The same for a program with threads in any number of copies: a limit may be reached by any number. The
/// computation is one of the instance that the report shows.
pub(super) fn any_number(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<(Answered, AnyNumber, Option<Run>), Defect> {
    let (mut answered, mut any) = copies::decide(program, goals, options, budget)?;
    let rests =
        |answer: &GoalAnswer| matches!(answer.verdict, Verdict::Holds | Verdict::HoldsWithin(_));
    let depends = goals.is_empty() || answered.answers.iter().any(rests);
    if program.limits().is_empty() || !depends {
        return Ok((answered, any, None));
    }
    let (of_limits, of_any) = copies::decide(program, &limits(program), options, budget)?;
    answered.stats = answered.stats.plus(of_limits.stats);
    answered.vacuity = None;
    let is_open = |answer: &&GoalAnswer| answer.verdict != Verdict::Holds;
    let hiding = of_limits
        .answers
        .iter()
        .filter(|_| goals.is_empty())
        .find(is_open);
    let hiding = hiding.map(|answer| answer.goal);
    let limits = Limits::new(program, of_limits.answers);
    for answer in &mut answered.answers {
        let found = std::mem::replace(&mut answer.verdict, Verdict::Holds);
        answer.verdict = limits.apply(found);
    }
    answered.answers.extend(hiding.map(|goal| GoalAnswer {
        goal,
        verdict: limits.apply(Verdict::Holds),
    }));
    let run = limits.run.filter(|_| any.instance.is_none());
    if run.is_some() {
        (any.instance, any.copies) = (of_any.instance, of_any.copies);
    }
    Ok((answered, any, run))
}

/// Whether a goal depends on the threads' locations only, and not on values.
fn looks_at_locations(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Assert(_) | Goal::Outside(_) => false,
        Goal::Property(number) => {
            let observed = program.properties()[number].predicate.vars();
            let at = |observable: &Observable| matches!(observable, Observable::At(..));
            observed.iter().all(at)
        }
    }
}
