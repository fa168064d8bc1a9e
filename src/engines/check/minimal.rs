//! The executions that a report shows, minimised.

use super::{CheckReport, GoalAnswer};
use crate::engines::{reaches, replayed};
use crate::model::Model;
use crate::program::{Goal, Program, PropertyKind};
use crate::reference::{Run, have_arrived};
use crate::search::minimise;
use crate::verdict::{Budget, Defect, Verdict};

impl CheckReport {
    /// The report with shorter evidence: the execution that violates a property, or else those of the
    /// observations, with as few threads, loop iterations and steps as can be found.
    ///
    /// Takes the program that was checked. The effort is limited, and ends when the budget is stopped:
    /// [`Run::shortest`] is true where no shorter execution exists.
    ///
    /// ```
    /// use fencepost_base::{model::Model, verdict::Budget};
    /// use fencepost_engines::check::{CheckOptions, check};
    /// use fencepost_front::{error::Error, formats::parse};
    ///
    /// let text = "shared x; thread t0 { x = 1; } thread t1 { local r; r = x; assert(r == 0); }";
    /// let program = parse(text).into_program()?;
    /// let (options, budget) = (CheckOptions::new(Model::Tso), Budget::default());
    /// let report = check(&program, &options, &budget)?.minimised(&program, &budget)?;
    /// let run = report.run().expect("the assertion fails");
    /// // The store, its arrival in memory, the load, and the assertion.
    /// assert_eq!((run.moments.len(), run.shortest), (4, true));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the step-by-step reference refuses the result.
    pub fn minimised(self, program: &Program, budget: &Budget) -> Result<Self, Defect> {
        minimised(self, program, budget)
    }
}

/// The report with shorter evidence.
///
/// # Errors
///
/// If the reference refuses the result.
pub fn minimised(
    mut report: CheckReport,
    program: &Program,
    budget: &Budget,
) -> Result<CheckReport, Defect> {
    let model = report.model;
    let any = report.any_number.clone();
    let of = |goal: Goal| {
        let reached = any.as_ref().and_then(|any| any.reached_goal(goal));
        reached.map_or(program, |reached| &reached.instance)
    };
    let violated = report
        .answers
        .iter_mut()
        .find(|a| matches!(a.verdict, Verdict::Violated(_)));
    match violated {
        Some(answer) => minimise_answer(of(answer.goal), model, answer, budget)?,
        None => {
            for answer in &mut report.observations {
                minimise_answer(of(answer.goal), model, answer, budget)?;
            }
        }
    }
    if let Some(run) = &mut report.overflow {
        let is_limit = |goal: &&Goal| match goal {
            Goal::Assert(site) => program.limits().binary_search(site).is_ok(),
            Goal::Outside(_) | Goal::Property(_) => false,
        };
        if let Some(&goal) = run.reached.iter().find(is_limit) {
            *run = minimal(program, model, goal, run, budget)?;
        }
    }
    Ok(report)
}

fn minimise_answer(
    program: &Program,
    model: Model,
    answer: &mut GoalAnswer,
    budget: &Budget,
) -> Result<(), Defect> {
    let goal = answer.goal;
    if let Verdict::Violated(run) = &mut answer.verdict {
        *run = minimal(program, model, goal, run, budget)?;
    }
    Ok(())
}

fn minimal(
    program: &Program,
    model: Model,
    goal: Goal,
    run: &Run,
    budget: &Budget,
) -> Result<Run, Defect> {
    let kind = match goal {
        Goal::Property(number) => Some(program.properties()[number].kind),
        Goal::Assert(_) | Goal::Outside(_) => None,
    };
    let waits = kind == Some(PropertyKind::Stuck);
    let good = |run: &Run| {
        reaches(program, model, goal, run) && (!waits || have_arrived(program, &run.end))
    };
    // Whether a thread starves is a search for each attempt; and if some thread waits before it has arrived
    // there, a shorter execution would show even less. These stay as they are.
    if matches!(kind, Some(PropertyKind::Starved(_))) || !good(run) {
        return Ok(run.clone());
    }
    let minimised = minimise(program, model, goal, run, &good, budget);
    let mut run = replayed(program, model, goal, &minimised.steps)?;
    run.shortest = minimised.shortest;
    Ok(run)
}
