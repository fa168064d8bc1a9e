//! From pairs to places: cheapest fences that keep pairs of statements in order.
//!
//! One fence may order many pairs. A pair `(a, b)` is in order if every path from `a` to `b` passes
//! a fence. So a set of places orders all pairs if it contains, for each such path, a place on the
//! path. There are too many paths to list them all; the relevant ones are found one by one:
//!
//! ```text
//!   chosen := ∅
//!   while some path of some pair avoids chosen:  clause: one of the places on it;  chosen := cheapest
//! ```
//!
//! This needs no engine: a fence on every path keeps a pair in order, and the pairs suffice.
//!
//! **Not optimal by itself:** the result is the least cost of ordering these pairs. Another
//! smallest set of pairs may need cheaper fences, and paths that no execution takes are counted
//! too.

use super::Pair;
use crate::facts::Values;
use crate::fences::Place;
use crate::program::{Addr, FenceKind, InstrId, LocId, Program, ThreadId};
use crate::solve::{Cheapest, Choice, SolverKind};
use crate::verdict::Budget;
use ahash::AHashMap;
use std::collections::VecDeque;

/// The result of placing fences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placing {
    /// Fences at these places order all pairs on all paths, and no cheaper set does.
    Found {
        /// The places, in their order.
        places: Vec<Place>,
        /// The total cost.
        cost: u64,
    },
    /// No place is allowed on some path of this pair.
    Impossible(Pair),
    /// Cancelled.
    Stopped,
}

/// The cheapest of these places that keep all pairs in order. Requires pairs that a model may
/// reorder.
pub fn places_of(program: &Program, pairs: &[Pair], among: &[Place], budget: &Budget) -> Placing {
    let mut cheapest = Cheapest::new(SolverKind::default(), budget);
    let mut by_point: AHashMap<(ThreadId, LocId), Vec<usize>> = AHashMap::new();
    for (number, place) in among.iter().enumerate() {
        cheapest.element(place.cost);
        for &point in &place.points {
            by_point.entry(point).or_default().push(number);
        }
    }
    let values = Values::of(program);
    let all_paths: Vec<PairPaths<'_>> = pairs
        .iter()
        .map(|&pair| PairPaths::new(program, &values, pair, among, &by_point))
        .collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut cost = 0;
    loop {
        let mut avoided = false;
        for paths in &all_paths {
            let Some(path) = paths.avoiding(&chosen) else {
                continue;
            };
            let hits = paths.places_on(&path);
            if hits.is_empty() {
                return Placing::Impossible(paths.pair);
            }
            cheapest.clause(&hits, &[]);
            avoided = true;
        }
        if !avoided {
            let places = chosen.iter().map(|&number| among[number].clone()).collect();
            return Placing::Found { places, cost };
        }
        match cheapest.cheapest() {
            Choice::Found {
                chosen: now,
                cost: least,
            } => (chosen, cost) = (now, least),
            // Every clause has an element.
            Choice::Impossible | Choice::Stopped => return Placing::Stopped,
        }
    }
}

/// The paths of one pair.
struct PairPaths<'a> {
    program: &'a Program,
    pair: Pair,
    among: &'a [Place],
    by_point: &'a AHashMap<(ThreadId, LocId), Vec<usize>>,
    /// The cells that the first statement may store to.
    cells: Vec<Addr>,
    /// Whether the second statement is a store as well.
    stores: bool,
}

impl<'a> PairPaths<'a> {
    fn new(
        program: &'a Program,
        values: &Values,
        pair: Pair,
        among: &'a [Place],
        by_point: &'a AHashMap<(ThreadId, LocId), Vec<usize>>,
    ) -> Self {
        Self {
            program,
            pair,
            among,
            by_point,
            cells: values.addresses(program, pair.0).cells,
            stores: program.instruction(pair.1).op.is_store(),
        }
    }

    /// The locations along a shortest path from the first statement to the second that passes none
    /// of these places, and nothing else that orders the two.
    fn avoiding(&self, chosen: &[usize]) -> Option<Vec<LocId>> {
        let is_free = |loc: LocId| self.places_at(loc).all(|place| !chosen.contains(&place));
        let thread = self.program.thread(self.pair.0.thread);
        let (first, second) = (
            self.program.instruction(self.pair.0),
            self.program.instruction(self.pair.1),
        );
        if self
            .exchanges(first.from)
            .any(|place| chosen.contains(&place))
            || !is_free(first.to)
        {
            return None;
        }
        let mut came: Vec<Option<InstrId>> = vec![None; thread.locations().len()];
        let mut seen = vec![false; thread.locations().len()];
        seen[first.to.index()] = true;
        let mut queue = VecDeque::from([first.to]);
        while let Some(loc) = queue.pop_front() {
            if loc == second.from {
                let mut path = vec![loc];
                let mut at = loc;
                while let Some(instr) = came[at.index()] {
                    at = thread.instruction(instr).from;
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
            for &instr in thread.outgoing(loc) {
                let instruction = thread.instruction(instr);
                let (op, to) = (&instruction.op, instruction.to);
                let orders = op.drains() || self.stores && op.orders_stores_to(&self.cells);
                if !orders && is_free(to) && !std::mem::replace(&mut seen[to.index()], true) {
                    came[to.index()] = Some(instr);
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// The places that order the pair on this path, each once.
    fn places_on(&self, path: &[LocId]) -> Vec<usize> {
        let first = self.program.instruction(self.pair.0).from;
        let mut places: Vec<usize> = path.iter().flat_map(|&loc| self.places_at(loc)).collect();
        places.extend(self.exchanges(first));
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The places that order the pair if a path passes a location.
    fn places_at(&self, loc: LocId) -> impl Iterator<Item = usize> + '_ {
        let suits = |&place: &usize| match self.among[place].kind {
            FenceKind::Full | FenceKind::Exchange => true,
            FenceKind::Store => self.stores,
        };
        self.all_at(loc).filter(suits)
    }

    /// The places that turn the stores leaving a location into exchanges.
    fn exchanges(&self, loc: LocId) -> impl Iterator<Item = usize> + '_ {
        let suits = |&place: &usize| self.among[place].kind == FenceKind::Exchange;
        self.all_at(loc).filter(suits)
    }

    fn all_at(&self, loc: LocId) -> impl Iterator<Item = usize> + '_ {
        let here = self.by_point.get(&(self.pair.0.thread, loc));
        here.into_iter().flatten().copied()
    }
}
