//! The deepening loop: bounds are raised until the result for a goal is final.
//!
//! ```text
//!   ask ──▶ reached
//!    ▲  └──▶ not, with no frontier in the core ──▶ refuted, for any number of iterations
//!    │  └──▶ not, with loops in the core ──all at `deepest`──▶ refuted within that
//!    └──── double the bounds ◀────────────┘
//! ```

use super::{Fault, Reach, ReachAnswer};
use crate::encode::Switch;
use crate::facts::LoopId;
use crate::model::Model;
use crate::program::{Goal, ThreadId};
use crate::reference::Run;
use crate::verdict::Stop;

/// The final result for one goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Settled {
    /// This computation reaches it.
    Reached(Box<Run>),
    /// No computation reaches it, for any number of iterations, given these switches.
    Refuted(Vec<Switch>),
    /// No computation reaches it while these loops stay within their bounds, given these switches.
    Within(Vec<Switch>, Vec<(ThreadId, LoopId)>),
}

impl Reach<'_> {
    /// Whether a goal of the plan is reachable under a model of the plan, with these switches on
    /// and no loop bound greater than `deepest`. A "no" names switches that suffice; only bounds
    /// are dropped from the core if possible.
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
                ReachAnswer::Reachable(run) => return Ok(Settled::Reached(run)),
                ReachAnswer::Unreachable(core) => core,
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

    /// Doubles the bounds of these loops, up to `deepest`. Returns whether any bound was raised.
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
