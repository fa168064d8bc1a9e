//! How far it may be looked ahead: no further than it has turned out to be worth.

/// A thread is followed for this many moves at most, and so many may be followed at first.
const MOST_MOVES: usize = 1 << 12;

/// So many more may be followed for each configuration that is expanded.
const EACH: usize = 2;

/// To follow so many takes as long as to visit a configuration.
const ORDINARY: usize = 16;

/// With fewer than so many left, nothing is asked: they are saved up for where they are enough.
const FEW_MOVES: usize = 64;

/// So many may be followed for each success, divided by the number of configurations that wait to be expanded.
/// Where they are few, the search is about to pass through a narrow place, and stays narrow by looking ahead.
/// Where they are many, looking ahead has not kept them few, and may not cost much more than the search.
const EARNED: usize = 1 << 13;

/// A bound follows this many instructions at most, and half of those that are left.
const MOST_FOLLOWED: usize = 1 << 14;

/// While bounds are tried, they follow so many instructions for each configuration that was visited before.
const TRIED: usize = 8;

/// So many configurations' share of instructions may be followed at once when bounds have turned out to be worth
/// it. A narrow beginning is worth much.
const SAVED: usize = 1 << 10;

/// How far it may still be looked ahead.
#[derive(Clone, Copy)]
pub(in crate::search) struct Credit {
    moves: usize,
    /// Instructions that bounds may follow.
    for_bounds: usize,
    /// So many more for each configuration that is expanded.
    each_for_bounds: usize,
    /// How many configurations waited to be expanded when the present one was next.
    waiting: usize,
    /// What was followed, and does not yet count where configurations are limited.
    followed: usize,
}

impl Default for Credit {
    fn default() -> Self {
        Self {
            moves: MOST_MOVES,
            for_bounds: 0,
            each_for_bounds: 0,
            waiting: 0,
            followed: 0,
        }
    }
}

impl Credit {
    /// For how many moves a thread may be followed; `None` if that would be too few.
    pub(super) fn moves(&self) -> Option<usize> {
        Some(MOST_MOVES.min(self.moves)).filter(|&most| most >= FEW_MOVES)
    }

    /// Notes for how many moves a thread was followed, and whether that left fewer steps to explore.
    pub(super) fn moved(&mut self, followed: usize, has_succeeded: bool) {
        self.followed += followed;
        self.moves -= followed;
        if has_succeeded {
            self.moves += EARNED / (1 + self.waiting);
        }
    }

    /// How many instructions a bound may follow; `None` if that would be too few.
    pub(super) fn of_bound(&self) -> Option<usize> {
        let most = MOST_FOLLOWED.min(self.for_bounds / 2);
        Some(most).filter(|&most| most >= FEW_MOVES)
    }

    /// Notes how many instructions a bound has followed.
    pub(super) fn bounded(&mut self, followed: usize) {
        self.followed += followed;
        self.for_bounds -= followed;
    }

    /// Lets bounds be tried, where so many configurations were visited without them.
    pub(in crate::search) fn try_bounds(&mut self, visited: usize) {
        self.for_bounds = TRIED * visited;
        self.each_for_bounds = 0;
    }

    /// How many configurations could have been visited in the time in which bounds were tried.
    pub(in crate::search) fn spent_on_trial(&self, visited: usize) -> usize {
        (TRIED * visited - self.for_bounds) / ORDINARY
    }

    /// Lets bounds be used from now on where each configuration stands for so many that would be visited without
    /// them: they may take half of the time that these would. With 0, they are not used.
    pub(in crate::search) fn use_bounds(&mut self, each_stands_for: usize) {
        self.each_for_bounds = (each_stands_for * ORDINARY / 2).min(MOST_FOLLOWED);
        self.for_bounds = SAVED * self.each_for_bounds;
    }

    /// Notes that one more configuration is expanded, and how many wait. Returns how many could have been
    /// visited in the time that it took to look ahead.
    pub(in crate::search) fn go_on(&mut self, waiting: usize) -> usize {
        self.moves += EACH;
        self.for_bounds += self.each_for_bounds;
        self.waiting = waiting;
        let spent = self.followed / ORDINARY;
        self.followed %= ORDINARY;
        spent
    }
}
