//! Tasks that one thread does one after another, watched by the thread that waits for all of them.
//!
//! A corpus has thousands of short queries. To wake a thread for each of them, and to be woken by it, would
//! take a twentieth of the time.

use super::super::{progress, solver, streams, workers};
use super::{Ended, Limits};
use crate::verdict::{Budget, Reason};
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whether the tasks share the time that is left, or have it each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Time {
    Shared,
    Each,
}

/// Tasks that a thread does.
pub(super) struct Tasks<T, F> {
    state: Arc<Mutex<State<T, F>>>,
    all_ended: Receiver<()>,
}

struct State<T, F> {
    left: VecDeque<F>,
    running: Option<Running>,
    /// In the order of the tasks, with the time that each took.
    ended: Vec<(Ended<T>, Duration)>,
    /// The task that runs was abandoned: no other one is begun, and its result is lost.
    is_abandoned: bool,
}

/// The task that runs.
struct Running {
    since: Instant,
    /// Its deadline is that of this task.
    limits: Limits,
    stop: Arc<AtomicBool>,
    /// When it was stopped, and why.
    stopped: Option<(Instant, Reason)>,
}

/// What the waiting thread sees of the task that runs.
pub(super) struct Seen {
    /// How many have ended before it.
    pub(super) number: usize,
    pub(super) limits: Limits,
    pub(super) stopped: Option<(Instant, Reason)>,
}

impl<T: Send + 'static, F: FnOnce(&Budget) -> T + Send + 'static> Tasks<T, F> {
    /// Starts to do these tasks.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub(super) fn start(tasks: VecDeque<F>, limits: Limits, time: Time) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(State {
            left: tasks,
            running: None,
            ended: Vec::new(),
            is_abandoned: false,
        }));
        let (send, all_ended) = sync_channel(1);
        let shared = Arc::clone(&state);
        workers::start(move || {
            while let Some(task) = begin(&shared, limits, time) {
                let (task, stop) = task;
                let budget = Budget::with_stop(stop)
                    .with_progress(Arc::clone(progress::counters()))
                    .with_outside(solver::chosen());
                let answer = catch_unwind(AssertUnwindSafe(|| task(&budget)))
                    .map_err(|payload| streams::report_panic(payload.as_ref()));
                end(&shared, answer);
            }
            // The receiver is gone if a task was abandoned.
            let _ = send.send(());
        })?;
        Ok(Self { state, all_ended })
    }

    /// Waits until all have ended, but not longer than this; returns whether they have.
    pub(super) fn wait(&self, most: Duration) -> bool {
        match self.all_ended.recv_timeout(most) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
            Err(RecvTimeoutError::Timeout) => false,
        }
    }

    /// The task that runs; `None` between two of them.
    pub(super) fn running(&self) -> Option<Seen> {
        let state = lock(&self.state);
        let running = state.running.as_ref()?;
        Some(Seen {
            number: state.ended.len(),
            limits: running.limits,
            stopped: running.stopped.clone(),
        })
    }

    /// Raises the stop flag of a task, if it still runs.
    pub(super) fn stop(&self, number: usize, reason: Reason) {
        let mut state = lock(&self.state);
        let is_this = state.ended.len() == number;
        if let Some(running) = state.running.as_mut().filter(|_| is_this) {
            running.stop.store(true, Ordering::Relaxed);
            running.stopped = Some((Instant::now(), reason));
        }
    }

    /// Gives up a task, if it still runs; returns whether it did.
    pub(super) fn abandon(&self, number: usize, reason: Reason) -> bool {
        let mut state = lock(&self.state);
        if state.ended.len() != number {
            return false;
        }
        let Some(running) = state.running.take() else {
            return false;
        };
        state.is_abandoned = true;
        let took = running.since.elapsed();
        state.ended.push((Ended::Abandoned(reason), took));
        true
    }

    /// The results, and the tasks that were not begun.
    pub(super) fn finish(self) -> (Vec<(Ended<T>, Duration)>, VecDeque<F>) {
        let mut state = lock(&self.state);
        let ended = std::mem::take(&mut state.ended);
        (ended, std::mem::take(&mut state.left))
    }
}

fn lock<T, F>(state: &Mutex<State<T, F>>) -> MutexGuard<'_, State<T, F>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the next task: what to do, and its stop flag. Those whose time is over before are abandoned.
fn begin<T, F>(
    state: &Mutex<State<T, F>>,
    limits: Limits,
    time: Time,
) -> Option<(F, Arc<AtomicBool>)> {
    let mut state = lock(state);
    if state.is_abandoned {
        return None;
    }
    loop {
        let task = state.left.pop_front()?;
        let limits = match time {
            Time::Shared => limits,
            Time::Each => limits.restarted(),
        };
        if let Some(reason) = limits.over() {
            let ended = Ended::Abandoned(reason);
            state.ended.push((ended, Duration::ZERO));
            continue;
        }
        let stop = Arc::new(AtomicBool::new(false));
        state.running = Some(Running {
            since: Instant::now(),
            limits,
            stop: Arc::clone(&stop),
            stopped: None,
        });
        return Some((task, stop));
    }
}

fn end<T, F>(state: &Mutex<State<T, F>>, answer: Result<T, ()>) {
    let mut state = lock(state);
    let Some(running) = state.running.take() else {
        return;
    };
    let ended = match (answer, running.stopped) {
        (Ok(answer), None) => Ended::Answered(answer),
        (Ok(answer), Some((_, reason))) => Ended::Stopped(answer, reason),
        (Err(()), _) => Ended::Panicked,
    };
    let took = running.since.elapsed();
    state.ended.push((ended, took));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    /// Does something, for this long, without looking at the stop flag if it is deaf.
    fn task(number: u32, takes: Duration, is_deaf: bool) -> impl FnOnce(&Budget) -> u32 + Send {
        move |budget| {
            let start = Instant::now();
            while start.elapsed() < takes && (is_deaf || !budget.is_stopped()) {
                sleep(Duration::from_millis(1));
            }
            assert_ne!(number, 13, "this task panics");
            number
        }
    }

    #[test]
    fn a_task_that_is_stopped_abandoned_or_panics_does_not_keep_others_from_their_turn() {
        let (short, long) = (Duration::ZERO, Duration::from_secs(20));
        let limits = Limits {
            time: Some(Duration::from_millis(200)),
            deadline: None,
            memory: None,
            shows_progress: false,
        };
        let ended = limits.run_each([
            task(0, short, false),
            task(1, long, false),
            task(13, short, false),
            task(3, long, true),
            task(4, short, false),
        ]);
        let ended: Vec<Ended<u32>> = ended.into_iter().map(|(ended, _)| ended).collect();
        assert!(
            matches!(
                ended[..],
                [
                    // On a busy machine this may take longer than the limit.
                    Ended::Answered(0) | Ended::Stopped(0, _),
                    Ended::Stopped(1, Reason::Time(_)),
                    Ended::Panicked,
                    Ended::Abandoned(Reason::Time(_)),
                    Ended::Answered(4) | Ended::Stopped(4, _),
                ]
            ),
            "{ended:?}"
        );
    }
}
