//! The direct search: happens-before cycles on the event graph, without instrumentation.
//!
//! One formula per thread encodes the executions in which only that thread delays stores. A query
//! looks for a cycle through one of several attacks at once. Each feasible attack costs one query,
//! and all infeasible ones together cost one. **Bounded:** a "no" that needs the bound of a loop
//! holds within it.

use super::attack::Attack;
use super::witness::hoist_independent;
use crate::encode::{Delay, Plan, Switch};
use crate::engines::{Stats, Until};
use crate::facts::LoopId;
use crate::model::Model;
use crate::problem::{Memory, Steps};
use crate::program::{Program, ThreadId};
use crate::reach::{Aside, CycleAnswer, Method, Reach};
use crate::solve::SolverKind;
use crate::verdict::{Bounds, Budget, Decided, Defect, Reason, Stop, Verdict, unless_cancelled};

/// Options of the direct search.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectOptions {
    pub(super) model: Model,
    pub(super) until: Until,
    pub(super) solver: SolverKind,
    /// The maximum unroll bound.
    pub(super) deepest: u32,
}

/// An incremental query about the attacks of one thread.
pub(crate) struct Direct<'p> {
    program: &'p Program,
    model: Model,
    attacks: Vec<Attack>,
    reach: Reach<'p>,
}

/// A query that is put aside, for later work on the same attacks of the same program.
pub(crate) struct EventGraph {
    program: Program,
    model: Model,
    solver: SolverKind,
    attacks: Vec<Attack>,
    formula: Aside,
}

impl EventGraph {
    /// Whether it can be asked about these attacks.
    fn is_about(&self, program: &Program, attacks: &[Attack], options: DirectOptions) -> bool {
        (self.model, self.solver) == (options.model, options.solver)
            && attacks.iter().all(|attack| self.attacks.contains(attack))
            && self.program == *program
    }

    /// The query, with another budget. The program must be the same.
    fn go_on<'p>(self, program: &'p Program, budget: &Budget) -> Direct<'p> {
        Direct {
            program,
            model: self.model,
            attacks: self.attacks,
            reach: self.formula.go_on(program, self.solver, budget),
        }
    }
}

/// The result of a query.
pub(crate) enum Feasibility {
    /// This attack is feasible, and this is its witness.
    Feasible(Attack, Steps),
    /// None of the attacks queried is feasible, as long as these loops stay within their current
    /// bounds. If there are no loops, this holds for all iterations.
    Infeasible(Vec<(ThreadId, LoopId)>),
}

impl<'p> Direct<'p> {
    /// Opens a query about these attacks, all of one thread. The plan defines the fences that may
    /// be switched on and the initial unroll bound.
    pub(crate) fn open(
        program: &'p Program,
        attacks: &[Attack],
        plan: Plan,
        solver: SolverKind,
        budget: &Budget,
    ) -> Self {
        let pairs = attacks.iter().map(|attack| (attack.store, attack.last));
        let plan = Plan {
            delay: attacks.first().map(|attack| Delay {
                thread: attack.thread,
                pairs: pairs.collect(),
            }),
            ..plan
        };
        let model = plan.models[0];
        let method = Method {
            solver,
            ..Method::default()
        };
        Self {
            program,
            model,
            attacks: attacks.to_vec(),
            reach: Reach::open(program, plan, method, budget),
        }
    }

    /// Whether one of these attacks is feasible with these switches on.
    ///
    /// # Errors
    ///
    /// If the stop flag is raised, or the reference rejects a computation found.
    fn ask(&mut self, among: &[Attack], on: &[Switch]) -> Result<Feasibility, Stop> {
        let pairs: Vec<_> = among.iter().map(|a| (a.store, a.last)).collect();
        Ok(
            match self.reach.ask_cycle(&pairs, on).map_err(Stop::general)? {
                CycleAnswer::Closed { store, last, run } => {
                    let found = |attack: &&Attack| (attack.store, attack.last) == (store, last);
                    let Some(&attack) = self.attacks.iter().find(found) else {
                        let why = "the cycle found does not belong to an attack of the query";
                        return Err(Defect::witness(why).into());
                    };
                    let steps = hoist_independent(self.program, self.model, attack, &run)?;
                    Feasibility::Feasible(attack, steps)
                }
                CycleAnswer::Open(core) => {
                    Feasibility::Infeasible(core.iter().filter_map(Switch::frontier).collect())
                }
            },
        )
    }

