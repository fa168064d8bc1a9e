//! Robustness of a program that ends where a value leaves 32 bits.
//!
//! ```text
//! infeasible in the skeleton              ─▶ infeasible, whatever the values are
//! feasible in the program                 ─▶ feasible: no value in its witness leaves 32 bits
//! infeasible, and no limit is reached     ─▶ infeasible: the program equals the original
//! infeasible, and a limit is reached      ─▶ undecided, with the run that reaches the limit
//! ```
//!
//! The attacks of the program and the skeleton are the same pairs of instructions. A program that
//! does not [continue past its limits](Program::continues_past_limits) has no skeleton, and a limit
//! that it reaches leaves it undecided although it has no attack at all.

use super::attack::Attack;
use super::decide::{RobustOptions, ask};
use super::report::{AttackAnswer, Basis, RobustReport};
use crate::engines::{BUFFERED, CheckOptions, Limits, limits};
use crate::facts::skeleton;
use crate::program::Program;
use crate::verdict::{Budget, Defect, Reason, Verdict};
use std::collections::BTreeSet;

/// The report for a program with limits.
///
/// # Errors
///
/// If the reference rejects a witness.
pub(super) fn limited(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    let mut refuted: BTreeSet<Attack> = BTreeSet::new();
    let mut before = None;
    if let Some(skeleton) = skeleton(program) {
        let report = ask(&skeleton, options, budget)?;
        if report.verdict() == Verdict::Holds || report.is_refused() {
            return Ok(report);
        }
        let answers = report.answers.iter();
        let infeasible = answers.filter(|answer| answer.verdict == Verdict::Holds);
        refuted.extend(infeasible.map(|answer| answer.attack));
        refuted.extend(report.pruned);
        before = Some(report.stats);
    }
    let mut report = ask(program, options, budget)?;
    report.stats = report.stats.plus(before.unwrap_or_default());
    let open =
        |verdict: &Verdict<_>| !matches!(verdict, Verdict::Violated(_) | Verdict::Unknown(_));
    let rests = |answer: &AttackAnswer| open(&answer.verdict) && !refuted.contains(&answer.attack);
    let (pruned, depending): (Vec<Attack>, Vec<Attack>) = report
        .pruned
        .iter()
        .partition(|attack| refuted.contains(attack));
    let by_definition = report.by_definition().is_some_and(open);
    // Beyond a limit, the original may have attacks that this program does not have.
    let may_hide = !program.continues_past_limits() && report.verdict() == Verdict::Holds;
    if !by_definition && !may_hide && depending.is_empty() && !report.answers.iter().any(rests) {
        return Ok(report);
    }
    let plain = CheckOptions {
        // An engine that is not in this table was rejected earlier, and these support all models.
        engine: options.engine,
        unroll: options.unroll,
        solver: options.solver,
        techniques: options.techniques,
        ..CheckOptions::new(options.model)
    };
    debug_assert!(BUFFERED.supports(plain.engine), "rejected earlier");
    let reached = BUFFERED.decide(program, &limits(program), &plain, budget)?;
    report.stats = report.stats.plus(reached.stats);
    let limits = Limits::new(program, reached.answers);
    if limits.apply::<()>(Verdict::Holds) == Verdict::Holds {
        return Ok(report);
    }
    // Attacks that are ruled out statically only while nothing leaves 32 bits are open as well.
    report.pruned = pruned;
    report
        .answers
        .extend(depending.into_iter().map(|attack| AttackAnswer {
            attack,
            verdict: Verdict::Holds,
        }));
    report.answers.sort_by_key(|answer| answer.attack);
    let mut matters = false;
    for answer in &mut report.answers {
        if !refuted.contains(&answer.attack) {
            let found = std::mem::replace(&mut answer.verdict, Verdict::Holds);
            answer.verdict = limits.apply(found);
            matters |= matches!(answer.verdict, Verdict::Unknown(Reason::Overflow(_)));
        }
    }
    if may_hide && report.answers.is_empty() {
        report.basis = Basis::Definition(Verdict::Holds);
    }
    if let Basis::Definition(verdict) = &mut report.basis {
        let found = std::mem::replace(verdict, Verdict::Holds);
        *verdict = limits.apply(found);
        matters |= matches!(verdict, Verdict::Unknown(Reason::Overflow(_)));
    }
    report.overflow = limits.run.filter(|_| matters);
    Ok(report)
}
