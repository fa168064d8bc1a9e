//! Fencepost (map follows)

pub mod explicit;
pub mod model;
pub mod program;
pub mod syntax;
pub mod verdict;
