//! Views as data: a set of views that proves that goals are not reached. A law checks them by rules of its
//! own.

/// A local state of a thread: its number (the thread with `[*]`, for a copy), its location, and all
/// its registers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalState {
    /// The thread's number.
    pub thread: u32,
    /// The number of its location.
    pub location: u32,
    /// The values of its registers.
    pub registers: Vec<i32>,
}

/// All views with one control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewTable {
    /// The values of the cells.
    pub memory: Vec<i32>,
    /// The threads that exist once, as numbers into [`ViewCertificate::locals`].
    pub singles: Vec<u32>,
    /// The views: for each copy the number of its local state, ascending.
    pub views: Vec<Vec<u32>>,
}

/// A closed set of views.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewCertificate {
    /// The number of copies in a view.
    pub size: usize,
    /// All local states.
    pub locals: Vec<LocalState>,
    /// All controls.
    pub tables: Vec<ViewTable>,
}
