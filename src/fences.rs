//! Where fences go: cheapest sets of places, for robustness or for what the program asserts.
//!
//! **Invariant.** No set leaves this room that has not been found sufficient by an engine, and none
//! is called cheapest without a proof that every cheaper one fails.

mod place;

pub use place::{Costs, Kinds, Place, places};
