//! The computations that a report on robustness shows, minimised.

use super::report::{Basis, RobustReport};
use super::witness::check_witness;
use crate::program::Program;
use crate::reference::Run;
use crate::search::minimise_while;
use crate::verdict::{Budget, Verdict};

impl RobustReport {
    /// The report with shorter computations of its feasible attacks: with as few threads, loop iterations
    /// and steps as can be found.
    ///
    /// Takes the program whose robustness was decided. The effort is limited, and ends when the budget is
    /// stopped.
    #[must_use]
    pub fn minimised(mut self, program: &Program, budget: &Budget) -> Self {
        let model = self.model;
        let instance = self.instance().cloned();
        let program = instance.as_ref().unwrap_or(program);
        for answer in &mut self.answers {
            let attack = answer.attack;
            let is_witness = |run: &Run| check_witness(run, attack).is_ok();
            if let Verdict::Violated(run) = &mut answer.verdict {
                *run = minimise_while(program, model, run, &is_witness, budget);
            }
        }
        if let Basis::Definition(Verdict::Violated(run)) = &mut self.basis {
            let is_cyclic = |run: &Run| run.happens_before().is_cyclic();
            *run = minimise_while(program, model, run, &is_cyclic, budget);
        }
        self
    }
}
