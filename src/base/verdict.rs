//! Verdicts: what was decided, for which executions, and why not more.
//!
//! A verdict is never a bare bool. [`Verdict::Holds`] covers all executions,
//! [`Verdict::HoldsWithin`] only those within the bounds it names. [`Verdict::Unknown`] covers
//! none, and names what stopped the search.

mod parts;
mod progress;
mod stop;

pub use progress::{Phase, Progress, Reached};
pub use stop::{Defect, Stop, unless_cancelled};

use crate::program::{LocId, Origin, ThreadId};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A verdict, with evidence of type `W` if there is a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<W> {
    /// No execution violates the property.
    Holds,
    /// No execution within the bounds violates the property. Nothing is known about longer
    /// executions.
    HoldsWithin(Bounds),
    /// This execution violates the property.
    Violated(W),
    /// Nothing is known beyond what the reason states.
    Unknown(Reason),
}

/// The bounds of a bounded search, loop by loop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The loops that were cut. Those that were exhausted are not listed.
    pub loops: Vec<LoopBound>,
}

/// The bound of one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopBound {
    /// The thread.
    pub thread: ThreadId,
    /// The loop's first location.
    pub head: LocId,
    /// Where the loop was written.
    pub origin: Origin,
    /// How many times control could return to the head, at most.
    pub iterations: u32,
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.loops.is_empty() {
            return f.write_str("some loops were cut");
        }
        for (at, cut) in self.loops.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{cut}")?;
        }
        Ok(())
    }
}

impl fmt::Display for LoopBound {
    /// `loop of t0 in line 4: up to 8 iterations`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            thread,
            head,
            origin,
            iterations,
        } = self;
        match origin.line {
            0 => write!(f, "loop of {thread} at {head}")?,
            line => write!(f, "loop of {thread} in line {line}")?,
        }
        let plural = if *iterations == 1 { "" } else { "s" };
        write!(f, ": up to {iterations} iteration{plural}")
    }
}

/// What decided the overall query, so that the remaining queries were skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    /// Another goal is reached.
    ByGoal,
    /// Another attack is feasible.
    ByAttack,
    /// Another attack is feasible, and this one takes long to decide.
    ByAttackSooner,
}

/// Why the verdict is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The caller's stop flag was raised, or a limit on work was reached.
    Stopped,
    /// The time limit was reached.
    Time(Duration),
    /// The user interrupted the search.
    Interrupted,
    /// The memory limit, in bytes, was reached.
    Memory(u64),
    /// The state budget was spent before all states were visited.
    StateBudget(usize),
    /// The verdict depends on what happens after the value of the expression at this origin leaves
    /// 32 bits, and some execution gets there.
    Overflow(Origin),
    /// Something else decided the overall query, so this part was skipped.
    Decided(Decided),
    /// Some numbers of copies of a thread in any number of copies (`[*]`) are not decided; the text
    /// gives the numbers that are, and what is known beyond.
    Copies(String),
    /// The engine does not support this query; the text gives the reason.
    Unsupported(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped => write!(f, "stopped before an answer was found"),
            Reason::Time(limit) => {
                write!(f, "the time limit of {} s is reached", limit.as_secs_f64())
            }
            Reason::Interrupted => write!(f, "interrupted before an answer was found"),
            Reason::Memory(limit) => {
                write!(f, "memory: the limit of {} is reached", size(*limit))
            }
            Reason::StateBudget(states) => {
                write!(
                    f,
                    "the budget of {states} states is spent and there are more"
                )
            }
            Reason::Overflow(origin) => {
                write!(f, "a value leaves 32 bits in line {}", origin.line)
            }
            Reason::Decided(Decided::ByGoal) => {
                write!(f, "another reachable goal already decides the result")
            }
            Reason::Decided(Decided::ByAttack) => {
                write!(f, "another feasible attack already decides the result")
            }
            Reason::Decided(Decided::ByAttackSooner) => {
                write!(
                    f,
                    "another feasible attack decides the result, and this one takes longer"
                )
            }
            Reason::Copies(why) | Reason::Unsupported(why) => write!(f, "{why}"),
        }
    }
}

impl Reason {
    /// The word for it in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Stopped => "stopped",
            Reason::Time(_) => "time",
            Reason::Interrupted => "interrupted",
            Reason::Memory(_) => "memory",
            Reason::StateBudget(_) => "states",
            Reason::Overflow(_) => "overflow",
            Reason::Decided(_) => "decided",
            Reason::Copies(_) => "copies",
            Reason::Unsupported(_) => "unsupported",
        }
    }

    /// Whether a limit or the user ended the search, so that what it had reached is worth knowing.
    pub fn is_limit(&self) -> bool {
        match self {
            Reason::Stopped
            | Reason::Time(_)
            | Reason::Interrupted
            | Reason::Memory(_)
            | Reason::StateBudget(_) => true,
            Reason::Overflow(_)
            | Reason::Decided(_)
            | Reason::Copies(_)
            | Reason::Unsupported(_) => false,
        }
    }
}

