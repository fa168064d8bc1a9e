//! The tests, in the order in which to read them: what the house looks like, the reference, the
//! encoding against it, robustness, fences, the readers, and the command line.
//!
//! One binary, since each would link the whole crate. Two have one of their own: `corpus`, which makes
//! a test of each expectation, and `cli_limits`, whose processes want the machine for themselves.

#![allow(unreachable_pub, reason = "modules of one binary")]

mod support;

mod agree;
mod analysis_laws;
mod automata;
mod c_semantics;
mod cli;
mod cli_fence;
mod cli_files;
mod cli_json;
mod cli_lazy;
mod cli_terminal;
mod direct;
mod edges;
mod english;
mod explicit_laws;
mod explicit_litmus;
mod families;
mod fences;
mod labels;
mod lazy;
mod litmus;
mod pairs;
mod positions;
mod readme;
mod robust_oracle;
mod robustness;
mod skips;
mod tidy;
mod trencher;
