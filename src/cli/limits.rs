//! Limits of time and memory, and interrupts: an engine runs on a thread of its own (`workers`), or several
//! one after another (`tasks`), while this one waits.
//!
//! The waiting thread checks the time and the memory of the process. When a limit is reached, or after
//! Ctrl-C, it sets the stop flag of the engine's budget, and an engine that polls the flag returns a
//! partial result. An engine that has not returned after [`GRACE`], or that takes even more memory, is
//! abandoned: the query stays open, and the process exits without waiting for the engine.
//!
//! Engines report only that they were stopped; the actual reason is added here (`reasons`).

mod tasks;

use super::exit::Exit;
use super::memory::{Allowance, Usage, Watch};
use super::progress::{self, ProgressLine};
use super::reasons::Stoppable;
use super::{Global, streams};
use crate::verdict::{Budget, Reason};
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tasks::{Tasks, Time};

/// The time that an engine has to notice the stop flag. It keeps timeouts accurate to a second.
const GRACE: Duration = Duration::from_millis(700);

/// The interval at which the waiting thread checks time, memory and the interrupt flag.
const TICK: Duration = Duration::from_millis(20);

/// The interval when memory runs low: an engine may allocate a gigabyte per second.
const SHORT_TICK: Duration = Duration::from_millis(3);

/// How the work ended.
#[derive(Debug)]
pub(super) enum Ended<T> {
    /// It finished.
    Answered(T),
    /// It was stopped, for this reason, and returned a partial result.
    Stopped(T, Reason),
    /// It was stopped, for this reason, and did not return in time.
    Abandoned(Reason),
    /// It panicked; the panic has been reported.
    Panicked,
}

/// The limits of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    time: Option<Duration>,
    deadline: Option<Instant>,
    memory: Option<Allowance>,
    /// Whether the progress is shown.
    shows_progress: bool,
}

impl Limits {
    /// The limits that the user set, or the defaults. The timeout starts now.
    pub(super) fn new(global: &Global) -> Self {
        let time = global.timeout.map(Duration::try_from_secs_f64);
        Self {
            time: time.and_then(Result::ok),
            deadline: None,
            memory: Allowance::new(global.memory),
            shows_progress: progress::is_wanted(global),
        }
        .restarted()
    }

    /// The same limits, with the timeout starting now.
    pub(super) fn restarted(self) -> Self {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, ..self }
    }

    /// The same limits for a task that may take one part in `parts` of the time that is left.
    pub(super) fn part(self, parts: u32) -> Self {
        let now = Instant::now();
        let left = |at: Instant| at.saturating_duration_since(now);
        let deadline = self.deadline.map(|at| now + left(at) / parts);
        Self { deadline, ..self }
    }

    /// The same limits, for work of which there is more at the same time.
    pub(super) fn without_progress(self) -> Self {
        Self {
            shows_progress: false,
            ..self
        }
    }

    /// Whether there is a reason to stop, other than memory.
    pub(super) fn is_over(self) -> bool {
        self.over().is_some()
    }

    /// A reason to stop, other than memory.
    fn over(self) -> Option<Reason> {
        if is_interrupted() {
            return Some(Reason::Interrupted);
        }
        let late = self.deadline.is_some_and(|at| Instant::now() >= at);
        late.then_some(Reason::Time(self.time.unwrap_or_default()))
    }

    /// Runs an engine within the limits.
    pub(super) fn run<T: Send + 'static>(
        self,
        task: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Ended<T> {
        self.one(GRACE, task)
    }

    /// Runs engines one after another, each within the limits, and with the whole time: how each ended, and
    /// the time that it took.
    pub(super) fn run_each<T: Send + 'static>(
        self,
        tasks: impl IntoIterator<Item = impl FnOnce(&Budget) -> T + Send + 'static>,
    ) -> Vec<(Ended<T>, Duration)> {
        self.all(GRACE, Time::Each, tasks.into_iter().collect())
    }

    /// Does work that does not poll the stop flag: it is abandoned as soon as a limit is reached.
    pub(super) fn work<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Ended<T> {
        self.one(Duration::ZERO, |_| work())
    }

    fn one<T: Send + 'static>(
        self,
        grace: Duration,
        task: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Ended<T> {
        let ended = self.all(grace, Time::Shared, [task].into());
        let ended = ended.into_iter().next();
        ended.map_or(Ended::Panicked, |(ended, _)| ended)
    }

    fn all<T: Send + 'static, F: FnOnce(&Budget) -> T + Send + 'static>(
        self,
        grace: Duration,
        time: Time,
        mut left: VecDeque<F>,
    ) -> Vec<(Ended<T>, Duration)> {
        let mut line = ProgressLine::new(self.shows_progress);
        let mut all = Vec::new();
        while !left.is_empty() {
            let count = left.len();
            let tasks = match Tasks::start(left, self, time) {
                Ok(tasks) => tasks,
                Err(error) => {
                    // The system is out of memory or of threads.
                    let why = format!("memory: cannot start a thread: {error}");
                    let reason = Reason::Unsupported(why);
                    let none = || (Ended::Abandoned(reason.clone()), Duration::ZERO);
                    all.extend(std::iter::repeat_with(none).take(count));
                    return all;
                }
            };
            self.watch(&tasks, grace, &mut line);
            let (ended, others) = tasks.finish();
            all.extend(ended);
            left = others;
        }
        all
    }

    /// Waits until all tasks have ended, or one is abandoned.
    fn watch<T: Send + 'static, F: FnOnce(&Budget) -> T + Send + 'static>(
        self,
        tasks: &Tasks<T, F>,
        grace: Duration,
        line: &mut ProgressLine,
    ) {
        let watch = || self.memory.map(Allowance::watch);
        // What a later task takes before it is looked at for the first time counts as there before it.
        let (mut watched, mut memory) = (0, watch());
        let mut tick = TICK;
        while !tasks.wait(tick) {
            line.update();
            let Some(running) = tasks.running() else {
                continue;
            };
            let number = running.number;
            if number != watched {
                (watched, memory) = (number, watch());
            }
            let usage = memory.map_or(Usage::Low, Watch::usage);
            let full = match usage {
                Usage::Low | Usage::High => None,
                Usage::Full(limit) | Usage::Exceeded(limit) => Some(Reason::Memory(limit)),
            };
            tick = match usage {
                Usage::Low => TICK,
                Usage::High | Usage::Full(_) | Usage::Exceeded(_) => SHORT_TICK,
            };
            let mut stopped = running.stopped;
            if stopped.is_none()
                && let Some(reason) = running.limits.over().or_else(|| full.clone())
            {
                tasks.stop(number, reason.clone());
                stopped = Some((Instant::now(), reason));
            }
            let late = stopped.filter(|(at, _)| at.elapsed() >= grace);
            let late = late.map(|(_, reason)| reason);
            let exceeded = full.filter(|_| matches!(usage, Usage::Exceeded(_)));
            if let Some(reason) = late.or(exceeded)
                && tasks.abandon(number, reason)
            {
                return;
            }
        }
    }
}

