//! Cycles of happens-before through the first store that a thread delays.
//!
//! The plan names the thread that delays stores ([`Delay`](crate::encode::Delay)); the encoding
//! covers the executions in which no other thread does. As everywhere, a "yes" is a computation
//! under the model that the reference has replayed, here with a happens-before cycle that the
//! reference has found; and a "no" without a frontier holds for every number of iterations.
//!
//! **Absent.** Whether one delaying thread is enough, and so what these queries together imply
//! about a program.

use super::decide::SwitchAnswer;
use super::{Fault, Reach, value};
use crate::encode::Switch;
use crate::program::InstrId;
use crate::reference::Run;
use crate::trace::{Mismatch, cyclic_witness};
use crate::verdict::Stop;

/// The result of a query for a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CycleAnswer {
    /// This computation has a cycle.
    Closed {
        /// The instruction of the first delayed store.
        store: InstrId,
        /// The instruction of the delaying thread's last action before it reaches memory.
        last: InstrId,
        /// The computation. Its delayed stores reach memory at the very end.
        run: Box<Run>,
    },
    /// No computation has a cycle, given these switches. No frontier among them can be dropped by
    /// itself.
    Open(Vec<Switch>),
}

impl Reach<'_> {
    /// Whether a computation in which only the thread of the plan's delay delays stores has a
    /// cycle in happens-before from the first delayed store through the thread's last action back
    /// to that store, for one of these pairs of the two, with these switches on. All loops stay
    /// inside their present bounds.
    ///
    /// Requires a plan with a delay and exactly one model, and pairs of that delay. One pair or
    /// none costs nothing; otherwise the formula grows by one literal per pair with each query.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised first; or if the computation found does not replay or has no
    /// cycle, or a "no" is not confirmed, which is a defect of Fencepost.
    pub fn ask_cycle(
        &mut self,
        among: &[(InstrId, InstrId)],
        on: &[Switch],
    ) -> Result<CycleAnswer, Stop<Fault>> {
        if self.encoding.is_cut_short() {
            return Err(Stop::Cancelled);
        }
        let model = self.encoding.model();
        let fixed = self.encoding.ask_cycle(among);
        let switches = self.switched(on);
        Ok(
            match self.decide(model, &fixed, switches, Switch::is_bound)? {
                SwitchAnswer::Sat => {
                    let session = &self.session;
                    let value = |lit| value(session, lit);
                    let run = cyclic_witness(self.program, model, &self.encoding, value)
                        .map_err(Fault::from)?;
                    let shown = self.encoding.cycle_shown(among, value);
                    let (store, last) = shown.ok_or_else(|| {
                        Fault::from(Mismatch {
                            message: "the model shows none of the pairs".to_owned(),
                        })
                    })?;
                    CycleAnswer::Closed {
                        store,
                        last,
                        run: Box::new(run),
                    }
                }
                SwitchAnswer::Unsat(core) => CycleAnswer::Open(core),
            },
        )
    }
}