/// A number of bytes in the largest binary unit that it fills, with one decimal: `1.5 GiB`.
fn size(bytes: u64) -> String {
    for (bits, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        let tenths = (u128::from(bytes) * 10) >> bits;
        if tenths >= 10 {
            return match tenths % 10 {
                0 => format!("{} {unit}", tenths / 10),
                rest => format!("{}.{rest} {unit}", tenths / 10),
            };
        }
    }
    format!("{bytes} bytes")
}

impl<W> fmt::Display for Verdict<W> {
    /// The verdict in words, without its evidence. Threads have their ids; answers print names
    /// with `display`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => write!(f, "holds for all executions"),
            Verdict::HoldsWithin(bounds) => write!(f, "holds within bounds ({bounds})"),
            Verdict::Violated(_) => write!(f, "violated"),
            Verdict::Unknown(reason) => write!(f, "unknown: {reason}"),
        }
    }
}

impl<W> Verdict<W> {
    /// The conjunction of several verdicts: the first violation; else the first reason why one is
    /// unknown; else the bounds of all that hold only within bounds; else `Holds`.
    pub fn all(verdicts: impl IntoIterator<Item = Verdict<W>>) -> Verdict<W> {
        let mut unknown = None;
        let mut bounds: Option<Bounds> = None;
        for verdict in verdicts {
            match verdict {
                Verdict::Violated(evidence) => return Verdict::Violated(evidence),
                Verdict::HoldsWithin(cut) => {
                    let all = bounds.get_or_insert_with(Bounds::default);
                    for one in cut.loops {
                        if !all.loops.contains(&one) {
                            all.loops.push(one);
                        }
                    }
                }
                Verdict::Unknown(reason) => {
                    unknown.get_or_insert(reason);
                }
                Verdict::Holds => {}
            }
        }
        match (unknown, bounds) {
            (Some(reason), _) => Verdict::Unknown(reason),
            (None, Some(bounds)) => Verdict::HoldsWithin(bounds),
            (None, None) => Verdict::Holds,
        }
    }

    /// The word for it in JSON: `holds`, `within`, `violated` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsWithin(_) => "within",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// A SAT solver that is another program. Only the command line starts processes.
pub trait OutsideSolver: fmt::Debug + Send + Sync {
    /// What it prints about a formula in DIMACS. It ends soon after `stopped` yields true.
    ///
    /// # Errors
    /// It cannot be run; the text says why.
    fn solve(&self, dimacs: &str, stopped: &dyn Fn() -> bool) -> Result<String, String>;

    /// Reports that it could not be run, or that its answer is wrong.
    fn failed(&self, why: &str);
}

/// The resources that a search may use. No module below the command line reads a clock: the command
/// line raises the stop flag when the time is up.
#[derive(Clone, Debug)]
pub struct Budget {
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Another program that is the SAT solver.
    outside: Option<Arc<dyn OutsideSolver>>,
    /// What is left of the work, for each limit that applies: bytes of proof, or what takes as long.
    work: Vec<Arc<AtomicU64>>,
    /// The most states that an explicit search may visit. One of a program with five threads or more counts
    /// as several, and so does one that takes more than 128 bytes, because very much is buffered.
    pub states: usize,
}

impl Default for Budget {
    /// Never stopped; ten million states.
    fn default() -> Self {
        Self {
            stop: Arc::default(),
            progress: Arc::default(),
            outside: None,
            work: Vec::new(),
            states: 10_000_000,
        }
    }
}

impl Budget {
    /// A budget with this stop flag, which the caller may raise from another thread at any time.
    pub fn with_stop(stop: Arc<AtomicBool>) -> Self {
        Self {
            stop,
            ..Self::default()
        }
    }

    /// The same, with searches that count here how far they have come.
    #[must_use]
    pub fn with_progress(self, progress: Arc<Progress>) -> Self {
        Self { progress, ..self }
    }

    /// The same, with another program as the SAT solver.
    #[must_use]
    pub fn with_outside(self, outside: Option<Arc<dyn OutsideSolver>>) -> Self {
        Self { outside, ..self }
    }

    /// The program that is the SAT solver, if it is not in this process.
    pub fn outside(&self) -> Option<&Arc<dyn OutsideSolver>> {
        self.outside.as_ref()
    }

    /// How far the searches with this budget have come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The same stop flag with another number of states.
    #[must_use]
    pub fn with_states(&self, states: usize) -> Self {
        Self {
            states,
            ..self.clone()
        }
    }