impl<T: Stoppable, D: fmt::Display> Ended<Result<T, D>> {
    /// The result, with the reason if it is open. Reports defects.
    ///
    /// # Errors
    ///
    /// [`Exit::Internal`] if there is no result to show.
    pub(super) fn answered(self, undecided: impl FnOnce(&Reason) -> T) -> Result<T, Exit> {
        match self {
            Ended::Answered(Ok(report)) => Ok(report),
            Ended::Stopped(Ok(mut report), reason) => {
                // A result that was found nevertheless does not mention that the engine was stopped
                // before it could find a better one.
                if !report.stopped_by(&reason) && matches!(reason, Reason::Memory(_)) {
                    streams::print_message(&format!("stopped early: {reason}"));
                }
                Ok(report)
            }
            Ended::Answered(Err(defect)) | Ended::Stopped(Err(defect), _) => {
                streams::report_defect(&defect);
                Err(Exit::Internal)
            }
            Ended::Panicked => Err(Exit::Internal),
            Ended::Abandoned(reason) => Ok(undecided(&reason)),
        }
    }
}

impl<T> Ended<T> {
    /// The result of work that is useless unless complete, such as reading or drawing. If it was
    /// abandoned, prints what was stopped to standard error.
    ///
    /// # Errors
    ///
    /// [`Exit::Undecided`] if it was abandoned, [`Exit::Internal`] if it panicked.
    pub(super) fn complete(self, doing: &str) -> Result<T, Exit> {
        match self {
            Ended::Answered(result) | Ended::Stopped(result, _) => Ok(result),
            Ended::Abandoned(reason) => {
                let why = match reason {
                    Reason::Stopped => String::new(),
                    Reason::Time(_)
                    | Reason::Interrupted
                    | Reason::Memory(_)
                    | Reason::StateBudget(_)
                    | Reason::Overflow(_)
                    | Reason::Decided(_)
                    | Reason::Copies(_)
                    | Reason::Unsupported(_) => {
                        format!(": {reason}")
                    }
                };
                streams::print_message(&format!("stopped while {doing}{why}"));
                Err(Exit::Undecided)
            }
            Ended::Panicked => Err(Exit::Internal),
        }
    }
}

fn interrupted() -> &'static Arc<AtomicBool> {
    static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    INTERRUPTED.get_or_init(Arc::default)
}

/// Whether the user has pressed Ctrl-C, or the process received another signal to terminate.
pub(super) fn is_interrupted() -> bool {
    interrupted().load(Ordering::Relaxed)
}

/// Makes the first Ctrl-C stop all engines and the second one end the process. The second exits in the
/// signal handler itself, so it takes effect immediately whatever the threads are doing.
pub(super) fn catch_interrupts() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    signals.push(signal_hook::consts::SIGHUP);
    for signal in signals {
        let (flag, exit) = (interrupted(), Exit::Undecided.code());
        // If a handler cannot be installed, Ctrl-C ends the process at once, which is abrupt but never
        // wrong. The order matters: the first signal must find the flag unset, and then set it.
        let _ = flag::register_conditional_shutdown(signal, exit, Arc::clone(flag));
        let _ = flag::register(signal, Arc::clone(flag));
    }
}
