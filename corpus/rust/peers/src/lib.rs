//! What the tests import, from whoever runs them.

#[cfg(loom)]
pub use loom::{hint, model, sync, thread};

#[cfg(shuttle)]
pub use shuttle::{hint, sync, thread};

#[cfg(not(any(loom, shuttle)))]
pub use std::{hint, sync, thread};

/// Every schedule, depth first.
#[cfg(shuttle)]
pub fn model<F: Fn() + Send + Sync + 'static>(test: F) {
    shuttle::check_dfs(test, None);
}

#[cfg(not(any(loom, shuttle)))]
pub fn model<F: Fn() + Send + Sync + 'static>(test: F) {
    test();
}
