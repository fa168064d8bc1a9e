//! `fencepost export`: the query of the bounded engine, for any SAT solver.

use super::driver::{OnlyOne, Product};
use super::input::Input;
use super::program::ProgramArgs;
use super::values::model;
use crate::encode::Plan;
use crate::facts::Stated;
use crate::model::Model;
use crate::program::{FencePoint, Goal};
use crate::reach::{CertifyError, Method, dimacs, refutation};
use crate::report::MessageFormat;
use crate::verdict::Budget;
use crate::visible::visible_line;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
pub(super) struct Export {
    #[command(flatten)]
    program: ProgramArgs,
    /// Output file; `-` for standard output
    #[arg(long, value_name = "OUT")]
    cnf: PathBuf,
    /// Also write a proof in DRAT that the formula has no model, so that the goal is not reached within
    /// the loop bounds. It is about the formula: that this is about the program remains to be trusted
    #[arg(long, value_name = "OUT")]
    proof: Option<PathBuf>,
    /// Memory model; the comments in the file list the switches of all models
    #[arg(long, default_value = "tso", value_parser = model())]
    model: Model,
    /// Number of the goal, from 1; required if the program has several
    #[arg(long, value_name = "N")]
    goal: Option<usize>,
    /// Loop bound
    #[arg(long, value_name = "N", default_value_t = 2)]
    unroll: u32,
    /// Add a switch for a full fence at every location
    #[arg(long)]
    fences: bool,
}

impl Product for Export {
    const NAME: &'static str = "export";
    const DOING: &'static str = "building the formula (nothing was written)";

    fn program(&self) -> &ProgramArgs {
        &self.program
    }

    fn is_for_one(&self) -> Option<OnlyOne> {
        Some(OnlyOne {
            option: "--cnf",
            because: "writes one formula",
        })
    }

    fn contradiction(&self) -> Option<&'static str> {
        Some("`export` writes a formula, which has no form as JSON: leave out `--json`")
    }

    fn make(&self, input: &Input, _: MessageFormat) -> Result<String, Vec<String>> {
        let program = &input.program;
        if program.is_parametric() {
            let message = "threads with any number of copies (`[*]`) cannot be exported: declare a \
                           number of copies, such as `[3]`";
            return Err(vec![message.to_owned()]);
        }
        let goal = chosen(input, self.goal).map_err(|message| vec![message])?;
        let stated = Stated::of(program);
        if matches!(goal, Goal::Property(number) if stated.open.contains(&number)) {
            let message = "this goal is no predicate over one configuration, and a formula is about \
                           one: `check --engine explicit` decides it";
            return Err(vec![message.to_owned()]);
        }
        let program = &*stated.program;
        let plan = Plan {
            models: Model::ALL.to_vec(),
            fences: if self.fences {
                FencePoint::everywhere(program)
            } else {
                Vec::new()
            },
            returns: self.unroll,
            ..Plan::new(program.goals(), self.model)
        };
        Ok(dimacs(program, plan, Method::default(), goal, self.model))
    }

    fn beside(&self, text: &str) -> Result<Option<(PathBuf, String)>, Vec<String>> {
        let Some(path) = &self.proof else {
            return Ok(None);
        };
        match refutation(text, &Budget::default()) {
            Ok(proof) => Ok(Some((path.clone(), proof))),
            Err(CertifyError::Satisfiable) => Err(vec![
                "there is no proof (and nothing was written): the formula has a model, so the goal is \
                 reached"
                    .to_owned(),
            ]),
            Err(error @ (CertifyError::Stopped | CertifyError::Rejected(_))) => {
                Err(vec![format!("there is no proof (and nothing was written): {error}")])
            }
        }
    }

    fn out(&self) -> &Path {
        &self.cnf
    }
}

/// The goal with this number, or the only goal.
///
/// # Errors
///
/// If there is no such goal; the message lists the goals.
fn chosen(input: &Input, number: Option<usize>) -> Result<Goal, String> {
    let goals = input.program.goals();
    let wrong = match (number, &goals[..]) {
        (_, []) => return Err("the program has no goals".to_owned()),
        (None, &[goal]) => return Ok(goal),
        (None, _) => "the program has several goals: choose one with `--goal N`".to_owned(),
        (Some(number), _) => match number.checked_sub(1).and_then(|index| goals.get(index)) {
            Some(&goal) => return Ok(goal),
            None => format!("there is no goal {number}"),
        },
    };
    let source = input.source();
    let list = goals.iter().enumerate();
    Err(list.fold(wrong, |text, (index, &goal)| {
        let reached = visible_line(&source.goal_reached(goal));
        format!("{text}\n  {}  {reached}", index + 1)
    }))
}
