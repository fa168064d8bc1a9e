//! What every module sees.

pub use option::{None, Option, Some};
pub use result::{Err, Ok, Result};
