//! What can be said about a program without running it, for every model and every loop bound.
//!
//! The engines above ask here what need not be encoded: values that a register or a cell never
//! takes, cells that an access never touches, code that nothing reaches, loops whose iterations
//! leave no trace, instructions that no goal can notice.
//!
//!   liveness ──▶ loops ──▶ values ──▶ spins
//!                            └──────▶ slice              skeleton
//!
//! **Invariant.** Each answer is sound for all executions under SC, TSO, PSO and PGAS alike: the
//! analyses only assume that a load returns the initial value or one that some store wrote.
//!
//! **Absent.** Memory models, literals, bounds.

mod arithmetic;
mod eval;
mod liveness;
mod loops;
mod refine;
mod refuted;
#[cfg(test)]
mod sample;
mod set;
mod skeleton;
mod slice;
mod spins;
mod values;

pub(crate) use arithmetic::Reach;
pub use eval::eval;
pub(crate) use eval::eval_exact;
pub use liveness::Liveness;
pub(crate) use loops::components;
pub use loops::{LoopId, Loops};
pub use refine::refine;
pub(crate) use refine::refine_exact;
pub use refuted::refuted;
pub use set::ValueSet;
pub use skeleton::skeleton;
pub use slice::slice;
pub use spins::Spins;
pub use values::{Candidates, Values};
