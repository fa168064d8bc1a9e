//! Attacks of threads that are alike: one answer for all of them.
//!
//! Exchanging two such threads maps executions to executions, and an attack of the one to the attack of
//! the other by the same instructions. So one of the two is feasible if and only if the other is, and a
//! witness of the one is, with the threads exchanged, a witness of the other. It is replayed and checked
//! like any witness.
//!
//! **Absent.** Shards: which attacks belong to a shard must not depend on what else is searched for.

use super::attack::Attack;
use super::decide::RobustOptions;
use super::report::AttackAnswer;
use super::witness::check_witness;
use crate::engines::Until;
use crate::facts::Twins;
use crate::passes::exchange;
use crate::program::Program;
use crate::reference::{ReplayError, Run, replay};
use crate::techniques::PassName;
use crate::verdict::{Decided, Defect, Reason, Verdict};

/// Attacks, and which of them have the same answer.
pub(super) struct Alike<'a> {
    program: &'a Program,
    options: &'a RobustOptions,
    /// `None` if every attack is searched for.
    twins: Option<Twins>,
    /// All attacks, ascending.
    open: &'a [Attack],
}

impl<'a> Alike<'a> {
    /// Requires ascending attacks.
    pub(super) fn new(
        program: &'a Program,
        options: &'a RobustOptions,
        open: &'a [Attack],
    ) -> Self {
        let is_worthwhile = options.techniques.uses(PassName::Alike) && options.shard.is_none();
        Self {
            program,
            options,
            twins: (is_worthwhile && !open.is_empty()).then(|| Twins::of(program)),
            open,
        }
    }

    /// The attacks to search for, ascending: their answers decide all.
    pub(super) fn asked(&self) -> Vec<Attack> {
        let all = self.open.iter().copied();
        all.filter(|&attack| self.first(attack) == attack).collect()
    }

    /// The first attack that has the same answer.
    fn first(&self, attack: Attack) -> Attack {
        let twins = self.twins.as_ref();
        let threads = twins.map_or(&[][..], |twins| twins.of_thread(attack.thread));
        let mut same = threads.iter().map(|&thread| Attack { thread, ..attack });
        // The static arguments may know more about one of the threads.
        same.find(|other| self.open.binary_search(other).is_ok())
            .unwrap_or(attack)
    }

    /// The answers about all attacks, given those about [`asked`](Self::asked), ascending.
    ///
    /// # Errors
    ///
    /// If the reference rejects a witness after the exchange, or it is none.
    pub(super) fn all(&self, asked: &[AttackAnswer]) -> Result<Vec<AttackAnswer>, Defect> {
        let mut all = Vec::with_capacity(self.open.len());
        for &attack in self.open {
            let first = self.first(attack);
            let found = asked.binary_search_by_key(&first, |answer| answer.attack);
            let Some(AttackAnswer { verdict, .. }) = found.ok().map(|at| &asked[at]) else {
                return Err(Defect::witness("an attack has no answer".to_owned()));
            };
            let verdict = if first == attack {
                verdict.clone()
            } else {
                self.exchanged(first, verdict, attack)?
            };
            all.push(AttackAnswer { attack, verdict });
        }
        Ok(all)
    }

    /// The verdict on an attack, given that on the same attack of another thread.
    fn exchanged(
        &self,
        first: Attack,
        verdict: &Verdict<Run>,
        attack: Attack,
    ) -> Result<Verdict<Run>, Defect> {
        let (
            Some(twins),
            Self {
                program, options, ..
            },
        ) = (&self.twins, self)
        else {
            return Ok(verdict.clone());
        };
        if options.until == Until::Violated && matches!(verdict, Verdict::Violated(_)) {
            return Ok(Verdict::Unknown(Reason::Decided(Decided::ByAttack)));
        }
        verdict.clone().try_map(|run| {
            let steps = run.steps();
            let steps = exchange(twins, &steps, first.thread, attack.thread);
            let run =
                replay(program, options.model, &steps).map_err(|ReplayError { at, message }| {
                    Defect::witness(format!("step {at}: {message}"))
                })?;
            check_witness(&run, attack).map_err(Defect::witness)?;
            Ok(run)
        })
    }
}
