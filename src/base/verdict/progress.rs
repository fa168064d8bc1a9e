//! How far a search has come, for users who wait for it, and for those who get no answer.
//!
//! Engines raise the counters, and any thread may read them at any time. They are approximate, and no
//! engine reads them: nothing depends on them.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What the engine that made itself heard last does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// It has not begun.
    #[default]
    Preparing,
    /// It visits configurations one by one.
    Exploring,
    /// It solves formulas.
    Solving,
}

impl Phase {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Preparing => "preparing",
            Phase::Exploring => "exploring",
            Phase::Solving => "solving",
        }
    }
}

/// The counters of one search, with all searches that are part of it.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU8,
    states: AtomicU64,
    queries: AtomicU64,
    unroll: AtomicU64,
    goals: AtomicU64,
    attacks: AtomicU64,
    decided: AtomicU64,
    sets: AtomicU64,
}

/// The values of the counters at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// What was done last.
    pub phase: Phase,
    /// The configurations visited, over all explorations.
    pub states: u64,
    /// The calls of a solver.
    pub queries: u64,
    /// How far a loop was unrolled, at most.
    pub unroll: u64,
    /// The goals of the program.
    pub goals: u64,
    /// The attacks to decide.
    pub attacks: u64,
    /// Those that were decided.
    pub decided: u64,
    /// The sets of fences that were probed.
    pub sets: u64,
}

/// How many configurations are visited between two reports of them.
pub(crate) const STRIDE: usize = 64;

impl Progress {
    /// The present values.
    pub fn reached(&self) -> Reached {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Reached {
            phase: match self.phase.load(Ordering::Relaxed) {
                0 => Phase::Preparing,
                1 => Phase::Exploring,
                _ => Phase::Solving,
            },
            states: read(&self.states),
            queries: read(&self.queries),
            unroll: read(&self.unroll),
            goals: read(&self.goals),
            attacks: read(&self.attacks),
            decided: read(&self.decided),
            sets: read(&self.sets),
        }
    }

    /// Begins anew.
    pub fn restart(&self) {
        let counters = [
            &self.states,
            &self.queries,
            &self.unroll,
            &self.goals,
            &self.attacks,
            &self.decided,
            &self.sets,
        ];
        self.phase.store(0, Ordering::Relaxed);
        for counter in counters {
            counter.store(0, Ordering::Relaxed);
        }
    }

    /// Counts a configuration, the `number`-th one of its exploration.
    pub fn visited(&self, number: usize) {
        if number.is_multiple_of(STRIDE) {
            self.phase.store(1, Ordering::Relaxed);
            if number > 0 {
                self.states.fetch_add(STRIDE as u64, Ordering::Relaxed);
            }
        }
    }

    /// Counts a call of a solver.
    pub fn solving(&self) {
        self.phase.store(2, Ordering::Relaxed);
        self.queries.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a loop was unrolled this far.
    pub fn unrolled(&self, times: u32) {
        self.unroll.fetch_max(times.into(), Ordering::Relaxed);
    }

    /// Notes the goals to decide. The first number stays: other programs are derived from the one that
    /// has these.
    pub fn goals(&self, count: usize) {
        first(&self.goals, count);
    }

    /// Notes the attacks to decide, unless goals are decided by looking for attacks. The first number
    /// stays, and only the search that noted it may count those that are decided: whether this is the
    /// one.
    pub fn attacks(&self, count: usize) -> bool {
        self.goals.load(Ordering::Relaxed) == 0 && first(&self.attacks, count)
    }

    /// Counts attacks that were decided.
    pub fn decided(&self, count: usize) {
        self.decided.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Counts a set of fences that was probed.
    pub fn probed(&self) {
        self.sets.fetch_add(1, Ordering::Relaxed);
    }
}

/// Sets a counter that is 0; whether it was.
fn first(counter: &AtomicU64, count: usize) -> bool {
    let count = count as u64;
    let set = counter.compare_exchange(0, count, Ordering::Relaxed, Ordering::Relaxed);
    set.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_all_explorations_add_up_and_the_first_goals_stay() {
        let progress = Progress::default();
        assert_eq!(progress.reached(), Reached::default());
        for _ in 0..2 {
            for number in 0..=STRIDE {
                progress.visited(number);
            }
        }
        assert!(progress.attacks(4));
        assert!(!progress.attacks(9));
        progress.goals(3);
        progress.goals(7);
        progress.unrolled(4);
        progress.unrolled(2);
        progress.decided(1);
        progress.probed();
        let expected = Reached {
            phase: Phase::Exploring,
            states: 2 * STRIDE as u64,
            queries: 0,
            unroll: 4,
            goals: 3,
            attacks: 4,
            decided: 1,
            sets: 1,
        };
        assert_eq!(progress.reached(), expected);
        progress.solving();
        assert_eq!(progress.reached().phase, Phase::Solving);
        progress.restart();
        assert_eq!(progress.reached(), Reached::default());
        // A check may look for attacks, which are not what it is about.
        progress.goals(1);
        assert!(!progress.attacks(4));
    }
}
