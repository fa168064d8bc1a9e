//! What is called at the end of a thread, and at that of the process.
//!
//! ```text
//!   pthread_key_create(&k, f)  ─▶ k = the number of the call; f is noted
//!   the end of a thread        ─▶ for each key: v = value; value = null; if (v) f(v);
//!                                 four times, if one of these calls sets a value again
//!   atexit(f)                  ─▶ registered[the number of the call] = 1; f is noted
//!   return of main, exit()     ─▶ for each call, the last one first: if (registered[…]) f();
//! ```
//!
//! Both are what functions in C do (`headers/fencepost/keys.h`, `exits.h`), which the calls name: so the functions that
//! are noted are known where they are called. All ends are walked with what all calls have noted, which an earlier
//! walk found out.
//!
//! **Incomplete:** calls in loops of unknown length, or of a function that is not known, are refused; so are handlers
//! for the end of the process that several threads register, or handlers themselves: their order is not known.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::code::Single;
use super::expr::FUNCTIONS;
use super::value::Value;
use crate::lower::typed::FunctionId;
use crate::text::{Diagnostic, Place};
use std::collections::BTreeSet;

/// A program has no more keys, and no more calls of `atexit`: as many as the arrays of the headers have.
const MOST: usize = 16;

/// A function that is called at an end: by which one, which gets its number and itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Noted {
    by: FunctionId,
    called: Option<FunctionId>,
    /// The thread that notes it.
    thread: usize,
}

/// What is called at ends.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct AtEnds {
    /// Of each key.
    keys: Vec<Noted>,
    /// Threads with these functions set values.
    setters: BTreeSet<FunctionId>,
    /// Whether what is called at the end of a thread sets values.
    again: bool,
    /// Of each call of `atexit`.
    exits: Vec<Noted>,
}

impl AtEnds {
    /// What an earlier walk found out, too.
    pub(super) fn extend(&mut self, earlier: &AtEnds) {
        self.setters.extend(earlier.setters.iter().copied());
        self.again |= earlier.again;
    }
}

impl Lowering<'_> {
    /// A key: its number. Arguments: what ends its values, the destructor or null.
    pub(super) fn new_key(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        let Some(noted) = self.noted("a key is created", arguments, place) else {
            return Value::ZERO;
        };
        let number = self.now.at_ends.keys.len();
        if number >= MOST {
            self.error(format!("more than {MOST} keys"), place);
            return Value::ZERO;
        }
        self.now.at_ends.keys.push(noted);
        Value::Known(number as i64)
    }

    /// A handler for the end of the process: its number. Arguments: what calls it, and itself.
    pub(super) fn new_exit(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        let Some(noted) = self.noted("a handler is registered", arguments, place) else {
            return Value::ZERO;
        };
        let exits = &self.now.at_ends.exits;
        let number = exits.len();
        let is_unordered = exits.iter().any(|other| other.thread != noted.thread);
        if is_unordered || self.ending > 0 {
            let place = self.in_the_text(place);
            let message = "it is not known in which order this handler is called";
            let error = Diagnostic::error(message, self.positions.span(place));
            self.report(error.note("register all of them in one thread, and none in a handler"));
            return Value::ZERO;
        }
        if number >= MOST {
            self.error(format!("more than {MOST} calls of `atexit`"), place);
            return Value::ZERO;
        }
        self.now.at_ends.exits.push(noted);
        Value::Known(number as i64)
    }

    fn noted(&mut self, what: &str, arguments: &[Evaluated], place: Place) -> Option<Noted> {
        self.state.as_ref()?;
        let text = self.in_the_text(place);
        let called = value_of(arguments, 1);
        let by = self.function_of(&value_of(arguments, 0))?;
        let function = self.function_of(&called);
        if function.is_none() && called != Value::ZERO {
            self.error("which function is called at the end is not known", text);
            return None;
        }
        if self.refuse_in_copies("keys and handlers of its own", text) {
            return None;
        }
        if self.loops > 0 {
            self.refuse_ending(what, text);
            return None;
        }
        self.once_only(Single::Ending, text);
        Some(Noted {
            by,
            called: function,
            thread: self.current,
        })
    }

    /// Keys and handlers are counted before the program is executed.
    pub(super) fn refuse_ending(&mut self, what: &str, place: Place) {
        let message = format!("{what} in a loop whose number of iterations is not known");
        let error = Diagnostic::error(message, self.positions.span(place));
        self.report(
            error.note("bound the loop by a constant, and do this before there are threads"),
        );
    }

    /// The thread sets a value of a key.
    pub(super) fn sets_value(&mut self) {
        if self.state.is_none() {
            return;
        }
        let routine = self.threads[self.current].routine();
        self.now.at_ends.setters.insert(routine);
        self.now.at_ends.again |= self.ending > 0;
    }

    /// The thread ends: the values of its keys do.
    pub(super) fn end_values(&mut self, place: Place) {
        let learned = self.learned;
        let routine = self.threads[self.current].routine();
        let has_any = learned.at_ends.keys.iter().any(|key| key.called.is_some());
        if !has_any || !learned.at_ends.setters.contains(&routine) {
            return;
        }
        // POSIX: `PTHREAD_DESTRUCTOR_ITERATIONS`.
        let rounds = if learned.at_ends.again { 4 } else { 1 };
        for _ in 0..rounds {
            let keys = (0..).zip(&learned.at_ends.keys);
            keys.for_each(|(number, key)| self.call_noted(number, *key, place));
        }
    }

    /// The process ends by `exit` or a return from `main`: its handlers are called.
    pub(super) fn call_exits(&mut self, place: Place) {
        let exits = (0..).zip(&self.learned.at_ends.exits);
        let exits: Vec<(i64, Noted)> = exits.map(|(number, noted)| (number, *noted)).collect();
        for (number, noted) in exits.into_iter().rev() {
            self.call_noted(number, noted, place);
        }
    }

    /// `main` ends as a thread, and not the process: this does when the last thread ends, which may be any of them.
    pub(super) fn refuse_last_end(&mut self, place: Place) {
        if self.state.is_none() || self.current > 0 || self.learned.at_ends.exits.is_empty() {
            return;
        }
        let place = self.in_the_text(place);
        let message = "`main` ends by `pthread_exit`, so which thread calls the handlers of `atexit` is not known";
        let error = Diagnostic::error(message, self.positions.span(place));
        self.report(error.note("join the other threads, and return from `main`"));
    }

    fn call_noted(&mut self, number: i64, noted: Noted, place: Place) {
        if self.state.is_none() {
            return;
        }
        let called = noted.called.map_or(0, |id| FUNCTIONS - id.0 as i64);
        let arguments = [number, called].map(|value| vec![Value::Known(value)]);
        self.ending += 1;
        self.inline(noted.by, arguments.into(), false, place);
        self.ending -= 1;
    }
}
