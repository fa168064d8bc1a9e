//! Words of 64 bits on a machine whose cells have 32: the typed program with each of them in two halves.
//!
//! ```text
//!   uint64_t w;                struct { uint32_t lo, hi; } w;       where w has to be *wide* (`infer`)
//!   w = x + (1UL << 40);       lo = x.lo + 0; hi = x.hi + 256; w = { lo, hi };      one store of two cells
//!   if (w >> 32)               if (w.hi)
//! ```
//!
//! An integer of any size is in parts where something else is seen in its memory (`cut`): a lock word and its bytes.
//!
//! It comes after all checks and before the lowering, which sees numbers of up to 32 bits, structures, and *words*:
//! structures whose members are accessed at once (`access`). All other numbers of 64 bits stay as they are, in one
//! cell that holds their sign extension (`wide`). A program without wide ones is left as it is.
//!
//! | module | about |
//! |---|---|
//! | `infer` | which storage is wide, or in parts |
//! | `cut` | where integers are cut, and the cells of unions |
//! | `rewrite` | statements, and what both kinds of expressions have in common |
//! | `halves` | expressions whose values are wide |
//! | `narrowed` | all others |
//! | `atomics` | atomic operations on wide objects |
//! | `changes` | variables that need no copy |
//! | `pairs` | arithmetic on two halves |
//! | `parts` | the parts of an integer as its halves, and back |
//! | `access` | what the lowering makes of accesses of words |

pub(super) mod access;
mod atomics;
mod changes;
mod cut;
mod halves;
mod infer;
mod narrowed;
mod pairs;
mod parts;
mod rewrite;
#[cfg(test)]
mod tests;

use super::typed::Unit;
use crate::text::Place;
pub(crate) use cut::can_be_cut;

/// The same program with all integers in parts that have to be, and the unions whose members cannot share them.
pub(crate) fn expand(unit: Unit) -> (Unit, Vec<Place>) {
    rewrite::rewritten(&unit).unwrap_or((unit, Vec::new()))
}
