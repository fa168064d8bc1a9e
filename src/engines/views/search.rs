//! The views of one size: what any number of copies may reach, seen through the eyes of `k` of them.
//!
//! A configuration is a *control* (the memory, and the local states of the threads that exist once)
//! with a multiset of local states, one per copy. A *view* of size `k` is a control with `k` of them.
//! The search computes the least set `V` of views that contains those of all initial configurations
//! and is closed under the steps of every configuration all of whose views are in `V`:
//!
//! ```text
//! (single)   (g, m) ∈ V, a single thread moves g to g'             ─▶ (g', m) ∈ V
//! (inside)   (g, m) ∈ V, a copy in m moves: g to g', m to m'       ─▶ (g', m') ∈ V
//! (outside)  all k-subsets of m + l in V[g], l moves g to g'       ─▶ (g', m) ∈ V
//! ```
//!
//! One more copy than `k` is enough for (outside): of a step by a copy that a view does not contain,
//! the view and that copy are all that matters. So `V` contains the views of every reachable
//! configuration with at least `k` copies, and a goal that no view shows is not reached
//! [Abdulla, Haziza, Holík, VMCAI 2013].
//!
//! **Incomplete:** a goal that some view shows may be reached or not. Larger `k` is more precise.

mod goals;

pub(super) use goals::named;

use super::intern::Interner;
use super::stepper::{Moves, Stepper};
use crate::program::{Addr, Goal, ThreadId};
use crate::verdict::Budget;
use ahash::AHashSet;
use goals::{Shown, shown};
use std::rc::Rc;

/// A cell with more values than this is taken to have no bound.
pub(super) const MOST_VALUES: usize = 256;
/// The stop flag is polled after this many steps.
const POLLED: usize = 4096;
/// For each view that is allowed, a search may look at this many configurations with one more copy.
const MOST_LARGER: usize = 40;

/// The views of one size.
pub(super) struct Views {
    pub(super) size: usize,
    /// Controls: the memory, and the local state of each single thread.
    pub(super) controls: Interner<u32>,
    /// By control.
    pub(super) tables: Vec<Table>,
    /// The number of views.
    pub(super) count: usize,
    /// The cell with the most values, and how many they are.
    pub(super) widest: Option<(Addr, usize)>,
    /// By goal: whether some view shows it, or no view of this size could.
    pub(super) shown: Vec<bool>,
}

/// The views with one control.
#[derive(Default)]
pub(super) struct Table {
    set: AHashSet<Box<[u32]>>,
    /// In the order in which they were found.
    pub(super) list: Vec<Box<[u32]>>,
    /// The local states that occur in them, in the order in which they were found.
    locals: Vec<u32>,
    known: AHashSet<u32>,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The set is closed.
    Closed,
    /// Every goal is shown by some view.
    AllShown,
    /// The budget is spent, or something is not enumerated.
    Unfinished,
}

pub(super) struct Search<'s, 'p> {
    stepper: &'s mut Stepper<'p>,
    goals: &'s [Goal],
    shown: Vec<Shown>,
    /// The threads that exist once.
    singles: Vec<ThreadId>,
    views: Views,
    work: Vec<(u32, usize)>,
    /// By cell: its values in any view.
    values: Vec<AHashSet<i32>>,
    /// The configurations with one more copy that were looked at.
    larger: usize,
}

impl<'s, 'p> Search<'s, 'p> {
    /// For these goals, by views of this size.
    pub(super) fn new(stepper: &'s mut Stepper<'p>, goals: &'s [Goal], size: usize) -> Self {
        let program = stepper.program;
        let singles = program
            .thread_ids()
            .filter(|&thread| program.class_of(thread).is_none())
            .collect();
        let shown = goals
            .iter()
            .map(|&goal| shown(stepper, goal))
            .collect::<Vec<_>>();
        let too_small: Vec<bool> = shown
            .iter()
            .map(|shown| match shown {
                Shown::Step => false,
                Shown::Property { named, kind, .. } => {
                    // One more copy may be the one that has not ended.
                    let more = usize::from(kind.is_about_waiting());
                    named.len() + more > size
                }
            })
            .collect();
        Self {
            stepper,
            goals,
            shown,
            singles,
            views: Views {
                size,
                controls: Interner::default(),
                tables: Vec::new(),
                count: 0,
                shown: too_small,
                widest: None,
            },
            work: Vec::new(),
            values: vec![AHashSet::new(); program.cell_count()],
            larger: 0,
        }
    }

