//! Which accesses may come after the end of what they reach: a block that is freed, a variable whose
//! block or function ends.
//!
//! An access needs no mark if it comes before the end in every execution:
//!
//! * it is in the same thread, where no way leads from the end to it, or
//! * the thread of the end has joined the thread of the access on all ways to the end.
//!
//! So a program that frees everything when its threads are joined has no checks in them.
//!
//! **Absent.** Joins of a thread by one that is joined in turn, and threads that are created later.

use super::Lowering;
use super::code::{Code, Loc};
use super::hold;
use super::objects::Object;
use super::view::begins_with;
use crate::lower::typed::{Type, Unit};
use crate::program::Context;
use std::collections::{BTreeMap, BTreeSet};

/// Something ends here, in this thread.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) thread: usize,
    pub(super) at: Loc,
    pub(super) of: Ended,
}

/// What ends.
#[derive(PartialEq, Debug)]
pub(super) enum Ended {
    /// The object at this address.
    Object(i64),
    /// Some block that a pointer to this type points to.
    Type(Type),
}

/// The same when all threads are known.
#[derive(Debug)]
pub(super) struct Reached {
    thread: usize,
    of: Ended,
    /// By location of its thread: whether control may get there afterwards.
    after: Vec<bool>,
    /// The threads that have ended before.
    joined: BTreeSet<usize>,
}

impl Ended {
    fn may_be(&self, unit: &Unit, object: &Object) -> bool {
        match self {
            Ended::Object(start) => *start == object.start,
            Ended::Type(ty) => object.on_heap && begins_with(unit, &object.ty, ty),
        }
    }
}

impl Lowering<'_> {
    /// Something ends where the walk is.
    pub(super) fn ends_here(&mut self, of: Ended) {
        let Some(at) = self.state.as_ref().map(|state| state.at) else {
            return;
        };
        let thread = self.current;
        self.endings.push(Ending { thread, at, of });
    }

    /// All threads are known: finds out what may follow each end.
    pub(super) fn find_followers(&mut self, codes: &[Option<&Code>]) {
        let mut known: BTreeMap<usize, Vec<Option<Context>>> = BTreeMap::new();
        for ending in std::mem::take(&mut self.endings) {
            let Some(code) = codes.get(ending.thread).copied().flatten() else {
                continue;
            };
            let contexts = known.entry(ending.thread);
            let contexts = contexts.or_insert_with(|| hold::contexts(code));
            // Where no execution gets, nothing ends.
            let Some(context) = contexts.get(ending.at).cloned().flatten() else {
                continue;
            };
            self.ended.push(Reached {
                thread: ending.thread,
                of: ending.of,
                after: code.reached(ending.at),
                joined: context.joined,
            });
        }
    }

    /// Whether an access of this object by the thread at hand, at a location, may come after its end.
    pub(super) fn may_have_ended(&self, object: &Object, at: Loc) -> bool {
        self.ended.iter().any(|site| {
            let is_any = self.threads.get(self.current).is_some_and(|t| t.any);
            let follows = if site.thread == self.current && !is_any {
                site.after[at]
            } else {
                !site.joined.contains(&self.current)
            };
            follows && site.of.may_be(self.unit, object)
        })
    }
}
