//! Work, timers and tasklets that are queued again: the thread that executes them goes round.
//!
//! Each call that queues one creates a thread (`headers/fencepost/later.h`). A loop that queues, or a function that queues
//! its own object again, would create threads without end. So what is queued is executed
//!
//! ```text
//! (again)  by this thread, or one that created it, directly or not, if that one executes the same object already
//! (loop)   in a loop of the automaton, by a thread that was created when the one with the loop began, and waits
//! (new)    otherwise by a new thread
//! ```
//!
//! *Theorem.* These threads have the executions of those in which each call that queues has a thread of its own. An object
//! is pending once at most, and what executes it waits until what executed it before has ended. So the steps of two
//! executions of one object never alternate, and one thread can take them in this order. It begins each with an empty
//! buffer, as a new thread does, since it ends the one before by a locked instruction. What it does in between is to wait
//! until it is queued, and to note that, which no other thread sees.
//!
//! Two numbers by turns are enough for what others wait for. When execution `k + 2` of a thread is queued, `k + 1` has begun or
//! was cancelled, so `k` has ended. A wait for `k` that has missed its end could have returned as soon as `k` ended: it
//! only looks, so there is an execution in which it does that and the thread goes on later, and all else is the same.
//! Sets of numbers are waited for one by one for the same reason, in any order.
//!
//! Which threads go round is found out by an earlier walk.
//!
//! **Absent.** Objects whose address or function is not known when the program is read: these have a new thread each time.
//! **Incomplete:** work of an ordered queue that is cancelled while its own function still runs, and is then queued by that
//! function again, keeps its earlier place in the queue.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::expr::FUNCTIONS;
use super::operation::Round;
use super::typed::FunctionId;
use super::value::{Value, binary, c};
use super::view::Rep;
use crate::program::{BinaryOp, Expr, Fault, Op, RegId};
use crate::text::{Diagnostic, Place};
use std::collections::BTreeMap;

/// Threads have numbers below this, and so have the second ones of those that go round.
const MOST: usize = 31;

/// More walks do not find out which threads go round.
const MOST_CHANGES: usize = 24;

const TOO_MANY: &str = "too many threads of the kernel queue one another again";

fn too_many(error: Diagnostic) -> Diagnostic {
    error.note("each thread has a number below 31, and each that executes something again has two")
}

/// What a thread executes: where the word is that says whether it is pending, and its function.
type Object = (i64, FunctionId);

/// Which threads go round.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Rounds {
    /// By thread: whether other ones queue what it executes again.
    threads: BTreeMap<usize, bool>,
    /// What is queued in loops, by the thread with the loop.
    waiting: BTreeMap<usize, Vec<Waiting>>,
    /// The words with functions to which something is stored at run time, and the first function that is.
    varying: BTreeMap<i64, Option<FunctionId>>,
    /// How many walks have changed this.
    changes: usize,
}

/// A thread that waits until a loop queues something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    executes: FunctionId,
    object: i64,
    of: Object,
}

impl Rounds {
    /// What this walk found out counts, for the numbers of threads change; `None` if that has no end.
    fn after(&self, earlier: &Rounds) -> Option<Rounds> {
        let mut now = self.clone();
        now.changes = earlier.changes;
        if now != *earlier {
            now.changes += 1;
        }
        (now.changes <= MOST_CHANGES).then_some(now)
    }
}

