//! What functions of libraries do that is not supported: refused where it is reached.

use super::Lowering;
use super::arguments::Evaluated;
use super::value::Value;
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// Refuses kinds of mutexes that can be locked twice, or report errors.
    pub(super) fn plain_mutex(&mut self, kind: Option<&Evaluated>, is_plain: impl Fn(i64) -> bool) {
        if let Some(kind) = kind.filter(|kind| !kind.value.known().is_some_and(is_plain))
            && self.state.is_some()
        {
            let message = "of the kinds of mutexes, only the plain one is known here";
            let error = Diagnostic::error(message, self.positions.span(kind.place));
            let note = "with the built-in <pthread.h> and <threads.h> all are, if the text calls them by their names";
            self.report(error.note(note));
        }
    }

    /// Refuses a constructor, which would be called when there is memory for objects.
    pub(super) fn no_constructor(&mut self, routine: Option<&Evaluated>) {
        if let Some(routine) = routine.filter(|routine| routine.value != Value::ZERO)
            && self.state.is_some()
        {
            let message = "constructors of the objects of a cache are not supported";
            let error = Diagnostic::error(message, self.positions.span(routine.place));
            self.report(
                error.note("pass a null pointer, and do after each allocation what it does"),
            );
        }
    }

    /// Refuses what a function of a library does, where the text calls it.
    pub(super) fn refuse(&mut self, why: &str, way: &str, place: Place) {
        if self.state.is_some() {
            let place = self.in_the_text(place);
            self.report(Diagnostic::error(why, self.positions.span(place)).note(way));
            self.state = None;
        }
    }
}
