//! The ladder: cheap attempts first, more expensive ones for what they leave undecided.
//!
//! The tables in this module define how much each engine may spend before the next one runs. No row
//! changes an answer, only its cost.

use super::Engine;
pub(crate) use crate::passes::{PREPARED, SHORT};
use crate::verdict::{Budget, Defect};

/// The budget of one attempt. Each engine uses the figure that applies to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// The maximum unroll bound, unless an option sets a smaller one; `None` if loops are not
    /// unrolled.
    pub(crate) loops: Option<u32>,
    /// The maximum number of configurations visited.
    pub(crate) states: usize,
    /// The maximum work of solvers and searches, in bytes of proof; `None` if it is not limited.
    pub(crate) work: Option<u64>,
}

impl Effort {
    /// Limited by options and budget only.
    pub(crate) const UNLIMITED: Effort = Effort {
        loops: Some(u32::MAX),
        states: usize::MAX,
        work: None,
    };

    /// The part of a budget that this effort may use.
    pub(crate) fn of(self, budget: &Budget) -> Budget {
        let limited = budget.with_states(self.states.min(budget.states));
        match self.work {
            Some(work) => limited.with_work(work),
            None => limited,
        }
    }
}

const fn unrolling(loops: u32) -> Effort {
    Effort {
        loops: Some(loops),
        states: usize::MAX,
        work: None,
    }
}

const fn briefly(loops: u32, work: u64) -> Effort {
    Effort {
        loops: Some(loops),
        states: usize::MAX,
        work: Some(work),
    }
}

const fn extending(states: usize, work: u64) -> Effort {
    Effort {
        loops: None,
        states,
        work: Some(work),
    }
}

const fn proving(work: u64) -> Effort {
    Effort {
        loops: None,
        states: usize::MAX,
        work: Some(work),
    }
}

pub(crate) const fn visiting(states: usize) -> Effort {
    Effort {
        loops: None,
        states,
        work: None,
    }
}

/// One attempt: the engine, and its budget.
pub(crate) type Rung<E> = (E, Effort);

/// A procedure that looks for attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AttackSearch {
    /// Looks for cycles on the event graph.
    EventGraph,
    /// Looks for computations of the instrumented program, with this engine.
    Instrumented(Engine),
}

/// The default maximum unroll bound, used if no complete engine decides.
pub(crate) const DEEPEST: u32 = 16;
/// The same for a program that is extended lazily: each extension multiplies its size.
pub(crate) const DEEPEST_EXTENDED: u32 = 8;
/// The unroll bound at which most violations are found.
pub(crate) const SHALLOW: u32 = 2;
/// How many configurations a complete engine visits before loops are unrolled without limit.
pub(crate) const COMPLETE: usize = 3_000_000;
/// The same for the programs that a fence search creates: there are many of them.
pub(crate) const COMPLETE_EACH: usize = 300_000;
/// How many configurations with traces are visited for a program with `barrier all`.
pub(crate) const TRACES: usize = 500_000;
/// The same for a program that is extended lazily: it is queried in every round.
pub(crate) const TRACES_EACH: usize = 10_000;
/// How many configurations are visited to report what a program never executes, before a formula is
/// asked, and after it. The report is only a by-product.
pub(crate) const VACUITY: [usize; 2] = [SHORT, FEW];
/// How long a violation is looked for under SC too, when one was found under a weak model: this, too,
/// is only a by-product.
pub(crate) const COMPARED: Effort = Effort {
    loops: None,
    states: 16 * FEW,
    work: Some(2 * BRIEF),
};
/// How long it is tried to decide that assertions hold without further fences, before these are looked
/// for.
pub(crate) const AS_IT_IS: Effort = Effort {
    loops: None,
    states: SMALL,
    work: Some(BRIEF),
};
/// How long it is tried to find the fences for the other aim: a by-product, too.
pub(crate) const OTHER_AIM: Effort = Effort {
    loops: None,
    states: 4 * FEW,
    work: Some(BRIEF),
};
/// How many configurations are visited to note that some execution never finishes.
pub(crate) const NOTED: usize = 5_000;
/// The first limit of a complete engine.
pub(crate) const FEW: usize = 20_000;
/// What a complete engine visits sooner than a formula with loops is solved.
pub(crate) const SMALL: usize = 5 * FEW;
/// The first limit for attacks, in a search that is repeated for each set of fences: sooner than
/// most formulas.
pub(crate) const GLANCE: usize = 8_000;
/// The first limit of a solver: about a second. varisat writes some 10 MB of proof a second, for
/// easy formulas and for hard ones.
pub(crate) const BRIEF: u64 = 12 << 20;

