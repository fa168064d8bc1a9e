//! Time and interrupts: questions are answered on a thread of their own while this one waits.
//!
//! The waiting thread is the timer. When the time is up, or after Ctrl-C, it raises the stop flag
//! of the question's budget; an engine that honours the flag comes back with what it knows. One
//! that has not come back after [`GRACE`] is abandoned: the question stays open, and the process
//! ends without waiting for the engine.

use super::{Exit, streams};
use crate::verdict::Budget;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to notice the stop flag. Timeouts are kept within a second.
const GRACE: Duration = Duration::from_millis(700);

/// How often the waiting thread looks at the clock and the interrupt flag.
const TICK: Duration = Duration::from_millis(20);

/// Questions are answered on stacks of this size.
const STACK: usize = 64 << 20;

/// What became of a question.
#[derive(Debug)]
pub(super) enum Ended<T> {
    /// It was answered.
    Answered(T),
    /// It was stopped and did not come back.
    Abandoned,
    /// The code that was to answer it panicked; the panic has been reported.
    Panicked,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    deadline: Option<Instant>,
}

impl Limits {
    /// This many seconds from now, if any number is given.
    pub(super) fn new(seconds: Option<f64>) -> Self {
        let deadline = seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .and_then(|duration| Instant::now().checked_add(duration));
        Self { deadline }
    }

    fn is_over(self) -> bool {
        interrupted().load(Ordering::Relaxed)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Answers a question within the limits.
    pub(super) fn run<T: Send + 'static>(
        self,
        question: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Ended<T> {
        if self.is_over() {
            return Ended::Abandoned;
        }
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
        if spawned.is_err() {
            return Ended::Panicked;
        }
        let mut stopped_at: Option<Instant> = None;
        loop {
            match receive.recv_timeout(TICK) {
                Ok(Ok(answer)) => return Ended::Answered(answer),
                Ok(Err(())) | Err(RecvTimeoutError::Disconnected) => return Ended::Panicked,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if stopped_at.is_none() && self.is_over() {
                stop.store(true, Ordering::Relaxed);
                stopped_at = Some(Instant::now());
            }
            if stopped_at.is_some_and(|at| at.elapsed() >= GRACE) {
                return Ended::Abandoned;
            }
        }
    }
}

impl<T, D: fmt::Display> Ended<Result<T, D>> {
    /// What the question ended with; a defect is reported here.
    ///
    /// # Errors
    ///
    /// [`Exit::Internal`] if there is no answer to show.
    pub(super) fn answered(self, undecided: impl FnOnce() -> T) -> Result<T, Exit> {
        match self {
            Ended::Answered(Ok(report)) => Ok(report),
            Ended::Answered(Err(defect)) => {
                streams::complain(&format!(
                    "internal error: {defect}. No verdict. Please report this with the input."
                ));
                Err(Exit::Internal)
            }
            Ended::Panicked => Err(Exit::Internal),
            Ended::Abandoned => Ok(undecided()),
        }
    }
}

fn interrupted() -> &'static AtomicBool {
    static INTERRUPTED: OnceLock<AtomicBool> = OnceLock::new();
    INTERRUPTED.get_or_init(AtomicBool::default)
}

/// Makes the first Ctrl-C stop all questions and the second one end the process.
pub(super) fn catch_interrupts() {
    // Without a handler Ctrl-C ends the process at once: worse manners, no wrong answer.
    let _ = ctrlc::set_handler(|| {
        if interrupted().swap(true, Ordering::Relaxed) {
            process::exit(Exit::Undecided.code());
        }
    });
}
