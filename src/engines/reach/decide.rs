//! Deciding one query: models without cycles, cores of switches, and a check of every "no".
//!
//! ```text
//!   solve ──sat──▶ cycle in the model? ──yes──▶ one clause per cycle, solve again
//!     └──unsat──▶ core, shrunk ──▶ does the formula have any execution? ──▶ proof, checked
//! ```
//!
//! **Invariant.** This file returns "no" for every number of iterations only if a checker has
//! checked the proof, and never for a formula without executions.

use super::{Fault, Reach, value};
use crate::cnf::Cnf;
use crate::encode::Switch;
use crate::model::Model;
use crate::solve::{CertifyError, SolverAnswer};
use crate::verdict::Stop;
use rustsat::types::Lit;

/// The solver's result, with a core of switches.
pub(super) enum SwitchAnswer {
    Sat,
    Unsat(Vec<Switch>),
}

/// The solver's result, with a core of literals.
pub(super) enum LiteralAnswer {
    Sat,
    Unsat(Vec<Lit>),
}

impl Reach<'_> {
    /// Solves under switches and all frontiers, and shrinks the core by dropping switches that
    /// matter to the caller. Returns a "no" only if the formula has an execution, and a "no" for
    /// all bounds only if its proof was checked.
    pub(super) fn decide(
        &mut self,
        model: Model,
        fixed: &[Lit],
        mut switches: Vec<(Switch, Lit)>,
        matters: impl Fn(&Switch) -> bool,
    ) -> Result<SwitchAnswer, Stop<Fault>> {
        self.asked += 1;
        if self.encoding.order.is_contradictory() {
            return Err(Fault::Order.into());
        }
        let decided = if fixed.contains(&Cnf::FALSE) {
            SwitchAnswer::Unsat(Vec::new())
        } else {
            self.search(fixed, &mut switches, matters)?
        };
        match &decided {
            SwitchAnswer::Sat => {
                if !self.consistent.contains(&model) {
                    self.consistent.push(model);
                }
            }
            SwitchAnswer::Unsat(core) => {
                let needed = |(switch, _): &&(Switch, Lit)| core.contains(switch);
                let needed: Vec<Lit> = switches.iter().filter(needed).map(|&(_, l)| l).collect();
                self.confirm(model, fixed, &needed)?;
            }
        }
        Ok(decided)
    }

    /// Checks a "no" under these assumptions.
    fn confirm(&mut self, model: Model, fixed: &[Lit], core: &[Lit]) -> Result<(), Stop<Fault>> {
        if !self.consistent.contains(&model) {
            match self.execution(model)? {
                LiteralAnswer::Sat => self.consistent.push(model),
                LiteralAnswer::Unsat(_) => return Err(Fault::NoExecution.into()),
            }
        }
        let bounded = self.encoding.frontier();
        let bounded = bounded.iter().any(|(_, lit)| core.contains(lit));
        if fixed.contains(&Cnf::FALSE) || bounded {
            return Ok(());
        }
        let mut assumptions = fixed.to_vec();
        assumptions.extend(self.encoding.order.assumption());
        assumptions.extend(core);
        match self.session.certify(&assumptions) {
            Ok(()) => Ok(()),
            Err(CertifyError::Stopped) => Err(Stop::Cancelled),
            Err(error) => Err(Fault::Proof(error.to_string()).into()),
        }
    }

    /// Whether there is any execution within the bounds, whatever it reaches.
    fn execution(&mut self, model: Model) -> Result<LiteralAnswer, Stop<Fault>> {
        let mut switches = self.encoding.model_switches(model);
        switches.extend(self.encoding.frontier());
        let switches: Vec<Lit> = switches.into_iter().map(|(_, lit)| lit).collect();
        let fixed = self.encoding.no_stops();
        self.solve(&fixed, &switches)
    }

    fn search(
        &mut self,
        fixed: &[Lit],
        switches: &mut Vec<(Switch, Lit)>,
        matters: impl Fn(&Switch) -> bool,
    ) -> Result<SwitchAnswer, Stop<Fault>> {
        switches.extend(self.encoding.frontier());
        let all: Vec<Lit> = switches.iter().map(|&(_, lit)| lit).collect();
        let droppable = |(switch, lit): &(Switch, Lit)| matters(switch).then_some(*lit);
        let droppable: Vec<Lit> = switches.iter().filter_map(droppable).collect();
        Ok(match self.solve(fixed, &all)? {
            LiteralAnswer::Sat => SwitchAnswer::Sat,
            LiteralAnswer::Unsat(core) => {
                let core = self.shrink(fixed, core, &droppable)?;
                let needed = switches.iter().filter(|(_, lit)| core.contains(lit));
                SwitchAnswer::Unsat(needed.map(|(switch, _)| switch.clone()).collect())
            }
        })
    }

    /// Solves, and excludes cyclic orders by refinement. The core contains only switches.
    pub(super) fn solve(
        &mut self,
        fixed: &[Lit],
        switches: &[Lit],
    ) -> Result<LiteralAnswer, Stop<Fault>> {
        loop {
            self.encoding.order.emit(&mut self.encoding.cnf);
            self.feed();
            let mut assumptions: Vec<Lit> = fixed.to_vec();
            assumptions.extend(self.encoding.order.assumption());
            assumptions.extend(switches);
            match self.session.solve(&assumptions) {
                SolverAnswer::Sat => {
                    let session = &self.session;
                    let cyclic = self
                        .encoding
                        .order
                        .refine(&mut self.encoding.cnf, |lit| value(session, lit));
                    if !cyclic {
                        return Ok(LiteralAnswer::Sat);
                    }
                    self.refinements += 1;
                }
                SolverAnswer::Unsat(core) => {
                    let core = switches.iter().copied().filter(|lit| core.contains(lit));
                    return Ok(LiteralAnswer::Unsat(core.collect()));
                }
                SolverAnswer::Stopped => return Err(Stop::Cancelled),
            }
        }
    }

    /// Drops switches from a core one by one as long as the rest is a core. Frontiers come first,
    /// because a core without them is a proof.
    fn shrink(
        &mut self,
        fixed: &[Lit],
        core: Vec<Lit>,
        droppable: &[Lit],
    ) -> Result<Vec<Lit>, Stop<Fault>> {
        let mut core = core;
        let mut next = core.len();
        while next > 0 {
            next -= 1;
            if !droppable.contains(&core[next]) {
                continue;
            }
            let mut rest = core.clone();
            rest.remove(next);
            if let LiteralAnswer::Unsat(smaller) = self.solve(fixed, &rest)? {
                core = smaller;
                next = next.min(core.len());
            }
        }
        Ok(core)
    }
}
