//! The parts of answers that users may read. The fields are for the crates of Fencepost, and hidden: which
//! of them go together is decided where an answer is made.

use crate::check::{CheckReport, Engine, GoalAnswer, Stats, Vacuity};
use crate::fences::pairs::PairReport;
use crate::fences::{Algorithm, FenceReport, Outcome};
use crate::induction::Invariant;
use crate::lazy::LazyHistory;
use crate::model::Model;
use crate::program::Aim;
use crate::reference::Run;
use crate::robustness::{Attack, AttackAnswer, Form, RobustReport};
use crate::verdict::Verdict;

impl CheckReport {
    /// The memory model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Whether the program has nothing to check: no property, and no address that could be invalid.
    pub fn checks_nothing(&self) -> bool {
        self.answers.is_empty() && self.observations.is_empty()
    }

    /// The engine that answered, if any did; never [`Engine::Auto`].
    pub fn engine(&self) -> Option<Engine> {
        self.engine
    }

    /// The unroll bound of all loops, if the engine that answered has one.
    pub fn unroll(&self) -> Option<u32> {
        self.unroll
    }

    /// The goals that must not be reached, in the order of [`Program::goals`](crate::program::Program::goals).
    pub fn answers(&self) -> &[GoalAnswer] {
        &self.answers
    }

    /// The `exists` goals, in the same order; a violated verdict means "observed".
    pub fn observations(&self) -> &[GoalAnswer] {
        &self.observations
    }

    /// Whether the violation can happen under SC too, if that was [decided](crate::check::check_under_sc).
    pub fn under_sc(&self) -> Option<&Verdict<()>> {
        self.under_sc.as_ref()
    }

    /// What it cost.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// What no execution reaches; `None` if that is not known.
    #[doc(hidden)]
    pub fn vacuity(&self) -> Option<&Vacuity> {
        self.vacuity.as_ref()
    }

    /// What proves the goals that hold, if the inductive engine answered.
    #[doc(hidden)]
    pub fn invariant(&self) -> Option<&Invariant> {
        self.invariant.as_ref()
    }

    /// How the lazy engine found its answers, if it was the one that answered.
    #[doc(hidden)]
    pub fn history(&self) -> Option<&LazyHistory> {
        self.history.as_ref()
    }
}

impl RobustReport {
    /// The memory model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The engine that answered last, if any did; never [`Engine::Auto`].
    pub fn engine(&self) -> Option<Engine> {
        self.engine
    }

    /// The attacks that were searched for, ascending.
    pub fn answers(&self) -> &[AttackAnswer] {
        &self.answers
    }

    /// The attacks that were ruled out statically, ascending.
    pub fn pruned(&self) -> &[Attack] {
        &self.pruned
    }

    /// What it cost, over all threads.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The form of instrumentation used, if any was.
    #[doc(hidden)]
    pub fn form(&self) -> Option<Form> {
        self.form
    }

    /// What no execution reaches; `None` if that is not known.
    #[doc(hidden)]
    pub fn vacuity(&self) -> Option<&Vacuity> {
        self.vacuity.as_ref()
    }

    /// A computation that leaves 32 bits, if that is why something is undecided.
    #[doc(hidden)]
    pub fn overflow(&self) -> Option<&Run> {
        self.overflow.as_ref()
    }
}

impl FenceReport {
    /// The memory model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// What the fences are for.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// The sets found, or why there are none.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// No sufficient set costs less.
    pub fn lower_bound(&self) -> u64 {
        self.lower_bound
    }

    /// What it cost.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The algorithm that answered; never [`Algorithm::Auto`].
    #[doc(hidden)]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many places were considered.
    #[doc(hidden)]
    pub fn places(&self) -> usize {
        self.places
    }

    /// How many sets were probed.
    #[doc(hidden)]
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// How many computations were excluded.
    #[doc(hidden)]
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// The pairs that have to stay in order, if an algorithm over pairs was used.
    #[doc(hidden)]
    pub fn pairs(&self) -> Option<&PairReport> {
        self.pairs.as_ref()
    }
}
