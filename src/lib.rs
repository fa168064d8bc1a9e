//! Fencepost (map follows)

pub mod check;
pub mod cli;
pub mod explicit;
pub mod model;
pub mod program;
pub mod report;
pub mod syntax;
pub mod verdict;
