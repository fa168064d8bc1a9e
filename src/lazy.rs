//! Reachability under TSO as a series of questions under SC \[BCDM15\].
//!
//! ```text
//!            ┌────────────────────────── R := R ⊕ sequences ◀──────────────────┐
//!            ▼                                                                 │
//! R := P ─▶ goal reachable in R under SC? ─no─▶ is R robust? ─no─▶ what its witnesses delay
//!                    │ yes                           │ yes
//!              violated: read back              holds: R does under SC
//!              as a computation of P            all that P does under TSO
//! ```
//!
//! Store buffers appear only where somebody has seen that they matter. So a program that is robust
//! is decided for all iterations of its loops and for buffers of any length, by SC questions alone,
//! and one that is not becomes so after some rounds, or shows its bug under SC.
//!
//! For programs without loops this ends with an answer [BCDM15, Theorem 3], but for what is said
//! below about `barrier all`. With loops it may not: each round may find a longer delay. When the program
//! has grown too much its loops are unrolled instead, further each time [BCDM15, Theorem 4].
//!
//! **Differs from** the paper: programs with loops get the whole extension too ([`Extension::Exact`]).
//! Nothing in the proof that it neither adds nor removes anything needs programs without loops, and
//! the one that the paper uses there ([`Extension::Amended`]) keeps the store that is delayed, so that
//! no extended program is ever robust.
//!
//! **Invariant.** What is found is a computation of the program as given, and the reference has
//! replayed it.
//!
//! **Absent.** Models that do not keep stores in order; programs in which there are both `barrier
//! all` and addresses that may be no cell.
//!
//! **Incomplete:** with `barrier all` robustness is decided by looking at all computations, only for
//! programs without loops and only if they are few; and the cells by which threads tell what they
//! keep may be delayed in their turn, so that no end is promised.

mod emulation;
mod extension;
mod oracle;
mod rounds;
mod sequence;
mod unrolled;

pub use emulation::Emulation;
pub use sequence::Sequence;

use crate::analysis::{Loops, Values};
use crate::engines::{self, Answered, CheckOptions, Engine, Extension, GoalAnswer, Stats};
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Goal, Program, Site};
use crate::verdict::{Budget, Defect, Reason, Verdict};
use rounds::{Limit, Rounds};

/// How an answer came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Which extension was used.
    pub extension: Extension,
    /// The program as given, and then, if it has loops and that did not decide, with its loops
    /// followed further each time.
    pub attempts: Vec<Attempt>,
}

/// One run of the procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// How often loops were followed, if they were unrolled.
    pub unrolled: Option<u32>,
    /// What was asked, in order.
    pub rounds: Vec<Round>,
    /// Why there was no further round.
    pub end: End,
}

/// How an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// SC is all that was asked about.
    Sc,
    /// What was asked for was reached under SC, in the program as extended by then.
    Reached,
    /// The program as extended by then is robust.
    Robust,
    /// Neither, for this reason.
    Open(Reason),
}

/// Two questions: can the goals be reached under SC, and does anything else happen under TSO?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// How large the program was, in instructions.
    pub instructions: usize,
    /// Who looked for the goals.
    pub reachability: Asked,
    /// Who looked for delays that matter, if anybody had to.
    pub robustness: Option<Asked>,
    /// What the program was extended by then: paths of the program as given, each from a store to a
    /// load that overtakes it. Where a store had been delayed before, only how it goes on.
    pub sequences: Vec<Vec<Site>>,
}

/// Who was asked, and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// How many goals, or attacks, were asked about: the questions that the papers count.
    pub questions: usize,
    /// The engine that answered, if one had to be asked.
    pub engine: Option<Engine>,
    /// What it cost.
    pub stats: Stats,
}

impl Asked {
    /// How many formulas were asked, and searches made.
    pub fn queries(&self) -> u64 {
        let searches = u64::from(self.stats.states.is_some());
        self.stats.queries.unwrap_or(0) + searches
    }

