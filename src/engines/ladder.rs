//! The ladder: cheap attempts first, dearer ones for what they leave open.
//!
//! How much each engine may spend before the next one is tried is a row of a table, and the tables
//! are here. No row changes an answer, only what it costs.

use super::Engine;
use crate::verdict::{Budget, Defect};

/// What one attempt may spend. An engine looks at the figure that it has a use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// How many times each loop is followed at most, where an option does not say less.
    pub(crate) loops: u32,
    /// How many configurations are visited at most.
    pub(crate) states: usize,
}

/// One attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rung {
    pub(crate) engine: Engine,
    pub(crate) effort: Effort,
}

impl Rung {
    const fn following(loops: u32) -> Self {
        Self {
            engine: Engine::Bmc,
            effort: Effort { loops, states: 0 },
        }
    }

    const fn visiting(states: usize) -> Self {
        Self {
            engine: Engine::Explicit,
            effort: Effort { loops: 0, states },
        }
    }

    const fn lazily() -> Self {
        Self {
            engine: Engine::Lazy,
            effort: Effort {
                loops: 0,
                states: 0,
            },
        }
    }
}

/// How many times a loop is followed at most by default, where no complete engine answers.
pub(crate) const DEEPEST: u32 = 16;
/// How many configurations a complete engine visits before loops are followed without end.
pub(crate) const COMPLETE: usize = 3_000_000;
/// The same for the programs that a search for fences makes: there are many of them.
pub(crate) const COMPLETE_EACH: usize = 300_000;
/// How many times loops are followed where violations are mostly found.
pub(crate) const SHALLOW: u32 = 2;

/// For the goals of a program. Violations are mostly found, and programs without loops always
/// decided, by following loops a few times; proofs for all iterations come from the complete
/// engines.
pub(super) const GOALS: [Rung; 5] = [
    Rung::following(SHALLOW),
    Rung::visiting(20_000),
    Rung::lazily(),
    Rung::visiting(COMPLETE),
    Rung::following(u32::MAX),
];

/// For the attacks of one thread: `Explicit` visits the instrumented program, `Bmc` searches the event
/// graph. Small programs are done after the first row, programs without loops after the second.
pub(crate) const ATTACKS: [Rung; 4] = [
    Rung::visiting(4_000),
    Rung::following(1),
    Rung::visiting(COMPLETE),
    Rung::following(u32::MAX),
];

/// Questions that several engines can be asked, one after the other.
pub(crate) trait Climb {
    /// What is known about all of them.
    type Known;

    /// Whether nothing is left that is worth an attempt.
    fn is_enough(&self, known: &Self::Known) -> bool;

    /// What one attempt finds out; `None` if there is nothing that it could.
    ///
    /// # Errors
    ///
    /// If an answer is withheld.
    fn attempt(&mut self, known: &Self::Known, rung: Rung) -> Result<Option<Self::Known>, Defect>;

    /// Both together.
    fn together(&self, known: Self::Known, more: Self::Known) -> Self::Known;
}

/// Makes one attempt after the other until what is known is enough, or the stop flag is raised. The
/// first one is made in any case.
///
/// # Errors
///
/// If an answer is withheld.
pub(crate) fn climb<C: Climb>(
    questions: &mut C,
    ladder: &[Rung],
    open: C::Known,
    budget: &Budget,
) -> Result<C::Known, Defect> {
    let mut known = open;
    for (number, &rung) in ladder.iter().enumerate() {
        if questions.is_enough(&known) || number > 0 && budget.is_stopped() {
            break;
        }
        if let Some(more) = questions.attempt(&known, rung)? {
            known = questions.together(known, more);
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Counts to a number. Each engine knows how far it can.
    struct Counting {
        to: usize,
        asked: Vec<Rung>,
        stop: Arc<AtomicBool>,
    }

    impl Climb for Counting {
        type Known = usize;

        fn is_enough(&self, known: &usize) -> bool {
            *known >= self.to
        }

        fn attempt(&mut self, known: &usize, rung: Rung) -> Result<Option<usize>, Defect> {
            self.asked.push(rung);
            match rung.engine {
                Engine::Lazy => Ok(None),
                Engine::Auto | Engine::Bmc | Engine::Explicit if self.to == 1000 => {
                    self.stop.store(true, Ordering::Relaxed);
                    Ok(Some(known + 1))
                }
                Engine::Auto | Engine::Bmc => Ok(Some(rung.effort.loops as usize)),
                Engine::Explicit => Ok(Some(rung.effort.states)),
            }
        }

        fn together(&self, known: usize, more: usize) -> usize {
            known.max(more)
        }
    }

    fn climbed(to: usize) -> (usize, Vec<Engine>) {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::with_stop(Arc::clone(&stop));
        let mut counting = Counting {
            to,
            asked: Vec::new(),
            stop,
        };
        let known = climb(&mut counting, &GOALS, 0, &budget).expect("no answer is withheld");
        let engines = counting.asked.iter().map(|rung| rung.engine);
        (known, engines.collect())
    }

    #[test]
    fn attempts_end_with_the_first_that_is_enough() {
        assert_eq!(climbed(0), (0, vec![]));
        assert_eq!(climbed(2), (2, vec![Engine::Bmc]));
        assert_eq!(climbed(3), (20_000, vec![Engine::Bmc, Engine::Explicit]));
        let (known, engines) = climbed(20_001);
        assert_eq!((known, engines.len()), (COMPLETE, 4));
    }

    #[test]
    fn the_stop_flag_ends_the_climb_after_an_attempt() {
        assert_eq!(climbed(1000), (1, vec![Engine::Bmc]));
    }
}
