//! Fencepost (map follows)

pub mod analysis;
mod cnf;
pub mod encode;
pub mod explicit;
pub mod model;
pub mod program;
pub mod reach;
pub mod solve;
pub mod trace;
mod unroll;
pub mod verdict;
