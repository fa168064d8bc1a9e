//! An execution together with the program that it is one of.
//!
//! That program is the one that was checked or, if threads are in any number of copies, an instance of it.
//! The two have different threads: an instance has more copies, and those that do not take part are empty in
//! it. So what a report says about an execution is read in the program of that execution, and what it says
//! about the program, such as which code is unreachable, in the program that was checked.
//!
//! **Invariant.** Reports look at an execution only through this type, so none is read in the wrong program.

use super::Source;
use crate::program::{Goal, Program};
use crate::reference::Run;

/// An execution to show.
#[derive(Clone, Copy, Debug)]
pub struct ShownRun<'a> {
    /// The program that it is an execution of, with the text.
    pub(super) source: Source<'a>,
    /// The goal that it reaches, if it is shown for one.
    pub(super) goal: Option<Goal>,
    /// The execution.
    pub(super) run: &'a Run,
}

impl<'a> ShownRun<'a> {
    /// An execution of the program itself.
    pub fn new(source: Source<'a>, run: &'a Run) -> Self {
        Self {
            source,
            goal: None,
            run,
        }
    }

    /// An execution of this instance of the program, if there is one, or else of the program itself.
    pub(super) fn within(
        source: Source<'a>,
        instance: Option<&'a Program>,
        goal: Option<Goal>,
        run: &'a Run,
    ) -> Self {
        Self {
            source: source.instance(instance),
            goal,
            run,
        }
    }
}