    /// Runs until the set is closed, every goal is shown, or there are this many views.
    pub(super) fn run(mut self, most: usize, budget: &Budget) -> (Views, End) {
        self.start();
        let mut taken = 0_usize;
        while let Some((control, at)) = self.work.pop() {
            taken += 1;
            let is_stopped = taken.is_multiple_of(POLLED) && budget.is_stopped();
            let is_closed = !is_stopped && self.expand(control, at, most, budget);
            let is_wide = self
                .views
                .widest
                .is_some_and(|(_, count)| count > MOST_VALUES);
            let is_large = is_wide || self.views.count > most;
            if !is_closed || is_large || self.stepper.trouble.is_some() {
                return (self.views, End::Unfinished);
            }
            if self.shows_all() {
                return (self.views, End::AllShown);
            }
        }
        let end = if self.stepper.trouble.is_some() {
            End::Unfinished
        } else {
            End::Closed
        };
        (self.views, end)
    }

    /// The first control.
    pub(super) fn initial_control(&mut self) -> Vec<u32> {
        let mut control = vec![self.stepper.initial_memory()];
        for &thread in &self.singles {
            control.push(self.stepper.initial_local(thread));
        }
        control
    }

    /// The first local state of each class, ascending.
    pub(super) fn initial_copies(&mut self) -> Vec<u32> {
        let mut initial: Vec<u32> = Vec::new();
        for class in self.stepper.program.classes() {
            initial.push(self.stepper.initial_local(class));
        }
        initial.sort_unstable();
        initial.dedup();
        initial
    }

    fn start(&mut self) {
        let control = self.initial_control();
        let initial = self.initial_copies();
        for copies in multisets(&initial, self.views.size) {
            self.add(&control, copies);
        }
    }

    fn add(&mut self, control: &[u32], mut copies: Vec<u32>) {
        copies.sort_unstable();
        let (number, is_new) = self.views.controls.add(control);
        if is_new {
            self.views.tables.push(Table::default());
            let memory = self.stepper.memories.get(control[0]);
            for (cell, &value) in memory.iter().enumerate() {
                let values = &mut self.values[cell];
                let most = self.views.widest.map_or(0, |(_, most)| most);
                if values.insert(value) && values.len() > most {
                    self.views.widest = Some((Addr::from_index(cell), values.len()));
                }
            }
        }
        let table = &mut self.views.tables[number as usize];
        if table.set.contains(copies.as_slice()) {
            return;
        }
        for &local in &copies {
            if table.known.insert(local) {
                table.locals.push(local);
            }
        }
        let copies: Box<[u32]> = copies.into();
        table.set.insert(copies.clone());
        table.list.push(copies.clone());
        self.work.push((number, table.list.len() - 1));
        self.views.count += 1;
        self.mark_shown(control, &copies);
    }

    /// Marks the goals that a control with these copies shows.
    pub(super) fn mark_shown(&mut self, control: &[u32], copies: &[u32]) {
        for goal in 0..self.goals.len() {
            if !self.views.shown[goal] && self.shows(control, copies, goal) {
                self.views.shown[goal] = true;
            }
        }
    }

    /// Whether every goal is shown.
    pub(super) fn shows_all(&self) -> bool {
        !self.goals.is_empty() && self.views.shown.iter().all(|&shown| shown)
    }

    /// The macro-steps of a thread. Marks the goals that they reach.
    pub(super) fn moves(&mut self, memory: u32, local: u32) -> Rc<Moves> {
        let moves = self.stepper.moves(memory, local);
        self.note(&moves.goals);
        moves
    }

    /// Whether something is not enumerated.
    pub(super) fn has_trouble(&self) -> bool {
        self.stepper.trouble.is_some()
    }