    fn add(&mut self, again: Asked) {
        self.engine = again.engine.or(self.engine);
        self.stats = self.stats.plus(again.stats);
    }
}

impl Story {
    /// The last attempt: the one that decided, if any did.
    pub fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// Everybody who was asked, in order.
    fn asked(&self) -> impl Iterator<Item = &Asked> {
        let rounds = self.attempts.iter().flat_map(|attempt| &attempt.rounds);
        rounds.flat_map(|round| std::iter::once(&round.reachability).chain(&round.robustness))
    }

    /// How many goals and attacks were asked about under SC.
    pub fn questions(&self) -> usize {
        self.asked().map(|asked| asked.questions).sum()
    }

    /// How many formulas were asked, and searches made, to answer them.
    pub fn queries(&self) -> u64 {
        self.asked().map(Asked::queries).sum()
    }
}

impl Attempt {
    /// How often the program was extended.
    pub fn extensions(&self) -> usize {
        let extended = |round: &&Round| !round.sequences.is_empty();
        self.rounds.iter().filter(extended).count()
    }
}

/// Whether there is a memory that delays stores, and that this procedure knows.
pub(crate) fn is_for(model: Model) -> bool {
    model.relaxes_store_load() && !model.relaxes_store_store()
}

/// The goals' answers, in their order, and how they came about; loops are unrolled if nothing else
/// decides.
///
/// # Errors
///
/// If a computation found does not replay.
pub(crate) fn decide(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<(Answered, Option<Story>), Defect> {
    ask(program, goals, options, budget, |rounds, verdicts| {
        rounds.deepen(goals, verdicts)
    })
}

/// The same without unrolled loops: for those who have other ways to go deeper.
///
/// # Errors
///
/// As [`decide`].
pub(crate) fn attempt(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<(Answered, Option<Story>), Defect> {
    ask(program, goals, options, budget, |_, _| Ok(()))
}

fn ask(
    program: &Program,
    goals: &[Goal],
    options: &CheckOptions,
    budget: &Budget,
    deeper: impl FnOnce(&mut Rounds<'_>, &mut [Verdict<Run>]) -> Result<(), Defect>,
) -> Result<(Answered, Option<Story>), Defect> {
    if let Some(why) = unsupported(program, options.model) {
        let reason = Reason::Unsupported(why.to_owned());
        return Ok((Answered::open(goals, &reason), None));
    }
    let mut rounds = Rounds::new(program, options, budget);
    let cyclic = Loops::in_program(program);
    let limit = if cyclic { Limit::Growth } else { Limit::Size };
    let mut verdicts = rounds.attempt(None, Emulation::of(program), goals, limit)?;
    let open = |attempt: &Attempt| matches!(attempt.end, End::Open(_));
    if cyclic && rounds.story.last().is_some_and(open) {
        deeper(&mut rounds, &mut verdicts)?;
    }
    let answers = goals
        .iter()
        .zip(verdicts)
        .map(|(&goal, verdict)| GoalAnswer { goal, verdict });
    let answered = Answered {
        answers: answers.collect(),
        engine: Some(Engine::Lazy),
        unroll: rounds.story.last().and_then(|last| last.unrolled),
        vacuity: None,
        stats: rounds.stats,
    };
    Ok((answered, Some(rounds.story)))
}

/// Why the question is not answered, if it is not.
fn unsupported(program: &Program, model: Model) -> Option<&'static str> {
    let outside = || {
        let values = Values::of(program);
        let mut sites = program.sites();
        sites.any(|(site, _)| values.addresses(program, site).outside)
    };
    if program.is_parametric() {
        Some(engines::PARAMETRIC)
    } else if model.relaxes_store_store() {
        Some(
            "the lazy engine keeps stores in order, as TSO does: `--engine bmc` and \
             `--engine explicit` know the other models",
        )
    } else if model.relaxes_store_load() && program.has_barrier() && outside() {
        Some(
            "`barrier all` needs cells of its own in the lazy engine, and an address of this program \
             may be no cell: `--engine bmc` and `--engine explicit` know both",
        )
    } else {
        None
    }
}
