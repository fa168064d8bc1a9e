//! The report of a robustness check.

use super::attack::{Attack, attacks};
use super::decide::RobustOptions;
use super::instrument::Form;
use super::weaken::Dependence;
use crate::engines::{Engine, Stats, Vacuity};
use crate::facts::Values;
use crate::instances::AnyNumber;
use crate::model::Model;
use crate::program::Program;
use crate::reference::Run;
use crate::verdict::{Decided, Reason, Verdict};

/// The verdict on one attack.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AttackAnswer {
    /// The attack.
    pub attack: Attack,
    /// Holds if the attack is infeasible. If it is feasible, the evidence is its witness: a
    /// computation of the program under the model with a cyclic happens-before relation.
    pub verdict: Verdict<Run>,
}

/// The report of a robustness check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RobustReport {
    /// The memory model.
    #[doc(hidden)]
    pub model: Model,
    /// The form of instrumentation that has decided the attacks; `None` if they were decided otherwise. The
    /// event graph finds those that locality finds, so its list and one of singularity may differ.
    #[doc(hidden)]
    pub form: Option<Form>,
    /// The engine that ran last, if one ran.
    #[doc(hidden)]
    pub engine: Option<Engine>,
    /// The unroll bound, if the engine that ran last unrolls loops.
    #[doc(hidden)]
    pub unroll: Option<u32>,
    /// The shard of the open attacks that was searched for, as in the options; `None` if the
    /// program was decided as a whole.
    #[doc(hidden)]
    pub shard: Option<(usize, usize)>,
    /// The attacks that were searched for, ascending.
    #[doc(hidden)]
    pub answers: Vec<AttackAnswer>,
    /// The attacks ruled out statically, ascending.
    #[doc(hidden)]
    pub pruned: Vec<Attack>,
    /// What decides whether the program is robust.
    #[doc(hidden)]
    pub basis: Basis,
    /// What no execution reaches; `None` if this is not known.
    #[doc(hidden)]
    pub vacuity: Option<Vacuity>,
    /// The instructions that robustness depends on or may depend on, if requested
    /// ([`load_bearing`](super::load_bearing)).
    #[doc(hidden)]
    pub load_bearing: Dependence,
    /// Whether the program's own properties hold all the same, if it is not robust and that was asked and found in a
    /// short time ([`hold_all_the_same`](crate::check::hold_all_the_same)).
    #[doc(hidden)]
    pub harmless: bool,
    /// How it was decided, if the program has threads in any number of copies. Runs are then
    /// executions of an instance.
    pub(crate) any_number: Option<AnyNumber>,
    /// A computation that leaves 32 bits, if that is why something is undecided
    /// ([`Reason::Overflow`]).
    #[doc(hidden)]
    pub overflow: Option<Run>,
    /// The total cost.
    #[doc(hidden)]
    pub stats: Stats,
}

/// What decides whether a program is robust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// All attacks together.
    Attacks,
    /// Whether some computation has a cyclic happens-before relation: for programs with `barrier
    /// all`, for which attacks mean nothing, and for those that have no attack but reach a limit
    /// beyond which there may be some.
    Definition(Verdict<Run>),
    /// Nothing: nothing was searched for, for this reason.
    Nothing(Reason),
}

impl RobustReport {
    /// Holds if the program is robust. The evidence is a computation with a cyclic happens-before
    /// relation: the witness of the first feasible attack.
    pub fn verdict(&self) -> Verdict<&Run> {
        match &self.basis {
            Basis::Attacks => {
                let verdicts = self.answers.iter().map(|answer| answer.verdict.as_ref());
                Verdict::all(verdicts)
            }
            Basis::Definition(verdict) => verdict.as_ref(),
            Basis::Nothing(reason) => Verdict::Unknown(reason.clone()),
        }
    }

    /// Whether nothing was searched for.
    pub(crate) fn is_refused(&self) -> bool {
        match self.basis {
            Basis::Attacks | Basis::Definition(_) => false,
            Basis::Nothing(_) => true,
        }
    }

    /// The verdict on the program as a whole, if its attacks mean nothing.
    pub fn by_definition(&self) -> Option<&Verdict<Run>> {
        match &self.basis {
            Basis::Definition(verdict) => Some(verdict),
            Basis::Attacks | Basis::Nothing(_) => None,
        }
    }

    /// The feasible attacks, ascending.
    pub fn feasible(&self) -> impl Iterator<Item = (Attack, &Run)> {
        self.answers
            .iter()
            .filter_map(|answer| match &answer.verdict {
                Verdict::Violated(run) => Some((answer.attack, run)),
                Verdict::Holds | Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
            })
    }

    /// The program that the witnesses are executions of, if it is not the one that was checked: the
    /// instance of a program with threads in any number of copies.
    pub fn instance(&self) -> Option<&Program> {
        self.any_number.as_ref()?.instance.as_ref()
    }

    /// How it was decided, if the program has threads in any number of copies.
    pub fn any_number(&self) -> Option<&AnyNumber> {
        self.any_number.as_ref()
    }

    /// The number of attacks that a search ruled out for all executions.
    pub fn infeasible(&self) -> usize {
        let refuted = |answer: &&AttackAnswer| answer.verdict == Verdict::Holds;
        self.answers.iter().filter(refuted).count()
    }

    /// Whether every attack is decided, or the definition if it was checked instead.
    pub fn is_complete(&self) -> bool {
        let decided = |answer: &AttackAnswer| match answer.verdict {
            Verdict::Holds | Verdict::Violated(_) => true,
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
        };
        !self.is_refused() && self.answers.iter().all(decided)
    }

    /// Whether some attack is undecided only because it takes long and another one is feasible.
    pub fn leaves_some(&self) -> bool {
        let sooner = Verdict::Unknown(Reason::Decided(Decided::ByAttackSooner));
        self.answers.iter().any(|answer| answer.verdict == sooner)
    }

    /// The number of attacks.
    pub fn candidates(&self) -> usize {
        self.answers.len() + self.pruned.len()
    }

    /// The report in which nothing is decided, for this reason. If the program is unsupported, its
    /// attacks are listed; if the check was cancelled, they are not.
    pub fn undecided(program: &Program, options: &RobustOptions, reason: &Reason) -> Self {
        let mut report = Self::empty(options, Vec::new());
        report.basis = Basis::Nothing(reason.clone());
        if !matches!(reason, Reason::Unsupported(_)) {
            return report;
        }
        let values = Values::of(program);
        let attacks = attacks(program, &values, options.model, options.techniques.pruning);
        report.pruned = attacks.pruned;
        report.answers = attacks
            .open
            .into_iter()
            .map(|attack| AttackAnswer {
                attack,
                verdict: Verdict::Unknown(reason.clone()),
            })
            .collect();
        report
    }

    /// The report in which nothing is decided or listed, for this reason.
    pub(super) fn refused(options: &RobustOptions, reason: &Reason) -> Self {
        let mut report = Self::empty(options, Vec::new());
        report.basis = Basis::Nothing(reason.clone());
        report
    }

    pub(super) fn empty(options: &RobustOptions, pruned: Vec<Attack>) -> Self {
        Self {
            model: options.model,
            form: None,
            engine: None,
            unroll: None,
            shard: options.shard,
            answers: Vec::new(),
            pruned,
            basis: Basis::Attacks,
            vacuity: None,
            load_bearing: Dependence::default(),
            harmless: false,
            any_number: None,
            overflow: None,
            stats: Stats::default(),
        }
    }
}
