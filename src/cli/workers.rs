//! The threads that engines run on.
//!
//! An engine that was given up may go on for a while, so it does not run on the thread that waits for
//! it. A thread that has done its work waits for more: a corpus has thousands of queries, and most of
//! them take less time than it takes to start a thread.

use std::io;
use std::sync::mpsc::{SendError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The stack of a thread, in bytes: front ends and printers follow the nesting of a program.
const STACK: usize = 64 << 20;

/// Something to do. It must not panic.
type Work = Box<dyn FnOnce() + Send>;

/// The threads that wait for work.
static IDLE: Mutex<Vec<Sender<Work>>> = Mutex::new(Vec::new());

/// Does something on a thread that has nothing else to do, or on a new one.
///
/// # Errors
///
/// If no thread can be started.
pub(super) fn start(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut work: Work = Box::new(work);
    while let Some(idle) = take() {
        match idle.send(work) {
            Ok(()) => return Ok(()),
            // That thread has ended.
            Err(SendError(unsent)) => work = unsent,
        }
    }
    let (send, receive) = channel();
    let builder = thread::Builder::new().name("engine".to_owned());
    builder.stack_size(STACK).spawn(move || {
        work();
        put(send.clone());
        while let Ok(next) = receive.recv() {
            next();
            put(send.clone());
        }
    })?;
    Ok(())
}

fn take() -> Option<Sender<Work>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn put(idle: Sender<Work>) {
    let mut all = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(idle);
}
