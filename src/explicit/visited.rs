//! What a search for goals has visited: configurations, the way to each, and what was found.
//!
//! It outlives the search, so that one that stopped for its budget can go on from here.

use super::Step;
use super::ahead::Credit;
use super::pack::pack_steps;
use super::store::Store;
use crate::program::{Goal, Program, Site};

/// A configuration of this many bytes or more counts as several where the number is limited: buffers
/// that grow without end would cost as much time and memory as their number squared.
const ORDINARY: usize = 128;

/// The same for one of a program with this many threads or more: to sort them, and to find those whose
/// steps are enough, takes time that grows with their number.
const FEW_THREADS: usize = 5;

/// Where a goal, or another of its orbit, was reached: a stored configuration and the steps from it.
#[derive(Clone)]
pub(super) struct Hit {
    /// The goal that was reached there, by index.
    pub(super) goal: usize,
    pub(super) at: u32,
    pub(super) suffix: Vec<Step>,
}

/// How far a search looks ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Stage {
    /// Not at all.
    #[default]
    Near,
    /// To what one other thread does.
    OneThread,
    /// To what several do, to see what that is worth: so many configurations were visited without it until
    /// so many levels were expanded.
    Trial { visited: usize, levels: u32 },
    /// To what several do, if it has turned out to be worth it.
    Decided,
}

/// What waits while another way is tried.
struct Aside {
    store: Store,
    parents: Vec<u32>,
    expanded: u32,
    levels: u32,
    level_end: u32,
    credit: Credit,
}

/// What a search for the goals of a program under a model has visited.
#[derive(Default)]
pub struct Visited {
    /// By goal.
    pub(super) found: Vec<Option<Hit>>,
    /// The sorted configurations, each with the steps to it from its predecessor.
    pub(super) store: Store,
    /// For each configuration its predecessor; the first one has none, and refers to itself.
    parents: Vec<u32>,
    /// How many of the configurations are expanded: the first ones.
    pub(super) expanded: u32,
    /// What the configurations count for, where their number is limited.
    pub(super) spent: usize,
    /// How far it is looked ahead.
    pub(super) stage: Stage,
    /// How many configurations there were in earlier stages.
    earlier: usize,
    /// How many levels are expanded: all that are so many stored configurations away from the first one.
    pub(super) levels: u32,
    /// Where the next level ends.
    level_end: u32,
    /// The search without what is tried.
    aside: Option<Box<Aside>>,
    /// How far it may still be looked ahead.
    pub(super) credit: Credit,
    /// By thread and instruction: whether it was executed.
    pub(super) executed: Vec<Vec<bool>>,
    /// The first `nondet` over too many values.
    pub(super) too_wide: Option<Site>,
    /// Whether some configuration was left out because no goal can be reached from it.
    pub(super) omitted: bool,
    /// Whether it was left open somewhere who waits forever.
    pub(super) gave_up: bool,
}

impl Visited {
    /// How many configurations were visited, before the search began again, too.
    pub(crate) fn states(&self) -> usize {
        let aside = self.aside.as_ref();
        self.len() + self.earlier + aside.map_or(0, |aside| aside.parents.len())
    }

    /// Forgets all configurations and goes on to another stage, unless a goal was reached; returns whether it
    /// does. What was executed and left open remains true.
    pub(super) fn begin_again(&mut self, stage: Stage) -> bool {
        let begins = self.begin_trial(stage);
        self.decide_trial();
        begins
    }

    /// The same, but keeps the configurations: the search may go back to them.
    pub(super) fn begin_trial(&mut self, stage: Stage) -> bool {
        if self.has_found_any() {
            return false;
        }
        self.stage = stage;
        self.aside = Some(Box::new(Aside {
            store: std::mem::take(&mut self.store),
            parents: std::mem::take(&mut self.parents),
            expanded: std::mem::take(&mut self.expanded),
            levels: std::mem::take(&mut self.levels),
            level_end: std::mem::replace(&mut self.level_end, 1),
            credit: self.credit,
        }));
        true
    }

    /// Forgets what was kept.
    pub(super) fn decide_trial(&mut self) {
        if let Some(aside) = self.aside.take() {
            self.earlier += aside.parents.len();
        }
    }

    /// Goes back to what was kept, unless a goal was reached since; returns whether it does.
    pub(super) fn go_back(&mut self) -> bool {
        if self.has_found_any() {
            self.decide_trial();
            return false;
        }
        let Some(aside) = self.aside.take() else {
            return false;
        };
        self.earlier += self.len();
        let Aside {
            store,
            parents,
            expanded,
            levels,
            level_end,
            credit,
        } = *aside;
        self.store = store;
        self.parents = parents;
        self.expanded = expanded;
        self.levels = levels;
        self.level_end = level_end;
        self.credit = credit;
        true
    }

    fn has_found_any(&self) -> bool {
        self.found.iter().any(Option::is_some)
    }

    /// Notes that a configuration is expanded.
    pub(super) fn is_expanded(&mut self) {
        self.expanded += 1;
        if self.expanded >= self.level_end {
            self.levels += 1;
            self.level_end = self.len() as u32;
        }
    }

    /// The number of configurations that are stored.
    fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Makes room for what a search may find, if it begins.
    pub(super) fn prepare(&mut self, program: &Program, goals: &[Goal]) {
        if self.is_empty() {
            self.found = vec![None; goals.len()];
            let threads = program.threads().iter();
            self.executed = threads
                .map(|thread| vec![false; thread.instructions().len()])
                .collect();
        }
    }

    /// How many configurations wait to be expanded.
    pub(super) fn waiting(&self) -> usize {
        self.len() - self.expanded as usize
    }

    /// Records what was executed in addition.
    pub(super) fn was_executed(&mut self, executed: &[Vec<bool>]) {
        for (known, more) in self.executed.iter_mut().zip(executed) {
            for (known, more) in known.iter_mut().zip(more) {
                *known |= more;
            }
        }
    }

    /// The next configuration to expand.
    pub(super) fn pending(&self) -> Option<u32> {
        ((self.expanded as usize) < self.len()).then_some(self.expanded)
    }

    /// Whether every goal was found in an expansion that is complete: one that was cut short is repeated.
    pub(super) fn has_found_all(&self) -> bool {
        (0..self.found.len()).all(|number| self.is_found_before(number))
    }

    /// Whether some goal was found in the expansion of a configuration.
    pub(super) fn has_found_at(&self, id: u32) -> bool {
        self.found.iter().flatten().any(|hit| hit.at == id)
    }

    /// Whether a goal was found in an expansion that is complete.
    pub(super) fn is_found_before(&self, number: usize) -> bool {
        let hit = self.found[number].as_ref();
        hit.is_some_and(|hit| hit.at < self.expanded)
    }

    /// The number of a packed configuration of so many threads, reached by these steps from another one,
    /// and whether it is new.
    pub(super) fn insert(
        &mut self,
        packed: &[u8],
        from: u32,
        steps: &[Step],
        threads: usize,
    ) -> (u32, bool) {
        let (id, is_new) = self.store.insert(packed, |note| pack_steps(steps, note));
        if is_new {
            self.parents.push(from);
            self.spent += 1 + threads / FEW_THREADS + packed.len() / ORDINARY;
        }
        (id, is_new)
    }

    /// The configurations on the way to this one, but for the first.
    pub(super) fn path(&self, to: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = to;
        while at != 0 {
            path.push(at);
            at = self.parents[at as usize];
        }
        path.reverse();
        path
    }
}
