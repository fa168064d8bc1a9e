//! What analyses have computed from a program, kept with it, so that each result is computed once however
//! many engines, slices and questions need it.

use super::Program;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The results, at most one of each type.
///
/// A copy begins without results: it is how changed programs are made (`change`, `instance`), and what
/// was computed for the original is not true of them.
#[derive(Default)]
pub(super) struct Computed(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

impl Clone for Computed {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Programs are equal whatever was computed from them.
impl PartialEq for Computed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Computed {}

impl fmt::Debug for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Computed")
    }
}

impl Program {
    /// A result that depends on this program only, computed the first time. Every type has one result:
    /// the caller that defines the type defines what it means.
    pub fn computed<T: Any + Send + Sync>(&self, compute: impl FnOnce(&Self) -> T) -> Arc<T> {
        if let Some(known) = self.find_computed() {
            return known;
        }
        // Not under the lock, so that a result can be computed from others. Two threads may compute the
        // same, and then one of the two results is kept.
        let result = Arc::new(compute(self));
        let mut results = self
            .computed
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        results.push(Arc::<T>::clone(&result));
        result
    }

    fn find_computed<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let results = self
            .computed
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut results = results.iter();
        results.find_map(|result| Arc::clone(result).downcast().ok())
    }
}
