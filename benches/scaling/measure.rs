//! One question, one method, what it cost.
//!
//! Loops may return to their heads `n` times, which exhausts the counted ones, so that a member
//! that is safe is safe without bounds: anything else that comes out is a panic.

use crate::families::Member;
use fencepost::encode::{Plan, Switch};
use fencepost::reach::{Acyclicity, Effort, Method, Reach, ReachAnswer};
use fencepost::solve::SolverKind;
use fencepost::verdict::{Budget, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What one answer cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Until the formula stood.
    pub(crate) encoding: Duration,
    /// Until the answer, the encoding included.
    pub(crate) total: Duration,
    pub(crate) effort: Effort,
    /// Whether there was an answer.
    pub(crate) answered: bool,
}

/// Every way of excluding cycles with every solver of this build.
pub(crate) fn methods() -> impl Iterator<Item = (Acyclicity, SolverKind)> {
    [Acyclicity::Lazy, Acyclicity::Clock, Acyclicity::Transitive]
        .into_iter()
        .flat_map(|acyclicity| {
            SolverKind::ALL
                .iter()
                .map(move |&solver| (acyclicity, solver))
        })
}

/// The name of a way of excluding cycles.
pub(crate) fn name(acyclicity: Acyclicity) -> &'static str {
    match acyclicity {
        Acyclicity::Clock => "clock",
        Acyclicity::Transitive => "transitive",
        Acyclicity::Lazy => "lazy",
    }
}

/// Decides a member of a series.
///
/// # Panics
///
/// If the answer is not the one that the series states.
pub(crate) fn measure(
    member: &Member<'_>,
    (acyclicity, solver): (Acyclicity, SolverKind),
    budget: &Budget,
) -> Cost {
    let Member { series, n, program } = member;
    let goals = program.goals();
    let method = Method {
        solver,
        acyclicity,
        slicing: series.slicing,
    };
    let plan = Plan {
        returns: *n,
        ..Plan::new(goals.clone(), series.model)
    };
    let start = Instant::now();
    let mut reach = Reach::open(program, plan, method, budget);
    let encoding = start.elapsed();
    let (mut violated, mut answered) = (false, true);
    for goal in goals {
        match reach.ask(goal, series.model, &[]) {
            Ok(ReachAnswer::Reachable(_)) => violated = true,
            Ok(ReachAnswer::Unreachable(core)) => {
                let bounded = core
                    .iter()
                    .any(|switch| matches!(switch, Switch::Frontier(..)));
                assert!(
                    !bounded,
                    "{series}, n = {n}: {method:?} did not exhaust the loops"
                );
            }
            Err(Stop::Cancelled) => answered = false,
            Err(Stop::Defect(fault)) => panic!("{series}, n = {n}: {method:?}: {fault}"),
        }
    }
    let total = start.elapsed();
    assert!(
        !answered || violated == series.violated,
        "{series}, n = {n}: {method:?} answers wrongly"
    );
    Cost {
        encoding,
        total,
        effort: reach.effort(),
        answered,
    }
}

/// The same with a limit. A formula under construction does not look at the flag, so that the time
/// taken may be longer.
pub(crate) fn measure_within(
    limit: Duration,
    member: &Member<'_>,
    method: (Acyclicity, SolverKind),
) -> Cost {
    within(limit, |budget| measure(member, method, budget))
}

/// Asks with a stop flag that a clock raises.
pub(crate) fn within<T>(limit: Duration, ask: impl FnOnce(&Budget) -> T) -> T {
    let flag = Arc::new(AtomicBool::new(false));
    let budget = Budget::with_stop(Arc::clone(&flag));
    let (done, wait) = mpsc::channel::<()>();
    let timer = thread::spawn(move || {
        if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            flag.store(true, Ordering::Relaxed);
        }
    });
    let answer = ask(&budget);
    drop(done);
    timer.join().expect("the timer does not panic");
    answer
}
