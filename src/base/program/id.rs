//! References to the parts of a program: ids, addresses, sites, and positions in the text.
//!
//! Ids are indices into the dense tables of one program and mean nothing in another. Their printed
//! form is short: thread `t0`, location `q3`, register `r1`, instruction `i7`.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the dense table that this id indexes.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(index as u32)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// A thread of a program; copies of a thread have ids of their own.
    ThreadId,
    "t"
);
id!(
    /// A control location of one thread.
    LocId,
    "q"
);
id!(
    /// A register of one thread.
    RegId,
    "r"
);
id!(
    /// An instruction of one thread.
    InstrId,
    "i"
);

id!(
    /// A call of a procedure.
    CallId,
    "c"
);

/// The address of a shared cell, as the program's own arithmetic sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Addr(pub i32);

/// The address of the first declared cell. Lower addresses, including 0, are not cells.
pub const FIRST_ADDRESS: i32 = 1;

impl Addr {
    /// The cell's index in dense tables. Requires that the address is a cell.
    pub fn index(self) -> usize {
        (self.0 - FIRST_ADDRESS) as usize
    }

    /// The cell at an index of a dense table.
    pub fn from_index(index: usize) -> Self {
        Self(index as i32 + FIRST_ADDRESS)
    }
}

/// Where something was written in the user's text. Lines and columns count from 1; the span is in
/// bytes. The parts of generated programs, which have no text, have the default origin, line 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Origin {
    /// Line, from 1; 0 if there is no text.
    pub line: u32,
    /// Column in characters, from 1; 0 if there is no text.
    pub column: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Origin {
    /// The line, from 1; `None` if there is no text.
    pub fn known_line(self) -> Option<u32> {
        (self.line > 0).then_some(self.line)
    }
}

/// One instruction of one thread: what fences, switches and evidence refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The thread.
    pub thread: ThreadId,
    /// The instruction in it.
    pub instr: InstrId,
}
