//! Queries at random that must not take long.

use fencepost::internals::verdict::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time limit per query. A few among thousands would take minutes and gigabytes. A query that is
/// stopped claims nothing, so no result depends on time.
const TIME_LIMIT: Duration = Duration::from_millis(500);

/// Runs a query within the time limit and this number of states.
pub fn within<T>(states: usize, ask: impl FnOnce(&Budget) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let (done, waiting) = channel::<()>();
    let raised = Arc::clone(&stop);
    let watch = thread::spawn(move || {
        if waiting.recv_timeout(TIME_LIMIT) == Err(RecvTimeoutError::Timeout) {
            raised.store(true, Ordering::Relaxed);
        }
    });
    let answer = ask(&Budget::with_stop(stop).with_states(states));
    drop(done);
    let ended = watch.join();
    ended.expect("the watch only waits");
    answer
}
