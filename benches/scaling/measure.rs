//! The cost of one query with one method.
//!
//! Loops are unrolled `n` times, which exhausts the counted ones, so a safe member is proved safe
//! without bounds. Any other result is a panic.

use crate::series::Member;
use fencepost::internals::encode::{Plan, Switch};
use fencepost::internals::reach::{Acyclicity, Effort, Method, Reach, ReachAnswer};
use fencepost::internals::solve::SolverKind;
use fencepost::internals::verdict::{Budget, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The cost of one answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// The time to encode the formula.
    pub(crate) encoding: Duration,
    /// The time until the answer, including the encoding.
    pub(crate) total: Duration,
    pub(crate) effort: Effort,
    /// Whether there was an answer.
    pub(crate) answered: bool,
}

/// Every encoding of acyclicity with every solver of this build.
pub(crate) fn methods() -> impl Iterator<Item = (Acyclicity, SolverKind)> {
    [Acyclicity::Lazy, Acyclicity::Clock, Acyclicity::Transitive]
        .into_iter()
        .flat_map(|acyclicity| {
            SolverKind::ALL
                .iter()
                .map(move |&solver| (acyclicity, solver))
        })
}

/// The name of an encoding of acyclicity.
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
/// If the answer is not the expected one.
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

/// Like [`measure`], with a time limit. Encoding does not poll the stop flag, so it may exceed the limit.
pub(crate) fn measure_within(
    limit: Duration,
    member: &Member<'_>,
    method: (Acyclicity, SolverKind),
) -> Cost {
    within(limit, |budget| measure(member, method, budget))
}

/// Runs a query with a stop flag that a timer sets.
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
