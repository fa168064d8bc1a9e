//! The deepening loop: loops are followed further until the answer for a goal is final.
//!
//! ```text
//!   ask ──▶ reached
//!    ▲  └──▶ not, with no frontier in the core ──▶ refuted, for any number of iterations
//!    │  └──▶ not, with loops in the core ──all at `deepest`──▶ refuted within that
//!    └──── twice as far each ◀──────────┘
//! ```

use super::{Answer, Fault, Reach};
use crate::analysis::LoopId;
use crate::encode::Switch;
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Goal, ThreadId};
use crate::verdict::Stop;

/// The final answer for one goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Settled {
    /// This computation reaches it.
    Reached(Box<Run>),
    /// None does, for any number of iterations, given these switches.
    Refuted(Vec<Switch>),
    /// None does while these loops stay inside their bounds, given these switches.
    Within(Vec<Switch>, Vec<(ThreadId, LoopId)>),
}

impl Reach<'_> {
    /// Whether a goal of the plan is reachable under a model of the plan, with these switches on and
    /// each loop followed no further than `deepest` times. Of the switches, a "no" names some that
    /// suffice; only bounds have been tried to leave out.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub fn settle(
        &mut self,
        goal: Goal,
        model: Model,
        on: &[Switch],
        deepest: u32,
    ) -> Result<Settled, Stop<Fault>> {
        loop {
            let core = match self.ask_for_bounds(goal, model, on)? {
                Answer::Reachable(run) => return Ok(Settled::Reached(run)),
                Answer::Unreachable(core) => core,
            };
            let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
            if loops.is_empty() {
                return Ok(Settled::Refuted(core));
            }
            if !self.follow(&loops, deepest) {
                return Ok(Settled::Within(core, loops));
            }
        }
    }

    /// Follows these loops twice as far, but none further than `deepest` times. Returns whether any
    /// of them was not there yet.
    pub fn follow(&mut self, loops: &[(ThreadId, LoopId)], deepest: u32) -> bool {
        let mut further = false;
        for &(thread, id) in loops {
            let now = self.returns(thread, id);
            if now < deepest {
                self.deepen(&[(thread, id)], now.max(1).min(deepest - now));
                further = true;
            }
        }
        further
    }
}
