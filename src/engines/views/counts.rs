//! Counts: what any number of copies may reach, if only none, one and *many* of them are told apart.
//!
//! A view shows some copies and not what the others do. So it cannot show that some other copy must be
//! there: the one that holds a lock, say. Goals about all threads need that, because copies wait forever
//! only if none is there that lets them go on. Here, a configuration is a control with its *counts*: for
//! each local state, whether no, one or more copies have it [Pnueli, Xu, Zuck, CAV 2002].
//!
//! ```text
//! (first)   one or many copies of each class have its first local state
//! (single)  a single thread moves g to g'      ─▶ the counts stay
//! (copy)    a copy moves g to g' and l to l'   ─▶ in l one becomes none, and many becomes one or many;
//!                                                 in l' none becomes one, and one and many become many
//! ```
//!
//! **Invariant.** Every configuration with at least one copy of each class has counts, each step of it is
//! one of these, and the first configuration of every instance has those of (first). So a goal that no
//! counts show is reached by no number of copies, be they few or many. A local state that is not counted
//! belongs to no copy: then a configuration is stuck only if each local state that is counted waits or has
//! ended.
//!
//! **Incomplete:** many is not a number. A goal about three named copies may be shown though there are never
//! more than two.

use super::intern::Interner;
use super::search::{End, Search};
use super::stepper::Stepper;
use crate::program::Goal;
use crate::verdict::Budget;

/// The stop flag is polled after this many counts.
const POLLED: usize = 256;

/// The search for all counts.
pub(super) struct Counting<'s, 'p> {
    /// Evaluates goals, and has no views.
    search: Search<'s, 'p>,
    /// The control, and then the local states of copies, ascending: twice the number of each, and one more if
    /// many copies have it.
    known: Interner<u32>,
    /// The length of a control.
    width: usize,
    /// Goals are evaluated with this many of many copies: as many as they name, and at least 2.
    named: usize,
}

impl<'s, 'p> Counting<'s, 'p> {
    /// For these goals.
    pub(super) fn new(stepper: &'s mut Stepper<'p>, goals: &'s [Goal]) -> Self {
        // A goal may be shown whatever the number of copies that it names.
        let mut search = Search::new(stepper, goals, usize::MAX);
        let width = search.initial_control().len();
        Self {
            width,
            named: search.most_named().max(2),
            search,
            known: Interner::default(),
        }
    }

    /// Runs until all counts are found, every goal is shown, or there are this many of them. Returns by goal
    /// whether it is shown, the number of counts, and why the search ended.
    pub(super) fn run(mut self, most: usize, budget: &Budget) -> (Vec<bool>, usize, End) {
        self.start();
        let mut taken = 0;
        while let Some(counts) = self.known.all().get(taken) {
            let (control, copies) = counts.split_at(self.width);
            let (control, copies) = (control.to_vec(), copies.to_vec());
            taken += 1;
            self.expand(&control, &copies);
            let is_stopped = taken.is_multiple_of(POLLED) && budget.is_stopped();
            let is_large = self.known.all().len() > most;
            if is_stopped || is_large || self.search.has_trouble() {
                return self.ended(End::Unfinished);
            }
            if self.search.shows_all() {
                return self.ended(End::AllShown);
            }
        }
        self.ended(End::Closed)
    }

    fn ended(self, end: End) -> (Vec<bool>, usize, End) {
        (self.search.into_shown(), self.known.all().len(), end)
    }

    /// (first)
    fn start(&mut self) {
        let control = self.search.initial_control();
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for local in self.search.initial_copies() {
            // Two classes never have the same local state.
            let longer = all.iter().flat_map(|one| {
                [2 * local, 2 * local + 1].map(|count| [one.as_slice(), &[count]].concat())
            });
            all = longer.collect();
        }
        for copies in all {
            self.add(&control, copies);
        }
    }

    fn expand(&mut self, control: &[u32], copies: &[u32]) {
        // (single)
        for place in 1..control.len() {
            for &(memory, local) in &self.search.moves(control[0], control[place]).to {
                let mut next = control.to_vec();
                (next[0], next[place]) = (memory, local);
                self.add(&next, copies.to_vec());
            }
        }
        // (copy)
        for (place, &count) in copies.iter().enumerate() {
            let (local, are_many) = (count / 2, count % 2 == 1);
            for &(memory, after) in &self.search.moves(control[0], local).to {
                let mut next = control.to_vec();
                next[0] = memory;
                let mut none = copies.to_vec();
                none.remove(place);
                if !are_many {
                    self.add(&next, with_one_more(none, after));
                    continue;
                }
                let mut one = none;
                one.push(2 * local);
                self.add(&next, with_one_more(one, after));
                self.add(&next, with_one_more(copies.to_vec(), after));
            }
        }
    }

    fn add(&mut self, control: &[u32], mut copies: Vec<u32>) {
        copies.sort_unstable();
        let (_, is_new) = self.known.add(&[control, &copies].concat());
        if !is_new {
            return;
        }
        let all = copies.iter().flat_map(|&count| {
            let are_many = count % 2 == 1;
            std::iter::repeat_n(count / 2, if are_many { self.named } else { 1 })
        });
        let all: Vec<u32> = all.collect();
        self.search.mark_shown(control, &all);
    }
}

/// The counts with one more copy in a local state.
fn with_one_more(mut copies: Vec<u32>, local: u32) -> Vec<u32> {
    match copies.iter_mut().find(|count| **count / 2 == local) {
        Some(count) => *count = 2 * local + 1,
        None => copies.push(2 * local),
    }
    copies
}
