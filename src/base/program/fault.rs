//! What is wrong where an assertion fails that the user did not write.
//!
//! Front ends insert assertions for what their language forbids. The assertion has the place of the
//! statement at fault; the fault is what reports say about it.

use std::borrow::Cow;

/// What a generated assertion, or a [limit](super::Program::limits) other than that of 32 bits, is
/// about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[doc(hidden)]
pub enum Fault {
    /// A variable is read before it has a value.
    Unset,
    /// Memory is read to which nothing has been written.
    Unwritten,
    /// An index or a pointer leaves its object.
    Bounds,
    /// The value of a function is used that ended without one.
    NoValue,
    /// One of a variable number of arguments is read that was not given, or was given as another type.
    NoArgument,
    /// A null pointer is followed.
    Null,
    /// Memory is accessed that has been freed.
    Freed,
    /// Memory is freed that has been freed already.
    FreedTwice,
    /// What is freed was not allocated.
    NotAllocated,
    /// A divisor is 0, or the quotient does not fit.
    Division,
    /// The result of an operation is not a value of its type.
    Overflow,
    /// A number of bits to shift by is negative or too large.
    Shift,
    /// A variable is accessed through a pointer after its block, function or thread has ended.
    Ended,
    /// A lock or the like is used that was never initialised.
    NotInitialised,
    /// A limit: a pointer may be that of an object of another size.
    OtherSize,
    /// A function accesses a number of bytes that cuts a scalar, or that is not followed.
    CutByBytes,
    /// A limit: there are more allocations than blocks.
    Allocations,
    /// A block whose size is known at run time only has room for too many elements, or for none.
    BlockSize,
    /// A limit: a collection has more elements than there is room for, which is for this many.
    Capacity(u16),
    /// A limit: the function of work or of a timer was changed.
    Function,
    /// A limit: a function calls itself deeper than it is followed.
    Recursion,
    /// A limit: what is computed depends on where objects are.
    Address,
}

impl Fault {
    /// What a thread does wrong, as the predicate of a sentence that ends with the statement; for
    /// limits what an execution does that is not covered.
    pub fn predicate(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Fault::Unset => "reads a variable that has no value in",
            Fault::Unwritten => "reads memory that has not been written in",
            Fault::Bounds => "leaves the bounds of an object in",
            Fault::NoValue => "uses the value of a function that ended without one in",
            Fault::NoArgument => {
                "reads an argument that was not given, or was given as another type, in"
            }
            Fault::Null => "follows a null pointer in",
            Fault::Freed => "accesses memory that has been freed in",
            Fault::FreedTwice => "frees memory that has been freed already in",
            Fault::NotAllocated => "frees what is not the start of an allocated block in",
            Fault::Division => "divides by 0, or a quotient does not fit, in",
            Fault::Overflow => "computes a number that does not fit into its type in",
            Fault::Shift => "shifts by a negative number, or by all bits or more, in",
            Fault::Ended => "accesses a variable whose block, function or thread has ended in",
            Fault::NotInitialised => {
                "uses a lock, semaphore or the like that was never initialised in"
            }
            Fault::OtherSize => {
                "uses an object as one of another size or structure in this execution"
            }
            Fault::CutByBytes => {
                "accesses a number of bytes in this execution that cuts an object, compares padding, or is too large to be followed: use multiples of the size of its elements"
            }
            Fault::Recursion => {
                "calls itself in this execution deeper than the 5 calls that are followed, or 16 where constants end the recursion: pass a constant depth, or write a loop"
            }
            Fault::Address => {
                "depends in this execution on the number of an address, which is up to the machine"
            }
            Fault::Function => {
                "queues in this execution what has another function by now than at first"
            }
            Fault::Capacity(room) => {
                return Cow::Owned(format!(
                    "puts more elements into a collection in this execution than the {room} that the option `--capacity` gives it room for"
                ));
            }
            Fault::BlockSize => {
                "allocates in this execution less than one element, or more than 16, without a size that is a constant"
            }
            Fault::Allocations => {
                "allocates more often in this execution than the option `--heap` permits"
            }
        })
    }
}
