//! The race: several engines get more and more work in turn, until the question is answered.
//!
//! ```text
//! round 0:  2·u explicit   u bmc
//! round 1:  4·u explicit  2·u bmc
//! round 2:  8·u explicit  4·u bmc  4·u lazy      an engine may enter late, and leaves when it is done
//!    ⋮
//! ```
//!
//! In round `k` each entrant gets a *slice* of `weight · u · 2^k` units of [work](crate::work), in an order that
//! never changes. So the same one wins whatever else the machine does.
//!
//! **Theorem.** Let an entrant of weight `w` need `n` units for the answer, if it gets them at once, and let `W` be the
//! sum of all weights. The race takes at most `4 · W/w · max(n, w·u·2^from)` units, also if every entrant begins
//! anew in each round: the first slice of at least `n` is shorter than `2·n` unless it is the first one, and the rounds
//! up to it take `2 · W/w` times that. An entrant that goes on where it has stopped needs half as much.
//!
//! **Invariant.** Which engine answers affects the cost and never the answer.

use crate::problem::Engine;
use crate::program::Program;
use crate::verdict::{Budget, Defect};
use crate::work::{BRIEF, Work};

/// Who takes part in a race, and with how much work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entrant {
    pub(crate) engine: Engine,
    /// Its share of a round.
    weight: u64,
    /// The first round in which it takes part, and the first one in which it no longer does.
    rounds: (u32, u32),
}

/// Those who take part. For attacks, the bounded engine is the search for cycles on the event graph.
///
/// Most programs that people write have few configurations, which are visited sooner than a formula is
/// made. Unrolling loops a few times finds most violations. The other two are for what these leave open, and
/// cost more to begin with. They may go on forever, so that they get no more than some 16 and 64 seconds at once.
pub(crate) const ENTRANTS: [Entrant; 4] = [
    entrant(Engine::Explicit, 2, (0, ROUNDS)),
    entrant(Engine::Bmc, 1, (0, ROUNDS)),
    entrant(Engine::Lazy, 1, (2, 12)),
    entrant(Engine::Ic3, 1, (2, 14)),
];

/// The work of an entrant of weight 1 in the first round: about a hundredth of a second.
const UNIT: Work = Work(BRIEF.0 / 128);

/// The number of rounds. In the last one, slices are not limited. All those before take a quarter of an hour.
pub(crate) const ROUNDS: u32 = 16;

const fn entrant(engine: Engine, weight: u64, rounds: (u32, u32)) -> Entrant {
    Entrant {
        engine,
        weight,
        rounds,
    }
}

impl Entrant {
    /// The only one.
    pub(crate) fn alone(engine: Engine) -> Self {
        entrant(engine, 1, (0, ROUNDS))
    }
}

/// How much an engine may do before others get their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slice {
    /// The work in this slice; `None` if it is not limited.
    now: Option<Work>,
    /// The work in all slices so far, with this one.
    in_all: Work,
}

impl Slice {
    /// All that options and budget allow.
    pub(crate) const WHOLE: Slice = Slice {
        now: None,
        in_all: Work(u64::MAX),
    };

    /// Whether the work is limited by options and budget only.
    pub(crate) fn is_whole(self) -> bool {
        self.now.is_none()
    }

    /// Whether the slice is at least so large.
    pub(crate) fn is_at_least(self, work: Work) -> bool {
        self.now.is_none_or(|now| now >= work)
    }

    /// Whether the slice is at least as large as another one.
    pub(crate) fn is_as_large_as(self, other: Slice) -> bool {
        other
            .now
            .map_or(self.is_whole(), |work| self.is_at_least(work))
    }

    /// The part of a budget for engines that count their work. The number of configurations is limited for
    /// all slices together: a search that goes on has visited those of earlier slices.
    pub(crate) fn of(self, budget: &Budget) -> Budget {
        let visiting = self.in_all.of_searches(budget);
        match self.now {
            Some(work) => visiting.with_work(work.0),
            None => visiting,
        }
    }
}

/// A turn of an entrant.
pub(crate) enum Turn<R> {
    /// It cannot contribute anything.
    Absent,
    /// It does nothing in a slice that is so small.
    Waits,
    /// It may find out more with more work.
    GoesOn(R),
    /// It has found out all that it can.
    Over(R),
}

/// Queries that several engines can answer.
pub(crate) trait Race {
    /// What is known about all queries.
    type Results;

    /// Whether no further turn is worthwhile.
    fn is_enough(&self, known: &Self::Results) -> bool;

    /// What an engine finds out in one slice.
    ///
    /// # Errors
    ///
    /// If an engine has a defect.
    fn turn(
        &mut self,
        known: &Self::Results,
        engine: Engine,
        slice: Slice,
    ) -> Result<Turn<Self::Results>, Defect>;

    /// Merges two results.
    fn merge(&self, known: Self::Results, more: Self::Results) -> Self::Results;
}

/// How far a race has come.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Those who are left, each with the work that it has got.
    left: Vec<(Entrant, Work)>,
    /// The next round.
    round: u32,
    /// The work of an entrant of weight 1 in the first round.
    unit: Work,
}

impl Standing {
    /// Before the first round, with this much work in it for an entrant of weight 1. The default is no less than it
    /// takes to prepare the program, which is done again in each slice.
    pub(crate) fn new(entrants: &[Entrant], unit: Option<u64>, program: &Program) -> Self {
        let default = || UNIT.max(Work::preparing(program));
        Self {
            unit: unit.map_or_else(default, Work),
            left: entrants.iter().map(|&one| (one, Work(0))).collect(),
            round: 0,
        }
    }

    /// Whether all rounds are over.
    pub(crate) fn is_over(&self) -> bool {
        self.round >= ROUNDS || self.left.is_empty()
    }

    /// Goes through the rounds before this one, until the results are sufficient or the stop flag is raised. The first
    /// turn is always made. A round that was stopped is repeated if the race goes on.
    ///
    /// # Errors
    ///
    /// If an engine has a defect.
    pub(crate) fn go_on<R: Race>(
        &mut self,
        race: &mut R,
        mut known: R::Results,
        rounds: u32,
        budget: &Budget,
    ) -> Result<R::Results, Defect> {
        let mut is_first = true;
        while self.round < rounds && !self.is_over() {
            let round = self.round;
            for (entrant, in_all) in std::mem::take(&mut self.left) {
                let (from, to) = entrant.rounds;
                let has_time = is_first || !budget.is_stopped();
                if round < from || !has_time || race.is_enough(&known) {
                    self.left.push((entrant, in_all));
                    continue;
                }
                let work = self.unit.times(entrant.weight << round);
                let slice = if round + 1 == ROUNDS {
                    Slice::WHOLE
                } else {
                    Slice {
                        now: Some(work),
                        in_all: Work(in_all.0 + work.0),
                    }
                };
                is_first = false;
                let (more, goes_on) = match race.turn(&known, entrant.engine, slice)? {
                    Turn::Absent => (None, false),
                    Turn::Waits => (None, true),
                    Turn::GoesOn(more) => (Some(more), true),
                    Turn::Over(more) => (Some(more), false),
                };
                if goes_on && round + 1 < to {
                    self.left.push((entrant, slice.in_all));
                }
                if let Some(more) = more {
                    known = race.merge(known, more);
                }
            }
            if budget.is_stopped() || race.is_enough(&known) {
                break;
            }
            self.round += 1;
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests;
