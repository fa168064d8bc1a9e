//! What every module sees.

pub use iter::{DoubleEndedIterator, ExactSizeIterator, FromIterator, IntoIterator, Iterator};
pub use option::{None, Option, Some};
pub use result::{Err, Ok, Result};
pub use vec::Vec;
