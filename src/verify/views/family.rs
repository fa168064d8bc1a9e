//! What views are of: systems whose threads can be moved one by one.

use crate::closed::System;
use crate::codec::Numbers;
use crate::program::Program;

/// A system whose threads can be moved one by one, and their local states exchanged.
pub trait Family: System<State: Clone> {
    /// The program.
    fn program(&self) -> &Program;

    /// The thread that is inside an atomic block.
    fn inside(&self, state: &Self::State) -> Option<usize>;

    /// Where a thread is.
    fn location(&self, state: &Self::State, thread: usize) -> usize;

    /// Calls `see` with each state after one step of this thread.
    fn steps_of(&self, state: &Self::State, thread: usize, see: &mut dyn FnMut(Self::State));

    /// Appends the numbers of the local state of a thread.
    fn write_local(&self, state: &Self::State, thread: usize, out: &mut Vec<i32>);

    /// Gives a thread the local state with these numbers; `None` if there is none.
    fn read_local(
        &self,
        state: &mut Self::State,
        thread: usize,
        numbers: &mut Numbers<'_>,
    ) -> Option<()>;

    /// What is bad about what this thread may do next.
    fn fails(&self, state: &Self::State, thread: usize) -> Option<String>;

    /// What is bad about a view, whichever of its copies a property names. `get` gives a thread the local
    /// state of one of the copies, each of which is of one of `classes`.
    fn seen(
        &self,
        state: &Self::State,
        classes: &[usize],
        give: &dyn Fn(&mut Self::State, usize, usize),
    ) -> Option<String>;

    /// What properties need.
    fn needs(&self) -> Needs;
}

/// What the properties of a family need to be seen in views.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// The smallest number of copies in a view.
    pub copies: usize,
    /// Whether some property is about all threads, so that fewer copies are looked at, too.
    pub few: bool,
    /// The number of properties.
    pub properties: usize,
}

impl Needs {
    /// How many choices of copies there are in a view of this size.
    pub(super) fn choices(self, size: usize) -> u64 {
        let named = (0..self.copies).map(|taken| size.saturating_sub(taken).max(1) as u64);
        named.product::<u64>() * self.properties as u64
    }
}
