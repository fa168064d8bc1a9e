//! What all of Fencepost is about: programs, memory models, verdicts.
//!
//! | module | is about |
//! |---|---|
//! | [`program`] | threads as automata over registers and shared cells; programs are only made by the builder |
//! | [`model`] | SC, TSO, PSO, PGAS: which pairs of a thread's accesses are kept in order |
//! | [`verdict`] | what was decided, for which executions, and why not more; budgets |
//! | [`visible`] | text from outside, made safe to show |
//!
//! This crate is a part of `fencepost`, which is the interface for users: no promise of stability here.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the pages of this crate are for contributors, who build them with private items"
)]

pub mod model;
pub mod program;
pub mod verdict;
pub mod visible;
