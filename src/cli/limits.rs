//! Time, memory and interrupts: questions are answered on a thread of their own while this one
//! waits.
//!
//! The waiting thread is the timer, and looks at how much memory the process has. When the time is
//! up, or the memory, or after Ctrl-C, it raises the stop flag of the question's budget; an engine
//! that honours the flag comes back with what it knows. One that has not come back after [`GRACE`],
//! or that takes still more memory, is abandoned: the question stays open, and the process ends
//! without waiting for the engine.
//!
//! Engines report no more than that they were stopped; what stopped them is put into their answers
//! here (`reasons`).

use super::exit::Exit;
use super::memory::{Allowance, Usage, Watch};
use super::reasons::Stoppable;
use super::{Global, streams};
use crate::verdict::{Budget, Reason};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to notice the stop flag. Timeouts are kept within a second.
const GRACE: Duration = Duration::from_millis(700);

/// How often the waiting thread looks at the clock, the memory and the interrupt flag.
const TICK: Duration = Duration::from_millis(20);

/// How often it looks where memory runs short: an engine may fill a gigabyte in a second.
const SHORT_TICK: Duration = Duration::from_millis(3);

/// Questions are answered on stacks of this size.
const STACK: usize = 64 << 20;

/// What became of a question.
#[derive(Debug)]
pub(super) enum Ended<T> {
    /// It was answered.
    Answered(T),
    /// It was stopped, for this reason, and came back with what it knew.
    Stopped(T, Reason),
    /// It was stopped, for this reason, and did not come back.
    Abandoned(Reason),
    /// The code that was to answer it panicked; the panic has been reported.
    Panicked,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    time: Option<Duration>,
    deadline: Option<Instant>,
    memory: Option<Allowance>,
}

impl Limits {
    /// The limits that the user set, or did not. The time begins now.
    pub(super) fn new(global: &Global) -> Self {
        let time = global.timeout.map(Duration::try_from_secs_f64);
        Self {
            time: time.and_then(Result::ok),
            deadline: None,
            memory: Allowance::new(global.memory),
        }
        .afresh()
    }

    /// The same limits, with the time beginning now.
    pub(super) fn afresh(self) -> Self {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, ..self }
    }

    /// Why there is to be no further waiting, apart from memory.
    fn over(self) -> Option<Reason> {
        let late = self.deadline.is_some_and(|at| Instant::now() >= at);
        (late || is_interrupted()).then_some(Reason::Stopped)
    }

    /// Answers a question within the limits.
    pub(super) fn run<T: Send + 'static>(
        self,
        question: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Ended<T> {
        self.wait(GRACE, question)
    }

    /// Does work that looks at no flag within the limits: it is left when they are reached.
    pub(super) fn work<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Ended<T> {
        self.wait(Duration::ZERO, |_| work())
    }

    fn wait<T: Send + 'static>(
        self,
        grace: Duration,
        question: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Ended<T> {
        if let Some(reason) = self.over() {
            return Ended::Abandoned(reason);
        }
        let watch = self.memory.map(Allowance::watch);
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::with_stop(Arc::clone(&stop));
        let (send, receive) = sync_channel(1);
        let spawned = thread::Builder::new()
            .name("question".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let answer = catch_unwind(AssertUnwindSafe(|| question(&budget)))
                    .map_err(|payload| streams::report_panic(payload.as_ref()));
                // The receiver is gone if the question was abandoned.
                let _ = send.send(answer);
            });
        if let Err(error) = spawned {
            // Whatever a thread needs, memory or a place in a table, there is none left.
            let why = format!("memory: cannot start a thread: {error}");
            return Ended::Abandoned(Reason::Unsupported(why));
        }
        let mut stopped: Option<(Instant, Reason)> = None;
        let mut tick = TICK;
        loop {
            match (receive.recv_timeout(tick), stopped.take()) {
                (Ok(Ok(answer)), None) => return Ended::Answered(answer),
                (Ok(Ok(answer)), Some((_, reason))) => return Ended::Stopped(answer, reason),
                (Ok(Err(())) | Err(RecvTimeoutError::Disconnected), _) => return Ended::Panicked,
                (Err(RecvTimeoutError::Timeout), was) => stopped = was,
            }
            let usage = watch.map_or(Usage::Low, Watch::usage);
            let full = match usage {
                Usage::Low | Usage::High => None,
                Usage::Full(limit) | Usage::Exceeded(limit) => Some(Reason::Memory(limit)),
            };
            tick = match usage {
                Usage::Low => TICK,
                Usage::High | Usage::Full(_) | Usage::Exceeded(_) => SHORT_TICK,
            };
            if stopped.is_none()
                && let Some(reason) = self.over().or_else(|| full.clone())
            {
                stop.store(true, Ordering::Relaxed);
                stopped = Some((Instant::now(), reason));
            }
            if let Some((at, reason)) = &stopped
                && at.elapsed() >= grace
            {
                return Ended::Abandoned(reason.clone());
            }
            if let (Usage::Exceeded(_), Some(reason)) = (usage, full) {
                return Ended::Abandoned(reason);
            }
        }
    }
}

impl<T: Stoppable, D: fmt::Display> Ended<Result<T, D>> {
    /// What the question ended with, with the reason where it is open; a defect is reported here.
    ///
    /// # Errors
    ///
    /// [`Exit::Internal`] if there is no answer to show.
    pub(super) fn answered(self, undecided: impl FnOnce(&Reason) -> T) -> Result<T, Exit> {
        match self {
            Ended::Answered(Ok(report)) => Ok(report),
            Ended::Stopped(Ok(mut report), reason) => {
                // Where an answer was found all the same, it is not said there that it might have
                // been a better one.
                if !report.stopped_by(&reason) && matches!(reason, Reason::Memory(_)) {
                    streams::complain(&format!("stopped early: {reason}"));
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
    /// What the work ended with, where all of it is needed: reading, drawing. Says on standard error
    /// what it was that was stopped.
    ///
    /// # Errors
    ///
    /// [`Exit::Undecided`] if it was stopped, [`Exit::Internal`] if there is no result otherwise.
    pub(super) fn whole(self, doing: &str) -> Result<T, Exit> {
        match self {
            Ended::Answered(result) | Ended::Stopped(result, _) => Ok(result),
            Ended::Abandoned(reason) => {
                let why = match reason {
                    Reason::Stopped => String::new(),
                    Reason::Memory(_)
                    | Reason::StateBudget(_)
                    | Reason::Overflow(_)
                    | Reason::Decided(_)
                    | Reason::Unsupported(_) => {
                        format!(": {reason}")
                    }
                };
                streams::complain(&format!("stopped while {doing}{why}"));
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

/// Whether the user has pressed Ctrl-C, or the process was asked to end in another way.
pub(super) fn is_interrupted() -> bool {
    interrupted().load(Ordering::Relaxed)
}

/// Makes the first Ctrl-C stop all questions and the second one end the process, in the signal's
/// handler itself: whatever keeps the threads busy, it is at once.
pub(super) fn catch_interrupts() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    signals.push(signal_hook::consts::SIGHUP);
    for signal in signals {
        let (flag, exit) = (interrupted(), Exit::Undecided.code());
        // Without a handler Ctrl-C ends the process at once: worse manners, no wrong answer. The
        // order counts: the first signal finds the flag down, and raises it.
        let _ = flag::register_conditional_shutdown(signal, exit, Arc::clone(flag));
        let _ = flag::register(signal, Arc::clone(flag));
    }
}
