//! Reachability under TSO, decided by a series of queries under SC \[BCDM15\].
//!
//! ```text
//!            ┌────────────────────────── R := R ⊕ sequences ◀──────────────────┐
//!            ▼                                                                 │
//! R := P ─▶ goal reachable in R under SC? ─no─▶ is R robust? ─no─▶ delays of its witnesses
//!                    │ yes                           │ yes
//!              violated: mapped to              holds: R does under SC
//!              a computation of P               all that P does under TSO
//! ```
//!
//! Store buffers are modelled only where a witness shows that they matter. So a robust program is
//! decided by SC queries alone, for all iterations of its loops and for buffers of any length. A
//! program that is not robust becomes robust after some rounds, or its violation is found under SC.
//!
//! For programs without loops this terminates [BCDM15, Theorem 3], except with `barrier all` (see
//! below). With loops it may not terminate, because each round may find a longer delay. If the
//! program has grown too much, its loops are unrolled instead, further each time
//! [BCDM15, Theorem 4].
//!
//! **Differs from** the paper: programs with loops use the full extension too
//! ([`Exact`](crate::engines::Extension::Exact)). The proof that it neither adds nor removes
//! anything does not require programs without loops. The extension that the paper uses for them
//! ([`Amended`](crate::engines::Extension::Amended)) keeps the delayed store, so no extended program
//! is ever robust.
//!
//! **Invariant.** Every violation is a computation of the program as given, and the reference has
//! replayed it.
//!
//! **Absent.** Models that do not keep stores in order; programs with both `barrier all` and
//! addresses that may be outside shared memory.
//!
//! **Incomplete:** with `barrier all`, robustness is decided by enumerating all computations, which
//! is possible only for programs without loops and with few computations. The cells that show
//! whether threads hold stores may be delayed in turn, so termination is not guaranteed.

mod emulation;
mod extension;
mod oracle;
mod rounds;
mod sequence;
mod unrolled;

pub use emulation::Emulation;
pub use sequence::Sequence;

pub use crate::engines::{Attempt, End, LazyHistory, QueryCost, Round};
use crate::engines::{Engine, Row};
use crate::facts::{Loops, Values};
use crate::model::Model;
use crate::passes::PREDICATES;
use crate::problem::{Answer, Found, GoalShown, Problem};
use crate::program::Program;
use crate::race::Slice;
use crate::verdict::{Defect, Reason};
use rounds::{Limit, Rounds};

/// The default maximum unroll bound: each extension multiplies the size of what is unrolled.
const DEEPEST: u32 = 8;

/// The row in the table of engines.
pub(crate) const LAZY: Row = Row {
    engine: Engine::Lazy,
    deepest: Some(DEEPEST),
    passes: &[PREDICATES],
    suits: is_for,
    decide,
    vacuity: None,
};

/// Whether the model delays stores and this procedure supports it.
fn is_for(model: Model) -> bool {
    model.relaxes_store_load() && !model.relaxes_store_store()
}

/// Decides the goals, in their order, and records how. Loops are unrolled if nothing else decides
/// and no other engine gets a turn: the bounded one does that better.
///
/// # Errors
///
/// If a computation found does not replay.
fn decide(problem: &Problem<'_>, slice: Slice) -> Result<Found, Defect> {
    let &Problem {
        program,
        queries: goals,
        options,
        ..
    } = problem;
    if let Some(why) = unsupported(program, options.model) {
        let reason = Reason::Unsupported(why.to_owned());
        return Ok(Found::open(goals, &reason));
    }
    let mut rounds = Rounds::new(program, options, problem.budget);
    let cyclic = Loops::in_program(program);
    let limit = if cyclic { Limit::Growth } else { Limit::Size };
    let mut verdicts = rounds.attempt(None, Emulation::of(program), goals, limit)?;
    let open = |attempt: &Attempt| matches!(attempt.end, End::Open(_));
    if slice.is_whole() && cyclic && rounds.history.last().is_some_and(open) {
        let deepest = options.unroll.unwrap_or(DEEPEST);
        rounds.deepen(goals, &mut verdicts, deepest)?;
    }
    let answers = goals.iter().zip(verdicts).map(|(&goal, verdict)| Answer {
        query: goal,
        verdict: verdict.map(|run| run.steps()),
    });
    Ok(Found {
        answers: answers.collect(),
        engine: Some(Engine::Lazy),
        unroll: rounds.history.last().and_then(|last| last.unrolled),
        stats: rounds.stats,
        shown: GoalShown {
            history: Some(rounds.history),
            ..GoalShown::default()
        },
    })
}

/// Why the program or model is not supported; `None` if it is.
fn unsupported(program: &Program, model: Model) -> Option<&'static str> {
    let outside = || {
        let values = Values::of(program);
        let mut sites = program.sites();
        sites.any(|(site, _)| values.addresses(program, site).outside)
    };
    if model.relaxes_store_load() && program.has_words() {
        Some(
            "the lazy engine does not support accesses of several cells (`atomic word`): use \
             `--engine bmc` or `--engine explicit`",
        )
    } else if model.relaxes_store_store() {
        Some(
            "the lazy engine supports only models that keep stores in order: use `--engine bmc` \
             or `--engine explicit`",
        )
    } else if model.relaxes_store_load() && program.has_barrier() && outside() {
        Some(
            "the lazy engine does not support `barrier all` together with an address that may be \
             outside shared memory: use `--engine bmc` or `--engine explicit`",
        )
    } else {
        None
    }
}