/// For the goals of a program: a race of the engines, run in slices of counted work that grow, so that
/// the same one wins whatever else the machine does. What one engine decides in a second is decided
/// before any other has spent many. The explicit search goes on where it has stopped, and the others begin
/// anew. The first slices are short, since many programs whose formula is
/// hard have few configurations: what a formula can use there suffices for those without loops.
///
/// Most programs that people write have few configurations, which are visited sooner than a formula is
/// made. Of the others, unrolling loops a few times finds most violations and decides programs without
/// loops, unless the formula is hard; proofs for all iterations come from the other engines. The lazy
/// engine must not unroll loops: the last rows do that.
pub(crate) const GOALS: [Rung<Engine>; 20] = [
    (Engine::Explicit, visiting(SHORT)),
    (Engine::Bmc, briefly(SHALLOW, BRIEF / 64)),
    (Engine::Explicit, visiting(2 * FEW)),
    (Engine::Bmc, briefly(SHALLOW, BRIEF / 8)),
    (Engine::Lazy, extending(2 * FEW, BRIEF / 8)),
    (Engine::Explicit, visiting(SMALL)),
    (Engine::Ic3, proving(2 * BRIEF)),
    (Engine::Bmc, briefly(SHALLOW, BRIEF)),
    (Engine::Explicit, visiting(16 * FEW)),
    (Engine::Lazy, extending(2 * FEW, 3 * BRIEF)),
    (Engine::Explicit, visiting(COMPLETE / 3)),
    (Engine::Ic3, proving(4 * BRIEF)),
    (Engine::Bmc, briefly(SHALLOW, 4 * BRIEF)),
    (Engine::Explicit, visiting(COMPLETE)),
    (Engine::Lazy, extending(COMPLETE, 16 * BRIEF)),
    (Engine::Ic3, proving(16 * BRIEF)),
    (Engine::Bmc, briefly(u32::MAX, 16 * BRIEF)),
    (Engine::Explicit, visiting(usize::MAX)),
    (Engine::Ic3, proving(64 * BRIEF)),
    (Engine::Bmc, unrolling(u32::MAX)),
];

/// For the attacks of one thread. Small programs are decided by the first row, and programs without
/// loops by the second, unless the formula is hard: then the two take turns.
pub(crate) const ATTACKS: [Rung<AttackSearch>; 12] = [
    (EXPLICIT, visiting(4_000)),
    (AttackSearch::EventGraph, briefly(FIRST_LOOPS, BRIEF / 16)),
    (EXPLICIT, visiting(2 * FEW)),
    (AttackSearch::EventGraph, briefly(FIRST_LOOPS, BRIEF / 2)),
    (EXPLICIT, visiting(16 * FEW)),
    (IC3, proving(2 * BRIEF)),
    (AttackSearch::EventGraph, briefly(FIRST_LOOPS, 2 * BRIEF)),
    (EXPLICIT, visiting(COMPLETE / 3)),
    (IC3, proving(8 * BRIEF)),
    (AttackSearch::EventGraph, briefly(FIRST_LOOPS, 16 * BRIEF)),
    (EXPLICIT, visiting(COMPLETE)),
    (AttackSearch::EventGraph, unrolling(u32::MAX)),
];

/// Rounds in which the threads climb the ladder together: to this row, and with so much work for all of them at
/// most. Once one of their attacks is feasible, the program is not robust, so what takes more than a round is
/// looked for only if it is asked for. The first round takes three seconds at most. The last one is no longer made
/// together, since the searches of many threads, all of them stopped half way, would take much memory.
pub(crate) const ROUNDS: [(usize, Option<u64>); 5] = [
    (4, Some(3 * BRIEF)),
    (4, None),
    (5, None),
    (7, None),
    (ATTACKS.len(), None),
];

const EXPLICIT: AttackSearch = AttackSearch::Instrumented(Engine::Explicit);
const IC3: AttackSearch = AttackSearch::Instrumented(Engine::Ic3);

/// The first unroll bound for attacks: most of them need no loop, and a formula without loops is small.
pub(crate) const FIRST_LOOPS: u32 = 1;

/// For the attacks of one thread in a program with fences. What has few configurations is decided
/// sooner than a formula is solved. The formula is the same for all sets of fences, and so is the limit
/// on its work. What it leaves undecided after some seconds is mostly decided by a search.
pub(crate) const FENCED_ATTACKS: [Rung<AttackSearch>; 10] = [
    (EXPLICIT, visiting(GLANCE)),
    (AttackSearch::EventGraph, briefly(FIRST_LOOPS, BRIEF / 2)),
    (EXPLICIT, visiting(2 * FEW)),
    (AttackSearch::EventGraph, briefly(FIRST_LOOPS, 2 * BRIEF)),
    (EXPLICIT, visiting(16 * FEW)),
    (IC3, proving(2 * BRIEF)),
    (EXPLICIT, visiting(COMPLETE / 2)),
    (AttackSearch::EventGraph, unrolling(FIRST_LOOPS)),
    (EXPLICIT, visiting(COMPLETE)),
    (AttackSearch::EventGraph, unrolling(u32::MAX)),
];

