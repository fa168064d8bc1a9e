//! Fencepost (map follows)

pub mod analysis;
pub mod explicit;
pub mod model;
pub mod program;
pub mod solve;
pub mod verdict;
