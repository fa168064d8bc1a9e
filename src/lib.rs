//! Fencepost (map follows)

pub mod analysis;
pub mod check;
pub mod cli;
mod cnf;
pub mod encode;
pub mod explicit;
pub mod model;
pub mod program;
pub mod reach;
pub mod report;
pub mod solve;
pub mod syntax;
pub mod trace;
mod unroll;
pub mod verdict;