    /// Whether one of these attacks is feasible with these switches on and each loop unrolled at
    /// most `deepest` times.
    ///
    /// # Errors
    ///
    /// If the stop flag is raised, or the reference rejects a computation found.
    pub(crate) fn settle(
        &mut self,
        among: &[Attack],
        on: &[Switch],
        deepest: u32,
    ) -> Result<Feasibility, Stop> {
        loop {
            match self.ask(among, on)? {
                Feasibility::Infeasible(loops) if self.follow(&loops, deepest) => {}
                settled @ (Feasibility::Feasible(..) | Feasibility::Infeasible(_)) => {
                    return Ok(settled);
                }
            }
        }
    }

    /// The query with another budget; `None` if its encoding was stopped early.
    pub(crate) fn with_budget(self, solver: SolverKind, budget: &Budget) -> Option<Self> {
        let formula = self.reach.aside()?;
        Some(Self {
            reach: formula.go_on(self.program, solver, budget),
            ..self
        })
    }

    /// The query for later; `None` if its encoding was stopped early.
    fn aside(self, solver: SolverKind) -> Option<EventGraph> {
        Some(EventGraph {
            program: self.program.clone(),
            model: self.model,
            solver,
            attacks: self.attacks,
            formula: self.reach.aside()?,
        })
    }

    /// As [`Reach::follow`].
    pub(crate) fn follow(&mut self, loops: &[(ThreadId, LoopId)], deepest: u32) -> bool {
        self.reach.follow(loops, deepest)
    }

    /// The current bounds of these loops, for a verdict.
    pub(crate) fn bounds(&self, loops: &[(ThreadId, LoopId)]) -> Bounds {
        self.reach.bounds(loops)
    }

    /// The cost so far.
    pub(crate) fn stats(&self) -> Stats {
        self.reach.effort().into()
    }
}

/// The verdict on each of these attacks, all of one thread, and the cost. With [`Until::Violated`]
/// the search ends at the first feasible attack, and the others stay open. The query goes on where an earlier one
/// about these attacks has stopped for its budget.
///
/// # Errors
///
/// If the reference rejects a computation found.
pub(super) fn direct(
    program: &Program,
    attacks: &[Attack],
    options: DirectOptions,
    memory: &Memory,
    budget: &Budget,
) -> Result<(Vec<Verdict<Steps>>, Stats), Defect> {
    let plan = || Plan {
        returns: 0,
        ..Plan::new(Vec::new(), options.model)
    };
    let earlier = memory.take::<EventGraph>();
    let mut query = match earlier.filter(|earlier| earlier.is_about(program, attacks, options)) {
        Some(earlier) => earlier.go_on(program, budget),
        None => Direct::open(program, attacks, plan(), options.solver, budget),
    };
    let mut verdicts: Vec<Option<Verdict<Steps>>> = vec![None; attacks.len()];
    let mut rest = Verdict::Unknown(Reason::Stopped);
    let mut is_over = false;
    while !is_over {
        let open = attacks.iter().zip(&verdicts);
        let open: Vec<Attack> = open
            .filter(|(_, verdict)| verdict.is_none())
            .map(|(&attack, _)| attack)
            .collect();
        if open.is_empty() {
            break;
        }
        match unless_cancelled(query.ask(&open, &[]))? {
            Some(Feasibility::Feasible(found, steps)) => {
                for (attack, verdict) in attacks.iter().zip(&mut verdicts) {
                    if *attack == found {
                        *verdict = Some(Verdict::Violated(steps.clone()));
                    }
                }
                if options.until == Until::Violated {
                    rest = Verdict::Unknown(Reason::Decided(Decided::ByAttack));
                    is_over = true;
                }
            }
            Some(Feasibility::Infeasible(loops)) if loops.is_empty() => {
                rest = Verdict::Holds;
                is_over = true;
            }
            Some(Feasibility::Infeasible(loops)) => {
                let bounds = query.bounds(&loops);
                is_over = !query.follow(&loops, options.deepest);
                // That nothing happens without any iteration is not worth reporting on the way.
                if is_over || bounds.loops.iter().all(|cut| cut.iterations > 0) {
                    rest = Verdict::HoldsWithin(bounds);
                }
            }
            None => break,
        }
    }
    let verdicts = verdicts
        .into_iter()
        .map(|verdict| verdict.unwrap_or_else(|| rest.clone()));
    let found = (verdicts.collect(), query.stats());
    if !is_over && let Some(aside) = query.aside(options.solver) {
        memory.keep(aside);
    }
    Ok(found)
}
