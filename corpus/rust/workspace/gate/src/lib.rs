//! A lock for two sides, in files of its own.

mod gate;
pub(crate) mod sync;

pub use gate::{Gate, Pass};
