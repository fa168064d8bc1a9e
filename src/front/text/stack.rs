//! Work that recurses deeply, in a thread with a stack that is large enough for it.
//!
//! The depth of a text is bounded, but the stack of the caller may be any: the tests of other crates have
//! small ones, and code that is not optimised has large frames.

use std::thread;

/// Does this in a thread of its own with so many bytes of stack; `None` if there can be none.
pub(crate) fn on_large_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(bytes);
        let running = builder.spawn_scoped(scope, work).ok()?;
        match running.join() {
            Ok(found) => Some(found),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