    /// The same, with this limit on the work of SAT solvers, in bytes of proof, and of explicit searches,
    /// whose states count for some bytes each. For varisat, which writes proofs, it is the same on every
    /// machine, unlike time; for other solvers it is an estimate.
    #[must_use]
    #[doc(hidden)]
    pub fn with_work(&self, work: u64) -> Self {
        let mut limited = self.clone();
        limited.work.push(Arc::new(AtomicU64::new(work)));
        limited
    }

    /// The same, with this part of the work that is left, which counts here, too.
    #[must_use]
    pub fn with_part(&self, one_in: u64) -> Self {
        let left = self.work.iter().map(|left| left.load(Ordering::Relaxed));
        match left.min() {
            Some(least) => self.with_work(least.div_ceil(one_in)),
            None => self.clone(),
        }
    }

    /// Makes several queries, in parallel if the feature `parallel` is there, each with an equal part of the work: how far one of them gets
    /// does not depend on when the others are made.
    pub fn share<Q: Sync, A: Send>(
        &self,
        queries: &[Q],
        ask: impl Fn(&Q, &Budget) -> A + Sync,
    ) -> Vec<A> {
        let part = |left: u64| left.div_ceil(queries.len().max(1) as u64);
        let own =
            |left: &Arc<AtomicU64>| Arc::new(AtomicU64::new(part(left.load(Ordering::Relaxed))));
        let apart = |_: &Q| Budget {
            work: self.work.iter().map(own).collect(),
            ..self.clone()
        };
        let budgets: Vec<Budget> = queries.iter().map(apart).collect();
        #[cfg(feature = "parallel")]
        let each = queries.par_iter().zip(&budgets);
        #[cfg(not(feature = "parallel"))]
        let each = queries.iter().zip(&budgets);
        let answers = each.map(|(query, budget)| ask(query, budget)).collect();
        for (limit, left) in self.work.iter().enumerate() {
            let before = left.load(Ordering::Relaxed);
            let after = |own: &Budget| own.work[limit].load(Ordering::Relaxed);
            let spent: u64 = budgets
                .iter()
                .map(|own| part(before).saturating_sub(after(own)))
                .sum();
            left.store(before.saturating_sub(spent), Ordering::Relaxed);
        }
        answers
    }

    /// Counts work.
    pub fn spend(&self, work: u64) {
        for left in &self.work {
            // Another thread may have spent the rest in between.
            let less = |left: u64| Some(left.saturating_sub(work));
            let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
    }

    /// Whether the stop flag is raised, or the work is spent.
    pub fn is_stopped(&self) -> bool {
        let mut left = self.work.iter().map(|left| left.load(Ordering::Relaxed));
        self.stop.load(Ordering::Relaxed) || left.any(|left| left == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_queries_have_equal_parts_of_the_work_and_all_of_it_counts() {
        let whole = Budget::default().with_work(400);
        let stopped = whole.share(&[10, 99, 100, 0], |&work, own| {
            own.spend(work);
            own.is_stopped()
        });
        // What one of them spends is no matter to the others, in whichever order they run.
        assert_eq!(stopped, [false, false, true, false]);
        whole.spend(190);
        assert!(!whole.is_stopped());
        whole.spend(1);
        assert!(whole.is_stopped());
        let whole = Budget::default().with_work(100);
        whole.share(&[10, 20], |&work, own| own.spend(work));
        whole.spend(69);
        assert!(!whole.is_stopped());
        whole.spend(1);
        assert!(whole.is_stopped());
    }

    #[test]
    fn a_verdict_within_bounds_names_the_loops_and_is_not_called_more() {
        let cut = |line, iterations| LoopBound {
            thread: ThreadId(1),
            head: LocId(3),
            origin: Origin {
                line,
                ..Origin::default()
            },
            iterations,
        };
        let within = |loops| Verdict::<()>::HoldsWithin(Bounds { loops }).to_string();
        assert_eq!(
            within(vec![cut(4, 8), cut(0, 1)]),
            "holds within bounds (loop of t1 in line 4: up to 8 iterations, loop of t1 at q3: up to 1 \
             iteration)"
        );
        assert_eq!(
            within(Vec::new()),
            "holds within bounds (some loops were cut)"
        );
        assert_eq!(Verdict::<()>::Holds.to_string(), "holds for all executions");
        let unknown = Verdict::<()>::Unknown(Reason::StateBudget(5)).to_string();
        assert_eq!(
            unknown,
            "unknown: the budget of 5 states is spent and there are more"
        );
    }

    #[test]
    fn sizes_are_shown_in_the_unit_that_they_fill() {
        for (bytes, shown) in [
            (512 << 20, "512 MiB"),
            (3 << 29, "1.5 GiB"),
            (1000, "1000 bytes"),
            (1 << 10, "1 KiB"),
            ((1 << 30) - 1, "1023.9 MiB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
    }
}