impl Lowering<'_> {
    /// What the next walk has to know. An error ends the walks where there would always be another one.
    pub(super) fn rounds_after(&mut self, found: &Rounds) -> Rounds {
        let earlier = &self.learned.rounds;
        found.after(earlier).unwrap_or_else(|| {
            self.errors.push(too_many(Diagnostic::nowhere(TOO_MANY)));
            earlier.clone()
        })
    }

    pub(super) fn round(&mut self, asked: Round, arguments: &[Evaluated], place: Place) -> Value {
        Value::Known(match asked {
            Round::Any => i64::from(!self.learned.rounds.threads.is_empty()),
            Round::Own => {
                let data = value_of(arguments, 0).known();
                let function = self.function_of(&value_of(arguments, 1));
                if let (Some(data), Some(function)) = (data, function) {
                    self.executed.insert(self.current, (data, function));
                }
                self.second_number(self.current)
            }
            Round::Of => self.round_of(arguments, place).unwrap_or(0),
            Round::Function => return self.function_in(arguments, place),
        })
    }

    /// The function in a word that is loaded: the one that is there at first, or else is stored first, if nothing else
    /// ever is. Otherwise its being another one is a limit. Arguments: the word, its value.
    fn function_in(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        let value = value_of(arguments, 1);
        let (Value::Unknown(loaded), Some(word)) = (&value, value_of(arguments, 0).known()) else {
            return value;
        };
        self.functions.insert(word);
        let varying = &self.learned.rounds.varying;
        let initial = self.memory.initial(word).map(i64::from);
        let initial = initial.and_then(|number| self.function_of(&Value::Known(number)));
        let stored = varying.get(&word).copied().flatten();
        let Some(function) = initial.or(stored) else {
            return value;
        };
        let number = FUNCTIONS - function.0 as i64;
        if varying.contains_key(&word) {
            let is_this = binary(BinaryOp::Eq, loaded.clone(), c(number as i32));
            self.limit(is_this, place);
            self.blame_limit(Fault::Function);
        }
        Value::Known(number)
    }

    /// Finds out which words with functions may be stored to.
    pub(super) fn find_functions(&mut self) {
        let codes = self
            .threads
            .iter()
            .filter_map(|thread| thread.code.as_ref());
        let mut varying: BTreeMap<i64, Option<FunctionId>> = BTreeMap::new();
        for code in codes {
            for instr in &code.instructions {
                let (addr, value) = match &instr.op {
                    Op::Store { addr, value } => (addr, Some(value)),
                    Op::Rmw { addr, .. } => (addr, None),
                    _ => continue,
                };
                let value = match value {
                    Some(Expr::Const(value)) => self.function_of(&Value::Known(i64::from(*value))),
                    _ => None,
                };
                if let Expr::Const(word) = addr
                    && self.functions.contains(&i64::from(*word))
                {
                    let first = varying.entry(i64::from(*word)).or_default();
                    *first = first.or(value);
                }
            }
            let at_run_time = code.accesses.iter().any(|access| {
                let may_be_function = matches!(access.rep, Some(Rep::Pointer | Rep::Long));
                let op = &code.instructions[access.instr].op;
                let is_known = |addr: &Expr<RegId>| matches!(addr, Expr::Const(_));
                may_be_function
                    && matches!(op, Op::Store { addr, .. } | Op::Rmw { addr, .. } if !is_known(addr))
            });
            if at_run_time {
                for word in &self.functions {
                    varying.entry(*word).or_default();
                }
            }
        }
        self.now.rounds.varying = varying;
    }

    /// The second number of a thread, with a bit that says whether others queue what it executes; 0 if it does not go
    /// round.
    fn second_number(&self, thread: usize) -> i64 {
        let threads = &self.learned.rounds.threads;
        let found = threads.iter().position(|(number, _)| *number == thread);
        found.map_or(0, |at| {
            let number = (MOST - 1).saturating_sub(at) as i64;
            number | i64::from(threads[&thread]) << 8
        })
    }

    /// The thread that executes an object again, and its second number above that. Arguments: the word of the object, its
    /// function, what executes it, and the object.
    fn round_of(&mut self, arguments: &[Evaluated], place: Place) -> Option<i64> {
        self.state.as_ref()?;
        let data = value_of(arguments, 0).known()?;
        let function = self.function_of(&value_of(arguments, 1))?;
        self.check_rounds(place);
        let mut thread = self.current;
        let found = loop {
            if let Some(found) = self.executor_in(thread, (data, function)) {
                break found;
            }
            if thread == 0 {
                break self.wait_in_loop((data, function), arguments)?;
            }
            thread = self.threads[thread].creator();
        };
        let by_another = found != self.current;
        *self.now.rounds.threads.entry(found).or_default() |= by_another;
        Some(found as i64 | self.second_number(found) << 8)
    }

    fn check_rounds(&mut self, place: Place) {
        if self.threads.len() + self.learned.rounds.threads.len() > MOST {
            let place = self.in_the_text(place);
            self.report(too_many(Diagnostic::error(
                TOO_MANY,
                self.positions.span(place),
            )));
        }
    }

    /// The thread that executes this object among one thread and those that wait for its loops.
    fn executor_in(&self, thread: usize, object: Object) -> Option<usize> {
        let executes = |number: &usize| self.executed.get(number) == Some(&object);
        let waiting = self.waiting.get(&thread);
        let mut all = [thread]
            .into_iter()
            .chain(waiting.into_iter().flatten().copied());
        all.find(executes)
    }

    /// Something is queued in a loop: a thread that waits for that, which the next walk creates, or nothing otherwise.
    fn wait_in_loop(&mut self, of: Object, arguments: &[Evaluated]) -> Option<usize> {
        let executes = self.function_of(&value_of(arguments, 2))?;
        let object = value_of(arguments, 3).known()?;
        if self.loops == 0 {
            return None;
        }
        let waiting = Waiting {
            executes,
            object,
            of,
        };
        let here = self.now.rounds.waiting.entry(self.current).or_default();
        if !here.contains(&waiting) {
            here.push(waiting);
        }
        // What the thread does is walked next time.
        self.state = None;
        None
    }

    /// The threads that wait until loops of this one queue something are created.
    pub(super) fn create_waiting(&mut self, place: Place) {
        let waiting = self.learned.rounds.waiting.get(&self.current);
        for waiting in waiting.cloned().unwrap_or_default() {
            let function = &self.unit.functions[waiting.executes.0];
            let values = [FUNCTIONS - waiting.of.1.0 as i64, waiting.object, 1];
            let types = function.locals.iter().take(function.parameters);
            let values = values.into_iter().zip(types);
            let values = values.map(|(value, local)| vec![(Value::Known(value), local.ty.clone())]);
            let values = values.collect();
            let number = self.start_named(waiting.executes, waiting.of.1, values, place);
            self.executed.insert(number, waiting.of);
            self.waiting.entry(self.current).or_default().push(number);
            let here = self.now.rounds.waiting.entry(self.current).or_default();
            if !here.contains(&waiting) {
                here.push(waiting);
            }
            self.now.rounds.threads.insert(number, true);
        }
    }
}
