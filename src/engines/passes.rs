//! Passes: what makes a problem easier, with the same answers and a way back for evidence.
//!
//! A pass stands between those who ask and those who decide. It gets a [`Problem`], asks easier ones of what
//! is below it, and turns their answers into those of its own: [`through`] is the whole mechanism. A pass may
//! ask several times, as the answers require it, so it is written as one procedure and not as a pair of
//! "apply" and "lift". Evidence goes back as steps. No pass replays them: [`Found::replayed`] does, once, at the top.
//!
//! | pass | theorem | is asked | where |
//! |---|---|---|---|
//! | [`alike`] | a goal or an attack of one of several symmetric threads is that of each | about any problem | `alike` |
//! | [`cone`] | only threads that influence a goal or an attack matter to it | about any problem | `cone` |
//! | `to-sc` | a robust program does under a model what it does under SC | about any problem | `check` |
//! | [`predicates`] | waiting forever is a predicate of one configuration | by engines that decide only these | `predicates` |
//! | [`slice`](mod@slice) | only data and branches that influence a goal matter to it | by the explicit engine | `slice` |
//! | [`split`] | goals may be decided one by one, each on its slice | by the explicit engine | `split` |
//! | `too-late` | an attack needs a helper that still gets to where its cycle leads | by the explicit engine | `robustness` |
//!
//! Each pass can be switched off, and forced where it is possible but would not pay ([`When`]). One law is
//! tested for all of them, alone and in pairs: verdicts are the same, and evidence replays.

mod alike;
mod cone;
mod predicates;
mod slice;
mod split;

pub(crate) use predicates::{NOT_STATED, PREDICATES, waiting};
pub(crate) use slice::SLICE;
pub(crate) use split::SPLIT;

pub(crate) use crate::techniques::{PassName, When};

use crate::problem::{Found, Problem, Query, QueryOptions};
use crate::program::Goal;
use crate::verdict::Defect;

/// What decides the easier problems: the passes that come next, and an engine at the end.
pub(crate) type Below<'a, Q = Goal> = &'a dyn Fn(&Problem<'_, Q>) -> Result<Found<Q>, Defect>;

/// How a pass decides.
type Decide<Q> = fn(&Problem<'_, Q>, When, Below<'_, Q>) -> Result<Option<Found<Q>>, Defect>;

/// A procedure that makes problems easier.
pub(crate) struct Pass<Q: Query = Goal> {
    pub(crate) name: PassName,
    /// The answers to a problem, by what is below; `None` if the pass does not make it easier. It is told
    /// whether to do what is possible or what pays.
    pub(crate) decide: Decide<Q>,
}

/// The answers to a problem that goes through these passes, the first one first, and then to `last`.
///
/// # Errors
///
/// If an engine or a pass has a defect.
pub(crate) fn through<Q: Query>(
    passes: &[Pass<Q>],
    problem: &Problem<'_, Q>,
    last: Below<'_, Q>,
) -> Result<Found<Q>, Defect> {
    let Some((pass, rest)) = passes.split_first() else {
        return last(problem);
    };
    let below = |problem: &Problem<'_, Q>| through(rest, problem, last);
    let when = problem.options.techniques().passes.when(pass.name);
    let found = if when == When::Never {
        None
    } else {
        (pass.decide)(problem, when, &below)?
    };
    found.map_or_else(|| below(problem), Ok)
}
