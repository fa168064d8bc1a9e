//! What a search for goals has visited: configurations, the way to each, and what was found.
//!
//! It outlives the search, so that one that stopped for its budget can go on from here.

use super::ahead::Credit;
use super::order::{Arrival, Order};
use crate::program::{Goal, Program, Site};
use crate::reference::Step;
use crate::reference::pack::{pack_steps, unpack_steps};
use crate::reference::store::Store;

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
    pub(super) at: Place,
    pub(super) suffix: Vec<Step>,
}

/// A configuration that was stored.
#[derive(Clone)]
pub(super) enum Place {
    /// In the present pass, with this number.
    Here(u32),
    /// In an earlier one, on this way.
    Earlier(Way),
}

/// The way to a stored configuration: the steps from each one to the next, starting with the first.
pub(super) type Way = Vec<Vec<Step>>;

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

/// That what seems to be close to a goal comes first, for a while.
#[derive(Clone, Copy, Default)]
pub(super) struct Directed {
    /// So many configurations are stored, up to the last one that is expanded.
    pub(super) stored: usize,
    /// The last goal was found when there were so many.
    pub(super) success: usize,
}

/// One pass through the configurations, from the first one on.
#[derive(Default)]
pub(super) struct Pass {
    /// The sorted configurations, each with the steps to it from its predecessor.
    store: Store,
    /// For each configuration its predecessor; the first one has none, and refers to itself.
    parents: Vec<u32>,
    order: Order,
    /// How far it may still be looked ahead.
    pub(super) credit: Credit,
}

impl Pass {
    /// The number of configurations that are stored.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The way to a stored configuration.
    fn way(&self, to: u32) -> Way {
        let mut way = Vec::new();
        let mut at = to;
        while at != 0 {
            way.push(unpack_steps(self.store.note(at)));
            at = self.parents[at as usize];
        }
        way.reverse();
        way
    }
}

/// What a search for the goals of a program under a model has visited.
#[derive(Default)]
pub struct Visited {
    /// By goal.
    pub(super) found: Vec<Option<Hit>>,
    pub(super) pass: Pass,
    /// The pass to which the search goes back if the present one turns out not to be worth it, and what was spent
    /// until it was left.
    aside: Option<Box<(Pass, usize)>>,
    /// What the configurations count for, where their number is limited. Those of a pass that was not worth it
    /// do not count once it is left: the search would not get as far with them as without.
    pub(super) spent: usize,
    /// How far it is looked ahead.
    pub(super) stage: Stage,
    /// If the present pass is a directed search.
    pub(super) directed: Option<Directed>,
    /// How many directed searches have begun.
    pub(super) directed_searches: usize,
    /// How many configurations there were in passes that are over.
    earlier: usize,
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
        self.len() + self.earlier + aside.map_or(0, |aside| aside.0.len())
    }

    /// Begins a new pass. What was found, executed and left open remains true.
    pub(super) fn begin_again(&mut self) {
        self.begin_trial(Order::default());
        self.end_trial();
    }

    /// Begins a new pass, in this order, from which the search may go back to the present one.
    pub(super) fn begin_trial(&mut self, order: Order) {
        self.leave_pass();
        let next = Pass {
            order,
            credit: self.pass.credit,
            ..Pass::default()
        };
        let present = std::mem::replace(&mut self.pass, next);
        self.aside = Some(Box::new((present, self.spent)));
    }

    /// Goes on with the present pass only.
    pub(super) fn end_trial(&mut self) {
        if let Some(aside) = self.aside.take() {
            self.earlier += aside.0.len();
        }
    }

    /// Whether there is a pass to go back to.
    pub(super) fn may_go_back(&self) -> bool {
        self.aside.is_some()
    }

    /// Goes back to the pass before this one.
    pub(super) fn go_back(&mut self) {
        self.leave_pass();
        if let Some(aside) = self.aside.take() {
            self.earlier += self.len();
            (self.pass, self.spent) = *aside;
        }
    }

    /// Keeps what was found when the configurations on the way to it are no longer at hand.
    fn leave_pass(&mut self) {
        for hit in self.found.iter_mut().flatten() {
            if let Place::Here(at) = hit.at {
                hit.at = Place::Earlier(self.pass.way(at));
            }
        }
    }

    /// Notes that the pending configuration is expanded; returns whether some goal was found there.
    pub(super) fn is_expanded(&mut self, id: u32) -> bool {
        let stored = self.len();
        self.pass.order.is_expanded(stored as u32);
        let mut hits = self.found.iter().flatten();
        let has_found = hits.any(|hit| matches!(hit.at, Place::Here(at) if at == id));
        if let Some(directed) = &mut self.directed {
            directed.stored = stored;
            if has_found {
                directed.success = stored;
            }
        }
        has_found
    }

    /// The number of configurations that are stored in the present pass.
    pub(super) fn len(&self) -> usize {
        self.pass.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A stored configuration, packed.
    pub(super) fn packed(&self, id: u32) -> &[u8] {
        self.pass.store.packed(id)
    }

    /// Makes room for what a search may find, if it begins.
    pub(super) fn prepare(&mut self, program: &Program, goals: &[Goal]) {
        if self.spent == 0 {
            self.found = vec![None; goals.len()];
            let threads = program.threads().iter();
            self.executed = threads
                .map(|thread| vec![false; thread.instructions().len()])
                .collect();
        }
    }

    /// How many levels are expanded.
    pub(super) fn levels(&self) -> u32 {
        self.pass.order.levels()
    }

    /// How many configurations of the present pass are expanded.
    pub(super) fn expanded(&self) -> usize {
        self.pass.order.expanded()
    }

    /// How many configurations wait to be expanded.
    pub(super) fn waiting(&self) -> usize {
        self.len() - self.expanded()
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
    pub(super) fn pending(&mut self) -> Option<u32> {
        self.pass.order.pending(self.pass.parents.len() as u32)
    }

    /// Whether a stored configuration is expanded later than the one that is being expanded.
    pub(super) fn is_later(&self, id: u32, present: u32) -> bool {
        id != present && !self.pass.order.has_expanded(id)
    }

    /// Whether every goal was found in an expansion that is complete: one that was cut short is repeated.
    pub(super) fn has_found_all(&self) -> bool {
        (0..self.found.len()).all(|number| self.is_found_before(number))
    }

    /// Whether a goal was found in an expansion that is complete.
    pub(super) fn is_found_before(&self, number: usize) -> bool {
        self.found[number].as_ref().is_some_and(|hit| match hit.at {
            Place::Here(at) => self.pass.order.has_expanded(at),
            Place::Earlier(_) => true,
        })
    }

    /// The number of a packed configuration of so many threads, and whether it is new.
    pub(super) fn insert(
        &mut self,
        packed: &[u8],
        arrival: &Arrival<'_>,
        threads: usize,
    ) -> (u32, bool) {
        let pass = &mut self.pass;
        let (id, is_new) = pass
            .store
            .insert(packed, |note| pack_steps(arrival.steps, note));
        if is_new {
            pass.parents.push(arrival.from);
            self.spent += 1 + threads / FEW_THREADS + packed.len() / ORDINARY;
        }
        pass.order.reached(id, is_new, arrival);
        (id, is_new)
    }

    /// The way to where a goal was found.
    pub(super) fn way(&self, hit: &Hit) -> Way {
        match &hit.at {
            &Place::Here(at) => self.pass.way(at),
            Place::Earlier(way) => way.clone(),
        }
    }
}
