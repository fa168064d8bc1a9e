//! What follows a search: the set is verified on the program as given, and each of its places gets a
//! reason; or an execution is shown that no fences prevent.

use super::place::Place;
use super::project::project;
use super::search::{Oracle, Progress, SearchEnd, Set};
use super::{FenceOptions, Obstacle, Outcome, Sets, validate};
use crate::program::Program;
use crate::verdict::{Budget, Defect, Reason};

/// Why what was found by pairs of statements is not known to be right.
const WAITS: &str = "pairs are searched for predicates, and some wait here is none: the explicit engine does not \
     confirm what was found, and `--algorithm hitting-set` asks it about each set";

/// The context of a finished search, for the steps that follow it.
pub(super) struct SearchContext<'a> {
    pub(super) program: &'a Program,
    /// Whether the goals of the search are those of the program. Otherwise they are fewer: whether threads wait
    /// forever is not always a predicate, and a set found by pairs of statements has to be verified by definition.
    pub(super) is_exact: bool,
    pub(super) options: &'a FenceOptions,
    pub(super) budget: &'a Budget,
}

impl SearchContext<'_> {
    /// Why it is open whether a set that suffices for the goals of the search suffices for the program;
    /// `None` if it does.
    pub(super) fn open(&self, set: &[Place]) -> Result<Option<Reason>, Defect> {
        let (program, options) = (self.program, self.options);
        let confirmed =
            self.is_exact || validate::holds_by_definition(program, set, options, self.budget)?;
        Ok((!confirmed).then(|| Reason::Unsupported(WAITS.to_owned())))
    }

    /// The verified result of the search.
    pub(super) fn outcome(
        &self,
        ended: SearchEnd,
        places: &[Place],
        oracle: &mut dyn Oracle,
    ) -> Result<(Outcome, Progress), Defect> {
        let &SearchContext {
            program,
            is_exact: _,
            options,
            budget,
        } = self;
        let progress = match ended {
            SearchEnd::Impossible(obstacle, shortfall, progress) => {
                let wrong = validate::wrong_under_sc(program, options, budget)?;
                let (obstacle, shortfall) = match wrong {
                    Some(wrong) => (Obstacle::Sequential, wrong),
                    None => (obstacle, shortfall),
                };
                let shortfall = project(program, shortfall)?;
                let outcome = Outcome::Impossible {
                    shortfall,
                    obstacle,
                };
                return Ok((outcome, progress));
            }
            SearchEnd::Searched(progress) => progress,
        };
        let Some(best) = &progress.best else {
            let reason = progress.stopped.clone().unwrap_or(Reason::Stopped);
            return Ok((Outcome::Undecided(reason), progress));
        };
        // Places are numbered by location, so sorting puts the sets in program order.
        let mut sets: Vec<&Set> = best.sets.iter().collect();
        sets.sort();
        let mut needed = validate::needed(oracle, sets[0])?;
        for needed in &mut needed {
            needed.without = project(program, needed.without.clone())?;
        }
        let places = |set: &&Set| set.iter().map(|&n| places[n].clone()).collect();
        let sets: Vec<Vec<Place>> = sets.iter().map(places).collect();
        let bounds = best.bounds.as_ref();
        let proof = match validate::validate(program, &sets[0], bounds, options, budget)? {
            Ok(proof) => proof,
            Err(reason) => return Ok((Outcome::Undecided(reason), progress)),
        };
        let found = Sets {
            cost: best.cost,
            optimal: progress.optimal,
            all: progress.all,
            bounds: best.bounds.clone(),
            proof,
            needed,
            sets,
        };
        let outcome = validate::apply_limits(program, found, options, budget)?;
        Ok((outcome, progress))
    }
}
