//! Certificates of the answers that a file expects.

use super::Tools;
use crate::certificate::{Certificate, of_check, of_fences, of_robust};
use crate::check::{CheckOptions, Until, check};
use crate::fences::{FenceOptions, cheapest_fences};
use crate::formats::{Expectation, ExpectationKind, Outcome, Parsed};
use crate::robustness::{RobustOptions, robust};
use crate::verdict::{Budget, Defect};

/// The certificate of an answer, or why there is none; `None` if the expectation is not that something
/// holds for all executions. Requires that the expectation is met.
///
/// # Errors
///
/// If Fencepost has a defect: an answer is contradicted, or the checker refuses a certificate.
pub fn certify(
    parsed: &Parsed,
    expectation: &Expectation,
    tools: Tools,
    budget: &Budget,
) -> Result<Option<Certificate>, Defect> {
    let Some(program) = &parsed.program else {
        return Ok(None);
    };
    let certificate = match &expectation.kind {
        ExpectationKind::Check(model, Outcome::Holds) => {
            let options = CheckOptions::new(*model)
                .solver(tools.solver)
                .techniques(tools.techniques)
                .note_unreachable(false)
                .note_waiting(false);
            of_check(program, &check(program, &options, budget)?, budget)?
        }
        ExpectationKind::Robust(model, true) => {
            let options = RobustOptions::new(*model)
                .solver(tools.solver)
                .techniques(tools.techniques)
                .until(Until::Violated);
            of_robust(program, &robust(program, &options, budget)?, budget)?
        }
        ExpectationKind::Fence {
            model,
            aim,
            cost: Some(_),
            ..
        } => {
            let program = parsed.positions().unwrap_or(program);
            let options = FenceOptions::new(*model, *aim)
                .solver(tools.solver)
                .techniques(tools.techniques);
            let report = cheapest_fences(program, &options, budget)?;
            of_fences(program, &report, &options, budget)?
        }
        ExpectationKind::Check(_, Outcome::Violated | Outcome::Within | Outcome::Nothing)
        | ExpectationKind::Robust(_, false)
        | ExpectationKind::Fence { .. }
        | ExpectationKind::About(_)
        | ExpectationKind::Attacks { .. }
        | ExpectationKind::Observed(..)
        | ExpectationKind::Error(_) => return Ok(None),
    };
    Ok(Some(certificate))
}
