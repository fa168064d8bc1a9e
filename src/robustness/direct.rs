//! The direct search: cycles of happens-before on the event graph, without instrumentation.
//!
//! One formula a thread has the executions in which that thread alone delays stores, and a question
//! asks for a cycle through one of several attacks at once. Each feasible attack costs one
//! question, and all infeasible ones together cost one. **Bounded:** a "no" that needs the bound of
//! a loop holds within it.

use super::attack::Attack;
use super::decide::Defect;
use super::witness::straighten;
use crate::check::{Stats, Until};
use crate::encode::{Delay, Plan, Switch};
use crate::explicit::Run;
use crate::model::Model;
use crate::program::Program;
use crate::reach::{CycleAnswer, Method, Reach};
use crate::solve::SolverKind;
use crate::verdict::{Budget, Reason, Verdict};

/// How the search goes about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) model: Model,
    pub(super) until: Until,
    pub(super) solver: SolverKind,
    /// How often each loop is followed at most.
    pub(super) deepest: u32,
}

/// The verdict on each of these attacks, all of one thread, and what it cost. With
/// [`Until::Violated`] the search ends at the first that is feasible, and the others stay open.
///
/// # Errors
///
/// If a computation found is refused by the reference, or is no witness.
pub(super) fn direct(
    program: &Program,
    attacks: &[Attack],
    search: Search,
    budget: &Budget,
) -> Result<(Vec<Verdict<Run>>, Stats), Defect> {
    let pairs = attacks.iter().map(|attack| (attack.store, attack.last));
    let plan = Plan {
        returns: search.deepest.min(1),
        delay: attacks.first().map(|attack| Delay {
            thread: attack.thread,
            pairs: pairs.collect(),
        }),
        ..Plan::new(Vec::new(), search.model)
    };
    let method = Method {
        solver: search.solver,
        ..Method::default()
    };
    let mut reach = Reach::open(program, plan, method, budget);
    let mut verdicts: Vec<Option<Verdict<Run>>> = vec![None; attacks.len()];
    let rest = loop {
        let open = attacks.iter().zip(&verdicts);
        let open: Vec<_> = open
            .filter(|(_, verdict)| verdict.is_none())
            .map(|(attack, _)| (attack.store, attack.last))
            .collect();
        if open.is_empty() {
            break Verdict::Holds;
        }
        let answer = reach.ask_cycle(&open, &[]).map_err(|mismatch| Defect {
            message: mismatch.message,
        })?;
        match answer {
            CycleAnswer::Closed { store, last, run } => {
                let found = |attack: &Attack| (attack.store, attack.last) == (store, last);
                let Some(index) = attacks.iter().position(found) else {
                    let message = "the cycle found is none that was asked for".to_owned();
                    return Err(Defect { message });
                };
                let run = straighten(program, search.model, attacks[index], &run)
                    .map_err(|message| Defect { message })?;
                verdicts[index] = Some(Verdict::Violated(run));
                if search.until == Until::Violated {
                    break Verdict::Unknown(Reason::Unsupported(super::ANOTHER.to_owned()));
                }
            }
            CycleAnswer::Open(core) => {
                let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
                if loops.is_empty() {
                    break Verdict::Holds;
                }
                let further: Vec<_> = loops
                    .iter()
                    .copied()
                    .filter(|&(thread, id)| reach.returns(thread, id) < search.deepest)
                    .collect();
                if further.is_empty() {
                    break Verdict::HoldsWithin(reach.bounds(&loops));
                }
                // Twice as far each time, but never beyond what was asked for.
                for (thread, id) in further {
                    let now = reach.returns(thread, id);
                    reach.deepen(&[(thread, id)], now.max(1).min(search.deepest - now));
                }
            }
            CycleAnswer::Stopped => break Verdict::Unknown(Reason::Stopped),
        }
    };
    let effort = reach.effort();
    let verdicts = verdicts
        .into_iter()
        .map(|verdict| verdict.unwrap_or_else(|| rest.clone()));
    Ok((
        verdicts.collect(),
        Stats {
            queries: Some(effort.queries),
            variables: Some(effort.variables as u64),
            clauses: Some(effort.clauses as u64),
            ..Stats::default()
        },
    ))
}
