//! How far threads are from where a goal needs them: a guess at how far a configuration is from a goal.

use super::hopeless::needs;
use crate::facts::{Flow, Least};
use crate::program::{Goal, Instruction, LocId, Program, PropertyKind, Thread, ThreadId};
use crate::reference::machine::Config;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Tables of more entries than this are not made.
const MOST: usize = 1 << 20;

/// With more targets than this, each configuration would take long to compare with them all.
const MOST_TARGETS: usize = 1 << 8;

/// What is to be reached.
#[derive(Default)]
pub(super) struct Distance {
    targets: Vec<Target>,
    /// By thread and target of it: the steps of its control from each location.
    tables: Vec<(ThreadId, Vec<u32>)>,
}

/// Where some goals need threads.
struct Target {
    /// By index into the tables.
    threads: SmallVec<[usize; 2]>,
    /// The goals, by index.
    goals: Vec<usize>,
}

/// Where a thread has to get: to one of these locations.
type Place = (ThreadId, BTreeSet<LocId>);

impl Distance {
    /// If there are too many goals at too many places, all configurations are equally far from them.
    pub(super) fn new(program: &Program, goals: &[Goal]) -> Self {
        let mut by_places: BTreeMap<BTreeSet<Place>, Vec<usize>> = BTreeMap::new();
        for (number, &goal) in goals.iter().enumerate() {
            by_places
                .entry(places(program, goal))
                .or_default()
                .push(number);
        }
        let all: BTreeSet<&Place> = by_places.keys().flatten().collect();
        let entries = |(thread, _): &&Place| program.thread(*thread).locations().len();
        if by_places.len() > MOST_TARGETS || all.iter().map(entries).sum::<usize>() > MOST {
            return Self::default();
        }
        let index: BTreeMap<&Place, usize> = all.iter().copied().zip(0..).collect();
        let targets = by_places.iter().map(|(places, goals)| Target {
            threads: places.iter().map(|place| index[place]).collect(),
            goals: goals.clone(),
        });
        let tables = all.iter().map(|&(id, to)| {
            let thread = program.thread(*id);
            let far = distances(thread, |loc| to.contains(&loc), |_| 1);
            // Where no path leads there: more than any.
            let never = thread.locations().len();
            let far = far.into_iter().map(|far| far.unwrap_or(never) as u32);
            (*id, far.collect())
        });
        Self {
            targets: targets.collect(),
            tables: tables.collect(),
        }
    }

    /// Keeps what some of these goals need.
    pub(super) fn keep(&mut self, is_open: impl Fn(usize) -> bool) {
        self.targets
            .retain(|target| target.goals.iter().any(|&goal| is_open(goal)));
    }

    /// How many steps of their control the threads are away from where some goal needs them, at least.
    pub(super) fn of(&self, config: &Config) -> u32 {
        let far = |&table: &usize| {
            let (thread, far) = &self.tables[table];
            far[config.locations[thread.index()].index()]
        };
        let targets = self.targets.iter();
        let sums = targets.map(|target| target.threads.iter().map(far).sum());
        sums.min().unwrap_or(0)
    }
}

/// Where a goal needs threads.
fn places(program: &Program, goal: Goal) -> BTreeSet<Place> {
    let ends = match goal {
        Goal::Assert(_) | Goal::Outside(_) => false,
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::FinalAssert | PropertyKind::Exists => true,
            PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
        },
    };
    if ends {
        let ends = |thread: &Thread| {
            let locations = (0..thread.locations().len()).map(LocId::from);
            locations.filter(|&loc| thread.is_end(loc)).collect()
        };
        let threads = program.thread_ids();
        threads.map(|id| (id, ends(program.thread(id)))).collect()
    } else {
        let needs = needs(program, goal).into_iter();
        needs.map(|(thread, loc)| (thread, [loc].into())).collect()
    }
}

/// The fewest steps from each location of a thread to one of these, where an instruction takes so many;
/// `None` where none leads there.
pub(super) fn distances(
    thread: &Thread,
    is_target: impl Fn(LocId) -> bool,
    cost: impl Fn(&Instruction) -> usize,
) -> Vec<Option<usize>> {
    let locations = (0..thread.locations().len()).map(LocId::from);
    let there = locations.map(|loc| is_target(loc).then_some(Least(0)));
    let far = Flow::backward(thread).solve(there.collect(), |_, instruction, rest| {
        rest.map(|Least(rest)| Least(rest + cost(instruction)))
    });
    far.into_iter().map(|far| far.map(|far| far.0)).collect()
}
