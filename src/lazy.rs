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
use crate::engines::ladder::DEEPEST_EXTENDED;
use crate::engines::{Answered, Effort, Engine, GoalAnswer, Query, Row};
pub use crate::engines::{Asked, Attempt, End, Round, Story};
use crate::model::Model;
use crate::program::Program;
use crate::verdict::{Defect, Reason};
use rounds::{Limit, Rounds};

/// Its row in the table of engines.
pub(crate) const LAZY: Row = Row {
    engine: Engine::Lazy,
    deepest: Some(DEEPEST_EXTENDED),
    suits: is_for,
    decide,
    vacuity: None,
};

/// Whether there is a memory that delays stores, and that this procedure knows.
fn is_for(model: Model) -> bool {
    model.relaxes_store_load() && !model.relaxes_store_store()
}

/// The goals' answers, in their order, and how they came about. Loops are unrolled if nothing else
/// decides and the effort includes that.
///
/// # Errors
///
/// If a computation found does not replay.
fn decide(query: &Query<'_>, effort: Effort) -> Result<Answered, Defect> {
    let &Query {
        program,
        goals,
        options,
        ..
    } = query;
    if let Some(why) = unsupported(program, options.model) {
        let reason = Reason::Unsupported(why.to_owned());
        return Ok(Answered::open(goals, &reason));
    }
    let budget = query.budget.with_states(effort.states);
    let mut rounds = Rounds::new(program, options, &budget);
    let cyclic = Loops::in_program(program);
    let limit = if cyclic { Limit::Growth } else { Limit::Size };
    let mut verdicts = rounds.attempt(None, Emulation::of(program), goals, limit)?;
    let open = |attempt: &Attempt| matches!(attempt.end, End::Open(_));
    if let Some(deepest) = effort.loops
        && cyclic
        && rounds.story.last().is_some_and(open)
    {
        rounds.deepen(goals, &mut verdicts, deepest)?;
    }
    let answers = goals
        .iter()
        .zip(verdicts)
        .map(|(&goal, verdict)| GoalAnswer { goal, verdict });
    Ok(Answered {
        answers: answers.collect(),
        engine: Some(Engine::Lazy),
        unroll: rounds.story.last().and_then(|last| last.unrolled),
        vacuity: None,
        stats: rounds.stats,
        story: Some(rounds.story),
    })
}

/// Why the question is not answered, if it is not.
fn unsupported(program: &Program, model: Model) -> Option<&'static str> {
    let outside = || {
        let values = Values::of(program);
        let mut sites = program.sites();
        sites.any(|(site, _)| values.addresses(program, site).outside)
    };
    if model.relaxes_store_store() {
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
