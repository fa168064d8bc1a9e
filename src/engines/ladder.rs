//! The ladder: cheap attempts first, dearer ones for what they leave open.
//!
//! How much each engine may spend before the next one is tried is a row of a table, and the tables
//! are here. No row changes an answer, only what it costs.

use super::Engine;
use crate::verdict::{Budget, Defect};

/// What one attempt may spend. An engine looks at the figure that it has a use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// How many times each loop is followed at most, where an option does not say less; `None` if
    /// loops are not unrolled.
    pub(crate) loops: Option<u32>,
    /// How many configurations are visited at most.
    pub(crate) states: usize,
}

impl Effort {
    /// No limit but those of options and budget.
    pub(crate) const UNLIMITED: Effort = Effort {
        loops: Some(u32::MAX),
        states: usize::MAX,
    };
}

const fn following(loops: u32) -> Effort {
    Effort {
        loops: Some(loops),
        states: 0,
    }
}

const fn visiting(states: usize) -> Effort {
    Effort {
        loops: None,
        states,
    }
}

/// One attempt: by which engine, and what it may spend.
pub(crate) type Rung<E> = (E, Effort);

/// A way to look for attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// For cycles on the event graph.
    EventGraph,
    /// For computations of the instrumented program, with this engine.
    Instrumented(Engine),
}

/// How many times a loop is followed at most by default, where no complete engine answers.
pub(crate) const DEEPEST: u32 = 16;
/// The same for a program that is extended lazily: each extension multiplies its size.
pub(crate) const DEEPEST_EXTENDED: u32 = 8;
/// How many times loops are followed where violations are mostly found.
pub(crate) const SHALLOW: u32 = 2;
/// How many configurations a complete engine visits before loops are followed without end.
pub(crate) const COMPLETE: usize = 3_000_000;
/// The same for the programs that a search for fences makes: there are many of them.
pub(crate) const COMPLETE_EACH: usize = 300_000;
/// How many configurations with traces are visited for a program with `barrier all`.
pub(crate) const TRACES: usize = 500_000;
/// The same for a program that is extended lazily: there it is asked again and again.
pub(crate) const TRACES_EACH: usize = 10_000;
/// How many configurations are visited to report what a program with a violation never executes:
/// the report is a by-product there.
pub(crate) const VACUITY: usize = 100_000;
/// What a complete engine visits at first.
const FEW: usize = 20_000;

/// For the goals of a program. Violations are mostly found, and programs without loops always
/// decided, by following loops a few times; proofs for all iterations come from the complete
/// engines. The lazy one has no limit of its own, and is not to unroll loops: the last row does.
pub(crate) const GOALS: [Rung<Engine>; 5] = [
    (Engine::Bmc, following(SHALLOW)),
    (Engine::Explicit, visiting(FEW)),
    (Engine::Lazy, visiting(usize::MAX)),
    (Engine::Explicit, visiting(COMPLETE)),
    (Engine::Bmc, following(u32::MAX)),
];

/// For the attacks of one thread. Small programs are done after the first row, programs without
/// loops after the second.
pub(crate) const ATTACKS: [Rung<Way>; 4] = [
    (Way::Instrumented(Engine::Explicit), visiting(4_000)),
    (Way::EventGraph, following(1)),
    (Way::Instrumented(Engine::Explicit), visiting(COMPLETE)),
    (Way::EventGraph, following(u32::MAX)),
];

/// For the attacks of one thread in a program with fences. The formula is the same for all sets of
/// fences, so it comes first. Most attacks need no loop, and a formula without is a small one.
pub(crate) const FENCED_ATTACKS: [Rung<Way>; 3] = [
    (Way::EventGraph, following(1)),
    (Way::Instrumented(Engine::Explicit), visiting(COMPLETE)),
    (Way::EventGraph, following(u32::MAX)),
];

/// For the second opinion on a set of fences for assertions.
pub(crate) const SECOND_OPINIONS: [Engine; 2] = [Engine::Explicit, Engine::Bmc];

/// For goals under SC in a round of the lazy engine: before anything is delayed, a longer look is
/// worth its cost only if nothing can be.
pub(crate) const FIRST_LOOK: Rung<Engine> = (Engine::Explicit, visiting(FEW));
/// The longer look.
pub(crate) const LONGER_LOOK: Rung<Engine> = (Engine::Auto, visiting(usize::MAX));

/// How far the lazy engine extends a program with loops, unrolled or not: until it has so many times
/// its instructions and this many more. The delays that decide something were found long before, in
/// all that was measured, and each question about a larger program costs more than the last one.
pub(crate) const GROWTH: (usize, usize) = (6, 150);
/// How many times the lazy engine extends such a program at most.
pub(crate) const MOST_EXTENSIONS: usize = 12;
/// No extended program has more instructions than this: the attacks of larger ones are not listed in
/// any reasonable time.
pub(crate) const LARGEST: usize = 20_000;

/// Questions that several engines can be asked, one after the other.
pub(crate) trait Climb {
    /// What names an engine.
    type By: Copy;
    /// What is known about all of them.
    type Known;

    /// Whether nothing is left that is worth an attempt.
    fn is_enough(&self, known: &Self::Known) -> bool;

    /// What one attempt finds out; `None` if there is nothing that it could.
    ///
    /// # Errors
    ///
    /// If an answer is withheld.
    fn attempt(
        &mut self,
        known: &Self::Known,
        rung: Rung<Self::By>,
    ) -> Result<Option<Self::Known>, Defect>;

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
    ladder: &[Rung<C::By>],
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
        asked: Vec<Engine>,
        stop: Arc<AtomicBool>,
    }

    impl Climb for Counting {
        type By = Engine;
        type Known = usize;

        fn is_enough(&self, known: &usize) -> bool {
            *known >= self.to
        }

        fn attempt(&mut self, known: &usize, rung: Rung<Engine>) -> Result<Option<usize>, Defect> {
            let (engine, effort) = rung;
            self.asked.push(engine);
            if self.to == 1000 {
                self.stop.store(true, Ordering::Relaxed);
                return Ok(Some(known + 1));
            }
            let loops = effort.loops.map(|loops| loops as usize);
            let far = loops.unwrap_or(effort.states);
            Ok((engine != Engine::Lazy).then_some(far))
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
        (known, counting.asked)
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
