//! Static analysis: facts about a program for every model and every loop bound.
//!
//! The engines use these facts to omit parts of the encoding: values that a register or a cell
//! never has, cells that an access never touches, unreachable code, loops whose iterations have no
//! effect, and instructions that cannot influence any goal.
//!
//!   dataflow ──▶ liveness ─┬▶ values ──▶ spins
//!                   loops ─┘    ├──────▶ slice              skeleton
//!                               ├──────▶ waits              symmetry
//!                               └──────▶ influence
//!
//! **Invariant.** Each result is sound for all executions under SC, TSO, PSO and PGAS: the analyses
//! only assume that a load returns the initial value or a value that some store wrote.
//!
//! **Absent.** Memory models, literals, bounds.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the pages of this crate are for contributors, who build them with private items"
)]

mod arithmetic;
mod dataflow;
mod eval;
mod influence;
mod liveness;
mod loops;
mod operators;
mod refine;
mod refuted;
#[cfg(test)]
mod sample;
mod set;
mod sharing;
mod skeleton;
mod slice;
mod spins;
pub mod symmetry;
mod values;
mod waits;

pub use arithmetic::Reach;
pub use dataflow::{DepthFirst, Flow, Graph, Lattice, Least};
pub use eval::eval;
pub use eval::eval_exact;
pub use influence::Influence;
pub use liveness::Liveness;
pub use loops::components;
pub use loops::{LoopId, Loops};
pub use refine::refine;
pub use refine::refine_exact;
pub use refuted::refuted;
pub use set::ValueSet;
pub use sharing::contended;
pub use skeleton::skeleton;
pub use slice::Sliced;
pub use slice::slice;
pub use spins::Spins;
pub use symmetry::Twins;
pub use values::{Candidates, Values};
pub use waits::Stated;
pub use waits::Waits;

use fencepost_base::{model, program};
#[cfg(test)]
use fencepost_front::formats;
