//! What evidence says of an instruction in addition to its text: through which calls control got there, and
//! what it does that is not written.

use super::{CallId, Origin};

/// A call of a procedure, whose instructions are copied to where it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The call in whose procedure it is; `None` in the thread's own text.
    pub caller: Option<CallId>,
    /// The name of the procedure.
    pub procedure: String,
    /// Where the call was written.
    pub origin: Origin,
}

/// What an instruction is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Role {
    /// What its text says.
    #[default]
    Written,
    /// An assertion: the thread holds the lock that its text releases.
    Unlock,
    /// What its text says, which begins inside an expression or in the head of a loop: no statement can
    /// be before it. Or it does nothing, and marks such a position.
    Inside,
    /// It belongs to the beginning of the thread.
    Start,
    /// It belongs to the end of the thread.
    End,
}
