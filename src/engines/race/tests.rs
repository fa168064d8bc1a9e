//! Races of engines that need a known amount of work, each in one slice.

use super::*;
use crate::formats::parse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Engines that answer in a slice of so much work, by engine.
struct Known {
    needed: Vec<(Engine, u64)>,
    /// The turns: the engine, and how many units it got.
    turns: Vec<(Engine, u64)>,
    /// The flag is raised in the turn of this number.
    stop: Option<(usize, Arc<AtomicBool>)>,
}

impl Known {
    fn new(needed: &[(Engine, u64)]) -> Self {
        Self {
            needed: needed.to_vec(),
            turns: Vec::new(),
            stop: None,
        }
    }

    /// What all turns have cost.
    fn cost(&self) -> u64 {
        self.turns.iter().map(|(_, work)| work).sum()
    }
}

impl Race for Known {
    type Results = Option<Engine>;

    fn is_enough(&self, known: &Option<Engine>) -> bool {
        known.is_some()
    }

    fn turn(
        &mut self,
        _: &Option<Engine>,
        engine: Engine,
        slice: Slice,
    ) -> Result<Turn<Option<Engine>>, Defect> {
        if let Some((turn, flag)) = &self.stop
            && *turn == self.turns.len()
        {
            flag.store(true, Ordering::Relaxed);
        }
        let work = slice.now.map_or(u64::MAX, |work| work.0);
        self.turns.push((engine, work));
        let own = self.needed.iter().find(|(other, _)| *other == engine);
        Ok(match own {
            None => Turn::Absent,
            Some((_, 0)) => Turn::Over(None),
            Some((_, needed)) if *needed <= work => Turn::Over(Some(engine)),
            Some(_) => Turn::GoesOn(None),
        })
    }

    fn merge(&self, known: Option<Engine>, more: Option<Engine>) -> Option<Engine> {
        known.or(more)
    }
}

/// A race of the usual entrants, about a small program.
fn start() -> Standing {
    let program = parse("thread t { }").program;
    Standing::new(&ENTRANTS, None, &program.expect("no errors in the text"))
}

/// Who wins a race of the usual entrants.
fn raced(race: &mut Known) -> Option<Engine> {
    let mut standing = start();
    let winner = standing.go_on(race, None, ROUNDS, &Budget::default());
    winner.expect("no defect")
}

/// An entrant that would need this is never done.
const NEVER: u64 = u64::MAX - 1;

#[test]
fn a_race_costs_a_constant_times_what_the_best_needs_whoever_that_is() {
    let all: u64 = ENTRANTS.iter().map(|entrant| entrant.weight).sum();
    for best in ENTRANTS {
        for needed in (8..28).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]) {
            let needs = |entrant: Entrant| {
                let is_best = entrant.engine == best.engine;
                (entrant.engine, if is_best { needed } else { NEVER })
            };
            let mut race = Known::new(&ENTRANTS.map(needs));
            assert_eq!(raced(&mut race), Some(best.engine));
            let first = UNIT.times(best.weight << best.rounds.0);
            let most = 4 * all * needed.max(first.0) / best.weight;
            assert!(race.cost() <= most, "{best:?} {needed}: {}", race.cost());
        }
    }
}

#[test]
fn the_turns_are_always_the_same() {
    let mut race = Known::new(&[(Engine::Explicit, 9 * UNIT.0), (Engine::Bmc, 4 * UNIT.0)]);
    assert_eq!(raced(&mut race), Some(Engine::Bmc));
    let turns = [
        (Engine::Explicit, 2),
        (Engine::Bmc, 1),
        (Engine::Explicit, 4),
        (Engine::Bmc, 2),
        (Engine::Explicit, 8),
        (Engine::Bmc, 4),
    ];
    let turns = turns.map(|(engine, units)| (engine, units * UNIT.0));
    assert_eq!(race.turns, turns);
}

#[test]
fn one_that_is_absent_or_done_gets_no_further_turn() {
    let mut race = Known::new(&[(Engine::Lazy, 1)]);
    assert_eq!(raced(&mut race), Some(Engine::Lazy));
    let turns: Vec<Engine> = race.turns.iter().map(|&(engine, _)| engine).collect();
    assert_eq!(turns, [Engine::Explicit, Engine::Bmc, Engine::Lazy]);
    // None of them finds an answer.
    let mut race = Known::new(&[(Engine::Explicit, 0), (Engine::Bmc, 0)]);
    assert_eq!(raced(&mut race), None);
    assert_eq!(race.turns.len(), ENTRANTS.len());
}

#[test]
fn in_the_last_round_work_is_not_limited() {
    let mut race = Known::new(&[(Engine::Bmc, u64::MAX), (Engine::Ic3, u64::MAX)]);
    assert_eq!(raced(&mut race), Some(Engine::Bmc));
    let last = race.turns.iter().filter(|(_, work)| *work == u64::MAX);
    assert_eq!(last.count(), 1, "the inductive engine is not asked");
}

#[test]
fn the_stop_flag_ends_a_race_after_a_turn_and_the_round_is_repeated() {
    let flag = Arc::new(AtomicBool::new(false));
    let budget = Budget::with_stop(Arc::clone(&flag));
    let mut race = Known::new(&[(Engine::Explicit, 4 * UNIT.0), (Engine::Bmc, NEVER)]);
    race.stop = Some((1, Arc::clone(&flag)));
    let mut standing = start();
    let go_on = |standing: &mut Standing, race: &mut Known| {
        let known = standing.go_on(race, None, ROUNDS, &budget);
        known.expect("no defect")
    };
    assert_eq!(go_on(&mut standing, &mut race), None);
    assert_eq!(race.turns.len(), 2);
    // One turn is made even then.
    assert_eq!(go_on(&mut standing, &mut race), None);
    assert_eq!(race.turns.len(), 3);
    flag.store(false, Ordering::Relaxed);
    assert_eq!(go_on(&mut standing, &mut race), Some(Engine::Explicit));
    let units = [2, 1, 2, 2, 1, 4].map(|units| units * UNIT.0);
    let turns: Vec<u64> = race.turns.iter().map(|&(_, work)| work).collect();
    assert_eq!(turns, units);
}

#[test]
fn a_race_in_parts_has_the_same_turns() {
    let needs = [(Engine::Explicit, NEVER), (Engine::Bmc, 300 * UNIT.0)];
    let mut at_once = Known::new(&needs);
    assert_eq!(raced(&mut at_once), Some(Engine::Bmc));
    let mut in_parts = Known::new(&needs);
    let mut standing = start();
    let mut known = None;
    for rounds in [2, 3, 3, 7, ROUNDS] {
        let found = standing.go_on(&mut in_parts, known, rounds, &Budget::default());
        known = found.expect("no defect");
    }
    assert_eq!(known, Some(Engine::Bmc));
    assert_eq!(in_parts.turns, at_once.turns);
}