/// For the independent verification of a set of fences for assertions.
pub(crate) const SECOND_OPINIONS: [Engine; 2] = [Engine::Explicit, Engine::Bmc];

/// For goals under SC in a round of the lazy engine. Before the program is extended, a longer
/// search pays off only if nothing can be delayed.
pub(crate) const FIRST_LOOK: Rung<Engine> = (Engine::Explicit, visiting(FEW));
/// The longer search.
pub(crate) const LONGER_LOOK: Rung<Engine> = (Engine::Auto, visiting(usize::MAX));

/// How far the lazy engine extends a program with loops, unrolled or not: up to this multiple of
/// its instructions, plus this constant. In all measurements the delays that decide something were
/// found long before, and each query about a larger program costs more than the previous one.
pub(crate) const GROWTH: (usize, usize) = (6, 150);
/// The maximum number of extensions of such a program.
pub(crate) const MOST_EXTENSIONS: usize = 12;
/// The maximum size of an extended program, in instructions. The attacks of larger ones cannot be
/// listed in a reasonable time.
pub(crate) const LARGEST: usize = 20_000;

/// A set of queries that several engines can try, one after the other.
pub(crate) trait Climb {
    /// What identifies an engine.
    type Procedure: Copy;
    /// What is known about all queries.
    type Results;

    /// Whether no further attempt is worthwhile.
    fn is_enough(&self, known: &Self::Results) -> bool;

    /// The results of one attempt; `None` if it cannot contribute anything.
    ///
    /// # Errors
    ///
    /// If an engine has a defect.
    fn attempt(
        &mut self,
        known: &Self::Results,
        rung: Rung<Self::Procedure>,
    ) -> Result<Option<Self::Results>, Defect>;

    /// Merges two results.
    fn merge(&self, known: Self::Results, more: Self::Results) -> Self::Results;
}

/// Makes one attempt after the other until the results are sufficient or the stop flag is raised.
/// The first attempt is always made.
///
/// # Errors
///
/// If an engine has a defect.
pub(crate) fn climb<C: Climb>(
    queries: &mut C,
    ladder: &[Rung<C::Procedure>],
    open: C::Results,
    budget: &Budget,
) -> Result<C::Results, Defect> {
    let mut known = open;
    for (number, &rung) in ladder.iter().enumerate() {
        if queries.is_enough(&known) || number > 0 && budget.is_stopped() {
            break;
        }
        if let Some(more) = queries.attempt(&known, rung)? {
            known = queries.merge(known, more);
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Counts to a number. Each engine counts up to its limit.
    struct Counting {
        to: usize,
        tried: Vec<Engine>,
        stop: Arc<AtomicBool>,
    }

    impl Climb for Counting {
        type Procedure = Engine;
        type Results = usize;

        fn is_enough(&self, known: &usize) -> bool {
            *known >= self.to
        }

        fn attempt(&mut self, known: &usize, rung: Rung<Engine>) -> Result<Option<usize>, Defect> {
            let (engine, effort) = rung;
            self.tried.push(engine);
            if self.to == 1000 {
                self.stop.store(true, Ordering::Relaxed);
                return Ok(Some(known + 1));
            }
            let loops = effort.loops.map(|loops| loops as usize);
            let far = loops.unwrap_or(effort.states);
            let counts = matches!(engine, Engine::Bmc | Engine::Explicit);
            Ok(counts.then_some(far))
        }

        fn merge(&self, known: usize, more: usize) -> usize {
            known.max(more)
        }
    }

    fn climbed(to: usize) -> (usize, Vec<Engine>) {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::with_stop(Arc::clone(&stop));
        let mut counting = Counting {
            to,
            tried: Vec::new(),
            stop,
        };
        let known = climb(&mut counting, &GOALS, 0, &budget).expect("no defect");
        (known, counting.tried)
    }

    #[test]
    fn the_first_sufficient_attempt_is_the_last() {
        assert_eq!(climbed(0), (0, vec![]));
        assert_eq!(climbed(3), (FEW / 8, vec![Engine::Explicit]));
        let first = vec![Engine::Explicit, Engine::Bmc, Engine::Explicit];
        assert_eq!(climbed(FEW), (2 * FEW, first));
        let (known, engines) = climbed(SMALL + 1);
        assert_eq!((known, engines.len()), (16 * FEW, 9));
    }

    #[test]
    fn the_stop_flag_ends_the_climb_after_an_attempt() {
        assert_eq!(climbed(1000), (1, vec![Engine::Explicit]));
    }
}