    /// By goal: whether it is shown.
    pub(super) fn into_shown(self) -> Vec<bool> {
        self.views.shown
    }

    /// The largest number of copies that a goal names.
    pub(super) fn most_named(&self) -> usize {
        let named = self.shown.iter().map(|shown| match shown {
            Shown::Step => 0,
            Shown::Property { named, .. } => named.len(),
        });
        named.max().unwrap_or(0)
    }

    /// Adds what a view leads to. Returns false if there is more to look at than is allowed.
    fn expand(&mut self, number: u32, at: usize, most: usize, budget: &Budget) -> bool {
        let control = self.views.controls.get(number).to_vec();
        let copies = self.views.tables[number as usize].list[at].clone();
        // (single)
        for place in 1..control.len() {
            let moves = self.moves(control[0], control[place]);
            for &(memory, local) in &moves.to {
                let mut next = control.clone();
                (next[0], next[place]) = (memory, local);
                self.add(&next, copies.to_vec());
            }
        }
        // (inside)
        for (place, &local) in copies.iter().enumerate() {
            if place > 0 && copies[place - 1] == local {
                continue;
            }
            let moves = self.moves(control[0], local);
            for &(memory, after) in &moves.to {
                let mut next = control.clone();
                next[0] = memory;
                let mut moved = copies.to_vec();
                moved[place] = after;
                self.add(&next, moved);
            }
        }
        // (outside)
        let mut index = 0;
        while let Some(&more) = self.views.tables[number as usize].locals.get(index) {
            index += 1;
            self.larger += 1;
            let is_stopped = self.larger.is_multiple_of(POLLED) && budget.is_stopped();
            if is_stopped || self.larger / MOST_LARGER > most {
                return false;
            }
            self.outside(number, &control, &copies, more);
        }
        true
    }

    /// The steps of the configuration with one more copy, seen by those that do not move.
    fn outside(&mut self, number: u32, control: &[u32], copies: &[u32], more: u32) {
        let mut all = copies.to_vec();
        let at = all.partition_point(|&local| local < more);
        all.insert(at, more);
        let mut movers = Vec::new();
        for (place, &local) in all.iter().enumerate() {
            if place > 0 && all[place - 1] == local {
                continue;
            }
            let moves = self.stepper.moves(control[0], local);
            if moves.to.iter().any(|&(memory, _)| memory != control[0]) {
                movers.push((place, moves));
            }
        }
        if movers.is_empty() || !self.is_covered(number, &all, more) {
            return;
        }
        for (place, moves) in movers {
            let mut rest = all.clone();
            rest.remove(place);
            for &(memory, _) in &moves.to {
                if memory != control[0] {
                    let mut next = control.to_vec();
                    next[0] = memory;
                    self.add(&next, rest.clone());
                }
            }
        }
    }

    /// Whether the views of these copies are all there. That without `more` is.
    fn is_covered(&self, number: u32, all: &[u32], more: u32) -> bool {
        let table = &self.views.tables[number as usize];
        let mut rest = Vec::with_capacity(all.len());
        (0..all.len()).all(|place| {
            if all[place] == more || place > 0 && all[place - 1] == all[place] {
                return true;
            }
            rest.clear();
            rest.extend_from_slice(&all[..place]);
            rest.extend_from_slice(&all[place + 1..]);
            table.set.contains(rest.as_slice())
        })
    }

    /// Marks the goals that a step reaches.
    fn note(&mut self, reached: &[Goal]) {
        if reached.is_empty() {
            return;
        }
        for (number, goal) in self.goals.iter().enumerate() {
            if reached.contains(goal) {
                self.views.shown[number] = true;
            }
        }
    }
}

/// All multisets of this size, each ascending. Requires that the items are.
pub(super) fn multisets(items: &[u32], size: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..size {
        let mut longer = Vec::new();
        for one in &all {
            for &item in items {
                if one.last().is_none_or(|&last| last <= item) {
                    longer.push([one.as_slice(), &[item]].concat());
                }
            }
        }
        all = longer;
    }
    all
}
